"""A contest that another process plays is followed from its folder."""

import errno
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from c4_protocol.rules.notation import cells_from_moves, wire_move
from c4_protocol.rules.variant import Variant
from c4_referee.contest.live import file, follow
from c4_referee.contest.live.file import LIVE_FILE, LiveFile
from c4_referee.contest.live.follow import Follower, _LiveLines
from c4_referee.contest.live.state import LiveState
from c4_referee.records.storage.eventlog import write_whole
from commands import SCRIPTS
from kept import KEYS, archive, record
from waiting import wait_for

pytestmark = [pytest.mark.linux, pytest.mark.slow]

SLOW = Path(__file__).parents[3] / "bots" / "slow.py"
SMALL = Variant.parse("4x4")


@contextmanager
def match(tmp_path: Path, games: int) -> Iterator[subprocess.Popen[bytes]]:
    """Play a match of slow bots in the folder ``out``."""
    bot = f"python3 {SLOW} 0.03"
    words = ["match", bot, f"{bot} 2", "--games", str(games), "--no-accuracy",
             "--variant", "4x4", "--no-sandbox", "--concurrency", "2", "--out", "out"]  # fmt: skip
    command = [SCRIPTS / "c4-referee", *words]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as referee:
        try:
            while not (tmp_path / "out" / LIVE_FILE).exists():
                assert referee.poll() is None
                time.sleep(0.01)
            yield referee
        finally:
            referee.kill()


class Viewer:
    """A follower with the state that its messages make, and all moves that it has seen."""

    def __init__(self, folder: Path) -> None:
        self.follower, self.state = Follower(folder, 1), LiveState()
        self.seen: dict[int, list[Any]] = {}
        self.ended: dict[int, dict[str, Any]] = {}
        self.rolled_back: list[int] = []

    def look(self) -> None:
        """Take the new messages."""
        for message in self.follower.poll():
            self.state.take(message)
            match message:
                case {"event": "game_started", "game": number}:
                    self.seen[number] = []
                case {"event": "move", "game": number, "ply": ply, "move": move}:
                    moves = self.seen[number]
                    assert ply == len(moves)
                    moves.append(move)
                case {"event": "game_ended", "game": number}:
                    assert number not in self.ended
                    self.ended[number] = message
                case {"event": "game_rolled_back", "game": number}:
                    self.rolled_back.append(number)

    def watch(self, until: Callable[[], bool]) -> None:
        """Look until a condition is true."""
        assert wait_for(lambda: until() or self.look())

    def watch_to_the_end(self) -> None:
        """Look until no referee plays any more."""
        self.watch(lambda: not self.follower.is_running)
        self.look()


def test_each_move_is_seen_once(tmp_path) -> None:
    """A viewer that begins in the middle sees all moves, and each result."""
    with match(tmp_path, 6):
        viewer = Viewer(tmp_path / "out")
        viewer.watch(lambda: viewer.follower.is_running)
        viewer.watch_to_the_end()
    assert sorted(viewer.ended) == [1, 2, 3, 4, 5, 6]
    assert (viewer.state.done, viewer.state.is_complete, viewer.rolled_back) == (6, True, [])
    assert not viewer.state.games
    for number, moves in viewer.seen.items():
        cells = cells_from_moves(viewer.ended[number]["moves"], SMALL)
        assert moves == [wire_move(SMALL, cell) for cell in cells]
    assert len(viewer.seen) > 2
    assert not (tmp_path / "out" / LIVE_FILE).exists()
    later = Viewer(tmp_path / "out")
    later.look()
    assert sorted(later.ended) == sorted(viewer.ended)


def test_killed_worker_rolls_back_its_game(tmp_path) -> None:
    """The games of killed workers are marked, and come again from their starts."""
    with match(tmp_path, 6) as referee:
        viewer = Viewer(tmp_path / "out")
        viewer.watch(lambda: any(viewer.seen.values()))
        children = Path(f"/proc/{referee.pid}/task/{referee.pid}/children").read_text().split()
        for child in children:  # the first one may not have written anything yet
            os.kill(int(child), signal.SIGKILL)
        viewer.watch_to_the_end()
    assert viewer.rolled_back
    assert sorted(viewer.ended) == [1, 2, 3, 4, 5, 6]


def test_killed_referee_leaves_no_game_in_progress(tmp_path) -> None:
    """After kill -9 nothing seems to be played, and the next run is followed by the same viewer."""
    with match(tmp_path, 8) as referee:
        viewer = Viewer(tmp_path / "out")
        viewer.watch(lambda: bool(viewer.state.games))
        referee.kill()
        referee.wait()
        viewer.watch_to_the_end()
    assert not viewer.state.games
    with match(tmp_path, 8):
        viewer.watch(lambda: viewer.state.is_complete)
    assert sorted(viewer.ended) == [1, 2, 3, 4, 5, 6, 7, 8]


def lines_of(number: int, *, ends: bool = True) -> Iterator[bytes]:
    """Generate the events of a game as lines."""
    variant = orjson.loads(orjson.dumps(record().variant))
    start = {"game": number, "first": "a", "second": "b", "variant": variant, "opening": ""}
    yield orjson.dumps({"event": "game_started"} | start)
    for ply in range(4):
        move = {"ply": ply, "bot": "ab"[ply % 2], "move": 3, "ms": 1.0, "cpu_ms": 1.0}
        yield orjson.dumps({"event": "move", "game": number} | move)
    if ends:
        yield orjson.dumps(record(number))


START = orjson.dumps(
    {"event": "contest_started", "contest": 1, "bots": ["a", "b"], "moves": "live", "earlier": []}
)


def test_moves_that_were_not_read_come_from_the_record(tmp_path, monkeypatch) -> None:
    """The last moves of a game may be in the database before they are read from the file."""
    monkeypatch.setattr(follow, "is_locked", lambda _: True)
    with archive(tmp_path) as kept, LiveFile(tmp_path) as live:
        kept.issue(KEYS[0])
        for line in (START, *[*lines_of(1, ends=False)][:3]):
            live(line)
        viewer = Viewer(tmp_path)
        viewer.look()
        assert viewer.seen == {1: [3, 3]}
        game = record(1, moves="4444", ms=[1.0] * 4, cpu_ms=[1.0] * 4)
        kept.commit(KEYS[0], orjson.dumps(game))
        viewer.look()
    assert viewer.seen == {1: [3, 3, 3, 3]}
    assert [*viewer.ended] == [1]


def test_file_stays_small(tmp_path, monkeypatch) -> None:
    """However many games are played, the file has a limit, and holds the games in progress."""
    monkeypatch.setattr(file, "MAX_BYTES", 5000)
    with LiveFile(tmp_path) as live:
        for line in (START, *lines_of(1, ends=False)):
            live(line)
        for number in range(2, 100):
            for line in lines_of(number):
                live(line)
            assert (tmp_path / LIVE_FILE).stat().st_size < 6000
        found = [orjson.loads(line) for line in (tmp_path / LIVE_FILE).read_bytes().splitlines()]
    assert found[0]["event"] == "contest_started"
    assert [each["event"] for each in found if each.get("game") == 1] == ["game_started"] + [
        "move"
    ] * 4
    assert not (tmp_path / LIVE_FILE).exists()


def test_contest_goes_on_if_the_file_cannot_be_written(tmp_path, monkeypatch) -> None:
    """A full disk, or a link in the place of the file, disturbs nobody."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with LiveFile(tmp_path) as live:
        live(START)
        monkeypatch.setattr(file, "write_whole", fail)
        for line in lines_of(1):
            live(line)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / LIVE_FILE).symlink_to(victim)
    with LiveFile(tmp_path) as live:
        for line in (START, *lines_of(1)):
            live(line)
    assert victim.read_text() == "precious"


def test_damaged_lines_are_left_out(tmp_path) -> None:
    """A line that is not a message is skipped; texts in names cannot control a terminal."""
    with match(tmp_path, 2) as referee:
        viewer = Viewer(tmp_path / "out")
        viewer.watch(lambda: viewer.follower.is_running)
        with (tmp_path / "out" / LIVE_FILE).open("ab") as stream:
            for line in (b"\xff", b"[]", b'{"event":"move"}', b'{"event":"game_started","game":7}'):
                stream.write(line + b"\n")
            hostile = next(lines_of(8)).replace(b'"a"', b'"\\u001b[2J"')
            stream.write(hostile + b"\n")
            move = orjson.loads([*lines_of(8)][1])
            for wrong in ({"move": 99}, {"ply": 2}, {"game": 9}, {"move": [1, 1]}, {}, {}):
                stream.write(orjson.dumps(move | wrong) + b"\n")
        viewer.watch(lambda: 8 in viewer.state.games)
        assert viewer.state.games[8].first == "\\x1b[2J"
        assert viewer.seen[8] == [3]
        assert 7 not in viewer.state.games
        referee.kill()


def test_line_that_was_cut_off_is_not_lost(tmp_path, monkeypatch) -> None:
    """After a moment in which the disk was full, the file has all lines again."""

    def cut(stream: Any, line: bytes) -> None:
        write_whole(stream, line[:9])
        raise OSError(errno.ENOSPC, "No space left on device")

    lines = [START, *lines_of(1, ends=False)]
    with LiveFile(tmp_path) as live:
        for number, line in enumerate(lines):
            monkeypatch.setattr(file, "write_whole", cut if number == 3 else write_whole)
            live(line)
        assert (tmp_path / LIVE_FILE).read_bytes().splitlines() == lines


def test_file_is_locked_while_it_is_replaced(tmp_path, monkeypatch) -> None:
    """A reader finds a lock on the earlier file until the new one, with a lock, is in its place."""

    def is_running() -> bool:
        reader = os.fork()
        if not reader:
            lines = _LiveLines(tmp_path / LIVE_FILE, 1)
            lines.read()
            os._exit(lines.place is None)
        return os.waitpid(reader, 0)[1] == 0

    found, lock = [], file.fcntl.lockf
    with LiveFile(tmp_path) as live:
        live(START)
        monkeypatch.setattr(file.fcntl, "lockf", lambda *a: found.append((is_running(), lock(*a))))
        monkeypatch.setattr(file, "MAX_BYTES", 0)
        live(next(lines_of(1)))
        assert [*found, is_running()] == [(True, None), True]
