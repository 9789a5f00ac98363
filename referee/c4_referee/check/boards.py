"""Makes the positions that a bot is asked about, for any variant.

Every run makes the same positions.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from c4_protocol.rules.notation import grid_of
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
        longest = max(longest, _random_game(Position(variant, player=opener), rng), key=len)
        if longest[-1].is_full:
            break
    return longest[: variant.cells]  # without the full board


def middle(variant: Variant, opener: Seat = 1) -> Position:
    """Return a position with about eight stones and the opener to move."""
    positions = game(variant, opener=opener)
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
    """Return a position with a full central column, or two of them if the width is even.

    If no such position is found, return the last position of a long game.
    """
    width = variant.width
    heights = (variant.height * (width - 2 <= 2 * column <= width) for column in range(width))
    position = with_heights(variant, tuple(heights))
    return game(variant)[-1] if position is None or position.is_full else position


def first_position(variant: Variant, is_wanted: Callable[[Position], object]) -> Position | None:
    """Return the first wanted position of three games, or ``None`` if there is none."""
    games = (game(variant, seed) for seed in range(3))
    return next(filter(is_wanted, chain.from_iterable(games)), None)


def threatened_cell(position: Position) -> int:
    """Return the only cell in which the opponent could win, as a bitboard, if no move wins.

    Otherwise return 0.
    """
    cells = position.opponent_winning_cells
    return cells if not position.winning_cells and cells.bit_count() == 1 else 0


def _random_game(position: Position, rng: random.Random, goal: int = -1) -> tuple[Position, ...]:
    """Return the positions of a random game of quiet moves in the cells of a bitboard.

    The game ends when there is no such move. The first position is the one that is given.
    """
    positions = [position]
    while cells := [*cells_of(_quiet(positions[-1]) & goal)]:
        positions.append(positions[-1].play(rng.choice(cells)))
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
    goal = sum(
        1 << variant.cell(column, row)
        for column, height in enumerate(heights)
        for row in range(height)
    )
    tries = (_random_game(Position(variant), rng, goal)[-1] for _ in range(TRIES))
    return next((position for position in tries if position.occupied == goal), None)


def edges(variant: Variant) -> Iterator[Position]:
    """Yield a position in which only the first column has room, then one for the last column.

    A position that is not found is left out. Without gravity, nothing is generated.
    """
    full = (variant.height,) * (variant.width - 1)
    wanted = ((0, *full), (*full, 0)) if variant.gravity else ()
    yield from filter(None, (with_heights(variant, heights) for heights in wanted))


def board_text(position: Position, first_column: str = "0") -> str:
    """Return a position as text, with the names of the columns and the legal moves.

    ``first_column`` is the name of the leftmost column, a digit or a letter. Without gravity, the
    rows have numbers too, and every free cell is a legal move.
    """
    variant = position.variant
    lines = [
        " ".join(".12"[stone] for stone in row) for row in zip(*grid_of(position), strict=True)
    ]
    if not variant.gravity:
        lines = [f"{line}  {number % 10}" for number, line in enumerate(lines)]
    names = [_column_name(column, first_column) for column in range(variant.width)]
    lines.append("-" * (2 * variant.width - 1))
    lines.append(f"{' '.join(name[-1] for name in names)}  {_legal_moves(position, names)}")
    if variant.gravity:
        columns = " ".join(str(column)[-1] for column in range(1, variant.width + 1))
        lines.append(f"{columns}  columns of people")
    lines.append(f"player {position.player} is to move")
    return "\n".join(lines)


def _column_name(column: int, first: str) -> str:
    """Return the name of a column if the name of the leftmost one is ``first``."""
    return str(int(first) + column) if first.isdigit() else chr(ord(first) + column)


def _legal_moves(position: Position, names: Sequence[str]) -> str:
    """Return a text that says how moves are written and which are legal."""
    variant = position.variant
    if not variant.gravity:
        return "a move is [column, row] of a dot, both from 0"
    room = [name for name, cells in zip(names, variant.columns, strict=True)
            if position.playable & cells]  # fmt: skip
    steal = f"; the steal is {STEAL}" if position.can_steal else ""
    return f"moves; with room: {', '.join(room)}{steal}"
