"""Functions that find the bots of a contest in a TOML file, by name or by command line."""

import os
import re
import shutil
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from c4_protocol.dialects import DEFAULT_DIALECT
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import MAX_NAME_LENGTH, numbered_names, visible
from c4_protocol.records.fields import quick_reader

from c4_referee.bots.agents import check_dialect_name, command_without_prefix
from c4_referee.bots.own import COMMAND_FILES
from c4_referee.bots.placeholders import Arguments, split_command
from c4_referee.bots.spec import SCRIPT_ENDINGS, BotSpec, check_folder, check_passable, search_path
from c4_referee.bots.toml import checked_values, read_toml

BLANK_CHARACTERS = " \t\r\n"
"""Characters between the words of a command line."""
BOT_NAME_PATTERN = re.compile(r"[\w-]+")
"""Pattern of texts that are the name of a bot's table rather than a command line."""
SCRIPT_PATTERN = re.compile(rf"[^-\s]\S*({'|'.join(map(re.escape, SCRIPT_ENDINGS))})")
"""Pattern of a word of a command line that is a script."""
VARIABLE_PATTERN = re.compile(r"[A-Z_0-9]+=")
"""Pattern for the beginning of a line that a shell would read as the setting of a variable."""


def read_bots(path: str) -> dict[str, BotSpec]:
    """Return the bots of a TOML file by name.

    If the file sets ``arguments``, as a tournament's file may, they are for all its bots. Raises
    ``UsageError``, which names the wrong key.
    """
    document = read_toml(path, "the bots")
    bots, arguments = bots_from_tables(document.get("bots", {}), path), document.get("arguments")
    if arguments is None:
        return bots
    return {name: _with_arguments(bot, arguments) for name, bot in bots.items()}


def bots_from_tables(tables: object, source: str) -> dict[str, BotSpec]:
    """Return the bots of tables ``[bots.NAME]`` by name. Errors name their file, ``source``."""
    if not isinstance(tables, dict):
        raise UsageError(f"{source}: 'bots' is not a table: bots are written as [bots.NAME]")
    return {name: _spec_from_table(name, table, source) for name, table in tables.items()}


def checked_spec(values: dict[str, Any], source: str, root: str = "") -> BotSpec:
    """Return the spec with these fields, or raise ``UsageError`` as ``toml.checked_values`` does.

    Correct fields are read without pydantic, because its import takes longer than a short match.
    """
    return _spec_or_none(values) or checked_values(BotSpec, values, source, root)


_spec_or_none = quick_reader(BotSpec)


def find_bots(
    texts: Sequence[str],
    known: dict[str, BotSpec],
    *,
    here: bool = True,
    arguments: Arguments | None = None,
    dialect: str | None = None,
    sandbox: bool | None = None,
    missing: dict[str, str] | None = None,
    stored: Collection[str] = (),
    **settings: Any,  # noqa: ANN401 - fields of several types
) -> list[BotSpec]:
    """Return a spec for each text: the known bot of that name, or a bot with that command line.

    ``NAME=`` may stand before a command line. Without it, the bot is named after its file, or after
    the whole line if several bots would have this name or if the line is a name in ``stored``. If
    several bots have the same name, they are numbered. ``settings`` are fields that are set for
    all bots, and ``arguments`` are for bots that do not set ``arguments`` themselves. ``dialect``
    is for bots that are command lines, and ``UsageError`` is raised if there are none. ``sandbox``
    is ``True`` if all bots must run in the sandbox, and ``False`` if only those may that set
    ``sandbox`` themselves. With ``here``, the bots are started on this machine. If this machine
    lacks programs or folders of bots, ``UsageError`` names them all, or the reasons are added to
    ``missing`` by the bots' names. It is also raised if a bot cannot have its sandbox.
    """
    if dialect is not None and known.keys() >= {*texts}:
        raise UsageError(
            f"--dialect is for a bot that is a command line: write dialect = {dialect!r} in "
            f"[bots.{texts[0]}]"
        )
    spoken = dialect or DEFAULT_DIALECT
    specs = [known.get(text) or _spec_from_command(text, spoken) for text in texts]
    specs = _named_by_files(specs, texts, {*known, *stored})
    specs = [_with_arguments(replace(spec, **settings), arguments) for spec in specs]
    if sandbox is not None:
        specs = [replace(spec, sandbox=sandbox or bool(spec.sandbox)) for spec in specs]
    specs, lacking = _number_namesakes(specs), {} if missing is None else missing
    for text, spec in zip(texts, specs, strict=True):
        hint = "" if text in known else _hint_for_unknown_bot(text, known)
        try:
            _check_bot_is_here(spec, hint, here)
        except UsageError as error:
            lacking[spec.name] = str(error)
    if lacking and missing is None:
        raise UsageError("; ".join(lacking.values()))
    for spec in specs:
        if here and spec.name not in lacking:
            spec.check_allowed()
    return specs


def _with_arguments(spec: BotSpec, arguments: Arguments | None) -> BotSpec:
    """Return the bot with these arguments, or unchanged if its table sets ``arguments``.

    Raises ``UsageError`` if the bot cannot have them.
    """
    if arguments is None or spec.arguments is not None:
        return spec
    try:
        return replace(spec, arguments=arguments)
    except ValueError as error:
        raise UsageError(f"bot '{spec.name}' with arguments = \"{arguments}\": {error}") from None


def _check_bot_is_here(spec: BotSpec, hint: str, here: bool) -> None:
    """Raise ``UsageError``, with a hint, for a bot whose program or folder is missing.

    A folder that cannot be read counts as missing. If the bot is not started ``here``, it still
    needs its folder, which is packed on this machine.
    """
    try:
        if here:
            spec.check_found()
        if spec.folder is not None:
            from c4_referee.bots.bot_folder import check_members  # noqa: PLC0415 - few bots need it

            check_folder(spec)
            check_members(Path(spec.folder))
    except UsageError as error:
        raise UsageError(f"{error}{hint}") from None
    except OSError as error:
        raise UsageError(f"bot '{spec.name}': cannot read its folder: {error.strerror}") from None


def _hint_for_unknown_bot(text: str, known: Collection[str]) -> str:
    """Return a hint for a text that is not the name of a known bot, or "" if no hint is known."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

    if near := get_close_matches(text, known, 1):
        return f"; did you mean {near[0]}?"
    if VARIABLE_PATTERN.match(text):
        return f"; to set a variable, say env {visible(text)}"
    is_name = not known and is_unknown_name(text)
    return "; say a command line, or name a file of bots with --bots" if is_name else ""


def is_unknown_name(text: str) -> bool:
    """Return whether a text is a name, and no program of this name can be started."""
    is_name = BOT_NAME_PATTERN.fullmatch(text) and text not in COMMAND_FILES
    return bool(is_name) and not shutil.which(text, path=search_path())


def _spec_from_table(name: str, table: object, source: str) -> BotSpec:
    if not isinstance(table, dict):
        raise UsageError(f"{source}: bots.{name} is not a table")
    if "name" in table:
        raise UsageError(f"{source}: bots.{name}.name: the name is that of the table")
    return checked_spec({"name": name, **table}, source, f"bots.{name[:MAX_NAME_LENGTH]}")


def _spec_from_command(text: str, dialect: str) -> BotSpec:
    check_dialect_name(dialect)
    name, line = _name_of_command(text), text
    try:
        first = check_passable(split_command(text))[0]
        given, sign, rest = text.strip().partition("=")
        is_named = sign and BOT_NAME_PATTERN.fullmatch(given)
        if is_named and not (os.path.lexists(first) or shutil.which(first, path=search_path())):
            name, line = _name_of_command(given), rest
        return BotSpec(name, check_passable(split_command(line)), dialect=dialect)
    except ValueError as error:
        raise UsageError(f"bot {text!r}: {error}") from None


def _name_of_command(text: str) -> str:
    """Return a command line as the name of its bot. The middle of a long one is left out."""
    name, gap = visible(text.strip(BLANK_CHARACTERS)), " ... "
    if len(name) <= MAX_NAME_LENGTH:
        return name
    half = (MAX_NAME_LENGTH - len(gap)) // 2
    return name[:half] + gap + name[-half:]


def _named_by_files(
    specs: Sequence[BotSpec], texts: Sequence[str], kept: Collection[str]
) -> list[BotSpec]:
    """Return the specs, named by files if they have no name. Names in ``kept`` stay."""
    named = list(specs)
    for place, (spec, text) in enumerate(zip(specs, texts, strict=True)):
        if spec.name == _name_of_command(text) and not {text, spec.name}.intersection(kept):
            named[place] = replace(spec, name=_file_name(spec))
    names = [spec.name for spec in named]
    pairs = zip(named, specs, strict=True)
    return [one if names.count(one.name) == 1 else other for one, other in pairs]


def _file_name(spec: BotSpec) -> str:
    """Return the command line of a bot from its script or program on, without their folders.

    It is the name of the bot, the whole line, if this names no file or is our own command.
    """
    words = command_without_prefix(spec.command)
    at = next((at for at, word in enumerate(words) if SCRIPT_PATTERN.fullmatch(word)), 0)
    name = words[at].rpartition(os.sep)[2]
    if spec.command[0] in COMMAND_FILES or name in {"", spec.command[0]}:
        return spec.name
    return _name_of_command(" ".join((name, *words[at + 1 :])))


def _number_namesakes(specs: Sequence[BotSpec]) -> list[BotSpec]:
    """Return the specs with different names. The second bot named ``bot`` becomes ``bot (2)``.

    A name that another bot has is skipped.
    """
    numbered: list[BotSpec] = []
    for spec in specs:
        if spec.name in {bot.name for bot in numbered}:
            taken = {bot.name for bot in (*specs, *numbered)}
            name = next(name for name in numbered_names(spec.name) if name not in taken)
            numbered.append(replace(spec, name=name))
        else:
            numbered.append(spec)
    return numbered
