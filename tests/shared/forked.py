"""Runs of our commands in forks of a process that has imported them, which start quickly.

A process of each test process imports all modules once. For each run it forks itself. The fork
takes the arguments, the standard streams, the environment and the working folder of the run, and
calls the command's entry point. Tests of the start itself start the commands as users do.
"""

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import walk_packages
from tempfile import TemporaryFile

PACKAGES = ("c4_protocol", "c4_bot", "c4_referee")
NOT_IMPORTED = ("__main__", ".adapters", ".book", ".cluster", "matching", ".runners", ".testing")
"""Parts of names of modules that few commands need, and that take long to import."""
READ_AT_THE_START = ("PYTHON", "LC_", "LANG")
"""Beginnings of the names of variables that an interpreter reads when it starts."""
MAX_BYTES = 2**18
"""Maximum size of a message between the processes."""

Environment = Mapping[str, str]


class Forks:
    """The process that forks itself, behind a socket. It is started when it is needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._server.close()
            self._process.wait()

    def _start(self) -> None:
        self.close()
        self._server, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-P", __file__, str(theirs.fileno())]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        with theirs:
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], **pipes)

    def run(
        self,
        command: str,
        *arguments: str,
        stdin: bytes,
        cwd: str | os.PathLike[str] = ".",
        env: Environment | None = None,
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run one of our commands to its end. Return its exit code and its output.

        Tests of bots kill the children of this process, so the process may have to start again.
        """
        if self._process is None or self._process.poll() is not None:
            self._start()
        words = [command, *map(str, arguments)]
        run = (words, os.path.abspath(cwd), dict(os.environ if env is None else env))  # noqa: PTH100
        with ExitStack() as stack:
            files = [stack.enter_context(TemporaryFile()) for _ in range(3)]
            files[0].write(stdin)
            files[0].seek(0)
            streams = [file.fileno() for file in files]
            socket.send_fds(self._server, [json.dumps(run).encode()], streams)
            code = int(self._server.recv(MAX_BYTES))
            output, errors = (os.pread(file, os.fstat(file).st_size, 0) for file in streams[1:])
        return subprocess.CompletedProcess(words, code, output, errors)


def can_fork(env: Environment | None = None) -> bool:
    """Return whether nothing in the environment asks for another start of the interpreter.

    Forks are not measured by coverage.py, which follows processes by its variables.
    """
    changed = {*os.environ.items()} ^ {*(os.environ if env is None else env).items()}
    is_measured = any(name.startswith("COVERAGE_") for name in os.environ)
    is_changed = any(name.startswith(READ_AT_THE_START) for name, _ in changed)
    return sys.platform == "linux" and not (is_measured or is_changed)


def _serve(client: socket.socket) -> list[str]:
    """Fork for each run that the client asks for. In the fork, return the words of its command."""
    for package in map(import_module, PACKAGES):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not any(part in module.name for part in NOT_IMPORTED):
                import_module(module.name)
    gc.freeze()
    while True:
        message, streams, _, _ = socket.recv_fds(client, MAX_BYTES, 3)
        if not message:
            sys.exit()
        if not (child := os.fork()):
            client.close()
            return _become(json.loads(message), streams)
        for descriptor in streams:
            os.close(descriptor)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        client.send(str(code).encode())


def _become(run: tuple[list[str], str, dict[str, str]], streams: list[int]) -> list[str]:
    """Take the streams, folder and environment of a run. Return the words of its command."""
    words, folder, environment = run
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115
    return words


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the tests
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        sys.argv[:] = _serve(connection)
    (script,) = entry_points(group="console_scripts", name=sys.argv[0])
    try:
        code = script.load()()
    except SystemExit as end:
        code = end.code
    sys.stdout.flush()
    atexit._run_exitfuncs()
    os._exit(code or 0)  # an end that frees all modules would take longer than most commands
