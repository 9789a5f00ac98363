"""Wheels that are built with a compiler and without one."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from wheels import build

PRECEPT = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'

pytestmark = pytest.mark.weekly


def play(wheel: Path, folder: Path, lines: bytes) -> subprocess.CompletedProcess[bytes]:
    """Unpack a wheel, and send lines to the bot in it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    # -S and the path: libraries are imported from here, but not our installed packages.
    path = os.pathsep.join((str(folder), sysconfig.get_path("platlib")))
    return subprocess.run(
        [sys.executable, "-S", "-m", "c4_bot", "--plays", "needed", "--depth", "3"],
        input=lines, capture_output=True, check=False, cwd=folder, env={"PYTHONPATH": path},
    )  # fmt: skip


@pytest.fixture(scope="module")
def pure_wheel(tmp_path_factory):
    """Return a wheel that is built without a compiler."""
    return build(tmp_path_factory.mktemp("wheel"), CC="/bin/false", CXX="/bin/false")


@pytest.fixture(scope="module")
def newer_pythons():
    """Return all Pythons from 3.12 on that the path has, with pyenv those of PYENV_VERSION."""
    found = [f"python3.{minor}" for minor in range(12, 20) if shutil.which(f"python3.{minor}")]
    found = [name for name in found if not subprocess.run([name, "-c", ""], check=False).returncode]
    if not found:
        pytest.skip("no Python from 3.12 on")
    return found


@pytest.fixture(params=["pure_wheel", "wheel"])
def any_wheel(request):
    """Return a wheel that is built without or with a compiler."""
    return request.getfixturevalue(request.param)


def test_wheel_holds_the_three_packages_and_no_more(any_wheel):
    """A wheel holds the three import packages and its metadata, and nothing else.

    There are the stub of the core, data, pages, schemas and type markers, but no sources.
    """
    names = zipfile.ZipFile(any_wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {
        "c4_bot",
        "c4_referee",
        "c4_protocol",
    }
    for needed in ("c4_bot/_core.pyi", "c4_bot/player/players.json", "c4_bot/player/players.toml",
                   "c4_bot/py.typed", "c4_bot/web/page/index.html",
                   "c4_protocol/py.typed", "c4_referee/py.typed",
                   "c4_protocol/schemas/precept.schema.json",
                   "c4_referee/tuning/templates/run.html.jinja"):  # fmt: skip
        assert needed in names
    assert not [name for name in names if name.endswith((".cpp", ".hpp", "CMakeLists.txt"))]


def test_wheel_installs_manual_pages_and_completion(wheel):
    """The wheel installs these files where ``man`` and shells find them, and no other data."""
    names = zipfile.ZipFile(wheel).namelist()
    files = {name.partition(".data/data/share/")[2] for name in names if ".data/" in name}
    assert files == {
        place.format(command)
        for command in ("c4-bot", "c4-solve", "c4-referee", "c4-tune")
        for place in ("man/man1/{}.1", "bash-completion/completions/{}", "zsh/site-functions/_{}")
    }


def test_wheel_plays_natively(wheel, tmp_path):
    """The bot of the wheel answers with the core, and writes nothing to standard error."""
    done = play(wheel, tmp_path, PRECEPT)
    assert done.stdout.startswith(b'{"move":')
    assert done.stderr == b""
    assert [*tmp_path.glob("c4_bot/_core.*.so")]


def test_without_a_compiler_it_installs_and_plays(pure_wheel, tmp_path):
    """Without a compiler, a wheel is built, and its bot says once that the core is missing."""
    assert pure_wheel.name.endswith("none-any.whl")
    done = play(pure_wheel, tmp_path, PRECEPT * 2)
    assert done.stdout.count(b'{"move":') == 2
    assert done.stderr.startswith(b"c4-bot: the native core is missing")
    assert done.stderr.count(b"\n") == 1
    assert done.returncode == 0


def test_one_wheel_is_for_all_versions_from_312_on(newer_pythons, tmp_path):
    """A wheel that the oldest of these Pythons builds works with its core in each of them."""
    wheel = build(tmp_path, python=newer_pythons[0])
    assert "-cp312-abi3-" in wheel.name
    for python in newer_pythons:
        home = tmp_path / python
        subprocess.run([python, "-m", "venv", home], check=True)
        subprocess.run([home / "bin" / "pip", "install", "--quiet", wheel], check=True)
        done = subprocess.run([home / "bin" / "c4-bot", "--plays", "needed", "--depth", "3"],
                              input=PRECEPT, capture_output=True, check=True)  # fmt: skip
        assert (done.stdout[:8], done.stderr) == (b'{"move":', b"")


def test_newer_pythons_install_without_a_compiler(newer_pythons, tmp_path):
    """The fallback works also where the wheel would have the stable interface."""
    wheel = build(tmp_path, python=newer_pythons[0], CC="/bin/false", CXX="/bin/false")
    assert wheel.name.endswith("py3-none-any.whl")
