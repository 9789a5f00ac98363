"""Reports of stored runs, which are written again without playing."""

import re

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.experiment import play_experiment
from c4_referee.tuning.report_page import write_experiment, write_run
from c4_referee.tuning.run_folder import (
    ROUNDS,
    SETTINGS,
    open_run_folder,
    play_run,
    read_run,
    write_result,
)
from c4_referee.tuning.stored_runs import is_tuning_folder, write_stored_reports

SMALL = RunSettings(depth=1, population=6, elite=2)
TEN = StoppingRule(10)


def store_run(path, ending=TEN):
    """Store a run with its report, and return the run."""
    with open_run_folder(path, SMALL) as folder:
        history = play_run(SMALL, ending, Arena(SMALL.search), folder)
    write_result(path, history.outcome)
    write_run(path, history)
    return history


@pytest.fixture
def experiment(tmp_path):
    """Return the folder of an experiment of three runs."""
    plan = [(SMALL, StoppingRule(rounds)) for rounds in (2, 2, 3)]
    runs = play_experiment(plan, Arena(SMALL.search), tmp_path, lambda _: None)
    write_experiment(tmp_path, [*runs])
    return tmp_path


def pages(folder):
    """Return the contents of all pages without times, by path, and remove the pages."""
    found = {
        path: re.sub(r"in \d+\.\d s", "in a time", path.read_text())
        for path in folder.rglob("report.html")
    }
    for path in found:
        path.unlink()
    return found


def test_stored_run_is_the_run(tmp_path) -> None:
    """A run that is read has the settings, rounds and outcome of the run that was played."""
    history, stored = store_run(tmp_path), read_run(tmp_path)
    assert stored.settings == history.settings
    assert stored.outcome.winners == history.outcome.winners
    assert stored.outcome.played == history.outcome.played
    assert stored.outcome.positions == history.outcome.positions
    assert [one.scores for one in stored.rounds] == [one.scores for one in history.rounds]


def test_reports_are_written_again(experiment) -> None:
    """The reports of an experiment are the same when they are written again."""
    before = pages(experiment)
    assert len(before) == 4
    assert write_stored_reports(experiment) == experiment / "report.html"
    assert pages(experiment) == before


def test_report_of_a_run_is_written_again(tmp_path) -> None:
    """The report of a run is the same, and the run keeps the reason for its end."""
    store_run(tmp_path, StoppingRule(50, 60))
    before = pages(tmp_path)
    assert "--threshold" in before[tmp_path / "report.html"]
    assert "(--threshold)" in write_stored_reports(tmp_path).read_text()


def test_only_folders_with_runs_are_tuning_folders(tmp_path, experiment) -> None:
    """A folder of something else, an empty one, and a missing one hold no runs."""
    assert is_tuning_folder(experiment)
    assert is_tuning_folder(experiment / "01-2-rounds")
    other = tmp_path / "other"
    assert not is_tuning_folder(other)
    other.mkdir()
    (other / "report.html").touch()
    (other / "01-rounds").mkdir()
    assert not is_tuning_folder(other)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (SETTINGS, None, "No such file"),
        (SETTINGS, "{", "does not hold a run"),
        (SETTINGS, '{"depth": "x"}', "does not hold a run"),
        (ROUNDS, "[]\n", "does not hold a run"),
        (ROUNDS, "\x00\n", "does not hold a run"),
        (ROUNDS, "", "without rounds"),
        (ROUNDS, '{"round":1', "without rounds"),
    ],
)
def test_damaged_run_is_one_line(tmp_path, name, text, reason) -> None:
    """A run that cannot be read is refused with the folder and the reason."""
    store_run(tmp_path)
    (tmp_path / name).unlink()
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=reason):
        write_stored_reports(tmp_path)


def test_incomplete_experiments_are_refused(experiment) -> None:
    """An experiment with an unfinished, a missing or a doubtful run has no report."""
    rounds = experiment / "03-3-rounds" / ROUNDS
    rounds.write_text("".join(rounds.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(UsageError, match="2 of 3 rounds were played"):
        write_stored_reports(experiment)
    (experiment / "03-3-rounds").rename(experiment / "02-3-rounds")
    with pytest.raises(UsageError, match="run 3 is missing, or two runs have the same number"):
        write_stored_reports(experiment)
