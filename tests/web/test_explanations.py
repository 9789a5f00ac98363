"""The page explains moves as Python does."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from c4_bot.reasons import explanation
from c4_bot.reasons.explainer import Explainer
from c4_bot.reasons.explanation import Explained, Knowledge, explain_move
from c4_bot.reasons.forced import safe_moves
from c4_bot.reasons.kinds import Move, Reason
from c4_bot.solve.answers import NotProven, SolverAnswer
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of
from cores import needs_core
from reasons import scores_of
from scripted import run_node

POSITIONS = {"7x6": 300, "8x7": 20, "6x5": 10, "5x4x3": 10, "4x4": 10, "9x5x5": 5, "4x7x3": 5}
"""Boards, and the number of positions on each."""
MAX_FREE = {"8x7": 24, "9x5x5": 24}
"""Number of free cells of a position, at most, on boards that take long to solve."""


class Recorder:
    """Answers the questions of explanations, and keeps the answers for the page."""

    def __init__(self, find: Callable[[Move], Reason]) -> None:
        self._find = find
        self.found: dict[str, Any] = {}
        self.solved: dict[str, Any] = {}

    def find(self, move: Move) -> Reason:
        """Return the reason of a move."""
        reason = self._find(move)
        known = ("?" if outcome is None else outcome for outcome in (move.best, move.own))
        key = " ".join(map(str, (*move.before.stones, move.cell, *known, move.answers)))
        self.found[key] = {"kind": reason.kind, "cells": str(reason.cells), "line": reason.line}
        return reason

    def ask(self, position: Position) -> SolverAnswer:
        """Return the scores of all moves."""
        scores = scores_of(position)
        self.record(position, scores)
        by_column = {position.variant.column_of(cell): score for cell, score in scores.items()}
        columns = tuple(by_column.get(x) for x in range(position.variant.width))
        return SolverAnswer(max(scores.values()), 0, 0, scores=columns)

    def refuse(self, position: Position) -> SolverAnswer:
        """Prove nothing."""
        self.record(position, None)
        raise NotProven

    def record(self, position: Position, scores: Mapping[int, int] | None) -> None:
        """Keep the scores of a position, or that they are not known."""
        self.solved[" ".join(map(str, position.stones))] = scores and [*scores.items()]


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Return a recorder of all questions that explanations ask."""
    recorder = Recorder(explanation.find_reason)
    monkeypatch.setattr(explanation, "find_reason", recorder.find)
    return recorder


def random_positions(name: str) -> list[Position]:
    """Return positions of random games in which nobody completes or allows a line without need."""
    draw, variant = Random(name), Variant.parse(name)
    fewest = max(0, variant.cells - MAX_FREE.get(name, variant.cells))
    found: list[Position] = []
    while len(found) < POSITIONS[name]:
        position = Position(variant)
        for _ in range(draw.randrange(fewest, variant.cells)):
            quiet = safe_moves(position) & ~position.winning_cells or position.playable
            position = position.play(draw.choice([*cells_of(quiet)]))
        if not position.is_over:
            found.append(position)
    return found


def fields(explained: Explained | None) -> dict[str, Any] | None:
    """Return an explanation as the page has it."""
    if explained is None:
        return None
    return {
        "cell": explained.cell,
        "kind": explained.reason.kind,
        "cells": [*cells_of(explained.reason.cells)],
        "line": [*explained.reason.line],
        "text": explained.text,
        "better": fields(explained.better),
    }


def on_page(
    variant: Variant, cases: list[tuple[Position, int | None]], recorder: Recorder
) -> list[dict[str, Any]]:
    """Return the explanations of the page."""
    questions = [{"stones": [*map(str, position.stones)], "cell": cell} for position, cell in cases]
    board = [variant.width, variant.height, variant.connect]
    given = {"board": board, "cases": questions, "find": recorder.found, "solve": recorder.solved}
    explained: list[dict[str, Any]] = json.loads(
        run_node("explanations.js", stdin=json.dumps(given))
    )
    return explained


@needs_core
@pytest.mark.parametrize("name", POSITIONS)
def test_the_page_explains_moves_as_python_does(name, recorder):
    """Sentences, kinds, cells, lines and better moves are equal, if all scores are known."""
    draw, explainer = Random(name), Explainer(recorder.ask)
    cases: list[tuple[Position, int | None]] = []
    for position in random_positions(name):
        cases += [(position, None), (position, draw.choice(position.moves))]
    expected = [fields(explainer.explain(position, cell)) for position, cell in cases]
    assert on_page(Variant.parse(name), cases, recorder) == expected


@needs_core
def test_without_scores_the_page_says_what_the_rules_show(recorder):
    """A named move is explained as in Python. Without one, the most urgent move is named."""
    cases = [
        (position, draw_cell)
        for position in random_positions("6x5")
        for draw_cell in position.moves[:2]
    ]
    expected = [fields(explain_move(position, cell, Knowledge())) for position, cell in cases]
    for position, _ in cases:
        with pytest.raises(NotProven):
            recorder.refuse(position)
    assert on_page(Variant.parse("6x5"), cases, recorder) == expected
    best = Position(Variant())
    recorder.record(best, None)
    recorder.find(Move(best, 21))
    (found,) = on_page(best.variant, [(best, None)], recorder)
    assert (found["kind"], found["text"]) == ("searched", "Column 4 has no proven value.")
