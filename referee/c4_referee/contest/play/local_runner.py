"""The local runner, which plays a tournament's games in worker processes on this machine.

In: jobs from the ledger. Out: every event line of a worker. The ledger receives it when it arrives.

Each slot is one worker process (``play.worker``), which plays one game at a time. The runner waits
for all workers with one selector. While the ledger has a job and a slot is free, the slot gets the
job. Slots are opened only when they are needed. A worker is lost if it ends during a game, writes
something wrong, needs too much time, or is halted. Then its game is rolled back, and a new slot
with a new worker is opened when it is needed. Other games are not affected.

Guarantee: no worker is left when ``Runner.run`` ends, even by an exception or Ctrl-C.
"""

import math
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from typing import Any

import orjson
from c4_protocol.board import Board
from c4_protocol.program.errors import ArenaError, LineTooLong
from c4_protocol.records.codec import LineBuffer
from c4_protocol.records.events import GameEnded, GameEvent
from c4_protocol.rules.position import Position

from c4_referee.bots.clock import CheckInterval
from c4_referee.bots.contain.strays import marked_environment
from c4_referee.bots.functions import Called, Function, FunctionCaller
from c4_referee.bots.talk.function_player import FunctionPlayer
from c4_referee.contest.play.game import play
from c4_referee.contest.play.jobs import (
    MIN_PIPE_BYTES,
    QUESTION,
    QUICK_SECONDS,
    Job,
    WorkerSettings,
)
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.record_check import RecordRefused

GAME_EVENTS = ("game_started", "move", "remark", "game_ended")
"""Kinds of the events that a worker writes."""
GAME_MARGIN_SECONDS = 30.0
"""Time in seconds that a game may last beyond its maximum duration. Then its worker is killed."""
WORKER_CHECK_SECONDS = 0.25
"""Seconds between two checks whether the workers run."""
MAX_HALTED_SECONDS = 3.5
"""Maximum time in seconds for which a worker may be halted (SIGSTOP). Then it is killed."""
WORKER_END_SECONDS = 5.0
"""Maximum time that a worker has to stop its bots, in seconds. Then the worker is killed."""
MAX_INTERRUPT_SECONDS = 0.1
"""Time after Ctrl-C in which workers and their bots may end by themselves, in seconds."""


class WorkerSlot:
    """Worker process and the number of its game. With ``cpu``, it runs only on that processor."""

    def __init__(self, settings: WorkerSettings, cpu: int | None = None) -> None:
        self.game = 0
        """Number of the game that was given last, or 0 before the first game."""
        self.cpu = cpu
        self.deadline = math.inf
        """Time at which the game must have ended, in seconds of ``time.monotonic()``."""
        self._halted_since = math.inf
        self._settings = settings
        self._preface = settings.to_line()
        """The settings, until they have been sent with the first game."""
        self._kinds = (*GAME_EVENTS, *[QUESTION for bot in settings.bots if bot.is_function])
        self._token = b""
        self._buffer = LineBuffer()
        self.socket, end = socket.socketpair()
        with end:
            # -P: the worker comes from this installation, not from the current folder.
            self._worker = subprocess.Popen(
                [sys.executable, "-P", "-m", "c4_referee.contest.play.worker", str(end.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[end.fileno()],
                env=marked_environment(),
                process_group=0,  # Ctrl-C goes to the referee, which ends its workers
                preexec_fn=partial(os.sched_setaffinity, 0, {cpu}) if cpu is not None else None,  # noqa: PLW1509
            )

    def give(self, job: Job) -> None:
        """Send a game to play."""
        token = os.urandom(8).hex()
        self.game, self._token = job.game, token.encode()
        seconds = self._settings.game_seconds(job.first, job.second) + GAME_MARGIN_SECONDS
        self.deadline = time.monotonic() + seconds
        lines, self._preface = self._preface + replace(job, token=token).to_line(), b""
        self.send(lines, seconds)

    def send(self, lines: bytes, seconds: float) -> None:
        """Send lines. A worker that has ended is noticed when its output is read."""
        self.socket.settimeout(seconds)
        with suppress(ConnectionError, TimeoutError):
            self.socket.sendall(lines)

    def read(self) -> list[tuple[dict[str, Any], bytes]] | None:
        """Return the events that have arrived, each decoded and as a line of JSON.

        Return ``None`` if the worker has ended, if it wrote something else, or if it ``is_lost``
        before something arrives.
        """
        try:
            data = self._receive_bytes()
            self._buffer.feed(data)
            events = [self._event_of_line(line) for line in iter(self._buffer.next_line, None)]
        except (OSError, LineTooLong, ValueError):
            return None
        return events if data else None

    def read_game(self) -> list[bytes] | None:
        """Return all event lines of the game, or ``None`` if the worker is lost during the game."""
        lines: list[bytes] = []
        while (arrived := self.read()) is not None:
            lines += [line for _, line in arrived]
            if arrived and arrived[-1][0]["event"] == "game_ended":
                return lines
        return None

    def is_lost(self, now: float) -> bool:
        """Return whether the game lasts too long, or the worker has been halted for too long."""
        if not self._is_halted():
            self._halted_since = math.inf
        elif self._halted_since == math.inf:
            self._halted_since = now
        return now > self.deadline or now - self._halted_since > MAX_HALTED_SECONDS

    def _is_halted(self) -> bool:
        """Return whether the worker is halted now."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return False
        options = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            return os.waitid(os.P_PID, self._worker.pid, options) is not None
        return False

    def _receive_bytes(self) -> bytes:
        """Return what arrives next, or ``b""`` if the worker has ended or is lost."""
        self.socket.settimeout(WORKER_CHECK_SECONDS)
        while not self.is_lost(time.monotonic()):
            with suppress(TimeoutError):
                return self.socket.recv(MIN_PIPE_BYTES)
        return b""

    def hang_up(self) -> None:
        """Close the connection, so that the worker immediately stops its bots and ends."""
        with suppress(OSError):  # the worker may have ended
            self.socket.shutdown(socket.SHUT_RDWR)

    def end(self, seconds: float = WORKER_END_SECONDS) -> None:
        """Hang up and wait until the worker has ended. Kill it if this takes longer.

        If a worker is killed, the kernel kills its bots.
        """
        self.hang_up()
        try:
            self._worker.wait(seconds)
        except subprocess.TimeoutExpired:
            self._worker.kill()
            self._worker.wait()
        self.socket.close()

    def _event_of_line(self, line: bytes) -> tuple[dict[str, Any], bytes]:
        """Return an event of this slot's game and its line of JSON, or raise ``ValueError``."""
        token, _, text = line.partition(b" ")
        event = orjson.loads(text) if token == self._token else None
        if not isinstance(event, dict) or event.get("event") not in self._kinds:
            raise ValueError("not an event with the token of the job")
        if event.get("game") != self.game:
            raise ValueError("an event of another game")
        return event, text


class LocalRunner:
    """Runner that plays up to ``slots`` games at the same time until the ledger has no more jobs.

    With ``cpus``, each slot and the bots of its games run on only one of these processors. A game
    of two ``functions`` is played in this process. Functions are called one at a time.
    """

    def __init__(
        self,
        ledger: Ledger,
        settings: WorkerSettings,
        slots: int,
        cpus: Sequence[int] = (),
        functions: Mapping[str, Function] = {},
    ) -> None:
        self._ledger = ledger
        self._settings = settings
        self._free = list(islice(cycle(cpus or [None]), slots))
        """Processors of the slots that are not open. ``None`` is any processor."""
        self._idle: list[WorkerSlot] = []
        self._busy: set[WorkerSlot] = set()
        self._selector = selectors.DefaultSelector()
        self._caller = FunctionCaller(functions)
        self._players = {
            index: FunctionPlayer(bot, self._call_of(bot.name))
            for index, bot in enumerate(settings.bots)
            if bot.is_function
        }

    def run(self) -> None:
        """Play all games. Roll back games whose worker is lost. No worker is left behind."""
        checks = CheckInterval(WORKER_CHECK_SECONDS)
        with self._selector, self._caller:
            try:
                self._start_games()
                while self._busy:
                    for key, _ in self._selector.select(WORKER_CHECK_SECONDS):
                        self._read_events(key.data)
                    if checks.is_due(now := time.monotonic()):
                        for slot in [slot for slot in self._busy if slot.is_lost(now)]:
                            self._remove_slot(slot, 0)
                    self._start_games()
            except KeyboardInterrupt:
                _end_all_workers([*self._idle, *self._busy], MAX_INTERRUPT_SECONDS)
                raise
            finally:
                _end_all_workers([*self._idle, *self._busy])

    def _start_games(self) -> None:
        """Give jobs to free slots until there are no more jobs or no more free slots."""
        while (self._idle or self._free) and (job := self._ledger.issue()):
            if {job.first, job.second} <= self._players.keys():
                self._play_here(job)
                continue
            if self._idle:
                slot = self._idle.pop()
            else:
                slot = WorkerSlot(self._settings, self._free.pop(0))
                self._selector.register(slot.socket, selectors.EVENT_READ, slot)
            self._busy.add(slot)
            slot.give(job)

    def _call_of(self, name: str) -> Callable[[Position, float], Called]:
        return lambda position, ms: self._caller.call(name, Board.of_position(position), ms)

    def _play_here(self, job: Job) -> None:
        """Play a game of two functions. Its events are wanted as from a worker."""
        settings, waiting, began = self._settings, list[GameEvent](), time.monotonic()
        players = self._players[job.first], self._players[job.second]
        controls = settings.controls[job.first], settings.controls[job.second]
        only_result = settings.wanted == "results"
        for event in play(job, settings.variant, players, controls, results_only=only_result):
            waiting.append(event)
            is_quick = settings.wanted == "slow games" and time.monotonic() - began < QUICK_SECONDS
            if isinstance(event, GameEnded) or not is_quick:
                for each in waiting[-1:] if is_quick else waiting:
                    line = orjson.dumps(each)
                    self._ledger.take(orjson.loads(line), line)
                waiting.clear()

    def _answer_question(self, slot: WorkerSlot, question: Mapping[str, Any]) -> None:
        """Call the function of which a worker asks. Raises ``RecordRefused`` if it cannot be."""
        try:
            board, ms = Board.from_precept(question["precept"]), float(question["allowed_ms"])
            called = self._caller.call(question["bot"], board, ms)
        except (LookupError, TypeError, ValueError, ArenaError) as error:
            raise RecordRefused(f"a wrong question: {error}") from None
        slot.send(orjson.dumps([*called], option=orjson.OPT_APPEND_NEWLINE), WORKER_END_SECONDS)

    def _read_events(self, slot: WorkerSlot) -> None:
        """Give the events of a slot to the ledger, or remove the slot if its worker is lost."""
        events = slot.read()
        if events is None:
            self._remove_slot(slot)
            return
        for event, line in events:
            try:
                if event["event"] == QUESTION:
                    self._answer_question(slot, event)
                else:
                    self._ledger.take(event, line)
            except RecordRefused:
                self._remove_slot(slot)
                return
            if event["event"] == "game_ended":
                self._busy.discard(slot)
                self._idle.append(slot)

    def _remove_slot(self, slot: WorkerSlot, seconds: float = WORKER_END_SECONDS) -> None:
        """Remove a slot whose worker is lost, and roll back its game."""
        self._selector.unregister(slot.socket)
        slot.end(seconds)
        self._free.append(slot.cpu)
        if slot in self._busy:
            self._busy.discard(slot)
            self._ledger.lose(slot.game)
        else:
            self._idle.remove(slot)


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C for a while, so that cleaning up after a first Ctrl-C is not interrupted.

    In other threads than the main thread, this does nothing, because only the main thread can set
    signal handlers and only the main thread is interrupted. A handler that was not installed from
    Python (``None``) is not changed, because it could not be restored.
    """
    on_interrupt = signal.getsignal(signal.SIGINT)
    if on_interrupt is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, on_interrupt)


def _end_all_workers(slots: Sequence[WorkerSlot], seconds: float = WORKER_END_SECONDS) -> None:
    """End all workers within ``seconds``. All of them stop their bots at the same time."""
    with ignoring_interrupts():
        for slot in slots:
            slot.hang_up()
        until = time.monotonic() + seconds
        for slot in slots:
            slot.end(max(until - time.monotonic(), 0))
