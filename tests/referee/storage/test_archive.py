"""A folder of games: which event they are of, and a file of them in step with the database."""

import io
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing

import pytest
from c4_protocol.errors import UsageError
from c4_protocol.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.program.arguments import logs
from c4_referee.storage.archive import fingerprint
from c4_referee.storage.eventlog import GamesFile, write_whole
from kept import KEYS, SPECS, archive, keep, line, match, numbers


def test_longer_match_is_the_same_event(tmp_path):
    """Games are found again whatever length of schedule asks for them."""
    for pairing in match(3):
        keep(tmp_path, pairing)
    assert numbers(tmp_path, 100) == [1, 2, 3]
    assert numbers(tmp_path, 2) == [1, 2]


@pytest.mark.parametrize(
    "settings",
    [
        {"variant": Variant.parse("8x7")},
        {"controls": (TimeControl(5), TimeControl())},
        {"specs": SPECS[::-1]},
        {"specs": (SPECS[0].model_copy(update={"name": "c"}), SPECS[1])},
        {"specs": (SPECS[0].model_copy(update={"command": ("true", "x")}), SPECS[1])},
        {"specs": (SPECS[0].model_copy(update={"env": {"LEVEL": "2"}}), SPECS[1])},
    ],
)
def test_other_settings_are_another_event(tmp_path, settings):
    """Another variant, time control, order or bot: its games are its own, in the same folder."""
    keep(tmp_path, next(match(1)))
    assert numbers(tmp_path, **settings) == []
    keep(tmp_path, next(match(1)), **settings)
    assert numbers(tmp_path) == numbers(tmp_path, **settings) == [1]
    assert (tmp_path / "games.jsonl").read_bytes() == 2 * (line() + b"\n")


def test_edited_bot_is_another_bot(tmp_path):
    """The fingerprint covers the files that a command names, from the folder it runs in."""
    (tmp_path / "bot.py").write_text("one")
    bot = BotSpec(name="a", command=("python3", "bot.py", "no file", "x" * 5000), cwd=str(tmp_path))
    before = fingerprint(bot)
    assert fingerprint(bot) == before
    (tmp_path / "bot.py").write_text("two")
    assert fingerprint(bot) != before


def test_game_of_a_dead_referee_is_issued_again(tmp_path):
    """A game that was issued and has no result is forgotten when the folder is opened again."""
    for _ in range(2):
        with archive(tmp_path) as kept:
            kept.issue(KEYS[0])
    assert numbers(tmp_path) == []


def test_line_is_written_whole():
    """A stream that takes three bytes at a time, as a nearly full disk may, gets all of them."""

    class Narrow(io.BytesIO):
        def write(self, data):
            return super().write(data[:3])

    stream = Narrow()
    write_whole(stream, b"a whole line\n")
    assert stream.getvalue() == b"a whole line\n"


@pytest.mark.parametrize("kept", [0, 1, 2])
@pytest.mark.parametrize("torn", [0, 1, 40, len(line())])
def test_games_file_is_mended(tmp_path, kept, torn):
    """Killed between database and file, or in the midst of a line: what is missing is added."""
    games = tmp_path / "games.jsonl"
    for pairing in match(3):
        keep(tmp_path, pairing)
    whole = games.read_bytes()
    lines = whole.splitlines(keepends=True)
    games.write_bytes(b"".join(lines[:kept]) + lines[kept][:torn])
    assert numbers(tmp_path) == [1, 2, 3]
    assert games.read_bytes() == whole


def test_strange_games_file_is_left_alone(tmp_path):
    """Games that are not of the database were somebody's: nothing is overwritten."""
    keep(tmp_path, next(match(1)))
    (tmp_path / "games.jsonl").write_bytes(b"{}\n")
    with pytest.raises(UsageError, match="move it away"):
        archive(tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == b"{}\n"
    (tmp_path / "games.jsonl").unlink()
    assert numbers(tmp_path) == [1]


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    "name", ["out/games.jsonl", "out/arena.sqlite", "out/../out/games.jsonl", "link/games.jsonl"]
)
def test_events_do_not_ruin_the_folder(tmp_path, name, there):
    """A file of the folder takes no events, by whatever way it is named; another one there does."""
    out = tmp_path / "out"
    (tmp_path / "link").symlink_to(out)
    if there:
        keep(out, next(match(1)))
    with ExitStack() as stack:
        with pytest.raises(UsageError, match="games are kept there"):
            logs(str(tmp_path / name), out, stack)
        assert logs(str(out / "events.jsonl"), out, stack)
    assert numbers(out) == [1] * there


def test_folder_belongs_to_one_referee(tmp_path):
    """A second one is told so; when the first has gone, by whatever way, it may play."""
    program = (
        "import sys, time; from pathlib import Path;"
        "from c4_referee.storage.eventlog import GamesFile;"
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


def test_copy_can_be_read_meanwhile(tmp_path):
    """Whoever only reads disturbs nobody, and sees each game that was committed."""
    with archive(tmp_path) as kept:
        kept.issue(KEYS[0])
        with closing(sqlite3.connect(tmp_path / "arena.sqlite", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM results").fetchone() == (0,)
            kept.commit(KEYS[0], line())
            reader.execute("COMMIT")
            assert reader.execute("SELECT count(*) FROM results").fetchone() == (1,)
