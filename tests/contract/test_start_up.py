"""Commands import only what they need, because their start is part of every game."""

import json
import subprocess
import sys

import pytest
from bots import LIGHT

REPORT_MODULES = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps([*sys.modules]), file=sys.stderr))
from {module} import main
sys.exit(main(sys.argv[1:]))
"""
"""Program that runs a command, and at the end writes the names of all imported modules."""
HEAVY = {
    *("jinja2", "networkx", "numpy", "pydantic", "rich", "shtab"),
    *("distributed", "importlib.metadata"),
}
FOR_HELP = {"shutil"}
FOR_FOLDERS = {"sqlite3", "tarfile"}
FOR_TABLES = {"tomllib"}
FOR_MISTAKES = {"difflib"}
NOT_FOR_MOVES = HEAVY | FOR_HELP | FOR_FOLDERS | FOR_TABLES | FOR_MISTAKES | {"string"}
"""Modules that no answer to a correct question needs."""
FOR_LEARNED_WEIGHTS = {"c4_bot.evaluate._weights", "c4_bot.evaluate._patterns"}
PRECEPT = b'{"grid":[[0,0],[0,0]]}\n'
TABLES = "".join(
    f'[bots.{name}]\ncommand = "{LIGHT}"\nrestart = "game"\ntime_ms = 500\n' for name in "ab"
)
MATCH = ("match", "a", "b", "--games", "2", "--no-sandbox", "--no-accuracy", "--bots", "bots.toml")


def modules_of(module: str, arguments: tuple[str, ...], stdin: bytes = b"", cwd=None) -> set[str]:
    """Return the names of the modules that a command has imported when it ends."""
    code = REPORT_MODULES.format(module=module)
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, check=True, cwd=cwd)
    assert done.stdout
    return {*json.loads(done.stderr.splitlines()[-1])}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--plays", "random"),
        ("--level", "3", "--info"),
        ("--plays", "random", "--player", "1", "--width", "2", "--height", "2"),
    ],
)
def test_bot_that_plays(arguments):
    """A bot that answers a correct precept imports no large library, and nothing for help."""
    found = modules_of("c4_bot.cli", arguments, PRECEPT)
    assert not found & (NOT_FOR_MOVES | FOR_LEARNED_WEIGHTS | {"c4_protocol.records.validation"})
    assert "c4_bot.play.person" not in found
    assert not {name for name in found if name.startswith(("c4_bot.solve.line", "c4_bot.adapters"))}


def test_wrong_precept_is_explained_by_pydantic():
    """The test sees an import that is made late: a wrong precept is explained by pydantic."""
    code = REPORT_MODULES.format(module="c4_bot.cli")
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=b'{"grid":1}\n', capture_output=True, check=False)
    assert "pydantic" in json.loads(done.stderr.splitlines()[-1])


def test_solver():
    """The solver imports no large library, and nothing for help."""
    found = modules_of("c4_bot.c4_solve", (), b"444444\n")
    assert not found & NOT_FOR_MOVES


def test_match_without_a_terminal(tmp_path):
    """A match whose report is JSON draws nothing, stores nothing, and needs no statistics library.

    Its bots are in a file, which is read without pydantic.
    """
    (tmp_path / "bots.toml").write_text(TABLES)
    found = modules_of("c4_referee.cli", (*MATCH, "--json"), cwd=tmp_path)
    unused = {"c4_referee.records.stats.sprt", "c4_referee.contest.contest_file"}
    assert not found & (HEAVY | FOR_FOLDERS | FOR_MISTAKES | unused)


def test_match_with_a_report_for_people(tmp_path):
    """The report of a match needs tables, but no progress bar if nobody sees it."""
    (tmp_path / "bots.toml").write_text(TABLES)
    found = modules_of("c4_referee.cli", MATCH, cwd=tmp_path)
    assert "rich.table" in found
    for_the_kept_games = {"importlib.metadata"}
    assert not found & ((HEAVY | {"rich.progress"}) - {"rich"} - for_the_kept_games)


def test_worker():
    """A worker plays games, and imports nothing that stores or reports them."""
    code = "import json, sys, c4_referee.contest.play.worker; print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    found = {*json.loads(done.stdout)}
    unused = FOR_FOLDERS | FOR_TABLES | FOR_MISTAKES
    assert not found & (HEAVY | unused | {"c4_protocol.records.reports", "argparse"})
    assert not {
        name for name in found if name.startswith(("c4_referee.records.stats", "c4_referee.report"))
    }
