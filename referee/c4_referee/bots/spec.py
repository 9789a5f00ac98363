"""Specs of bots, which say how to start a bot and how to speak with it (``find.py`` makes them)."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from c4_protocol import dialects
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.program.text import checked_name
from c4_protocol.program.trusted_options import OPTIONS, are_trusted
from c4_protocol.records.fields import Checked, Constraint
from c4_protocol.rules.variant import Variant

from c4_referee.bots.agents import (
    agent_files,
    check_agent,
    check_dialect_name,
    command_without_prefix,
)
from c4_referee.bots.clock import MAX_TIME_MS, TimeControl
from c4_referee.bots.contain.cgroup import GROUP_VARIABLE
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.named import named_paths
from c4_referee.bots.contain.places import real_path
from c4_referee.bots.contain.sandbox import why_no_sandbox
from c4_referee.bots.contain.stored_games import is_in_stored_games
from c4_referee.bots.own import (
    COMMAND_FILES,
    installed_packages,
    package_folders,
    version_of,
    with_own_command,
)
from c4_referee.bots.placeholders import (
    APPENDED_WORDS,
    PLACEHOLDER_PATTERN,
    Arguments,
    CommandValues,
    filled_in,
    placeholders_in,
    split_command,
)
from c4_referee.bots.toml import check_system_texts, checked_text
from c4_referee.system.tools import absolute_search_path

UNBUFFERED_VARIABLE = "PYTHONUNBUFFERED"
PYTHON_VARIABLES = ("PYTHON", "VIRTUAL_ENV")
"""Beginnings of the names of variables that change what Python imports."""
SANDBOX_VARIABLE = "C4_ARENA_SANDBOX"
"""Name of the environment variable that turns off the automatic sandbox if its value is "no"."""
SCRIPT_ENDINGS = (".py", ".sh", ".js", ".pl", ".rb", ".rkt", ".clj", ".jar")
"""Endings of scripts. The spec of a bot is refused if such a script does not exist."""
OPTION_PATTERN = re.compile(r"--[a-z-]+")
FUNCTION_COMMAND = "(a function)"
"""First word in the command line of a bot that is a function. It names no program."""


class SpecError(UsageError, ValueError):
    """Fields of a bot that contradict each other. Pydantic expects a ``ValueError``."""


def _split_if_text(command: object) -> object:
    return split_command(command) if isinstance(command, str) else command or split_command("")


def check_passable(value: Any) -> Any:  # noqa: ANN401 - the fields differ
    """Return the value, or raise ``ValueError`` if a text in it cannot be passed to a program."""
    texts = [*value, *value.values()] if isinstance(value, dict) else value or ""
    check_system_texts(*texts)
    if isinstance(value, dict) and any("=" in name or not name for name in value):
        raise ValueError("a variable's name is empty or has '=' in it")
    return value


_FolderField = Annotated[Annotated[str, Constraint(min_length=1)] | None, Checked(check_passable)]
_NumberField = Annotated[int, Constraint(gt=0, lt=1 << 40, strict=True)]
_CountField = Annotated[int, Constraint(gt=0, lt=1 << 30, strict=True)]
_FlagField = Annotated[bool, Constraint(strict=True)]


@dataclass(frozen=True)
class BotSpec:
    """Description of a bot, as in a table ``[bots.NAME]``: how to start it and speak with it.

    - ``command`` may contain placeholders, and ``arguments`` names words that are appended to the
      command. Both are explained in ``placeholders.py``.
    - ``dialect`` is the protocol that the bot speaks.
    - ``cwd`` is the folder in which the bot runs. If this folder holds all files of the bot,
      ``folder`` is set instead. Then the content of the folder is part of the bot's fingerprint,
      and the folder is sent to the workers of a cluster.
    - ``env`` holds variables that are added to the environment.
    - ``time_ms`` is the time for a move in milliseconds, instead of the contest's time control.
    - ``restart`` says how often the bot is started: for every game ("game"), as the course's
      drivers do, or once ("never").
    - ``memory_mb``, ``open_files``, ``file_mb``, ``written_mb``, ``processes``, ``threads`` and
      ``cpus`` are its ``ResourceLimits``.
    - ``sandbox`` says whether it runs in the sandbox (``sandbox.py``). ``None`` means that it does
      if this machine has a sandbox and the bot is not one of our own commands.
    - ``visible`` are further files and folders that it can read in the sandbox.
    - ``python`` is the environment of a class. It makes the bot a submission: our own commands do
      not exist for it, and its Python is that of this environment.
    - ``freeze`` says whether the bot is halted (SIGSTOP) outside of its turns. ``None`` means that
      it is from the time on at which it has used a processor there (``halting.py``).

    A ``command`` that is one text is split into words. Raises ``SpecError`` if it cannot be split,
    or if fields contradict each other. ``find.checked_spec`` checks everything else.
    """

    name: Annotated[str, Checked(checked_name)]
    command: Annotated[
        tuple[str, ...], Checked(check_passable), Checked(_split_if_text, before=True)
    ]
    arguments: Arguments | None = None
    dialect: Annotated[str, Checked(partial(checked_text, parse=check_dialect_name))] = "jsonl"
    cwd: _FolderField = None
    folder: _FolderField = None
    env: Annotated[dict[str, str], Checked(check_passable)] = field(default_factory=dict)
    time_ms: Annotated[float, Constraint(gt=0, lt=MAX_TIME_MS, strict=True)] | None = None
    restart: Literal["never", "game"] = "game"
    memory_mb: _NumberField | None = ResourceLimits.memory_mb
    open_files: _CountField = ResourceLimits.open_files
    file_mb: _NumberField = ResourceLimits.file_mb
    processes: Annotated[int, Constraint(ge=0, lt=1 << 30, strict=True)] = ResourceLimits.processes
    sandbox: _FlagField | None = None
    freeze: _FlagField | None = None
    written_mb: _NumberField = ResourceLimits.written_mb
    threads: _CountField = ResourceLimits.threads
    cpus: Annotated[float, Constraint(gt=0, lt=1 << 20, strict=True)] | None = ResourceLimits.cpus
    visible: Annotated[tuple[str, ...], Checked(check_passable)] = ()
    python: _FolderField = None

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    def __post_init__(self) -> None:
        try:
            if isinstance(self.command, str):
                object.__setattr__(self, "command", split_command(self.command))
        except ValueError as error:
            raise SpecError(str(error)) from None
        if self.cwd is not None and self.folder is not None:
            raise SpecError("cwd and folder: it can run in one of them only")
        if reason := self._why_it_cannot_run_on():
            raise SpecError(f'restart = "never" keeps a bot for {reason}: leave out restart')

    def _why_it_cannot_run_on(self) -> str:
        """Return why the bot cannot be kept for several games if it should be, otherwise ""."""
        with suppress(Exception):  # fields of wrong types are refused later, with a message
            if self.restart == "game":
                return ""
            if "player" in self.placeholders:
                when = "but {player} is filled in when it starts"
                return f"games in which it is another player, {when}"
            if dialects.referee_end(self.dialect).plays_one_game:
                return f"several games, but {self.dialect} has no line that begins another game"
        return ""

    @classmethod
    def read(cls, values: dict[str, Any]) -> "BotSpec":
        """Return the spec from a decoded JSON object, without checking it."""
        words = {name: tuple(values[name]) for name in ("command", "visible")}
        return cls(**values | words)

    @property
    def template(self) -> tuple[str, ...]:
        """All words of the bot's command line, with placeholders."""
        return (*self.command, *APPENDED_WORDS[self.arguments or "none"])

    @property
    def placeholders(self) -> set[str]:
        """Names of the placeholders in the bot's command line."""
        return placeholders_in(self.template)

    def command_for(self, values: CommandValues) -> tuple[str, ...]:
        """Return the bot's command line for a game. ``values`` fill in the placeholders."""
        return filled_in(self.template, values)

    @property
    def working_folder(self) -> str | None:
        """Folder in which the bot runs, or ``None`` for the current folder of the referee."""
        return self.cwd if self.folder is None else self.folder

    @property
    def is_own_command(self) -> bool:
        """True if the bot is ``c4-bot`` with options that run no code of other people.

        Variables may make Python import other modules. A placeholder is replaced by a number.
        """
        if self.command[0] != "c4-bot" or self.env or self.python:
            return False
        return are_trusted([PLACEHOLDER_PATTERN.sub("1", word) for word in self.template[1:]])

    @property
    def is_function(self) -> bool:
        """True if the bot is a function of the calling process (``functions.py``)."""
        return self.command[0] == FUNCTION_COMMAND

    @property
    def is_sandboxed(self) -> bool:
        """True if the bot runs in the sandbox on this machine."""
        if self.is_function:
            return False
        if self.sandbox is not None:
            return self.sandbox
        if is_sandbox_turned_off() or self.is_own_command:
            return False
        return why_no_sandbox() is None

    def sandbox_settings(self, others: Callable[[], Sequence[Path]] = tuple) -> Sandbox | None:
        """Return the settings of the bot's sandbox, or ``None`` if it runs without a sandbox.

        ``others`` returns the files and folders of the other bots.
        """
        if not self.is_sandboxed:
            return None
        path, hidden = self.environment()["PATH"], tuple(others())
        if self.python:
            return submission_sandbox(path, self.visible, hidden)
        ours = tuple(map(str, package_folders())) if self.command[0] in COMMAND_FILES else ()
        return Sandbox(path, (*self.visible, *ours), hidden, package_folders())

    def check_startable(self) -> None:
        """Raise ``UsageError`` if this machine lacks the bot's program, folder or sandbox."""
        self.check_found()
        self.check_allowed()

    def check_found(self) -> None:
        """Raise ``UsageError`` if this machine lacks the bot's program or folder."""
        if self.is_function:
            return
        check_folder(self)
        for name in self.visible:
            if not os.path.exists(name):  # noqa: PTH110 - Path's raises for long words
                raise UsageError(f"bot '{self.name}': visible: there is no '{name}'")
        _check_program(self)

    def check_allowed(self) -> None:
        """Raise ``UsageError`` if the bot cannot have the sandbox that it demands."""
        if self.sandbox and not self.is_function and (reason := why_no_sandbox()):
            raise UsageError(
                f"bot '{self.name}': no sandbox to run it in: {reason}; "
                "install bubblewrap and allow it user namespaces, or do without the sandbox"
            )
        if self.is_sandboxed:
            _check_stored_games(self)

    def time_control(self, general: TimeControl) -> TimeControl:
        """Return the bot's time control in a contest with a ``general`` one."""
        return general if self.time_ms is None else general.with_move_time(self.time_ms)

    def check_plays(self, variant: Variant, control: TimeControl) -> None:
        """Raise an error if the bot cannot play games with this variant and time control.

        Raises ``VariantError`` if the bot's dialect cannot express the variant, or if the bot is an
        agent that does not know it. Raises ``UsageError`` if the bot's command needs a time for
        each move, but there is a game clock, and for an agent with a dialect.
        """
        try:
            dialects.referee_end(self.dialect).check_variant(variant)
            if agent_files(self.command):
                check_agent(self.dialect, variant)
        except (UsageError, VariantError) as error:
            raise type(error)(f"bot '{self.name}': {error}") from None
        if control.main_ms is not None and "time_ms" in self.placeholders:
            raise UsageError(
                f"bot '{self.name}': {{time_ms}} in its command is the time for a move, "
                f"but the game has a clock ({control}): set time_ms, or leave out {{time_ms}}"
            )

    def check_openings(self, openings: str) -> None:
        """Raise ``UsageError`` if the bot's dialect cannot begin games with openings.

        ``openings`` is a source of openings (see ``contest.openings.Openings``).
        """
        if openings != "none" and dialects.referee_end(self.dialect).starts_empty:
            raise UsageError(
                f"bot '{self.name}': in {self.dialect}, each game begins on the empty board, "
                f"without openings such as '{openings}': set openings to none"
            )

    @property
    def limits(self) -> ResourceLimits:
        """Limits of what the bot may use of the machine."""
        names = (limit.name for limit in fields(ResourceLimits))
        return ResourceLimits(**{name: getattr(self, name) for name in names})

    def environment(self) -> dict[str, str]:
        """Return the bot's environment without a sandbox: the referee's environment and ``env``.

        Our scripts are on the search path. ``PYTHONUNBUFFERED`` is removed if only the referee's
        environment sets it. Otherwise, a bot that forgets to flush its output would work on one
        machine and hang on another. A submission gets no variable of the referee's Python.
        """
        left_out = {UNBUFFERED_VARIABLE, SANDBOX_VARIABLE, GROUP_VARIABLE}
        if self.python:
            left_out |= {name for name in os.environ if name.startswith(PYTHON_VARIABLES)}
        ours = {name: value for name, value in os.environ.items() if name not in left_out}
        return {**ours, "PATH": search_path(self.python), **self.env}


def search_path(python: str | None = None) -> str:
    """Return the search path for programs, with the folder of our scripts last.

    With ``python``, the environment of a class, its programs come first, and those of the
    referee's own environment are left out.
    """
    path, scripts = absolute_search_path(), Path(sys.executable).parent
    if python is None:
        return path + os.pathsep + str(scripts)
    own = {real_path(scripts)} if sys.prefix != sys.base_prefix else set()
    others = [each for each in path.split(os.pathsep) if each and real_path(Path(each)) not in own]
    return os.pathsep.join((f"{python}/bin", *others))


def submission_sandbox(path: str, visible: Sequence[str], others: Sequence[Path] = ()) -> Sandbox:
    """Return a sandbox with this search path that hides what the referee's Python has installed."""
    masked = installed_packages(path)
    return Sandbox(path, (*visible,), (*others,), programs=("python3",), masked=masked)


def is_sandbox_turned_off() -> bool:
    """Return whether the user has turned off the automatic sandbox in the environment."""
    return os.environ.get(SANDBOX_VARIABLE) == "no"


def check_folder(spec: BotSpec) -> None:
    """Raise ``UsageError`` if the folder in which the bot runs does not exist."""
    folder = spec.working_folder
    if folder is not None and not os.path.isdir(folder):  # noqa: PTH112 - Path's raises for long words
        raise UsageError(f"bot '{spec.name}': there is no folder '{folder}' to run it in")


def _check_stored_games(spec: BotSpec) -> None:
    """Raise ``UsageError`` if a folder that the bot would see in the sandbox holds stored games."""
    folder = Path(spec.working_folder or "").resolve()
    own = [folder] if spec.working_folder else []
    named = named_paths(command_without_prefix(spec.command), folder)
    for path in (*own, *map(Path, spec.visible), *named):
        if is_in_stored_games(path):
            raise UsageError(
                f"bot '{spec.name}': stored games are in {path}, and no bot in the sandbox sees "
                "these: move them elsewhere, or name another folder"
            )


def _check_program(spec: BotSpec) -> None:
    program, folder = spec.command[0], Path(spec.working_folder or "")
    if placeholders_in([program]):
        return  # the program is known only at the start of each game
    if program in COMMAND_FILES:
        _check_own_command(spec)
        return
    if not agent_files([program]):
        # Path would remove "./", and a program without "./" is searched on the search path.
        path = os.path.join(folder, program) if os.sep in program else program  # noqa: PTH118
        if shutil.which(path, path=spec.environment()["PATH"]) is None:
            raise UsageError(f"bot '{spec.name}': {_why_program_is_missing(program, folder)}")
    for script in _named_scripts(spec.command):
        if not script:
            raise UsageError(f"bot '{spec.name}': no file after kaggle: (without a blank)")
        if not os.path.isfile(folder / script):  # noqa: PTH113 - Path's raises for long words
            where = folder.absolute()
            raise UsageError(f"bot '{spec.name}': there is no file '{script}' in {where}")


def _check_own_command(spec: BotSpec) -> None:
    """Raise ``UsageError`` if our command cannot start: it, or an option of ``c4-bot``, is missing.

    No submission can start it.
    """
    program, *words = spec.command
    if spec.python:
        raise UsageError(f"bot '{spec.name}': {program} is ours, and no submission can start it")
    with_own_command(spec.command)
    for option in (word.partition("=")[0] for word in words if program == "c4-bot"):
        if OPTION_PATTERN.fullmatch(option) and option not in OPTIONS:
            from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

            near = get_close_matches(option, OPTIONS, 1)
            hint = "".join(f": did you mean {name}?" for name in near)
            raise UsageError(f"bot '{spec.name}': c4-bot does not play with {option}{hint}")


def _named_scripts(command: Sequence[str]) -> list[str]:
    """Return the agents and the script that a command names, if their names are known already."""
    scripts = [
        word for word in command_without_prefix(command[1:2]) if word.endswith(SCRIPT_ENDINGS)
    ]
    return [word for word in (*agent_files(command), *scripts) if not placeholders_in([word])]


def _why_program_is_missing(program: str, folder: Path) -> str:
    """Return a text that says what is wrong with a program's name and what to write instead."""
    is_file = os.path.isfile(folder / program)  # noqa: PTH113 - Path's raises for long words
    if is_file and os.sep in program:
        return f"'{program}' may not be executed: chmod +x it, or write its interpreter before it"
    if is_file:
        return f"there is no program '{program}' on the path: the file here is './{program}'"
    if program.startswith("~"):
        return f"there is no program '{program}': nothing expands ~ here, write the folder out"
    is_relative = os.sep in program and not Path(program).is_absolute()
    return f"there is no program '{program}'" + (f" in {folder.absolute()}" if is_relative else "")


def versions_of(bots: Sequence[BotSpec], without_core: Collection[str] = ()) -> dict[str, str]:
    """Return the version of each bot that is our own command, by the bot's name.

    ``without_core`` are the names of bots that said that they lacked the native core.
    """
    versions = {
        bot.name: version_of(bot.command[0], without_core=bot.name in without_core) for bot in bots
    }
    return {name: version for name, version in versions.items() if version is not None}
