"""A run on disk: ``settings.json``, and ``rounds.jsonl``, to which every round adds one line.

Nothing else has to be remembered. The rounds follow from the settings and the games, and the games
are in the lines: who goes on from them plays the run again from its first round, asks for games
that are known, and comes to the first new one in no time. A line that was being written when the
program was killed has no end; it is cut off, and its round played again.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from c4_protocol.errors import UsageError

from c4_referee.tuning.arena import Arena, Contestant, Game, Played
from c4_referee.tuning.evolution import Round, Settings

SETTINGS, ROUNDS = "settings.json", "rounds.jsonl"


@dataclass(frozen=True)
class Spent:
    """Games that were played, positions visited in them, and how long it took."""

    games: int = 0
    positions: int = 0
    seconds: float = 0.0


class Folder:
    """An open folder, made if need be, and locked against others; a context manager.

    If it holds a run of the same settings, that run is continued. Its length is the number of
    rounds that it held at first. Raises ``UsageError`` for a folder that cannot be used, or holds a
    run of other settings.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path / ROUNDS, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise UsageError(f"--out {path}: {error.strerror}: {error.filename}") from None
        try:
            self._claim(settings)
            self._rounds = list(self._read())
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> "Folder":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def __len__(self) -> int:
        return len(self._rounds)

    def spent(self, rounds: int) -> "Spent":
        """What the first rounds had taken, those of them that it held at first."""
        lines = self._rounds[:rounds]
        return Spent(
            games=sum(len(line["played"]) for line in lines),
            positions=sum(game[-1] for line in lines for game in line["played"]),
            seconds=float(sum(line["seconds"] for line in lines)),
        )

    def teach(self, arena: Arena) -> None:
        """Tells an arena the games that were played."""
        for line in self._rounds:
            for first, second, opening, *played in line["played"]:
                arena.learn(Game(_contestant(first), _contestant(second), opening), Played(*played))

    def add(self, one: Round, seconds: float) -> None:
        """Writes a round down that took so many seconds, unless it is there.

        Raises ``UsageError`` if another one is there by that number.
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
            self._compare(line)
            return
        played = [[*game, *result] for game, result in one.new.items()]
        data = orjson.dumps(line | {"seconds": round(seconds, 3), "played": played}) + b"\n"
        while data:
            data = data[os.write(self._file, data) :]

    def _compare(self, line: dict[str, Any]) -> None:
        kept = self._rounds[line["round"] - 1]
        if orjson.loads(orjson.dumps(line)) != {name: kept.get(name) for name in line}:
            raise UsageError(
                f"{self.path / ROUNDS}, line {line['round']}: another round than these settings "
                "lead to; the file was changed, or is another version's: name another folder"
            )

    def _claim(self, settings: Settings) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"--out {self.path}: another program is at this run") from None
        path = self.path / SETTINGS
        mine = orjson.loads(orjson.dumps(asdict(settings)))
        kept = _kept(path)
        if kept is None:
            put(path, orjson.dumps(mine, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
        elif kept != mine:
            differences = (
                f"{name} {kept.get(name)} instead of {mine[name]}"
                for name in mine
                if kept.get(name) != mine[name]
            )
            raise UsageError(
                f"--out {self.path}: it holds a run of other settings ({', '.join(differences)}): "
                "name another folder, or give the settings of that run"
            )

    def _read(self) -> Iterator[dict[str, Any]]:
        """The rounds that are there, without a last line that has no end."""
        data = (self.path / ROUNDS).read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._file, whole)
        for number, text in enumerate(data[:whole].splitlines(), 1):
            line: Any = None
            with suppress(orjson.JSONDecodeError):
                line = orjson.loads(text)
            if not _is_round(line, number):
                raise UsageError(f"{self.path / ROUNDS}, line {number}: this is no round of a run")
            yield line


def _is_round(line: Any, number: int) -> bool:  # noqa: ANN401 - whatever was in the file
    if not isinstance(line, dict) or line.get("round") != number:
        return False
    played, seconds = line.get("played"), line.get("seconds")
    return (
        isinstance(seconds, int | float) and isinstance(played, list) and all(map(_is_game, played))
    )


def _is_game(line: Any) -> bool:  # noqa: ANN401 - likewise
    """Two contestants, the opening, the moves, who won, and how many positions were visited."""
    return (
        isinstance(line, list)
        and len(line) == 6
        and all(isinstance(bot, str) or _are_numbers(bot) for bot in line[:2])
        and all(isinstance(moves, str) for moves in line[2:4])
        and _are_numbers(line[4:])
    )


def _are_numbers(line: Any) -> bool:  # noqa: ANN401 - likewise
    return isinstance(line, list) and all(isinstance(number, int) for number in line)


def _contestant(read: list[int] | str) -> Contestant:
    return read if isinstance(read, str) else tuple(read)


def _kept(path: Path) -> dict[str, Any] | None:
    """The settings in a file, if there is one."""
    try:
        kept = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, orjson.JSONDecodeError) as error:
        raise UsageError(f"{path}: it cannot be read: {error}") from None
    if not isinstance(kept, dict):
        raise UsageError(f"{path}: these are no settings of a run")
    return kept


def put(path: Path, data: bytes) -> None:
    """Writes a file, whole or not at all."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(path)
