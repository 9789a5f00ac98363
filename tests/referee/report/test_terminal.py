"""Reports have the versions of our own commands, and of no other program."""

from importlib.metadata import version

from c4_referee.bots.spec import BotSpec, versions_of
from c4_referee.judging.judge import Judge

OURS = BotSpec("ours", ("c4-bot", "--level", "1"))
THEIRS = BotSpec("c4-bot", ("/other/bin/c4-bot",))


def test_only_our_commands_have_a_version():
    """A bot that is named by its path has no version, even if it has the name of our command."""
    assert versions_of([OURS, THEIRS]) == {"ours": version("c4-arena")}
    assert Judge().version == version("c4-arena")
    assert Judge(THEIRS).version is None
