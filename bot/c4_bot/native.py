"""Plays searches in C++ where they have a twin there: the same moves, some hundred times faster."""

import sys
import time
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from c4_protocol.perft import perft as python_perft
from c4_protocol.position import Position
from c4_protocol.variant import DIRECTIONS, Variant

from c4_bot.contract import MAX_WEIGHT, Evaluator, Limits, Result, Scored, Search

try:
    from c4_bot import _core
except ImportError:
    _core = None  # type: ignore[assignment]

MAX_BITS = 128
"""Bits that a board may have in the core."""
HALF = (1 << 64) - 1


@cache
def available() -> bool:
    """Whether there is a native core; if not, the first call says so on stderr."""
    if _core is None:
        sys.stderr.write(
            "c4-bot: the native core is missing, playing in (much slower) Python: "
            "reinstall with a C++20 compiler to get it\n"
        )
    return _core is not None


def twin(name: str, search: Search) -> Search:
    """The native twin of a search called ``name``; the search itself where there is none."""
    evaluator: Any = getattr(search, "evaluator", None)
    judge = _name_of(evaluator, "c4_bot.evaluate")
    if _name_of(search, "c4_bot.search") != name or not available() or name not in _core.SEARCHES:
        return search
    if evaluator is not None and judge not in _core.EVALUATORS:
        return search
    parameters, weights = _numbers(search), () if evaluator is None else _numbers(evaluator)
    if any(abs(number) > MAX_WEIGHT for number in parameters + weights):
        return search
    return Twin(search, evaluator, name, parameters, judge, weights)


def _numbers(part: Any) -> tuple[int, ...]:  # noqa: ANN401 - a search or an evaluator
    """The parameters of a part in the order of its fields, those of a list one after the other."""
    numbers: list[int] = []
    for item in fields(part):
        value = getattr(part, item.name)
        if item.name != "evaluator":
            numbers += value if isinstance(value, tuple) else (value,)
    return tuple(numbers)


def _name_of(part: object, package: str) -> str:
    """The module of our ``package`` that defines a part; nothing if it is somebody else's."""
    kind = type(part)
    home, _, name = kind.__module__.rpartition(".")
    is_ours = home == package and kind.__name__ == name.title().replace("_", "")
    return name if is_ours else ""


@dataclass(frozen=True)
class Twin:
    """Searches natively, or in Python where a board is too large for the core."""

    python: Search
    evaluator: Evaluator | None
    kind: str
    parameters: tuple[int, ...]
    judge: str
    weights: tuple[int, ...]

    def search(self, position: Position, limits: Limits) -> Result:
        """What the Python search finds, the nodes included."""
        variant = position.variant
        if variant.bits > MAX_BITS:
            return self.python.search(position, limits)
        cell, score, exact, depth, nodes, line, scores, reason = _core.search(
            self.kind,
            self.parameters,
            self.judge,
            self.weights,
            sizes(variant),
            halves(position.own),
            halves(position.other),
            -1 if limits.depth is None else limits.depth,
            -1 if limits.nodes is None else limits.nodes,
            -1 if limits.deadline is None else max(0, limits.deadline - time.monotonic()),
            limits.threads,
        )
        return Result(
            cell, score, exact, depth, nodes, tuple(line), reason, tuple(map(Scored._make, scores))
        )


def perft(position: Position, depth: int) -> int:
    """``c4_protocol.perft.perft``, by the core where there is one that holds the board."""
    variant = position.variant
    if variant.bits > MAX_BITS or not available():
        return python_perft(position, depth)
    depth = min(depth, variant.cells)  # no tree is deeper
    return _core.perft(sizes(variant), halves(position.own), halves(position.other), depth)


def sizes(variant: Variant) -> tuple[int, int, int, bool, int]:
    """A variant as the core takes it, its directions as bits."""
    directions = sum(1 << DIRECTIONS.index(name) for name in variant.directions)
    return variant.width, variant.height, variant.connect, variant.gravity, directions


def halves(board: int) -> tuple[int, int]:
    """A bitboard as the core takes it: its lower 64 bits and the others."""
    return board & HALF, board >> 64
