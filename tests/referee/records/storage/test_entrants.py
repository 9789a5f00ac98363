"""Entrants of a contest are identified by name and fingerprint together."""

import pytest
from c4_referee.records.storage.store import Entrant, Store

OLD = Entrant("mine", '["./mine"]', "1" * 64)
NEW = Entrant("mine", '["./mine"]', "2" * 64)
OTHER = Entrant("other", '["./other"]', "1" * 64)


@pytest.fixture
def store(tmp_path):
    """Yield an empty store."""
    with Store(tmp_path / "arena.sqlite") as opened:
        yield opened


def places(store: Store, contest: int) -> list[int]:
    """Return the places of the bots that take part now."""
    return [*store.rosters(contest)[-1][1]]


def known(store: Store, contest: int) -> list[Entrant]:
    """Return all entrants by place."""
    return [*store.entrants(contest).values()]


def test_changed_bot_is_another_entrant_until_it_is_changed_back(store):
    """A changed bot with the same name gets a new place. Changed back, it gets its old place."""
    contest = store.enter("key", "{}", [OLD, OTHER])
    store.enter("key", "{}", [NEW, OTHER])
    assert known(store, contest) == [OLD, OTHER, NEW]
    assert places(store, contest) == [2, 1]
    store.enter("key", "{}", [OLD, OTHER])
    assert places(store, contest) == [0, 1]


def test_contests_share_bots_and_not_places(store):
    """In another contest of the same file, places count from 0 again."""
    store.enter("key", "{}", [OLD, NEW])
    second = store.enter("other key", "{}", [OTHER, NEW])
    assert known(store, second) == [OTHER, NEW]
    assert places(store, second) == [0, 1]
