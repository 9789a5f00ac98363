"""A server of pages in a thread of the test, with a contest whose messages the test decides."""

import http.client
import json
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.variant import STANDARD
from c4_referee.records.rounds import Progress
from c4_referee.serve import watch
from c4_referee.serve.app import make_app
from c4_referee.serve.guard import Guard
from c4_referee.serve.log import Log
from c4_referee.serve.server import listening, server_of
from c4_referee.serve.store import Store
from commands import SCRIPTS
from waiting import wait_for

VARIANT = asdict(VariantRecord.of(STANDARD))
Message = dict[str, Any]
SLOW = """
import json, sys, time
for line in sys.stdin:
    board = json.loads(line)["grid"]
    time.sleep(0.05)
    print(json.dumps({"move": next(i for i in range(7) if board[i][0] == 0)}), flush=True)
"""
"""Bot that thinks for a while."""


@dataclass
class Script:
    """A follower of a contest that reads what a test has written."""

    messages: list[Message] = field(default_factory=list)
    is_running: bool = True
    port: int = 0
    folder: Path = Path()
    cut: Callable[[], None] = print
    """Cuts all connections to the server, in ``scripted_server``."""

    counted: set[int] = field(default_factory=set)
    """Numbers of the games that have ended."""
    stored_progress: Progress = field(default_factory=lambda: Progress(0, is_complete=False))

    def __call__(self, folder: Path, contest: int) -> "Script":
        """Stand for ``Follower``."""
        return self

    def poll(self) -> list[Message]:
        """Return the new messages."""
        new, self.messages = self.messages, []
        return new

    def say(self, event: str, **keys: object) -> None:
        """Add a message."""
        self.messages = [*self.messages, {"event": event, **keys}]

    def begin(self, *bots: str, scheduled: int = 2) -> None:
        """Add the start of a contest."""
        self.say("contest_started", contest=1, bots=[*bots], moves="live", earlier=[])
        self.progress(0, scheduled)

    def progress(self, done: int, scheduled: int, *, complete: bool = False) -> None:
        """Add the state of a contest."""
        state = {"done": done, "scheduled": scheduled, "complete": complete}
        self.say("progress", bound="", gave_up=[], **state)

    def start(self, game: int, first: str = "a", second: str = "b", opening: str = "") -> None:
        """Add the start of a game."""
        names = {"first": first, "second": second}
        self.say("game_started", game=game, variant=VARIANT, opening=opening, **names)

    def move(self, game: int, ply: int, move: int) -> None:
        """Add a move."""
        self.say("move", game=game, ply=ply, bot="", move=move, ms=12.0, cpu_ms=1.0)

    def end(
        self, game: int, moves: str, winner: int = 1, first: str = "a", second: str = "b"
    ) -> None:
        """Add the end of a game."""
        self.counted.add(game)
        names = {"first": first, "second": second, "variant": VARIANT, "fault": None}
        self.say("game_ended", game=game, moves=moves, winner=winner, ending="line", **names)


@contextmanager
def served(
    store: Store, *, token: str = "", board: Path | None = None, more=(), **limits: int
) -> Iterator[int]:
    """Serve a store, and yield the port."""
    with serving(store, token=token, board=board, more=more, **limits) as (port, _):
        yield port


@contextmanager
def serving(
    store: Store, *, token: str = "", board: Path | None = None, more=(), **limits: int
) -> Iterator[tuple[int, Callable[[], None]]]:
    """Serve a store, and yield the port and a function that cuts all connections."""
    guard = Guard(make_app(store, board, more), ["here"], Log(), token, **limits)
    server = server_of(guard)
    with listening("127.0.0.1", 0) as listener:
        thread = Thread(target=server.run, args=([listener],))
        thread.start()
        wait_for(lambda: server.started)

        def cut() -> None:
            for connection in [*server.server_state.connections]:
                connection.loop.call_soon_threadsafe(connection.transport.abort)

        try:
            yield listener.getsockname()[1], cut
        finally:
            server.should_exit = True
            cut()
            thread.join()


@contextmanager
def started(*words: str, **settings: object) -> Iterator[tuple[int, subprocess.Popen]]:
    """Start a server on a free port, and yield the port and the process. Ctrl-C ends it."""
    command = [SCRIPTS / "c4-referee", "serve", "--port", "0", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes, **settings) as server:
        try:
            yield int(re.search(r":(\d+)/", server.stdout.readline())[1]), server
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait() == 0


@contextmanager
def scripted_server(monkeypatch, folder: Path, *bots: str) -> Iterator[Script]:
    """Serve the contest of a folder, which says what a test writes into the script."""
    script = Script()
    monkeypatch.setattr(watch, "Follower", script)
    script.folder = folder
    script.begin(*bots)
    with serving(Store(lambda: [folder])) as (script.port, script.cut):
        yield script


def ask(
    port: int,
    path: str,
    method: str = "GET",
    body: bytes | None = None,
    source: str = "127.0.0.1",
    **headers: str,
) -> http.client.HTTPResponse:
    """Send a request from an address of this machine, and return the answer with ``text``."""
    connection = http.client.HTTPConnection("127.0.0.1", port, source_address=(source, 0))
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, named)
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


@contextmanager
def stream(port: int, path: str, last: str = "") -> Iterator[Iterator[tuple[str, Message]]]:
    """Open a stream of events, and yield its ids with its messages."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers={"Last-Event-ID": last} if last else {})
    answer = connection.getresponse()
    assert answer.status == 200, answer.status
    yield _events(answer)
    answer.close()
    connection.close()


def _events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, Message]]:
    identifier = ""
    for line in answer:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "id":
            identifier = value
        if name == "data":
            said = json.loads(value)
            for message in said if isinstance(said, list) else [said]:
                yield identifier, message
