"""Starts example bots in the language of their file."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = ROOT / "examples" / "run.sh"
CLOJURE = Path("/usr/share/java/clojure.jar")
CLOJURE_COMMAND = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(CLOJURE)]
"""Words of Debian's script ``clojure``, with options that halve the time to start."""

RUNNERS = {
    ".py": [sys.executable],
    ".sh": ["sh"],
    ".awk": ["awk", "-f"],
    ".pl": ["perl"],
    ".js": ["node"],
    ".rkt": ["racket"],
    ".clj": [*CLOJURE_COMMAND, "clojure.main"],
    ".c": ["sh", str(RUN)],
    ".cs": ["sh", str(RUN)],
    ".go": ["sh", str(RUN)],
    ".java": ["sh", str(RUN)],
}
"""Words before the name of a file that start it, by its suffix."""

NEEDED = {
    ".awk": ["awk"], ".pl": ["perl"], ".js": ["node"], ".rkt": ["racket"],
    ".clj": ["clojure", "java"], ".c": ["cc"], ".cs": ["mcs", "mono"], ".go": ["go"],
    ".java": ["java", "javac", "jar"],
}  # fmt: skip
"""Programs that a language needs, by the suffix of its files."""


def missing(path: Path) -> str | None:
    """Return the first program that a bot needs and that is not installed, or ``None``."""
    return next((name for name in NEEDED.get(path.suffix, ()) if not shutil.which(name)), None)


def go_without(program: str) -> None:
    """Skip a test without a program, or fail if ``ARENA_LANGUAGES`` requires it."""
    if os.environ.get("ARENA_LANGUAGES") == "required":
        pytest.fail(f"{program} is not installed, and ARENA_LANGUAGES=required")
    pytest.skip(f"{program} is not installed")


def command(path: Path) -> str:
    """Return the command line that starts a bot; skip the test if its language is not installed."""
    if program := missing(path):
        go_without(program)
    return shlex.join([*RUNNERS[path.suffix], str(path)])
