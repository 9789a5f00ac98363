"""A bot in a game: started, asked for moves and stopped, game after game.

In: a spec, positions to ask about, and for each game the values of placeholders in the bot's
command. Out: a ``BotAnswer`` for each question, or a ``Foul``. One run of the bot is a
``Conversation``. A contestant has at most one conversation at a time. It begins a new one for each
game, unless the spec says that the bot keeps running (``restart = "never"``).

Guarantees:

- No process is left when the context ends, whatever happened.
- After a ``Foul`` the bot is stopped.
- After a bot was stopped, ``take_stderr`` still returns what it wrote on standard error.
"""

import errno
from collections.abc import Callable
from contextlib import suppress

from c4_protocol.position import Position

from c4_referee.bots.channel import WATCH_SECONDS, Channel
from c4_referee.bots.clock import PlayerClock
from c4_referee.bots.command_line import CommandValues
from c4_referee.bots.conversation import BotAnswer, Conversation, Interval
from c4_referee.bots.faults import Fault, Foul
from c4_referee.bots.process import BotProcess
from c4_referee.bots.spec import BotSpec

NO_ROOM_ERRORS = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""Errors of a start that the machine causes, not the bot."""
NO_INTERPRETER = ": it needs a first line such as #!/usr/bin/env python3, or python3 before it"
"""Hint for a file that the system cannot start."""


class Contestant:
    """Asks a bot for moves; a context manager that leaves no process behind.

    ``listener`` and ``on_idle`` are those of ``Channel``.
    """

    def __init__(
        self, spec: BotSpec, listener: int | None = None, on_idle: Callable[[], None] | None = None
    ) -> None:
        self.spec = spec
        self._listener = listener
        self._on_idle = on_idle
        self._checks = Interval(WATCH_SECONDS)
        self._conversation: Conversation | None = None
        self._spare: BotProcess | None = None
        self._values: CommandValues | None = None
        self._unread_stderr = ""

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

    def start(self, values: CommandValues) -> None:
        """Start the bot for a game unless it is running; raise ``Foul`` if it cannot be started.

        ``values`` fill in the placeholders of its command.
        """
        self._values = values
        if self._conversation is None:
            process, self._spare = self._spare or self._launch(values), None
            channel = Channel(process, self._listener, self._on_idle)
            self._conversation = Conversation(self.spec, process, channel, self._checks)

    def start_ahead(self) -> None:
        """Start the process for the next game if the process of the last game has ended.

        Two processes do not run at once, because a bot may hold a lock or a port until it ends. A
        bot whose command names its player is not started early, because it may have another seat
        in the next game.
        """
        if self.spec.restart == "never" or "player" in self.spec.placeholders:
            return
        if self._conversation is None and self._spare is None and self._values is not None:
            with suppress(Foul):  # if it cannot start, the next game will find out
                self._spare = self._launch(self._values)

    def ask(self, position: Position, clock: PlayerClock, other: PlayerClock) -> BotAnswer:
        """Return the bot's move, and subtract its time from ``clock``.

        ``other`` is the clock of the opponent. ``start`` must have been called. If the bot commits
        a fault, it is stopped and ``Foul`` is raised.
        """
        assert self._conversation is not None
        try:
            return self._conversation.ask(position, clock, other)
        except Foul:
            self.stop()
            raise

    def say_end(self) -> None:
        """Close the bot's input, because the game is over, unless the bot keeps running."""
        if self._conversation is not None and self.spec.restart == "game":
            self._conversation.close_input()

    def end_game(self) -> Foul | None:
        """Stop the bot unless it keeps running.

        Return the fault if it ignored that its input was closed, otherwise ``None``.
        """
        if self._conversation is None or self.spec.restart == "never":
            return None
        if self.stop():
            return None
        return Foul(Fault.IGNORED_THE_END, "it kept running after its input was closed")

    def take_stderr(self) -> str:
        """Return the standard error since the last call, without its middle if it is long."""
        text, self._unread_stderr = self._unread_stderr, ""
        return text if self._conversation is None else text + self._conversation.take_stderr()

    def stop(self) -> bool:
        """Stop the bot if it runs; return whether closing its input was enough."""
        if self._conversation is None:
            return True
        conversation, self._conversation = self._conversation, None
        ended, text = conversation.stop()
        self._unread_stderr += text
        return ended

    def _launch(self, values: CommandValues) -> BotProcess:
        """Start the bot's process; raise ``Foul``."""
        spec, command = self.spec, self.spec.command_for(values)
        try:
            return BotProcess(command, spec.place, spec.environment(), spec.limits, spec.sandbox)
        except OSError as error:
            fault = Fault.NO_ROOM if error.errno in NO_ROOM_ERRORS else Fault.FAILED_TO_START
            hint = NO_INTERPRETER if error.errno == errno.ENOEXEC else ""
            raise Foul(fault, f"{error}{hint}") from None
