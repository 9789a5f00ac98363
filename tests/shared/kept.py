"""Archives of two bots in a folder, and the games of their match, for tests."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

import orjson
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.records.reports import Tally
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.schedule import Plan, repetition_of_empty_board
from c4_referee.contest.schedule.match import games_in_turn
from c4_referee.records.rounds import GameKey, Pairing, Progress, Roster
from c4_referee.records.stats.observations import bot_tally, games_that_count
from c4_referee.records.storage.folder_archive import FolderArchive, identity_of_bots

SPECS = (BotSpec(name="a", command=("true",)), BotSpec(name="b", command=("false",)))
CONTROLS = (TimeControl(), TimeControl())


def turns(games: int) -> tuple[GameKey, ...]:
    """Return the games of a match between bots 0 and 1, all from the empty board."""
    return next(games_in_turn(games, Plan(Roster.of(2), repetition_of_empty_board))).games


KEYS = turns(5)


def game_events_to(events: list[dict[str, object]]) -> Callable[[bytes], None]:
    """Return a handler of events that appends the events of games to a list."""

    def handle(line: bytes) -> None:
        event = orjson.loads(line)
        if "game" in event and event["event"] != "game_rolled_back":
            events.append(event)

    return handle


def tallies(bots: Iterable[str], games: Sequence[GameEnded]) -> dict[str, Tally]:
    """Return the results of each bot. Void games do not count."""
    counted = [*games_that_count(games)]
    return {
        bot: bot_tally(bot, [game for game in counted if bot in {game.first, game.second}])
        for bot in bots
    }


def record(number: int = 1, variant: Variant = STANDARD, **settings: object) -> GameEnded:
    """Return the record of a game."""
    usual = {"moves": "", "ms": [], "cpu_ms": [], "fault": None, "notes": [], "stderr": {}}
    kept = VariantRecord.of(variant)
    return GameEnded(**{"game": number, "first": "a", "second": "b", "winner": 0,
                        "ending": "void", "variant": kept} | usual | settings)  # fmt: skip


def line(number: int = 1, specs=SPECS) -> bytes:
    """Return the JSON line of a game. Each bot goes first in every second game."""
    first, second = (bot.name for bot in specs[:: 1 if number % 2 else -1])
    return orjson.dumps(record(number, first=first, second=second))


def archive(folder: Path, specs=SPECS, variant=STANDARD, controls=CONTROLS) -> FolderArchive:
    """Open an archive of two bots, whose contest has begun."""
    kept = FolderArchive(folder, identity_of_bots(specs, variant, controls), specs)
    kept.record(Progress(0, is_complete=False))
    return kept


def match(games: int) -> Iterator[Pairing]:
    """Yield the games of a match with their numbers."""
    return map(Pairing, count(1), turns(games))


def keep(folder: Path, pairing: Pairing, **settings: object) -> None:
    """Open an archive, and commit a game to it."""
    with archive(folder, **settings) as kept:
        kept.issue(pairing.key)
        kept.commit(pairing.key, line(pairing.number, settings.get("specs", SPECS)))


def change(folder: Path, statements: str, values: Sequence[object] = ()) -> None:
    """Change the database of a folder by hand."""
    with closing(sqlite3.connect(folder / "arena.sqlite")) as base, base:
        if values:
            base.execute(statements, values)
        else:
            base.executescript(statements)


def numbers(folder: Path, games: int = 100, **settings: object) -> list[int]:
    """Return the numbers of a match's games that an archive has."""
    with archive(folder, **settings) as kept:
        known = kept.results()
        return [pairing.number for pairing in match(games) if pairing.key in known]
