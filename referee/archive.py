"""What ``--out DIR`` keeps of an event: ``arena.sqlite``, and ``games.jsonl`` in step with it.

The database decides: a game is committed there first and then added to the file, which is made to
agree again whenever the folder is opened.

An event is told by its bots, in their order, the variant and their time controls; how many games
are played at once, or at all, makes no other event of it. A bot is told by its name and by its
fingerprint: how it is started, and what the files are that its command names, or all that is in
its ``folder``, wherever that lies. Whoever edits his bot therefore begins another event; without a
``folder``, modules that it imports are not seen.
"""

import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from hashlib import file_digest, sha256
from pathlib import Path

import orjson

from protocol.records import GameEnded, VariantRecord, game_ended
from protocol.variant import Variant
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.eventlog import GamesFile
from referee.folder import fingerprint as folder_fingerprint
from referee.schedule import GameKey, Pairing
from referee.store import Entrant, Store


class Unkept:
    """No folder was named: games are forgotten when the referee ends. A context manager."""

    def __enter__(self) -> "Unkept":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def results(self, schedule: Iterable[Pairing]) -> list[GameEnded]:
        """The games of a schedule that have been played before."""
        return []

    def issue(self, game: GameKey) -> None:
        """A game is being played."""

    def commit(self, game: GameKey, record: bytes) -> None:
        """The result of an issued game, as its JSON line; it is safe when this returns."""

    def roll_back(self, game: GameKey) -> None:
        """An issued game came to nothing."""


class Archive(Unkept):
    """An event's part of a folder, which one referee at a time may open.

    Raises ``ArenaError`` for a folder that cannot be used, or fails later.
    """

    def __init__(
        self,
        folder: Path,
        bots: Sequence[BotSpec],
        variant: Variant,
        controls: Sequence[TimeControl],
    ) -> None:
        with ExitStack() as stack:
            self._file = stack.enter_context(GamesFile(folder / "games.jsonl"))
            self._store = stack.enter_context(Store(folder / "arena.sqlite"))
            self._file.reconcile(self._store.records())
            self._store.roll_back_all()
            entrants = [_entrant(bot) for bot in bots]
            settings = _settings(entrants, variant, controls)
            key = sha256(settings).hexdigest()
            self._event = self._store.enter(key, settings.decode(), entrants)
            self._stack = stack.pop_all()

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def results(self, schedule: Iterable[Pairing]) -> list[GameEnded]:
        """The games of a schedule that have been played before, numbered as they are there."""
        numbers = {pairing.key: pairing.number for pairing in schedule}
        return [
            replace(game_ended(orjson.loads(record)), game=numbers[game])
            for game, record in self._store.results(self._event)
            if game in numbers
        ]

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
                with path.open("rb") as content:
                    digest.update(file_digest(content, "sha256").digest())
    return digest.hexdigest()


def _entrant(bot: BotSpec) -> Entrant:
    return Entrant(bot.name, orjson.dumps(bot.command).decode(), fingerprint(bot))


def _settings(bots: Sequence[Entrant], variant: Variant, controls: Sequence[TimeControl]) -> bytes:
    """What makes an event this one and no other, as JSON."""
    settings = {
        "bots": [{"name": bot.name, "fingerprint": bot.fingerprint} for bot in bots],
        "variant": asdict(VariantRecord.of(variant)),
        "controls": [asdict(control) for control in controls],
    }
    return orjson.dumps(settings, option=orjson.OPT_SORT_KEYS)
