"""Runs of tools, such as compilers, with the limits and the sandbox of bots.

A tool has no input. It is stopped if it runs too long or uses more than it may, and all processes
that it has started end with it.
"""

import os
import select
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from c4_referee.bots.contain import process_tree
from c4_referee.bots.contain.excerpt import TextExcerpt
from c4_referee.bots.contain.growth import FolderGrowth
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.process import BotProcess

CHECK_SECONDS = 0.1
"""Seconds between two checks whether a tool keeps its limits."""
READ_BYTES = 1 << 16
"""Maximum number of bytes that are read from a pipe at a time."""
MAX_OUTPUT_BYTES = 1 << 24
"""Maximum number of bytes that a tool may write to its two outputs. It is stopped beyond that."""


@dataclass(frozen=True)
class Finished:
    """A tool that has ended.

    ``code`` is its exit code, negative for a signal, or ``None`` if it was stopped or not started.
    ``output`` is what it wrote to standard output and standard error, without the middle if it is
    long, and without control characters. ``why_stopped`` is "" if the tool ended by itself.
    """

    code: int | None
    output: str
    why_stopped: str = ""


def run_tool(
    command: Sequence[str],
    folder: Path,
    sandbox: Sandbox | None,
    limits: ResourceLimits,
    seconds: float,
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command in a folder until it ends, for at most ``seconds``.

    The folder may grow by ``limits.written_mb``. ``env`` is the environment, or in the sandbox what
    is added to it. The calling process must have no threads, and should adopt orphans
    (``process_tree.adopt_orphans``); otherwise processes without the sandbox can escape.
    """
    output, growth = TextExcerpt(), FolderGrowth(folder, limits.written_mb)
    growth.excess()  # the first call measures the folder
    others = process_tree.children_of(os.getpid())
    try:
        with BotProcess(command, str(folder), env, limits, sandbox, growth) as process:
            process.close_input()
            why = _wait_for_end(process, output, seconds)
            code = process.wait(0)
            if not why and code != 0 and (fault := process.diagnose(code, output.text())):
                why = str(fault)
    except OSError as error:
        return Finished(None, "", f"{command[0]} cannot be started: {error.strerror or error}")
    finally:
        process_tree.kill_children(keep=others | BotProcess.running)
    return Finished(code, output.text(), why or growth.excess() or "")


def _wait_for_end(process: BotProcess, output: TextExcerpt, seconds: float) -> str:
    """Read what a tool writes until it ends. Return why it has to be stopped, or ""."""
    poll = select.poll()
    for pipe in (process.stdout, process.stderr):
        poll.register(pipe, select.POLLIN)
    deadline = time.monotonic() + seconds
    while process.wait(0) is None:
        _read_pipes(process, poll, output, CHECK_SECONDS)
        if output.total > MAX_OUTPUT_BYTES:
            return f"it wrote more than {MAX_OUTPUT_BYTES >> 20} MiB of messages"
        if time.monotonic() > deadline:
            return f"it ran for more than {seconds:.0f} s"
        if excess := process.excess():
            return excess[1]
    _read_pipes(process, poll, output, 0)
    return ""


def _read_pipes(
    process: BotProcess, poll: select.poll, output: TextExcerpt, seconds: float
) -> None:
    """Wait until a tool has written or ended, at most for some seconds, and add what it wrote."""
    for pipe, _ in poll.poll(seconds * 1000):
        if data := os.read(pipe, READ_BYTES):
            output.add(data)
        else:
            poll.unregister(pipe)
            process.wait(CHECK_SECONDS)
