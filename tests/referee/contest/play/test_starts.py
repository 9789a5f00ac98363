"""Bots that cannot start lose to bots that can, and get no points against each other."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations

import orjson
import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import Variant
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.contest.schedule import round_robin
from effort import one_in
from kept import tallies
from played import PATIENT, played

SMALL = Variant.parse("4x4")


@pytest.fixture
def bots(bot, tmp_path) -> dict[str, BotSpec]:
    """Return bots that cannot start, and bots that can, by name."""
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    return {
        "absent": replace(bot("missing", command=["/no/such/program"]), name="absent"),
        "no_interpreter": replace(bot("missing", command=[str(script)]), name="no_interpreter"),
        "exits_at_once": bot("exits_at_once"),
        "killed": bot("killed"),
        "good": bot("good"),
        "column_7": bot("column_7"),
        "exits_later": bot("exits_later"),
    }


DEAD = ("absent", "no_interpreter", "exits_at_once", "killed")


OUR_MISTAKES = ("c4-bot --level 11", "c4-bot --plays blocker", "c4-bot --plays nobody")


@pytest.mark.parametrize("command", OUR_MISTAKES)
@pytest.mark.parametrize("opponent", one_in(2, ["exits_at_once", "good"]))
@pytest.mark.parametrize("is_first", [True, False])
def test_wrong_command_line_of_our_own_bot_ends_the_run(bots, command, opponent, is_first):
    """Our own command that refuses to play ends the match with its reason, in both orders."""
    ours = BotSpec(command, tuple(command.split()))
    pair = (ours, bots[opponent]) if is_first else (bots[opponent], ours)
    reason = "'11' is not possible|plays only games without gravity|no player 'nobody'"
    with pytest.raises(UsageError, match=f"bot '{command}': c4-bot: .*({reason})"):
        Contest.match(*pair, variant=SMALL, control=PATIENT).play()


def test_code_of_other_people_in_our_own_bot_ends_no_run(bots, tmp_path):
    """A bot with an evaluator of other people forfeits, whatever its exit code says."""
    (tmp_path / "mine.py").write_text("raise SystemExit(2)")
    command = f"c4-bot --evaluator {tmp_path / 'mine.py'}:Mine"
    outcome = Contest.match(
        BotSpec(command, tuple(command.split())), bots["good"], variant=SMALL, control=PATIENT
    ).play()
    assert [game.fault.detail for game in outcome.games] == ["with code 2"] * 2


@pytest.mark.parametrize("opening", one_in(2, ["4", ""]))
@pytest.mark.parametrize("names", [*permutations(DEAD, 2), ("absent",) * 2, ("killed",) * 2])
def test_game_of_two_bots_that_cannot_start_is_void(bots, names, opening) -> None:
    """A game of two bots that cannot start is void in both orders, with the faults of both."""
    first, second = (replace(bots[name], name=f"{name} {seat}") for seat, name in enumerate(names))
    end = played(first, second, opening=opening)
    assert (end.winner, end.ending) == (0, "void")
    found = (end.fault, *end.notes)
    assert {fault.bot for fault in found} == {first.name, second.name}
    assert {fault.policy for fault in found} == {"void"}


@pytest.mark.parametrize("other", one_in(2, ["column_7", "good", "exits_later"]))
@pytest.mark.parametrize("dead", DEAD)
def test_bot_that_starts_wins_against_one_that_cannot(bots, dead, other) -> None:
    """A bot that starts wins in both seats, even if it would lose against any other bot."""
    for seats in ((dead, other), (other, dead)):
        end = played(*(bots[name] for name in seats))
        if seats[0] == "column_7" and dead not in {"absent", "no_interpreter"}:
            assert end.fault.bot == "column_7"  # its illegal move is found first
            continue
        assert end.ending == "forfeit"
        assert seats[end.winner - 1] == other
        assert end.fault.bot == dead
        assert end.moves in {"", "1", "4"}


def contest_of(entrants: Sequence[BotSpec], **conditions: int) -> Contest:
    """Return a round robin of the bots on a small board."""
    return Contest(entrants, round_robin.SYSTEM, variant=SMALL, control=PATIENT, **conditions)


def points(bots: Sequence[BotSpec], games: Sequence[GameEnded]) -> dict[str, tuple[int, int]]:
    """Return the number of games that count and the number of wins for each bot."""
    return {
        name: (tally.games, tally.wins)
        for name, tally in tallies([bot.name for bot in bots], games).items()
    }


ENTRANTS = ("absent", "good", "no_interpreter", "exits_at_once")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("concurrency", one_in(2, [3, 1]))
def test_order_of_games_does_not_matter(bots, order, concurrency) -> None:
    """The bot that can start gets all points, with any order of the games."""
    entrants = tuple(bots[name] for name in ENTRANTS)[::order]
    outcome = contest_of(entrants, concurrency=concurrency).play()
    assert outcome.is_complete
    found = points(entrants, outcome.games)
    assert found == dict.fromkeys(ENTRANTS, (2, 0)) | {"good": (6, 6)}


@pytest.mark.parametrize("games", one_in(3, [3, 1, 7]))
def test_resumed_contest_has_the_same_results(bots, games, tmp_path) -> None:
    """A contest that is stopped and resumed has the results of one without a stop."""
    entrants = tuple(bots[name] for name in ENTRANTS)
    contest = contest_of(entrants)
    whole = contest.play()
    contest.play(out=tmp_path, decides=lambda game: game.game >= games)
    resumed = contest.play(out=tmp_path)
    results = partial(map, lambda game: (game.first, game.second, game.winner, game.ending))
    assert [*results(resumed.games)] == [*results(whole.games)]


def test_barred_bot_keeps_earlier_wins(bots, tmp_path) -> None:
    """A bot that cannot start any more keeps the points of earlier wins."""
    program = tmp_path / "program"
    good = bots["good"]
    text = f"#!{good.command[0]}\nimport os\nos.execv({good.command[0]!r}, {good.command!r})\n"
    program.write_text(text)
    program.chmod(0o755)
    mine = replace(good, name="mine", command=(str(program),))
    entrants = (mine, bots["absent"], good)

    def handler(line):
        event = orjson.loads(line)
        if event["event"] == "game_ended" and {event["first"], event["second"]} == {
            "mine",
            "absent",
        }:
            program.write_text("#!/no/such/interpreter\n")

    outcome = contest_of(entrants).play([handler])
    against = [game for game in outcome.games if {game.first, game.second} == {"mine", "absent"}]
    assert points(entrants, against)["mine"][1] >= 1
    assert points(entrants, outcome.games)["absent"][1] == 0
