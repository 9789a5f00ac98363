"""Explanations from a solver's answers, as ``c4-solve``, ``explain`` and ``--play`` give them."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.notation import WireMove, wire_move, with_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, cells_of

from c4_bot.contract import Limits
from c4_bot.player.registry import build_player
from c4_bot.reasons.explanation import Explained, Knowledge, explain_move
from c4_bot.reasons.info import explain_result
from c4_bot.solve.answers import NotProven, SolverAnswer, move_in_json
from c4_bot.solve.line.answers import LineAnswer
from c4_bot.solve.public_solver import Solver, deadline_after
from c4_bot.solve.score import sign_of


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a move is best, or what a mistake allowed.

    ``text`` is one sentence, in which columns count from 1 and have their moves beside them.
    ``kind`` is the kind of the reason; the page on reasons defines each.
    ``cells`` are the cells that it speaks of, as pairs ``(column, row)`` that count from 0, rows
    from the top. ``line`` are the moves that show it, beginning with the move or with an answer.
    ``better`` explains a better move if the move is a mistake; otherwise it is ``None``.
    """

    move: WireMove
    text: str
    kind: str
    cells: tuple[tuple[int, int], ...] = ()
    line: tuple[WireMove, ...] = ()
    better: "Explanation | None" = None

    @classmethod
    def of(cls, explained: Explained) -> "Explanation":
        """Return an explanation in the terms of the public functions."""
        variant, reason = explained.position.variant, explained.reason
        return cls(
            wire_move(variant, explained.cell),
            with_moves(explained.text, variant),
            reason.kind,
            tuple(
                (variant.column_of(cell), variant.height - 1 - variant.row_of(cell))
                for cell in cells_of(reason.cells)
            ),
            tuple(wire_move(variant, cell) for cell in reason.line),
            cls.of(explained.better) if explained.better else None,
        )


def fields_of(explained: Explained) -> dict[str, object]:
    """Return an explanation as a JSON object of ``c4-solve``.

    Columns count from 1, and so do rows, from the bottom. The text says what moves of bots are.
    """
    variant, reason = explained.position.variant, explained.reason
    return {
        "move": move_in_json(variant, explained.cell),
        "kind": reason.kind,
        "text": with_moves(explained.text, variant, " for bots"),
        "cells": [
            [variant.column_of(cell) + 1, variant.row_of(cell) + 1]
            for cell in cells_of(reason.cells)
        ],
        "line": [move_in_json(variant, cell) for cell in reason.line],
        "better": fields_of(explained.better) if explained.better else None,
    }


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains moves with the answers of a solver.

    ``ask`` returns the scores of all moves of a position, or without gravity its score and its best
    moves. It may raise ``NotProven``.
    """

    ask: Callable[[Position], SolverAnswer]

    def explain(self, position: Position, cell: int | None = None) -> Explained:
        """Return the explanation of a move, or of the best move, in a game that is not over."""
        return self.explain_answer(position, self.ask(position), cell)

    def explain_answer(
        self, position: Position, answer: SolverAnswer, cell: int | None = None
    ) -> Explained:
        """Return the explanation of a move, or of the best move, after the solver's ``answer``."""
        scores = scores_in(position, answer)
        if cell is not None and cell not in scores:
            scores |= self._score_of_move(position, cell)
        is_exact = not isinstance(answer, LineAnswer) or answer.known.exact
        known = Knowledge(scores, sign_of(answer.score), is_exact)
        solve = self._scores_if_proven
        if cell is not None:
            return explain_move(position, cell, known, solve)
        best = [move for move in position.moves if scores.get(move) == answer.score]
        best = best or position.moves[:1]  # without gravity, perhaps no best move was found in time
        explained = [explain_move(position, move, known, solve) for move in best]
        return next((one for one in explained if one.reason.kind != "values"), explained[0])

    def _scores_if_proven(self, position: Position) -> Mapping[int, int]:
        try:
            return scores_in(position, self.ask(position))
        except NotProven:
            return {}

    def _score_of_move(self, position: Position, cell: int) -> dict[int, int]:
        """Return the score of a move that is not among the best, if it can be proven."""
        child = position.play(cell)
        if child.is_over:  # the move completes no line: otherwise it would be among the best
            return {cell: 0}
        try:
            return {cell: -self.ask(child).score}
        except NotProven:
            return {}


def scores_in(position: Position, answer: SolverAnswer) -> dict[int, int]:
    """Return the scores of moves that an answer contains, by cell."""
    if not answer.scores:
        return dict.fromkeys(answer.best, answer.score)
    variant = position.variant
    by_cell = {
        cell: answer.steal if cell == STEAL else answer.scores[variant.column_of(cell)]
        for cell in position.moves
    }
    return {cell: score for cell, score in by_cell.items() if score is not None}


def explain_position(
    solver: Solver, position: Position, cell: int | None, seconds: float | None
) -> Explained:
    """Return the explanation of a move, or of the best move, within about ``seconds``.

    The solver has half of the time. If that is not enough, a search finds the best move.
    """
    until = deadline_after(seconds)
    half = None if seconds is None else seconds / 2

    def ask(asked: Position) -> SolverAnswer:
        left = None if until is None or half is None else max(0.0, until - half - time.monotonic())
        return solver.answer(asked, left, every=asked.variant.gravity)

    try:
        return Explainer(ask).explain(position, cell)
    except (NotProven, ImpossiblePosition):  # without the core, large boards are refused
        if cell is not None:
            return explain_move(position, cell, Knowledge())
        limits = Limits(deadline=until)
        return explain_result(position, build_player().choose(position, limits), ())
