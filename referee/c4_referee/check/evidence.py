"""Shows how to repeat a failure: the question, the bot's answer, and a line for a shell."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from c4_protocol.program.text import visible

from c4_referee.bots.agents import command_for_people
from c4_referee.bots.spec import BotSpec

SHOWN = 100
"""Maximum number of bytes of a bot's output that are shown."""
WAIT_SECONDS = 5
"""Seconds for which a shell line with ``stays_open`` keeps the bot's input open."""


@dataclass(frozen=True)
class Evidence:
    """Last question of a conversation with a bot, and the bot's answer.

    ``board`` is a picture of the position that was asked about, and ``sent`` the last line sent.
    ``answered`` is what the bot wrote after this line, or says that it wrote nothing. ``shell`` is
    a command line that repeats the conversation.
    """

    sent: str
    answered: str
    shell: str
    board: str = ""


def quoted(data: bytes) -> str:
    """Return bytes as a text in quotes, with escapes for control characters."""
    more = "..." if len(data) > SHOWN else ""
    return f"'{visible(data[:SHOWN].decode(errors='backslashreplace'))}'{more}"


def shell_line(spec: BotSpec, command: Sequence[str], said: bytes, *, stays_open: bool) -> str:
    """Return a line for a shell that starts a bot with a command and sends it the bytes ``said``.

    With ``stays_open``, the bot's input stays open for ``WAIT_SECONDS``. If a bot answers only when
    its input ends, this delay shows it.
    """
    program = shlex.join(command_for_people(command))
    if spec.env:
        settings = shlex.join(f"{name}={value}" for name, value in spec.env.items())
        program = f"env {settings} {program}"
    if spec.working_folder:
        program = f"cd {shlex.quote(spec.working_folder)} && {program}"
    if not said:
        return f"{program} </dev/null"
    source = _print_command(said)
    if spec.working_folder:
        program = f"({program})"
    if stays_open:
        # cat: a program may flush each line that it writes to a terminal, but not to a pipe.
        return f"({source}; sleep {WAIT_SECONDS}) | {program} | cat"
    return f"{source} | {program}"


def _print_command(said: bytes) -> str:
    """Return a command that prints these bytes."""
    text = said.decode(errors="replace")
    end = "\r\n" if text.endswith("\r\n") else "\n"
    lines = text.removesuffix(end).split(end)
    if not text.endswith("\n"):
        return f"printf %s {shlex.quote(text)}"
    if len(lines) == 1 and end == "\n" and "\\" not in text:  # echo may interpret a backslash
        return f"echo {shlex.quote(lines[0])}"
    shown = r"%s\r\n" if end == "\r\n" else r"%s\n"
    return f"printf '{shown}' {shlex.join(lines)}"
