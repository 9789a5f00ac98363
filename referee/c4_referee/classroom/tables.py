"""Tables of bots: how a version of a submission starts, with the edits of the instructor."""

import shlex
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import tomlkit

from c4_referee.bots.find import checked_spec
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.bots_file import BOTS_FILE, BotsFile
from c4_referee.classroom.environment import ENVIRONMENT
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.submissions.compiling import spec_of
from c4_referee.classroom.submissions.scrub import Scrubber


def environment_of(register: Register) -> str:
    """Return the path of the Python environment of a class."""
    return str(register.folder.parent.resolve() / ENVIRONMENT)


def found_table(register: Register, student: Student, version: Version) -> dict[str, Any]:
    """Return the table of a bot as the steps have found it; empty if it does not start."""
    if version.start is None:
        return {}
    build = register.place(student, version) / "build"
    python = environment_of(register)
    spec = spec_of(version.start, student.alias, build.resolve(), python, sandboxed=True)
    return table_of(spec, but={"name", "sandbox"}) | version.needs


def spec_for(
    register: Register, bots: BotsFile, student: Student, version: Version, *, sandboxed: bool
) -> BotSpec:
    """Return how a version of a submission is started.

    Raises ``UsageError`` if the instructor's edits of its table are wrong.
    """
    build = register.place(student, version) / "build"
    table = {"cwd": str(build.resolve()), "sandbox": sandboxed, "python": environment_of(register)}
    table |= found_table(register, student, version)
    table |= bots.edited(student.alias, student.table)
    return checked_spec({"name": student.alias, **table}, BOTS_FILE, f"bots.{student.alias}")


def table_of(spec: BotSpec, but: Iterable[str] = ("name",)) -> dict[str, Any]:
    """Return the keys of a bot's table that are not the defaults, except those in ``but``."""
    table = {
        field.name: getattr(spec, field.name)
        for field in fields(BotSpec)
        if field.name not in but and getattr(spec, field.name) != field.default
    }
    table["command"] = shlex.join(spec.command)
    return {key: value for key, value in table.items() if value not in ({}, ())}


def bots_toml(specs: Iterable[BotSpec], **settings: object) -> bytes:
    """Return a TOML file with some settings and a table ``[bots.NAME]`` for each bot."""
    bots = {spec.name: table_of(spec) for spec in specs}
    return tomlkit.dumps({**settings, "bots": bots}).encode()


def scrubber(register: Register, student: Student, version: Version) -> Scrubber:
    """Return a function that removes the paths of this machine from texts for a student."""
    folder = register.folder.resolve()
    return Scrubber((register.place(student, version) / "build").resolve(), folder.parent)
