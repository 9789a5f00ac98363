"""The board to play on in a site: ``c4-bot --web`` copies it into a folder beside the pages."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible
from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.variant import DIRECTIONS, Variant

from c4_referee.bots.own import start_of
from c4_referee.records.storage.contests import StoredContest

BOARD = "board"
"""Folder of the board in a site."""
WIDTHS, HEIGHTS, CONNECTS = range(3, 12), range(3, 11), range(3, 7)
"""Numbers of columns, of rows and of stones in a line that the board supports, as in
``c4_bot/web/__init__.py``."""


def is_for_board(rules: Variant | VariantRecord) -> bool:
    """Return whether games of a variant can be played on the board."""
    fits = rules.width in WIDTHS and rules.height in HEIGHTS
    has_lines = rules.connect in CONNECTS and rules.connect <= max(rules.width, rules.height)
    has_usual_rules = rules.gravity and not rules.steal and tuple(rules.directions) == DIRECTIONS
    return fits and has_lines and has_usual_rules


@contextmanager
def copied_board(folder: Path, contests: Sequence[StoredContest]) -> Iterator[Callable[[], bool]]:
    """Copy the board as ``board_copy`` does, if a game can be played on it."""
    if any(each.all_games and is_for_board(each.variant) for each in contests):
        with board_copy(folder) as has_board:
            yield has_board
    else:
        yield lambda: False


@contextmanager
def board_copy(folder: Path) -> Iterator[Callable[[], bool]]:
    """Copy the board with ``c4-bot`` in the background.

    Yields a function that waits for the copy, prints a failure to standard error, and returns
    whether the board exists.
    """
    try:
        started = _started(folder)
    except UsageError as error:
        _tell_missing(str(error))
        yield lambda: False
        return
    with started as copier:
        yield lambda: _is_copied(copier)


def _started(folder: Path) -> subprocess.Popen[bytes]:
    """Start ``c4-bot``, which copies the board; raise ``UsageError`` if this is not possible."""
    if folder.is_symlink():
        raise UsageError(f"cannot write {folder}: it is a link: move it away")
    command = (*start_of("c4-bot"), "--web", f"--out={folder}")
    try:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            process_group=0,  # Ctrl-C ends only the analysis
        )  # fmt: skip
    except OSError as error:
        raise UsageError(f"cannot start c4-bot: {error.strerror}") from None


def _is_copied(copier: subprocess.Popen[bytes]) -> bool:
    """Wait for the end of a copy; return whether it succeeded."""
    _, errors = copier.communicate()
    code = copier.returncode
    if code:
        reason = errors.decode(errors="replace").strip().rpartition("\n")[2]
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        _tell_missing(reason or f"c4-bot {how}")
    return code == 0


def _tell_missing(reason: str) -> None:
    sys.stderr.write(f"c4-referee: the pages have no board to play on: {visible(reason)}\n")
