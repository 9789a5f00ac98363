"""A task on a Dask worker plays a batch until its time is over. Slots are reused or closed."""

import time
from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.contest.play.jobs import Job, WorkerSettings

pytest.importorskip("distributed", reason="distributed is not installed")

from c4_referee.contest.cluster import plugins
from c4_referee.contest.cluster.plugins import TASK_SECONDS, GameLost, GamePlugin, SlotPool


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


@pytest.fixture
def pool(bot):
    """Yield a pool with two good bots, which play all games in one process, and a silent bot."""
    bots = (
        bot("good", restart="never", name="one"),
        bot("good", restart="never", name="other"),
        bot("silent"),
    )
    pool = SlotPool(WorkerSettings(STANDARD, bots, (TimeControl(60_000.0),) * 3, wanted="results"))
    yield pool
    pool.close()


def test_slots_are_kept(pool):
    """A slot plays games one after another, and several slots play at the same time."""
    for number in (1, 2):
        (line,) = pool.play(Job(number, 0, 1))
        assert orjson.loads(line)["game"] == number
    assert len(pool._idle) == 1
    with ThreadPoolExecutor(2) as threads:
        ended = list(threads.map(pool.play, (Job(number, 0, 1) for number in range(6))))
    assert [orjson.loads(line)["game"] for (line,) in ended] == list(range(6))
    assert len(pool._idle) == 2


def test_game_of_a_worker_that_dies_is_lost(pool):
    """A game whose worker dies is lost, and the next game gets another worker."""
    pool.play(Job(1, 0, 1))
    (slot,) = pool._idle
    slot._worker.kill()
    assert pool.play(Job(2, 0, 1)) is None
    assert pool.play(Job(2, 0, 1))


def test_closing_ends_games(pool):
    """Closing the pool loses all running games at once, and no other game begins."""
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(pool.play, Job(1, 2, 0))
        while not pool._busy:
            time.sleep(0.01)
        pool.close()
        assert waiting.result() is None
    assert pool.play(Job(2, 0, 1)) is None
