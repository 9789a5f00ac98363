"""Reports have the versions of our own commands, and of no other program."""

import io
from importlib.metadata import version

from c4_protocol.records.reports import AccuracyReport
from c4_referee.bots.spec import BotSpec, versions_of
from c4_referee.judging.judge import Judge
from c4_referee.report.terminal import print_versions
from rich.console import Console

OURS = BotSpec("ours", ("c4-bot", "--level", "1"))
THEIRS = BotSpec("c4-bot", ("/other/bin/c4-bot",))


def text(versions, judge_version=None):
    """Return what is printed for a judge named ``j``."""
    out = io.StringIO()
    judged = AccuracyReport("j", 1, 1, None, {}, judge_version)
    print_versions(Console(file=out, width=200), versions, judged)
    return out.getvalue()


def test_only_our_commands_have_a_version():
    """A bot that is named by its path has no version, even if it has the name of our command."""
    assert versions_of([OURS, THEIRS]) == {"ours": version("c4-arena")}
    assert Judge().version == version("c4-arena")
    assert Judge(THEIRS).version is None


def test_line_names_the_bots_and_the_judge():
    """One line names all bots of a version, and the judge. Without any, there is no line."""
    assert text({"a": "1", "b": "1"}, "1") == "Version 1 of c4-bot: a, b, j (judge)\n"
    assert text({"a": "1"}) == "Version 1 of c4-bot: a\n"
    assert text({}, "1") == "Version 1 of c4-bot: j (judge)\n"
    assert text({}) == ""
