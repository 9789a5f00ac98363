"""Reports of runs: what they show, in files that stand alone and can be written again."""

import math
import re
from dataclasses import replace

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.experiment import play_experiment, run_folder_name
from c4_referee.tuning.report_page import (
    is_tuning_folder,
    write_experiment,
    write_run,
    write_stored_reports,
)
from c4_referee.tuning.run_folder import (
    ROUNDS_FILE,
    SETTINGS_FILE,
    open_run_folder,
    play_run,
    write_result,
)
from c4_referee.tuning.svg_chart import ratio_scale

SMALL = RunSettings(depth=1, population=6, elite=2)
OTHERS = replace(SMALL, depth=2, faithful=True, openings=2, plies=1, sparring=("windows", "needed"))


@pytest.fixture(scope="module")
def runs():
    """Return two runs of each of two lengths."""
    arena = Arena(SMALL.depth)
    return [
        play_run(replace(SMALL, seed=seed), StoppingRule(rounds), arena)
        for seed, rounds in enumerate((10, 10, 20, 20))
    ]


def test_overview_has_all_runs_and_links_to_them(tmp_path, runs) -> None:
    """The overview has a line for each run, with a link to its page, which leads back."""
    for number, run in enumerate(runs, 1):
        (tmp_path / run_folder_name(number, run.stopping)).mkdir()
    write_experiment(tmp_path, runs)
    page = (tmp_path / "report.html").read_text()
    assert page.count('<svg class="spark"') == 4
    for number, run in enumerate(runs, 1):
        address = f"{number:02}-{run.stopping.rounds}-rounds/report.html"
        assert f'href="{address}"' in page
        assert ",".join(map(str, run.outcome.winners[0])) in page
        assert 'href="../report.html"' in (tmp_path / address).read_text()
    assert re.findall(r'href="(?!0\d-|data:)', page) == []


@pytest.mark.parametrize("values", [[3, 6], [0.02, 98], [3], [0, 3, math.inf, 6]])
def test_every_ratio_is_inside_its_scale(values) -> None:
    """A scale of ratios has room around all positive values, and labels inside."""
    scale = ratio_scale(values)
    assert all(0 < scale.share(value) < 1 for value in values if 0 < value < math.inf)
    assert all(0 <= scale.share(mark) <= 1 for mark in scale.marks)
    assert [scale.share(end) for end in (0, -math.inf, math.inf)] == [0, 0, 1]


def store_run(path, rounds=10, threshold=0):
    """Store a run with its report, and return the run."""
    with open_run_folder(path, SMALL) as folder:
        history = play_run(SMALL, StoppingRule(rounds, threshold), Arena(SMALL.depth), folder)
    write_result(path, history.outcome)
    write_run(path, history)
    return history


@pytest.fixture
def experiment(tmp_path):
    """Return the folder of an experiment of three runs."""
    plan = [(SMALL, StoppingRule(rounds)) for rounds in (2, 2, 3)]
    runs = play_experiment(plan, Arena(SMALL.depth), tmp_path, lambda _: None)
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


def test_reports_are_written_again(experiment) -> None:
    """The reports of an experiment are the same when they are written again."""
    before = pages(experiment)
    assert len(before) == 4
    assert write_stored_reports(experiment) == experiment / "report.html"
    assert pages(experiment) == before


def test_report_of_a_run_is_written_again(tmp_path) -> None:
    """The report of a run is the same, and the run keeps the reason for its end."""
    store_run(tmp_path, 50, 60)
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
        (SETTINGS_FILE, None, "No such file"),
        (SETTINGS_FILE, "{", "does not hold a run"),
        (SETTINGS_FILE, '{"depth": "x"}', "does not hold a run"),
        (ROUNDS_FILE, "[]\n", "does not hold a run"),
        (ROUNDS_FILE, "\x00\n", "does not hold a run"),
        (ROUNDS_FILE, "", "without rounds"),
        (ROUNDS_FILE, '{"round":1', "without rounds"),
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
    rounds = experiment / "03-3-rounds" / ROUNDS_FILE
    rounds.write_text("".join(rounds.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(UsageError, match="2 of 3 rounds were played"):
        write_stored_reports(experiment)
    (experiment / "03-3-rounds").rename(experiment / "02-3-rounds")
    with pytest.raises(UsageError, match="run 3 is missing, or two runs have the same number"):
        write_stored_reports(experiment)
