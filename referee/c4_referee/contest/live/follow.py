"""Follows a contest of a folder of ``--out``, in progress or not, without changing the folder.

In: the database, which has the results, and ``live.jsonl``, which has the moves of the games in
progress. Out: the messages that the referee's own readers receive (``play.ledger``), with the
bots' names in reports, and without a bound of the number of games. ``GameEnded`` always comes from
the database, so a game ends only if its result is stored.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import orjson
from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible
from c4_protocol.records.events import (
    ContestProgress,
    ContestStarted,
    GameEnded,
    GameRolledBack,
    GameStarted,
    MoveMade,
    MoveRemarked,
    VariantRecord,
)
from c4_protocol.rules.notation import cell_of_wire, move_names, replay, wire_move
from c4_protocol.rules.position import Position
from pydantic import Field, TypeAdapter

from c4_referee.contest.live.file import LIVE_FILE, MAX_FOLLOWED_BYTES, is_locked, open_live
from c4_referee.contest.live.state import MAX_SHOWN, Message
from c4_referee.records.rounds import Progress
from c4_referee.records.stats.observations import tallied
from c4_referee.records.storage.contests import News, read_news
from c4_referee.records.storage.database import DATABASE_FILE, database_files

LIVE_EVENTS: TypeAdapter[GameStarted | MoveMade | MoveRemarked | GameRolledBack] = TypeAdapter(
    Annotated[GameStarted | MoveMade | MoveRemarked | GameRolledBack, Field(discriminator="event")]
)
START = TypeAdapter(ContestStarted)


class Follower:
    """Reader of contest number ``contest`` of a folder, which says what has happened."""

    def __init__(self, folder: Path, contest: int) -> None:
        self._folder, self._contest = folder, contest
        self._live = _LiveLines(folder / LIVE_FILE, contest)
        self._files: object = None
        self._news: News | None = None
        self.stored_progress = Progress(0, True)
        """State of the contest at the last call of ``poll``."""
        self.counted: set[int] = set()
        """Numbers of the games with a result that counts, at the last call of ``poll``."""
        self._plies: dict[int, int] = {}
        """Number of the next ply of each game in progress, as far as the messages tell."""
        self._ended: set[int] = set()
        """Numbers of the games that have a result."""

    @property
    def is_running(self) -> bool:
        """True if a referee was playing the contest at the last call of ``poll``."""
        return self._live.place is not None

    def poll(self) -> list[Message]:
        """Return the messages since the last call.

        The first call returns the start of the contest, its last results and the games in progress.
        They come again if results have ceased to count. Raises ``ArenaError`` if the folder cannot
        be read.
        """
        live = self._live.read()  # before the database: moves are written before results
        files = [state_of_file(path) for path in database_files(self._folder / DATABASE_FILE)]
        if files == self._files:
            return [*self._of_open_games(live)]
        self._files, before = files, self._news
        after = 0 if before is None else before.last_result
        self._news = news = read_news(self._folder, self._contest, after)
        if before is None:
            return [*self._begin(news)]
        if (news.bots, news.progress.uncounted) != (before.bots, before.progress.uncounted):
            self._news = news = read_news(self._folder, self._contest)
            return [*self._begin(news)]
        return [*self._of_open_games(live, news), *self._results(news, news.games)]

    def _begin(self, news: News) -> Iterator[Message]:
        """Generate the messages of all that is stored, and of all games in progress."""
        games = news.counted
        earlier, last = games[:-MAX_SHOWN], games[-MAX_SHOWN:]
        bots = [bot.name for bot in news.bots if not bot.withdrawn]
        self._live.begin_again()
        live = self._live.read()
        self._plies, self.counted = {}, set()
        self._ended = {game.game for game in news.games}
        yield _message(ContestStarted(self._contest, bots, self._live.moves, tallied(earlier)))
        yield from self._results(news, last)
        yield from self._of_open_games(live)

    def _of_open_games(self, live: list[Message], news: News | None = None) -> Iterator[Message]:
        """Generate the messages of games without a result.

        A game of ``news`` has ended before it left ``live.jsonl``, and is not rolled back.
        """
        ending = {game.game for game in news.games} if news else set()
        for message in live:
            match message:
                case {"event": "game_started", "game": number, "opening": opening}:
                    variant = VariantRecord.read(message["variant"]).variant()
                    if number not in self._ended:
                        self._plies[number] = len(move_names(opening, variant))
                case {"event": "move", "game": number, "ply": ply} if number in self._plies:
                    self._plies[number] = ply + 1
            if message["game"] in self._plies:
                if message["event"] != "game_rolled_back":
                    yield message
                elif message["game"] not in ending:
                    del self._plies[message["game"]]
                    yield message

    def _results(self, news: News, games: Sequence[GameEnded]) -> Iterator[Message]:
        """Generate the messages of results, and of the moves that have not been read."""
        for game in games:
            self._ended.add(game.game)
            first = max(self._plies.pop(game.game, game.plies), game.start)
            for ply in range(first, game.plies):
                times = game.ms[ply - game.start], game.cpu_ms[ply - game.start]
                move = wire_move(game.rules, game.cells[ply])
                yield _message(MoveMade(game.game, ply, game.mover(ply), move, *times))
            yield _message(game)
        self.stored_progress = news.progress
        self.counted.update(game.game for game in news.counted)
        progress, names = news.progress, [bot.name for bot in news.bots]
        gave_up = [names[player] for player in sorted(progress.gave_up)]
        yield _message(
            ContestProgress(
                len(self.counted), progress.scheduled, "", progress.is_complete, gave_up
            )
        )


class _LiveLines:
    """Reader of ``live.jsonl``, which is used only while a referee has locked it."""

    def __init__(self, path: Path, contest: int) -> None:
        self._path, self._contest = path, contest
        self.place: tuple[int, int] | None = None
        """Device and inode of the file that is read, ``None`` if no referee plays the contest."""
        self._offset, self._unread = 0, b""
        self.moves: Literal["live", "with the result"] = "live"
        self.running: dict[int, tuple[Position, int]] = {}
        """Positions and plies of the games in progress, by number, as far as the messages tell."""

    def begin_again(self) -> None:
        """Let ``read`` return the messages of all games in progress from their starts."""
        self.place = None
        self.running.clear()

    def read(self) -> list[Message]:
        """Return the messages since the last call.

        If the file was replaced, all its games come again from their starts.
        """
        before, place = set(self.running), self.place
        lines = self._new_lines()
        is_other = self.place != place
        if is_other:
            self.running.clear()
        messages = [message for line in lines for message in self._take(line)]
        lost = sorted(before.difference(self.running)) if is_other else []
        return [*(_message(GameRolledBack(number)) for number in lost), *messages]

    def _new_lines(self) -> list[bytes]:
        """Return the lines that were written since the last call, without an incomplete one."""
        place, self.place = self.place, None
        with suppress(OSError, ArenaError, ValueError):
            with open_live(self._path) as file:
                status = os.fstat(file.fileno())
                start = START.validate_json(file.readline(MAX_FOLLOWED_BYTES))
                if not is_locked(file.fileno()) or start.contest != self._contest:
                    return []
                self.place, self.moves = (status.st_dev, status.st_ino), start.moves
                if self.place == place:
                    file.seek(self._offset)
                else:
                    self._unread = b""
                data = self._unread + file.read(MAX_FOLLOWED_BYTES)
                self._offset = file.tell()
            *lines, self._unread = data.split(b"\n")
            return lines
        return []

    def _take(self, line: bytes) -> Iterator[Message]:
        """Generate the message of a line, unless it is damaged, does not fit, or ends a game."""
        with suppress(ValueError, KeyError, ArenaError):
            event = LIVE_EVENTS.validate_json(line)
            if isinstance(event, GameStarted):
                position, cells = replay(event.opening, event.variant.variant())  # or raise
                names = visible(event.first), visible(event.second)
                event = replace(event, first=names[0], second=names[1])
                self.running[event.game] = position, len(cells)
            elif isinstance(event, MoveMade):
                position, ply = self.running[event.game]
                if event.ply != ply:
                    return
                position = position.play(cell_of_wire(position, event.move))
                self.running[event.game] = position, ply + 1
            if event.game in self.running:
                yield _message(event)
            if isinstance(event, GameRolledBack):
                self.running.pop(event.game, None)


def _message(event: Any) -> Message:  # noqa: ANN401 - any event
    """Return an event as its readers get it."""
    message: Message = orjson.loads(orjson.dumps(event))
    return message


def state_of_file(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is written, or ``None`` if there is no file."""
    with suppress(OSError):
        status = path.stat()
        return status.st_mtime_ns, status.st_size
    return None
