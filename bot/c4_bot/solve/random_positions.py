"""Random positions of a variant, as lines of moves that ``c4-solve`` reads."""

import random
from collections.abc import Iterator

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

MAX_ATTEMPTS = 10_000
"""Maximum number of random games in succession that lead only to positions that are known."""


def random_lines(number: int, plies: range, seed: int | None, variant: Variant) -> Iterator[bytes]:
    """Yield the moves to ``number`` different random positions in which the game is not over.

    Each game is played at random, without moves that end it, up to a random number of stones in
    ``plies``. Two mirror images count as the same position. Raises ``UsageError`` if there are
    not as many positions, or if ``plies`` is not possible.
    """
    if plies[-1] >= variant.cells:
        raise UsageError(
            f"--plies: {variant} has {variant.cells} cells, so an unfinished game has at most "
            f"{variant.cells - 1} stones"
        )
    draw, known = random.Random(seed), set[Position]()
    for found in range(number):
        for _ in range(MAX_ATTEMPTS):
            moves, position = _random_game(draw.choice(plies), draw, variant)
            if position and not {position, position.mirrored()} & known:
                break
        else:
            raise UsageError(
                f"--random {number}: found only {found} different positions; two mirror images "
                "count as one"
            )
        known.add(position)
        yield moves.encode()


def moves_to_open_position(ply: int, draw: random.Random, variant: Variant) -> str:
    """Return moves to a random position of ``ply`` stones in which the game is not over."""
    while True:
        moves, position = _random_game(ply, draw, variant)
        if position:
            return moves


def _random_game(ply: int, draw: random.Random, variant: Variant) -> tuple[str, Position | None]:
    """Return random moves and the position after them, or ``None`` if all moves end the game."""
    position, cells = Position(variant), []
    while position.ply < ply:
        open_moves = [cell for cell in position.moves if not position.play(cell).is_over]
        if not open_moves:
            return "", None
        cells.append(draw.choice(open_moves))
        position = position.play(cells[-1])
    return moves_text(variant, cells), position
