"""Bots of a contest do not see each other, also in the current folder."""

from dataclasses import replace
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.neighbours import OtherBots
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from views import needs_sandbox, write


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
    OtherBots([replace(bot, sandbox=False) for bot in found]).check_current_folder(None)


@needs_sandbox
@pytest.mark.parametrize("second", ["java -cp . Alice 3", "python3 cy/bot.py", "c4-bot"])
def test_current_folder_may_be_shared(second):
    """A bot may play against itself, and against bots in other folders."""
    OtherBots(bots("java -cp . Alice", second)).check_current_folder(None)


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
