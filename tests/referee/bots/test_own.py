"""Bare names of our commands mean the commands of this installation."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots import own
from c4_referee.bots.own import (
    package_folder,
    package_folders,
    script_of,
    version_of,
    with_own_command,
)
from c4_referee.bots.spec import BotSpec

PRECEPT = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'


@pytest.fixture
def _no_cache():
    """Folders of packages are searched anew before and after the test."""
    package_folder.cache_clear()
    yield
    package_folder.cache_clear()


@pytest.mark.parametrize(
    "command", [("./c4-bot",), ("bin/c4-bot", "--depth", "2"), ("python3", "c4-bot"), ("nice",)]
)
def test_other_commands_stay_as_they_are(command):
    """Only the bare name of our command, as the first word, is replaced. Nothing else is ours."""
    assert with_own_command(command) == command
    assert version_of(command[0]) is None


@pytest.mark.parametrize(
    ("command", "line", "answer"),
    [("c4-bot", PRECEPT, b'{"move":'), ("c4-solve", b"44444\n", b"44444 -1 ")],
)
@pytest.mark.parametrize("is_safe", [True, False])
def test_started_file_imports_its_own_package(tmp_path, command, line, answer, is_safe):
    """Our command runs from any folder, even if PYTHONPATH leads to a package of its name."""
    (tmp_path / "c4_bot.py").write_text("raise SystemExit('a stranger')\n")
    words = [word for word in with_own_command((command,)) if is_safe or word != "-P"]
    done = subprocess.run(
        words, input=line, capture_output=True, check=False, cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert (done.stdout[: len(answer)], done.stderr) == (answer, b"")


def test_version_is_that_of_this_installation():
    """The version of our commands is that of the installed project."""
    assert version_of("c4-bot") == version_of("c4-solve") == version("c4-arena")


@pytest.mark.usefixtures("_no_cache")
def test_packages_beside_the_referee_come_first(tmp_path, monkeypatch):
    """Packages of a wheel are found beside each other, whatever else Python would import."""
    monkeypatch.setattr(own, "__file__", str(tmp_path / "c4_referee" / "bots" / "own.py"))
    (tmp_path / "c4_bot").mkdir()
    (tmp_path / "c4_bot" / "__init__.py").touch()
    assert package_folder("c4_bot") == tmp_path / "c4_bot"
    assert package_folder("c4_protocol") not in {None, tmp_path / "c4_protocol"}
    with pytest.raises(UsageError, match="c4-bot is not in this installation: reinstall"):
        BotSpec("a", ("c4-bot",)).check_startable()
    with pytest.raises(UsageError, match="c4-solve is not in this installation: reinstall"):
        with_own_command(("c4-solve",))


def test_missing_package_is_left_out(monkeypatch):
    """A package that is not installed has no folder."""
    monkeypatch.setattr(own, "OUR_PACKAGES", ("c4_bot", "no_such_package"))
    assert package_folders() == (package_folder("c4_bot"),)


@pytest.mark.parametrize("site", ["lib/python3.11/site-packages", "."])
def test_script_is_found_where_installers_put_it(tmp_path, monkeypatch, site):
    """The script is found in the folders of ``pip install`` with --user, --prefix or --target."""
    script = tmp_path / "bin" / "c4-bot"
    script.parent.mkdir(parents=True)
    script.touch(0o755)
    monkeypatch.setattr(own, "__file__", str(tmp_path / site / "c4_referee" / "bots" / "own.py"))
    assert script_of("c4-bot") == str(script)


def test_script_on_the_path_is_not_ours(tmp_path, monkeypatch):
    """The script of our command is beside the interpreter, not the first one on the path."""
    (tmp_path / "c4-bot").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    ours = Path(sys.executable).with_name("c4-bot")
    assert script_of("c4-bot") == (str(ours) if ours.exists() else None)


def test_command_without_a_script_has_a_fingerprint(monkeypatch, tmp_path):
    """Our command can be an entrant where no script is installed. Other programs do not count."""
    from c4_referee.records.storage.fingerprint import fingerprint_of_bot

    monkeypatch.setattr("c4_referee.bots.bot_files.script_of", lambda name: None)
    bot = BotSpec("a", ("c4-bot", "--level", "1"))
    before = fingerprint_of_bot(bot)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c4-bot").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fingerprint_of_bot(bot) == before
