"""The engine of the page answers as ``c4-bot`` and ``c4-solve`` do.

The engine is that of the built page, run by Node: the core as WebAssembly with its small book.
"""

import json
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any

import pytest
from c4_bot.contract import Limits
from c4_bot.native import native_twin
from c4_bot.player.registry import build_player
from c4_bot.reasons import sentences
from c4_bot.reasons.explainer import Explainer
from c4_bot.reasons.explanation import (
    Explained,
    Knowledge,
    explain_move,
    explain_search,
    refusal,
)
from c4_bot.reasons.forced import safe_moves
from c4_bot.search.deepening import Deepening
from c4_bot.solve.answers import SolverAnswer
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of
from cores import needs_core
from effort import THOROUGH
from reasons import scores_of
from scripted import run_node

BOARDS = {"7x6": 60, "8x7": 6, "6x5": 5, "5x4x3": 5, "4x4": 5, "9x5x5": 3, "4x7x3": 3, "9x7": 3}
"""Boards, and the number of positions on each; the thorough tests have 25 times as many."""
MAX_FREE = {"8x7": 24, "9x5x5": 24, "9x7": 22}
"""Number of free cells of a position, at most, on boards that take long to solve."""
SEED = 4711


def random_positions(name: str) -> list[Position]:
    """Return positions of random games in which nobody completes or allows a line without need."""
    draw, variant = Random(name), Variant.parse(name)
    fewest = max(0, variant.cells - MAX_FREE.get(name, variant.cells))
    found: list[Position] = []
    while len(found) < BOARDS[name] * (25 if THOROUGH else 1):
        position = Position(variant)
        for _ in range(draw.randrange(fewest, variant.cells)):
            quiet = safe_moves(position) & ~position.winning_cells or position.playable
            position = position.play(draw.choice([*cells_of(quiet)]))
        if not position.is_over:
            found.append(position)
    return found


def on_page(questions: Iterator[dict[str, Any]]) -> list[Any]:
    """Return the answers of the page."""
    answers: list[Any] = json.loads(run_node("engine.js", stdin=json.dumps([*questions])))
    return answers


def question(position: Position, kind: str, **more: object) -> dict[str, Any]:
    """Return a question about a position."""
    variant = position.variant
    board = [variant.width, variant.height, variant.connect]
    return {"board": board, "stones": [*map(str, position.stones)], "kind": kind, **more}


def ask(position: Position) -> SolverAnswer:
    """Return the scores of all moves, as an explainer asks for them."""
    scores = scores_of(position)
    by_column = {position.variant.column_of(cell): score for cell, score in scores.items()}
    columns = tuple(by_column.get(x) for x in range(position.variant.width))
    return SolverAnswer(max(scores.values()), 0, 0, scores=columns)


def fields(explained: Explained | None) -> dict[str, Any] | None:
    """Return an explanation as the page has it."""
    if explained is None:
        return None
    better, hints = explained.better, sentences.templates()["hints"]
    known = (
        Knowledge.of_scores(explained.position, scores_of(explained.position)) if better else None
    )
    return {
        "hint": hints.get(explained.reason.kind, ""),
        "refusal": refusal(explained, known) if known else "",
        "cell": explained.cell,
        "kind": explained.reason.kind,
        "cells": [*cells_of(explained.reason.cells)],
        "line": [*explained.reason.line],
        "text": explained.text,
        "better": fields(better),
    }


@needs_core
@pytest.mark.parametrize("name", BOARDS)
def test_values_are_those_of_the_solver(name):
    """The scores of all moves are exact, and equal."""
    positions = random_positions(name)
    answers = on_page(question(position, "values") for position in positions)
    for position, values in zip(positions, answers, strict=True):
        expected = [[cell, score, score] for cell, score in scores_of(position).items()]
        assert sorted(values) == sorted(expected), position.stones


@needs_core
@pytest.mark.parametrize("name", BOARDS)
def test_moves_are_those_of_the_levels(name):
    """Levels 1 to 9 choose the same moves with the same seed, and level 10 with enough time."""
    positions = random_positions(name)
    levels = range(1, 11 if Variant.parse(name).cells <= 42 else 10)
    cases = [*zip(positions, cycle(levels), strict=False)]
    chosen = on_page(
        question(position, "move", level=level, seed=SEED, ms=600_000) for position, level in cases
    )
    expected = [
        build_player(f"level-{level}", {"time_ms": None} if level == 10 else {}, seed=SEED)
        .choose(position, Limits())
        .cell
        for position, level in cases
    ]
    assert chosen == expected


@needs_core
@pytest.mark.parametrize("name", BOARDS)
def test_explanations_are_those_of_python(name):
    """Sentences, kinds, cells, lines and better moves are equal, if all scores are known."""
    draw, explainer = Random(name), Explainer(ask)
    cases = [
        (position, cell)
        for position in random_positions(name)
        for cell in (None, draw.choice(position.moves))
    ]
    explained = on_page(
        question(position, "explain", cell=cell, ms=600_000) for position, cell in cases
    )
    assert explained == [fields(explainer.explain(*case)) for case in cases]


@needs_core
def test_without_scores_the_page_says_what_the_rules_show():
    """A named move is explained as in Python, on a board that is too large to solve in no time."""
    positions = [_opening(Variant.parse("9x7"), seed) for seed in range(20)]
    cases = [(position, position.moves[0]) for position in positions]
    explained = on_page(question(position, "explain", cell=cell, ms=0) for position, cell in cases)
    assert explained == [fields(explain_move(*case, Knowledge())) for case in cases]


def _opening(variant: Variant, seed: int) -> Position:
    draw, position = Random(seed), Position(variant)
    for _ in range(8):
        position = position.play(draw.choice([*cells_of(safe_moves(position))]))
    return position


@needs_core
def test_the_best_line_keeps_the_score():
    """Each move of the best line is worth as much as the position, and the game ends."""
    positions = random_positions("6x5")
    lines = on_page(question(position, "bestLine") for position in positions)
    for start, line in zip(positions, lines, strict=True):
        position, best = start, max(scores_of(start).values())
        for cell in line:
            assert scores_of(position)[cell] == best
            position, best = position.play(cell), -best
        assert position.is_over


@needs_core
def test_a_hint_that_is_not_proven_is_that_of_the_search():
    """On a large board, it is a move of the search, with its depth, and no move that loses."""
    start = _opening(Variant.parse("9x7"), 1)
    (found,) = on_page(iter([question(start, "explain", cell=None, ms=0)]))
    search = native_twin("deepening", Deepening(build_player("level-1").evaluator, reduces=True))
    result = search.search(start, Limits(nodes=200_000))
    assert found == fields(explain_search(start, result.cell, result.depth, ""))
