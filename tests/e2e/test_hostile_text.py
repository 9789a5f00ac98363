"""Texts of other people do not control the terminal, in the output and files of all commands.

Such a text is a name, a path, a command line, a line of input, or what a bot writes.
"""

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from effort import sampled

HOSTILE = "\x1b[2J\x1b]0;t\x07\x9b31m\x7f\u202e\u2066\u200b\u2028[red]"
BOT = f"""
import sys

text = {HOSTILE!r}
for number, line in enumerate(sys.stdin):
    print(text, file=sys.stderr)
    if number:
        print(text, flush=True)
    else:
        print('{{"move": 3, "info": "' + text[-12:] + '"}}', flush=True)
"""
CRASH = f"raise ValueError({HOSTILE!r})\n"


@pytest.fixture
def run(run_command) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Return a function that runs a command to its end, and checks that its output is harmless."""

    def run(*words: str | Path, **settings) -> subprocess.CompletedProcess[bytes]:
        done = run_command(*words, **settings)
        assert_harmless(done.stdout)
        assert_harmless(done.stderr)
        return done

    return run


def assert_harmless(data: bytes) -> None:
    """Check that bytes are UTF-8 and can be printed, apart from the ends of lines."""
    lines = data.decode().split("\n")
    assert [line for line in lines if not line.isprintable()] == []


def assert_values_harmless(value: object) -> None:
    """Check that all texts of a decoded JSON value are harmless."""
    if isinstance(value, str):
        assert_harmless(value.replace("\t", "").encode())
    elif isinstance(value, dict):
        assert_values_harmless([*value, *value.values()])
    elif isinstance(value, list):
        for part in value:
            assert_values_harmless(part)


@pytest.fixture
def bots(tmp_path):
    """Return command lines of a bot that writes hostile texts, and of one that crashes."""
    folder = tmp_path / f"folder {HOSTILE}"
    folder.mkdir()
    commands = []
    for name, program in (("bot", BOT), ("crash", CRASH)):
        path = folder / f"{name}{HOSTILE}.py"
        path.write_text(program)
        commands.append(shlex.join([sys.executable, "-S", "-E", str(path), HOSTILE]))
    return commands


def test_match_of_hostile_bots(run, tmp_path, bots):
    """Reports, events and stored games of a match are harmless, also when they are decoded."""
    out, events = tmp_path / "out", tmp_path / "events"
    common = ("match", *bots, "--no-accuracy")
    done = run("c4-referee", *common, "--out", out, "--events", events)
    assert b"exited: 2 games" in done.stdout
    assert b"\\x1b[2J" in done.stdout
    again = run("c4-referee", *common, "--out", out, "--json")
    for data in (events.read_bytes(), (out / "games.jsonl").read_bytes(), again.stdout):
        assert_harmless(data)
        for line in data.splitlines():
            assert_values_harmless(orjson.loads(line))
    rated = run("c4-referee", "rate", out)
    assert (rated.returncode, rated.stderr) == (0, b"")


def test_answers_of_a_hostile_bot(run, bots, tmp_path):
    """A line that is no answer is harmless in the report of a match and in the record."""
    out = tmp_path / "out"
    common = ("match", bots[0], "c4-bot --plays random", "--no-accuracy", "--out", out)
    done = run("c4-referee", *common)
    assert b"it wrote '\\x1b[2J" in b" ".join(done.stdout.split())
    record = orjson.loads((out / "games.jsonl").read_bytes().splitlines()[0])
    assert record["fault"]["line"].startswith("\\x1b[2J\\x1b]0;t\\x07\\x9b31m\\x7f\\u202e")
    assert_values_harmless(record)


@pytest.mark.parametrize("bot", sampled([0, 1], [0]))
def test_check_of_a_hostile_bot(run, bots, bot):
    """The check of a bot shows what the bot wrote, as text and as JSON."""
    done = run("c4-referee", "check", bots[bot], "--time-ms", "300", "--all")
    assert b"\\x1b[2J" in done.stdout
    assert_values_harmless(orjson.loads(run("c4-referee", "check", bots[bot], "--json").stdout))


def test_file_of_hostile_bots(run, bots, tmp_path):
    """A file, a contest and a bot may have any name. All games are played and shown."""
    path = tmp_path / f"{HOSTILE}.toml"
    tables = "".join(
        f"[bots.{orjson.dumps(bot).decode()}]\ncommand = {orjson.dumps(command).decode()}\n"
        for bot, command in zip((HOSTILE, f"{HOSTILE} "), bots, strict=True)
    )
    path.write_text(f"accuracy = false\nvariant = '4x4'\n{tables.replace(chr(127), '')}")
    done = run("c4-referee", "tournament", path, "--out", tmp_path / "out")
    assert done.returncode == 0
    assert done.stdout.startswith(b"\\x1b[2J\\x1b]0;t\\x07")
    shown = run("c4-referee", "show", tmp_path / "out", "1", "--analysis-seconds", "0")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"\\u202e\\u2066" in shown.stdout
    assert b"[red] (2)" in shown.stdout
