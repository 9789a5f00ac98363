"""Who plays: a command line, or an entry of a TOML file of bots."""

import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from protocol import dialects
from protocol.errors import UsageError


class BotSpec(BaseModel):
    """How to start a bot and speak with it: a table ``[bots.NAME]``.

    ``restart`` says whether it is started anew for every game, as the course's drivers do, or
    lives on; ``time_ms`` overrides the match's time for a move.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    command: tuple[str, ...] = Field(min_length=1)
    dialect: str = "jsonl"
    cwd: str | None = None
    env: dict[str, str] = Field(default_factory=dict)
    time_ms: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    restart: Literal["never", "game"] = "game"

    @field_validator("command", mode="before")
    @classmethod
    def _split(cls, command: object) -> object:
        return tuple(shlex.split(command)) if isinstance(command, str) else command

    @field_validator("dialect")
    @classmethod
    def _known(cls, dialect: str) -> str:
        if dialect not in dialects.names():
            raise ValueError(f"no dialect '{dialect}': there are {', '.join(dialects.names())}")
        return dialect

    def environment(self) -> dict[str, str]:
        """The child's environment: ours and ``env``, with this installation's scripts findable."""
        scripts = str(Path(sys.executable).parent)
        path = os.environ.get("PATH", os.defpath) + os.pathsep + scripts
        return {**os.environ, "PATH": path, **self.env}


def read_bots(path: str) -> dict[str, BotSpec]:
    """The bots of a TOML file by name; raises ``UsageError`` naming the key that is wrong."""
    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the bots of {path}: {error}") from None
    tables = document.get("bots", {})
    if not isinstance(tables, dict):
        raise UsageError(f"{path}: 'bots' is no table: bots are written as [bots.NAME]")
    return {name: _spec(name, table, path) for name, table in tables.items()}


def find_bots(texts: Sequence[str], known: dict[str, BotSpec]) -> list[BotSpec]:
    """A spec for each text: the known bot of that name, else a command line.

    Bots of the same name are numbered. Raises ``UsageError`` for a program that is not there.
    """
    specs = [known.get(text) or _from_command(text) for text in texts]
    for spec in specs:
        _check_program(spec)
    return _told_apart(specs)


def _spec(name: str, table: object, path: str) -> BotSpec:
    if not isinstance(table, dict):
        raise UsageError(f"{path}: bots.{name} is no table")
    try:
        return BotSpec.model_validate({"name": name, **table})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, ("bots", name, *first["loc"])))
        raise UsageError(f"{path}: {key}: {first['msg']}") from None


def _from_command(text: str) -> BotSpec:
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"bot '{text}': {error}") from None
    if not command:
        raise UsageError("a bot is a command line, or a name from the file given by --bots")
    return BotSpec(name=text, command=tuple(command))


def _check_program(spec: BotSpec) -> None:
    program = spec.command[0]
    if os.sep in program and spec.cwd is not None:
        program = str(Path(spec.cwd) / program)
    if shutil.which(program, path=spec.environment()["PATH"]) is None:
        raise UsageError(f"bot '{spec.name}': there is no program '{spec.command[0]}'")


def _told_apart(specs: Sequence[BotSpec]) -> list[BotSpec]:
    """The same specs, the second and later of one name called ``name (2)`` and so on."""
    seen: dict[str, int] = {}
    apart = []
    for spec in specs:
        seen[spec.name] = count = seen.get(spec.name, 0) + 1
        apart.append(
            spec if count == 1 else spec.model_copy(update={"name": f"{spec.name} ({count})"})
        )
    return apart
