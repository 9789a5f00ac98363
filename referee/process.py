"""One child process: started in a session of its own, stopped with everything it started."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import IO, cast

CLOSING_SECONDS = 0.5
"""How long a bot may take to end after its input is closed, and again after SIGTERM."""


class BotProcess:
    """A running bot with three pipes; a context manager that always reaps it.

    Raises ``OSError`` where the command cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._child = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
        self._pipes = [
            cast(IO[bytes], pipe)
            for pipe in (self._child.stdin, self._child.stdout, self._child.stderr)
        ]
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)

    def __enter__(self) -> "BotProcess":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def wait(self, seconds: float) -> int | None:
        """The exit code, negative for a signal; ``None`` if it still runs after that time."""
        try:
            return self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stop(self) -> None:
        """Closes its input, then its life if need be, and that of its process group."""
        try:
            self._pipes[0].close()
            if self.wait(CLOSING_SECONDS) is None:
                self._signal_group(signal.SIGTERM)
                self.wait(CLOSING_SECONDS)
        finally:
            self._signal_group(signal.SIGKILL)
            self._child.wait()
            for pipe in self._pipes:
                pipe.close()

    def _signal_group(self, number: signal.Signals) -> None:
        """Signals whatever of the child's process group is left; the group may outlive it."""
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, number)
