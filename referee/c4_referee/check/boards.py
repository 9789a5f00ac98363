"""Makes the positions that a bot is asked about, for any variant.

Every run makes the same positions.
"""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import STEAL, Variant, cells_of

RANDOM_MOVES = 4000
"""Maximum number of random moves that are played to find a game that fills the board.

This is about a hundred games on 7x6. Some of them fill the board.
"""
TRIES = 200
"""Maximum number of random games to find a position with columns of given heights."""


@lru_cache(maxsize=64)
def game(variant: Variant, seed: int = 0, opener: Seat = 1) -> tuple[Position, ...]:
    """Return the positions of one game that have a legal move, beginning with the empty board.

    Moves are random. Both players avoid moves that win, so that games are long. The result is the
    longest of several random games.
    """
    rng = random.Random(seed)
    longest: tuple[Position, ...] = ()
    for _ in range(RANDOM_MOVES // variant.cells + 1):
        longest = max(longest, _play_random_game(Position(variant, player=opener), rng), key=len)
        if len(longest) == variant.cells:
            break
    return longest


def middle(variant: Variant, seed: int = 0, opener: Seat = 1) -> Position:
    """Return a position with about eight stones and the opener to move."""
    positions = game(variant, seed, opener)
    return positions[min(8, len(positions) - 1) // 2 * 2]


def first_question(variant: Variant, player: Seat = 1) -> Position | None:
    """Return the position of a player's first question in a game from the empty board.

    Return ``None`` if the first move ends the game.
    """
    empty = Position(variant)
    return empty if player == 1 else _if_not_over(empty.play(empty.moves[0]))


def next_question(position: Position, cell: int, *, steals: bool = False) -> Position | None:
    """Return the position of the next question in a game, or ``None`` if the game is over.

    ``cell`` is the bot's answer to the last question, which was about ``position``. With
    ``steals``, the other player steals if that is allowed. Otherwise it avoids the end of the game,
    and plays in the bot's column if possible, so that a bot that always plays in one column soon
    finds it full.
    """
    following = _if_not_over(position.play(cell))
    if following is None:
        return None
    is_stolen = steals and following.can_steal
    return _if_not_over(following.play(STEAL if is_stolen else _long_game_move(following, cell)))


def _long_game_move(position: Position, last: int) -> int:
    """Return a move that lets the game go on for a while, if possible in the column of ``last``."""
    cells = [*cells_of(_quiet(position) or position.playable)]
    safe = [cell for cell in cells if not position.play(cell).winning_cells] or cells
    best = [cell for cell in safe if not _can_threaten_twice(position.play(cell))] or safe
    column = position.variant.columns[position.variant.column_of(last)] if last != STEAL else 0
    return next((cell for cell in best if column >> cell & 1), best[len(best) // 2])


def _can_threaten_twice(position: Position) -> bool:
    """Return whether a move makes two threats at once. The other player can stop only one."""
    following = (position.play(cell) for cell in cells_of(position.playable))
    return any(after.opponent_winning_cells.bit_count() > 1 for after in following)


def _if_not_over(position: Position) -> Position | None:
    return None if position.is_over else position


def with_full_centre(variant: Variant) -> Position:
    """Return a position with a full central column, or two of them if the width is even."""
    position = Position(variant)
    for _ in range(variant.height * (2 - variant.width % 2)):
        quiet = _quiet(position)
        following = [
            position.play(cell) for cell in position.moves if cell != STEAL and quiet >> cell & 1
        ]
        if not following or following[0].is_full:
            break
        position = following[0]
    return position


def winnable(variant: Variant) -> Position | None:
    """Return a position in which a move wins, or ``None`` if no such position is found."""
    return next((position for position in _positions(variant) if position.winning_cells), None)


def threatened(variant: Variant) -> Position | None:
    """Return a position in which no move wins and the opponent could win in exactly one cell.

    Return ``None`` if no such position is found.
    """
    for position in _positions(variant):
        if not position.winning_cells and position.opponent_winning_cells.bit_count() == 1:
            return position
    return None


def _positions(variant: Variant) -> Iterator[Position]:
    """Yield the positions of three games."""
    for seed in range(3):
        yield from game(variant, seed)


def _play_random_game(position: Position, rng: random.Random) -> tuple[Position, ...]:
    """Return the positions of a random game of quiet moves, which do not win.

    The game ends when there is no quiet move. A position whose board is full is left out.
    """
    positions = []
    while not position.is_full:
        positions.append(position)
        cells = list(cells_of(_quiet(position)))
        if not cells:
            break
        position = position.play(rng.choice(cells))
    return tuple(positions)


def _quiet(position: Position) -> int:
    """Return the cells of quiet moves, which do not win, as a bitboard."""
    return position.playable & ~position.winning_cells


@lru_cache(maxsize=64)
def with_heights(variant: Variant, heights: tuple[int, ...]) -> Position | None:
    """Return a position whose columns have these heights and in which nobody has won.

    The function tries at most ``TRIES`` random games. It returns ``None`` if none of them leads to
    such a position. If short lines win, such a position may still exist.
    """
    rng = random.Random(0)
    tries = (_fill(Position(variant), heights, rng) for _ in range(TRIES))
    return next(filter(None, tries), None)


def edges(variant: Variant) -> Iterator[Position]:
    """Yield a position in which only the first column has room, then one for the last column.

    A position that is not found is left out. Without gravity, nothing is generated.
    """
    full = (variant.height,) * (variant.width - 1)
    wanted = ((0, *full), (*full, 0)) if variant.gravity else ()
    yield from filter(None, (with_heights(variant, heights) for heights in wanted))


def _fill(position: Position, heights: Sequence[int], rng: random.Random) -> Position | None:
    """Return the position after random quiet moves up to these heights.

    Return ``None`` if there is no quiet move before the heights are reached.
    """
    variant = position.variant
    goal = sum(
        1 << variant.cell(column, row)
        for column, height in enumerate(heights)
        for row in range(height)
    )
    while position.ply < sum(heights):
        cells = list(cells_of(_quiet(position) & goal))
        if not cells:
            return None
        position = position.play(rng.choice(cells))
    return position


def board_text(position: Position, first_column: str = "0") -> str:
    """Return a position as text, with the names of the columns and the legal moves.

    ``first_column`` is the name of the leftmost column, a digit or a letter. Without gravity, the
    rows have numbers too, and every free cell is a legal move.
    """
    variant = position.variant
    lines = []
    for row in reversed(range(variant.height)):
        cells = (variant.cell(column, row) for column in range(variant.width))
        number = "" if variant.gravity else f"  {(variant.height - 1 - row) % 10}"
        lines.append(" ".join(_sign(position, cell) for cell in cells) + number)
    names = [_column_name(column, first_column) for column in range(variant.width)]
    lines.append("-" * (2 * variant.width - 1))
    lines.append(f"{' '.join(name[-1] for name in names)}  {_legal_moves(position, names)}")
    lines.append(f"player {position.player} is to move")
    return "\n".join(lines)


def _column_name(column: int, first: str) -> str:
    """Return the name of a column if the name of the leftmost one is ``first``."""
    return str(int(first) + column) if first.isdigit() else chr(ord(first) + column)


def _legal_moves(position: Position, names: Sequence[str]) -> str:
    """Return a text that says how moves are written and which are legal."""
    variant = position.variant
    if not variant.gravity:
        return "a move is [column, row] of a dot"
    room = [name for name, cells in zip(names, variant.columns, strict=True)
            if position.playable & cells]  # fmt: skip
    steal = f"; the steal is {STEAL}" if position.can_steal else ""
    return f"columns from {names[0]}; with room: {', '.join(room)}{steal}"


def _sign(position: Position, cell: int) -> str:
    """Return the character of a cell: the player's number, or a dot if it is empty."""
    return next((str(i + 1) for i in (0, 1) if position.stones[i] >> cell & 1), ".")


@lru_cache(maxsize=8)
def won_by_either(variant: Variant) -> Position | None:
    """Return a position in which each player could win with one move, in different cells."""
    for position in _positions(variant):
        own, other = position.winning_cells, position.opponent_winning_cells
        if own.bit_count() == other.bit_count() == 1 and own != other:
            return position
    return None
