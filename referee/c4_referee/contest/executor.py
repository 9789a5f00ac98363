"""Where games are played: by this machine's processes, or on a Dask cluster."""

import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Protocol

from c4_protocol.errors import UsageError

from c4_referee.play.jobs import WorkerSettings
from c4_referee.play.ledger import Ledger
from c4_referee.play.runner import Runner

LOCAL = "local"
ADDRESS = re.compile(r"dask://((?:[^/:@\s]+|\[[0-9a-fA-F:]+\]):\d+)")
"""``dask://HOST:PORT``; an address of IPv6 stands in brackets."""


class Plays(Protocol):
    """Plays the games of its ledger."""

    def run(self) -> None:
        """Until there are no more to issue; whatever ends it leaves nobody behind."""


def find_runner(
    executor: str, concurrency: int, cpus: Sequence[int] = ()
) -> Callable[[Ledger, WorkerSettings], Plays]:
    """What plays there, at most ``concurrency`` games at once.

    ``executor`` is ``local`` or ``dask://HOST:PORT``, the address of a scheduler. Raises
    ``UsageError`` for anything else, and where what it takes is not installed.
    """
    if executor == LOCAL:
        return lambda ledger, settings: Runner(ledger, settings, concurrency, cpus)
    found = ADDRESS.fullmatch(executor)
    if found is None:
        raise UsageError(f"--executor {executor}: it is 'local' or 'dask://HOST:PORT'")
    if cpus:
        raise UsageError("--pin is for this machine: on a cluster, give each worker one thread")
    if find_spec("distributed") is None:
        raise UsageError("--executor dask: pip install 'c4-arena[cluster]' here and on the cluster")
    from c4_referee.cluster.runner import ClusterRunner  # noqa: PLC0415 - it takes a second

    scheduler = f"tcp://{found[1]}"
    return lambda ledger, settings: ClusterRunner(ledger, settings, scheduler, concurrency)
