"""Work on many bots, several at a time, each in a fork of this process.

A fork has imported everything, so it costs some milliseconds. A new program would cost as much as
all starts of a bot in its check. Each piece of work has a process of its own, because it

- adopts and then ends all processes that its bots leave, and no others;
- has a main thread, which receives the signals that limit time (``submissions/time_limit.py``);
- does not harm the others if it ends.

This process must have no other threads, because a fork does not have them.
"""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TypeVar

from c4_protocol.program.processors import usable_processors

from c4_referee.bots.contain.process_tree import die_with_parent
from c4_referee.bots.contain.strays import prepared_command

END_SECONDS = 10.0
"""Maximum time in seconds that a fork takes to end its bots. Then it is killed, and they die with
it."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_forks(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    on_done: Callable[[Item, Result | Exception], None],
    *,
    at_once: int | None = None,
    seconds: float | None = None,
) -> None:
    """Call ``work`` for each item in a fork, and ``on_done`` here with what it returns or raises.

    At most ``at_once`` forks run, by default one for each processor. One that takes more than
    ``seconds`` is ended, and the result is a ``TimeoutError``. If a fork ends without a result, or
    with one that cannot be read, it is a ``ChildProcessError``. An exception here, such as
    Ctrl-C, ends all forks.
    """
    context = multiprocessing.get_context("fork")
    waiting, running = list(items)[::-1], dict[Connection, tuple[Item, BaseProcess, float]]()
    at_once = at_once or max(1, len(usable_processors()))
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                item = waiting.pop()
                reader, writer = context.Pipe(duplex=False)
                process: BaseProcess = context.Process(target=_work, args=(work, item, writer))
                process.start()
                writer.close()
                running[reader] = item, process, time.monotonic() + (seconds or float("inf"))
            first = min(until for _, _, until in running.values()) - time.monotonic()
            ready = wait(list(running), max(0.0, first) if seconds else None)
            for reader, (item, process, until) in list(running.items()):
                if reader not in ready and until > time.monotonic():
                    continue
                result: Result | Exception = TimeoutError()
                if reader in ready:
                    try:
                        result = reader.recv()
                    except Exception as error:  # not every exception can be read
                        process.join()
                        text = f"exit code {process.exitcode} {error}".rstrip()
                        result = ChildProcessError(text)
                    process.join(END_SECONDS)
                _end([process])
                del running[reader]
                reader.close()
                on_done(item, result)
    finally:
        _end([process for _, process, _ in running.values()])


def _end(processes: Iterable[BaseProcess]) -> None:
    """End processes, with their bots."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(END_SECONDS)
        process.kill()
        process.join()


def _work(work: Callable[[Item], Result], item: Item, writer: Connection) -> None:
    """Do a piece of work in this process, which is a fork, and send the result."""
    die_with_parent()
    os.setpgid(0, 0)  # Ctrl-C goes to the parent, which ends this process
    with suppress(KeyboardInterrupt), prepared_command():
        try:
            result: Result | Exception = work(item)
        except Exception as error:
            result = error
        writer.send(result)
