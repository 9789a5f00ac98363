"""Text that says how the machine is protected from the bots of a contest."""

import sys
from collections.abc import Sequence

from c4_protocol.program.text import visible
from c4_protocol.records.reports import Protection

from c4_referee.bots.contain.sandbox import why_no_sandbox
from c4_referee.bots.spec import BotSpec, is_sandbox_turned_off
from c4_referee.report.texts import counted

DANGER = "bots can read and change your files and use the network"


def protection_of(bots: Sequence[BotSpec]) -> Protection | None:
    """Return how this machine is protected from the bots, or ``None`` if all bots are ours.

    Control groups are not known yet.
    """
    if all(bot.is_own_command and not bot.sandbox for bot in bots):
        return None
    sandboxed = [bot.name for bot in bots if bot.is_sandboxed]
    return Protection(sandboxed, [], limited=sys.platform == "linux")


def warn_unprotected(protection: Protection | None, wish: str | None) -> None:
    """Print a warning on standard error if other people's bots run without a sandbox.

    ``wish`` is the value of ``--sandbox``, ``"no"`` for ``--no-sandbox``, or ``None``.
    """
    if protection is None or protection.sandboxed:
        return
    if wish == "no":
        sys.stderr.write(f"Sandbox: off (--no-sandbox); {DANGER}\n")
    elif not is_sandbox_turned_off() and (reason := why_no_sandbox()):
        sys.stderr.write(f"Sandbox: off, because {visible(reason)}; {DANGER}\n")


def protection_text(protection: Protection) -> str:
    """Return a line that says how many bots run in the sandbox, and what limits them."""
    names, groups = protection.sandboxed, protection.control_groups
    sandbox = f"on for {counted(len(names), 'bot')}" if names else "off"
    means = f"control groups ({', '.join(groups)})" if groups else "the referee"
    limited = f"limited by {means}" if protection.limited else "not limited: this needs Linux"
    return f"Sandbox: {sandbox}; memory and processes {limited}"
