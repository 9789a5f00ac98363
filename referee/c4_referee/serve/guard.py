"""What stands between a visitor and the pages: which requests are answered, and how they are logged.

A server is reached by its own names only, so that a page of somebody else cannot use it under
another name (DNS rebinding). A request that changes something comes from a page of this server, is
small, and has a cookie if bots may not be started by everybody. Every answer forbids scripts,
styles and frames of other places. Each refused request has one line in the log.
"""

import asyncio
import re
import sys
import time
from collections.abc import Iterable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from secrets import compare_digest, token_urlsafe
from typing import Any
from urllib.parse import parse_qs

import h11
from c4_protocol.program.text import visible
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_BODY = 4096
"""Maximum size of the body of a request, in bytes."""
REQUEST_SECONDS = 10.0
"""Maximum time in which a request must arrive, in seconds."""
MAX_LINE = 160
MAX_LINES_PER_SECOND = 10
"""Maximum length of a line of the log, in characters, and number of lines. Others are counted."""
SAFE_METHODS = {"GET", "HEAD"}
PLAY = "/play/"
"""Where bots are started. A link with a token begins with it."""
COOKIE = "c4_token"
ENGINE = re.compile(r"/(board|play)/|.*/games/")
"""Paths of pages that may run the engine of the board, which is WebAssembly in a worker."""
POLICY = (
    "default-src 'none'; script-src 'self'{engine}; worker-src 'self'{blob}; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
}


class Log:
    """Log on standard error: harmless lines of limited length, and not too many of them."""

    def __init__(self) -> None:
        self._second, self._lines = 0, 0

    def __call__(self, text: str) -> None:
        """Write a line, or only count it."""
        second = int(time.monotonic())
        if second != self._second:
            left_out = self._lines - MAX_LINES_PER_SECOND
            self._second, self._lines = second, 0
            if left_out > 0:
                sys.stderr.write(f"c4-referee: {left_out} more lines\n")
        self._lines += 1
        if self._lines <= MAX_LINES_PER_SECOND:
            sys.stderr.write(f"c4-referee: {visible(text)[:MAX_LINE]}\n")


class Refusal(Exception):
    """A request that is not answered, with the status and a reason for the visitor."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(status, reason)
        self.status, self.reason = status, reason


class Guard:
    """ASGI application around another one, to which it passes what a visitor may do.

    ``names`` are those of this machine. With a ``token``, only visitors who have it start bots.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], log: Log, token: str = "") -> None:
        self._app, self._token, self.log = app, token, log
        self._names = {"localhost", "127.0.0.1", "[::1]", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = _Request(scope, receive, send)
        try:
            answer = self._answer(scope)
            await (answer or self._app)(scope, request.receive, request.send)
        except Refusal as refusal:
            await request.refuse(refusal)
        except Exception as error:  # noqa: BLE001 - a visitor gets no traceback, and the server goes on
            self.log(f"{type(error).__name__}: {error}")
            await request.refuse(Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "this failed"))
        if request.status >= HTTPStatus.BAD_REQUEST:
            client = (scope.get("client") or ("unknown",))[0]
            self.log(f"{request.status} {client} {scope['method']} {scope['path']}")

    def _answer(self, scope: Scope) -> Response | None:
        """Return an answer if it is not one of the application. Raise ``Refusal``."""
        headers = Headers(scope=scope)
        self._check_host(scope, headers)
        _check_body(headers)
        is_safe = scope["method"] in SAFE_METHODS
        if not is_safe and scope["method"] != "POST":
            raise Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "this method is not allowed")
        if not is_safe:
            _check_origin(headers)
        if not self._token or not scope["path"].startswith(PLAY):
            return None
        if is_safe:
            return self._answer_to_token(scope)
        if not self._is_token(_cookie(headers)):
            raise Refusal(HTTPStatus.FORBIDDEN, "to start bots, open the link with the token first")
        return None

    def _check_host(self, scope: Scope, headers: Headers) -> None:
        """Raise ``Refusal`` unless the request names this server and its port."""
        address, port = scope["server"]
        own = {*self._names, f"[{address}]" if ":" in address else address}
        hosts = [host.lower() for host in headers.getlist("host")]
        allowed = {f"{name}:{port}" for name in own} | (own if port == 80 else set())
        if len(hosts) != 1 or hosts[0] not in allowed:
            raise Refusal(HTTPStatus.MISDIRECTED_REQUEST, "this server has another name")

    def _answer_to_token(self, scope: Scope) -> Response | None:
        """Return an answer that sets the cookie, if a link has the token."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if given is None:
            return None
        if not self._is_token(given[0]):
            raise Refusal(HTTPStatus.FORBIDDEN, "this token is wrong")
        answer = RedirectResponse(PLAY, HTTPStatus.SEE_OTHER)
        answer.set_cookie(COOKIE, self._token, path=PLAY, httponly=True, samesite="strict")
        return answer

    def _is_token(self, text: str) -> bool:
        return compare_digest(text.encode(), self._token.encode())


def new_token() -> str:
    """Return a token that nobody can guess."""
    return token_urlsafe(16)


def _check_body(headers: Headers) -> None:
    """Raise ``Refusal`` for a body that is too large, or whose length is not clear."""
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers and "content-length" in headers:
        raise Refusal(HTTPStatus.BAD_REQUEST, "this request has two lengths")
    if len(length) > 9 or int(length) > MAX_BODY:  # the server has checked that it is a number
        raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "this request is too large")


def _check_origin(headers: Headers) -> None:
    """Raise ``Refusal`` unless a page of this server has made the request.

    Browsers send ``Sec-Fetch-Site`` only to https and to this machine.
    """
    site = headers.get("sec-fetch-site")
    is_same = headers.get("origin") == f"http://{headers['host']}"
    if not (is_same if site is None else site == "same-origin"):
        raise Refusal(HTTPStatus.FORBIDDEN, "this request comes from another place")


def _cookie(headers: Headers) -> str:
    """Return the token that a visitor has, or an empty text."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


class _Request:
    """A request and its answer: counts the bytes of its body, and adds headers to the answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._size = 0
        self.status = 0
        """Status of the answer, or 0 before there is one."""

    async def receive(self) -> Message:
        """Return the next part of the request. Raise ``Refusal`` if it is too large."""
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > MAX_BODY:
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "this request is too large")
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            has_engine = ENGINE.match(self._scope["path"]) is not None
            engine, blob = (" 'wasm-unsafe-eval'", " blob:") if has_engine else ("", "")
            headers["content-security-policy"] = POLICY.format(engine=engine, blob=blob)
            headers.update(HEADERS)
            headers.setdefault("cache-control", "no-cache")
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Answer with a reason, if there is no answer yet. The connection ends."""
        if not self.status:
            headers = {"connection": "close"}
            answer = PlainTextResponse(f"{refusal.reason}\n", refusal.status, headers)
            await answer(self._scope, self._receive, self.send)


class PatientProtocol(H11Protocol):
    """Connection that ends if a request does not arrive in ``REQUEST_SECONDS``.

    An application finds the function ``abort`` in the state of a request. It ends a connection whose
    visitor does not read.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort}
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, and wait for the rest of it."""
        super().data_received(data)
        if self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}:
            self._stop_waiting()
        elif self._timer is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no request."""
        self._log(f"400 {{}}: {msg}")
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def _wait(self) -> None:
        self._timer = self.loop.call_later(REQUEST_SECONDS, self._end)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self._log("408 {}: no complete request")
        self.transport.abort()

    def _log(self, text: str) -> None:
        app: Any = self.config.app
        app.log(text.format(self.client[0] if self.client else "unknown"))
