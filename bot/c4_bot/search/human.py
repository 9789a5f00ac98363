"""A search that makes the mistakes of people: it overlooks lines, and it judges with noise.

The players of levels 1 to 9 use it. It is iterative deepening (``c4_bot.search.deepening``) with
two differences.

**Overlooked lines.** A draw for each free cell and each direction decides whether the player sees
a line that a stone on this cell completes. If not, the player neither makes nor stops this line, in
any move that it looks ahead. The probability is a product of three factors:

- ``overlooks_now`` thousandths if the line needs one move: only one stone is missing, and it can be
  played now. Otherwise ``overlooks_later`` thousandths.
- ``PERCENT_OF_DIRECTION``: diagonals are overlooked more often than rows and columns.
- ``percent_of_cell``: lines that are completed low and at the edge are overlooked most often.

**Noise.** A number from ``-noise`` to ``noise`` is added to the score of each move, unless the move
seems to win or lose by force. Numbers near 0 are drawn most often.

**Draws.** The generator is splitmix64 (``mixed``). Each draw is a function of the seed, the stones
and the subject of the draw (``Draws``). So an answer depends on the position, the seed and the
parameters alone. It does not depend on earlier answers, the order of moves or the machine.
"""

import os
from dataclasses import dataclass, replace
from functools import cache

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import DIAGONAL, DIRECTIONS, HORIZONTAL, VERTICAL, Variant, cells_of

from c4_bot.contract import MAX_WEIGHT, Evaluator, Limits, OutOfBudget, Result, is_proven, won
from c4_bot.native import native_twin
from c4_bot.search.deepening import DeepeningRun

WORD = (1 << 64) - 1
PERCENT_OF_DIRECTION = {HORIZONTAL: 100, VERTICAL: 100, DIAGONAL: 160}
"""How often lines of a direction are overlooked, in percent of the player's share."""
NOISE = len(DIRECTIONS)
"""Subject of the draw of a move's noise. The subjects before it are the directions."""
CELLS = 64
"""Number of cells above which a board gets fewer nodes, so that the time stays about the same."""
BELIEVED = 10_000
"""Score of a move that seems to win by force, in the evaluator's units. This is no proof, because a
line may have been overlooked."""


def mixed(state: int) -> int:
    """Return the number that the generator splitmix64 draws in a state, both of 64 bits.

    Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014, with the
    constants of its function ``mix64variant13``. The C++ version is ``bot/native/mix.hpp``.
    """
    number = (state + 0x9E3779B97F4A7C15) & WORD
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB & WORD
    return number ^ number >> 31


class Draws:
    """The draws of one answer.

    They begin with the seed. Each 64 bits of the stones of the player to move, and then of the
    opponent, are mixed in, the lowest first. Boards of up to 128 bits count as two such numbers.
    """

    def __init__(self, seed: int, position: Position) -> None:
        self._key = seed
        for stones in (position.own, position.other):
            for shift in range(0, max(position.variant.bits, 65), 64):
                self._key = mixed(self._key ^ (stones >> shift & WORD))

    def of(self, cell: int, subject: int) -> int:
        """Return the number of 64 bits for a cell and a subject, 0 to 3."""
        return mixed(self._key ^ (4 * cell + subject))


def percent_of_cell(variant: Variant, cell: int) -> int:
    """Return how often a line on a cell is overlooked, in hundredths of the player's share.

    It is 50 at the top of the middle column, 150 at the bottom of the columns at the edge.
    """
    across, up = variant.column_of(cell), variant.row_of(cell)
    edge = 50 * abs(2 * across - variant.width + 1) // max(variant.width - 1, 1)
    return 50 + edge + 50 * (variant.height - 1 - up) // max(variant.height - 1, 1)


@dataclass(frozen=True)
class Human:
    """A search that makes people's mistakes. The C++ version is ``bot/native/search/human.hpp``.

    It visits at most ``nodes`` positions, and fewer on a board of more than ``CELLS`` cells.
    ``overlooks_now`` and ``overlooks_later`` are thousandths for a row in the middle of the height
    and halfway to the edge; above 1000, lines elsewhere are overlooked as well. ``noise`` is in the
    evaluator's units. Only the lowest 20 bits of ``seed`` count; without one, each answer gets a
    new seed. Raises ``UsageError`` for a negative number.
    """

    evaluator: Evaluator
    nodes: int = MAX_WEIGHT
    overlooks_now: int = 0
    overlooks_later: int = 0
    noise: int = 0
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.seed is not None:
            object.__setattr__(self, "seed", self.seed % MAX_WEIGHT)
        for name in ("nodes", "overlooks_now", "overlooks_later", "noise"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} is 0 or more, not {getattr(self, name)}")

    def search(self, position: Position, limits: Limits) -> Result:
        """Return a move that a person of this strength could choose.

        The result is exact only if the move completes a line. All other scores are estimates.
        """
        if self.seed is None:
            seeded = replace(self, seed=int.from_bytes(os.urandom(4)))
            return native_twin("human", seeded).search(position, limits)
        nodes = self.nodes * CELLS // max(CELLS, position.variant.cells)
        run = _HumanRun(self, self.seed, limits.capped_at(nodes))
        return _without_claims(position, run.choose(position))


def _without_claims(position: Position, result: Result) -> Result:
    """Return a result that claims a win only if the move completes a line."""
    if position.play(result.cell).is_won:
        line, depth = (result.cell,), max(result.depth, 1)
        return replace(result, score=won(position.ply + 1), exact=True, depth=depth, line=line)
    if not is_proven(result.score):
        return replace(result, exact=False, reason="judged as a person would")
    end, score = ("win", BELIEVED) if result.score > 0 else ("lose", -BELIEVED)
    return replace(result, score=score, exact=False, reason=f"seems to {end}")


class _HumanRun(DeepeningRun):
    """The state of one search. ``choose`` finds what is seen before it searches."""

    def __init__(self, rules: Human, seed: int, limits: Limits) -> None:
        super().__init__(rules.evaluator, limits, reduces=True)
        self.rules, self.seed = rules, seed

    def choose(self, position: Position) -> Result:
        """Return the result of the search; without time, the most central move."""
        moves, draws = position.moves, Draws(self.seed, position)
        try:
            self._look_at(position, draws)
        except OutOfBudget:
            return Result(moves[0], line=(moves[0],))
        self._noise = {cell: _noise(draws.of(cell, NOISE), self.rules.noise) for cell in moves}
        return self.deepen(position, moves)

    def _look_at(self, position: Position, draws: Draws) -> None:
        """Find the cells on which lines of each player are seen, for each direction.

        A direction is the variant in which only lines of this direction count.
        """
        self._seen: tuple[list[tuple[Variant, int]], ...] = ([], [])
        for variant in _variants_of_one_direction(position.variant):
            now, later = self._seen_cells(position, variant.directions[0], draws)
            for stones, seen in zip(position.stones, self._seen, strict=True):
                close = completing_cells(stones, variant) & position.playable
                seen.append((variant, close & now | ~close & later))

    def _seen_cells(self, position: Position, direction: str, draws: Draws) -> tuple[int, int]:
        """Return the free cells on which lines are seen that need one move, and that need more."""
        variant, rules, now, later = position.variant, self.rules, 0, 0
        for cell in cells_of(variant.board & ~position.occupied):
            self.budget.check_clock()
            drawn = draws.of(cell, DIRECTIONS.index(direction)) % 10_000_000
            percent = PERCENT_OF_DIRECTION[direction] * percent_of_cell(variant, cell)
            now |= (drawn >= rules.overlooks_now * percent) << cell
            later |= (drawn >= rules.overlooks_later * percent) << cell
        return now, later

    def _winning_cells(self, position: Position) -> int:
        return self._seen_completing(position, position.player - 1)

    def _opponent_winning_cells(self, position: Position) -> int:
        return self._seen_completing(position, 2 - position.player)

    def _seen_completing(self, position: Position, index: int) -> int:
        """Return the cells on which the player with this index, 0 or 1, is seen to win now."""
        stones, found = position.stones[index], 0
        for variant, seen in self._seen[index]:
            found |= completing_cells(stones, variant) & seen
        return found & position.playable

    def _root_score(self, position: Position, cell: int, depth: int, best: int) -> int:
        noise = self._noise[cell]
        floor = best if is_proven(best) else best - noise
        score = super()._root_score(position, cell, depth, floor)
        return score if is_proven(score) else score + noise


def _noise(drawn: int, most: int) -> int:
    """Return the difference of two numbers from 0 to ``most``."""
    return (drawn & 0xFFFFFFFF) % (most + 1) - (drawn >> 32) % (most + 1)


@cache
def _variants_of_one_direction(variant: Variant) -> tuple[Variant, ...]:
    return tuple(replace(variant, directions=(name,)) for name in variant.directions)
