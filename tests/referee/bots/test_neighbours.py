"""Bots of a contest do not see each other, also in a folder that they share."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.neighbours import OtherBots
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from views import needs_sandbox, output_of, write


def bots(*commands: str) -> list[BotSpec]:
    """Return bots in the sandbox with these commands."""
    return [BotSpec(command, tuple(command.split()), sandbox=True) for command in commands]


@pytest.fixture(autouse=True)
def programs(home):
    """Programs of two students in the current folder."""
    for name in ("Alice.class", "Bob.class", "bob.sh", "cy/bot.py"):
        write(home / "class" / name, "")


@needs_sandbox
@pytest.mark.parametrize("second", ["java -cp . Bob", "sh bob.sh"])
def test_bots_in_the_same_current_folder_are_refused(second):
    """A bot that would see another bot in the current folder is refused before the contest."""
    found = bots("java -cp . Alice", second)
    message = r"bot 'java -cp . Alice' .* another bot is there, too: give .* folder = \"DIR\""
    with pytest.raises(UsageError, match=message):
        Contest.match(*found).play()
    OtherBots([replace(bot, sandbox=False) for bot in found]).check_common_folders(None)


@needs_sandbox
@pytest.mark.parametrize("second", ["java -cp . Alice 3", "python3 cy/bot.py", "c4-bot"])
def test_current_folder_may_be_shared(second):
    """A bot may play against itself, and against bots in other folders."""
    OtherBots(bots("java -cp . Alice", second)).check_common_folders(None)


@needs_sandbox
def test_games_are_not_stored_in_a_current_folder_that_a_bot_sees():
    """The folder of --out may not be the folder of a bot's program."""
    with pytest.raises(UsageError, match="stored games are there"):
        Contest.match(*bots("java -cp . Alice", "c4-bot")).play(out=Path())


def test_paths_of_others_are_those_of_other_programs():
    """Bots that run the same program of the current folder share its files."""
    here = Path.cwd()
    found = OtherBots(bots("java -cp . Alice", "java -cp . Alice 3", "sh bob.sh", "sh bob.sh 2"))
    assert found.paths_of_others(0) == [here / "bob.sh"] * 2
    assert {here, here / "Alice.class", here / "bob.sh"} <= {*found.paths_of_others(2)}


SPY = """
import os, sys
for folder, _, names in os.walk(os.getcwd()):
    for name in names:
        try:
            open(os.path.join(folder, name)).close()
            print(name)
        except OSError:
            pass
"""
"""A bot that prints the names of all files that it can read in its folder."""


def seen_by_first(*found: BotSpec) -> set[str]:
    """Return the files of its folder that the first of these bots can read in a contest."""
    sandbox = found[0].sandbox_settings(partial(OtherBots(found).paths_of_others, 0))
    return {*output_of(found[0].command, found[0].working_folder, sandbox)[0].split()}


@pytest.fixture
def share(home) -> Path:
    """Return a folder with two bots of a contest, and with files that belong to neither."""
    write(home / "share" / "ann.py", SPY)
    for name in ("ben.py", "ben.bin", "eve.py", "passwords", "model.bin", "old/games.csv"):
        write(home / "share" / name, "")
    return home / "share"


@needs_sandbox
@pytest.mark.parametrize("key", ["cwd", "folder"])
def test_bots_that_share_a_folder_see_only_what_is_theirs(share, key, monkeypatch):
    """What no command names is seen by nobody, unless ``visible`` names it."""
    ann, ben = bots(f"{sys.executable} ann.py", "python3 ben.py ben.bin")
    ann, beside = (replace(bot, **{key: str(share)}) for bot in (ann, ben))
    assert seen_by_first(ann, beside) == {"ann.py"}
    assert seen_by_first(replace(ann, visible=(f"{share}/model.bin",)), beside) == {
        "ann.py", "model.bin",
    }  # fmt: skip
    everybody = {path.name for path in share.rglob("*") if path.is_file()}
    all_seen = replace(ann, visible=(str(share),))
    assert seen_by_first(all_seen, beside) == everybody - {"ben.py", "ben.bin"}
    assert seen_by_first(ann, replace(ann, name="ann 2", command=(*ann.command, "2"))) == everybody
    ben = replace(ben, command=("python3", "share/ben.py"))
    monkeypatch.chdir(share.parent)
    assert seen_by_first(ann, ben) == {"ann.py"}
    same = replace(ann, command=(sys.executable, "share/ann.py"), **{key: None})
    assert seen_by_first(ann, same) == everybody


@needs_sandbox
def test_links_do_not_show_files_of_others(share, monkeypatch):
    """A file of another bot is hidden under each path: a link beside it, or one to the folder."""
    monkeypatch.chdir(share.parent)
    (share / "link").symlink_to("ben.py")
    (share.parent / "folder").symlink_to("share")
    ann, ben, far = bots(f"{sys.executable} ann.py link", "python3 ben.py", "sh folder/ben.py")
    ann, ben = (replace(bot, cwd=str(share)) for bot in (ann, ben))
    assert seen_by_first(ann, ben) == seen_by_first(ann, far) == {"ann.py"}
    all_seen = replace(ann, visible=(str(share.parent / "folder"),))
    assert "ben.py" not in seen_by_first(all_seen, ben)


@needs_sandbox
def test_program_of_a_shared_folder_is_refused(share):
    """A bot that would see another program in a shared folder is refused before the contest."""
    found = [replace(bot, cwd=str(share)) for bot in bots("java -cp . Alice", "java -cp . Bob")]
    write(share / "Alice.class", "")
    with pytest.raises(UsageError, match="another bot is there, too"):
        Contest.match(*found).play()
