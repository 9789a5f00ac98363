"""Bots that are functions of the calling process, from a board to a move.

In: the name of a function and a board. Out: a ``Called`` with its answer as a line of JSON, as a
bot that speaks ``jsonl`` writes it. All functions of a contest are called in one thread, because
libraries may expect that. A function that does not return keeps its thread. Another thread then
calls the others.
"""

import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

import orjson
from c4_protocol.board import MAX_COORDINATE, Board
from c4_protocol.program.numbers import whole_number_of
from c4_protocol.program.text import shown

from c4_referee.bots.spec import FUNCTION_COMMAND, BotSpec

Function = Callable[[Board], object]
"""A bot as a function. It returns a column from 0, or ``(column, row)`` without gravity."""
RETURN_SECONDS = 1.0
"""Maximum time to wait for a function that is late, in seconds. Its opponent is not asked while it
still runs, unless it needs longer."""


class Called(NamedTuple):
    """Result of a call: its time and processor time in milliseconds, and its answer.

    Either ``line``, a line of JSON, or ``error``, a traceback, is set. Both are empty if the
    function has not returned.
    """

    ms: float
    cpu_ms: float = 0.0
    line: str = ""
    error: str = ""


def function_spec(name: str) -> BotSpec:
    """Return the spec of a bot that is a function. It has no limits and no sandbox.

    No two specs are equal, because a function of the same name may be another one.
    """
    command = (FUNCTION_COMMAND, os.urandom(8).hex())
    return BotSpec(name, command, arguments="none", sandbox=False, memory_mb=None)


class FunctionCaller:
    """Context manager that calls functions in a thread. The thread starts with the first call."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self._questions = SimpleQueue[tuple[str, Board, float] | None]()
        self._answers: SimpleQueue[Called | None] | None = None
        self._running: dict[str, tuple[float, SimpleQueue[Called | None]]] = {}
        """Starts of the calls that have not returned in time, and where their answers arrive."""

    def __enter__(self) -> "FunctionCaller":
        return self

    def __exit__(self, *_: object) -> None:
        self._leave_thread()

    def call(self, name: str, board: Board, allowed_ms: float) -> Called:
        """Return the answer of a function, or one without ``line`` if it does not return.

        A function that returns after ``allowed_ms`` has more ``ms`` than that. A function whose
        earlier call has not returned yet is not called. Raises ``KeyboardInterrupt`` if the
        function does.
        """
        began = time.monotonic()
        if name in self._running:
            since, answers = self._running[name]
            if answers.empty():
                return Called((began - since) * 1000)
            del self._running[name]
        if self._answers is None:
            self._answers = SimpleQueue()
            self._questions = SimpleQueue()
            ends = self._functions, self._questions, self._answers
            Thread(target=_answer_questions, args=ends, daemon=True).start()
        self._questions.put((name, board, began))
        try:
            called = self._answers.get(timeout=allowed_ms / 1000 + RETURN_SECONDS)
        except Empty:
            self._running[name] = began, self._answers
            self._leave_thread()
            return Called((time.monotonic() - began) * 1000)
        if called is None:
            raise KeyboardInterrupt
        return called

    def _leave_thread(self) -> None:
        """Let the thread end as soon as the function that it calls has returned."""
        self._questions.put(None)
        self._answers = None


def _answer_questions(
    functions: Mapping[str, Function],
    questions: SimpleQueue[tuple[str, Board, float] | None],
    answers: SimpleQueue[Called | None],
) -> None:
    """Call functions until ``None`` arrives. Print the traceback of what they raise."""
    while (question := questions.get()) is not None:
        name, board, began = question
        used, line, text = time.thread_time(), "", ""
        try:
            line = _answer(functions[name](board), name)
        except KeyboardInterrupt:
            answers.put(None)
            continue
        except BaseException as error:  # it ends the game, not this thread
            inner = error.__traceback__ and error.__traceback__.tb_next
            text = "".join(traceback.format_exception(type(error), error, inner)).rstrip()
            text = f"{text} (in the function {name})\n".encode(errors="replace").decode()
        ms, cpu_ms = (time.monotonic() - began) * 1000, (time.thread_time() - used) * 1000
        if text:
            with suppress(AttributeError, OSError, ValueError):  # a program may have closed it
                sys.stderr.write(text)
        answers.put(Called(ms, cpu_ms, line, text))


def _answer(move: object, name: str) -> str:
    """Return what a function has returned, as the line of a bot."""
    numbers = [
        whole_number_of(part) for part in (move if isinstance(move, tuple | list) else [move])
    ]
    if all(number is not None and abs(number) <= MAX_COORDINATE for number in numbers):
        value = numbers if isinstance(move, tuple | list) else numbers[0]
        return orjson.dumps({"move": value}).decode()
    reason = f"the function {name} returned {shown(move)}, which is no column from 0"
    return orjson.dumps({"error": reason}).decode()
