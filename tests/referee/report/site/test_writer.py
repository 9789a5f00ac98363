"""The folder of a site: what is replaced, what is removed, and what is never touched."""

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.report.site import writer
from c4_referee.report.site.writer import MARKER, SiteFolder, write_page


def files(folder: Path) -> set[str]:
    """Return the paths of all files in a folder."""
    return {f"{path.relative_to(folder)}" for path in folder.rglob("*") if path.is_file()}


def test_later_run_replaces_and_removes_its_own_files(tmp_path):
    """A later run replaces files of the site, removes stale ones, and no others."""
    site = tmp_path / "new" / "site"
    with SiteFolder(site) as folder:
        folder.write("index.html", "old")
        folder.write("games/1.html", "one")
        folder.write("deep/games/2.html", "two")
    (site / "mine.txt").write_text("mine")
    with SiteFolder(site) as folder:
        folder.write("index.html", "new")
        folder.write("games/3.html", "three")
    assert files(site) == {"index.html", "games/3.html", "mine.txt", MARKER}
    assert (site / "index.html").read_text() == "new"
    assert not (site / "deep").exists()


def test_run_that_fails_leaves_the_earlier_pages(tmp_path):
    """If a run fails, the pages that it has not written stay, and the next run cleans up."""
    with SiteFolder(tmp_path) as folder:
        folder.write("index.html", "old")
        folder.write("a.html", "old")
    with suppress(KeyboardInterrupt), SiteFolder(tmp_path) as folder:
        folder.write("b.html", "new")
        raise KeyboardInterrupt
    assert files(tmp_path) == {"index.html", "a.html", "b.html", MARKER}
    with SiteFolder(tmp_path) as folder:
        folder.write("index.html", "new")
    assert files(tmp_path) == {"index.html", MARKER}


def test_other_folders_are_refused(tmp_path):
    """A folder with other files is refused, and nothing is written there."""
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="not empty"), SiteFolder(tmp_path):
        pass
    assert files(tmp_path) == {"thesis.tex"}


def test_marker_of_another_program_is_refused(tmp_path):
    """A file with the name of the marker and another text does not make a folder a site."""
    (tmp_path / MARKER).write_bytes(b"\xff")
    with pytest.raises(UsageError, match="not empty"), SiteFolder(tmp_path):
        pass


@pytest.mark.parametrize("name", ["../kept", "/etc/kept", "", "a/../../kept", "a\0b"])
def test_marker_cannot_name_files_outside(tmp_path, name):
    """A marker that was changed by hand removes no file outside of the site."""
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "kept").write_text("kept")
    (site / MARKER).write_text(f"{writer.TITLE}\n{name}\n")
    with SiteFolder(site):
        pass
    assert (tmp_path / "kept").exists()


def test_links_are_not_followed(tmp_path):
    """A link in the place of a folder is refused, and a link in that of a file is replaced."""
    site, other = tmp_path / "site", tmp_path / "other"
    other.mkdir()
    (other / "1.html").write_text("mine")
    with SiteFolder(site) as folder:
        folder.write("index.html", "old")
    (site / "games").symlink_to(other)
    with pytest.raises(UsageError, match="link"), SiteFolder(site) as folder:
        folder.write("games/1.html", "new")
    (site / "index.html").unlink()
    (site / "index.html").symlink_to(other / "1.html")
    with SiteFolder(site) as folder:
        folder.write("index.html", "new")
    assert (other / "1.html").read_text() == "mine"


def test_stale_files_behind_a_link_stay(tmp_path):
    """Files are not removed through a link that has replaced a folder."""
    site, other = tmp_path / "site", tmp_path / "other"
    other.mkdir()
    with SiteFolder(site) as folder:
        folder.write("games/1.html", "old")
    (other / "1.html").write_text("mine")
    (site / "games" / "1.html").unlink()
    (site / "games").rmdir()
    (site / "games").symlink_to(other)
    with SiteFolder(site):
        pass
    assert (other / "1.html").exists()


@pytest.mark.parametrize("place", ["site", "site/games", "site/games/1.html"])
def test_obstacles_are_one_line(tmp_path, place):
    """A file in the place of a folder, or a folder in that of a file, is one clear error."""
    obstacle = tmp_path / place
    if obstacle.suffix:
        with SiteFolder(tmp_path / "site"):
            pass
        (obstacle / "full").mkdir(parents=True)
    else:
        if place != "site":
            with SiteFolder(tmp_path / "site"):
                pass
        obstacle.write_text("a file")
    with (
        pytest.raises(UsageError, match=r"cannot write .*site"),
        SiteFolder(tmp_path / "site") as folder,
    ):
        folder.write("games/1.html", "new")


def test_full_disk_is_one_line(tmp_path, monkeypatch):
    """A full disk is one clear error, and leaves neither a part of a page nor a changed one."""
    with SiteFolder(tmp_path) as folder:
        folder.write("index.html", "old")
    write = Path.open

    def full(path, mode="r", *others, **settings):
        if "index" in path.name and "x" in mode:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), f"{path}")
        return write(path, mode, *others, **settings)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(UsageError, match="No space left"), SiteFolder(tmp_path) as folder:
        folder.write("index.html", "new")
    assert files(tmp_path) == {"index.html", MARKER}
    assert (tmp_path / "index.html").read_text() == "old"


def test_unchanged_files_are_not_written_again(tmp_path):
    """A file whose content is the same stays as it is."""
    for _ in range(2):
        with SiteFolder(tmp_path) as folder:
            folder.write("index.html", "same")
        first = (tmp_path / "index.html").stat().st_ino
    assert (tmp_path / "index.html").stat().st_ino == first


def test_single_page_is_written(tmp_path):
    """A single page is written, and a folder in its place is one clear error."""
    write_page(tmp_path / "game.html", "\ud800 text")
    assert (tmp_path / "game.html").read_text() == "\\ud800 text"
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(UsageError, match="cannot write"):
        write_page(tmp_path / "folder.html", "text")
