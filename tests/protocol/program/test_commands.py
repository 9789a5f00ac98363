"""Commands of a program are the modules of a package. Only the chosen module is imported."""

import importlib
import subprocess
import sys

import pytest
from c4_protocol.program.commands import add_commands
from c4_protocol.program.parser import Parser

MODULE = """
def add(commands):
    commands.add_parser({name!r})

def run(options):
    return {name!r}
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Yield a package with the commands ``first`` and ``second``."""
    folder = tmp_path / "package_of_commands"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name in ("first", "second"):
        (folder / f"{name}.py").write_text(MODULE.format(name=name))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(folder.name)
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        del sys.modules[name]


def parser(package, argv):
    """Return a parser with the commands that ``argv`` needs."""
    made = Parser(prog="program")
    add_commands(made, package, argv)
    return made


def test_module_is_a_command(package) -> None:
    """A module in the package is a command."""
    assert [*parser(package, []).commands] == ["first", "second"]


def test_only_the_command_asked_for_is_imported(package) -> None:
    """Only the module of the chosen command is imported."""
    options = parser(package, ["second", "--help"]).parse_args(["second"])
    assert options.run(options) == "second"
    assert f"{package.__name__}.first" not in sys.modules


@pytest.mark.parametrize("argv", [["frist"], ["--version", "first"], [""]])
def test_all_commands_are_known_if_none_is_named_first(package, argv) -> None:
    """All commands are known if the first argument is not a command.

    Help, completion and error messages list them.
    """
    assert [*parser(package, argv).commands] == ["first", "second"]


INTERRUPTED_DESTRUCTOR = """
import os, signal, time
from c4_protocol.program.commands import raise_on_signals

class Doomed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.001)

raise_on_signals()
try:
    Doomed()
    time.sleep(100)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_that_python_ignores_is_raised_again() -> None:
    """Ctrl-C in a destructor, where Python ignores exceptions, interrupts the program later."""
    command = [sys.executable, "-c", INTERRUPTED_DESTRUCTOR]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")
