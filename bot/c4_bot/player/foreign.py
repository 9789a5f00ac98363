"""Evaluators that users write, which are loaded by name. Their errors are reported in one line."""

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from c4_protocol.program.errors import UsageError
from c4_protocol.program.streams import check_current_folder_exists
from c4_protocol.rules.position import Position

from c4_bot.contract import MAX_EVALUATION


class ForeignEvaluator:
    """An evaluator that a user wrote, with checks of everything that it returns.

    ``written`` is the user's object, and ``place`` is its name in error messages. Raises
    ``UsageError`` if the object is not an evaluator.
    """

    def __init__(self, written: Any, place: str) -> None:  # noqa: ANN401 - it is checked here
        unit = getattr(written, "unit", None)
        is_callable = callable(getattr(written, "evaluate", None))
        if not is_callable or not isinstance(unit, int) or unit < 1:
            raise UsageError(
                f"'{place}' has no method evaluate(position, player), or no unit, a whole number "
                "from 1"
            )
        self.unit: int = unit
        self.explain = getattr(written, "explain", None)
        self._evaluate = written.evaluate
        self._place = place

    def evaluate(self, position: Position, player: int) -> int:
        """Return the user's value of a position.

        Raises ``UsageError`` if the user's code fails, or does not return a number from
        ``-MAX_EVALUATION`` to ``MAX_EVALUATION``.
        """
        try:
            value: int = self._evaluate(position, player)
            is_fit = -MAX_EVALUATION <= value <= MAX_EVALUATION
        except Exception as error:
            raise UsageError(f"the evaluator '{self._place}' fails: {error!r}") from None
        if not is_fit:
            raise UsageError(
                f"the evaluator '{self._place}' gives {value}: a value is at most "
                "2**60 - 2**20, up or down"
            )
        return value


def load_evaluator(place: str) -> ForeignEvaluator:
    """Return the evaluator at ``package.module:Class`` or ``path/to/file.py:Class``.

    Raises ``UsageError`` if it cannot be loaded.
    """
    source, _, name = place.rpartition(":")
    if not source:
        raise UsageError(f"no evaluator '{place}': say module:Class or file.py:Class")
    try:
        written = getattr(_import_module(source), name)()
    except Exception as error:
        check_current_folder_exists()
        raise UsageError(f"cannot load the evaluator '{place}': {error!r}") from None
    return ForeignEvaluator(written, place)


def _import_module(source: str) -> ModuleType:
    """Import a module by its name, or by the path of its file."""
    if not source.endswith(".py"):
        sys.path.insert(0, str(Path.cwd()))
        return import_module(source)
    # The name has a prefix, because the file may have the name of a module that is in use.
    spec = spec_from_file_location(f"_evaluator_{Path(source).stem}", source)
    if spec is None or spec.loader is None:
        raise ImportError("not a Python file")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
