"""The game slots of a Dask worker: reused, lost and closed."""

import time
from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.contest.cluster.pool import SlotPool
from c4_referee.contest.play.jobs import Job, WorkerSettings


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
