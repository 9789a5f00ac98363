"""Somebody's own evaluator: found where they say it is, and what it does wrong told in one line."""

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from c4_protocol.errors import UsageError
from c4_protocol.position import Position

from c4_bot.contract import PROVEN


class Foreign:
    """An evaluator that somebody ``made``, known by its ``place``.

    Raises ``UsageError`` if it is none.
    """

    def __init__(self, made: Any, place: str) -> None:  # noqa: ANN401 - that is to be seen
        unit = getattr(made, "unit", None)
        if not callable(getattr(made, "evaluate", None)) or not isinstance(unit, int) or unit < 1:
            raise UsageError(
                f"'{place}' has no method evaluate(position, player), or no unit, a whole number "
                "from 1"
            )
        self.unit: int = unit
        self.explain = getattr(made, "explain", None)
        self._evaluate = made.evaluate
        self._place = place

    def evaluate(self, position: Position, player: int) -> int:
        """Its value; raises ``UsageError`` where it fails, or gives no number within ``PROVEN``."""
        try:
            value: int = self._evaluate(position, player)
            is_fit = -PROVEN <= value <= PROVEN
        except Exception as error:
            raise UsageError(f"the evaluator '{self._place}' fails: {error!r}") from None
        if not is_fit:
            raise UsageError(f"the evaluator '{self._place}' gives {value}: 2**59 at most, please")
        return value


def load_evaluator(place: str) -> Foreign:
    """The evaluator at ``package.module:Class`` or ``path/to/file.py:Class``.

    Raises ``UsageError`` where there is none.
    """
    source, _, name = place.rpartition(":")
    if not source:
        raise UsageError(f"no evaluator '{place}': say module:Class or file.py:Class")
    try:
        made = getattr(_load(source), name)()
    except Exception as error:
        raise UsageError(f"cannot load the evaluator '{place}': {error!r}") from None
    return Foreign(made, place)


def _load(source: str) -> ModuleType:
    if not source.endswith(".py"):
        sys.path.insert(0, str(Path.cwd()))
        return import_module(source)
    # Under a name of its own: a file may be called as one of the modules that play.
    spec = spec_from_file_location(f"_evaluator_{Path(source).stem}", source)
    if spec is None or spec.loader is None:
        raise ImportError("not a Python file")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
