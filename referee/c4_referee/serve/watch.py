"""Contests that people watch: one reader of a folder for all viewers of its contest.

In: the messages of ``live.follow.Follower``. Out: server-sent events. A viewer begins with a
snapshot of the state, and then gets each message. A viewer who comes back after a lost connection
names the last message, and gets those that follow, or a snapshot if they are no longer known. So
does a viewer who is too slow. Memory does not grow with the viewers or with the contest.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Any

import orjson

from c4_referee.contest.live.follow import Follower
from c4_referee.contest.live.state import SHOWN_KEYS, LiveState, Message
from c4_referee.serve.store import Shelf, Store

POLL_SECONDS = 0.2
"""Pause between two looks at a contest."""
HEARTBEAT_SECONDS = 15.0
"""Maximum time without a byte, so that a connection is not taken for dead."""
IDLE_SECONDS = 30.0
"""Time for which a contest is followed after its last viewer has left."""
MAX_MESSAGES = 2000
"""Maximum number of messages that are kept for viewers who come back."""
WatchKey = tuple[Path, int, str]
"""Folder and number of a contest, and the real names that it shows."""
ROW_KEYS = ("rank", "bot", "points", "games", "rating")
"""Fields of a row of the standings that the pages show."""


class Watch:
    """A contest with its viewers. ``standings`` returns the rows of its table, new ones at once.

    ``public`` returns what viewers may see of a message, or ``None``.
    """

    def __init__(
        self,
        follower: Follower,
        standings: Callable[[bool], list[Any]],
        public: Callable[[Message], Message | None] | None = None,
    ) -> None:
        self.state = LiveState()
        self.viewers = 0
        self.last_use = time.monotonic()
        self.has_ended = False
        self.ready = asyncio.Event()
        self.task: asyncio.Task[None] | None = None  # kept, so that it is not collected
        self._follower, self._read_standings, self._public = follower, standings, public
        self._standings: list[Any] = []
        self._running = False
        self._epoch = token_hex(4)
        self._count = 0
        self._kept: deque[bytes] = deque(maxlen=MAX_MESSAGES)
        self._news = asyncio.Event()

    async def follow(self) -> None:
        """Read the contest while somebody watches, and a little longer."""
        while self.viewers or time.monotonic() - self.last_use < IDLE_SECONDS:
            if not self.has_ended:
                await self._look()
            await asyncio.sleep(POLL_SECONDS)

    def end(self) -> None:
        """End all streams."""
        self.has_ended = True
        self.ready.set()
        self._wake()

    async def _look(self) -> None:
        """Take the messages and the standings that are new."""
        messages: list[Message] = await asyncio.to_thread(self._follower.poll)
        if self._public:
            messages = [shown for each in messages if (shown := self._public(each))]
        for message in messages:
            self._take(message)
        if any(message["event"] == "contest_started" for message in messages):
            self._add(self.snapshot())
        if self._running != self._follower.is_running:
            self._running = self._follower.is_running
            self._add({"event": "running", "running": self._running})
        ends = self.state.is_complete and not self._running
        rows = await asyncio.to_thread(self._read_standings, ends)
        if rows != self._standings:
            self._standings = rows
            self._add({"event": "standings", "bots": rows})
        self.has_ended = self.has_ended or ends
        self.ready.set()
        self._wake()

    def _take(self, message: Message) -> None:
        """Change the state by a message, and keep it for the viewers.

        Only the kind of a fault is shown, because its details can quote standard error.
        """
        if fault := message.get("fault"):
            message = {**message, "fault": {key: fault[key] for key in ("bot", "fault")}}
        moments = self.state.take(message)
        if message["event"] == "game_ended":
            message = {key: message[key] for key in ("event", *SHOWN_KEYS)}
        self._add(message)
        for moment in moments:
            self._add({"event": "moment", "game": moment.game, "text": moment.text})

    def _add(self, message: Any) -> None:  # noqa: ANN401 - any message
        self._count += 1
        self._kept.append(self._event(message))

    def _event(self, message: Any) -> bytes:  # noqa: ANN401 - any message
        data = orjson.dumps(message)
        return b"id: %b-%d\ndata: %b\n\n" % (self._epoch.encode(), self._count, data)

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as a message."""
        state = self.state.snapshot()
        return state | {"running": self._running, "standings": self._standings}

    async def events(self, last: str = "") -> AsyncGenerator[bytes]:
        """Generate the events for a viewer. ``last`` is the id of the last event that arrived."""
        self.viewers += 1
        try:
            await self.ready.wait()
            yield b"retry: 1000\n\n"
            known = re.fullmatch(rf"{self._epoch}-([0-9]{{1,15}})", last)
            async for data in self._events_after(int(known[1]) if known else -1):
                yield data
        finally:
            self.viewers -= 1
            self.last_use = time.monotonic()

    async def _events_after(self, at: int) -> AsyncIterator[bytes]:
        """Generate the events after a number, which is -1 for an id of another contest."""
        while True:
            if not self._count - len(self._kept) <= at <= self._count:
                yield self._event(self.snapshot())
                at = self._count
            news, new = self._news, self._count - at
            if new:
                data = b"".join(islice(self._kept, len(self._kept) - new, None))
                at = self._count
                yield data
            elif self.has_ended:
                if self.state.is_complete:  # otherwise, the viewer tries again
                    yield b'data: {"event":"end"}\n\n'
                return
            else:
                yield await _next_or_heartbeat(news)


async def _next_or_heartbeat(news: asyncio.Event) -> bytes:
    """Wait for news. Return nothing then, or a heartbeat if there were none for long."""
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await news.wait()
    except TimeoutError:
        return b":\n\n"
    return b""


class Watches:
    """All contests that people watch."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._watches: dict[WatchKey, Watch] = {}

    def watch(self, shelf: Shelf, number: int) -> Watch:
        """Return the watch of contest ``number`` of a folder, and begin to follow it."""
        key = shelf.folder, number, str(shelf.run and shelf.run.names)
        watch = self._watches.get(key)
        if watch is None:
            follower = Follower(shelf.folder, number)
            public = shelf.run and shelf.run.message
            watch = Watch(follower, lambda now: self._standings(shelf, number, now=now), public)
            self._watches[key] = watch
            watch.task = asyncio.create_task(self._follow(key, watch))
        watch.last_use = time.monotonic()
        return watch

    async def _follow(self, key: WatchKey, watch: Watch) -> None:
        try:
            await watch.follow()
        except Exception as error:  # for example, the folder was removed; the server goes on
            self._store.log(f"cannot follow {key[0].name}: {type(error).__name__}: {error}")
        finally:
            del self._watches[key]
            watch.end()

    def _standings(self, shelf: Shelf, number: int, *, now: bool) -> list[Any]:
        """Return the rows of a contest's table of standings, as the pages get them."""
        contests = self._store.results(shelf, now=now)
        return [
            {"page": results.places[row.bot] + 1} | {key: getattr(row, key) for key in ROW_KEYS}
            for results in contests[number - 1 : number]
            for row in results.standings.bots
        ]
