"""Proven results of games without gravity: who wins, and how soon."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position

from c4_bot.contract import Limits
from c4_bot.solve.line.solver import LineSolver

FIRST_ROUND_NODES = 1000
"""Maximum number of nodes of a question in the first round."""
ROUND_GROWTH = 4
"""Factor by which the number of nodes per question grows from one round to the next."""
DIVISORS_BY_PLAIN_MOVES = {0: 1, 1: 1, 2: 4}
"""Divisors of the number of nodes per question, by the number of plain moves that a question
allows. Questions with more plain moves take longer, and are less often needed."""
COMPLETE_SEARCH_DIVISOR = 16
"""Divisor of the number of nodes per question for complete searches."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The proven result of a position, for the player to move.

    ``sign`` is 1 for a win, -1 for a loss, 0 for a draw, and ``None`` if the result is not known.
    The winner needs at most ``moves`` stones, among them at most ``plain`` plain moves (see
    ``LineSolver``). If ``exact`` is true, no win takes fewer stones. If the player to move wins,
    ``cell`` is the first move of a win.
    """

    sign: int | None = None
    moves: int = 0
    plain: int = 0
    exact: bool = False
    nodes: int = 0
    cell: int | None = None

    def last_ply(self, position: Position) -> int:
        """Return the number of stones on the board when the game ends."""
        if not self.sign:
            return position.variant.cells
        return position.ply + 2 * self.moves - (self.sign > 0)

    def score(self, position: Position) -> int:
        """Return the score in Pons's convention.

        If ``exact`` is false, the score of a win is a lower bound, and that of a loss an upper
        bound.
        """
        return win_score(position.variant, self.last_ply(position)) * self.sign if self.sign else 0


def find_verdict(
    solver: LineSolver,
    position: Position,
    limits: Limits,
    *,
    weak: bool = False,
    shorten: float = math.inf,
) -> Verdict:
    """Return the result that can be proven within the limits, for a game that is not over.

    If ``weak`` is true, the search only finds out who wins. If the player to move wins, at most
    ``shorten`` more nodes are used to find a shorter win.
    """
    if position.winning_cells:
        proof = solver.wins(position, 1, 0, Limits())
        return Verdict(1, 1, 0, True, proof.nodes, proof.cell)
    inquiry = _QuestionRounds(solver, position, limits)
    inquiry.find_winner()
    if inquiry.known.sign and not weak:
        inquiry.find_shorter_win(shorten if inquiry.known.sign > 0 else math.inf)
    return replace(inquiry.known, nodes=inquiry.nodes)


@dataclass
class _Question:
    """The question whether a player wins with ``max_stones`` stones and ``plain`` plain moves.

    ``sign`` is 1 for the player to move, -1 for the opponent. After the answer no, the question is
    asked again for one more stone, up to ``last`` stones. ``part`` is the divisor of its nodes.
    """

    sign: int
    plain: int
    part: int
    last: int
    max_stones: int = 1

    @property
    def is_open(self) -> bool:
        return self.max_stones <= self.last


@dataclass
class _QuestionRounds:
    """A series of questions, which are asked in rounds. Each round has more nodes per question."""

    solver: LineSolver
    position: Position
    limits: Limits
    nodes: int = 0
    known: Verdict = field(default_factory=Verdict)

    def __post_init__(self) -> None:
        self._end = math.inf if self.limits.nodes is None else self.limits.nodes
        self._any = self.position.variant.cells
        self._parts = {**DIVISORS_BY_PLAIN_MOVES, self._any: COMPLETE_SEARCH_DIVISOR}

    def find_winner(self) -> None:
        """Find the winner. The game is a draw if complete searches find no win for any player."""
        free = self.position.variant.cells - self.position.ply
        questions = [
            _Question(sign, plain, part, (free + (sign > 0)) // 2)
            for plain, part in self._parts.items()
            for sign in (1, -1)
        ]
        for nodes in self._nodes_of_rounds():
            for question in questions:
                self._ask_repeatedly(question, nodes // question.part)
                if self.known.sign:
                    return
            if not any(asked.is_open for asked in questions if asked.plain == self._any):
                self.known = Verdict(0, exact=True)
                return

    def find_shorter_win(self, max_nodes: float) -> None:
        """Find shorter wins of the known winner, until a complete search finds none."""
        self._end = min(self._end, self.nodes + max_nodes)
        for nodes in self._nodes_of_rounds():
            for plain in self._parts:
                part = COMPLETE_SEARCH_DIVISOR if plain == self._any else 1
                holds: bool | None = True
                while holds and self.known.moves > 1:
                    holds = self._ask(self.known.sign, self.known.moves - 1, plain, nodes // part)
                if self.known.moves == 1 or (plain == self._any and holds is False):
                    self.known = replace(self.known, exact=True)
                    return

    def _nodes_of_rounds(self) -> Iterator[int]:
        """Yield the number of nodes per question in each round, until the limits are reached."""
        nodes = FIRST_ROUND_NODES
        deadline = self.limits.deadline
        while self.nodes < self._end and (deadline is None or time.monotonic() < deadline):
            yield nodes
            nodes *= ROUND_GROWTH

    def _ask_repeatedly(self, question: _Question, nodes: int) -> None:
        """Ask a question. After each answer no, ask for one more stone, until no nodes are left."""
        end = self.nodes + nodes
        while question.is_open and self.nodes < end:
            holds = self._ask(question.sign, question.max_stones, question.plain, end - self.nodes)
            if holds is not False:
                return
            question.max_stones += 1

    def _ask(self, sign: int | None, max_stones: int, plain: int, nodes: int) -> bool | None:
        """Return the answer; ``None`` if the nodes do not suffice. After a yes, set ``known``."""
        limits = replace(self.limits, nodes=int(min(nodes, max(0, self._end - self.nodes))))
        ask = self.solver.wins if sign == 1 else self.solver.loses
        proof = ask(self.position, max_stones, plain, limits)
        self.nodes += proof.nodes
        if proof.holds:
            self.known = Verdict(sign, max_stones, plain, cell=proof.cell)
        return proof.holds
