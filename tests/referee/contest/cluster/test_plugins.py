"""A task on a Dask worker plays a batch of games until its time is over."""

import pytest
from c4_referee.contest.play.jobs import Job

pytest.importorskip("distributed", reason="distributed is not installed")

from c4_referee.contest.cluster import plugins
from c4_referee.contest.cluster.batch import TASK_SECONDS
from c4_referee.contest.cluster.plugins import GameLost, GamePlugin


class Pool:
    """A pool of slots with a clock. Each game takes the same time, and the game ``lost`` is lost.

    The pool closes during the game ``last``.
    """

    def __init__(self, seconds: float, lost: int = 0, last: int = 0) -> None:
        self.now = 0.0
        self._seconds = seconds
        self._lost = lost
        self._last = last

    @property
    def is_closed(self) -> bool:
        """True if no other game can begin."""
        return self.now >= self._last * self._seconds > 0

    def play(self, job: Job) -> list[bytes] | None:
        """Return the number of the game as its events."""
        self.now += self._seconds
        return None if job.game == self._lost else [b"%d" % job.game]


@pytest.fixture
def play(monkeypatch):
    """Return a function that plays 20 games with a pool, by the pool's clock."""

    def run(pool: Pool) -> plugins.PlayedBatch:
        monkeypatch.setattr(plugins.time, "monotonic", lambda: pool.now)
        plugin = GamePlugin("1", b"", {})
        plugin._pool = pool
        return plugin.play([Job(number, 0, 1) for number in range(5, 25)])

    return run


def test_task_begins_no_game_after_its_time(play):
    """A task plays its games in order. When its time is over, it begins no other game."""
    played = play(Pool(TASK_SECONDS / 2.5))
    assert (played.first, played.games) == (5, [[b"5"], [b"6"], [b"7"]])
    assert played.seconds == pytest.approx(TASK_SECONDS * 1.2)
    assert len(play(Pool(60.0)).games) == 1
    assert len(play(Pool(TASK_SECONDS / 100)).games) == 20


def test_lost_games_do_not_end_a_task(play):
    """A game whose worker is lost is followed by the other games."""
    played = play(Pool(TASK_SECONDS / 100, lost=6))
    assert played.games[:4] == [[b"5"], None, [b"7"], [b"8"]]
    assert len(played.games) == 20


def test_worker_that_closes_loses_only_the_game_that_it_plays(play):
    """When a worker closes, the games of the batch that have not begun are not lost."""
    assert play(Pool(TASK_SECONDS / 100, lost=6, last=2)).games == [[b"5"], None]


def test_worker_that_is_not_ready_loses_the_batch():
    """If a Dask worker is not set up, no game of the batch begins."""
    with pytest.raises(GameLost, match="not ready"):
        GamePlugin("1", b"", {}).play([Job(1, 0, 1)])
