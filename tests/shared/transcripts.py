"""Transcripts of conversations, replayed against a bot that runs as a child process."""

import re
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
OURS = (str(SCRIPTS / "c4-bot"),)
SECONDS = 30
"""Maximum time to wait for a line of the bot."""


def replay(
    arguments: Sequence[str], transcript: str, end: str = "\n", program: Sequence[str] = OURS
) -> None:
    """Replay a transcript against a program, which is ``c4-bot``, with these arguments.

    A line ``> TEXT`` is sent with the line ending ``end``. A line ``< PATTERN`` is a regular
    expression for the next line of the bot, which must arrive before the next line is sent. At the
    end the input is closed. The bot must end with exit code 0 and write nothing else.
    """
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*program, *arguments], **pipes, bufsize=0) as bot:
        for line in filter(None, map(str.strip, transcript.splitlines())):
            sign, _, text = line.partition(" ")
            if sign == ">":
                bot.stdin.write(f"{text}{end}".encode())
            else:
                said = _next_line(bot)
                assert re.fullmatch(text, said), f"{said!r} is not {text!r}"
        rest, complaint = bot.communicate(timeout=SECONDS)
        assert (rest, complaint, bot.returncode) == (b"", b"", 0)


def _next_line(bot: subprocess.Popen) -> str:
    """Return the next line of a bot without its line ending."""
    said = b""
    while not said.endswith(b"\n"):
        ready, _, _ = select.select([bot.stdout], [], [], SECONDS)
        assert ready, f"no line from the bot, only {said!r}"
        byte = bot.stdout.read(1)
        assert byte, f"the bot has ended; its standard error: {bot.stderr.read()!r}"
        said += byte
    return said[:-1].decode()
