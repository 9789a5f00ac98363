"""The file for Kaggle: its header, its code, and its opening book."""

import base64
import re
import zlib
from importlib.metadata import version
from pathlib import Path

from c4_bot.export import agent
from c4_bot.export.kaggle import BOOK_TEXT_PATH, TITLE_COMMENT, encoded_book, submission_text


def last_callable(text):
    """Return the agent as kaggle-environments finds it: the last callable of the file."""
    names = {}
    exec(compile(text, "submission.py", "exec"), names)
    return [value for value in names.values() if callable(value)][-1]


def test_file_begins_with_a_header():
    """The header names the command, the version and the licence."""
    head = submission_text().partition('"""')[0].splitlines()
    assert head[0] == TITLE_COMMENT
    assert head[1] == f"# Version: c4-arena {version('c4-arena')}"
    assert head[2] == "# SPDX-License-Identifier: MIT"
    assert all(line.startswith("#") for line in head)


def test_file_contains_the_module_as_it_is():
    """Between header and book, the file is the module ``agent``."""
    assert Path(agent.__file__).read_text(encoding="utf-8") in submission_text()


def test_last_callable_is_the_agent():
    """Kaggle plays the last callable of the file, which is ``agent`` with two parameters."""
    found = last_callable(submission_text())
    assert found.__name__ == "agent"
    assert found.__code__.co_argcount == 2


def test_file_is_small_and_readable():
    """The file has short lines of ASCII, less than 100 kB, and no path of this machine."""
    text = submission_text()
    assert text.isascii()
    assert len(text) < 100_000
    assert max(map(len, text.splitlines())) <= 100
    assert str(Path(agent.__file__).parent) not in text


def test_only_the_standard_library_is_imported():
    """The file imports only modules that every Python has."""
    found = re.findall(r"^\s*(?:import|from) (\w+)", submission_text(), re.MULTILINE)
    ours = {"__future__", "base64", "collections", "functools", "sys", "time", "typing", "zlib"}
    assert set(found) <= ours


def test_book_is_encoded_and_decoded():
    """The text of the book holds the columns of the data file, in lines of the same length."""
    lines = encoded_book().splitlines()
    assert zlib.decompress(base64.b85decode("".join(lines))) == BOOK_TEXT_PATH.read_bytes()
    assert {len(line) for line in lines[:-1]} == {96}


def test_exported_agent_has_the_book():
    """The exported agent plays the first move of the book at once."""
    found = last_callable(submission_text())
    seen = {"board": [0] * 42, "mark": 1, "remainingOverageTime": 60}
    assert found(seen, {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 2}) == 3
    player = found.__globals__["player_of"](7, 6, 4)
    assert player.book.column(0, 0) == 3
    assert not player.search.best_moves
