"""The state of a contest in progress, as far as its messages tell it.

In: the messages of a contest (``c4_protocol.records.events``), decoded, in their order. Out: the
games in progress, the last results, points, and remarkable moments. The terminal of a run,
``c4-referee watch`` and the pages of ``c4-referee serve`` all show this state.
"""

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.notation import move_names

MAX_SHOWN = 12
"""Maximum number of results, and of moments, that are kept."""
SHOWN_KEYS = ("game", "first", "second", "winner", "ending", "moves", "fault", "variant")
"""Keys of ``GameEnded`` that a viewer needs."""
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Moment:
    """A remarkable moment, as a sentence for people, and the number of its game, if it has one."""

    game: int | None
    text: str


@dataclass
class RunningGame:
    """A game in progress. ``moves`` are those after the opening, as in the protocol."""

    game: int
    first: str
    second: str
    variant: Mapping[str, Any]
    opening: str
    moves: list[Any] = field(default_factory=list)
    remark: str = ""


class LiveState:
    """State of a contest in progress, which each message changes."""

    def __init__(self) -> None:
        self.bots: list[str] = []
        self.moves = "live"
        self.done, self.scheduled, self.bound, self.is_complete = 0, 0, "", False
        self.gave_up: set[str] = set()
        self.extra_points: dict[str, float] = {}
        """Points of byes, which no message tells. Whoever reads the folder sets them."""
        self.games: dict[int, RunningGame] = {}
        """Games in progress by their numbers."""
        self.results: deque[dict[str, Any]] = deque(maxlen=MAX_SHOWN)
        self.moments: deque[Moment] = deque(maxlen=MAX_SHOWN)
        self._pairs: dict[tuple[str, str], list[int]] = {}
        """Games and half points of the first bot, by the two bots of a game."""
        self._points: dict[str, list[int]] = {}
        """Half points and games of each bot. Those of bots that gave up do not count."""
        self._shortest = math.inf

    def take(self, message: Message) -> list[Moment]:
        """Change the state by a message. Return the remarkable moments that it brings."""
        handle = getattr(self, f"_take_{message['event']}", None)
        moments = [] if handle is None else list(handle(message) or ())
        self.moments.extend(moments)
        return moments

    def _take_contest_started(self, message: Message) -> None:
        self.bots, self.moves = list(message["bots"]), message["moves"]
        self.results.clear()  # the last ones come again, and games in progress go on
        self.moments.clear()
        self._shortest = math.inf
        self._pairs = {
            (first, second): [games, half] for first, second, games, half in message["earlier"]
        }
        self._add_up()

    def _take_progress(self, message: Message) -> Iterator[Moment]:
        self.done, self.scheduled = message["done"], message["scheduled"]
        self.bound, self.is_complete = message["bound"], message["complete"]
        new = [bot for bot in message["gave_up"] if bot not in self.gave_up]
        if new:
            self.gave_up.update(new)
            self._add_up()
        return (Moment(None, f"{bot} gives up: its games do not count.") for bot in new)

    def _take_game_started(self, message: Message) -> None:
        names = ("game", "first", "second", "variant", "opening")
        self.games[message["game"]] = RunningGame(*(message[name] for name in names))

    def _take_move(self, message: Message) -> None:
        if game := self.games.get(message["game"]):
            game.moves.append(message["move"])
            game.remark = ""

    def _take_remark(self, message: Message) -> None:
        if game := self.games.get(message["game"]):
            game.remark = message["text"]

    def _take_game_rolled_back(self, message: Message) -> Iterator[Moment]:
        self.games.pop(number := message["game"], None)
        yield Moment(number, f"Game {number} has no result, and is played again.")

    def _take_game_ended(self, message: Message) -> Iterator[Moment]:
        self.games.pop(number := message["game"], None)
        self.results.append({key: message[key] for key in SHOWN_KEYS})
        before = self.leader
        self._count(message)
        length = len(move_names(message["moves"], VariantRecord.read(message["variant"]).variant()))
        if text := self._text_of_result(message, before, length):
            yield Moment(number, text)
        if message["ending"] == "line":
            self._shortest = min(self._shortest, length)
        if (leader := self.leader) not in {None, before}:
            yield Moment(number, f"{leader} leads now.")

    def _text_of_result(self, message: Message, leader: str | None, length: int) -> str:
        """Return what is remarkable about a game of ``length`` moves, or an empty text.

        ``leader`` is the bot that led before the game.
        """
        first, second, ending = message["first"], message["second"], message["ending"]
        winner = ("", first, second)[message["winner"]]
        if fault := message["fault"]:
            failed = f"{fault['bot']} failed ({fault['fault']})."
            if ending == "void":
                return f"Game {message['game']} is void: {failed}"
            return f"{winner} wins, because {failed}"
        if ending == "full board":
            return f"{first} and {second} fill the board: a draw."
        if leader in {first, second} and winner != leader:
            return f"{winner} beats {leader}, the leader."
        if length < self._shortest < math.inf:
            return f"{winner} wins after {length} moves, the shortest game so far."
        return ""

    def _count(self, message: Message) -> None:
        """Add the points of a game."""
        if message["ending"] == "void":
            return
        bots = message["first"], message["second"]
        half = (1, 2, 0)[message["winner"]]
        row = self._pairs.setdefault(bots, [0, 0])
        row[0] += 1
        row[1] += half
        self._add(bots, 1, half)

    def _add_up(self) -> None:
        """Count the points of all games again."""
        self._points = {bot: [0, 0] for bot in self.bots}
        for bots, (games, half) in self._pairs.items():
            self._add(bots, games, half)

    def _add(self, bots: tuple[str, str], games: int, half: int) -> None:
        if self.gave_up.isdisjoint(bots):
            for bot, points in zip(bots, (half, 2 * games - half), strict=True):
                row = self._points.setdefault(bot, [0, 0])
                row[0] += points
                row[1] += games

    def table(self) -> list[tuple[str, float, int]]:
        """Return the bots with their points and games, best first. Bots that gave up are last."""
        extra = self.extra_points
        rows = [(bot, half / 2 + extra.get(bot, 0), n) for bot, (half, n) in self._points.items()]
        return sorted(rows, key=lambda row: (row[0] in self.gave_up, -row[1]))

    @property
    def leader(self) -> str | None:
        """The bot with the most points, or ``None`` if several have as many, or in a match."""
        if len(self.bots) <= 2:
            return None
        (leader, best, _), (_, second, _), *_ = self.table()
        return leader if best > second else None

    def snapshot(self) -> dict[str, Any]:
        """Return the state as a message with which a viewer begins."""
        return {
            "event": "snapshot",
            "moves": self.moves,
            "done": self.done,
            "scheduled": self.scheduled,
            "bound": self.bound,
            "complete": self.is_complete,
            "games": list(self.games.values()),
            "results": list(self.results),
            "moments": list(self.moments),
        }
