"""The Python of submissions has the packages of the class and nothing of the referee."""

import subprocess
import zipfile

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.own import installed_packages
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.environment import MARK_FILE, make_environment
from c4_referee.classroom.settings import ClassSettings
from views import install, needs_sandbox, output_in_sandbox, write

WHEEL = {
    "four.py": "",
    "four-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: four\nVersion: 1.0\n",
    "four-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "four-1.0.dist-info/RECORD": "",
}
"""Files of a wheel with one module."""
FINDS = """from importlib.util import find_spec
print(*filter(find_spec, ["four", "c4_bot", "c4_protocol", "c4_referee", "orjson", "pip"]))"""


def test_packages_come_from_a_folder_of_wheels(tmp_path):
    """A package of the list can be imported, without the index. Those of the referee cannot."""
    (tmp_path / "wheels").mkdir()
    with zipfile.ZipFile(tmp_path / "wheels" / "four-1.0-py3-none-any.whl", "w") as archive:
        for name, text in WHEEL.items():
            archive.writestr(name, text)
    settings = ClassSettings(packages=["four"], wheels="wheels")
    python = f"{make_environment(tmp_path, settings, tmp_path)}/bin/python3"
    assert subprocess.check_output([python, "-c", FINDS]) == b"four\n"


def test_environment_is_made_once_for_a_list(tmp_path, monkeypatch):
    """It stays as it is until the list changes."""
    done = subprocess.CompletedProcess((), 0, "", "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    for packages, is_kept in (([], False), ([], True), (["four"], False), (["four"], True)):
        make_environment(tmp_path, ClassSettings(packages=packages), tmp_path)
        assert (tmp_path / "python" / "probe").exists() == is_kept
        (tmp_path / "python" / "probe").touch()


@pytest.mark.parametrize(
    ("said", "advice"),
    [("WARNING: x\nERROR: No distribution found for four\n", "found for four: correct packages"),
     ("/bin/python: No module named pip\n", "-m ensurepip"), ("", "pip failed: correct packages")],
)  # fmt: skip
def test_error_of_pip_is_one_line_that_says_what_to_do(tmp_path, monkeypatch, said, advice):
    """The line names the file and the key."""
    done = subprocess.CompletedProcess((), 1, "", said)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    with pytest.raises(UsageError) as raised:
        make_environment(tmp_path, ClassSettings(packages=["four"]), tmp_path)
    assert str(raised.value).startswith(f"{tmp_path}/class.toml: packages: ")
    assert advice in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "python" / MARK_FILE).exists()  # so it is made again


@needs_sandbox
def test_installed_packages_are_masked_by_any_path(tmp_path):
    """A copy beside the scripts on the search path is neither read nor started."""
    script = install(tmp_path / "all", "c4-bot")
    package = write(tmp_path / "all/lib/python3.11/site-packages/c4_bot/__init__.py", "OURS")
    hidden = installed_packages(str(script.parent))
    words = ("sh", "-c", f"cat {script} {package}", "c4-bot")
    assert "OURS" in output_in_sandbox(*words, search_path=str(script.parent))[0]
    shown, said = output_in_sandbox(*words, search_path=str(script.parent), masked=hidden)
    assert not shown
    assert "Permission denied" in said


def test_submission_gets_nothing_of_the_python_of_the_referee(monkeypatch, tmp_path):
    """Without the sandbox, too, the search path and the variables lead to its own Python."""
    monkeypatch.setenv("PYTHONPATH", "/secret")
    bot = BotSpec("x", ("c4-bot",), python=str(tmp_path))
    assert "PYTHONPATH" not in bot.environment()
    assert bot.environment()["PATH"].startswith(f"{tmp_path}/bin:")
    assert not bot.is_own_command
    with pytest.raises(UsageError, match="c4-bot is ours, and no submission can start it"):
        bot.check_found()
