"""A proof of who wins, where stones go anywhere: to be looked things up in, and written to a file.

The file is JSON lines. The first tells what is proven: the game, the moves that lead to the
position, whether the player to move wins or loses, with how many stones of the winner, and the
number of steps. A step says what the winner plays (``move``, ``null`` where it is not his turn) in
a position of his stones (``own``) and the other player's (``other``), and with how many stones he
has won at most (``most``, this one included). After his move every reply of the other player leads
to a position of another step, perhaps turned or mirrored, or is answered by one of the ``lines``:
the winner's stones and the replies that they force, in turn, until a line is complete or can be
completed in two ways.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, product

import orjson
from c4_protocol.notation import cell_name
from c4_protocol.position import Position, completing_cells, other_seat
from c4_protocol.variant import HORIZONTAL, VERTICAL, Variant, cells_of

from c4_bot.solve.line import Step

Image = dict[int, int]
"""Where the cells go when a board is turned or mirrored."""


def images(variant: Variant) -> list[Image]:
    """The symmetries of a board and its lines."""
    alike = (HORIZONTAL in variant.directions) == (VERTICAL in variant.directions)
    turns = (False, True) if variant.width == variant.height and alike else (False,)
    return [_image(variant, *how) for how in product(turns, (False, True), (False, True))]


def _image(variant: Variant, turned: bool, across: bool, up: bool) -> Image:
    image = {}
    for x, y in product(range(variant.width), range(variant.height)):
        u, v = variant.width - 1 - x if across else x, variant.height - 1 - y if up else y
        image[variant.cell(x, y)] = variant.cell(v, u) if turned else variant.cell(u, v)
    return image


class Proof:
    """The steps of a proof about ``position``, of which the first is the position's own."""

    def __init__(self, position: Position, wins: bool, steps: Sequence[Step]) -> None:
        self.position = position
        self.wins = wins
        self.steps = steps

    @property
    def most(self) -> int:
        """The stones that the winner needs at most."""
        return self.steps[0].most

    def step(self, own: int, other: int) -> Step | None:
        """The step for the winner's stones and the other player's, if there is one."""
        for image in self._images:
            step = self._table.get((_turned(own, image), _turned(other, image)))
            if step is not None:
                back = {there: here for here, there in image.items()}
                position = Position(self.position.variant, (own, other))
                lines = tuple(tuple(back[cell] for cell in line) for line in step.lines)
                cell = None if step.cell is None else back[step.cell]
                return Step(position, cell, step.most, lines)
        return None

    def line(self) -> tuple[int, ...]:
        """A game in which the loser holds out as long as the proof lets him."""
        return tuple(self._game(self.steps[0]))

    def document(self, moves: str) -> Iterator[bytes]:
        """The lines of the file, for the moves that lead to the position."""
        variant = self.position.variant
        yield _json({
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
            yield _json({
                "own": _names(variant, cells_of(step.position.own)),
                "other": _names(variant, cells_of(step.position.other)),
                "move": None if step.cell is None else cell_name(variant, step.cell),
                "most": step.most,
                "lines": [_names(variant, line) for line in step.lines],
            })  # fmt: skip

    @cached_property
    def _images(self) -> list[Image]:
        return images(self.position.variant)

    @cached_property
    def _table(self) -> dict[tuple[int, int], Step]:
        return {(step.position.own, step.position.other): step for step in self.steps}

    def _game(self, step: Step) -> Iterator[int]:
        """The moves from a step on."""
        while True:
            position = _after(step)
            yield from () if step.cell is None else (step.cell,)
            if position.is_won:
                return
            children = [position.play(reply) for reply in position.moves]
            later = [found for child in children if (found := self.step(child.own, child.other))]
            if not later:
                yield from _end(position, step.lines)
                return
            step = max(later, key=lambda found: found.most)
            yield from cells_of(step.position.other & ~position.own)


def _after(step: Step) -> Position:
    """The position after a step's move, or with the other player to move where there is none."""
    if step.cell is not None:
        return step.position.play(step.cell)
    return Position(step.position.variant, step.position.stones, other_seat(step.position.player))


def _end(position: Position, lines: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The longest way to the end of a game of which all replies are answered by lines."""
    ends = (
        (reply, *end)
        for reply in position.moves
        if (end := next(filter(None, (played(position.play(reply), line) for line in lines)), ()))
    )
    return max(ends, key=len)


def played(position: Position, line: Iterable[int]) -> tuple[int, ...] | None:
    """All moves to the end of a line, if it wins for the player to move; else ``None``.

    It does if each of his stones leaves the other player nothing but the next reply, who had
    nothing better before.
    """
    moves: list[int] = []
    for cell in line:
        forced = completing_cells(position.other, position.variant) & position.playable
        if not position.playable >> cell & 1:
            return None
        is_reply = len(moves) % 2 == 1
        position = position.play(cell)
        moves.append(cell)
        if position.is_won and not is_reply:
            return tuple(moves)
        if forced & ~(1 << cell) or (is_reply and not forced):
            return None
    threats = completing_cells(position.other, position.variant) & position.playable
    return (*moves, *islice(cells_of(threats), 2)) if threats & (threats - 1) else None


def _turned(board: int, image: Image) -> int:
    return sum(1 << image[cell] for cell in cells_of(board))


def _names(variant: Variant, cells: Iterable[int]) -> str:
    return "".join(cell_name(variant, cell) for cell in cells)


def _json(found: dict[str, object]) -> bytes:
    return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE)
