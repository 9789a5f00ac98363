"""The process of the server: its address, its limits, and its end by Ctrl-C."""

import logging
import os
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory

import uvicorn
from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible

from c4_referee.report.site.board_folder import board_copy
from c4_referee.serve.app import make_app
from c4_referee.serve.guard import Guard, PatientProtocol
from c4_referee.serve.hand_in import Desk, HandIns
from c4_referee.serve.log import Log
from c4_referee.serve.store import Store
from c4_referee.serve.visitors_games import Games

NICENESS = 10
"""Niceness of the server: contests on the same machine come first."""
MAX_CONNECTIONS = 400
"""Maximum number of open connections. Requests on others get the status 503."""


def serve(store: Store, host: str, port: int, games: Games, *, open_play: bool = False) -> None:
    """Serve the pages of a store, and ``games``, until Ctrl-C. Prints the address.

    Raises ``UsageError`` if it is not possible to listen on ``host`` and ``port``.
    """
    with listening(host, port) as listener, TemporaryDirectory() as folder:
        address, token = address_of(listener, host), ""
        raise_on_signals()
        with suppress(KeyboardInterrupt):
            os.nice(NICENESS)
            board = Path(folder).resolve() / "board"
            with board_copy(board) as has_board:
                store.has_board = games.has_board = has_board()
            games.shows_stderr = store.shows_stderr = is_loopback(listener)
            if not games.shows_stderr:
                token = "" if open_play else token_urlsafe(16)
                _tell_exposed(address, token)
            log = store.log = games.log = Log()
            app = make_app(store, board if store.has_board else None, games.routes())
            sys.stdout.write(f"{visible(address)}\n")
            sys.stdout.flush()
            guard = Guard(app, [host, socket.gethostname()], log, token)
            server_of(guard).run([listener])


def serve_hand_ins(store: Store, listener: socket.socket, host: str, desk: Desk) -> None:
    """Serve the pages of a store, and take in what students hand in, until SIGTERM."""
    os.nice(NICENESS)
    log = store.log = Log()
    store.offers_games = store.shows_stderr = False
    pages = HandIns(desk, store)
    app = make_app(store, None, pages.routes())
    names = [host, socket.gethostname()]
    server_of(Guard(app, names, log, max_hand_in=pages.max_body)).run([listener])


def server_of(guard: Guard) -> uvicorn.Server:
    """Return the server of an application, with its limits."""
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [guard.log], False
    config = uvicorn.Config(
        guard,
        http=PatientProtocol,
        ws="none",
        log_config=None,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises ``UsageError`` if this is not possible."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        return socket.create_server(address[:2], family=family, backlog=256)
    except (OSError, UnicodeError) as error:
        why = str(getattr(error, "strerror", "this is no name")).partition(" (")[0]
        reason = f"{why}: choose another --port or --host"
        raise UsageError(f"cannot listen on {host}:{port}: {reason}") from None


def address_of(listener: socket.socket, host: str) -> str:
    """Return the address of the first page."""
    address, port = listener.getsockname()[:2]
    host = socket.gethostname() if ip_address(address).is_unspecified else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def is_loopback(listener: socket.socket) -> bool:
    """Return whether only this machine reaches a socket."""
    return ip_address(listener.getsockname()[0]).is_loopback


def _tell_exposed(address: str, token: str) -> None:
    """Say what it means to listen on an address that other machines reach."""
    play = "They can also start bots, which run on this machine."
    if token:
        play = f"To start bots, they need this link: {address}play/?token={token}"
    pages = "Everybody who reaches this address can see these pages."
    sys.stderr.write(f"{pages}\n{visible(play)}\n")
