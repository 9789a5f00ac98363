"""Reasons why a connection to a scheduler fails. The settings are tested with a real cluster."""

import ssl

import pytest

pytest.importorskip("distributed", reason="distributed is not installed")

from c4_referee.contest.cluster.link import why_refused
from distributed.comm.core import CommClosedError, FatalCommClosedError

WRONG_VERSION = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number")
WRONG_VERSION.reason = "WRONG_VERSION_NUMBER"


def caused(error: Exception, cause: Exception) -> Exception:
    """Return the error with a cause."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("address", "error", "reason"),
    [
        (
            "tls://h:1",
            caused(FatalCommClosedError(), ssl.SSLCertVerificationError()),
            "its certificate is not signed by tls.ca-file",
        ),
        ("tls://h:1", caused(FatalCommClosedError(), WRONG_VERSION), "it does not use TLS"),
        ("tls://h:1", ValueError("IOStream is not idle; cannot convert to SSL"), "it does not use"),
        ("tls://h:1", FatalCommClosedError("SSLError"), "it refuses tls.client.cert"),
        ("tls://h:1", CommClosedError("closed"), "it refuses tls.client.cert"),
        ("tcp://h:1", CommClosedError("closed"), "it closes the connection: if it uses TLS"),
        ("tcp://h:1", TimeoutError(), "None"),
        ("tls://h:1", OSError("Timed out"), "None"),
        ("tls://h:1", ValueError("port"), "None"),
    ],
)
def test_reason_names_the_likely_mistake(address, error, reason):
    """The reason follows from the error of Dask, which depends on who speaks first."""
    assert str(why_refused(address, error)).startswith(reason)
