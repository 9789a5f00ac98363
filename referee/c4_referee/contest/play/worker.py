"""The worker, which is the program of a slot: ``python -m c4_referee.contest.play.worker FD``.

``FD`` is the descriptor of a socket that is connected to the referee. In: JSON lines. The first
line holds the settings (``play.jobs``), and each later line a job, or the move of a person who
plays against a bot. Out: the events of the games. Each event is a line with the token of the job, a
blank and JSON. A game ends before the next job begins. A question about a function is such a line,
too, and the next line is its answer.

A worker is a separate process, so that a crash during a game affects only that game. The bots of
its games are its children, and it adopts their descendants whose parents have ended. Bots that need
no restart keep running for later games.

Guarantees:

- When the referee closes the connection, even during a game, the worker stops all these processes
  and ends. No signal is needed.
- Bots do not inherit the socket. On Linux, a bot of the same user cannot open it through ``/proc``,
  and cannot read the token in the memory of this process.
"""

import select
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from itertools import cycle, repeat

import orjson
from c4_protocol.program.streams import collect_garbage_rarely, prepare_streams
from c4_protocol.records.codec import LineBuffer
from c4_protocol.records.events import GameEnded, GameEvent
from c4_protocol.rules.position import Position

from c4_referee.bots.bot_files import FileWatch
from c4_referee.bots.clock import CheckInterval
from c4_referee.bots.contain import process_tree
from c4_referee.bots.contain.faults import Foul, Policy
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.functions import Called
from c4_referee.bots.neighbours import OtherBots
from c4_referee.bots.talk.channel import LIMIT_CHECK_SECONDS, Channel, HungUp
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.bots.talk.function_player import DIALECT, FunctionPlayer
from c4_referee.bots.talk.person import Person
from c4_referee.contest.play.game import play
from c4_referee.contest.play.jobs import (
    MIN_PIPE_BYTES,
    QUESTION,
    QUICK_SECONDS,
    Job,
    WorkerSettings,
)

MAX_WRITE_DELAY_SECONDS = 0.02
"""Minimum time between two writes, in seconds. Events that happen sooner are written together."""
MIN_REST_SECONDS, MAX_REST_SECONDS = 0.2, 1.0
"""Shortest and longest pause after a game for which the machine had no room, in seconds."""


class Worker:
    """Contestants of a worker process, and the function that lets them play a game.

    Bots that play more than one game run until the exit stack ``stack`` is closed. ``listener`` and
    ``on_idle`` have the same meaning as in ``Channel``. Both bots of a game are checked together,
    whichever of them is asked. ``next_line`` returns the next line with a move of a person, or with
    the answer to a question about a function, which ``ask`` writes.
    """

    def __init__(
        self,
        settings: WorkerSettings,
        stack: ExitStack,
        listener: int | None = None,
        on_idle: Callable[[], None] = lambda: None,
        next_line: Callable[[Callable[[], None]], bytes] = lambda _: b"",
        ask: Callable[[dict[str, object]], None] = lambda _: None,
    ) -> None:
        self._settings = settings
        self._next_line = next_line
        self._ask = ask
        self._game = 0
        self._do_idle_work = on_idle
        self._playing: tuple[Contestant, ...] = ()
        watches = (*map(FileWatch, settings.bots, settings.files),) or repeat(None)
        others = OtherBots(settings.bots).paths_of_others
        self._checks = checks = CheckInterval(LIMIT_CHECK_SECONDS)
        connect = partial(Channel, listener=listener, on_idle=self._check_both, checks=checks)
        contestants = (
            Person(bot, partial(next_line, self._check_both))
            if number == settings.person
            else FunctionPlayer(bot, partial(self._call_function, bot.name))
            if bot.is_function
            else Contestant(bot, connect, partial(others, number), watch)
            for number, (bot, watch) in enumerate(zip(settings.bots, watches, strict=False))
        )
        self._contestants = [stack.enter_context(contestant) for contestant in contestants]
        self._in_turns = cycle(self._contestants)

    def _check_both(self) -> None:
        """Call ``on_idle``, and check the bot that is not asked. The channel checks the other.

        Bots that run without playing are checked in turns, one of them each time.
        """
        self._do_idle_work()
        for contestant in self._playing:
            contestant.check_waiting()
        if (idle := next(self._in_turns)) not in self._playing:
            idle.check_between_games()

    def _check_if_due(self) -> None:
        if self._checks.is_due(time.monotonic()):
            self._check_both()

    def _call_function(self, name: str, position: Position, allowed_ms: float) -> Called:
        """Let the referee call a function, and check the opponent meanwhile."""
        precept = DIALECT.write_precept(position).decode()
        question = {"bot": name, "precept": precept, "allowed_ms": allowed_ms}
        self._ask({"event": QUESTION, "game": self._game, **question})
        try:
            line = self._next_line(self._check_if_due)
        except Foul:
            for contestant in self._playing:
                contestant.stop()
            self._next_line(lambda: None)  # the answer comes in any case
            raise
        return Called(*orjson.loads(line))

    def play(self, job: Job) -> Iterator[GameEvent]:
        """Generate the events of one game."""
        settings = self._settings
        first, second = self._contestants[job.first], self._contestants[job.second]
        controls = (settings.controls[job.first], settings.controls[job.second])
        for contestant, halts in ((first, job.halts_first), (second, job.halts_second)):
            if halts:
                contestant.halting.begin_to_halt()
        self._playing, self._game = (first, second), job.game
        try:
            results_only, players = settings.wanted == "results", (first, second)
            yield from play(job, settings.variant, players, controls, results_only=results_only)
        finally:
            self._playing = ()
            first.end_game()
            second.end_game()
            process_tree.kill_children(keep=BotProcess.running)


class RefereeLines:
    """Reader of the lines from the referee. They may have any length."""

    def __init__(self, referee: socket.socket) -> None:
        self._referee = referee
        self._buffer = LineBuffer(sys.maxsize)
        self._arrival = select.poll()
        self._arrival.register(referee, select.POLLIN)

    def next(self, on_idle: Callable[[], None] | None = None) -> bytes:
        """Return the next line, or raise ``HungUp`` if the referee closes the connection.

        ``on_idle`` is called at once and every ``LIMIT_CHECK_SECONDS`` until the line arrives.
        """
        while (line := self._buffer.next_line()) is None:
            if on_idle is not None:
                on_idle()
                if not self._arrival.poll(LIMIT_CHECK_SECONDS * 1000):
                    continue
            data = self._referee.recv(MIN_PIPE_BYTES)
            if not data:
                raise HungUp
            self._buffer.feed(data)
        return line


class EventWriter:
    """Writer of events to the referee, which writes the events of quick moves together.

    With this, games of bots that need no restart are a third faster. While a bot thinks, waiting
    events are written at the next check of its limits (``LIMIT_CHECK_SECONDS`` of the channel).
    ``token`` is the token of the present job. Of a game that has ended within ``quick_seconds``,
    only ``GameEnded`` is written.
    """

    def __init__(self, referee: socket.socket, quick_seconds: float = 0.0) -> None:
        self._referee = referee
        self._quick_seconds = quick_seconds
        self.token = b""
        self._waiting: list[GameEvent] = []
        self._began = self._written = time.monotonic()

    def begin(self, token: str) -> None:
        """Begin a game with this token."""
        self.token, self._began = token.encode(), time.monotonic()

    def add(self, event: GameEvent) -> None:
        """Write an event soon, or immediately if it ends a game."""
        now, is_end = time.monotonic(), isinstance(event, GameEnded)
        if is_end and now - self._began < self._quick_seconds:
            self._waiting.clear()
        self._waiting.append(event)
        if is_end:
            self._write(now)
        elif now - self._written > MAX_WRITE_DELAY_SECONDS:
            self.flush()

    def ask(self, question: dict[str, object]) -> None:
        """Write a question about a function now."""
        self._referee.sendall(b"%b %b\n" % (self.token, orjson.dumps(question)))

    def flush(self) -> None:
        """Write the events that are waiting, unless the game may still end quickly."""
        now = time.monotonic()
        if now - self._began >= self._quick_seconds:
            self._write(now)

    def _write(self, now: float) -> None:
        lines = (b"%b %b\n" % (self.token, orjson.dumps(event)) for event in self._waiting)
        self._referee.sendall(b"".join(lines))
        self._waiting.clear()
        self._written = now


class RestBetweenGames:
    """Pauses after games that must be played again, because the machine may soon have more room.

    If several such games follow each other, each pause is twice as long as the one before, up to a
    maximum. A pause raises ``HungUp`` when the referee closes the connection.
    """

    def __init__(self, referee: socket.socket) -> None:
        self._seconds = 0.0
        self._referee = select.poll()
        self._referee.register(referee, 0)  # even for 0, poll reports a closed connection

    def rest_after(self, game: GameEnded) -> None:
        """Pause if the game must be played again."""
        if game.fault is None or game.fault.policy != Policy.RETRY.value:
            self._seconds = 0.0
            return
        self._seconds = min(max(2 * self._seconds, MIN_REST_SECONDS), MAX_REST_SECONDS)
        if self._referee.poll(self._seconds * 1000):
            raise HungUp


def main(descriptor: int) -> int:
    """Play the jobs that arrive at this socket until the referee closes the connection."""
    prepare_streams()  # a program that calls play_match may have closed some
    process_tree.adopt_orphans()
    process_tree.hide_memory()
    referee = socket.socket(fileno=descriptor)
    referee.set_inheritable(False)
    try:
        with suppress(HungUp, ConnectionError), ExitStack() as stack:
            lines = RefereeLines(referee)
            settings = WorkerSettings.from_line(lines.next())
            quick_seconds = QUICK_SECONDS if settings.wanted == "slow games" else 0.0
            events, rest = EventWriter(referee, quick_seconds), RestBetweenGames(referee)
            on_idle = partial(_do_idle_work, events)
            worker = Worker(settings, stack, referee.fileno(), on_idle, lines.next, events.ask)
            while True:
                job = Job.from_line(lines.next())
                events.begin(job.token)
                for event in worker.play(job):
                    events.add(event)
                    if isinstance(event, GameEnded):
                        rest.rest_after(event)
    finally:
        process_tree.kill_children()
    return 0


def _do_idle_work(events: EventWriter) -> None:
    """Write waiting events and reap orphans, while a bot is thinking."""
    events.flush()
    process_tree.reap_orphans(keep=BotProcess.running)


if __name__ == "__main__":
    collect_garbage_rarely()
    sys.exit(main(int(sys.argv[1])))
