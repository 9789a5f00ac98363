"""Answers of ``c4-solve`` in games without gravity, with their proofs."""

import time
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from c4_protocol.program.errors import NotationError
from c4_protocol.rules.notation import cell_name
from c4_protocol.rules.position import Position

from c4_bot.contract import Limits
from c4_bot.solve.answers import NotProven, Question, SolverAnswer
from c4_bot.solve.line.proof import Proof
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import DIVISORS_BY_PLAIN_MOVES, Verdict, find_verdict

SHORTFALL_TEXT = "that it takes no fewer stones is not proven"
NODES_PER_BEST_MOVE = 300_000
"""Maximum number of nodes to find out whether a move preserves the proven result."""
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True, slots=True)
class LineAnswer(SolverAnswer):
    """A proven result.

    If there may be a shorter win, ``score`` is only a bound. If the question was only who wins,
    ``score`` is 1, 0 or -1. ``steps`` is the number of steps of the proof. ``line`` is a game in
    which the loser resists as long as the proof allows. ``best`` lists the moves that are found to
    preserve the proven result. It is empty if it was not requested.
    """

    known: Verdict = field(kw_only=True)
    steps: int = 0
    line: tuple[int, ...] = ()
    shortfall: str = ""

    def text(self, asked: Question) -> str:
        """Return ``MOVES SCORE NODES MICROSECONDS OUTCOME STONES STEPS LINE``."""
        known = self.known
        at_most = "" if known.exact else "<="
        line = "".join(cell_name(asked.position.variant, cell) for cell in self.line) or "-"
        proven = f"{OUTCOMES[known.sign or 0]} {at_most}{known.moves} {self.steps} {line}"
        return f"{SolverAnswer.text(self, asked)} {proven}"

    def fields(self, asked: Question) -> dict[str, object]:
        """Return the answer as a JSON object, with the best moves."""
        return SolverAnswer.fields(self, asked) | {
            "outcome": OUTCOMES[self.known.sign or 0],
            "stones": self.known.moves,
            "exact": self.known.exact,
            "steps": self.steps,
            "line": [cell_name(asked.position.variant, cell) for cell in self.line],
        }


@dataclass(slots=True)
class LineAnswerer:
    """A solver that answers questions about one variant, each within ``seconds``.

    If ``weak`` is true, answers only say who wins. ``best`` adds the best moves. If ``cold`` is
    true, the solver forgets everything before each answer. Proofs are written to ``file``, if there
    is one.
    """

    solver: LineSolver
    seconds: float
    weak: bool = False
    best: bool = False
    cold: bool = False
    file: BinaryIO | None = None
    _nodes: int = field(default=0, init=False)

    def answer(self, asked: Question) -> LineAnswer:
        """Return the proven result of a game that is not over.

        Raises ``NotProven`` if the winner is not proven in time, and ``NotationError`` if a proof
        is requested for a position without its moves.
        """
        if self.file is not None and asked.moves is None:
            raise NotationError('a proof needs "moves", and the line has only a "grid"')
        if self.cold:
            self.solver.forget()
        started = time.monotonic()
        limits = Limits(deadline=started + self.seconds)
        outcome = find_verdict(self.solver, asked.position, limits, weak=self.weak)
        if outcome.sign is None:
            raise NotProven(f"who wins is not proven within {self.seconds:g} s")
        self._nodes = outcome.nodes
        tried = asked.position.moves if self.best or asked.is_json else ()
        best = [
            cell for cell in tried if self._preserves_result(asked.position, cell, outcome, limits)
        ]
        proof = self._proof_of(asked.position, outcome)
        us = int((time.monotonic() - started) * 1e6)
        if self.file is not None and proof is not None:
            self.file.writelines(proof.document(asked.moves or ""))
            self.file.flush()
        is_whole = outcome.exact or self.weak
        return LineAnswer(
            outcome.sign if self.weak else outcome.score(asked.position),
            self._nodes,
            us,
            tuple(sorted(best)),
            known=outcome,
            steps=len(proof.steps) if proof else 0,
            line=proof.line() if proof else (),
            shortfall="" if is_whole else f"{SHORTFALL_TEXT} within {self.seconds:g} s",
        )

    def _proof_of(self, position: Position, outcome: Verdict) -> Proof | None:
        if not outcome.sign:
            return None
        wins = outcome.sign > 0
        steps = self.solver.proof(position, wins, outcome.moves, outcome.plain, Limits())
        return Proof(position, wins, steps or [])

    def _preserves_result(
        self, position: Position, cell: int, outcome: Verdict, limits: Limits
    ) -> bool:
        """Return whether a move is found to preserve the result; if ``weak``, only who wins."""
        child = position.play(cell)
        if cell == outcome.cell or child.is_won:
            return True
        if child.is_full:
            return outcome.sign == 0
        cells = child.variant.cells
        if outcome.sign == 1:
            max_stones = (cells - child.ply) // 2 if self.weak else outcome.moves - 1
            levels = (*DIVISORS_BY_PLAIN_MOVES, cells)
            return any(self._player_wins(1, child, max_stones, plain, limits) for plain in levels)
        if outcome.sign == -1 and self.weak:
            return True
        max_stones = outcome.moves - 1 if outcome.sign else (cells - child.ply + 1) // 2
        return self._player_wins(-1, child, max_stones, cells, limits) is False

    def _player_wins(
        self, sign: int, child: Position, max_stones: int, plain: int, limits: Limits
    ) -> bool | None:
        """Return whether the player who just moved (``sign`` 1) or the opponent (-1) wins.

        The winner may play at most ``max_stones`` more stones, among them ``plain`` plain moves
        (see ``LineSolver``). Return ``None`` if the limits are reached first.
        """
        ask = self.solver.loses if sign == 1 else self.solver.wins
        proof = ask(child, max_stones, plain, replace(limits, nodes=NODES_PER_BEST_MOVE))
        self._nodes += proof.nodes
        return proof.holds
