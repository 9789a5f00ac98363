"""A referee's connection to a Dask cluster, which submits games and returns their results."""

import asyncio
import logging
import ssl
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from typing import Any

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible
from distributed import Client, Future
from distributed.comm.core import CommClosedError, FatalCommClosedError, connect
from distributed.security import Security

from c4_referee.bots.bot_folder import PackedFolder
from c4_referee.contest.cluster.plugins import (
    GAME_RESOURCE,
    PACKAGE_NAME,
    PACKAGE_VERSION,
    CleanupPlugin,
    GamePlugin,
    PlayedBatch,
    check_version,
    play_batch,
    plugin_name,
    threads_for_games,
)
from c4_referee.contest.play.jobs import Job
from c4_referee.contest.play.local_runner import ignoring_interrupts

CONNECT_SECONDS = 10
"""Maximum time to connect to the scheduler, in seconds. After this time, the connection fails."""
DASK_LOGGERS = ("distributed", "distributed.client")
"""Names of Dask's loggers that write messages in a client and have their own log level."""
MISSING_VERSION = "missing"
"""Version of this package where it is not installed."""
ROOM_CHECK_SECONDS = 1.0
"""Minimum time between two checks of the cluster's size, in seconds."""


class ClusterLink:
    """Context manager for a connection to the cluster whose scheduler is at ``address``.

    When the connection ends, the games that are being played are stopped, with their bots. Raises
    ``UsageError`` if the cluster cannot be used, and ``OSError`` if the connection is lost.
    """

    def __init__(self, address: str, settings: bytes, parcels: Mapping[str, PackedFolder]) -> None:
        self._address = address
        self._plugin = GamePlugin(PACKAGE_VERSION, settings, parcels)
        self._numbers = count()
        self._checked = -ROOM_CHECK_SECONDS
        self._room = 0
        self._left_out = set[str]()
        """Addresses of workers with other versions, which have joined while games are played."""

    def __enter__(self) -> "ClusterLink":
        with ExitStack() as stack, self._readable_errors():
            stack.enter_context(_silence_dask())
            self._client = stack.enter_context(_connected_client(self._address))
            _check_versions(self._client)
            stack.enter_context(_register_plugin(self._client, self._plugin))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def submit(self, jobs: Sequence[Job]) -> "Future[PlayedBatch]":
        """Give a batch of games to the cluster, which plays it as soon as a thread is free."""
        client = self._client
        key = f"c4-games-{next(self._numbers)}-{client.id}"
        lines = b"".join(job.to_line() for job in jobs)
        return client.submit(
            play_batch,
            plugin_name(client.id),
            lines,
            key=key,
            pure=False,
            resources={GAME_RESOURCE: 1},
        )

    def results(self, batches: Iterable["Future[PlayedBatch]"]) -> dict[int, PlayedBatch]:
        """Return the results of ended tasks, by ``PlayedBatch.first``, without failed tasks."""
        asked = list(batches)
        with self._readable_errors():
            found: list[PlayedBatch] = self._client.gather(asked, errors="skip") if asked else []
        return {played.first: played for played in found}

    def room(self) -> int:
        """Return the number of tasks that the cluster can take now.

        This is one per thread, and one more per worker. It is at least 1, because a cluster without
        workers may wait for a first task before it starts workers. Workers with another version do
        not count. A line on standard error says that such a worker has joined.
        """
        if time.monotonic() - self._checked > ROOM_CHECK_SECONDS:
            with self._readable_errors():
                if self._client.status != "running":
                    raise ConnectionError
                threads: dict[str, int] = self._client.run_on_scheduler(threads_for_games)
                self._report_other_versions([where for where in threads if not threads[where]])
            numbers = [*filter(None, threads.values())]
            self._room = max(1, sum(numbers) + len(numbers))
            self._checked = time.monotonic()
        return self._room

    def _report_other_versions(self, idle: Iterable[str]) -> None:
        """Print a line for each of these workers that has another version, once."""
        unknown = [where for where in idle if where not in self._left_out]
        versions = _package_versions(self._client, unknown) if unknown else {}
        for where, theirs in versions.items():
            if theirs != PACKAGE_VERSION:
                self._left_out.add(where)
                difference = f"{PACKAGE_NAME} is {theirs}, the referee's {PACKAGE_VERSION}"
                text = f"{where} gets no games: {difference}"
                sys.stderr.write(f"{visible(text)}\n")

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        """Replace an error of the connection by one line that says that the scheduler is gone."""
        try:
            yield
        except OSError:
            raise ConnectionError(f"the Dask scheduler at {self._address} is gone") from None


@contextmanager
def _silence_dask() -> Iterator[None]:
    """Suppress Dask's log. Errors that matter are raised, with a message of one line."""
    loggers = [logging.getLogger(name) for name in DASK_LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _connected_client(address: str) -> Iterator[Client]:
    """Connect to a scheduler, or raise ``UsageError`` if no scheduler answers."""
    security = _read_security(address)
    try:
        asyncio.run(_check_scheduler(address, security))
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
    except (OSError, ValueError) as error:
        reason = why_refused(address, error)
        raise UsageError(
            f"the Dask scheduler at {address} cannot be used: {reason}"
            if reason
            else f"no Dask scheduler answers at {address}: "
            "start one there with 'dask scheduler', or correct --executor"
        ) from None
    try:
        yield client
    finally:
        with ignoring_interrupts():
            client.close()


def _read_security(address: str) -> Security:
    """Return Dask's settings of TLS for a connection to a scheduler.

    Dask reads them from files and from environment variables. It ignores the certificates for an
    address with ``tcp://``.

    Raises ``UsageError`` if they are wrong, if they have no certificate for an address with TLS, or
    if they forbid an address without TLS.
    """
    try:
        security = Security()
        tls = security.get_tls_config_for_role("client")
        for value in (tls["ca_file"], tls["cert"], tls["key"]):
            if value and "\n" not in value:  # otherwise it is the content of a file
                Path(value).open("rb").close()  # OpenSSL does not name a file that it cannot read
        context = security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as error:
        raise UsageError(f"Dask's settings for TLS: {error}") from None
    if address.startswith("tls://"):
        if context is None:
            raise UsageError(
                f"no certificate for {address}: set tls.ca-file, tls.client.cert and "
                "tls.client.key in Dask's settings (see docs/cluster.md)"
            )
    elif security.require_encryption:
        raise UsageError(
            f"Dask's settings require encryption, and {address} has none: "
            "use --executor dask+tls://HOST:PORT"
        )
    return security


def why_refused(address: str, error: Exception) -> str | None:
    """Return why a connection failed, if a wrong use of TLS is the likely reason."""
    match error:
        case FatalCommClosedError(__cause__=ssl.SSLCertVerificationError()):
            return "its certificate is not signed by tls.ca-file in Dask's settings"
        case (
            FatalCommClosedError(__cause__=ssl.SSLError(reason="WRONG_VERSION_NUMBER"))
            | ValueError(args=["IOStream is not idle; cannot convert to SSL"])
        ):  # the second one if the scheduler writes before the referee can begin with TLS
            return "it does not use TLS: start it with certificates, or use dask://HOST:PORT"
        case CommClosedError() if address.startswith("tls://"):
            return "it refuses tls.client.cert in Dask's settings"
        case CommClosedError():
            return "it closes the connection: if it uses TLS, use dask+tls://HOST:PORT"
    return None


async def _check_scheduler(address: str, security: Security) -> None:
    """Raise ``OSError`` if no Dask scheduler answers.

    If a different server listens at the address, such as a web server, ``Client`` waits forever.
    """
    how = security.get_connection_args("client")
    async with asyncio.timeout(CONNECT_SECONDS):
        await (await connect(address, CONNECT_SECONDS, **how)).close()


@contextmanager
def _register_plugin(client: Client, plugin: GamePlugin) -> Iterator[None]:
    """Register a plugin on all workers, and a cleanup plugin on the scheduler.

    At the end, the plugin is removed from the workers. If the referee cannot do this, the cleanup
    plugin removes it.
    """
    client.register_plugin(CleanupPlugin())
    name = plugin_name(client.id)
    try:
        client.register_plugin(plugin, name)
        yield
    finally:
        # If this fails, the cluster does not answer. Then the cleanup plugin removes the plugin.
        with ignoring_interrupts(), suppress(Exception):
            if client.status == "running":
                client.cancel(list(client.futures))
                client.unregister_worker_plugin(name)


def _check_versions(client: Client) -> None:
    """Raise ``UsageError`` if a process of the cluster has a different version of this package."""
    versions = _package_versions(client)
    try:
        versions["the scheduler"] = client.run_on_scheduler(version, PACKAGE_NAME)
    except PackageNotFoundError:
        versions["the scheduler"] = MISSING_VERSION
    for where, theirs in versions.items():
        check_version(where, theirs, PACKAGE_VERSION)


def _package_versions(client: Client, workers: list[str] | None = None) -> dict[str, str]:
    """Return the versions of this package on some or all workers, except those that have ended."""
    answers: dict[str, Any] = client.run(version, PACKAGE_NAME, workers=workers, on_error="return")
    return {
        where: theirs if isinstance(theirs, str) else MISSING_VERSION
        for where, theirs in answers.items()
        if isinstance(theirs, str | PackageNotFoundError)
    }
