"""Reports have the versions of our own commands, and of no other program."""

import io
from importlib.metadata import version

from c4_protocol.records.reports import AccuracyReport
from c4_referee.bots.own import WITHOUT_CORE
from c4_referee.bots.spec import BotSpec, versions_of
from c4_referee.contest.judging.judge import Judge
from c4_referee.report.terminal.match_and_tournament import print_versions
from rich.console import Console

OURS = BotSpec("ours", ("c4-bot", "--level", "1"))
THEIRS = BotSpec("c4-bot", ("/other/bin/c4-bot",))


def text(versions, judge_version=None):
    """Return what is printed for a judge named ``j``."""
    out = io.StringIO()
    judged = AccuracyReport("j", 1, 1, None, {}, judge_version)
    print_versions(Console(file=out, width=200), versions.items(), judged)
    return out.getvalue()


def test_only_our_commands_have_a_version():
    """A bot that is named by its path has no version, even if it has the name of our command."""
    assert versions_of([OURS, THEIRS], without_core={"c4-bot"}) == {"ours": version("c4-arena")}
    slow = {"ours": f"{version('c4-arena')} {WITHOUT_CORE}"}
    assert versions_of([OURS, THEIRS], without_core={"ours"}) == slow
    assert Judge().version == version("c4-arena")
    assert Judge(THEIRS).version is None


def test_line_says_that_the_core_was_missing():
    """Bots and the judge that had no native core have a line of their own, which says so."""
    slow = f"1 {WITHOUT_CORE}"
    assert text({"a": slow, "b": "1"}, slow) == (
        "Version 1 of c4-bot, without the native core (much slower and weaker): a, j (judge)\n"
        "Version 1 of c4-bot: b\n"
    )
