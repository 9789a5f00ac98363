"""Bots of a file are checked in processes of their own."""

import os
import signal

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.spec import BotSpec
from c4_referee.check.driver import Trial
from c4_referee.check.whole_file import check_all

PATIENT = {"time_ms": 60_000, "startup_ms": 60_000}


class Unreadable(Exception):
    """An exception that can be sent and not be read."""

    def __reduce__(self):
        """Return a call that fails."""
        return int, ("x",)


@pytest.mark.timeout(300)
def test_check_that_takes_too_long_is_ended():
    """A bot that starts slowly for every question does not hold up the others."""
    slow = Trial(BotSpec("slow", ("sleep", "1000")), STANDARD, **PATIENT)
    (checked,) = check_all({"slow": lambda: slow}, lambda _: None, seconds=0.2)
    assert checked.report is None
    assert checked.reason.startswith("its check took more than 0.2 s")


def test_check_that_fails_spoils_no_other(bot):
    """A check whose process is killed has a reason, and so has one that cannot begin."""

    def wrong():
        raise UsageError("no\x1b program")

    good = Trial(bot("good"), STANDARD, **PATIENT)

    def killed():
        os.kill(os.getpid(), signal.SIGKILL)

    def strange():
        raise Unreadable

    trials = {"killed": killed, "wrong": wrong, "strange": strange, "good": lambda: good}
    told = []
    checks = check_all(trials, told.append, at_once=2)
    assert "exit code 0 invalid literal" in checks[2].reason
    assert [(each.bot, each.reason) for each in checks if each.bot != "strange"] == [
        ("killed", "ChildProcessError in its check: exit code -9"),
        ("wrong", "no\\x1b program"),
        ("good", ""),
    ]
    assert checks[-1].passed_here
    assert sorted(told) == sorted(checks)
