"""How a fault can be seen again: what the bot was sent, what came back, and a line for a shell."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from c4_protocol.codec import BYTE_ORDER_MARK

SHOWN = 100
"""Maximum number of bytes of a bot's output that are shown."""
WAIT_SECONDS = 5
"""How long the shell line keeps the bot's input open where that matters."""


@dataclass(frozen=True)
class Evidence:
    """The end of a conversation with a bot.

    ``board`` draws the position that was asked about and ``sent`` is the last line sent.
    ``answered`` is what came back for it, or says that nothing did. ``shell`` is a command line
    that repeats the conversation.
    """

    sent: str
    answered: str
    shell: str
    board: str = ""


def quoted(data: bytes) -> str:
    """Return bytes as a text that shows everything and does nothing to a terminal."""
    more = "..." if len(data) > SHOWN else ""
    text = data[:SHOWN].replace(BYTE_ORDER_MARK, b"\\ufeff").decode(errors="backslashreplace")
    signs = (sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return f"'{''.join(signs)}'{more}"


def shell_line(
    command: Sequence[str],
    said: bytes,
    *,
    place: str | None,
    env: Mapping[str, str],
    stays_open: bool,
) -> str:
    """Return a line for a shell that starts a bot and sends it what was ``said``.

    The bot's input stays open for some seconds where the fault is that it waits for the end.
    """
    program = shlex.join(command)
    if env:
        settings = shlex.join(f"{name}={value}" for name, value in env.items())
        program = f"env {settings} {program}"
    if place:
        program = f"cd {shlex.quote(place)} && {program}"
    if not said:
        return f"{program} </dev/null"
    source = _printed(said)
    if place:
        program = f"({program})"
    if stays_open:  # cat: a program that writes to a terminal may flush each line
        return f"({source}; sleep {WAIT_SECONDS}) | {program} | cat"
    return f"{source} | {program}"


def _printed(said: bytes) -> str:
    """Return a command that prints these bytes."""
    text = said.decode(errors="replace")
    end = "\r\n" if text.endswith("\r\n") else "\n"
    lines = text.removesuffix(end).split(end)
    if not text.endswith("\n"):
        return f"printf %s {shlex.quote(text)}"
    if len(lines) == 1 and end == "\n" and "\\" not in text:  # echo may read a backslash itself
        return f"echo {shlex.quote(lines[0])}"
    shown = r"%s\r\n" if end == "\r\n" else r"%s\n"
    return f"printf '{shown}' {shlex.join(lines)}"
