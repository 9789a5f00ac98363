"""What stands between a visitor and the pages: the requests that are answered, and their log.

A server is reached by its own names only, so that a page of somebody else cannot use it under
another name (DNS rebinding). A request that changes something comes from a page of this server, is
small, and has a cookie if bots may not be started by everybody. Every answer forbids scripts,
styles and frames of other places. Each refused request has one line in the log.
"""

import asyncio
import re
from collections.abc import Iterable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from secrets import compare_digest, token_urlsafe
from urllib.parse import parse_qs

import h11
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from c4_referee.serve.log import Log

MAX_BODY = 4096
"""Maximum size of the body of a request, in bytes."""
REQUEST_SECONDS = 10.0
"""Maximum time in which a request must arrive, in seconds."""
FAILED = HTTPStatus.INTERNAL_SERVER_ERROR
SAFE_METHODS, UNSAFE_METHODS = {"GET", "HEAD"}, {"POST", "DELETE"}
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
        request = _Request(scope, receive, send, self.log)
        try:
            answer = self._answer(scope)
            await (answer or self._app)(scope, request.receive, request.send)
        except HTTPException as refusal:
            await request.refuse(refusal)
        except Exception as error:  # a visitor gets no traceback, and the server goes on
            request.reason = f": {type(error).__name__}: {error}"
            await request.refuse(HTTPException(FAILED, "this failed"))

    def _answer(self, scope: Scope) -> Response | None:
        """Return an answer if it is not one of the application. Raise ``HTTPException``."""
        headers = Headers(scope=scope)
        self._check_host(scope, headers)
        _check_body(headers)
        is_safe = scope["method"] in SAFE_METHODS
        if not is_safe and scope["method"] not in UNSAFE_METHODS:
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, "this method is not allowed")
        if not is_safe:
            _check_origin(headers)
        if not self._token or not scope["path"].startswith(PLAY):
            return None
        if is_safe:
            return self._answer_to_token(scope)
        if not self._is_token(_cookie(headers)):
            raise HTTPException(HTTPStatus.FORBIDDEN, "to start bots, open the link with a token")
        return None

    def _check_host(self, scope: Scope, headers: Headers) -> None:
        """Raise ``HTTPException`` unless the request names this server and its port."""
        address, port = scope["server"]
        own = {*self._names, f"[{address}]" if ":" in address else address}
        hosts = [host.lower() for host in headers.getlist("host")]
        allowed = {f"{name}:{port}" for name in own} | (own if port == 80 else set())
        if len(hosts) != 1 or hosts[0] not in allowed:
            raise HTTPException(HTTPStatus.MISDIRECTED_REQUEST, "this server has another name")

    def _answer_to_token(self, scope: Scope) -> Response | None:
        """Return an answer that sets the cookie, if a link has the token."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if given is None:
            return None
        if not self._is_token(given[0]):
            raise HTTPException(HTTPStatus.FORBIDDEN, "this token is wrong")
        answer = RedirectResponse(PLAY, HTTPStatus.SEE_OTHER)
        answer.set_cookie(COOKIE, self._token, path=PLAY, httponly=True, samesite="strict")
        return answer

    def _is_token(self, text: str) -> bool:
        return compare_digest(text.encode(), self._token.encode())


def new_token() -> str:
    """Return a token that nobody can guess."""
    return token_urlsafe(16)


def _check_body(headers: Headers) -> None:
    """Raise ``HTTPException`` for a body that is too large, or whose length is not clear."""
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers and "content-length" in headers:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "this request has two lengths")
    if len(length) > 9 or int(length) > MAX_BODY:  # the server has checked that it is a number
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "this request is too large")


def _check_origin(headers: Headers) -> None:
    """Raise ``HTTPException`` unless a page of this server has made the request.

    Browsers send ``Sec-Fetch-Site`` only to https and to this machine.
    """
    site = headers.get("sec-fetch-site")
    is_same = headers.get("origin") == f"http://{headers['host']}"
    if not (is_same if site is None else site == "same-origin"):
        raise HTTPException(HTTPStatus.FORBIDDEN, "this request comes from another place")


def _cookie(headers: Headers) -> str:
    """Return the token that a visitor has, or an empty text."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


class _Request:
    """A request and its answer: counts the bytes of its body, and adds headers to the answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, log: Log) -> None:
        self._scope, self._receive, self._send, self._log = scope, receive, send, log
        self._size, self._is_answered = 0, False
        self.reason = ""
        """Reason of a failure, for the log."""

    async def receive(self) -> Message:
        """Return the next part of the request. Raise ``HTTPException`` if it is too large."""
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > MAX_BODY:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "this request is too large")
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self._is_answered = True
            headers = MutableHeaders(scope=message)
            if message["status"] >= HTTPStatus.BAD_REQUEST:
                headers["connection"] = "close"
                if message["status"] != FAILED:  # the reason comes after this answer
                    self._complain(message["status"])
            has_engine = ENGINE.match(self._scope["path"]) is not None
            engine, blob = (" 'wasm-unsafe-eval'", " blob:") if has_engine else ("", "")
            headers["content-security-policy"] = POLICY.format(engine=engine, blob=blob)
            headers.update(HEADERS)
            headers.setdefault("cache-control", "no-cache")
        await self._send(message)

    async def refuse(self, refusal: HTTPException) -> None:
        """Answer with a reason, if there is no answer yet."""
        if self._is_answered or refusal.status_code == FAILED:
            self._complain(refusal.status_code)
        if self._is_answered:
            return
        answer = PlainTextResponse(f"{refusal.detail}\n", refusal.status_code)
        await answer(self._scope, self._receive, self.send)

    def _complain(self, status: int) -> None:
        client = (self._scope.get("client") or ("unknown",))[0]
        method, path = self._scope["method"], self._scope["path"]
        self._log(f"{status:d} {client} {method} {path}{self.reason}")


class PatientProtocol(H11Protocol):
    """Connection that ends if a request does not arrive in ``REQUEST_SECONDS``.

    An application finds the function ``abort`` in the state of a request, which ends a connection
    whose visitor does not read.
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
        """Refuse bytes that are no request, also during an answer."""
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
        self.logger.warning("408 %s: no complete request", self.client and self.client[0])
        self.transport.abort()
