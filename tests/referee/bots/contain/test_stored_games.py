"""No bot in the sandbox sees stored games, wherever they are."""

import os
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.contain import mounts, stored_games
from c4_referee.bots.contain.mounts import Sandbox, view_of
from c4_referee.bots.spec import BotSpec
from views import needs_sandbox, output_in_sandbox, write

PATH = os.environ["PATH"]


@pytest.fixture
def games(home):
    """Return a folder with stored games, deep in a folder with other files."""
    write(home / "data" / "net.bin", "weights")
    folder = home / "data" / "autumn" / "week1"
    write(folder / "arena.sqlite", "games")
    return write(folder / "games.jsonl", "games").parent


@needs_sandbox
@pytest.mark.parametrize("shown", ["own", "visible", "named"])
def test_stored_games_in_a_visible_folder_are_masked(home, games, shown):
    """The folder is empty for the bot, whose own folder can be written around it."""
    data = str(home / "data")
    words = f"cat {data}/net.bin; echo x > {data}/new && echo written; ls -A {games}; cat {games}/*"
    settings = {"cwd": data if shown == "own" else None}
    settings["visible"] = (data,) if shown == "visible" else ()
    named = (data,) if shown == "named" else ()
    out, error = output_in_sandbox("sh", "-c", words, *named, search_path="", **settings)
    assert out == "weights" + ("written\n" if shown == "own" else "")
    assert "games.jsonl" not in error.replace(f"{games}/*", "")


def test_installation_does_not_show_stored_games(home, games):
    """Games in the folder of a program that the search path finds are masked."""
    write(home / "data" / "bin" / "tool", "", 0o755)
    view = view_of(["tool"], None, Sandbox(f"{home}/data/bin"))
    assert view.shows(home / "data" / "bin" / "tool")
    assert not view.shows(games / "games.jsonl")


@pytest.mark.linux
def test_folder_with_stored_games_is_refused(home, games):
    """A folder with stored games is no folder for a bot, and files of games are not visible."""
    for key, value in (("cwd", str(games)), ("visible", (str(games),))):
        spec = BotSpec("x", ("cat",), sandbox=True, **{key: value})
        with pytest.raises(UsageError, match=f"stored games are in {games}, and no bot"):
            spec.check_startable()
    with pytest.raises(OSError, match=f"there are stored games in {games}: move"):
        view_of(["cat"], str(games), Sandbox(PATH))
    file = games / "games.jsonl"
    for named in (str(file), str(games)):
        assert not view_of(["cat", named], None, Sandbox(PATH, [named])).shows(file)


def test_games_that_are_stored_later_are_masked(home, games, monkeypatch):
    """A search is repeated, so that new games are found."""
    monkeypatch.setattr(stored_games.RECENT_SEARCHES, "share", float("inf"))
    new = home / "data" / "winter" / "arena.sqlite"
    assert view_of(["cat"], str(home / "data"), Sandbox(PATH)).shows(new)
    write(new, "")
    assert not view_of(["cat"], str(home / "data"), Sandbox(PATH)).shows(new)


def test_folder_that_is_too_full_to_be_searched_is_refused(home, games, monkeypatch):
    """A bot cannot hide games from the search by making more files than it looks at."""
    monkeypatch.setattr(mounts, "MAX_SEARCHED_ENTRIES", 20)
    own = home / "data"
    for number in range(30):
        write(own / f"{number}", "")
    with pytest.raises(OSError, match="its folder has more than 20 entries"):
        view_of(["cat"], str(own), Sandbox(PATH))
    assert view_of(["cat"], None, Sandbox(PATH, [str(own)])).shows(own / "net.bin")


def test_links_to_stored_games_are_not_followed(home, games):
    """A link does not make a folder one with stored games, nor the search endless."""
    own = Path(home, "class")
    (own / "loop").symlink_to(own)
    (own / "autumn").symlink_to(games)
    assert view_of(["cat"], str(own), Sandbox(PATH)).masked == ()
