"""A referee's connection to a Dask cluster, and its seats there."""

import asyncio
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from typing import Any

from c4_protocol.errors import UsageError
from distributed import Client, Future
from distributed.comm.core import connect

from c4_referee.bots.folder import Parcel
from c4_referee.cluster.seats import (
    PACKAGE,
    VERSION,
    Seats,
    Steward,
    check_version,
    play_game,
    seats_of,
)
from c4_referee.play.jobs import Job
from c4_referee.play.runner import uninterrupted

CONNECT_SECONDS = 10
LOGGERS = ("distributed", "distributed.client")
"""Those of Dask's that speak in a client and have a level of their own."""
Played = tuple[int, list[bytes]]
"""What a task returns: the number of a game, and its events as lines."""
LOOK_SECONDS = 1.0
"""How often to look how large the cluster is."""


class Link:
    """Seats on the cluster whose scheduler is at ``address``; a context manager.

    When it ends so do all games that are out, and their bots. Raises ``UsageError`` for a cluster
    that cannot be used, ``OSError`` for one that is lost.
    """

    def __init__(self, address: str, settings: bytes, parcels: Mapping[str, Parcel]) -> None:
        self._address = address
        self._seats = Seats(VERSION, settings, parcels)
        self._numbers = count()
        self._looked = -LOOK_SECONDS
        self._room = 0

    def __enter__(self) -> "Link":
        with ExitStack() as stack, self._told():
            stack.enter_context(_quiet())
            self._client = stack.enter_context(_connected(self._address))
            _check_versions(self._client)
            stack.enter_context(_seated(self._client, self._seats))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def submit(self, job: Job) -> "Future[Played]":
        """A game for whoever has a thread for it."""
        client = self._client
        key = f"c4-game-{next(self._numbers)}-{client.id}"
        return client.submit(play_game, seats_of(client.id), job.to_line(), key=key, pure=False)

    def results(self, games: Iterable["Future[Played]"]) -> dict[int, list[bytes]]:
        """The events of ended games by their number; without those that came to nothing."""
        asked = list(games)
        with self._told():
            return dict(self._client.gather(asked, errors="skip")) if asked else {}

    def room(self) -> int:
        """How many games the cluster can use now: one a thread, and one waiting at each worker.

        One at least: a cluster may wait for work before it grows.
        """
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._room = self._look()
            self._looked = time.monotonic()
        return self._room

    def _look(self) -> int:
        with self._told():
            if self._client.status != "running":
                raise ConnectionError
            threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()) + len(threads))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Says in one line that the scheduler is gone, whatever Dask says of it."""
        try:
            yield
        except OSError:
            raise ConnectionError(f"the Dask scheduler at {self._address} is gone") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """What Dask would log here is told in one line, if it matters."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        asyncio.run(_greet(address))
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError):
        raise UsageError(
            f"no Dask scheduler answers at {address}: "
            "start one there with 'dask scheduler', or correct --executor"
        ) from None
    try:
        yield client
    finally:
        with uninterrupted():
            client.close()


async def _greet(address: str) -> None:
    """Raises ``OSError`` if no Dask answers there: a client would wait for a web server's word."""
    async with asyncio.timeout(CONNECT_SECONDS):
        await (await connect(address, CONNECT_SECONDS)).close()


@contextmanager
def _seated(client: Client, seats: Seats) -> Iterator[None]:
    """With seats on all workers, and a steward who clears them away if we cannot."""
    client.register_plugin(Steward())
    name = seats_of(client.id)
    try:
        client.register_plugin(seats, name)
        yield
    finally:
        # What fails here is left to the steward: the cluster is in trouble, or gone.
        with uninterrupted(), suppress(Exception):
            if client.status == "running":
                client.cancel(list(client.futures))
                client.unregister_worker_plugin(name)


def _check_versions(client: Client) -> None:
    """Raises ``UsageError`` if our package is not everywhere the same."""
    found: dict[str, Any] = client.run(version, PACKAGE, on_error="return")
    try:
        found["the scheduler"] = client.run_on_scheduler(version, PACKAGE)
    except PackageNotFoundError as error:
        found["the scheduler"] = error
    for where, theirs in found.items():
        if isinstance(theirs, str | PackageNotFoundError):  # else it has just died
            check_version(where, theirs if isinstance(theirs, str) else "missing", VERSION)
