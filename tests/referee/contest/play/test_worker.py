"""Workers: their input, and their rests between games."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

import orjson
import pytest
from c4_protocol.records.events import MoveMade
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.placeholders import CommandValues
from c4_referee.contest.contest import Contest
from c4_referee.contest.play.jobs import Job, WorkerSettings
from c4_referee.contest.play.worker import MIN_REST_SECONDS, EventWriter, Worker
from kept import record
from waiting import wait_for

LONG = TimeControl(move_ms=60_000.0)


@pytest.fixture
def crowded(bot):
    """Start a worker that has four games to play, but too few files to start its bots."""
    settings = WorkerSettings(STANDARD, (bot("good"),) * 2, (TimeControl(),) * 2)
    ours, its = socket.socketpair()
    worker = [sys.executable, "-P", "-m", "c4_referee.contest.play.worker", str(its.fileno())]
    command = ["sh", "-c", 'ulimit -n 8; exec "$@"', "sh", *worker]
    with ours, its, subprocess.Popen(command, pass_fds=[its.fileno()]) as process:
        its.close()
        start = time.monotonic()
        ours.sendall(settings.to_line())
        ours.sendall(b"".join(Job(game, 0, 1, token="t").to_line() for game in range(4)))
        yield process, ours, start
        process.kill()


def test_messages_to_a_worker_are_read_back(bot):
    """Settings and jobs are read as they were written."""
    bots = (bot("good"), bot("silent", time_ms=5, restart="never"))
    controls = (TimeControl(), TimeControl(main_ms=60000.0, increment_ms=0.5))
    settings = WorkerSettings(STANDARD, bots, controls, wanted="results")
    assert WorkerSettings.from_line(settings.to_line()) == settings
    job = Job(7, 1, 0, more=True)
    assert Job.from_line(job.to_line()) == job


@pytest.mark.parametrize(("quick_seconds", "kinds"), [(60.0, []), (0.0, ["move"])])
def test_moves_of_quick_games_are_not_written(quick_seconds, kinds):
    """Nobody can follow a quick game, so only its record is written."""
    ours, its = socket.socketpair()
    with ours, its:
        writer = EventWriter(its, quick_seconds)
        writer.begin("token")
        writer.add(MoveMade(1, 0, "a", 3, 1.0, 1.0))
        writer.flush()
        writer.add(record(1))
        lines = ours.recv(1 << 16).splitlines()
    events = [orjson.loads(line.removeprefix(b"token "))["event"] for line in lines]
    assert events == [*kinds, "game_ended"]


def lines_from(referee: socket.socket) -> Iterator[bytes]:
    """Generate the lines that a worker writes, without buffering more than one."""
    line = b""
    while byte := referee.recv(1):
        line += byte
        if byte == b"\n":
            yield line
            line = b""


def test_worker_rests_longer_each_time_the_machine_has_no_room(crowded):
    """The rest of a worker doubles after each game for which the machine has no room."""
    _, referee, start = crowded
    games = 0
    for line in lines_from(referee):
        event = orjson.loads(line.removeprefix(b"t "))
        if event["event"] == "game_ended":
            assert event["fault"]["policy"] == "retry"
            games += 1
            if games == 4:
                break
    assert time.monotonic() - start > 0.9 * MIN_REST_SECONDS * (1 + 2 + 4)


def test_worker_that_rests_ends_with_its_input(crowded):
    """A worker whose input closes ends during its rest."""
    process, referee, _ = crowded
    for line in lines_from(referee):
        if b"game_ended" in line:
            break
    referee.shutdown(socket.SHUT_RDWR)
    assert process.wait(timeout=300) == 0


def test_bot_is_checked_while_others_play(bot):
    """A bot that runs between its games loses the next one if it exceeds a limit meanwhile."""
    idle = bot("hoards_while_waiting", memory_mb=100, restart="never")
    settings = WorkerSettings(STANDARD, (idle, bot("good"), bot("thinks_slowly")), (LONG,) * 3)
    with ExitStack() as stack:
        worker = Worker(settings, stack)
        first = worker._contestants[0]
        first.start(CommandValues(1, STANDARD, 1000))
        first.ask(Position(), PlayerClock(LONG), PlayerClock(LONG))
        assert wait_for(first._conversation.process.excess)
        list(worker.play(Job(1, 1, 2)))
        *_, end = worker.play(Job(2, 0, 1))
    assert (end.fault.bot, end.fault.fault) == ("hoards_while_waiting", Fault.OUT_OF_MEMORY)
    assert end.fault.ply == 0


def test_bot_is_checked_in_the_turn_of_its_opponent(bot):
    """A bot that exceeds a limit while its opponent thinks loses the game in this turn."""
    bots = (bot("hoards_while_waiting", memory_mb=100, freeze=False), bot("silent"))
    match = Contest.match(*bots, 1, control=TimeControl(move_ms=60_000))
    (game,) = match.play().games
    assert (game.winner, game.ending) == (2, "forfeit")
    assert (game.fault.bot, game.fault.fault) == ("hoards_while_waiting", Fault.OUT_OF_MEMORY)
    assert game.fault.ply == 1
