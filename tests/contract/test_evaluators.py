"""Contract of every registered evaluator, tested with random positions."""

from importlib import import_module
from pkgutil import iter_modules

import pytest
from c4_bot import evaluate
from c4_bot.contract import MAX_EVALUATION, Evaluator
from c4_protocol.rules.position import Position, other_seat
from hypothesis import given

MODULES = sorted(module.name for module in iter_modules(evaluate.__path__))
EVALUATORS = [name for name in MODULES if not name.startswith("_")]


def evaluator(name: str) -> Evaluator:
    """Return an evaluator with its default parameters."""
    return getattr(import_module(f"c4_bot.evaluate.{name}"), name.title().replace("_", ""))()


@pytest.mark.parametrize("name", EVALUATORS)
@given(position=...)
def test_score_is_an_evaluation_and_the_same_in_the_mirror(name, position: Position):
    """A score is an integer below proven scores, and equal for the mirrored position."""
    judge = evaluator(name)
    assert judge.unit >= 1
    for player in (1, 2):
        score = judge.evaluate(position, player)
        assert type(score) is int
        assert abs(score) <= MAX_EVALUATION
        assert score == judge.evaluate(position.mirrored(), player)


@pytest.mark.parametrize("name", EVALUATORS)
@given(position=...)
def test_players_are_judged_alike(name, position: Position):
    """If the players exchange their stones and the right to move, they exchange their scores."""
    judge = evaluator(name)
    first, second = position.stones
    exchanged = Position(position.variant, (second, first), other_seat(position.player))
    assert judge.evaluate(position, 1) == judge.evaluate(exchanged, 2)
    assert judge.evaluate(position, 2) == judge.evaluate(exchanged, 1)
