"""``c4-bot --web``: the address of the board, the browser that opens it, and copies of it."""

import os
import re
import signal
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from c4_bot import web
from c4_bot.web import INDEX, MAX_TITLE_BYTES, PAGE, TITLE
from c4_protocol.program.errors import UsageError

WITHOUT_DISPLAY = {
    name: value for name, value in os.environ.items() if not name.endswith("DISPLAY")
}


def address_of(done):
    """Return the path and the fragment of the address that a command has printed."""
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1)
    parts = urlsplit(done.stdout.decode().rstrip("\n"))
    assert parts.scheme == "file"
    return Path(url2pathname(parts.path)), parts.fragment


def contents(folder):
    """Return the names and the contents of the files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


OF_PAGE = {name: data for name, data in contents(PAGE).items() if name != "built_from.txt"}


def test_page_can_be_recognised():
    """The beginning of the page has the title by which a copy is recognised."""
    assert TITLE in OF_PAGE[INDEX][:MAX_TITLE_BYTES]
    assert {INDEX, "page.css", "board.js", "engine.js"} <= OF_PAGE.keys()


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ("", ""),
        ("--level 3 --player 1 --width 7 --height 6 --connect 4", ""),
        ("--level 5 --player 2 --width 8 --height 7", "&board=8x7x4&level=5&side=2"),
        ("--connect 6 --level 10", "&board=7x6x6&level=10"),
        ("--width 11 --height 10 --level 1", "&board=11x10x4&level=1"),
    ],
)
def test_settings_are_in_the_address(c4_bot, options, fragment):
    """The address has the settings that differ from the defaults."""
    done = c4_bot("--web", "--no-open", *options.split())
    assert address_of(done) == (PAGE / INDEX, fragment)
    assert done.stderr == b""


@pytest.fixture
def opened(c4_bot, tmp_path):
    """Return a function that runs ``c4-bot --web``; it returns its output and what is opened."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >{tmp_path}/opened\n')
    browser.chmod(0o755)
    env = WITHOUT_DISPLAY | {"BROWSER": str(browser), "TMPDIR": str(tmp_path)}

    def run(*options):
        done = c4_bot("--web", *options, env=env)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode(), (tmp_path / "opened").read_text()

    return run


@pytest.mark.linux
def test_browser_opens_the_address_or_a_page_that_leads_to_it(opened, tmp_path):
    """With settings, the browser opens a file that leads to the address that is printed."""
    address, found = opened()
    assert found == address
    address, found = opened("--level", "5", "--player", "2")
    path = Path(url2pathname(urlsplit(found.strip()).path))
    assert (path.parent, path.suffix, "#" in found) == (tmp_path, ".html", False)
    (target,) = re.findall('content="0; url=(.*?)"', path.read_text())
    assert unescape(target) == address.strip()
    assert target.endswith("/index.html#&amp;level=5&amp;side=2")


@pytest.mark.linux
@pytest.mark.parametrize("options", [(), ("--level", "5")])
def test_failed_browser_is_said_in_one_line(c4_bot, options):
    """If no browser opens, one line says so. The address is printed, so the exit code is 0."""
    done = c4_bot("--web", *options, env=WITHOUT_DISPLAY | {"BROWSER": "false", "PATH": "/no"})
    assert address_of(done)[0] == PAGE / INDEX
    expected = b"c4-bot: could not open a browser: open the address above yourself\n"
    assert done.stderr == expected


def test_copy_is_not_opened(c4_bot, tmp_path):
    """``--out`` makes a folder with all files of the page, and prints the address of the copy."""
    done = c4_bot("--web", "--out", "my site/a#b", "--player", "2", cwd=tmp_path)
    folder = tmp_path / "my site" / "a#b"
    assert address_of(done) == (folder / INDEX, "&side=2")
    assert (done.stderr, contents(folder)) == (b"", OF_PAGE)


def test_later_copy_replaces_only_what_differs(tmp_path):
    """A later copy replaces files of an earlier one, if they differ, and touches no others."""
    web.copy_page(tmp_path)
    (tmp_path / "robots.txt").write_text("mine")
    (tmp_path / INDEX).write_bytes(OF_PAGE[INDEX] + b"<!-- earlier version -->")
    (tmp_path / "page.css").unlink()
    before = (tmp_path / "engine.js").stat()
    web.copy_page(tmp_path)
    after = (tmp_path / "engine.js").stat()
    assert contents(tmp_path) == OF_PAGE | {"robots.txt": b"mine"}
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.linux
def test_link_is_replaced_and_not_followed(tmp_path):
    """A link in an earlier copy is replaced, so nothing is written to the file it leads to."""
    folder, other = tmp_path / "board", tmp_path / "other"
    web.copy_page(folder)
    other.write_text("mine")
    (folder / "page.css").unlink()
    (folder / "page.css").symlink_to(other)
    web.copy_page(folder)
    assert not (folder / "page.css").is_symlink()
    assert other.read_text() == "mine"


@pytest.mark.parametrize("earlier", [{}, {INDEX: OF_PAGE[INDEX] + b"earlier", "mine": b"mine"}])
def test_copy_on_a_full_disk_changes_nothing(small_disk, earlier):
    """On a full disk, the folder stays as it was. When there is room, the same copy succeeds."""
    folder = small_disk / "board"
    folder.mkdir()
    for name, data in earlier.items():
        (folder / name).write_bytes(data)
    with pytest.raises(UsageError, match=r"cannot write .*/board: the disk is full: make room"):
        web.copy_page(folder)
    assert contents(folder) == earlier
    subprocess.run(["mount", "-o", "remount,size=50m", small_disk], check=True)
    web.copy_page(folder)
    assert contents(folder) == earlier | OF_PAGE


@pytest.mark.linux
@pytest.mark.parametrize(
    ("name", "page", "reason"),
    [
        ("link", PAGE, "it is a link to nothing: remove it or name another"),
        ("blocked", PAGE, r"cannot write .*/page.css: Is a directory"),
        ("board", PAGE / "nothing", "not in this installation"),
    ],
)
def test_copy_that_cannot_be_made_leaves_nothing_new(monkeypatch, tmp_path, name, page, reason):
    """Files that did not exist before are removed again. Without the page, no folder is made."""
    (tmp_path / "link").symlink_to("nothing")
    (tmp_path / "blocked/page.css").mkdir(parents=True)
    (tmp_path / "blocked" / INDEX).write_bytes(OF_PAGE[INDEX])
    before = {*tmp_path.rglob("*")}
    monkeypatch.setattr(web, "PAGE", page)
    with pytest.raises(UsageError, match=reason):
        web.copy_page(tmp_path / name)
    assert {*tmp_path.rglob("*")} == before


STOPPED_COPY = """
import os, signal, sys
from pathlib import Path
from c4_bot import web
Path.replace = lambda *_: os.kill(os.getpid(), int(sys.argv[2]))
web.copy_page(Path(sys.argv[1]))
"""
"""Program that gets a signal when it has written all temporary files."""


@pytest.mark.linux
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_stopped_copy_can_be_repeated(tmp_path, name):
    """Ctrl-C leaves nothing. What a killed run leaves is removed by a later one."""
    number = signal.Signals[name]
    command = [sys.executable, "-c", STOPPED_COPY, tmp_path, str(int(number))]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -number
    left = [*tmp_path.iterdir()]
    assert len(left) == (name == "SIGKILL")
    for folder in left:
        os.utime(folder, (0, 0))  # as if the killed run was long ago
    web.copy_page(tmp_path)
    assert contents(tmp_path) == OF_PAGE


def test_copies_at_the_same_time(tmp_path):
    """Runs that copy into the same folder at the same time do not disturb each other."""
    command = [sys.executable, "-m", "c4_bot", "--web", "--out", tmp_path / "board"]
    runs = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [run.wait() for run in runs] == [0] * 4
    assert contents(tmp_path / "board") == OF_PAGE
