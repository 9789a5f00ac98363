"""Moves of games that a file writes as text, and the results that follow from them.

Every function here checks its moves by the rules. For texts that are not those of a game, it raises
``ArenaError`` or ``ValueError``.
"""

import re
from collections.abc import Sequence

from c4_protocol.program.text import shortened
from c4_protocol.rules.notation import COLUMN_NAMES, moves_text, replay
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.records.formats import NO_RESULT, RESULTS_BY_WINNER, StoredGame, game_with_result

SQUARE_PATTERN = re.compile(r"(?:[Pp]?@)?([A-Za-z])([1-9][0-9]?)[+#!?]*")
"""Pattern for a move in a PGN: the file of the stone, from the left, and its rank, from below."""


def move_string(text: str, variant: Variant, start: str = "") -> str:
    """Return the move string of a game: the moves of ``start``, then those that a file lists.

    The text is a move string with any blanks, or a list of squares such as ``d1`` or ``P@d1``.
    Raises ``ArenaError`` or ``ValueError`` if it is not a game.
    """
    squares = [*map(SQUARE_PATTERN.fullmatch, text.split())] if variant.gravity else []
    if not squares or not all(squares):
        joined = ("" if variant.gravity else " ").join([*start.split(), *text.split()])
        replay(joined, variant)
        return joined
    found = [(ord(square[1].lower()) - ord("a"), int(square[2])) for square in squares if square]
    moves = start + "".join(COLUMN_NAMES[column] for column, _ in found)
    cells = replay(moves, variant)[1]
    for square, (_, rank), cell in zip(squares, found, cells[-len(found) :], strict=True):
        if square and variant.row_of(cell) != rank - 1:
            raise ValueError(f"{shortened(square[0])} is not where the stone falls in its column")
    return moves


def played_game(
    names: tuple[str, str],
    position: Position,
    cells: Sequence[int],
    claimed: str = "",
    fault: str = "",
    opening: int = 0,
) -> StoredGame:
    """Return a game whose moves lead to ``position``. The rules give its result if it is over.

    ``names`` are in the order of the seats. ``claimed`` is the result in the file, as in
    ``WINNERS``, or empty. ``fault`` is the fault by which the loser forfeited the game, or empty.
    ``opening`` is the number of moves of the opening. Raises ``ValueError`` if the moves give
    another result.
    """
    if position.is_over:
        claimed, fault = checked_result(claimed, position), ""
    variant = position.variant
    moves, start = (moves_text(variant, each) for each in (cells, cells[:opening]))
    return game_with_result(*names, claimed or NO_RESULT, moves, fault, start, str(variant))


def checked_result(claimed: str, position: Position) -> str:
    """Return the result of a game that is over; raise ``ValueError`` if the file claims another."""
    given = RESULTS_BY_WINNER[position.winner]
    if claimed not in {"", NO_RESULT, given}:
        raise ValueError(f"the result is {claimed}, but the moves give {given}")
    return given
