"""Programs and files for tests of what a bot in the sandbox sees."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.sandbox import why_no_sandbox

NO_SANDBOX = (
    f"the sandbox does not work here: {why_no_sandbox()}"
    if shutil.which("bwrap")
    else "bubblewrap is not installed"
)
"""Reason to skip a test of the sandbox, if it does not work."""
needs_sandbox = pytest.mark.skipif(why_no_sandbox() is not None, reason=NO_SANDBOX)
SECRETS = (".ssh/id_ed25519", ".cargo/credentials.toml", ".local/share/keyrings/login", "grades")
PROGRAM = '#!/bin/sh\ncat "$(dirname "$0")/../lib/data"\n'
"""A program that needs a file of its installation."""


def write(path: Path, text: str, mode: int = 0o644) -> Path:
    """Write a file, and make its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def install(prefix: Path, name: str) -> Path:
    """Install a program into the folder ``bin`` of a prefix, and its data into ``lib``."""
    write(prefix / "lib" / "data", name)
    return write(prefix / "bin" / name, PROGRAM, 0o755)


def output_in_sandbox(
    *command: str, search_path: str, cwd: str | None = None, **settings: object
) -> tuple[str, str]:
    """Run a command in the sandbox. Return its output and its standard error."""
    return output_of(command, cwd, Sandbox(f"{search_path}:{os.environ['PATH']}", **settings))


def output_of(command: Sequence[str], cwd: str | None, sandbox: Sandbox) -> tuple[str, str]:
    """Run a command with these settings of a sandbox, and return the same."""
    with BotProcess(command, cwd, sandbox=sandbox) as process:
        os.set_blocking(process.stdout, True)
        os.set_blocking(process.stderr, True)
        with (
            open(process.stdout, closefd=False) as out,
            open(process.stderr, closefd=False) as error,
        ):
            return out.read(), error.read()
