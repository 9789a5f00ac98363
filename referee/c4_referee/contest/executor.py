"""Executors, which play games on this machine or on a Dask cluster."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Protocol

from c4_protocol.program.errors import UsageError
from c4_protocol.program.processors import usable_processors

from c4_referee.bots.functions import Function
from c4_referee.contest.play.jobs import WorkerSettings
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.local_runner import LocalRunner

LOCAL_EXECUTOR = "local"
CLUSTER_ADDRESS = re.compile(r"dask(\+tls)?://((?:[^/:@\s]+|\[[0-9a-fA-F:]+\]):\d+)")
"""Pattern of ``dask://HOST:PORT`` and ``dask+tls://HOST:PORT``. HOST may be an IPv6 address in
brackets."""


class GameRunner(Protocol):
    """Runner, which plays the games that its ledger (``play.ledger``) issues."""

    def run(self) -> None:
        """Play until the ledger issues no more games. No process is left, even after an error."""


def default_concurrency(executor: str) -> int:
    """Return the default maximum number of games at the same time: one for each processor.

    For a cluster, there is no maximum.
    """
    return len(usable_processors()) if executor == LOCAL_EXECUTOR else sys.maxsize


def find_runner(
    executor: str,
    concurrency: int,
    cpus: Sequence[int] = (),
    functions: Mapping[str, Function] = {},
) -> Callable[[Ledger, WorkerSettings], GameRunner]:
    """Return a function that makes the runner for an executor.

    ``executor`` is ``local``, or the address of a Dask scheduler: ``dask://HOST:PORT``, or
    ``dask+tls://HOST:PORT`` with TLS. The runner plays at most ``concurrency`` games at the same
    time. ``functions`` are the bots that are functions, by name. Raises ``UsageError`` for any
    other executor, if the packages for a cluster are not installed, or if Dask cannot read its
    settings.
    """
    if executor == LOCAL_EXECUTOR:
        return lambda ledger, settings: LocalRunner(ledger, settings, concurrency, cpus, functions)
    found = CLUSTER_ADDRESS.fullmatch(executor)
    if found is None:
        forms = "'local', 'dask://HOST:PORT' or 'dask+tls://HOST:PORT'"
        raise UsageError(f"--executor {executor}: it is {forms}")
    if functions:
        raise UsageError("functions play on this machine: leave out executor")
    if cpus:
        raise UsageError("--pin is for this machine: on a cluster, give each worker one thread")
    if find_spec("distributed") is None:
        raise UsageError("--executor dask: pip install 'c4-arena[cluster]' here and on the cluster")
    try:
        from c4_referee.contest.cluster.cluster_runner import ClusterRunner  # noqa: PLC0415 - it takes a second
    except ValueError as error:  # Dask reads its settings when it is imported
        raise UsageError(f"Dask's settings: {' '.join(str(error).split())}") from None

    scheduler = f"{'tls' if found[1] else 'tcp'}://{found[2]}"
    return lambda ledger, settings: ClusterRunner(ledger, settings, scheduler, concurrency)
