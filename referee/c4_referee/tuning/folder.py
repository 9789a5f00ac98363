"""A stored run: ``settings.json``, and ``rounds.jsonl`` with one line for each round.

The settings and the results of games determine all rounds. So a run is continued by computing it
again from its first round. The lines hold the results of games, and these games are not played
again, so the stored rounds take almost no time. If the program was killed while it wrote a line,
the incomplete line is removed and its round is played again. Links, pipes and other files that are
not regular files with one name are refused (``storage.files``).

Nothing is written into a folder before all its contents have been compared with the run. The
settings are written before the first round. If there are rounds without settings, their games may
be those of other settings. Then the user must ask to continue, and these games are played again.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from c4_protocol.errors import UsageError
from pydantic import BaseModel, ConfigDict, ValidationError

from c4_referee.storage.files import open_regular, read_regular, replace_file
from c4_referee.tuning.arena import Arena, TuningGame, TuningResult
from c4_referee.tuning.evolution import RunSettings, TuningRound

SETTINGS, ROUNDS = "settings.json", "rounds.jsonl"
StoredPlayer = tuple[int, ...] | str


class StoredRound(BaseModel):
    """A line of ``rounds.jsonl``, with the games that had to be played for its round.

    A game has two players, an opening, all moves, the winner and the number of visited positions.
    """

    model_config = ConfigDict(strict=True, extra="allow")
    round: int
    seconds: float
    played: list[tuple[StoredPlayer, StoredPlayer, str, str, int, int]]


@dataclass(frozen=True)
class Effort:
    """Number of games played, number of positions visited in them, and seconds spent."""

    games: int = 0
    positions: int = 0
    seconds: float = 0.0


class RunFolder:
    """Context manager for the open folder of a run.

    The folder is created if necessary, and locked against other programs. If it holds a run with
    the same settings, this run is continued. With ``resume``, rounds without settings are continued
    too. The length of the object is the number of rounds that the folder held when it was opened.
    Raises ``UsageError`` for a folder that cannot be used or holds a run with other settings.
    """

    def __init__(self, path: Path, settings: RunSettings, *, resume: bool = False) -> None:
        self.path = path
        self._settings = orjson.loads(orjson.dumps(asdict(settings)))
        self._check_settings()
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._file = open_regular(path / ROUNDS, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        except OSError as error:
            raise UsageError(f"--out {path}: {error.strerror}: {error.filename}") from None
        try:
            self._lock()
            self._has_settings = (
                self._check_settings()
            )  # checked again: now no other program can write them
            self._size = 0
            self._rounds = list(self._read_rounds())
            self._check_continues(resume)
            self._known = self._rounds if self._has_settings else []
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def __len__(self) -> int:
        return len(self._rounds)

    def effort_until(self, number: int) -> Effort:
        """Return the effort of rounds 1 to ``number``, without rounds that are played again."""
        lines = self._known[:number]
        return Effort(
            games=sum(len(line.played) for line in lines),
            positions=sum(game[-1] for line in lines for game in line.played),
            seconds=sum(line.seconds for line in lines),
        )

    def restore_games(self, arena: Arena) -> None:
        """Make the arena remember all stored games that are not played again."""
        for line in self._known:
            for first, second, opening, moves, winner, positions in line.played:
                game = TuningGame(first, second, opening)
                arena.remember(game, TuningResult(moves, winner, positions))

    def append(self, one: TuningRound, seconds: float) -> None:
        """Store a round that took ``seconds``. A round that is stored already is left as it is.

        Raises ``UsageError`` if a different round with the same number is stored.
        """
        line = {
            "round": one.number,
            "population": one.population,
            "scores": one.scores,
            "winners": one.winners,
            "games": one.games,
            "distinct_games": one.distinct_games,
        }
        if one.number <= len(self._rounds):
            self._check_same(line)
        if one.number >= len(self._rounds):
            self._store_settings()
        if one.number > len(self._rounds):
            played = [[*game, *result] for game, result in one.new.items()]
            self._append_line(line | {"seconds": round(seconds, 3), "played": played})

    def _append_line(self, line: dict[str, Any]) -> None:
        """Append a line to the stored rounds, in place of a line that is incomplete."""
        data = orjson.dumps(line) + b"\n"
        os.ftruncate(self._file, self._size)
        self._size += len(data)
        while data:
            data = data[os.write(self._file, data) :]

    def _check_same(self, line: dict[str, Any]) -> None:
        stored = self._rounds[line["round"] - 1].model_dump()
        if orjson.loads(orjson.dumps(line)) != {name: stored.get(name) for name in line}:
            raise UsageError(
                f"{self.path / ROUNDS}, line {line['round']}: these settings lead to a different "
                "round; the file was changed or written by another version: name another folder"
            )

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"--out {self.path}: another program is using this folder") from None

    def _store_settings(self) -> None:
        """Store the settings if none are stored."""
        if not self._has_settings:
            options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
            replace_file(self.path / SETTINGS, orjson.dumps(self._settings, option=options))
            self._has_settings = True

    def _check_settings(self) -> bool:
        """Return whether settings are stored.

        Raises ``UsageError`` if different settings are stored.
        """
        own, stored = self._settings, _stored_settings(self.path / SETTINGS)
        if stored is not None and stored != own:
            differences = (
                f"{name} {stored.get(name)} instead of {own[name]}"
                for name in own
                if stored.get(name) != own[name]
            )
            raise UsageError(
                f"--out {self.path}: it holds a run with other settings "
                f"({', '.join(differences)}): name another folder, or use the settings of that run"
            )
        return stored is not None

    def _check_continues(self, resume: bool) -> None:
        """Raise ``UsageError`` for rounds without settings, unless the user asks to continue."""
        if self._rounds and not (self._has_settings or resume):
            raise UsageError(
                f"--out {self.path}: it holds rounds, but no {SETTINGS}: name another folder, or "
                "say --resume if these are the settings of that run"
            )

    def _read_rounds(self) -> Iterator[StoredRound]:
        """Generate the stored rounds, and count their bytes. Leave out an incomplete last line.

        Raises ``UsageError`` for a line that is not a round, and for an incomplete line that does
        not begin like the next round.
        """
        *texts, torn = read_regular(self.path / ROUNDS).split(b"\n")
        for number, text in enumerate(texts, 1):
            line = None
            with suppress(ValidationError):
                line = StoredRound.model_validate_json(text)
            if line is None or line.round != number:
                raise self._not_a_round(number)
            self._size += len(text) + 1
            yield line
        if torn:
            number = len(texts) + 1
            start = b'{"round":%d,' % number
            if torn[: len(start)] != start[: len(torn)]:
                raise self._not_a_round(number)

    def _not_a_round(self, number: int) -> UsageError:
        return UsageError(f"{self.path / ROUNDS}, line {number}: not a round of a run")


def open_run_folder(
    path: Path | None, settings: RunSettings, *, resume: bool
) -> AbstractContextManager[RunFolder | None]:
    """Return the open folder of a run, or without a path, a context manager that gives ``None``."""
    return RunFolder(path, settings, resume=resume) if path else nullcontext()


def _stored_settings(path: Path) -> dict[str, Any] | None:
    """Return the settings in a file, or ``None`` if the file does not exist."""
    try:
        stored = orjson.loads(read_regular(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, orjson.JSONDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    if not isinstance(stored, dict):
        raise UsageError(f"{path} does not hold the settings of a run")
    return stored
