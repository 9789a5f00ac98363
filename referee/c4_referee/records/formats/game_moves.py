"""Moves of games that a file writes as text, and the results that follow from them.

Every function here checks its moves by the rules. For texts that are not those of a game, it raises
``ArenaError`` or ``ValueError``.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from c4_protocol.program.errors import VariantError
from c4_protocol.program.text import shortened
from c4_protocol.rules.fen import position_of_fen
from c4_protocol.rules.notation import COLUMN_NAMES, moves_text, replay
from c4_protocol.rules.position import Position
from c4_protocol.rules.route import moves_between
from c4_protocol.rules.variant import Variant

from c4_referee.records.formats import NO_RESULT, RESULTS_BY_WINNER, StoredGame, game_with_result

SQUARE_PATTERN = re.compile(r"(?:[Pp]?@)?([A-Za-z])([1-9][0-9]?)[+#!?]*")
"""Pattern for a move in a PGN: the file of the stone, from the left, and its rank, from below."""
MAX_FEN_LENGTH = 10_000
"""Maximum number of characters of a FEN that are read. The largest board needs fewer."""
EndingName = Literal["line", "full board", "forfeit", "ended early", "void"]


class CheckedGame(NamedTuple):
    """The course of a game from a file, by the rules. ``opening`` begins ``moves``."""

    variant: Variant
    opening: str
    moves: str
    position: Position
    cells: list[int]
    ending: EndingName


def checked_game(game: StoredGame, listed: str) -> CheckedGame:
    """Return the course of a game whose moves are ``listed``.

    The game "ended early" if its moves do not end it, and the file states a result and no forfeit.
    Raises ``ValueError`` or ``ArenaError`` if the moves break the rules, or if they contradict what
    the file says of the result, the ending or the number of moves.
    """
    try:
        variant = Variant.parse(game.variant)
    except VariantError:
        raise ValueError(f"the variant '{game.variant}' is not one of ours") from None
    opening, (moves, position, cells) = _replayed_opening_and_game(game.opening, listed, variant)
    if game.plies not in {None, len(cells)}:
        raise ValueError(
            f"the file states {game.plies} moves, but lists {len(cells)}: it may be cut"
        )
    return CheckedGame(variant, opening, moves, position, cells, _ending_of_game(game, position))


def _replayed_opening_and_game(
    opening: str, listed: str, variant: Variant
) -> tuple[str, tuple[str, Position, list[int]]]:
    """Return the opening of a game, and what ``replayed_text`` returns for the game."""
    if "/" in opening:  # the tag FEN of a PGN, which is also the beginning of its moves
        goal = position_of_fen(opening[:MAX_FEN_LENGTH], variant)
        cells = moves_between(Position(variant), goal.stones, goal.player)
        if cells is None:
            raise ValueError("no moves lead to the position of the tag FEN")
        start = moves_text(variant, cells)
        return start, replayed_text(listed.removeprefix(opening), variant, start)
    found = replayed_text(listed, variant)
    if not (variant.gravity and found[0].startswith(opening)):
        opening = replayed_text(opening, variant)[0]
    return (opening if found[0].startswith(opening) else ""), found


def _ending_of_game(game: StoredGame, position: Position) -> EndingName:
    """Return how a game ended; raise ``ValueError`` if this contradicts its last position."""
    if game.ending == "void":
        return "void"
    if position.is_over:
        checked_result(RESULTS_BY_WINNER[game.winner], position)
        return "line" if position.winner else "full board"
    if game.ending in {"line", "full board"}:
        raise ValueError(
            "the file says that the last move ended the game, but it did not: it may be cut"
        )
    if not game.fault and game.ending != "forfeit":
        return "ended early"
    if not game.winner:
        raise ValueError("the game is a forfeit without a winner")
    return "forfeit"


def replayed_text(text: str, variant: Variant, start: str = "") -> tuple[str, Position, list[int]]:
    """Return the move string of a game, its last position, and its cells.

    The moves of ``start`` come first, then those that a file lists. The text is a move
    string with any blanks, or a list of squares such as ``d1`` or ``P@d1``.
    Raises ``ArenaError`` or ``ValueError`` if it is not a game.
    """
    squares = [*map(SQUARE_PATTERN.fullmatch, text.split())] if variant.gravity else []
    if not squares or not all(squares):
        joined = ("" if variant.gravity else " ").join([*start.split(), *text.split()])
        return joined, *replay(joined, variant)
    found = [(ord(square[1].lower()) - ord("a"), int(square[2])) for square in squares if square]
    moves = start + "".join(COLUMN_NAMES[column] for column, _ in found)
    position, cells = replay(moves, variant)
    for square, (_, rank), cell in zip(squares, found, cells[-len(found) :], strict=True):
        if square and variant.row_of(cell) != rank - 1:
            raise ValueError(f"{shortened(square[0])} is not where the stone falls in its column")
    return moves, position, cells


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
