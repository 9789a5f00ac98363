"""Games of a person against a bot: their events, faults of the bot, and their ends."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from bots import LIGHT
from c4_protocol.rules.notation import cell_of_wire, position_from_moves, wire_move
from c4_protocol.rules.position import Seat
from c4_protocol.rules.variant import LINE8, STANDARD, STEAL, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.process_tree import stat_fields
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.person import PersonGame
from played import PATIENT
from waiting import wait_for

QUICK = TimeControl(move_ms=100.0, startup_ms=60_000.0)
STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
is_child = os.fork() == 0 or os.fork() == 0 and not os.setsid()
with open(sys.argv[1], "a") as pids:
    print(os.getpid(), os.getppid(), file=pids)
while not is_child and sys.stdin.readline():
    {then}
time.sleep(60)
"""
"""A bot that ignores SIGTERM and has two children, one of them in a session of its own."""
PARENT = """
import sys, time
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.person import PersonGame
from c4_protocol.rules.variant import STANDARD
game = PersonGame(BotSpec("b", tuple(sys.argv[1:])), STANDARD, 2, TimeControl(60_000.0))
game.read()
if sys.stdin.readline():
    game.end()
    game.end()
"""
THINKS, ANSWERS = "time.sleep(60)", """print('{"move":3}', flush=True)"""


def play(
    bot: BotSpec,
    seat: Seat,
    variant: Variant = STANDARD,
    opening: str = "",
    control: TimeControl = PATIENT,
) -> list[dict]:
    """Play a game in which a person plays the lowest cell, or the steal; return its events."""
    game, position = PersonGame(bot, variant, seat, control, opening), None
    events = []
    try:
        while not events or events[-1]["event"] != "game_ended":
            for event, _ in game.read():
                events.append(event)
                if event["event"] == "game_started":
                    position = position_from_moves(event["opening"], variant)
                elif event["event"] == "move":
                    position = position.play(cell_of_wire(position, _as_move(event["move"])))
                is_asked = event["event"] in {"game_started", "move"} and position.player == seat
                if is_asked and not position.is_over:
                    game.play(wire_move(variant, min(position.moves)))
    finally:
        game.end()
    return events


def _as_move(move: int | list[int]) -> int | tuple[int, ...]:
    return tuple(move) if isinstance(move, list) else move


@pytest.mark.parametrize(
    ("variant", "seat"),
    [(STANDARD, 1), (STANDARD, 2), (LINE8, 1), (Variant(5, 4, steal=True), 2)],
    ids=str,
)
def test_whole_game(variant, seat):
    """The events are those of a contest, in both seats, also without gravity and with the steal."""
    start, *moves, end = play(BotSpec("light", tuple(LIGHT.split())), seat, variant)
    assert (start["first"], start["second"]) == (end["first"], end["second"])
    assert end["ending"] in {"line", "full board"}
    assert [move["ply"] for move in moves] == [*range(len(moves))]
    assert all(move["bot"] == (start["first"], start["second"])[move["ply"] % 2] for move in moves)
    assert {start["first"], start["second"]} == {"guest", "light"}
    assert not variant.steal or moves[1]["move"] == STEAL


def test_move_is_taken_back_by_a_game_with_an_opening(bot):
    """The moves of the opening are on the board when the game begins."""
    start, move, *_, end = play(bot("good"), 1, opening="4455")
    assert start["opening"] == "4455"
    assert move["ply"] == 4
    assert end["moves"].startswith("4455")


@pytest.mark.parametrize(
    ("kind", "ply", "fault", "text"),
    [
        ("exits_at_once", 1, "exited", "no such model: model.bin"),
        ("exits_later", 3, "exited", ""),
        ("falls_asleep", 3, "late", ""),
    ],
)
def test_fault_of_the_bot_ends_the_game(bot, kind, ply, fault, text):
    """A bot that crashes or is late loses, even if the person has not moved twice."""
    end = play(bot(kind), 1, control=QUICK if fault == "late" else PATIENT)[-1]
    assert (end["winner"], end["ending"], end["fault"]["bot"]) == (1, "forfeit", kind)
    assert end["fault"]["ply"] == ply
    assert text in end["stderr"].get(kind, "")
    assert fault in end["fault"]["fault"]


def test_bot_that_cannot_start_loses_before_the_person_moves(bot):
    """The person need not show that they can start."""
    end = play(bot("exits_at_once"), 2)[-1]
    assert (end["winner"], end["ending"]) == (2, "forfeit")


@pytest.mark.parametrize(("move", "fault"), [(9, "illegal move"), ("x", "illegal move")])
def test_illegal_move_of_the_person_is_a_foul(bot, move, fault):
    """The person loses like a bot."""
    game = PersonGame(bot("good"), STANDARD, 1, PATIENT)
    game.play(move)
    events = []
    while not events or events[-1]["event"] != "game_ended":
        events += [event for event, _ in game.read()]
    game.end()
    assert events[-1]["fault"]["fault"] == fault
    assert (events[-1]["winner"], events[-1]["fault"]["bot"]) == (2, "guest")


def is_running(number: str) -> bool:
    """Return whether a process runs. A zombie does not."""
    with suppress(OSError):
        return stat_fields(int(number))[0] != b"Z"
    return False


@pytest.mark.linux
@pytest.mark.parametrize(
    ("then", "is_killed"),
    [
        (THINKS, True),
        (ANSWERS, False),
        pytest.param(THINKS, False, marks=pytest.mark.weekly),
        pytest.param(ANSWERS, True, marks=pytest.mark.weekly),
    ],
)
def test_no_process_is_left(tmp_path: Path, then, is_killed):
    """The worker, the bot and its children end when the game ends or its process is killed."""
    pids, bot = tmp_path / "pids", STUBBORN.replace("{then}", then)
    pids.touch()
    command = [sys.executable, "-c", PARENT, sys.executable, "-S", "-E", "-c", bot, str(pids)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as parent:
        wait_for(lambda: len(pids.read_text().split()) == 6)
        numbers = {*pids.read_text().split()}
        if is_killed:
            parent.kill()
        else:
            parent.stdin.write(b"\n")
        parent.stdin.close()
    assert len(numbers) == 4, "the worker, the bot and its children"
    if not is_killed:
        assert parent.returncode == 0
        assert not any(map(is_running, numbers))
    wait_for(lambda: not any(map(is_running, numbers)))
    assert not any(map(is_running, numbers))
