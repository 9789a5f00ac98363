"""Reports of stored runs, which are written again without playing a game."""

import re
from collections.abc import Iterator
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.storage.database import DATABASE_FILE
from c4_referee.tuning.evolution import RunHistory
from c4_referee.tuning.report_page import REPORT, write_experiment, write_run, write_training
from c4_referee.tuning.run_folder import ROUNDS, read_run
from c4_referee.tuning.training import STATE, read_training

RUN_FOLDER = re.compile(r"(\d{2,})-(\d+)-rounds")
"""Name of the folder of a run of an experiment (``experiment.run_folder_name``)."""


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
        write_training(folder, read_training(folder))
    elif (folder / ROUNDS).is_file():
        write_run(folder, read_run(folder), plots=plots)
    else:
        write_experiment(folder, _read_experiment(folder), plots=plots)
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
