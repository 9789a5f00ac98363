"""Pages of the documents, followed literally: all boxes of a page run in order, from one folder.

What a box is follows from its language and from the text before it:

- A box after "Save this as `NAME`" becomes a file.
- ``sh`` runs in bash and must succeed, without a bot that breaks a rule. ``js`` runs in Node.
- ``python`` runs with the names of earlier boxes, as in a notebook.
- ``text`` or ``json`` directly after such a box is all that it prints.
- ``python`` after a sentence that ends with a link to a file, and a colon, is this file.
- Other ``json`` is a message, exactly as the referee writes it or as a bot may answer.
- ``toml`` has tables of bots that the referee can read.
- ``text`` with lines of a ``referee`` and a ``bot`` is a conversation with ``c4-bot``. Other
  ``text`` is a picture.

Comments of the page help: ``<!-- given: CODE -->`` and ``<!-- then: CODE -->`` are put before and
after the code of the next box, and ``<!-- plays: OPTIONS -->`` has the options of ``c4-bot`` in
conversations. The box after ``<!-- needs: NAME -->`` runs only if a program or a Python module of
this name is installed; ``<!-- needs: sandbox -->`` is the sandbox. A comment with more than a name,
such as ``<!-- needs: a second machine -->``, says why a box never runs. Only thorough tests run the
box after ``<!-- weekly: REASON -->``.
"""

import importlib.util
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path

import pytest
from c4_protocol.dialects.jsonl import RefereeEnd, precept_of
from c4_referee.bots.contain.sandbox import why_no_sandbox
from c4_referee.bots.find import bots_from_tables
from effort import THOROUGH

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"[Ss]ave\s+this\s+as\s+`([^`]+)`")
FILE = re.compile(r"\]\((\S+\.py)\)[^\n]*:\s*$")
COMMENT = re.compile(r"<!-- (\w+): (.*?) -->", re.DOTALL)
RARE = {"cutechess-cli", "qemu-x86_64"}
"""Programs that are neither on PyPI nor among those that ``.ci/run`` installs."""
LATE = {"late", "late first answer"}
"""Faults that a busy machine can cause. They say nothing about a page."""


def follow(page: Path, folder: Path, scripts: Path = Path(sys.executable).parent) -> int:
    """Do everything that a page says, in order; return how many boxes ran.

    Our commands are those in ``scripts``. With ``ARENA_PLATFORMS=required``, boxes that need a
    program or a module run unless it is one of ``RARE``.
    """
    boxes = Boxes(page, folder, scripts)
    for before, language, content in _blocks(page.read_text(encoding="utf-8")):
        boxes.before, boxes.comments = before, dict(COMMENT.findall(before))
        is_left_out = "weekly" in boxes.comments and not THOROUGH
        if is_left_out or _is_missing(boxes.comments.get("needs", "")):
            boxes.printed = None
        elif name := NAME.findall(before):
            (folder / name[-1]).write_text(content, encoding="utf-8")
        elif language in {"text", "json"} and boxes.printed is not None and not _words(before):
            assert boxes.printed.rstrip("\n") == content.rstrip("\n")
        elif method := getattr(boxes, language, None):
            boxes.printed = method(content)
            boxes.count += boxes.printed is not None
        else:
            pytest.fail(f"{page.name}: what is this box for?\n{content}")
    return boxes.count


class Boxes:
    """The boxes of a page: a method for each language returns what a box prints, if it runs."""

    def __init__(self, page: Path, folder: Path, scripts: Path) -> None:
        self._page, self._folder, self._scripts = page, folder, scripts
        self._names: dict[str, object] = {}
        self._options = ""
        self.count = 0
        """Number of boxes that ran."""
        self.before, self.comments = "", dict[str, str]()
        """The text before a box, and the comments in it."""
        self.printed: str | None = None
        """What the last box printed, or ``None`` if it did not run."""

    def sh(self, content: str) -> str:
        """Run commands. Those of ours print something, unless they write a file."""
        printed = self._run("bash", "-euo", "pipefail", "-c", self._completed(content))
        check_no_forfeits(printed)
        assert printed or not content.startswith("c4-") or " --out " in content, content
        return printed

    def js(self, content: str) -> str:
        """Run JavaScript."""
        return self._run("node", "-e", self._completed(content))

    def python(self, content: str) -> str | None:
        """Run Python with the names of earlier boxes, or compare a file of the project."""
        if file := FILE.search(self.before):
            assert content == (self._page.parent / file[1]).read_text(encoding="utf-8")
            return None
        printed = io.StringIO()
        with chdir(self._folder), redirect_stdout(printed):
            exec(compile(self._completed(content), self._page.name, "exec"), self._names)
        return printed.getvalue()

    def text(self, content: str) -> None:
        """Check that ``c4-bot`` has its part in a conversation, and finds the dialect by itself."""
        self._options = self.comments.get("plays", self._options)
        lines = [(line[:9].strip(), line[9:]) for line in content.splitlines()]
        if lines[0][0] == "referee":
            sent = "".join(f"{line}\n" for who, line in lines if who == "referee")
            said = self._run("c4-bot", *shlex.split(self._options), stdin=sent)
            assert said.splitlines() == [line for who, line in lines if who == "bot"]

    def json(self, content: str) -> None:
        """Check that a line is what the referee would write, or an answer that it reads."""
        if "grid" not in (message := json.loads(content)):
            RefereeEnd().read_move(content.encode())
        else:
            position = precept_of(content.encode()).position()
            written = RefereeEnd().write_precept(position, message["time_ms"])
            assert written.decode() == content

    def toml(self, content: str) -> None:
        """Check that the referee can read tables of bots."""
        tables = tomllib.loads(content)
        assert tables.keys() == {"bots"}
        assert bots_from_tables(tables["bots"], self._page.name)

    def _completed(self, code: str) -> str:
        """Return the code of a box with that of its comments."""
        return "\n".join((self.comments.get("given", ""), code, self.comments.get("then", "")))

    def _run(self, *words: str, stdin: str = "") -> str:
        """Run a command, and return what it prints. Pages of results are opened by no browser."""
        path = f"{self._scripts}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            words,
            cwd=self._folder,
            env={**os.environ, "PATH": path, "BROWSER": "true"},
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words[-1]}\n{done.stdout}{done.stderr}"
        return done.stdout


def _words(text: str) -> str:
    """Return a text without comments and blanks."""
    return COMMENT.sub("", text).strip()


def _blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each block, with its language and the text between it and the block before it."""
    end = 0
    for block in BLOCK.finditer(text):
        yield text[end : block.start()], block[1], block[2]
        end = block.end()


def _is_missing(need: str) -> bool:
    """Return whether this is neither empty nor the name of a program or a module that is here."""
    if need == "sandbox":
        return why_no_sandbox() is not None
    if not need or (os.environ.get("ARENA_PLATFORMS") == "required" and need not in RARE):
        return " " in need
    return shutil.which(need) is None and (" " in need or importlib.util.find_spec(need) is None)


def check_no_forfeits(report: str) -> None:
    """Check that a report on a terminal has no forfeits, except those of a busy machine."""
    shown = report.partition("Forfeits, with an example of each\n")[2].partition("\n\n")[0]
    faults = re.findall(r"^    ([a-z -]+): \d+ games?; ", shown, re.MULTILINE)
    assert bool(faults) == bool(shown), report
    assert {*faults} <= LATE, report
