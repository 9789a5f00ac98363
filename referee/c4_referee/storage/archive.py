"""What ``--out DIR`` keeps of an event: ``arena.sqlite``, and ``games.jsonl`` in step with it.

The database decides: a game is committed there first and then added to the file, which is made to
agree again whenever the folder is opened.

A match is told by its bots, in their order, the variant and their time controls; a tournament by
all that its file says, but for the bots and the number of rounds. How many games are played at
once, or at all, makes no other event of it. A bot is told by its name and by its fingerprint: how
it is started, and what the files are that its command names, or all that is in its ``folder``,
wherever that lies; without one, modules that it imports are not seen. Whoever edits his bot
therefore begins another match, and enters a tournament anew.
"""

import shutil
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import orjson
from c4_protocol.events import GameEnded, VariantRecord
from c4_protocol.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.folder import fingerprint as folder_fingerprint
from c4_referee.bots.spec import BotSpec
from c4_referee.schedule import GameKey, Roster
from c4_referee.storage.eventlog import GamesFile
from c4_referee.storage.store import Entrant, Store

GAMES, BASE = "games.jsonl", "arena.sqlite"
"""The files of a folder."""
OWN_COMMANDS = frozenset({"c4-bot", "c4-solve", "c4-referee", "c4-tune"})
"""Console scripts of this package."""
FORMER_IMPORTS = ((b"from c4_bot.", b"from bot."), (b"from c4_referee.", b"from referee."))
"""Imports of our console scripts, each with its spelling in versions up to 0.1.

Fingerprints are made from the former spelling, so that games stored by those versions still count.
"""


class Unkept:
    """No folder was named: games are forgotten when the referee ends. A context manager.

    ``roster`` is who takes part, by their places; ``names`` are those of all entrants by place, and
    ``places`` those of the ``bots`` that take part now.
    """

    def __init__(self, bots: Sequence[BotSpec]) -> None:
        self.names = [bot.name for bot in bots]
        self.places = tuple(range(len(bots)))
        self.roster = Roster.of(len(bots))

    def __enter__(self) -> "Unkept":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def results(self) -> dict[GameKey, GameEnded]:
        """The games of the event that have been played before."""
        return {}

    def issue(self, game: GameKey) -> None:
        """A game is being played."""

    def commit(self, game: GameKey, record: bytes) -> None:
        """The result of an issued game, as its JSON line; it is safe when this returns."""

    def roll_back(self, game: GameKey) -> None:
        """An issued game came to nothing."""


class Archive(Unkept):
    """An event's part of a folder, which one referee at a time may open.

    ``identity`` is what makes the event this one and no other, as a JSON object. Raises
    ``ArenaError`` for a folder that cannot be used, or fails later.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any], bots: Sequence[BotSpec]) -> None:
        with ExitStack() as stack:
            self._file = stack.enter_context(GamesFile(folder / GAMES))
            self._store = stack.enter_context(Store(folder / BASE))
            self._file.reconcile(self._store.records())
            self._store.roll_back_all()
            settings = orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)
            key = sha256(settings).hexdigest()
            self._event = self._store.enter(key, settings.decode(), [*map(_entrant, bots)])
            self._stack = stack.pop_all()
        self.roster = Roster(self._store.rosters(self._event), self._store.played(self._event))
        self.places = self.roster.now
        self.names = _names(self._store.entrants(self._event), self.places)

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def results(self) -> dict[GameKey, GameEnded]:
        """The games of the event that have been played before, whatever number they had."""
        records = self._store.results(self._event)
        return {game: GameEnded.read(orjson.loads(record)) for game, record in records}

    def issue(self, game: GameKey) -> None:
        """A game is being played."""
        self._store.issue(self._event, game)

    def commit(self, game: GameKey, record: bytes) -> None:
        """The result of an issued game, as its JSON line; it is safe when this returns."""
        self._store.commit(self._event, game, record)
        self._file.append(record)

    def roll_back(self, game: GameKey) -> None:
        """An issued game came to nothing."""
        self._store.roll_back(self._event, game)


def of_bots(
    bots: Sequence[BotSpec], variant: Variant, controls: Sequence[TimeControl]
) -> dict[str, Any]:
    """The identity of an event that is told by its bots and what they play."""
    return {
        "bots": [{"name": bot.name, "fingerprint": fingerprint(bot)} for bot in bots],
        "variant": asdict(VariantRecord.of(variant)),
        "controls": [asdict(control) for control in controls],
    }


def fingerprint(bot: BotSpec) -> str:
    """SHA-256 of how a bot is started and of the files it is known to have, in hexadecimal."""
    start = bot.model_dump(mode="json", exclude={"folder"}, exclude_defaults=True)
    digest = sha256(orjson.dumps(start, option=orjson.OPT_SORT_KEYS))  # defaults change no old bot
    if bot.folder is not None:
        digest.update(folder_fingerprint(Path(bot.folder)).encode())
    program = shutil.which(bot.command[0], path=bot.environment()["PATH"]) or bot.command[0]
    for word in (program, *bot.command[1:]):
        path = Path(bot.place or "", word)
        with suppress(OSError, ValueError):  # most words name no file, and some could not
            if path.is_file():
                digest.update(_content_digest(path))
    return digest.hexdigest()


def _content_digest(path: Path) -> bytes:
    """Return the SHA-256 of a file; of our own console scripts, in their former spelling."""
    if path.name in OWN_COMMANDS:
        script = path.read_bytes()
        for present, former in FORMER_IMPORTS:
            script = script.replace(b"\n" + present, b"\n" + former)
        return sha256(script).digest()
    with path.open("rb") as content:
        return file_digest(content, "sha256").digest()


def _entrant(bot: BotSpec) -> Entrant:
    """What is written down of a bot."""
    return Entrant(bot.name, orjson.dumps(bot.command).decode(), fingerprint(bot))


def _names(entrants: Sequence[Entrant], present: Collection[int]) -> list[str]:
    """Names by place, no two alike: those who have left are called ``name (withdrawn)``."""
    gone = Counter[str]()
    names = []
    for place, one in enumerate(entrants):
        name = one.name
        if place not in present:
            gone[name] += 1
            name += f" (withdrawn {gone[name]})" if gone[name] > 1 else " (withdrawn)"
        names.append(name)
    return names
