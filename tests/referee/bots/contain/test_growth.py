"""A bot's folder may not grow by more than its limit, in bytes and in files."""

import os
import subprocess
from types import SimpleNamespace

import pytest
from c4_referee.bots.contain import growth
from c4_referee.bots.contain.growth import FolderGrowth

MB = 1 << 20


@pytest.fixture
def disk(monkeypatch):
    """A disk with free MiB and free files that the test sets."""
    disk = SimpleNamespace(f_blocks=2000, f_bfree=1000, f_frsize=MB, f_files=10_000, f_ffree=9000)
    monkeypatch.setattr(growth.os, "statvfs", lambda _: disk)
    return disk


def make_files(folder, disk, count):
    """Make empty files in a folder, and let the disk have fewer files left."""
    for _ in range(count):
        (folder / os.urandom(8).hex()).touch()
    disk.f_ffree -= count


def test_growth_beyond_the_limit_is_told(tmp_path, disk):
    """What was in the folder before does not count, and files in folders do."""
    (tmp_path / "before").write_bytes(bytes(3 * MB))
    watch = FolderGrowth(tmp_path, 2)
    assert watch.excess() is None
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "log").write_bytes(bytes(3 * MB))
    disk.f_bfree -= 3
    assert watch.excess() == "its folder has grown by more than 2 MiB"
    assert watch.excess() == "its folder has grown by more than 2 MiB"


def test_growth_within_the_limit_is_allowed(tmp_path, disk):
    """Small files in many games are allowed up to the limit, and then no more."""
    watch = FolderGrowth(tmp_path, 10)
    said = []
    for number in range(12):
        (tmp_path / f"log-{number}").write_bytes(bytes(MB))
        disk.f_bfree -= 1
        said.append(watch.excess())
    assert [*map(bool, said)] == [False] * 11 + [True]


def test_empty_files_count_as_blocks(tmp_path, disk):
    """Each empty file and folder counts as 4 KiB, also if the disk has as many free bytes left."""
    make_files(tmp_path, disk, 100)
    watch = FolderGrowth(tmp_path, 1)
    assert watch.excess() is None
    (tmp_path / "sub").mkdir()
    make_files(tmp_path / "sub", disk, 200)
    assert watch.excess() is None
    make_files(tmp_path / "sub", disk, 60)
    assert watch.excess() == "its folder has more than 256 new files"


def test_search_stops_at_the_limit(tmp_path, disk, monkeypatch):
    """However many files a bot has made, not many more than allowed are looked at."""
    watch = FolderGrowth(tmp_path, 1)
    assert watch.excess() is None
    make_files(tmp_path, disk, 1000)
    looked_at, entries = [], growth._folder_entries
    monkeypatch.setattr(growth, "_folder_entries", lambda folder: map(note, entries(folder)))

    def note(entry):
        looked_at.append(entry)
        return entry

    assert watch.excess()
    assert len(looked_at) == 257


def test_search_continues_during_a_game(tmp_path, disk):
    """A search without time goes on with each call, until it finds too many files or the end."""
    watch = FolderGrowth(tmp_path, 1)
    assert watch.excess() is None
    make_files(tmp_path, disk, 200)
    assert [watch.search_a_while(0) for _ in range(500)] == [None] * 500
    assert watch._search is None
    make_files(tmp_path, disk, 100)
    said = [watch.search_a_while(0) for _ in range(258)]
    assert said == [None] * 257 + ["its folder has more than 256 new files"]


def test_bytes_that_others_free_hide_no_growth(tmp_path, disk):
    """If others make room on the disk, a folder that grows by less than this is still measured."""
    watch = FolderGrowth(tmp_path, 2)
    assert watch.excess() is None
    disk.f_bfree += 100
    assert watch.excess() is None
    (tmp_path / "log").write_bytes(bytes(3 * MB))
    disk.f_bfree -= 3
    assert watch.excess()


def test_file_system_without_counts_of_files(tmp_path, disk):
    """Where the disk counts no files, empty files are found only when it has fewer free bytes."""
    disk.f_files = disk.f_ffree = 0
    watch = FolderGrowth(tmp_path, 1)
    assert watch.excess() is None
    make_files(tmp_path, disk, 300)
    disk.f_ffree = 0
    assert watch.excess() is None
    disk.f_bfree -= 1
    assert watch.excess()


def test_folder_is_measured_only_if_the_disk_is_fuller(tmp_path, disk, monkeypatch):
    """Nothing is measured while the disk has as much free space as before."""
    watch = FolderGrowth(tmp_path, 10)
    assert watch.excess() is None
    monkeypatch.setattr(growth, "_folder_entries", None)
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
    disk.f_bfree -= 3
    assert watch.excess() is None


@pytest.mark.parametrize(("levels", "is_seen"), [(1000, True), (2500, False)])
def test_deep_folders_are_measured(tmp_path, disk, levels, is_seen):
    """Folders that are nested deeper than Python can recurse are measured.

    Folders with a path too long to read could hide any number of files, so they are too much.
    """
    watch = FolderGrowth(tmp_path, 4)
    assert watch.excess() is None
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("a", dir_fd=here)
        below = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    disk.f_bfree -= 3
    assert (watch.excess() is None) is is_seen
    subprocess.run(["rm", "-rf", tmp_path / "a"], check=True)  # Python's own way would fail
