"""Who wins a game in which stones go anywhere, and how soon: as much as can be proven in time."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from c4_protocol.notation import win_score
from c4_protocol.position import Position

from c4_bot.contract import Limits
from c4_bot.solve.line.solver import LineSolver

FIRST_NODES = 1000
GROWTH = 4
"""The nodes of the first round of questions, and how many times more each further round has."""
PARTS = {0: 1, 1: 1, 2: 4}
"""Questions with so many plain moves get the nodes of a round divided by that: the more of them
are allowed, the longer takes the search, and the less likely they are needed."""
COMPLETE_PART = 16
"""The same for complete searches."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a position, for the player to move.

    ``sign`` is 1 for a win, -1 for a loss, 0 for a draw, ``None`` if that is not known. Who wins
    needs at most ``moves`` stones, with ``plain`` plain moves among them; if ``exact``, it cannot
    be done with fewer. ``cell`` is the first move of a win of the player to move.
    """

    sign: int | None = None
    moves: int = 0
    plain: int = 0
    exact: bool = False
    nodes: int = 0
    cell: int | None = None

    def last_ply(self, position: Position) -> int:
        """How many stones are down when the game ends; all, if nobody wins."""
        if not self.sign:
            return position.variant.cells
        return position.ply + 2 * self.moves - (self.sign > 0)

    def score(self, position: Position) -> int:
        """The score in Pons's convention: a win's at least, a loss's at most, if not ``exact``."""
        return win_score(position.variant, self.last_ply(position)) * self.sign if self.sign else 0


def verdict(
    solver: LineSolver,
    position: Position,
    limits: Limits,
    *,
    weak: bool = False,
    shorten: float = math.inf,
) -> Verdict:
    """All that is found out about a game that is not over.

    ``weak`` asks who wins and no more. When the player to move is known to win, up to ``shorten``
    nodes more go into a shorter win.
    """
    if position.winning_cells:
        found = solver.wins(position, 1, 0, Limits())
        return Verdict(1, 1, 0, True, found.nodes, found.cell)
    inquiry = _Inquiry(solver, position, limits)
    inquiry.find_winner()
    if inquiry.known.sign and not weak:
        inquiry.find_shorter(shorten if inquiry.known.sign > 0 else math.inf)
    return replace(inquiry.known, nodes=inquiry.nodes)


@dataclass
class _Question:
    """Whether a side (as in ``Verdict``) wins with ``most`` stones and ``plain`` plain moves.

    As long as the answer is no it is asked for one stone more, up to ``last``.
    """

    sign: int
    plain: int
    part: int
    last: int
    most: int = 1

    @property
    def is_open(self) -> bool:
        return self.most <= self.last


@dataclass
class _Inquiry:
    """Asks one question after another, in rounds with more and more nodes for each of them."""

    solver: LineSolver
    position: Position
    limits: Limits
    nodes: int = 0
    known: Verdict = field(default_factory=Verdict)

    def __post_init__(self) -> None:
        self._end = math.inf if self.limits.nodes is None else self.limits.nodes
        self._any = self.position.variant.cells
        self._parts = {**PARTS, self._any: COMPLETE_PART}

    def find_winner(self) -> None:
        """Of both sides; neither wins where complete searches find nothing."""
        free = self.position.variant.cells - self.position.ply
        questions = [
            _Question(sign, plain, part, (free + (sign > 0)) // 2)
            for plain, part in self._parts.items()
            for sign in (1, -1)
        ]
        for nodes in self._rounds():
            for question in questions:
                self._pursue(question, nodes // question.part)
                if self.known.sign:
                    return
            if not any(asked.is_open for asked in questions if asked.plain == self._any):
                self.known = Verdict(0, exact=True)
                return

    def find_shorter(self, most_nodes: float) -> None:
        """Wins of the same side, until a complete search finds none."""
        self._end = min(self._end, self.nodes + most_nodes)
        for nodes in self._rounds():
            for plain in self._parts:
                part = COMPLETE_PART if plain == self._any else 1
                holds: bool | None = True
                while holds and self.known.moves > 1:
                    holds = self._ask(self.known.sign, self.known.moves - 1, plain, nodes // part)
                if self.known.moves == 1 or (plain == self._any and holds is False):
                    self.known = replace(self.known, exact=True)
                    return

    def _rounds(self) -> Iterator[int]:
        """The nodes of each round, until the limits are reached."""
        nodes = FIRST_NODES
        deadline = self.limits.deadline
        while self.nodes < self._end and (deadline is None or time.monotonic() < deadline):
            yield nodes
            nodes *= GROWTH

    def _pursue(self, question: _Question, nodes: int) -> None:
        """Goes on with a question for so many nodes, or until the answer is yes."""
        end = self.nodes + nodes
        while question.is_open and self.nodes < end:
            if (
                self._ask(question.sign, question.most, question.plain, end - self.nodes)
                is not False
            ):
                return
            question.most += 1

    def _ask(self, sign: int | None, most: int, plain: int, nodes: int) -> bool | None:
        """The answer, if that many nodes are enough to find it; a yes is known then."""
        limits = replace(self.limits, nodes=int(min(nodes, max(0, self._end - self.nodes))))
        ask = self.solver.wins if sign == 1 else self.solver.loses
        found = ask(self.position, most, plain, limits)
        self.nodes += found.nodes
        if found.holds:
            self.known = Verdict(sign, most, plain, cell=found.cell)
        return found.holds
