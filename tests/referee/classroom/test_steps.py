"""Nights of a class: a run that was stopped is finished, and the next one begins."""

import pytest
from c4_referee.classroom import play, steps
from c4_referee.classroom.folder import opened
from c4_referee.classroom.steps import take_steps
from enlisted import enlist
from sites import read_page

BOT = """\
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": [x for x in range(7) if grid[x][0] == 0][%s]}), flush=True)
"""


def night(folder, bots, only="play") -> list[str]:
    """Hand in bots by alias and version, and play. Return the lines that were printed."""
    lines: list[str] = []
    with opened(folder, sandboxed=False) as room:
        enlist(room, {alias: BOT % place for alias, place in bots.items()})
        take_steps(room, None, only, lambda step, line, _: lines.append(f"{step} {line}"))
    return lines


def stop(*_: object) -> None:
    """Stand for a run that is stopped."""
    raise KeyboardInterrupt


def versions(folder) -> list[dict[str, int]]:
    """Return the versions that played in each run that is over."""
    with opened(folder) as room:
        return [run.versions for run in room.runs.all() if run.is_over]


def test_stopped_run_is_finished_before_the_next_begins(tmp_path, monkeypatch):
    """It ends with its old versions. New versions get a run, and nothing new gets none."""

    def finish(run, runs) -> str:
        assert run.names == {}  # a server shows the run only now
        run.is_over = True
        runs.save(run)
        return run.name

    monkeypatch.setattr(steps, "play", stop)
    with pytest.raises(KeyboardInterrupt, match=r"step play, with no game of runs/.* played; all"):
        night(tmp_path, {"a": "0", "b": "1"})
    monkeypatch.setattr(steps, "play", finish)
    lines = night(tmp_path, {"a": "0", "b": "-1"})
    assert [line.partition(" ")[0] for line in lines] == ["plan", "play", "plan", "play"]
    assert versions(tmp_path) == [{"a": 1, "b": 1}, {"a": 1, "b": 2}]
    monkeypatch.setattr(steps, "play", stop)
    with pytest.raises(KeyboardInterrupt):
        night(tmp_path, {"a": "0", "b": "-1"})
    monkeypatch.setattr(steps, "play", finish)
    assert "nothing has changed" in night(tmp_path, {"a": "0", "b": "-1"})[-1]
    assert len(versions(tmp_path)) == 3
    assert "plan" in night(tmp_path, {"a": "0", "b": "-1"})[0]


@pytest.mark.weekly
def test_five_nights(tmp_path, monkeypatch):
    """A stopped run, new versions and a returned one: each night counts, and the history shows it.

    It is weekly because it plays 50 games.
    """
    settings = b'openings = "random:12"\nanalysis_seconds = 0\ntime_ms = 60000\n'
    (tmp_path / "class.toml").write_bytes(settings)

    def play_all(bots) -> None:
        night(tmp_path, bots)
        night(tmp_path, bots, "publish")

    class Stopped(play.LiveStandings):
        def __call__(self, line: bytes) -> None:
            super().__call__(line)
            if self._state.done == 2:
                stop()

    play_all({"amber-otter": "0", "bold-crow": "-1", "calm-heron": "1"})
    play_all({"bold-crow": "0"})
    with monkeypatch.context() as patch:
        patch.setattr(play, "LiveStandings", Stopped)
        with pytest.raises(KeyboardInterrupt, match=r"[2-6] of 6 games of runs/.*-3 played"):
            night(tmp_path, {"amber-otter": "2"})
    play_all({"bold-crow": "-1"})
    play_all({"wise-yak": "0"})
    played = [list(each.values()) for each in versions(tmp_path)]
    assert played == [[1, 1, 1], [1, 2, 1], [2, 2, 1], [2, 1, 1], [2, 1, 1, 1]]
    page = read_page(tmp_path / "site" / "history.html")
    assert "".join(page.texts).count("back to v1") == 2  # in the legend, too
    assert not any(b"Real " in path.read_bytes() for path in (tmp_path / "site").rglob("*.html"))
    assert len([*(tmp_path / "site" / "runs").glob("*/index.html")]) == 5
