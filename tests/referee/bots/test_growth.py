"""A bot's folder may not grow by more than its limit."""

import os
import subprocess
from types import SimpleNamespace

import pytest
from c4_referee.bots import growth
from c4_referee.bots.growth import FolderGrowth

MB = 1 << 20


@pytest.fixture
def disk(monkeypatch):
    """A disk with free space that the test sets, in MiB."""
    disk = SimpleNamespace(free=1000)
    monkeypatch.setattr(growth, "_free_bytes", lambda _: disk.free * MB)
    return disk


def test_growth_beyond_the_limit_is_told(tmp_path, disk):
    """What was in the folder before does not count, and files in folders do."""
    (tmp_path / "before").write_bytes(bytes(3 * MB))
    watch = FolderGrowth(tmp_path, 2)
    assert watch.excess() is None
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "log").write_bytes(bytes(3 * MB))
    disk.free -= 3
    assert watch.excess() == "its folder has grown by 3 MiB; 2 are allowed"


def test_growth_within_the_limit_is_allowed(tmp_path, disk):
    """Small files in many games are allowed up to the limit, and then no more."""
    watch = FolderGrowth(tmp_path, 10)
    said = []
    for number in range(12):
        (tmp_path / f"log-{number}").write_bytes(bytes(MB))
        disk.free -= 1
        said.append(watch.excess())
    assert [*map(bool, said)] == [False] * 11 + [True]


def test_folder_is_measured_only_if_the_disk_is_fuller(tmp_path, disk, monkeypatch):
    """Nothing is measured while the disk has as much free space as before."""
    watch = FolderGrowth(tmp_path, 10)
    assert watch.excess() is None
    monkeypatch.setattr(growth, "_size", None)
    assert watch.excess() is None


def test_missing_folder_has_not_grown(tmp_path):
    """A folder that vanishes is no excess."""
    assert FolderGrowth(tmp_path / "gone", 1).excess() is None


def test_links_are_not_followed(tmp_path, disk):
    """A link to a large file or to the folder itself does not count."""
    own = tmp_path / "own"
    own.mkdir()
    watch = FolderGrowth(own, 1)
    assert watch.excess() is None
    (tmp_path / "large").write_bytes(bytes(3 * MB))
    (own / "large").symlink_to(tmp_path / "large")
    (own / "self").symlink_to(own)
    disk.free -= 3
    assert watch.excess() is None


def test_deep_folders_are_measured(tmp_path, disk):
    """Folders that are nested deeper than Python can recurse are measured."""
    watch = FolderGrowth(tmp_path, 1)
    assert watch.excess() is None
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("a", dir_fd=here)
        below = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    disk.free -= 3
    assert watch.excess() is None
    subprocess.run(["rm", "-rf", tmp_path / "a"], check=True)  # Python's own way would fail
