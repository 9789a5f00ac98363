"""The Python of submissions has the packages of the class and nothing of the referee."""

import subprocess
import zipfile
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.own import installed_packages
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.environment import MARK_FILE, make_environment
from c4_referee.classroom.settings import ClassSettings
from views import install, needs_sandbox, output_in_sandbox, write

METADATA = "Metadata-Version: 2.1\nName: four\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel(folder: Path) -> None:
    """Write a wheel of a package called four."""
    folder.mkdir()
    with zipfile.ZipFile(folder / "four-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("four.py", "")
        for name, text in (("METADATA", METADATA), ("WHEEL", WHEEL), ("RECORD", "")):
            archive.writestr(f"four-1.0.dist-info/{name}", text)


def can_import(python: str, module: str) -> bool:
    """Return whether the Python of an environment finds a module."""
    command = [f"{python}/bin/python3", "-c", f"import {module}"]
    return not subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode


def test_packages_come_from_a_folder_of_wheels(tmp_path):
    """A package of the list can be imported, without the index. Those of the referee cannot."""
    wheel(tmp_path / "wheels")
    settings = ClassSettings(packages=["four"], wheels="wheels")
    python = make_environment(tmp_path, settings, tmp_path)
    assert can_import(python, "four")
    assert not any(can_import(python, name) for name in ("c4_bot", "c4_referee", "orjson", "pip"))


def test_environment_is_made_once_for_a_list(tmp_path, monkeypatch):
    """It stays as it is until the list changes, but not if it is unfinished."""
    done = subprocess.CompletedProcess((), 0, "", "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    probe = Path(make_environment(tmp_path, ClassSettings(), tmp_path)) / "probe"
    for packages, is_kept in (([], True), (["four"], False), (["four"], True), ([], False)):
        probe.touch()
        make_environment(tmp_path, ClassSettings(packages=packages), tmp_path)
        assert probe.exists() == is_kept
    probe.touch()
    (probe.parent / MARK_FILE).unlink()
    make_environment(tmp_path, ClassSettings(), tmp_path)
    assert not probe.exists()


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("WARNING: x\nERROR: No matching distribution found for four\n", "for four: correct pack"),
        ("/bin/python: No module named pip\n", "-m ensurepip, or as python3-pip"),
        ("", "pip failed: correct packages"),
    ],
)
def test_error_of_pip_is_one_line_that_says_what_to_do(tmp_path, monkeypatch, said, advice):
    """The line names the file and the key."""
    done = subprocess.CompletedProcess((), 1, "", said)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    with pytest.raises(UsageError) as raised:
        make_environment(tmp_path, ClassSettings(packages=["four"]), tmp_path)
    assert str(raised.value).startswith(f"{tmp_path}/class.toml: packages: ")
    assert advice in str(raised.value)
    assert "\n" not in str(raised.value)


@needs_sandbox
def test_installed_packages_are_masked_by_any_path(tmp_path):
    """A copy beside the scripts on the search path is neither read nor started."""
    script = install(tmp_path / "all", "c4-bot")
    package = write(tmp_path / "all/lib/python3.11/site-packages/c4_bot/__init__.py", "OURS")
    hidden = installed_packages(str(script.parent))
    for path in (script, package):
        words = ("sh", "-c", f"tool; cat {path}", str(path))
        assert output_in_sandbox(*words, search_path=str(script.parent))[0]
        words = ("sh", "-c", f"cat {path}; find {tmp_path}/all -size +0 -type f", "c4-bot")
        shown, _ = output_in_sandbox(*words, search_path=str(script.parent), masked=hidden)
        assert "OURS" not in shown
        assert "c4" not in shown


def test_submission_gets_nothing_of_the_python_of_the_referee(monkeypatch, tmp_path):
    """Without the sandbox, too, the search path and the variables lead to its own Python."""
    monkeypatch.setenv("PYTHONPATH", "/secret")
    bot = BotSpec("x", ("c4-bot",), python=str(tmp_path))
    assert "PYTHONPATH" not in bot.environment()
    assert bot.environment()["PATH"].startswith(f"{tmp_path}/bin:")
    assert not bot.is_own_command
    with pytest.raises(UsageError, match="c4-bot is ours, and no submission can start it"):
        bot.check_found()
