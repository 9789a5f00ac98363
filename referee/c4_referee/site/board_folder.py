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
from c4_referee.storage.contests import StoredContest

BOARD = "board"
"""Folder of the board in a site."""
WIDTHS, HEIGHTS = range(3, 12), range(3, 11)
"""Numbers of columns and rows that the board can have. A line has at least three stones."""


def is_for_board(rules: Variant | VariantRecord) -> bool:
    """Return whether games of a variant can be played on the board."""
    fits = rules.width in WIDTHS and rules.height in HEIGHTS
    has_lines = 3 <= rules.connect <= max(rules.width, rules.height)
    has_usual_rules = rules.gravity and not rules.steal and tuple(rules.directions) == DIRECTIONS
    return fits and has_lines and has_usual_rules


@contextmanager
def copied_board(folder: Path, contests: Sequence[StoredContest]) -> Iterator[Callable[[], bool]]:
    """Let ``c4-bot`` copy the board into a folder while other work is done.

    Nothing is copied if no game can be played on it. Yields a function that waits for the end and
    returns whether the board is there. If the copy failed, it says why on standard error.
    """
    if not any(each.all_games and is_for_board(each.variant) for each in contests):
        yield lambda: False
        return
    try:
        command = _copy_command(folder)
    except UsageError as error:
        _tell_missing(str(error))
        yield lambda: False
        return
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        process_group=0,  # Ctrl-C ends only the analysis
    ) as copier:  # fmt: skip
        yield lambda: _is_copied(copier)


def _copy_command(folder: Path) -> tuple[str, ...]:
    """Return the command that copies the board. Raises ``UsageError`` if there is none."""
    if folder.is_symlink():
        raise UsageError(f"cannot write {folder}: it is a link: move it away")
    return (*start_of("c4-bot"), "--web", f"--out={folder}")


def _is_copied(copier: subprocess.Popen[bytes]) -> bool:
    """Wait for the end of a copy; return whether it succeeded."""
    _, errors = copier.communicate()
    if copier.returncode:
        reason = errors.decode(errors="replace").strip().rpartition("\n")[2]
        _tell_missing(reason or f"c4-bot ended with code {copier.returncode}")
    return copier.returncode == 0


def _tell_missing(reason: str) -> None:
    sys.stderr.write(f"c4-referee: the pages have no board to play on: {visible(reason)}\n")
