"""Files of event lines are whole, in step with the database, and used by one referee."""

import io
import subprocess
import sys

import orjson
import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.records.storage.eventlog import CommittedGames, EventsFile, GamesFile, write_whole
from kept import archive, keep, line, match, numbers


def test_line_is_written_whole():
    """A line is written whole to a stream that takes three bytes at a time."""

    class Narrow(io.BytesIO):
        def write(self, data):
            return super().write(data[:3])

    stream = Narrow()
    write_whole(stream, b"a whole line\n")
    assert stream.getvalue() == b"a whole line\n"


@pytest.mark.parametrize("kept", [0, 1, 2])
@pytest.mark.parametrize("torn", [0, 1, 40, len(line())])
def test_games_file_is_completed(tmp_path, kept, torn):
    """Lines that are missing or cut after a kill are there when the next run has ended."""
    games = tmp_path / "games.jsonl"
    for pairing in match(3):
        keep(tmp_path, pairing)
    whole = games.read_bytes()
    lines = whole.splitlines(keepends=True)
    games.write_bytes(b"".join(lines[:kept]) + lines[kept][:torn])
    assert numbers(tmp_path) == [1, 2, 3]
    assert games.read_bytes() == whole


@pytest.mark.parametrize(
    "text",
    [
        b"{}\n",
        b"{}",
        b"my notes",
        b"\n",
        line(1)[:50] + b"\n",
        line(1) + b" ",
        line(1)[:50] + b"!",
        line(2)[:50],
        line(1) + b"\n" + line(1)[:50],
        line(1) + b"\n" + line(2) + b"\nmy notes",
        line(1) + b"\n" + line(2) + b"\n" + line(3)[:50],
        line(1) + b"\n" + line(2) + b"\n\n",
    ],
)
def test_unknown_games_file_is_left_alone(tmp_path, text):
    """A file with anything that is not a part of the database's games is not changed."""
    for pairing in match(2):
        keep(tmp_path, pairing)
    (tmp_path / "games.jsonl").write_bytes(text)
    with pytest.raises(UsageError, match=r"holds lines that arena\.sqlite does not: move it away"):
        archive(tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == text
    (tmp_path / "games.jsonl").unlink()
    assert numbers(tmp_path) == [1, 2]


def test_notes_are_not_cut_off_for_an_empty_database(tmp_path):
    """A file without a line end in a new folder is not changed."""
    (tmp_path / "games.jsonl").write_bytes(b"my notes")
    with pytest.raises(UsageError, match="move it away"):
        archive(tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == b"my notes"


@pytest.mark.parametrize(
    ("before", "after"), [(b"", b""), (b"{}\n", b"{}\n"), (b'{"event":', b'{"event":\n')]
)
def test_events_begin_on_a_new_line(tmp_path, before, after):
    """An incomplete line stays as it is, and is not mixed with the first event."""
    path = tmp_path / "folder" / "events.jsonl"
    path.parent.mkdir()
    path.write_bytes(before)
    with EventsFile(path) as events:
        events(b"1")
        events(b"2")
    assert path.read_bytes() == after + b"1\n2\n"


def test_folder_belongs_to_one_referee(tmp_path):
    """A second referee is refused until the first one has ended, even by SIGKILL."""
    program = (
        "import sys, time; from pathlib import Path;"
        "from c4_referee.records.storage.eventlog import GamesFile;"
        "kept = GamesFile(Path(sys.argv[1])); print(flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "games.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout.readline()
            with pytest.raises(UsageError, match="is in use: another referee plays there"):
                archive(tmp_path)
        finally:
            other.kill()
    with GamesFile(tmp_path / "games.jsonl"):
        pass
    assert numbers(tmp_path) == []


def test_events_of_a_game_arrive_with_its_result() -> None:
    """A game that is rolled back leaves no event, and two games are not mixed."""
    written: list[tuple[str, int]] = []

    def write(line: bytes) -> None:
        event = orjson.loads(line)
        written.append((event["event"], event.get("game", 0)))

    handler = CommittedGames(write)
    for event, game in [
        ("contest_started", 0), ("progress", 0), ("game_started", 1), ("game_started", 2),
        ("move", 1), ("remark", 1), ("move", 2), ("game_rolled_back", 1), ("game_ended", 2),
        ("game_started", 1), ("move", 1), ("game_ended", 1), ("game_ended", 3), ("match_ended", 0),
    ]:  # fmt: skip
        handler(orjson.dumps({"event": event, "game": game}))
    whole = ["game_started", "move", "game_ended"]
    expected = [(event, game) for game in (2, 1) for event in whole]
    assert written == [*expected, ("game_ended", 3), ("match_ended", 0)]
