"""A proof of who wins, in games without gravity, and its file.

The file is JSON lines. The first line says what is proven: the game, the moves that lead to the
position, whether the player to move wins or loses, the maximum number of stones of the winner, and
the number of steps. Every other line is a step:

- ``own`` and ``other``: the stones of the winner and of the opponent
- ``move``: the winner's move in this position, ``null`` if the opponent is to move
- ``most``: the maximum number of stones that the winner still needs, with this move
- ``lines``: answers to the opponent's replies. Each is a sequence of cells: a stone of the winner,
  the reply that it forces, and so on. After the last stone the winner has a complete line, or can
  complete a line in two ways.

Every reply to the move leads to the position of another step, which may be rotated or mirrored, or
is answered by one of the ``lines``.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

import orjson
from c4_protocol.rules.notation import cell_name
from c4_protocol.rules.position import Position, other_seat
from c4_protocol.rules.variant import HORIZONTAL, VERTICAL, Variant, cells_of

from c4_bot.solve.line.solver import Step

CellMap = dict[int, int]
"""Map from each cell to the cell that it becomes when the board is rotated or mirrored."""


def board_symmetries(variant: Variant) -> list[CellMap]:
    """Return all ways to rotate or mirror a board after which its lines are lines again."""
    alike = (HORIZONTAL in variant.directions) == (VERTICAL in variant.directions)
    turns = (False, True) if variant.width == variant.height and alike else (False,)
    return [_cell_map(variant, *how) for how in product(turns, (False, True), (False, True))]


def _cell_map(variant: Variant, turned: bool, across: bool, up: bool) -> CellMap:
    image = {}
    for x, y in product(range(variant.width), range(variant.height)):
        u, v = variant.width - 1 - x if across else x, variant.height - 1 - y if up else y
        image[variant.cell(x, y)] = variant.cell(v, u) if turned else variant.cell(u, v)
    return image


class Proof:
    """The steps of a proof about ``position``. The first step is for this position."""

    def __init__(self, position: Position, wins: bool, steps: Sequence[Step]) -> None:
        self.position = position
        self.wins = wins
        self.steps = steps
        self._symmetries = board_symmetries(position.variant)
        self._steps_by_stones = {(step.position.own, step.position.other): step for step in steps}

    @property
    def most(self) -> int:
        """The maximum number of stones that the winner needs."""
        return self.steps[0].most

    def step(self, own: int, other: int) -> Step | None:
        """Return the step for these stones of the winner and the opponent.

        Return ``None`` if there is no step for this position or one of its images.
        """
        for image in self._symmetries:
            step = self._steps_by_stones.get(
                (_mapped_board(own, image), _mapped_board(other, image))
            )
            if step is not None:
                back = {there: here for here, there in image.items()}
                position = Position(self.position.variant, (own, other))
                lines = tuple(tuple(back[cell] for cell in line) for line in step.lines)
                cell = None if step.cell is None else back[step.cell]
                return Step(position, cell, step.most, lines)
        return None

    def line(self) -> tuple[int, ...]:
        """Return the cells of a game in which the loser resists as long as the proof allows."""
        return tuple(self._moves_from(self.steps[0]))

    def document(self, moves: str) -> Iterator[bytes]:
        """Yield the lines of the file. ``moves`` is the move string that leads to the position."""
        variant = self.position.variant
        yield _json_line({
            "width": variant.width,
            "height": variant.height,
            "connect": variant.connect,
            "directions": variant.directions,
            "moves": moves,
            "outcome": "win" if self.wins else "loss",
            "most": self.most,
            "steps": len(self.steps),
        })  # fmt: skip
        for step in self.steps:
            yield _json_line({
                "own": _cell_names(variant, cells_of(step.position.own)),
                "other": _cell_names(variant, cells_of(step.position.other)),
                "move": None if step.cell is None else cell_name(variant, step.cell),
                "most": step.most,
                "lines": [_cell_names(variant, line) for line in step.lines],
            })  # fmt: skip

    def _moves_from(self, step: Step) -> Iterator[int]:
        """Yield the moves from a step to the end of the game."""
        while True:
            position = step.position
            if step.cell is None:  # the opponent is to move
                position = Position(position.variant, position.stones, other_seat(position.player))
            else:
                yield step.cell
                position = position.play(step.cell)
            if position.is_won:
                return
            children = [position.play(reply) for reply in position.moves]
            later = [found for child in children if (found := self.step(child.own, child.other))]
            if not later:
                yield from _longest_ending(position, step.lines)
                return
            step = max(later, key=lambda found: found.most)
            yield from cells_of(step.position.other & ~position.own)


def _longest_ending(position: Position, lines: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the moves to the end of the game after the reply that resists longest.

    Each reply is answered by the first of the ``lines`` that wins against it.
    """
    ends = []
    for reply in position.moves:
        after = position.play(reply)
        winning = filter(None, (moves_along_line(after, line) for line in lines))
        if end := next(winning, ()):
            ends.append((reply, *end))
    return max(ends, key=len)


def moves_along_line(position: Position, line: Iterable[int]) -> tuple[int, ...] | None:
    """Return all moves from a position to the win of the player to move along a line of play.

    Return ``None`` if the line does not win. It wins if each stone of the player forces the next
    reply, and no reply makes a threat that the player's next stone does not stop.
    """
    moves: list[int] = []
    for cell in line:
        forced = position.opponent_winning_cells
        if not position.playable >> cell & 1:
            return None
        is_reply = len(moves) % 2 == 1
        position = position.play(cell)
        moves.append(cell)
        if position.is_won and not is_reply:
            return tuple(moves)
        if forced & ~(1 << cell) or (is_reply and not forced):
            return None
    threats = position.opponent_winning_cells
    return (*moves, *islice(cells_of(threats), 2)) if threats & (threats - 1) else None


def _mapped_board(board: int, image: CellMap) -> int:
    return sum(1 << image[cell] for cell in cells_of(board))


def _cell_names(variant: Variant, cells: Iterable[int]) -> str:
    return "".join(cell_name(variant, cell) for cell in cells)


def _json_line(value: dict[str, object]) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
