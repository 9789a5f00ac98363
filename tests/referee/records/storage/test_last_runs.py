"""The last run of a contest keeps its report and conditions."""

from pathlib import Path

import pytest
from c4_protocol.records.reports import MatchEnded, Standings, TournamentEnded, TournamentReport
from c4_referee.records.storage.contests import read_contests, save_run
from kept import archive, change
from pydantic import TypeAdapter

NOTHING = (None, None, None)
EVENTS = (Path(__file__).parents[3] / "golden" / "events.jsonl").read_bytes().splitlines()
MATCH = TypeAdapter(MatchEnded).validate_json(EVENTS[-1])
TOURNAMENT = TournamentReport(
    name="cup",
    system="swiss",
    rounds=1,
    scheduled=2,
    seconds=0.1,
    complete=False,
    standings=Standings((), 0, 0, 0, 0, *NOTHING, *NOTHING),
    accuracy=None,
    forfeits={},
)


@pytest.mark.parametrize("ended", [MATCH, TournamentEnded(TOURNAMENT)])
def test_report_is_read_as_it_was_stored(tmp_path, ended):
    """The report and the conditions of the last run are read again, those of others are not."""
    with archive(tmp_path) as kept:
        number = kept.contest
    save_run(tmp_path, number, MATCH, {})
    save_run(tmp_path, number, ended, {"time": "1 s"})
    run = read_contests(tmp_path)[0].last_run
    assert (run.report, run.conditions) == (ended.report, {"time": "1 s"})


@pytest.mark.parametrize(("column", "text"), [("report", "{}"), ("conditions", "[1]")])
def test_damaged_run_counts_as_none(tmp_path, column, text):
    """A report that was changed by hand, and is none any more, is left out."""
    with archive(tmp_path) as kept:
        number = kept.contest
    save_run(tmp_path, number, MATCH, {})
    change(tmp_path, f"UPDATE runs SET {column} = ?", (text,))
    assert read_contests(tmp_path)[0].last_run is None
