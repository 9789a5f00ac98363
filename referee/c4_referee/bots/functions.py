"""Bots that are functions of the calling process, from a board to a move.

The function stays where it is. The referee starts a relay like any other bot. The relay passes each
question through a socket to a thread of the calling process, which calls the function.
"""

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import AF_UNIX, socket
from tempfile import TemporaryDirectory
from threading import Thread

import orjson
from c4_protocol.board import MAX_COORDINATE, Board
from c4_protocol.program.numbers import whole_number_of
from c4_protocol.program.text import shown

from c4_referee.bots import relay
from c4_referee.bots.clock import GRACE_MS
from c4_referee.bots.spec import BotSpec

Function = Callable[[Board], object]
"""A bot as a function. It returns a column from 0, or ``(column, row)`` without gravity."""


@contextmanager
def called_bot(function: Function, name: str) -> Iterator[BotSpec]:
    """Return a context manager for a bot that asks a function for its moves.

    The bot has no limit of memory and no sandbox, because the function has neither.
    """
    with TemporaryDirectory(prefix="c4-arena-") as folder, socket(AF_UNIX) as server:
        path = str(Path(folder) / "function")
        server.bind(path)
        server.listen()
        Thread(target=_serve, args=(server, function, name), daemon=True).start()
        command = (sys.executable, "-S", "-E", relay.__file__, path)
        yield BotSpec(name, command, sandbox=False, memory_mb=None)


def is_relay(command: Sequence[str]) -> bool:
    """Return whether a stored command line is that of a function's relay."""
    return len(command) > 1 and Path(command[-2]).name == Path(relay.__file__).name


def _serve(server: socket, function: Function, name: str) -> None:
    """Answer one relay after another, until the socket is closed."""
    with suppress(OSError):  # the socket is closed, or a relay has ended
        while True:
            link, _ = server.accept()
            Thread(target=_answer_relay, args=(link, function, name), daemon=True).start()


def _answer_relay(link: socket, function: Function, name: str) -> None:
    """Answer each line of a relay. After an error of the function, end the connection."""
    with suppress(OSError), link, link.makefile("rb") as questions:
        for line in questions:
            began = time.monotonic()
            answer, error = _answer(line, function, name)
            ms = (time.monotonic() - began) * 1000
            if not error and ms > orjson.loads(line).get("time_ms", ms) + GRACE_MS:
                continue  # too late, although the referee gives the relay time to start
            link.sendall(answer or error.encode(errors="replace"))
            if error:
                sys.stderr.write(error)
                return


def _answer(line: bytes, function: Function, name: str) -> tuple[bytes, str]:
    """Return the line that answers a precept, or the text of an error that the function raised."""
    try:
        move = function(Board.from_precept(line))
        numbers = [
            whole_number_of(part) for part in (move if isinstance(move, tuple | list) else [move])
        ]
        if all(number is not None and abs(number) <= MAX_COORDINATE for number in numbers):
            value = numbers if isinstance(move, tuple | list) else numbers[0]
            answer: dict[str, object] = {"move": value}
        else:
            reason = f"the function {name} returned {shown(move)}, which is no column from 0"
            answer = {"error": reason}
        return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE), ""
    except BaseException as error:  # it ends the game, not this thread
        inner = error.__traceback__ and error.__traceback__.tb_next
        text = "".join(traceback.format_exception(type(error), error, inner)).rstrip()
        return b"", f"{text} (in the function {name})\n"
