"""Contests that people watch: one reader of a folder for all viewers of its contest.

In: the messages of ``live.follow.Follower``. Out: server-sent events, each a list of messages that
belong together: results, and the standings that follow from them. So a page always shows one state.
The standings need no reading of the folder, except at the start and at the end of a contest.

A viewer begins with a snapshot of the state, and then gets each event. A viewer who comes back
after a lost connection names the last event, and gets those that follow, or a snapshot if they are
no longer known. So does a viewer who is too slow. Memory does not grow with the viewers.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Any

import orjson
from c4_protocol.records.events import GameEnded, VariantRecord

from c4_referee.contest.live.file import LEFT_OUT
from c4_referee.contest.live.follow import Follower
from c4_referee.contest.live.state import SHOWN_KEYS, LiveState, Message
from c4_referee.report.site.results import ContestResults
from c4_referee.serve.store import Shelf, Store

POLL_SECONDS = 0.2
"""Pause between two looks at a contest."""
HEARTBEAT_SECONDS = 15.0
"""Maximum time without a byte, so that a connection is not taken for dead."""
IDLE_SECONDS = 30.0
"""Time for which a contest is followed after its last viewer has left."""
MAX_EVENTS = 2000
"""Maximum number of events that are kept for viewers who come back."""
RESULTS = {"game_ended", "progress"}
"""Messages that change the standings."""
PAUSE = 10
"""Minimum pause between two computations of the standings, in durations of the last one."""
WatchKey = tuple[Path, int, str]
"""Folder and number of a contest, and the real names that it shows."""
ROW_KEYS = ("rank", "bot", "points", "games", "rating")
"""Fields of a row of the standings that the pages show."""


class Watch:
    """A contest with its viewers. ``read`` returns its results as they are stored now.

    ``public`` returns what viewers may see of a message, or ``None``.
    """

    def __init__(
        self,
        follower: Follower,
        read: Callable[[], ContestResults | None],
        public: Callable[[Message], Message | None],
    ) -> None:
        self.state = LiveState()
        self.viewers = 0
        self.last_use = time.monotonic()
        self.has_ended = False
        self.ready = asyncio.Event()
        self.task: asyncio.Task[None] | None = None  # kept, so that it is not collected
        self._follower, self._read, self._public = follower, read, public
        self._results: ContestResults | None = None
        """Results as they were stored when the contest was last read."""
        self._games: dict[int, GameEnded] = {}
        """Games of the standings, by their numbers."""
        self._held: list[Message] = []
        """Messages that wait for the next standings."""
        self._next_standings = 0.0
        self._standings: list[Any] = []
        self._running = False
        self._epoch = token_hex(4)
        self._count = 0
        self._kept: deque[bytes] = deque(maxlen=MAX_EVENTS)
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
        """Take the messages that are new, with the standings that follow from them, as one event.

        Results wait until the standings can be computed, which takes a part of the time only.
        """
        polled: list[Message] = await asyncio.to_thread(self._follower.poll)
        shown = [*map(self._public, polled)]
        messages = self._held + [each for each in shown if each is not None]
        kinds = {message["event"] for message in messages}
        begins, running = "contest_started" in kinds, self._follower.is_running
        ends = self.state.is_complete and not running
        waits = time.monotonic() < self._next_standings and not (begins or ends)
        held = RESULTS if waits else set()
        self._held = [each for each in messages if each["event"] in held]
        rows = self._standings
        if ends or (kinds & RESULTS) - held:
            rows = await asyncio.to_thread(self._rows, messages, anew=begins or ends)
        news = [new for each in messages if each["event"] not in held for new in self._take(each)]
        if running != self._running:
            news.append({"event": "running", "running": running})
        if rows != self._standings:
            news.append({"event": "standings", "bots": rows})
        self._running, self._standings = running, rows
        if begins:
            news = [self.snapshot()]
        if news:
            self._count += 1
            self._kept.append(self._event(news))
        self.has_ended = self.has_ended or (ends and self.state.is_complete)
        self.ready.set()
        self._wake()

    def _rows(self, messages: list[Message], *, anew: bool) -> list[Any]:
        """Return the rows of the table after some messages. ``anew`` reads the contest before."""
        if anew:
            self._results = self._read()
            stored = self._results.contest.games if self._results else ()
            self._games = {each.game: each for each in stored}
        for message in messages:
            if message["event"] == "game_ended":
                variant = VariantRecord.read(message["variant"])
                self._games[message["game"]] = GameEnded(
                    **{**message, **LEFT_OUT, "fault": None, "variant": variant}
                )
        if self._results is None:
            return []
        began = time.monotonic()
        games = tuple(self._games[n] for n in sorted(self._follower.counted & {*self._games}))
        progress, contest = self._follower.stored_progress, self._results.contest
        results = ContestResults(replace(contest, games=games, progress=progress))
        rows, places = results.standings.bots, results.places
        self._next_standings = time.monotonic() + PAUSE * (time.monotonic() - began)
        self.state.extra_points = {row.bot: row.extra_points for row in rows}
        return [
            {"page": places[row.bot] + 1} | {key: getattr(row, key) for key in ROW_KEYS}
            for row in rows
        ]

    def _take(self, message: Message) -> list[Message]:
        """Change the state by a message. Return what viewers get.

        Only the kind of a fault is shown, because its details can quote standard error.
        """
        if fault := message.get("fault"):
            message = {**message, "fault": {key: fault[key] for key in ("bot", "fault")}}
        moments = self.state.take(message)
        if message["event"] == "game_ended":
            message = {key: message[key] for key in ("event", *SHOWN_KEYS)}
        said = [{"event": "moment", "game": each.game, "text": each.text} for each in moments]
        return [message, *said]

    def _event(self, messages: Sequence[Message]) -> bytes:
        data = orjson.dumps(messages)
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
                yield self._event([self.snapshot()])
                at = self._count
            news, new = self._news, self._count - at
            if new:
                data = b"".join(islice(self._kept, len(self._kept) - new, None))
                at = self._count
                yield data
            elif self.has_ended:
                if self.state.is_complete:  # otherwise, the viewer tries again
                    yield b'data: [{"event":"end"}]\n\n'
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
            public = shelf.run.message if shelf.run else dict
            watch = Watch(follower, lambda: self._results(shelf, number), public)
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

    def _results(self, shelf: Shelf, number: int) -> ContestResults | None:
        """Return the results of a contest as they are stored now, or ``None`` without them."""
        contests = self._store.results(shelf, now=True)
        return contests[number - 1] if number <= len(contests) else None
