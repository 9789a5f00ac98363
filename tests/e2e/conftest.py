"""Runs the installed commands as a user does."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(sys.executable).parent
COURSE_PRECEPT = (
    b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,0,0,0],[0,0,0,1,2,1],[0,0,0,0,0,0],'
    b'[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":1,"width":7}\n'
)

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def _runner(script: str) -> Run:
    def run(*arguments: str, stdin: bytes = b"", **settings: Any) -> Any:
        command = [SCRIPTS / script, *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, check=False, **settings)

    return run


@pytest.fixture
def c4_bot() -> Run:
    """Runs ``c4-bot`` with arguments and standard input."""
    return _runner("c4-bot")


@pytest.fixture
def c4_referee() -> Run:
    """Runs ``c4-referee`` with arguments."""
    return _runner("c4-referee")


@pytest.fixture
def course_precept() -> bytes:
    """The precept of the course's driver, as a line."""
    return COURSE_PRECEPT
