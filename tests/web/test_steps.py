"""The introduction of the page and the documentation of reasons agree."""

import json
from pathlib import Path

import pytest
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import STANDARD
from cores import needs_core
from reasons import scores_of
from scripted import run_node

DOCUMENT = (Path(__file__).parents[2] / "docs" / "reasons.md").read_text(encoding="utf-8")
WITHOUT_REASON = "343362674"
"""The moves of the step whose example in the document is the mistake."""


@pytest.fixture(scope="module")
def steps() -> list[tuple[str, list[int], str, list[int]]]:
    """Return what each step has: moves, accepted cells, a reason, cells with such a reason.

    The reason is that of the first accepted cell.
    """
    return json.loads(run_node("steps.js"))


def test_steps_are_examples_of_the_document(steps):
    """Each position and each reason is in the document."""
    assert len(steps) == 10
    for moves, _, reason, _ in steps:
        assert f"   {moves}, " in DOCUMENT
        assert f"> {reason}\n" in DOCUMENT or moves == WITHOUT_REASON


@needs_core
def test_accepted_moves_keep_the_result(steps):
    """Each step accepts all moves that do the same, and none that gives the result away."""
    for moves, accepted, _, alike in steps:
        assert {*alike} <= {*accepted}, moves
        scores = scores_of(position_from_moves(moves, STANDARD))
        results = {(score > 0) - (score < 0) for cell, score in scores.items() if cell in accepted}
        best = max(scores.values())
        assert results == {(best > 0) - (best < 0)}, moves
