"""Checks a whole file of bots, several at a time, each in a process of its own.

To end all processes that a bot leaves behind, a check ends all children of its own process. So two
checks cannot share a process. Each process is ``c4-referee check --json -- NAME``.
"""

import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple

import orjson


class Checked(NamedTuple):
    """Result of the check of a bot.

    ``report`` is a ``CheckReport`` read from JSON. If the bot could not be checked, it is ``None``
    and ``reason`` says why.
    """

    bot: str
    report: dict[str, Any] | None
    reason: str = ""

    @property
    def passed(self) -> bool:
        """True if the bot is ready for this referee and for others."""
        return self.report is not None and bool(self.report["passed"])

    @property
    def passed_here(self) -> bool:
        """True if the bot is ready for this referee."""
        return self.report is not None and bool(self.report["passed_here"])


def check_all(
    names: Iterable[str],
    argv: Sequence[str],
    at_once: int,
    on_checked: Callable[[Checked], None],
) -> list[Checked]:
    """Check the bots with these names; return the results in the order of the names.

    At most ``at_once`` bots are checked at the same time. ``argv`` is the command line of
    ``c4-referee`` that checks all of them, without ``--``. ``on_checked`` is called with each
    result. An exception, such as Ctrl-C, ends all checks.
    """
    names = list(names)
    running: set[subprocess.Popen[bytes]] = set()
    done = {}
    with ThreadPoolExecutor(at_once) as pool:
        futures = [pool.submit(_check, name, argv, running) for name in names]
        try:
            for future in as_completed(futures):
                checked = future.result()
                done[checked.bot] = checked
                on_checked(checked)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(running):
                process.terminate()  # the process then ends its bot
            raise
    return [done[name] for name in names]


def _check(name: str, argv: Sequence[str], running: set[subprocess.Popen[bytes]]) -> Checked:
    """Check one bot; hold the process of the check in ``running`` until the process ends."""
    command = [sys.executable, "-P", "-m", "c4_referee", *argv, "--json"]
    command += ["--", name]  # a name may begin with a dash
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0
    ) as process:
        running.add(process)
        output, complaint = process.communicate()
        running.discard(process)
    if process.returncode in {0, 1} and output:
        return Checked(name, orjson.loads(output))
    words = complaint.decode(errors="replace").strip() or f"exit code {process.returncode}"
    return Checked(name, None, words.split("\n")[-1].removeprefix("c4-referee: "))
