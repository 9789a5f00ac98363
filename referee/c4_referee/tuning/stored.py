"""Runs of a folder, read without playing a game, so that their reports can be written again.

The threshold of a run is not stored, and counts as 0 here. An incomplete last line of a run is left
out. The command of ``c4-tune`` that wrote it plays this round again.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from c4_protocol.errors import UsageError
from pydantic import BaseModel, TypeAdapter, ValidationError

from c4_referee.site.drawing import write_pictures
from c4_referee.storage.database import DATABASE_FILE
from c4_referee.storage.files import read_regular, replace_file
from c4_referee.tuning.evolution import RunSettings, StoppingRule, TuningRound
from c4_referee.tuning.folder import ROUNDS, SETTINGS
from c4_referee.tuning.pictures import experiment_pictures, run_pictures
from c4_referee.tuning.report import REPORT, RESULT, render_run, render_training, write_reports
from c4_referee.tuning.runs import RunHistory, RunOutcome
from c4_referee.tuning.training import STATE, read_training

RUN_FOLDER = re.compile(r"(\d{2,})-(\d+)-rounds")
"""Name of the folder of a run of an experiment (``experiment.run_folder_name``)."""
StoredWeights = tuple[int, int, int]


class _Line(BaseModel):
    round: int
    population: list[StoredWeights]
    scores: list[int]
    winners: list[StoredWeights]
    games: int
    distinct_games: int
    seconds: float
    played: list[tuple[object, object, str, str, int, int]]


class _Result(BaseModel):
    rounds: int
    stopped_by: Literal["rounds", "threshold"]


def is_tuning_folder(folder: Path) -> bool:
    """Return whether a folder holds a run, runs of an experiment, or a training."""
    return (folder / STATE).is_file() or (folder / ROUNDS).is_file() or any(_run_folders(folder))


def check_free_for_training(folder: Path) -> None:
    """Raise ``UsageError`` if a folder holds games or runs, whose report a training would replace.

    Does nothing if the folder holds a training.
    """
    if (folder / STATE).exists():
        return
    if is_tuning_folder(folder) or (folder / DATABASE_FILE).exists():
        raise UsageError(f"--out {folder}: it holds no training, but games: name another folder")


def check_free_for_runs(folder: Path | None) -> None:
    """Raise ``UsageError`` if a folder holds a training, whose report a run would replace."""
    if folder is not None and (folder / STATE).exists():
        raise UsageError(f"--out {folder}: it holds a training: name another folder")


def write_stored_reports(folder: Path, *, plots: bool = False) -> Path:
    """Write the reports of all runs of a folder, and return the path of the first page.

    With ``plots``, write pictures, too. Raises ``UsageError`` if the runs cannot be read, if none
    has a round, or if they belong to different experiments. Also raises it for pictures of a
    training, which has none.
    """
    if (folder / STATE).is_file():
        if plots:
            raise UsageError(f"--plots: {folder} holds a training, which has no pictures")
        replace_file(folder / REPORT, render_training(read_training(folder)).encode())
        return folder / REPORT
    if (folder / ROUNDS).is_file():
        history = read_run(folder)
        replace_file(folder / REPORT, render_run(history).encode())
        pictures = run_pictures(history)
    else:
        histories = _read_experiment(folder)
        write_reports(folder, histories)
        pictures = experiment_pictures(histories)
    if plots:
        write_pictures(folder, pictures)
    return folder / REPORT


def _run_folders(folder: Path) -> Iterator[tuple[int, int, Path]]:
    """Generate the number, the planned rounds, and the path of each run of an experiment."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        name = RUN_FOLDER.fullmatch(path.name)
        if name and (path / ROUNDS).is_file():
            yield int(name[1]), int(name[2]), path


def _read_experiment(folder: Path) -> list[RunHistory]:
    histories = []
    for place, (number, rounds, path) in enumerate(_run_folders(folder), 1):
        if number != place:
            raise UsageError(
                f"{folder}: run {place} is missing, or two runs have the same number: "
                "c4-tune experiment with the same --out plays missing runs"
            )
        history = read_run(path)
        if history.outcome.rounds < rounds:
            raise UsageError(
                f"{path}: {history.outcome.rounds} of {rounds} rounds were played: "
                "the same command of c4-tune continues the experiment"
            )
        histories.append(history)
    return histories


def read_run(folder: Path) -> RunHistory:
    """Return a stored run; raise ``UsageError`` if it cannot be read or has no rounds."""
    try:
        settings = TypeAdapter(RunSettings).validate_json(read_regular(folder / SETTINGS))
        *lines, _ = read_regular(folder / ROUNDS).split(b"\n")
        stored = [_Line.model_validate_json(line) for line in lines]
    except (OSError, ValidationError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it does not hold a run"
        raise UsageError(f"{folder} cannot be read: {reason}") from None
    if not stored:
        raise UsageError(f"{folder} holds a run without rounds")
    rounds = [
        TuningRound(
            one.round,
            list(one.population),
            one.scores,
            list(one.winners),
            one.games,
            one.distinct_games,
            {},
        )
        for one in stored
    ]
    return RunHistory(settings, StoppingRule(len(rounds)), rounds, _outcome(folder, stored))


def _outcome(folder: Path, stored: list[_Line]) -> RunOutcome:
    last = stored[-1]
    return RunOutcome(
        rounds=len(stored),
        winners=list(last.winners),
        games=last.games,
        distinct_games=last.distinct_games,
        stopped_by=_stopped_by(folder, len(stored)),
        seconds=round(sum(one.seconds for one in stored), 3),
        played=sum(len(one.played) for one in stored),
        positions=sum(game[-1] for one in stored for game in one.played),
    )


def _stopped_by(folder: Path, rounds: int) -> Literal["rounds", "threshold"]:
    """Return what ended a run. This is only known if ``RESULT`` counts all stored rounds."""
    try:
        result = _Result.model_validate_json(read_regular(folder / RESULT))
    except (OSError, UsageError, ValidationError):
        return "rounds"
    return result.stopped_by if result.rounds == rounds else "rounds"
