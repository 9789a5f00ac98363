"""TLS between the referee and a Dask scheduler, with the settings of Dask.

Dask reads its settings from files and from environment variables. An address begins with ``tls://``
or ``tcp://``. Dask ignores the certificates for an address with ``tcp://``.
"""

import ssl
from pathlib import Path

from c4_protocol.program.errors import UsageError
from distributed.comm.core import CommClosedError, FatalCommClosedError
from distributed.security import Security


def read_security(address: str) -> Security:
    """Return Dask's settings for a connection to a scheduler.

    Raises ``UsageError`` if they are wrong, if they have no certificate for an address with TLS, or
    if they forbid an address without TLS.
    """
    try:
        security = Security()
        _check_readable(security)
        context = security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as error:
        raise UsageError(f"Dask's settings for TLS: {error}") from None
    if is_encrypted(address):
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


def is_encrypted(address: str) -> bool:
    """Return whether connections to this address use TLS."""
    return address.startswith("tls://")


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
        case CommClosedError() if is_encrypted(address):
            return "it refuses tls.client.cert in Dask's settings"
        case CommClosedError():
            return "it closes the connection: if it uses TLS, use dask+tls://HOST:PORT"
    return None


def _check_readable(security: Security) -> None:
    """Raise ``OSError`` with the name of a file that cannot be read. OpenSSL does not name it."""
    tls = security.get_tls_config_for_role("client")
    for value in (tls["ca_file"], tls["cert"], tls["key"]):
        if value and "\n" not in value:  # otherwise it is the content of a file
            Path(value).open("rb").close()
