"""Checks of requests: which of them are answered, and how refused ones are logged.

A server is reached by its own names only, so that a page of somebody else cannot use it under
another name (DNS rebinding). A request that changes something comes from a page of this server, is
small, and has a cookie if bots may not be started by everybody. Every answer forbids scripts,
styles and frames of other places. Each refused request has one line in the log.
"""

import asyncio
import re
from collections.abc import Iterable
from secrets import compare_digest
from typing import Any

import h11
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from c4_referee.serve.hand_in import HAND_IN
from c4_referee.serve.log import Log

MAX_BODY = 4096
"""Maximum size of the body of a request, in bytes."""
MAX_HEAD = 16_384
"""Maximum size of the head of a request, in bytes."""
REQUEST_SECONDS = 10.0
"""Maximum time in which a request must arrive, and without reading of an answer, in seconds."""
FAILED = 500
PLAY = "/play/"
"""Where bots are started. A link with a token begins with it."""
COOKIE = "c4_token"
ENGINE = re.compile(r"/(board|play)/|.*/games/")
"""Paths of pages that may run the engine of the board, which is WebAssembly in a worker."""
SECRET = re.compile(rf"(?<={HAND_IN}).*|[\w-]{{16,}}", re.DOTALL)
"""Pattern of words that may be the secret of a link. They are not logged."""
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; script-src 'self'"
)
ENGINE_POLICY = " 'wasm-unsafe-eval'; worker-src 'self' blob:"
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """ASGI application around another one, to which it passes what a visitor may do.

    ``names`` are those of this machine. With a ``token``, only visitors who have it start bots.
    ``max_hand_in`` is the maximum size of a request to hand in, in bytes.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: Iterable[str],
        log: Log,
        token: str = "",
        max_hand_in: int = MAX_BODY,
    ) -> None:
        self._app, self._token, self.log, self._max_hand_in = app, token, log, max_hand_in
        self._names = {"localhost", "127.0.0.1", "[::1]", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = SECRET.sub("...", scope["path"])
        text = f"{(scope['client'] or ('unknown',))[0]} {scope['method']} {path}"

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(MutableHeaders(scope=message), scope["path"], status)
                if status >= 400 and status != FAILED:  # the reason of a failure comes later
                    self.log(f"{status:d} {text}")
            await send(message)

        try:
            answer = self._answer(Request(scope)) or self._app
            await answer(scope, receive, send_guarded)
        except Exception as error:  # a visitor gets no traceback, and the server goes on
            self.log(f"{FAILED:d} {text}: {type(error).__name__}: {error}")

    def _answer(self, request: Request) -> Response | None:
        """Return an answer that is not one of the application."""
        try:
            self._check(request)
            if self._token and request.scope["path"].startswith(PLAY):
                return self._answer_to_token(request)
        except HTTPException as refusal:
            return PlainTextResponse(f"{refusal.detail}\n", refusal.status_code)
        return None

    def _check(self, request: Request) -> None:
        """Raise ``HTTPException`` unless any server may answer a request like this."""
        headers = request.headers
        self._check_host(request.scope["server"], headers)
        if "transfer-encoding" in headers:
            raise HTTPException(411, "this request does not say its length")
        length = headers.get("content-length", "0")
        has_link = request.scope["path"].startswith(HAND_IN)
        largest = self._max_hand_in if has_link else MAX_BODY
        if len(length) > 9 or int(length) > largest:  # the server has checked that it is a number
            raise HTTPException(413, "this request is too large")
        if request.method == "POST":
            if not has_link or "sec-fetch-site" in headers:  # other pages know no link
                _check_origin(headers)
        elif request.method not in {"GET", "HEAD"}:
            raise HTTPException(405, "this method is not allowed")

    def _check_host(self, server: tuple[str, int], headers: Headers) -> None:
        """Raise ``HTTPException`` unless the request names this server and its port."""
        address, port = server
        own = {*self._names, f"[{address}]" if ":" in address else address}
        hosts = [host.lower() for host in headers.getlist("host")]
        allowed = {f"{name}:{port}" for name in own} | (own if port == 80 else set())
        if len(hosts) != 1 or hosts[0] not in allowed:
            reason = "this server does not answer under this name: use the address that it printed"
            raise HTTPException(421, reason)

    def _answer_to_token(self, request: Request) -> Response | None:
        """Return an answer that sets the cookie, if a link has the token."""
        if request.method == "POST":
            if not self._is_token(request.cookies.get(COOKIE, "")):
                reason = "only people with the link that the server printed can start bots"
                raise HTTPException(403, reason)
            return None
        given = request.query_params.get("token")
        if given is None:
            return None
        if not self._is_token(given):
            raise HTTPException(403, "this token is wrong")
        answer = RedirectResponse(PLAY, 303)
        answer.set_cookie(COOKIE, self._token, path=PLAY, httponly=True, samesite="strict")
        return answer

    def _is_token(self, text: str) -> bool:
        return compare_digest(text.encode(), self._token.encode())


def _add_headers(headers: MutableHeaders, path: str, status: int) -> None:
    """Add the headers of all answers."""
    headers["content-security-policy"] = POLICY + (ENGINE_POLICY if ENGINE.match(path) else "")
    headers.update(HEADERS)
    headers.setdefault("cache-control", "no-cache")
    if status >= 400:
        headers["connection"] = "close"


def _check_origin(headers: Headers) -> None:
    """Raise ``HTTPException`` unless a page of this server has made the request.

    Browsers send ``Sec-Fetch-Site`` only to https and to this machine.
    """
    site = headers.get("sec-fetch-site")
    is_same = headers.get("origin") == f"http://{headers['host']}"
    if not (is_same if site is None else site == "same-origin"):
        raise HTTPException(403, "only pages of this server can do this")


class BoundedConnection(h11.Connection):
    """Parser of requests that refuses all heads of more than ``MAX_HEAD`` bytes.

    h11 itself refuses only those that have not arrived as a whole.
    """

    def next_event(self) -> Any:  # noqa: ANN401 - as h11 has it
        """Return the next event. Raises ``h11.RemoteProtocolError``."""
        before = len(self.trailing_data[0]) if self.their_state is h11.IDLE else 0
        event = super().next_event()
        if isinstance(event, h11.Request) and before - len(self.trailing_data[0]) > MAX_HEAD:
            raise h11.RemoteProtocolError(f"this head has more than {MAX_HEAD} bytes")
        return event


class PatientProtocol(H11Protocol):
    """Connection that ends if a request does not arrive in ``REQUEST_SECONDS``.

    It also ends if the visitor does not read an answer for so long.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:  # noqa: ANN401 - of uvicorn
        super().__init__(*arguments, **settings)
        self.conn = BoundedConnection(h11.SERVER, MAX_HEAD)

    _timer: asyncio.TimerHandle | None = None
    _writing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, and wait for the rest of it."""
        super().data_received(data)
        if self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}:
            self._stop_waiting()
        elif self._timer is None:
            self._wait()

    def pause_writing(self) -> None:
        """Wait for the visitor to read."""
        super().pause_writing()
        self._writing = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on, because the visitor has read."""
        super().resume_writing()
        if self._writing is not None:
            self._writing.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        if self._writing is not None:
            self._writing.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._timer = self.loop.call_later(REQUEST_SECONDS, self._end)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self.logger.warning("408 %s: no complete request", self.client and self.client[0])
        self.transport.abort()
