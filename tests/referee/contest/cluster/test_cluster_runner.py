"""How the cluster runner distributes games. A connection that plays them at once replaces Dask."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import orjson
import pytest
from c4_protocol.program.errors import ArenaError
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.jobs import Job, WorkerSettings
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.tournament import MAX_ATTEMPTS
from c4_referee.contest.schedule import Plan, repetition_of_empty_board, system
from c4_referee.contest.schedule.match import games_in_turn
from c4_referee.records.storage.archive import Archive
from games import DRAWN, game_of

pytest.importorskip("distributed", reason="distributed is not installed")

from c4_referee.contest.cluster import cluster_runner
from c4_referee.contest.cluster.cluster_runner import (
    MAX_GAMES_PER_BATCH,
    UNKNOWN_DURATION_DIVISOR,
    ClusterRunner,
    batch_size,
)
from c4_referee.contest.cluster.plugins import TASK_SECONDS, PlayedBatch
from distributed import KilledWorker
from hypothesis import given
from hypothesis import strategies as st

ROOM = 4
SHORT, LONG = 0.001, 60.0
MANY = 10**6


@dataclass(eq=False)
class Task:
    """A task that has ended, with its result or its error."""

    result: PlayedBatch | None
    error: Exception | None = None

    @property
    def status(self) -> str:
        """The status as Dask names it."""
        return "finished" if self.error is None else "error"

    def cancelled(self) -> bool:
        """Return false."""
        return False

    def exception(self) -> Exception | None:
        """Return the error."""
        return self.error

    def add_done_callback(self, call: Callable[["Task"], object]) -> None:
        """Call the function at once."""
        call(self)


@dataclass
class Cluster:
    """A connection to an imaginary cluster, and its ledger.

    ``seconds`` returns the duration of a game. ``kills`` has the games that kill their Dask worker,
    ``loses`` those that lose only their slot, and ``lies`` those with the record of another game.
    """

    ledger: Ledger
    seconds: Callable[[int], float] = lambda number: SHORT
    kills: set[int] = field(default_factory=set)
    loses: set[int] = field(default_factory=set)
    lies: set[int] = field(default_factory=set)
    batches: list[list[int]] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)
    ended: int = 0
    most_tasks: int = 0

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def room(self) -> int:
        """Return the number of tasks that the cluster can take."""
        return ROOM

    def results(self, tasks: Iterable[Task]) -> dict[int, PlayedBatch]:
        """Return the results of finished tasks by their first game."""
        results = {task.result.first: task.result for task in tasks}
        self.ended += len(results)
        return results

    def submit(self, jobs: Sequence[Job]) -> Task:
        """Play a batch as a Dask worker does."""
        self.batches.append([job.game for job in jobs])
        self.most_tasks = max(self.most_tasks, len(self.batches) - self.ended)
        games: list[list[bytes] | None] = []
        clock = 0.0
        for job in jobs:
            self.begun.append(job.game)
            if job.game in self.kills:
                return Task(None, KilledWorker("task", None, 3))
            games.append(None if job.game in self.loses else [self._record(job.game)])
            clock += self.seconds(job.game)
            if clock > TASK_SECONDS:
                break
        return Task(PlayedBatch(jobs[0].game, games, clock))

    def _record(self, number: int) -> bytes:
        key = self.ledger.tournament.issued_game(number).key
        names = self.ledger._archive.names
        told = number + 2 if number in self.lies else number
        times = [1.0] * len(DRAWN)
        record = game_of(
            DRAWN, game=told, first=names[key.first], second=names[key.second], ms=times,
            cpu_ms=times,
        )  # fmt: skip
        return orjson.dumps(record)


def imaginary(bots: int, schedule: Callable[[Plan], Iterator], decides=None, **cluster) -> Cluster:
    """Return an imaginary cluster with the ledger of a contest."""
    archive = Archive([BotSpec(name=f"bot {n}", command=("true",)) for n in range(bots)])
    ledger = Ledger(
        schedule(Plan(archive.roster, repetition_of_empty_board)),
        STANDARD,
        archive,
        decides=decides,
    )
    return Cluster(ledger, **cluster)


def match(games: int, **others) -> Cluster:
    """Return an imaginary cluster for a match."""
    return imaginary(2, partial(games_in_turn, games), **others)


@pytest.fixture
def play(monkeypatch):
    """Return a function that plays the games of an imaginary cluster's ledger."""

    def run(cluster: Cluster, max_tasks: int = ROOM) -> list[int]:
        """Play, and return the numbers of the games that have a result."""
        monkeypatch.setattr(cluster_runner, "ClusterLink", lambda *_: cluster)
        settings = WorkerSettings(STANDARD, (), (TimeControl(),) * 2)
        ClusterRunner(cluster.ledger, settings, "tcp://host:1", max_tasks).run()
        return [game.game for game in cluster.ledger.tournament.results]

    return run


def test_short_games_travel_in_batches(play):
    """Short games are played once each, alone at first and at the end, together in between."""
    cluster = match(5000)
    assert play(cluster) == sorted(cluster.begun) == list(range(1, 5001))
    sizes = [*map(len, cluster.batches)]
    assert sizes[:ROOM] == sizes[-ROOM:] == [1] * ROOM
    assert max(sizes) == 100
    assert len(sizes) < 500


def test_long_games_travel_alone(play):
    """Each task has one game if games are long."""
    cluster = match(100, seconds=lambda number: LONG)
    assert play(cluster) == list(range(1, 101))
    assert cluster.batches == [[number] for number in range(1, 101)]


def test_games_behind_a_long_game_are_issued_again(play):
    """If games suddenly last long, a task plays one, and others of its batch are not delayed.

    That a game waited in a batch does not count as an attempt to play it.
    """
    cluster = match(600, seconds=lambda number: SHORT if number <= 400 else LONG)
    assert play(cluster) == sorted(cluster.begun) == list(range(1, 601))
    first = next(n for n, batch in enumerate(cluster.batches) if batch[-1] > 401)
    assert len(cluster.batches[first]) > 5
    late = [batch for batch in cluster.batches[first + ROOM :] if batch[0] > 401]
    assert {len(batch) for batch in late} == {1}
    assert {game.attempts for game in cluster.ledger.tournament._games.values()} == {1}
    assert cluster.ledger.lost == []


@pytest.mark.parametrize("slow", [10**6, 6, 8, 9])
def test_games_of_a_lost_batch_are_played_alone(play, slow):
    """If a game kills its Dask worker, only this game is lost. The others of its batch are not.

    One of ``slow`` games lasts so long that the rest of its batch is issued again. These games then
    wait before the games of the lost batch.
    """
    cluster = match(2000, kills={1000}, seconds=lambda number: SHORT if number % slow else 0.3)
    assert play(cluster) == [number for number in range(1, 2001) if number != 1000]
    batch = [batch for batch in cluster.batches if 1000 in batch and len(batch) > 1][-1]
    assert cluster.batches.count([1000]) == cluster.begun.count(1000) - 1 == MAX_ATTEMPTS
    assert all(cluster.batches.count([number]) == 1 for number in batch if number != 1000)
    assert len(cluster.ledger.lost) == MAX_ATTEMPTS
    assert max(map(len, cluster.batches[-200:])) > 1


def test_lost_game_of_a_batch_loses_no_other(play):
    """A game whose slot is lost is rolled back alone, and the games after it are played."""
    cluster = match(2000, loses={1000})
    assert play(cluster) == [number for number in range(1, 2001) if number != 1000]
    assert cluster.begun.count(1000) == len(cluster.ledger.lost) == MAX_ATTEMPTS
    assert len(cluster.begun) == 1999 + MAX_ATTEMPTS


def test_record_of_another_game_is_refused(play):
    """A record with the number of another issued game is refused, and the other game counts."""
    cluster = match(2000, lies={1000})
    assert play(cluster) == [number for number in range(1, 2001) if number != 1000]
    assert len(cluster.ledger.lost) == MAX_ATTEMPTS


def test_other_errors_end_the_contest(play):
    """An error of a task that would happen again is raised."""
    cluster = match(10)
    cluster.submit = lambda jobs: Task(None, ZeroDivisionError("message"))
    with pytest.raises(ArenaError, match="a game failed on the cluster: ZeroDivisionError: mess"):
        play(cluster)


@pytest.mark.parametrize("games", [1, 50, 1000])
def test_decided_contest_plays_few_more_games(play, games):
    """When a contest is decided, few games are on the cluster, and no others are submitted."""
    cluster = match(100_000, decides=lambda result: result.game == games)
    played = play(cluster)
    assert (
        games
        <= len(played)
        == len(cluster.begun)
        <= games + ROOM + games // UNKNOWN_DURATION_DIVISOR
    )


def test_rounds_are_played_in_order(play):
    """Batches do not cross the border between rounds. The games of a round are shared."""
    cluster = imaginary(60, system("swiss").schedule)
    total = len(play(cluster))
    assert total == len(cluster.begun) == len({*cluster.begun}) == cluster.ledger.tournament.done
    assert cluster.ledger.tournament.is_complete
    assert 1 < max(map(len, cluster.batches)) <= 60 // ROOM


def test_concurrency_limits_the_tasks(play):
    """No more tasks than the maximum are on the cluster at the same time."""
    cluster = match(300)
    assert play(cluster, 2) == list(range(1, 301))
    assert cluster.most_tasks == 2


def test_first_games_travel_alone():
    """A task has one game while the duration of games is unknown."""
    assert batch_size(math.inf, 2, MANY) == 1
    assert batch_size(TASK_SECONDS / 50, 2, MANY) == 50


def test_batch_of_long_games_has_one():
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
