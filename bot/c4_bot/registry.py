"""Finds players, searches and evaluators by name, and puts them together.

A search is a module of ``c4_bot.search``, an evaluator is one of ``c4_bot.evaluate``. The module
``needed.py`` defines ``class Needed``. To add one, add a file. Each table of ``players.toml`` is a
player.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, cast, get_args, get_origin

import orjson
from c4_protocol.errors import UsageError

from c4_bot.contract import MAX_WEIGHT, Evaluator, Search
from c4_bot.native import twin
from c4_bot.player import Player

DEFAULT_PLAYER = "perfect"
DEFAULT_WITH_EVALUATOR = "sequences"
"""Who plays with somebody's own evaluator: nothing but a search that asks it at every leaf, so that
it meets the other evaluators on equal terms."""


@dataclass(frozen=True)
class PlayerSpec:
    """One table of ``players.toml``."""

    name: str
    summary: str
    source: str
    variants: str
    search: str
    evaluation: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    faithful: Mapping[str, Any] = field(default_factory=dict)

    def all_parameters(self) -> dict[str, Any]:
        """Every parameter that may be set, with its value here."""
        defaults = {item.name: item.default for part in self._parts() for item in _settable(part)}
        switch = {"faithful": False} if self.faithful else {}
        return defaults | switch | dict(self.parameters)

    def kinds(self) -> dict[str, Any]:
        """The type of every parameter."""
        kinds = {item.name: item.type for part in self._parts() for item in _settable(part)}
        return kinds | {"faithful": bool}

    def _parts(self) -> list[type]:
        parts = [_class("c4_bot.search", self.search), Player]
        return parts + ([_class("c4_bot.evaluate", self.evaluation)] if self.evaluation else [])


def names(package: str) -> list[str]:
    """Return the modules of ``c4_bot.search`` or ``c4_bot.evaluate``, without ``_name.py``."""
    found = (module.name for module in iter_modules(import_module(package).__path__))
    return sorted(name for name in found if not name.startswith("_"))


@cache
def specs() -> dict[str, PlayerSpec]:
    """All named players."""
    tables = tomllib.loads((Path(__file__).parent / "players.toml").read_text(encoding="utf-8"))
    return {name: PlayerSpec(name, **_hashable(table)) for name, table in tables.items()}


def _hashable(table: dict[str, Any]) -> dict[str, Any]:
    """A table of players.toml whose weights are tuples."""
    parameters = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in table.get("parameters", {}).items()
    }
    return table | {"parameters": parameters}


def build(
    name: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    evaluator: Evaluator | None = None,
    seed: int | None = None,
) -> Player:
    """The player of that name (or the default), its parameters or its evaluator changed.

    ``seed`` is for players that draw lots; the others play the same way every time.
    Raises ``UsageError`` for names that are not there and values of another type.
    """
    name = name or (DEFAULT_WITH_EVALUATOR if evaluator else DEFAULT_PLAYER)
    if name not in specs():
        raise UsageError(f"no player '{name}': there are {', '.join(specs())}")
    spec = specs()[name]
    parameters = _overridden(spec, overrides or {})
    if seed is not None and "seed" in parameters:
        parameters["seed"] = seed
    if evaluator is None and spec.evaluation:
        evaluator = _make(_class("c4_bot.evaluate", spec.evaluation), parameters)
    given = parameters if evaluator is None else parameters | {"evaluator": evaluator}
    search: Search = _make(_class("c4_bot.search", spec.search), given)
    own = {item.name: parameters[item.name] for item in _settable(Player)}
    return Player(name, twin(spec.search, search), spec.variants, **own)


def _class(package: str, name: str) -> type:
    """``class Needed`` of ``c4_bot.evaluate.needed``."""
    return cast(type, getattr(import_module(f"{package}.{name}"), name.title().replace("_", "")))


def _settable(part: type) -> list[Field[Any]]:
    """The parameters of a part: its public fields that have a default."""
    return [
        item
        for item in fields(part)
        if item.init and item.default is not MISSING and item.name != "variants"
    ]


def _make(part: type, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a search or an evaluator
    """An instance of a part from those of the given values that are its own."""
    return part(**{item.name: given[item.name] for item in fields(part) if item.name in given})


def _overridden(spec: PlayerSpec, overrides: Mapping[str, Any]) -> dict[str, Any]:
    parameters = spec.all_parameters()
    if overrides.get("faithful") is True:
        parameters |= spec.faithful
    for name, value in overrides.items():
        if name not in parameters:
            known = ", ".join(parameters)
            raise UsageError(f"player '{spec.name}' has no parameter '{name}': it has {known}")
        parameters[name] = _checked(name, value, spec.kinds()[name])
    return parameters


def _checked(name: str, value: object, kind: Any) -> object:  # noqa: ANN401 - a type of any form
    """The value, if a parameter of that type can hold it."""
    kinds = get_args(kind) or (kind,)
    if get_origin(kind) is tuple:
        if isinstance(value, list | tuple) and all(map(_is_weight, value)):
            return tuple(value)
    elif kind is bool:
        if isinstance(value, bool):
            return value
    elif type(value) in kinds or (type(value) is int and float in kinds):
        return value
    raise UsageError(f"parameter '{name}' cannot be {value!r}")


def _is_weight(value: object) -> bool:
    return type(value) is int and abs(value) <= MAX_WEIGHT


def listing() -> str:
    """The players for people: one a line."""
    width = max(map(len, specs()))
    return "".join(f"{spec.name:{width}}  {spec.summary}\n" for spec in specs().values())


def listing_json() -> str:
    """The players as one JSON array of objects."""
    players = [asdict(spec) | {"parameters": spec.all_parameters()} for spec in specs().values()]
    return orjson.dumps(players, option=orjson.OPT_INDENT_2).decode() + "\n"
