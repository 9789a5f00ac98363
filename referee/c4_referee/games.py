"""Records of games for Python users: with boards, exact values and mistakes."""

import os
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

from c4_protocol.board import Board
from c4_protocol.program.errors import UsageError
from c4_protocol.program.numbers import checked_integer
from c4_protocol.program.text import shown
from c4_protocol.records import events

from c4_referee.bots.toml import check_system_texts
from c4_referee.contest.judging.solver_process import is_named_by_solver
from c4_referee.contest.judging.solving import solve_games
from c4_referee.contest.judging.values import ExactValues
from c4_referee.records.formats import UnreadableLine
from c4_referee.records.stats.analysis import analyse
from c4_referee.records.stats.solved import Change, GameAnalysis
from c4_referee.records.storage.contests import read_contests
from c4_referee.records.storage.game_files import folder_of_source
from c4_referee.records.storage.imported import imported_games
from c4_referee.records.storage.meant import chosen_contest
from c4_referee.report.terminal.progress import JudgingProgress

SOLVE_SECONDS = 60.0
"""Maximum time for solving the positions of a game, in seconds."""


@dataclass(frozen=True)
class GameEnded(events.GameEnded):
    """The record of a game, with its positions and their exact values.

    The other fields are those of ``c4_protocol``'s record: ``moves`` is a move string, ``winner``
    is 1, 2 or 0, ``ms`` has the time of each move after the opening in milliseconds.
    """

    @classmethod
    def of(cls, record: events.GameEnded) -> "GameEnded":
        """Return a record with the fields of another."""
        return cls(**{field.name: getattr(record, field.name) for field in fields(record)})

    @cached_property
    def boards(self) -> list[Board]:
        """The n + 1 positions of a game with n moves, from the empty board on."""
        separator = "" if self.rules.gravity else " "
        return [
            Board.from_moves(separator.join(self.move_names[:ply]), self.rules)
            for ply in range(self.plies + 1)
        ]

    @cached_property
    def values(self) -> tuple[int | None, ...]:
        """The exact value of each position for the player to move, as ``SolvedBoard.score``.

        The positions are solved when this is first used, in at most ``SOLVE_SECONDS`` seconds. A
        value that is not known then is ``None``. Ctrl-C raises ``KeyboardInterrupt``.
        """
        return tuple(self._analysis().values)

    def mistakes(self, progress: bool = False) -> list[Change]:
        """Return the moves of the bots that threw away a win or a draw, in order.

        Each has ``ply`` (the number of moves before it), ``before`` and ``after`` (the values for
        its player), ``better`` (the names of the best moves; columns count from 1), and ``reason``
        (a sentence that explains it, or an empty text if none was found in time). The positions
        are solved as for ``values``; ``progress`` shows their number on standard error.
        """
        return [*self._analysis(is_shown=progress).changes]

    def rows(self) -> list[dict[str, object]]:
        """Return a dictionary for each move after the opening, for a table.

        ``move`` is the name of the move, with columns from 1. Values are not computed.
        """
        no_times = ((None, None),) * self.plies
        times = zip(self.ms, self.cpu_ms, strict=True) if self.ms else no_times
        return [
            {
                "game": self.game,
                "number": ply + 1,
                "bot": self.mover(ply),
                "move": self.move_names[ply],
                "ms": ms,
                "cpu_ms": cpu_ms,
            }
            for ply, (ms, cpu_ms) in zip(range(self.start, self.plies), times, strict=False)
        ]

    def _analysis(self, *, is_shown: bool = False) -> GameAnalysis:
        """Return the analysis, which is made once. Raise ``KeyboardInterrupt`` on Ctrl-C."""
        analysis: GameAnalysis | None = self.__dict__.get("_analysed")
        if analysis is None:
            values, variant = ExactValues({}), self.rules
            if is_named_by_solver(variant):
                with JudgingProgress() if is_shown else nullcontext() as bar:

                    def show(_: object) -> None:
                        if bar:
                            bar(values.count, None)

                    values = ExactValues({}, show)
                    solving = solve_games([self], variant, values, SOLVE_SECONDS)
                if solving.ended == "interrupt":
                    raise KeyboardInterrupt
            analysis = self.__dict__["_analysed"] = analyse(self, values.known)
        return analysis


def read_games(path: str | Path, contest: int | str | None = None) -> Iterator[GameEnded]:
    """Yield the games of a folder of ``--out``, or of a file in any format that ``report`` reads.

    In a folder, these are the games that count in the contest that was played or continued last,
    or in ``contest``, its number from 1. If there are others, a ``UserWarning`` says so. With
    ``"all"``, they are all stored games of all contests. A line or a game that cannot be read is a
    ``UserWarning``. Raises ``UsageError`` if the folder or the file cannot be read, or if there is
    no such contest.
    """
    check_path(path, "path")
    is_all = isinstance(contest, str) and contest == "all"
    number = (
        None if is_all or contest is None else checked_integer(contest, 'contest, if not "all",')
    )
    folder = folder_of_source(path)
    if folder or os.path.isdir(path):  # noqa: PTH112 - a Path raises an error for a long name
        contests = read_contests(folder or Path(path))
        if is_all or not contests:
            yield from (GameEnded.of(game) for each in contests for game in each.all_games)
            return
        chosen, note = chosen_contest(str(path), contests, number, "contest=", ', "all" all')
        if note:
            warnings.warn(note, stacklevel=2)
        yield from map(GameEnded.of, chosen.games)
        return

    def warn_of_line(_: str, bad: UnreadableLine) -> None:
        warnings.warn(f"{path}:{bad.number}: {bad.reason}", stacklevel=3)

    def warn_of_game(number: int, reason: str) -> None:
        warnings.warn(f"{path}: game {number}: {reason}", stacklevel=4)

    try:
        yield from map(GameEnded.of, imported_games([str(path)], warn_of_line, warn_of_game))
    except OSError as error:
        raise UsageError(f"cannot read {shown(str(path))}: {error.strerror}") from None


def check_path(path: object, name: str) -> None:
    """Raise ``UsageError`` if an argument is not the name of a file or a folder."""
    if not isinstance(path, str | Path):
        raise UsageError(f"{name} is the name of a file or a folder, not {shown(path)}")
    try:
        check_system_texts(str(path))
    except ValueError as error:
        raise UsageError(
            f"{name} is the name of a file or a folder, not {shown(path)}: {error}"
        ) from None
