"""A contest that people watch: its events and its standings tell the same."""

from urllib.request import urlopen

import orjson
import pytest
from c4_referee.records.rounds import GameKey, Player, Progress
from c4_referee.serve import store
from c4_referee.serve.store import Store
from kept import KEYS, archive, record
from served import served

pytestmark = pytest.mark.linux
WON = "4142434"


def commit(kept, key: GameKey, number: int, byes: int = 0) -> None:
    """Store a game that its first player has won, with byes of the first bot."""
    bots = ("a", "b") if key.first == 0 else ("b", "a")
    game = record(number, moves=WON, ms=[1.0] * 7, cpu_ms=[1.0] * 7, winner=1, ending="line",
                  first=bots[0], second=bots[1])  # fmt: skip
    kept.issue(key)
    kept.commit(key, orjson.dumps(game))
    kept.record(Progress(5, is_complete=False, byes={Player(0): byes}))


def test_standings_are_never_behind_the_results(tmp_path, monkeypatch):
    """Each event with results has their standings, also if the folder is too slow to read again."""
    read, readings = store.read_contests, []
    monkeypatch.setattr(store, "read_contests", lambda folder: readings.append(0) or read(folder))
    monkeypatch.setattr(store, "PAUSE", 1e9)  # as if the reading had taken years
    folder = tmp_path / "cup"
    folder.mkdir()
    with archive(folder) as kept, served(Store(lambda: [folder])) as port:
        commit(kept, KEYS[0], 1)
        done, rows = 0, []
        with urlopen(f"http://127.0.0.1:{port}/c/cup/1/events") as answer:
            for data in (line[6:] for line in answer if line.startswith(b"data: ")):
                for message in orjson.loads(data):
                    done = message.get("done", done)
                    rows = message.get("bots", message.get("standings", rows))
                assert sum(row["games"] for row in rows) == 2 * done
                if done == len(KEYS):
                    break
                commit(kept, KEYS[done], done + 1, byes=1)
    assert [(row["bot"], row["points"]) for row in rows] == [("a", 5), ("b", 2)]
    assert len(readings) == 1
