"""Moves are rated by exact values; judges that do not know them are handled."""

import os
import sys
from dataclasses import astuple
from io import StringIO
from pathlib import Path
from types import TracebackType

import pytest
from c4_protocol.errors import JudgeError
from c4_protocol.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.position import Position
from c4_protocol.reports import MoveTally
from c4_protocol.variant import LINE8, STANDARD, Variant
from c4_referee.bots.process_tree import children_of
from c4_referee.bots.spec import BotSpec
from c4_referee.judging.accuracy import accuracy_of
from c4_referee.judging.judge import Judge
from c4_referee.report.accuracy import print_accuracy
from c4_referee.stats.accuracy import JudgedGame, JudgedMove, accuracy, gaining_ply, tally_moves
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

JUDGES = Path(__file__).parent.parent.parent / "bots" / "judges.py"
VALUES = st.integers(-20, 20)


def game(moves: str, opening: str = "", variant: Variant = STANDARD, **fields: object) -> GameEnded:
    """Make a game of a against b."""
    usual = {
        "game": 1,
        "first": "a",
        "second": "b",
        "ms": [],
        "cpu_ms": [],
        "winner": 0,
        "ending": "full board",
        "fault": None,
        "notes": [],
        "stderr": {},
    }
    record = VariantRecord.of(variant)
    return GameEnded(**usual | fields, moves=moves, opening=opening, variant=record)  # type: ignore[arg-type]


def fake(kind: str) -> Judge:
    """Make a judge of ``tests/bots/judges.py``."""
    return Judge(BotSpec(name=kind, command=(sys.executable, "-S", "-E", str(JUDGES), kind)))


def made(before: int | None, after: int | None, ply: int = 0) -> JudgedMove:
    """Make a move of a's from one value to another, both for a."""
    return JudgedMove("a", 1, ply, before, after)


def test_each_kind_of_move_is_counted_as_what_it_is() -> None:
    """Lost wins and draws, longer wins, shorter losses, best and unknown moves are counted."""
    moves = [
        made(5, 5),  # best
        made(5, 2),  # three moves later
        made(5, 0),  # a win thrown away, to a draw
        made(1, -3),  # to a loss
        made(0, 0),
        made(0, -1),  # a draw thrown away
        made(-2, -2),
        made(-2, -6),  # four moves sooner
        made(None, 3),
        made(3, None),
    ]
    assert tally_moves(moves) == MoveTally(
        judged=8,
        kept=5,
        best=3,
        wins=4,
        wins_drawn=1,
        wins_lost=1,
        draws=2,
        draws_lost=1,
        moves_lost=7,
    )


@given(st.lists(st.tuples(st.none() | VALUES, st.none() | VALUES), max_size=42), st.integers(0, 9))
def test_counts_add_up(pairs: list[tuple[int | None, int | None]], opening: int) -> None:
    """Bots, colours and phases share all moves; a move is either kept or thrown away."""
    values = [before for before, _ in pairs] + [None]
    moves = "1" * len(pairs)
    record = game(moves, moves[:opening])
    found = accuracy(["a", "b"], [JudgedGame(record, values)], STANDARD)
    assert found["a"].moves + found["b"].moves == max(0, len(pairs) - opening)
    assert found["a"].as_second.judged == found["b"].as_first.judged == 0
    for one in found.values():
        colours = [astuple(one.as_first), astuple(one.as_second)]
        phases = [astuple(phase) for phase in one.phases]
        for parts in (colours, phases):
            assert tuple(map(sum, zip(*parts, strict=True))) == astuple(one.total)
        assert one.total.judged <= one.moves
        assert one.total.best <= one.total.judged
        if gaining_ply(values) is None:
            thrown = one.total.wins_drawn + one.total.wins_lost + one.total.draws_lost
            assert one.total.kept + thrown == one.total.judged
            assert one.total.moves_lost >= 0
        if one.share is not None:
            assert 0 <= one.low <= one.share <= one.high <= 1


def test_phases_are_thirds_of_the_board() -> None:
    """On 7x6 the phases are plies 0 to 13, 14 to 27 and 28 to 41."""
    values = [0] * 43
    found = accuracy(["a", "b"], [JudgedGame(game("1" * 42), values)], STANDARD)
    assert [phase.judged for phase in found["a"].phases] == [7, 7, 7]
    assert [phase.judged for phase in found["b"].phases] == [7, 7, 7]


def test_moves_of_the_opening_are_nobodys() -> None:
    """Moves of the opening do not count, in either notation."""
    for variant, moves, opening in ((STANDARD, "4453", "44"), (LINE8, "d4 d5 e4", "d4 d5")):
        values = [0] * (len(moves.split()) + 1) if variant is LINE8 else [0] * 5
        found = accuracy(["a", "b"], [JudgedGame(game(moves, opening, variant), values)], variant)
        assert (found["a"].moves, found["b"].moves) == ((1, 1) if variant is STANDARD else (1, 0))


@given(st.lists(VALUES, min_size=1))
def test_a_move_that_gains_is_found(values: list[int]) -> None:
    """It is the first move after which its player has more than before."""
    ply = gaining_ply(values)
    gaining = [n for n in range(len(values) - 1) if -values[n + 1] > values[n]]
    assert ply == (gaining[0] if gaining else None)


def test_games_are_judged() -> None:
    """The judge calls everything a draw; the rules alone show the win that a misses."""
    games = [game("1212124", winner=0, ending="void"), game("12121247", "12")]
    with fake("draws") as judge:
        report = accuracy_of(games, STANDARD, judge, 60)
    assert (report.games, report.judged_games, report.ended) == (1, 1, None)
    a, b = report.bots["a"], report.bots["b"]
    assert (a.moves, a.total.judged, a.total.wins, a.total.wins_drawn) == (3, 3, 1, 0)
    assert a.total.wins_lost == 1  # b has three in column 2
    assert b.total.judged == 3


def test_a_game_is_judged_once_and_one_without_moves_never() -> None:
    """Equal games, and games forfeited before the first move, cost nothing."""
    fault = FaultRecord("a", "exited", "forfeit", 2, 0.0, 0.0, "with code 3")
    none = game("44", "44", ending="forfeit", fault=fault, winner=2)
    with fake("dies") as judge:
        report = accuracy_of([none, none], STANDARD, judge, 60)
        assert (report.games, report.judged_games) == (0, 0)
        assert not children_of(os.getpid())
    with fake("draws") as judge:
        assert accuracy_of([game("44"), game("44")], STANDARD, judge, 60).games == 1


@pytest.mark.parametrize(
    ("kind", "reason"), [("lies", "contradicts itself: after . moves of 4455"), ("dies", "exited")]
)
def test_a_judge_that_cannot_be_right_is_not_believed(kind: str, reason: str) -> None:
    """A contradiction or a crash is an error, and no process stays."""
    with fake(kind) as judge, pytest.raises(JudgeError, match=reason):
        accuracy_of([game("4455")], STANDARD, judge, 60)
    assert not children_of(os.getpid())


def test_a_judge_that_knows_nothing_judges_nothing() -> None:
    """Moves are counted although no value is known."""
    with fake("unsure") as judge:
        report = accuracy_of([game("4455")], STANDARD, judge, 60)
    a = report.bots["a"]
    assert (a.moves, a.total.judged, a.share, a.low, a.high) == (2, 0, None, 0, 1)


def test_judging_ends_when_its_time_is_up() -> None:
    """Only whole games count; the moves of the others are counted, not judged."""
    games = [game("4455"), game("4466"), game("4477")]
    with fake("one_a_second") as judge:
        report = accuracy_of(games, STANDARD, judge, 0.5)
    assert (report.games, report.judged_games, report.ended) == (3, 0, "time")
    assert report.bots["a"].moves == 6
    assert report.bots["a"].total.judged == 0


def test_more_time_can_be_had_by_a_flag_or_a_files_key() -> None:
    """The report names the option and the key of a file that give more time."""
    with fake("one_a_second") as judge:
        report = accuracy_of([game("4455")], STANDARD, judge, 0.1)
    told = StringIO()
    print_accuracy(Console(file=told, width=200), report)
    assert (
        "time was up (--judge-seconds N, or judge_seconds in a file, gives more)" in told.getvalue()
    )


class Interrupted:
    """A judge that is interrupted after some questions."""

    name = "interrupted"

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
        """Return a draw."""
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return 0


def test_interrupting_the_judge_leaves_what_is_judged() -> None:
    """Ctrl-C ends the judging, not the report."""
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
