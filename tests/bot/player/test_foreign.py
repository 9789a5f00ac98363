"""Evaluators that users write: how they are loaded, and their errors."""

import pytest
from c4_bot.contract import MAX_EVALUATION
from c4_bot.player.foreign import ForeignEvaluator, load_evaluator
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position


class Constant:
    """An evaluator that returns the same value for all positions."""

    unit = 2

    def __init__(self, value: object) -> None:
        self.value = value

    def evaluate(self, position: Position, player: int) -> object:
        """Return the value."""
        return self.value


@pytest.mark.parametrize("value", [0, -MAX_EVALUATION, MAX_EVALUATION])
def test_value_within_the_bounds_is_returned(value):
    """A value within the bounds of evaluations is returned."""
    evaluator = ForeignEvaluator(Constant(value), "here")
    assert (evaluator.evaluate(Position(), 1), evaluator.unit) == (value, 2)


@pytest.mark.parametrize(
    "value", [MAX_EVALUATION + 1, -MAX_EVALUATION - 1, None, "3", float("nan")]
)
def test_other_value_is_an_error(value):
    """Any other value raises an error in one line that names the evaluator."""
    with pytest.raises(UsageError, match=r"the evaluator 'here' (gives|fails)") as caught:
        ForeignEvaluator(Constant(value), "here").evaluate(Position(), 1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("unit", [0, -1, 1.5, None])
def test_impossible_unit_is_an_error(unit):
    """A unit that is not a whole number from 1 raises an error."""
    written = Constant(0)
    written.unit = unit
    with pytest.raises(UsageError, match="no unit"):
        ForeignEvaluator(written, "here")


def test_evaluator_is_loaded_from_a_file(tmp_path):
    """An evaluator is loaded from a file, even if the file has the name of a library module."""
    path = tmp_path / "random.py"
    path.write_text("class Own:\n    unit = 1\n    def evaluate(self, *_):\n        return 7\n")
    assert load_evaluator(f"{path}:Own").evaluate(Position(), 1) == 7


@pytest.mark.parametrize("place", ["nothing", "nothing.py:Own", "json:Own", ":Own"])
def test_missing_evaluator_is_an_error(place):
    """A missing evaluator raises an error that names the place where it was looked for."""
    with pytest.raises(UsageError, match=f"'{place}'"):
        load_evaluator(place)
