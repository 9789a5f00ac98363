"""Tables of bots whose values are correct, read without pydantic.

``BotSpec`` defines what a table may hold. Importing pydantic and making its checks takes longer
than the rest of a short match, so correct tables are read here. All others are left to
``toml.checked``, which says what is wrong.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast, get_args

from c4_protocol.errors import UsageError
from c4_protocol.text import checked_name

from c4_referee.bots.agents import check_dialect
from c4_referee.bots.clock import LONGEST_MS
from c4_referee.bots.command_line import Arguments, split_command
from c4_referee.bots.spec import BotSpec, check_passable

REQUIRED = {"name", "command"}


def correct_spec(table: Mapping[str, Any]) -> BotSpec | None:
    """Return the spec of a table, or ``None`` if a value is wrong or unusual."""
    if not REQUIRED <= table.keys() <= _CHECKS.keys():
        return None
    try:
        if all(_CHECKS[key](value) for key, value in table.items()):
            return _spec(table)
    except (UsageError, ValueError):
        pass
    return None


def _spec(table: Mapping[str, Any]) -> BotSpec:
    """Return the spec of a table whose values have been checked."""
    command = table["command"]
    values = {**table, "command": _words(command)}
    if "visible" in values:
        values["visible"] = tuple(values["visible"])
    if values.get("time_ms") is not None:
        values["time_ms"] = float(values["time_ms"])
    if values.get("cpus") is not None:
        values["cpus"] = float(values["cpus"])
    return BotSpec(**values)


def _words(command: object) -> tuple[str, ...]:
    return split_command(command) if isinstance(command, str) else tuple(cast(list[str], command))


def _is_name(value: object) -> bool:
    return type(value) is str and checked_name(value) == value


def _is_command(value: object) -> bool:
    return (type(value) is str or (_are_texts(value) and bool(value))) and _passes(_words(value))


def _are_texts(value: object) -> bool:
    return type(value) in {list, tuple} and all(
        type(text) is str for text in cast(list[object], value)
    )


def _are_variables(value: object) -> bool:
    return type(value) is dict and _are_texts([*value, *value.values()]) and _passes(value)


def _passes(value: object) -> bool:
    """Return true if texts can be passed to a program, otherwise raise ``ValueError``."""
    check_passable(value)
    return True


def _is_folder(value: object) -> bool:
    return value is None or (type(value) is str and bool(value) and _passes(value))


def _is_dialect(value: object) -> bool:
    if type(value) is not str:
        return False
    check_dialect(value)
    return True


def _is_count(end: int, least: int = 1) -> Callable[[object], bool]:
    return lambda value: type(value) is int and least <= value < end


def _is_number(end: float) -> Callable[[object], bool]:
    return lambda value: (
        value is None or (type(value) in {int, float} and 0 < cast(float, value) < end)
    )


def _is_flag(value: object) -> bool:
    return type(value) is bool


_CHECKS: dict[str, Callable[[object], bool]] = {
    "name": _is_name,
    "command": _is_command,
    "arguments": lambda value: value is None or value in get_args(Arguments),
    "dialect": _is_dialect,
    "cwd": _is_folder,
    "folder": _is_folder,
    "env": _are_variables,
    "time_ms": _is_number(LONGEST_MS),
    "restart": lambda value: type(value) is str and value in {"never", "game"},
    "memory_mb": lambda value: value is None or _is_count(1 << 40)(value),
    "open_files": _is_count(1 << 30),
    "file_mb": _is_count(1 << 40),
    "processes": _is_count(1 << 30, least=0),
    "sandbox": lambda value: value is None or _is_flag(value),
    "freeze": lambda value: value is None or _is_flag(value),
    "written_mb": _is_count(1 << 40),
    "threads": _is_count(1 << 30),
    "cpus": _is_number(1 << 20),
    "visible": lambda value: _are_texts(value) and _passes(value),
}
"""Checks of the values in a table, by key. They raise ``ValueError`` or ``UsageError`` for some
wrong values. Pydantic accepts every value that passes its check."""
