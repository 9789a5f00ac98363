"""The file that plays ConnectX on Kaggle: the module ``agent`` with its opening book."""

import base64
import zlib
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(__file__).parent
AGENT_PATH = FOLDER / "agent.py"
BOOK_TEXT_PATH = FOLDER / "7x6.txt"
"""Columns of the opening book (see ``c4_bot.export.book``)."""
TITLE_COMMENT = "# A player of ConnectX, made by: c4-bot export kaggle"
"""First line of every exported file."""
FILE_HEADER = """\
{title}
# Version: c4-arena {version}
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the c4-arena authors
#
# Submit this file to Kaggle's competition ConnectX, or play it in kaggle-environments:
#   make("connectx").run(["submission.py", "negamax"])
# It needs only Python 3.8 or later. The opening book is at the end of the file.
"""
BOOK_LINE_LENGTH = 96
"""Characters per line of the opening book."""


def submission_text() -> str:
    """Return the text of a file for Kaggle: a header, the agent, and its opening book."""
    header = FILE_HEADER.format(title=TITLE_COMMENT, version=version("c4-arena"))
    agent = AGENT_PATH.read_text(encoding="utf-8")
    return f'{header}{agent}\n\nBOOK = """\n{encoded_book()}\n"""\n'


def encoded_book() -> str:
    """Return the opening book as ``agent.read_book`` reads it, cut into lines."""
    text = base64.b85encode(zlib.compress(BOOK_TEXT_PATH.read_bytes(), 9)).decode()
    return "\n".join(
        text[start : start + BOOK_LINE_LENGTH] for start in range(0, len(text), BOOK_LINE_LENGTH)
    )
