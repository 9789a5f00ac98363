"""Moves are rated by exact values, and judges that do not know them are handled."""

import os
from importlib.metadata import version
from io import StringIO
from types import TracebackType

import pytest
from c4_protocol.program.errors import JudgeError
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.contain.process_tree import children_of
from c4_referee.contest.judging.accuracy import accuracy_from_solved, accuracy_of
from c4_referee.contest.judging.values import ExactValues
from c4_referee.records.stats.solved import Solved, position_key
from c4_referee.report.terminal.accuracy import print_accuracy
from games import game_of as game
from judged import fake_judge
from rich.console import Console


def test_games_are_judged() -> None:
    """Games are judged with exact values. Void games are left out.

    The judge calls every position a draw. The rules alone show the win that player a misses.
    """
    games = [game("1212124", winner=0, ending="void"), game("12121247", "12")]
    with fake_judge("draws") as judge:
        report = accuracy_of(games, STANDARD, judge, 60)
    assert (report.games, report.judged_games, report.ended) == (1, 1, None)
    a, b = report.bots["a"], report.bots["b"]
    assert (a.moves, a.total.judged, a.total.wins, a.total.wins_drawn) == (3, 3, 1, 0)
    assert a.total.wins_lost == 1  # player b has three in column 2
    assert b.total.judged == 3


def test_a_game_is_judged_once_and_one_without_moves_never() -> None:
    """Equal games are judged once, and games without a move by the bots are not judged."""
    fault = FaultRecord("a", "exited", "forfeit", 2, 0.0, 0.0, "with code 3")
    none = game("44", "44", ending="forfeit", fault=fault, winner=2)
    with fake_judge("dies") as judge:
        report = accuracy_of([none, none], STANDARD, judge, 60)
        assert (report.games, report.judged_games) == (0, 0)
        assert not children_of(os.getpid())
    with fake_judge("draws") as judge:
        assert accuracy_of([game("44"), game("44")], STANDARD, judge, 60).games == 1


@pytest.mark.parametrize(
    ("kind", "reason"), [("lies", "contradicts itself: after . moves of 4455"), ("dies", "exited")]
)
def test_a_judge_that_cannot_be_right_is_not_believed(kind: str, reason: str) -> None:
    """A judge that contradicts itself or crashes raises an error, and no process is left."""
    with fake_judge(kind) as judge, pytest.raises(JudgeError, match=reason):
        accuracy_of([game("4455")], STANDARD, judge, 60)
    assert not children_of(os.getpid())


def test_a_judge_that_knows_nothing_judges_nothing() -> None:
    """A judge without exact scores judges no move, but the moves are counted."""
    with fake_judge("unsure") as judge:
        report = accuracy_of([game("4455")], STANDARD, judge, 60)
    a = report.bots["a"]
    assert (a.moves, a.total.judged, a.share, a.low, a.high) == (2, 0, None, 0, 1)


def test_judging_ends_when_its_time_is_up() -> None:
    """When the time is up, only whole games count, and the report says how to get more time."""
    games = [game("4455"), game("4466"), game("4477")]
    with fake_judge("one_a_second") as judge:
        report = accuracy_of(games, STANDARD, judge, 0.5)
    assert (report.games, report.judged_games, report.ended) == (3, 0, "time")
    assert report.bots["a"].moves == 6
    assert report.bots["a"].total.judged == 0
    told = StringIO()
    print_accuracy(Console(file=told, width=200), report)
    way_out = "time was up (--judge-seconds N, or judge_seconds in a file, gives more)"
    assert way_out in told.getvalue()


class Interrupted:
    """A judge that raises ``KeyboardInterrupt`` after some questions."""

    name = "interrupted"
    version = None
    values = ExactValues({})

    def __init__(self, questions: int) -> None:
        self._left = questions

    def __enter__(self) -> "Interrupted":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        pass

    def value(self, position: Position) -> int:
        """Return a draw, or raise ``KeyboardInterrupt`` if no questions are left."""
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return 0


def test_interrupting_the_judge_leaves_what_is_judged() -> None:
    """Ctrl-C ends the judging, and the report has the games judged before."""
    told: list[tuple[int, int]] = []
    games = [game("4455"), game("4466"), game("4477")]
    report = accuracy_of(
        games,
        STANDARD,
        Interrupted(7),  # type: ignore[arg-type]
        60,
        lambda done, all_: told.append((done, all_)),
    )
    assert (report.judged_games, report.ended) == (1, "interrupt")
    assert report.bots["b"].total.judged == 2
    assert told == [(0, 3), (1, 3)]


def test_what_a_judge_found_gives_the_same_accuracy_without_it() -> None:
    """Values that a judge found give its report again, without a question."""
    games = [game("12121247", "12"), game("4455"), game("4455"), game("44", ending="void")]
    with fake_judge("draws") as judge:
        expected = accuracy_of(games, STANDARD, judge, 60)
    assert accuracy_from_solved(games, STANDARD, judge.values.known, "draws") == expected


def test_games_with_unknown_positions_are_not_judged() -> None:
    """A game counts only if all positions after its opening are known."""
    with fake_judge("draws") as judge:
        accuracy_of([game("4455", "4")], STANDARD, judge, 60)
    games = [game("4455", "4"), game("4466", "4"), game("44", "44")]
    report = accuracy_from_solved(games, STANDARD, judge.values.known, "c4-bot --plays perfect")
    assert (report.games, report.judged_games, report.ended) == (2, 1, "time")
    assert report.bots["b"].total.judged == 2
    assert report.bots["b"].moves == 4
    assert (report.judge, report.judge_version) == ("c4-bot --plays perfect", version("c4-arena"))


def test_worst_move_is_the_decisive_move_of_its_game() -> None:
    """An earlier move that gave away more is not named, because ``show`` calls the last one so."""
    lost = game("445511" + "2", winner=1, ending="line")
    values = [2, -2, 4, 18, 0, 0, 3, -18]
    solved = {
        position_key(position): Solved(value)
        for position, value in zip(lost.positions, values, strict=True)
    }
    worst = accuracy_from_solved([lost], STANDARD, solved, "judge").worst
    assert worst is not None
    assert (worst.bot, worst.number) == ("b", 6)


def test_worst_move_is_that_of_the_bot_that_lost_most() -> None:
    """People ask why a bot lost, so the only loss of the winner is not named, however bad it is."""
    small, large = [18, -18, 18, 0, 5], [18, -18, 18, 18, -18]
    solved = {}
    for moves, numbers in (("1122", small), ("3344", small), ("5566", large)):
        keys = map(position_key, game(moves).positions)
        solved |= dict(zip(keys, map(Solved, numbers), strict=True))
    games = [game("1122", winner=1), game("3344", winner=1), game("5566", winner=2)]
    worst = accuracy_from_solved(games, STANDARD, solved, "judge").worst
    assert worst is not None
    assert (worst.bot, worst.number, worst.before) == ("b", 4, 0)
