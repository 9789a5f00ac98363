"""A page of the documents, followed literally from an empty folder."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"[Ss]ave\s+this\s+as\s+`([^`]+)`")
NEEDS = re.compile(r"<!-- needs: (\S+) -->")
RARE = {"cutechess-cli"}
"""Programs that are neither in Debian nor on PyPI."""


def follow(page: Path, folder: Path, scripts: Path = Path(sys.executable).parent) -> int:
    """Do everything that a page says, in order; return how many blocks of commands ran.

    Our commands are those in ``scripts``.

    A block after "Save this as `NAME`" becomes a file. A block in ``sh`` runs, and must succeed.
    A block ``text`` after it is all that it prints. A block after ``<!-- needs: NAME -->`` is left
    out if no program and no Python module of this name is installed. With
    ``ARENA_PLATFORMS=required`` it is left out only if the program is one of ``RARE``.
    """
    count, printed = 0, ""
    for before, language, content in _blocks(page.read_text(encoding="utf-8")):
        if any(_is_missing(name) for name in NEEDS.findall(before)):
            continue
        if name := NAME.findall(before):
            (folder / name[-1]).write_text(content, encoding="utf-8")
        elif language == "sh":
            printed, count = _run(content, folder, scripts), count + 1
        elif language == "text":
            assert printed == content
        else:
            pytest.fail(f"{page.name}: what is this block for?\n{content}")
    return count


def _blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each block, with its language and the text between it and the block before it."""
    end = 0
    for block in BLOCK.finditer(text):
        yield text[end : block.start()], block[1], block[2]
        end = block.end()


def _is_missing(name: str) -> bool:
    """Return whether neither a program nor a module has this name."""
    if os.environ.get("ARENA_PLATFORMS") == "required" and name not in RARE:
        return False
    return shutil.which(name) is None and importlib.util.find_spec(name) is None


def _run(commands: str, folder: Path, scripts: Path) -> str:
    """Run the commands of a block, and return what they print."""
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
    check_no_forfeits(done.stdout)
    return done.stdout


def check_no_forfeits(report: str) -> None:
    """Check that no bot has forfeited a game in a report on a terminal."""
    assert not re.search(r"\bforfeits,|^Forfeits, with", report, re.MULTILINE), report
