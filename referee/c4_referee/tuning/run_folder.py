"""A stored run: ``settings.json``, and ``rounds.jsonl`` with one line for each round.

The settings and the results of games determine all rounds. So a run is continued by computing it
again from its first round. The lines hold the results of games, and these games are not played
again, so the stored rounds take almost no time. If the program was killed while it wrote a line,
the incomplete line is removed and its round is played again. Links, pipes and other files that are
not regular files with one name are refused (``storage.files``).

Nothing is written into a folder before all its contents have been compared with the run. The
settings are written before the first round. If there are rounds without settings, their games may
be those of other settings. So these games are played again, and the rounds must be the same.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import orjson
from c4_protocol.program.errors import UsageError
from pydantic import TypeAdapter, ValidationError

from c4_referee.system.safe_files import open_regular, read_regular, replace_file
from c4_referee.tuning.arena import Arena, TuningGame, TuningResult
from c4_referee.tuning.evolution import (
    RunHistory,
    RunSettings,
    StoppingRule,
    TuningRound,
    evolve,
)
from c4_referee.tuning.optimizers import NUMBER_OF_WEIGHTS

SETTINGS_FILE, ROUNDS_FILE, RESULT_FILE = "settings.json", "rounds.jsonl", "result.json"
ROUND_ADAPTER = TypeAdapter(TuningRound)
"""A line of ``ROUNDS_FILE``."""
RoundHandler = Callable[[TuningRound], None]
"""Function that is called with every round after it has been played."""


@contextmanager
def locked_file(folder: Path, open_file: Callable[[], int]) -> Iterator[int]:
    """Context manager for a file that is opened and locked against other programs.

    The folder is created if necessary. Raises ``UsageError`` if this is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = open_file()
    except OSError as error:
        raise UsageError(f"--out {folder}: {error.strerror}: {error.filename}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    except BlockingIOError:
        raise UsageError(f"--out {folder}: another program is using this folder") from None
    finally:
        os.close(descriptor)


@contextmanager
def open_run_folder(path: Path | None, settings: RunSettings) -> Iterator["RunFolder | None"]:
    """Context manager for the open folder of a run, or for ``None`` without a path.

    The folder is created if necessary, and locked against other programs. If it holds a run with
    the same settings, this run is continued. Raises ``UsageError`` for a folder that cannot be used
    or holds a run with other settings.
    """
    if path is None:
        yield None
        return
    _check_settings(path, settings)  # before a file is created; again when the folder is locked
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
    with locked_file(path, lambda: open_regular(path / ROUNDS_FILE, flags)) as file:
        yield RunFolder(path, file, settings)


class RunFolder:
    """The open folder of a run. Its length is the number of rounds that it held when opened."""

    def __init__(self, path: Path, file: int, settings: RunSettings) -> None:
        self.path = path
        self._file = file
        self._settings = settings
        self._has_settings = _check_settings(path, settings)
        self._rounds, self._size = _read_rounds(path)
        self._known = self._rounds if self._has_settings else []

    def __len__(self) -> int:
        return len(self._rounds)

    def restore_games(self, arena: Arena) -> None:
        """Make the arena remember all stored games that are not played again."""
        for line in self._known:
            for game in line.played:
                arena.remember(TuningGame(*game[:3]), TuningResult(*game[3:]))

    def append(self, tuning_round: TuningRound) -> TuningRound:
        """Store a round. Return the stored round if its games were not played again.

        A round that is stored already is left as it is. Raises ``UsageError`` if a different round
        with the same number is stored.
        """
        number = tuning_round.round
        if number <= len(self._rounds):
            stored = replace(self._rounds[number - 1], seconds=0.0, played=[])
            if stored != replace(tuning_round, seconds=0.0, played=[]):
                raise UsageError(
                    f"{self.path / ROUNDS_FILE}, line {number}: these settings lead to a different "
                    "round; the file was changed or written by another version: name another folder"
                )
        if number >= len(self._rounds) and not self._has_settings:
            options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
            replace_file(self.path / SETTINGS_FILE, orjson.dumps(self._settings, option=options))
            self._has_settings = True
        if number > len(self._rounds):
            os.ftruncate(self._file, self._size)  # an incomplete line is replaced
            data = orjson.dumps(tuning_round, option=orjson.OPT_APPEND_NEWLINE)
            self._size += len(data)
            while data:
                data = data[os.write(self._file, data) :]
        return self._known[number - 1] if number <= len(self._known) else tuning_round


def _check_settings(path: Path, settings: RunSettings) -> bool:
    """Return whether settings are stored; raise ``UsageError`` if different ones are stored."""
    try:
        stored = orjson.loads(read_regular(path / SETTINGS_FILE))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, orjson.JSONDecodeError) as error:
        raise UsageError(f"{path / SETTINGS_FILE} cannot be read: {error}") from None
    if not isinstance(stored, dict):
        raise UsageError(f"{path / SETTINGS_FILE} does not hold the settings of a run")
    own = orjson.loads(orjson.dumps(settings))
    if stored != own:
        differences = (
            f"{name} {stored.get(name)} instead of {own[name]}"
            for name in own
            if stored.get(name) != own[name]
        )
        raise UsageError(
            f"--out {path}: it holds a run with other settings "
            f"({', '.join(differences)}): name another folder, or use the settings of that run"
        )
    return True


def _read_rounds(path: Path) -> tuple[list[TuningRound], int]:
    """Return the stored rounds and their size in bytes. Leave out an incomplete last line.

    Raises ``UsageError`` for a line that is not a round, and for an incomplete line that does not
    begin like the next round.
    """
    data = read_regular(path / ROUNDS_FILE)
    try:
        rounds, torn = _rounds_in(data)
    except ValueError as number:
        raise _error_for_line(path, number) from None
    start = b'{"round":%d,' % (len(rounds) + 1)
    if torn[: len(start)] != start[: len(torn)]:
        raise _error_for_line(path, len(rounds) + 1)
    return rounds, len(data) - len(torn)


def _error_for_line(path: Path, number: object) -> UsageError:
    return UsageError(f"{path / ROUNDS_FILE}, line {number}: not a round of a run")


def _rounds_in(data: bytes) -> tuple[list[TuningRound], bytes]:
    """Return the rounds in the contents of a file, and its incomplete last line.

    Raises ``ValueError`` with the number of a line that is not a round.
    """
    *lines, torn = data.split(b"\n")
    rounds = []
    for number, line in enumerate(lines, 1):
        try:
            tuning_round = ROUND_ADAPTER.validate_json(line, strict=True)
        except ValidationError:
            raise ValueError(number) from None
        genes = {len(player) for player in (*tuning_round.population, *tuning_round.winners)}
        if tuning_round.round != number or not tuning_round.winners or genes != {NUMBER_OF_WEIGHTS}:
            raise ValueError(number)
        rounds.append(tuning_round)
    return rounds, torn


def play_run(
    settings: RunSettings,
    stopping: StoppingRule,
    arena: Arena,
    folder: RunFolder | None = None,
    watch: RoundHandler = lambda _: None,
) -> RunHistory:
    """Play a run to its end, and store its rounds. Games in the folder are not played again."""
    if folder is not None:
        folder.restore_games(arena)
    rounds, start = [], time.perf_counter()
    for tuning_round in evolve(settings, stopping, arena):
        timed = replace(tuning_round, seconds=round(time.perf_counter() - start, 3))
        rounds.append(timed if folder is None else folder.append(timed))
        start = time.perf_counter()
        watch(tuning_round)
    is_threshold = stopping.is_met_by(rounds[-1].winners)
    return RunHistory(settings, stopping, rounds, "threshold" if is_threshold else "rounds")


def write_result(folder: Path, record: object) -> None:
    """Write the result of a run or of a training as JSON into its folder."""
    replace_file(folder / RESULT_FILE, orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def read_run(folder: Path) -> RunHistory:
    """Return a stored run, without playing a game.

    The threshold of a run is not stored, and counts as 0 here. An incomplete last line is left out.
    Raises ``UsageError`` if the run cannot be read or has no rounds.
    """
    try:
        settings = TypeAdapter(RunSettings).validate_json(read_regular(folder / SETTINGS_FILE))
        rounds, _ = _rounds_in(read_regular(folder / ROUNDS_FILE))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it does not hold a run"
        raise UsageError(f"{folder} cannot be read: {reason}") from None
    if not rounds:
        raise UsageError(f"{folder} holds a run without rounds")
    return RunHistory(settings, StoppingRule(len(rounds)), rounds, _stopped_by(folder, len(rounds)))


def _stopped_by(folder: Path, rounds: int) -> Literal["rounds", "threshold"]:
    """Return what ended a run. This is only known if ``RESULT_FILE`` counts all stored rounds."""
    try:
        result = orjson.loads(read_regular(folder / RESULT_FILE))
    except (OSError, UsageError, orjson.JSONDecodeError):
        return "rounds"
    match result:
        case {"rounds": int() as number, "stopped_by": "threshold"} if number == rounds:
            return "threshold"
    return "rounds"
