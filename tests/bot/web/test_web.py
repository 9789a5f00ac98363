"""``c4-bot --web``: the address of the board, the browser that opens it, and copies of it."""

import os
import subprocess
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


def test_address_is_printed(c4_bot):
    """With ``--no-open``, the address is printed, and nothing else happens."""
    done = c4_bot("--web", "--no-open")
    assert address_of(done) == (PAGE / INDEX, "")
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ("--level 3 --player 1 --width 7 --height 6 --connect 4", ""),
        ("--level 5 --player 2 --width 8 --height 7", "&level=5&side=2&board=8x7x4"),
        ("--connect 5", "&board=7x6x5"),
        ("--width 11 --height 10 --level 1", "&level=1&board=11x10x4"),
    ],
)
def test_settings_are_in_the_address(c4_bot, options, fragment):
    """The address has the settings that differ from the defaults."""
    done = c4_bot("--web", "--no-open", *options.split())
    assert address_of(done) == (PAGE / INDEX, fragment)


def test_browser_opens_the_address(c4_bot, tmp_path):
    """The browser opens the address that is printed."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >{tmp_path}/opened\n')
    browser.chmod(0o755)
    done = c4_bot("--web", "--level", "5", env=WITHOUT_DISPLAY | {"BROWSER": str(browser)})
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "opened").read_bytes() == done.stdout


def test_no_browser_is_said_in_one_line(c4_bot, tmp_path):
    """Without a browser, one line says so. The address is printed, so the exit code is 0."""
    done = c4_bot("--web", env=WITHOUT_DISPLAY | {"BROWSER": "false", "PATH": "/nowhere"})
    assert address_of(done) == (PAGE / INDEX, "")
    assert done.stderr == b"c4-bot: found no browser: open this address in one\n"


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
    assert contents(tmp_path) == OF_PAGE | {"robots.txt": b"mine"}
    assert (tmp_path / "engine.js").stat() == before


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


def test_copy_on_a_full_disk_can_be_repeated(small_disk):
    """On a full disk, an error names the file. When there is room, the same copy succeeds."""
    folder, filler = small_disk / "board", small_disk / "filler"
    filler.write_bytes(bytes(290_000))
    with pytest.raises(UsageError, match=r"cannot write .*/board/.*: No space left on device"):
        web.copy_page(folder)
    assert {path.suffix for path in folder.iterdir()} <= {".html", ".css", ".js", ".svg"}
    subprocess.run(["mount", "-o", "remount,size=50m", small_disk], check=True)
    web.copy_page(folder)
    assert contents(folder) == OF_PAGE


def test_page_that_is_not_installed(monkeypatch, tmp_path):
    """Without the page, an error says so, and no folder is made."""
    monkeypatch.setattr(web, "PAGE", tmp_path / "nothing")
    with pytest.raises(UsageError, match="not in this installation"):
        web.copy_page(tmp_path / "board")
    assert [*tmp_path.iterdir()] == []
