"""Registry of players, searches and evaluators. It finds them by name, and builds players.

A search is a module of ``c4_bot.search``, and an evaluator is a module of ``c4_bot.evaluate``. The
module ``needed.py`` defines ``class Needed``. To add a search or an evaluator, add a file. Each
table of ``players.toml`` is a player. The program reads ``players.json``, which has the same
content, because reading TOML takes 5 ms. The test ``tests/bot/player/test_registry.py`` makes this
file, with ``pytest --refresh-golden``.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast, get_args, get_origin

import orjson
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import shortened

from c4_bot.contract import MAX_WEIGHT, Evaluator, Search
from c4_bot.native import native_twin
from c4_bot.player.player import Player

DEFAULT_PLAYER = "perfect"
DEFAULT_WITH_EVALUATOR = "sequences"
"""Default player for a user's own evaluator. It is a plain search that evaluates every leaf, so the
comparison with other evaluators is fair."""


@dataclass(frozen=True)
class PlayerSpec:
    """A table of ``players.toml``.

    ``elo`` is the measured strength on 7x6: the Elo difference to the player ``random``. It is
    ``None`` if it was not measured.
    """

    name: str
    summary: str
    source: str
    variants: str
    search: str
    evaluation: str | None = None
    elo: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    faithful: Mapping[str, Any] = field(default_factory=dict)

    def all_parameters(self) -> dict[str, Any]:
        """Return every parameter that can be set, by name, with the value for this player."""
        defaults = {item.name: item.default for item in self._parameter_fields()}
        switch = {"faithful": False} if self.faithful else {}
        return defaults | switch | dict(self.parameters)

    def kinds(self) -> dict[str, Any]:
        """Return the type of every parameter, by name."""
        return {item.name: item.type for item in self._parameter_fields()} | {"faithful": bool}

    def _parameter_fields(self) -> list[Field[Any]]:
        parts = [_class_in("c4_bot.search", self.search), Player]
        if self.evaluation:
            parts.append(_class_in("c4_bot.evaluate", self.evaluation))
        return [item for part in parts for item in _settable_fields(part)]


@cache
def player_specs() -> dict[str, PlayerSpec]:
    """Return all players by name, with tuples instead of the lists of JSON."""
    tables = orjson.loads((Path(__file__).parent / "players.json").read_bytes())
    for table in tables.values():
        table["parameters"] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in table.get("parameters", {}).items()
        }
    return {name: PlayerSpec(name, **table) for name, table in tables.items()}


def build_player(
    name: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    evaluator: Evaluator | None = None,
    seed: int | None = None,
) -> Player:
    """Return the player with this name, or the default player.

    ``overrides`` replaces parameters by name, and ``evaluator`` replaces the player's evaluator.
    ``seed`` is for players that choose at random. Other players ignore it. Raises ``UsageError``
    for unknown names and for values of the wrong type.
    """
    name = name or (DEFAULT_WITH_EVALUATOR if evaluator else DEFAULT_PLAYER)
    if name not in player_specs():
        raise UsageError(f"no player {shortened(name)}: there are {', '.join(player_specs())}")
    spec = player_specs()[name]
    parameters = _parameters_with_overrides(spec, overrides or {})
    if seed is not None and "seed" in parameters:
        parameters["seed"] = seed
    if evaluator is None and spec.evaluation:
        evaluator = _instance_of(_class_in("c4_bot.evaluate", spec.evaluation), parameters)
    given = parameters if evaluator is None else parameters | {"evaluator": evaluator}
    search: Search = _instance_of(_class_in("c4_bot.search", spec.search), given)
    own = {item.name: parameters[item.name] for item in _settable_fields(Player)}
    return Player(name, native_twin(spec.search, search), spec.variants, **own)


def _class_in(package: str, name: str) -> type:
    """Return the class of a module: ``Needed`` of ``c4_bot.evaluate.needed``."""
    return cast(type, getattr(import_module(f"{package}.{name}"), name.title().replace("_", "")))


def _settable_fields(part: type) -> list[Field[Any]]:
    """Return the parameters of a class: the fields of ``__init__`` that have a default."""
    return [
        item
        for item in fields(part)
        if item.init and item.default is not MISSING and item.name != "variants"
    ]


def _instance_of(part: type, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a search or an evaluator
    """Return an instance of a class, made from the given values that have names of its fields."""
    return part(**{item.name: given[item.name] for item in fields(part) if item.name in given})


def _parameters_with_overrides(spec: PlayerSpec, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player's parameters with the overrides; raise ``UsageError`` for wrong overrides."""
    parameters = spec.all_parameters()
    if overrides.get("faithful") is True:
        parameters |= spec.faithful
    for name, value in overrides.items():
        if name not in parameters:
            names = ", ".join(parameters)
            raise UsageError(f"player '{spec.name}' has no parameter '{name}': it has {names}")
        parameters[name] = _checked_parameter(name, value, spec.kinds()[name])
    return parameters


def _checked_parameter(name: str, value: object, kind: Any) -> object:  # noqa: ANN401 - a type of any form
    """Return the value if a parameter of this type can hold it; raise ``UsageError`` if not."""
    kinds = get_args(kind) or (kind,)
    if get_origin(kind) is tuple:
        if isinstance(value, list | tuple) and all(
            type(weight) is int and abs(weight) <= MAX_WEIGHT for weight in value
        ):
            return tuple(value)
    elif kind is bool:
        if isinstance(value, bool):
            return value
    elif type(value) in kinds or (type(value) is int and float in kinds):
        return value
    raise UsageError(f"parameter '{name}' cannot be {value!r}")


def list_of_players() -> str:
    """Return the list of the players, one on each line."""
    width = max(map(len, player_specs()))
    return "".join(
        f"{spec.name:{width}}  {spec.summary}{'' if spec.elo is None else f'; Elo {spec.elo}'}\n"
        for spec in player_specs().values()
    )


def strength_in_words(name: str) -> str:
    """Return how strong a player is, as a line of text; empty if its Elo was not measured."""
    spec = player_specs().get(name)
    if spec is None or not spec.elo:
        return ""
    elo = round(spec.elo, -1)
    return f"{name} is about {elo} Elo stronger than a player that moves at random.\n"


def list_of_players_json() -> str:
    """Return the players as a JSON array of objects."""
    players = [
        asdict(spec) | {"parameters": spec.all_parameters()} for spec in player_specs().values()
    ]
    return orjson.dumps(players, option=orjson.OPT_INDENT_2).decode() + "\n"
