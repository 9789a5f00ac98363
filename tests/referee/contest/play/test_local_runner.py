"""The runner trusts its workers only as far as their records can be checked."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.faults import Fault
from c4_referee.contest.contest import Contest
from c4_referee.contest.play.jobs import WorkerSettings
from c4_referee.contest.play.local_runner import WorkerSlot
from played import PATIENT

QUICK = TimeControl(move_ms=1000.0)
ATTACK = """
import json, os, signal, sys, time
from pathlib import Path
marker = Path(sys.argv[1])
for number, line in enumerate(sys.stdin):
    if number == 1 and not marker.exists():
        marker.write_text("attacked")
        {attack}
    free = [x for x, column in enumerate(json.loads(line)["grid"]) if not column[0]]
    print(json.dumps({{"move": free[0]}}), flush=True)
"""
ATTACKS = {
    "stops the worker": "os.kill(os.getppid(), signal.SIGSTOP)",
    "kills the worker": "os.kill(os.getppid(), signal.SIGKILL)",
    "writes on the worker's output": """
        os.write(os.open(f"/proc/{os.getppid()}/fd/1", os.O_WRONLY), b"garbage\\n")""",
}


def attacker(bot, tmp_path: Path, attack: str):
    """Return a bot that attacks its worker once, in its first game, and plays well otherwise."""
    program = ATTACK.format(attack=attack)
    marker = str(tmp_path / "marker")
    return bot("attacker", command=[sys.executable, "-S", "-E", "-c", program, marker])


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_on_the_worker_costs_no_game(bot, tmp_path, attack) -> None:
    """All games are played once, and none was lost for another reason than the attack."""
    bots = (attacker(bot, tmp_path, ATTACKS[attack]), bot("good"))
    contest = Contest.match(*bots, 4, variant=Variant.parse("4x4"), control=PATIENT)
    ended: list[int] = []
    outcome = contest.play([lambda line: ended.append(orjson.loads(line).get("game"))])
    assert (tmp_path / "marker").exists()
    assert outcome.is_complete
    assert [game.game for game in outcome.games] == [1, 2, 3, 4]
    assert all(game.fault is None for game in outcome.games)
    assert outcome.incidents.suspects == ("attacker", "good") or "writes" in attack


def test_halted_worker_is_noticed_long_before_its_game_must_end(bot, tmp_path) -> None:
    """A worker that a bot halts for ever is replaced, although a move may take ten minutes."""
    bots = (attacker(bot, tmp_path, ATTACKS["stops the worker"]), bot("good"))
    control = TimeControl(move_ms=600_000.0)
    outcome = Contest.match(*bots, 2, variant=Variant.parse("4x4"), control=control).play()
    assert outcome.incidents.lost_games == 1
    assert all(game.fault is None for game in outcome.games)


@pytest.mark.weekly
@pytest.mark.alone
def test_bot_gains_only_some_seconds_by_halting_its_worker(bot, tmp_path) -> None:
    """A bot that halts its worker again and again is late, and the report says how long.

    The test is weekly, because it needs a quiet machine: between two halts, the worker, the runner
    and the bot must get a processor in time. ``tests/referee/bots/talk/test_channel.py`` has a
    clock.
    """
    attack = """
        for _ in range(4):
            os.kill(os.getppid(), signal.SIGSTOP)
            time.sleep(2)
            os.kill(os.getppid(), signal.SIGCONT)
            time.sleep(0.3)"""
    bots = (attacker(bot, tmp_path, attack), bot("good"))
    outcome = Contest.match(*bots, 2, variant=Variant.parse("4x4"), control=QUICK).play()
    assert outcome.games[0].fault.fault == Fault.LATE
    assert outcome.incidents.absent_ms["attacker"] > 4000


@pytest.mark.weekly
@pytest.mark.alone
def test_pause_of_the_worker_is_not_charged_to_a_bot(bot, tmp_path) -> None:
    """A bot whose worker was stopped for seconds keeps its time; the record says how long.

    The test is weekly, because it needs a quiet machine: apart from the pause, the bot may use no
    more than 3 seconds. ``tests/referee/bots/talk/test_channel.py`` has a clock.
    """
    attack = """
        worker = os.getppid()
        if os.fork() == 0:
            time.sleep(0.5)  # until the worker waits for the answer
            os.kill(worker, signal.SIGSTOP)
            time.sleep(2)
            os.kill(worker, signal.SIGCONT)
            os._exit(0)
        time.sleep(1.5)"""
    bots = (attacker(bot, tmp_path, attack), bot("good"))
    control = TimeControl(main_ms=3000.0)
    outcome = Contest.match(*bots, 2, variant=Variant.parse("4x4"), control=control).play()
    assert all(game.fault is None for game in outcome.games)
    assert max(game.absent_ms for game in outcome.games) > 1000


@pytest.mark.parametrize(
    "line",
    [
        b"garbage\n",
        b"\n\n{}\n",
        b'{"event":"move","game":1}\n',
        b'0123456789abcdef {"event":"move","game":1}\n',
        b"TOKEN garbage\n",
        b"TOKEN []\n",
        b'TOKEN {"event":"move"}\n',
        b'TOKEN {"event":"move","game":2}\n',
        b'TOKEN {"event":["move"],"game":1}\n',
        b'TOKEN {"event":"match_ended","game":1}\n',
        b"TOKEN " + b"9" * (1 << 21) + b"\n",
    ],
)
def test_line_that_is_no_event_of_the_game_loses_the_worker(bot, line) -> None:
    """A line without the token, that is not JSON, or of another game is not an event."""
    assert read_by_slot(bot, line) is None


def test_event_of_the_game_is_read(bot) -> None:
    """An event with the token and the number of the game is returned, with its line of JSON."""
    line = b'{"event":"move","game":1}'
    assert read_by_slot(bot, b"TOKEN " + line + b"\n") == [(orjson.loads(line), line)]


def read_by_slot(bot, line: bytes) -> list[tuple[dict, bytes]] | None:
    """Return what a slot that plays game 1 reads if this line arrives from its worker."""
    slot = WorkerSlot(WorkerSettings(STANDARD, (bot("good"), bot("good")), (PATIENT, PATIENT)))
    slot.end()
    slot.socket, worker = socket.socketpair()
    with slot.socket, worker:
        slot.game, slot.deadline, slot._token = 1, time.monotonic() + 60, b"f" * 16
        slot._buffer.feed(line.replace(b"TOKEN", slot._token))
        worker.sendall(b"\n")  # a blank line: the connection is open
        return slot.read()


@pytest.mark.linux
@pytest.mark.parametrize("hides", [True, False])
def test_descriptors_are_hidden_from_processes_of_the_same_user(hides) -> None:
    """A process of the same user cannot list the descriptors of a process that hides them."""
    if os.getuid() != 0:
        pytest.skip("only root can start processes of another user")
    program = f"""
import ctypes, os
from c4_referee.bots.contain.process_tree import hide_memory
os.setuid(65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # a change of the user has hidden them already
{hides} and hide_memory()
os.write(1, b"x")
os.read(0, 1)
"""
    look = "import os, sys; os.setuid(65534); os.listdir(f'/proc/{sys.argv[1]}/fd')"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as process:
        assert process.stdout.read(1) == b"x"
        command = [sys.executable, "-I", "-S", "-c", look, str(process.pid)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        process.stdin.close()
    assert ("PermissionError" in done.stderr) == hides
    assert (done.returncode != 0) == hides
