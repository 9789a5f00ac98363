"""The address of an executor, which says where games are played."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.contest import executor as executors
from c4_referee.contest.executor import CLUSTER_ADDRESS, find_runner


@pytest.mark.parametrize("place", ["host:8786", "10.0.0.1:1", "[::1]:8786", "a.b-c.example:99"])
def test_address_of_a_cluster(place):
    """The address of a cluster is a host and a port."""
    for scheme, tls in (("dask", None), ("dask+tls", "+tls")):
        found = CLUSTER_ADDRESS.fullmatch(f"{scheme}://{place}")
        assert found
        assert found.groups() == (tls, place)


@pytest.mark.parametrize(
    "executor",
    [
        "",
        "Local",
        "dask",
        "dask://",
        "dask://host",
        "dask://::1:8786",
        "dask://u@h:1",
        "tcp://h:1",
        "tls://h:1",
        "dask+tls://h",
    ],
)
def test_other_executors_are_refused(executor):
    """Other addresses are refused with the right form."""
    with pytest.raises(UsageError, match=r"it is 'local', 'dask://HOST:PORT' or 'dask\+tls:"):
        find_runner(executor, 1)


def test_processors_are_pinned_on_this_machine_only():
    """--pin is refused for a cluster, because it applies to the processors of this machine."""
    assert find_runner("local", 1, [0])
    with pytest.raises(UsageError, match="--pin is for this machine"):
        find_runner("dask://host:8786", 1, [0])


def test_missing_packages_are_named(monkeypatch):
    """If packages for a cluster are missing, the error has the command that installs them."""
    monkeypatch.setattr(executors, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'c4-arena\[cluster\]'"):
        find_runner("dask://host:8786", 1)
