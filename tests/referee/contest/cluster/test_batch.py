"""The number of games that a Dask task plays."""

import math

from c4_referee.contest.cluster.batch import MAX_GAMES_PER_BATCH, TASK_SECONDS, batch_size
from hypothesis import given
from hypothesis import strategies as st

MANY = 10**6


def test_first_games_travel_alone():
    """A task has one game while the duration of games is unknown."""
    assert batch_size(math.inf, 2, MANY) == 1
    assert batch_size(TASK_SECONDS / 50, 2, MANY) == 50


def test_long_games_travel_alone():
    """A game that takes more than half of the time of a task travels alone."""
    assert batch_size(TASK_SECONDS * 0.6, 2, MANY) == 1
    assert batch_size(60.0, 2, MANY) == 1


def test_last_games_are_shared():
    """The games are shared among all tasks of the cluster."""
    assert batch_size(TASK_SECONDS / 50, 10, 30) == 3
    assert batch_size(TASK_SECONDS / 50, 10, 9) == 1


@given(st.floats(1e-9, exclude_min=True), st.integers(1, 500), st.integers(0, MANY))
def test_size_is_within_its_bounds(seconds, tasks, games):
    """A batch has at least one game and at most ``MAX_GAMES_PER_BATCH``."""
    assert 1 <= batch_size(seconds, tasks, games) <= MAX_GAMES_PER_BATCH
