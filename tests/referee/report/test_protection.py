"""The report says how the machine was protected from the bots."""

from dataclasses import replace

import pytest
from c4_protocol.records.reports import Protection
from c4_referee.bots.spec import BotSpec
from c4_referee.report import protection as reports
from c4_referee.report.protection import protection_of, warn_unprotected

OURS = BotSpec("ours", ("c4-bot",))
THEIRS = BotSpec("theirs", ("python3", "bot.py"))


@pytest.fixture
def _sandbox(monkeypatch):
    """A machine with a sandbox that is used automatically."""
    monkeypatch.delenv("C4_ARENA_SANDBOX")
    monkeypatch.setattr("c4_referee.bots.spec.why_no_sandbox", lambda: None)


@pytest.mark.usefixtures("_sandbox")
def test_other_peoples_bots_are_sandboxed():
    """Our own commands run without a sandbox, unless their table demands one."""
    assert protection_of([OURS, OURS]) is None
    appended = BotSpec("appended", ("c4-bot", "--level", "{player}"), arguments="course")
    assert protection_of([appended, replace(appended, arguments="positional")]) is None
    assert protection_of([OURS, THEIRS]) == Protection(["theirs"], [])
    demanded = BotSpec("demanded", ("c4-bot",), sandbox=True)
    assert protection_of([demanded, OURS]) == Protection(["demanded"], [])


@pytest.mark.usefixtures("_sandbox")
@pytest.mark.parametrize(
    "spec",
    [
        BotSpec("b", ("./c4-bot",)),
        BotSpec("b", ("c4-bot",), env={"PYTHONPATH": "."}),
        BotSpec("b", ("c4-bot", "--evaluator", "mine.py:Mine")),
        BotSpec("b", ("c4-bot", "--evaluator", "mine:Mine")),
        BotSpec("b", ("c4-bot", "--evaluator"), arguments="positional"),
        BotSpec("b", ("c4-bot", "--{player}")),
        BotSpec("b", ("c4-solve",)),
    ],
)
def test_own_command_with_foreign_code_is_not_ours(spec, tmp_path, monkeypatch):
    """A command that runs other people's code is not one of ours."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    assert not spec.is_own_command
    assert protection_of([spec]) == Protection(["b"], [])


@pytest.mark.parametrize(
    ("protection", "wish", "reason", "warning"),
    [
        (None, None, "none", ""),
        (Protection(["a"], []), None, None, ""),
        (Protection([], []), "no", None, "Sandbox: off (--no-sandbox); bots can read and change"),
        (Protection([], []), None, "no bwrap", "Sandbox: off, because no bwrap; bots can read"),
        (Protection([], []), None, None, ""),
    ],
)
def test_warning(capsys, monkeypatch, protection, wish, reason, warning):
    """One line on standard error warns if bots run without a sandbox."""
    monkeypatch.delenv("C4_ARENA_SANDBOX")
    monkeypatch.setattr(reports, "why_no_sandbox", lambda: reason)
    warn_unprotected(protection, wish)
    error = capsys.readouterr().err
    assert error.startswith(warning)
    assert error.count("\n") == bool(warning)
