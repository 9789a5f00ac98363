"""The native core: it runs C++ versions of searches, which are about a hundred times faster.

The C++ version of a search is its *twin*. It finds the same move as the Python search and visits
the same nodes. For the core, this module converts boards to pairs of 64-bit numbers, and limits to
plain numbers.
"""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple

from c4_protocol.program.errors import ProtocolError
from c4_protocol.program.text import NO_CORE
from c4_protocol.rules.perft import perft as python_perft
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import DIRECTIONS, Variant

from c4_bot.contract import MAX_WEIGHT, Evaluator, Limits, Result, Scored, Search

try:
    from c4_bot import _core

    core, CORE_PROBLEM = _core, ""
except ImportError as error:
    core = None  # type: ignore[assignment]
    CORE_PROBLEM = str(error)

MAX_BITS = 128
"""Maximum number of bits of a board in the core."""
LOWER_HALF = (1 << 64) - 1
MAX_COUNTED, MAX_COUNTED_IN_PYTHON = 3_000_000_000, 1_000_000
"""Maximum number of positions that are counted in the core, and in Python. Either takes about three
seconds."""
SCOPES = ("result", "position", "best", "all")
"""Values of ``scores`` in ``Solver.solve_many``, in the order of the core's ``Scope``."""
NO_SCORE = -128
"""The score of a column in which no move is possible."""

Halves = tuple[int, int]
"""A bitboard as the core takes it: its lower 64 bits, and the bits above them."""
Stones = tuple[Halves, Halves]
"""The stones of the player to move, and those of the opponent."""
Parameters = Mapping[str, tuple[int, ...]]
"""Numbers of a search or an evaluator, by the names of its fields. Most fields have one number."""


class CoreSpec(NamedTuple):
    """A search and its evaluator as the core takes them. The weights are the evaluator's."""

    search: str
    parameters: Parameters
    evaluator: str
    weights: Parameters


@cache
def is_core_available() -> bool:
    """Return whether the native core is installed. If not, the first call prints a warning."""
    if core is None:
        cause, remedy = "is missing", "; to get the core, reinstall c4-arena with GCC or Clang"
        if CORE_PROBLEM and not CORE_PROBLEM.startswith("cannot import name"):
            cause, remedy = f"cannot be loaded ({CORE_PROBLEM})", ""
        sys.stderr.write(f"c4-bot: the native core {cause}, {NO_CORE}{remedy}\n")
    return core is not None


def native_twin(name: str, search: Search) -> Search:
    """Return the native twin of a search called ``name``, or the search if it has no twin."""
    evaluator: Any = getattr(search, "evaluator", None)
    evaluator_name = _module_name_of(evaluator, "c4_bot.evaluate")
    if (
        _module_name_of(search, "c4_bot.search") != name
        or not is_core_available()
        or name not in core.searches()
        or (evaluator is not None and evaluator_name not in core.evaluators())
        or getattr(search, "seed", 0) is None  # the search draws a seed for each position
    ):
        return search
    parameters = parameters_of(search)
    weights = {} if evaluator is None else parameters_of(evaluator)
    every = (*parameters.values(), *weights.values())
    if any(abs(number) > MAX_WEIGHT for numbers in every for number in numbers):
        return search
    return Twin(search, evaluator, CoreSpec(name, parameters, evaluator_name, weights))


def parameters_of(part: Any) -> Parameters:  # noqa: ANN401 - a search or an evaluator
    """Return the fields of a search or evaluator that are numbers, or tuples of numbers."""
    values = {item.name: getattr(part, item.name) for item in fields(part)}
    return {
        name: value if isinstance(value, tuple) else (value,)
        for name, value in values.items()
        if isinstance(value, int | tuple)
    }


def _module_name_of(part: object, package: str) -> str:
    """Return the module of ``package`` that defines a search or evaluator; empty if none does."""
    kind = type(part)
    home, _, name = kind.__module__.rpartition(".")
    is_ours = home == package and kind.__name__ == name.title().replace("_", "")
    return name if is_ours else ""


@dataclass(frozen=True)
class Twin:
    """A search that runs in the core, or in Python if the board is too large for the core."""

    python: Search
    evaluator: Evaluator | None
    spec: CoreSpec

    def search(self, position: Position, limits: Limits, among: int | None = None) -> Result:
        """Return the result of the Python search, with the same number of nodes.

        ``among`` is for searches that can try only some moves, such as ``LastIteration``.
        """
        variant, some = position.variant, () if among is None else (among,)
        if variant.bits > MAX_BITS:
            return self.python.search(position, limits, *some)
        if self.spec.evaluator == "network":
            give_network(variant)
        cell, score, exact, depth, nodes, line, reason, scores = core.search(
            self.spec, sizes(variant), stones(position), native_limits(limits), *map(halves, some)
        )
        return Result(
            cell, score, exact, depth, nodes, tuple(line), reason, tuple(map(Scored._make, scores))
        )


@cache
def give_network(variant: Variant) -> None:
    """Give the core the learned weights of a variant, if there are any."""
    from c4_bot.evaluate.network import learned_weights  # noqa: PLC0415 - few searches need it

    learned = learned_weights(variant)
    if learned is not None:
        core.use_network(sizes(variant), list(learned.patterns.shapes), learned.values)


def count_positions(position: Position, depth: int) -> int:
    """Return the result of ``c4_protocol.rules.perft.perft``, from the core if the board fits.

    Raises ``ProtocolError`` if there could be more positions than ``MAX_COUNTED``. To know this in
    time, it counts with growing depths. The last count takes most of the time.
    """
    is_native = position.variant.bits <= MAX_BITS and is_core_available()
    max_count, counted = MAX_COUNTED if is_native else MAX_COUNTED_IN_PYTHON, 0
    nodes = 1
    for ply in range(1, depth + 1):
        if nodes + (nodes - counted) * len(position.moves) > max_count:
            raise ProtocolError(f"perft {depth}: there may be more than {max_count} positions")
        counted, nodes = nodes, _count_with_core(position, ply, is_native=is_native)
        if nodes == counted:  # all games have ended
            break
    return nodes


def _count_with_core(position: Position, depth: int, *, is_native: bool) -> int:
    if not is_native:
        return python_perft(position, depth)
    steal = position.steal_is_ahead
    return core.perft(sizes(position.variant), stones(position), depth, steal)


def sizes(variant: Variant) -> tuple[int, int, int, bool, int]:
    """Return a variant in the form that the core takes. Each direction is a bit.

    The core does not know the steal (see ``c4_bot.player.steal``), except when it counts positions.
    """
    directions = sum(1 << DIRECTIONS.index(name) for name in variant.directions)
    return variant.width, variant.height, variant.connect, variant.gravity, directions


def halves(board: int) -> Halves:
    """Return a bitboard in the form that the core takes."""
    return board & LOWER_HALF, board >> 64


def stones(position: Position) -> Stones:
    """Return the stones of a position in the form that the core takes."""
    own, other = position.own, position.other
    return (own & LOWER_HALF, own >> 64), (
        other & LOWER_HALF,
        other >> 64,
    )  # without calls of halves(), because this function is called often


def native_limits(limits: Limits) -> tuple[int, int, float, int]:
    """Return depth, nodes, seconds from now, and threads, with -1 for no limit."""
    return (
        -1 if limits.depth is None else limits.depth,
        -1 if limits.nodes is None else limits.nodes,
        -1 if limits.deadline is None else max(0, limits.deadline - time.monotonic()),
        limits.threads,
    )
