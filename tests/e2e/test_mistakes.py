"""Mistakes on the command lines of all commands: ``mistakes.txt`` has them, with their messages."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from wheels import make_once

TABLE = Path(__file__).with_name("mistakes.txt").read_text(encoding="utf-8")
MISTAKES = re.findall(r"^(c4-.*)\n    (.*)$", TABLE, re.MULTILINE)
"""Pairs of a command line and the parts of its message, with `` ... `` between them.

``HOSTILE`` in a command line stands for a text that controls terminals.
"""
HOSTILE = "\x1b[2J\x1b]0;t\x07\x9b31m\x7f\u202e\u2066\u200b\u2028[red]"
GOLDEN = Path(__file__).parents[1] / "golden"


def fill(folder: Path) -> None:
    """Make the files and folders that the command lines name."""
    for name in ("empty", "full", "damaged"):
        (folder / name).mkdir()
    (folder / "full" / "thesis.tex").touch()
    (folder / "damaged" / "arena.sqlite").write_bytes(b"no database" * 100)
    shutil.copytree(GOLDEN / "stored" / "match", folder / "old")
    shutil.copy(GOLDEN / "records" / "cutechess.pgn", folder / "games.pgn")
    for name, text in {
        "bot.sh": "#!/bin/sh\n",
        "bots.toml": "[bots.alice]\ncommand = 'c4-bot'\n",
        "damaged.json": '{"name":"connectx",\n"steps":',
        "file": "",
        "left.py": "",
        "notes": "to do\n",
        "rubric.toml": "[[goal]]\ntype = 'check'\npoints = 1\n",
        "results": "first,second,result\na,b,1\n",
        "two.txt": "1212121\n2121212\n",
    }.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_mistake_is_one_line(run_command, of_this_run, line, message):
    """A mistake causes one line with the program and the reason, exit code 2 and no output.

    No text on the command line controls the terminal.
    """
    command, *arguments = (word.replace("HOSTILE", HOSTILE) for word in shlex.split(line))
    done = run_command(command, *arguments, cwd=make_once(of_this_run / "mistakes", fill))
    said = done.stderr.decode()
    assert said.startswith(command)
    assert re.search(".*".join(map(re.escape, message.split(" ... "))), said)
    assert said.rstrip("\n").isprintable()
    assert (said.count("\n"), done.stdout, done.returncode) == (1, b"", 2)
