"""A bot in a game. It is started, asked for moves and stopped, game after game.

In: a spec, positions to ask about, and for each game the values of placeholders in the bot's
command. Out: a ``BotAnswer`` or a ``Foul`` for each question. One run of the bot is a
``Conversation``. A contestant has at most one conversation at a time. It begins a new conversation
for each game. With ``restart = "never"`` in the spec, the bot keeps running and one conversation is
used for all games.

Guarantees:

- No process is left when the context ends, even after an exception.
- After a ``Foul`` the bot is stopped.
- ``take_stderr`` returns what the bot wrote on standard error, even after the bot was stopped.
"""

import errno
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple

from c4_protocol.rules.position import Position

from c4_referee.bots.bot_files import FileWatch, changes_in_words
from c4_referee.bots.clock import PlayerClock
from c4_referee.bots.contain.faults import Fault, Foul
from c4_referee.bots.contain.growth import FolderGrowth
from c4_referee.bots.contain.halting import (
    WATCH_STEP_SECONDS,
    Halting,
    found_thinking,
)
from c4_referee.bots.contain.ignored import modules_to_compile
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.process import CLOSING_SECONDS, BotProcess
from c4_referee.bots.contain.tool import run_tool
from c4_referee.bots.own import with_own_command
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.channel import Channel, ChannelError
from c4_referee.bots.talk.conversation import Conversation, script_hint

NO_ROOM_ERRORS = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""Error numbers of a failed start for which the machine is responsible, not the bot."""
COMPILE_WORDS = ("-I", "-S", "-m", "compileall", "-q")
"""Options with which Python compiles modules, and runs no code of the bot."""
COMPILE_SECONDS = 2.0
"""Maximum time to compile the modules of a bot. Python compiles the others at each start."""
INTERPRETER_HINT = ": it needs a first line such as #!/usr/bin/env python3, or python3 before it"
"""Hint in the message about a file that the system cannot start."""


class BotAnswer(NamedTuple):
    """Legal move, with its cell, the time that it took, and the line that the bot wrote.

    ``ms`` is the time from question to answer. ``cpu_ms`` is the processor time that the bot used
    in this time, with the processes that it has started. ``absent_ms`` is the time in which this
    process did not run; ``ms`` does not include it, up to ``PATIENCE_MS`` in a game. All are in
    milliseconds. ``line`` may hold more than the move.
    """

    cell: int
    ms: float
    cpu_ms: float
    line: bytes
    absent_ms: float = 0.0


class Contestant:
    """Context manager that asks a bot for moves and leaves no process behind.

    ``connect`` returns the channel to a process of the bot. ``others`` returns the files and
    folders of other bots, which the bot does not see if it runs in the sandbox. With ``watch``, the
    bot's files are compared whenever its process is started.
    """

    must_show_start: ClassVar[bool] = True
    """True if it wins against a bot that cannot start only after it has shown that it can."""

    def __init__(
        self,
        spec: BotSpec,
        connect: Callable[[BotProcess], Channel] = Channel,
        others: Callable[[], Sequence[Path]] = tuple,
        watch: FileWatch | None = None,
    ) -> None:
        self.spec = spec
        self._others = others
        self._connect = connect
        folder = spec.working_folder
        self._growth = FolderGrowth(Path(folder), spec.written_mb) if folder else None
        self.halting = Halting(spec.freeze)
        """Decision whether the bot is halted outside of its turns."""
        self._is_asked = False
        self._seconds = 0.0  # processor time of the bot at its last answer
        self._foul: Foul | None = None  # one that it committed between two games
        self._conversation: Conversation | None = None
        self._spare: BotProcess | None = None
        self._values: CommandValues | None = None
        self._unread_stderr = ""
        self._watch = watch
        self._store: TemporaryDirectory[str] | None = None
        self._changed: list[str] = []

    def __enter__(self) -> "Contestant":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the bot, and the process that was started for the next game."""
        try:
            self.stop()
        finally:
            if self._spare is not None:
                self._spare.stop()
            if self._store is not None:
                self._store.cleanup()

    def start(self, values: CommandValues) -> None:
        """Start the bot for a game if it is not running.

        ``values`` fill in the placeholders of the bot's command. Raises ``Foul`` if the bot cannot
        be started, or if it exceeded a limit since its last game.
        """
        self._values = values
        if self._foul is not None:
            foul, self._foul = self._foul, None
            raise foul
        if self._conversation is None:
            process, self._spare = self._spare or self._start_process(values), None
            self._conversation = Conversation(self.spec, process, self._connect(process))
            self._is_asked, self._seconds = False, 0.0

    def start_ahead(self) -> None:
        """Start the process for the next game if the process of the last game has ended.

        Two processes never run at the same time, because a bot may hold a lock or a port until it
        ends. A bot with ``{player}`` in its command is not started early, because it may have
        another seat in the next game.
        """
        if self.spec.restart == "never" or "player" in self.spec.placeholders:
            return
        if self._conversation is None and self._spare is None and self._values is not None:
            with suppress(Foul):  # the next game tries again, and reports the failure
                self._spare = self._start_process(self._values)

    def ask(self, position: Position, clock: PlayerClock, other: PlayerClock) -> BotAnswer:
        """Return the bot's move, and subtract its time from ``clock``.

        ``other`` is the clock of the opponent. ``start`` must have been called before. For the
        first answer, the bot has the start-up time in addition. The time of the first answer is not
        subtracted from a game clock, because start-up and thinking cannot be separated. If the bot
        commits a fault, the bot is stopped and ``Foul`` is raised.
        """
        talk = self._conversation
        assert talk is not None
        process, began = talk.process, time.monotonic()
        seconds = process.cpu_seconds()
        if talk.has_answered:
            self.halting.note_idle_time(seconds - self._seconds)
        self._is_asked, talk.channel.patience = True, clock.patience_ms / 1000
        talk.channel.awake_at = began
        try:
            if self.halting.is_on:
                process.resume()
            cell, line = talk.ask_in_game(position, clock, other, began)
            ms, absent_ms = _spend_time(talk.channel, began, clock)
            cpu_ms = (process.cpu_seconds() - seconds) * 1000
            if self.halting.is_watching:
                self._look_for_thinking(talk)
        except Foul as foul:
            ms, absent_ms = _spend_time(talk.channel, began, clock)
            cpu_ms = (process.cpu_seconds() - seconds) * 1000
            self.stop()
            foul = replace(foul, absent_ms=absent_ms)
            raise (foul if foul.by_opponent else replace(foul, ms=ms, cpu_ms=cpu_ms)) from None
        self._is_asked, self._seconds = False, process.cpu_seconds()
        if self.halting.is_on:
            process.pause()
        clock.spend(ms if talk.has_answered else 0)
        talk.has_answered = True
        return BotAnswer(cell, ms, cpu_ms, line, absent_ms)

    def _look_for_thinking(self, talk: Conversation) -> None:
        """Let a bot run that has answered, before its opponent is asked, to see whether it thinks.

        Processes that are found later than at the beginning have started after it.
        """
        measure = talk.process.find_and_measure
        began, before, used = time.monotonic(), measure(is_waiting=True)[1], 0.0
        is_thinking: bool | None = None
        while is_thinking is None:
            try:
                talk.channel.rest(WATCH_STEP_SECONDS)
            except ChannelError as error:
                raise talk.explain(error) from None
            last, used = used, measure(is_waiting=False)[1] - before
            passed = time.monotonic() - began
            is_thinking = found_thinking(passed, used, used - last)
        self.halting.note_watch(used, passed, is_thinking=is_thinking)

    def check_waiting(self) -> None:
        """Check the bot while its opponent is asked, if it runs, and halt it if necessary.

        Raises ``Foul`` if the bot exceeds a limit.
        """
        talk = self._conversation
        if talk is None or self._is_asked:
            return
        if excess := talk.process.excess(is_waiting=True):
            raise Foul(*excess, by_opponent=True)
        if talk.has_answered:
            self.halting.note_idle_time(talk.process.seconds_at_check - self._seconds)
            if self.halting.is_on:
                talk.process.pause()

    def check_between_games(self) -> None:
        """Check the bot while others play, if it runs. A bot that exceeds a limit is stopped."""
        try:
            self.check_waiting()
        except Foul as foul:
            self._foul = replace(foul, by_opponent=False)
            self.stop()

    def idle_ms(self) -> float:
        """Return the processor time that the bot has used since its last answer, in milliseconds.

        Before the first answer, this is the time since its start. It is 0 if the bot does not run.
        """
        if self._conversation is None:
            return 0.0
        return (self._conversation.process.cpu_seconds() - self._seconds) * 1000

    def close_input_at_end(self) -> None:
        """Close the input of a bot that is restarted for each game, because the game is over."""
        if self._conversation is not None and self.spec.restart == "game":
            self._conversation.close_input()

    def end_game(self) -> Foul | None:
        """Stop a bot that is restarted for each game.

        Return a foul if the bot kept running after its input was closed, otherwise ``None``.
        """
        if self._conversation is None or self.spec.restart == "never":
            return None
        if self.stop():
            return None
        return Foul(Fault.IGNORED_THE_END, "it kept running after its input was closed")

    def take_change(self) -> Foul | None:
        """Return a foul if the bot's files have changed since the last call, otherwise ``None``."""
        changed, self._changed = self._changed, []
        return Foul(Fault.CHANGED_FILES, changes_in_words(changed, self.spec)) if changed else None

    def take_stderr(self) -> str:
        """Return the text of standard error since the last call. A long text lacks its middle."""
        text, self._unread_stderr = self._unread_stderr, ""
        return text + self._conversation.channel.take_stderr() if self._conversation else text

    def stop(self) -> bool:
        """Stop the bot if it runs. Return whether closing its input was enough."""
        if self._conversation is None:
            return True
        talk, self._conversation = self._conversation, None
        try:
            talk.close_input()
            has_ended = talk.channel.wait_for_exit(CLOSING_SECONDS) is not None
            self._unread_stderr += talk.channel.take_stderr()
        finally:
            talk.process.stop()
        return has_ended

    @cached_property
    def _sandbox(self) -> Sandbox | None:
        spec, sandbox = self.spec, self.spec.sandbox_settings(self._others)
        if sandbox is None or spec.folder is None:
            return sandbox
        self._store = TemporaryDirectory(prefix="c4-compiled-", ignore_cleanup_errors=True)
        sandbox = replace(sandbox, store=self._store.name)
        is_python = Path(spec.command[0]).name.startswith("python") and spec.restart == "game"
        if is_python and sandbox.view(spec.command, spec.folder).is_writable:
            folder = Path(spec.folder).resolve()
            if modules := modules_to_compile(spec.command, str(folder), self._store.name):
                command = (spec.command[0], *COMPILE_WORDS, *modules)
                settings = replace(sandbox, compiles=True)
                run_tool(command, folder, settings, spec.limits, COMPILE_SECONDS)
        return sandbox

    def _start_process(self, values: CommandValues) -> BotProcess:
        """Start the bot's process, or raise ``Foul``."""
        spec, command = self.spec, self.spec.command_for(values)
        if self._watch is not None:
            self._changed += self._watch.find_changes()
        if self._growth is not None and (excess := self._growth.excess()):
            raise Foul(Fault.WROTE_TOO_MUCH, excess)
        try:
            return start_process(spec, command, self._sandbox, self._growth)
        except OSError as error:
            fault = Fault.NO_ROOM if error.errno in NO_ROOM_ERRORS else Fault.FAILED_TO_START
            hint = INTERPRETER_HINT if error.errno == errno.ENOEXEC else ""
            if why := script_hint(spec):
                hint = f": {why}"
            raise Foul(fault, f"{error}{hint}") from None


def _spend_time(channel: Channel, began: float, clock: PlayerClock) -> tuple[float, float]:
    """Return the bot's time since ``began``, and the time in which this process did not run.

    Both are in milliseconds. Of the second time, the clock's patience is not charged.
    """
    ms = (time.monotonic() - began) * 1000
    absent, lent = channel.take_absence()
    forgiven = min(absent * 1000, clock.patience_ms) if absent else 0.0
    clock.patience_ms -= forgiven
    return max(0.0, ms - forgiven - lent * 1000), absent * 1000


def start_process(
    spec: BotSpec,
    command: Sequence[str],
    sandbox: Sandbox | None,
    growth: FolderGrowth | None = None,
) -> BotProcess:
    """Start a bot with this command line, or raise ``OSError``.

    Without a sandbox, our own command starts in the referee's folder. There, a relative path in a
    variable such as ``PYTHONPATH`` leads to no file of the bot.
    """
    env = spec.environment() if sandbox is None else spec.env
    words = with_own_command(command, spec.python)
    folder = None if sandbox is None and spec.is_own_command else spec.working_folder
    return BotProcess(words, folder, env, spec.limits, sandbox, growth)
