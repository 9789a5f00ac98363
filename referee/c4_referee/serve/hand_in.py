"""The page ``/hand-in/LINK``, on which a student hands in, and the limits of what it takes.

A link is a secret. It is never logged (``guard.py``), and no page tells another one where its
visitor came from. A body is read only if the link exists and may hand in now, so all limits count
by link and not by address. The connection must be encrypted, or come from this machine.
"""

import re
import time
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import NamedTuple, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from c4_referee.serve.store import Store

HAND_IN = "/hand-in/"
MIN_PAUSE_SECONDS, SHORT_PAUSE_SECONDS = 60.0, 3.0
"""Minimum time after a hand-in with a link, and after one without files, in seconds."""
MAX_FIELD = 100
"""Maximum length of the value of a field in the form, in bytes."""
MAX_FILES = 100
"""Maximum number of files that are handed in together."""
ROOM = 32_768
"""Bytes of a body besides the files: their names, and the form."""
NOT_SAFE = (
    "Hand in with https only: this connection is not encrypted, so others could read your link. "
    "Open the same address with https:// in front.\n"
)


class Uploaded(NamedTuple):
    """A file that was handed in, and its name without folders."""

    name: str
    data: bytes


class Desk(Protocol):
    """The part of a class that hand-ins use. All methods can be called in several threads."""

    max_bytes: int

    def bot_of(self, secret: str) -> str | None:
        """Return the bot to which a link belongs, or ``None``."""
        ...

    def file(self, bot: str, name: str) -> bytes | None:
        """Return a file that belongs to the page of a bot, or ``None`` if its name is no such."""
        ...

    def shown_name(self, bot: str) -> str:
        """Return the name of a bot on public pages."""
        ...

    def page(self, bot: str, notice: str, standing: tuple[str, str]) -> str:
        """Return the page of a bot. ``notice`` says why something was not taken.

        ``standing`` has its rank in words, and the address of its public page (``Store.standing``).
        """
        ...

    def put(self, bot: str, files: Sequence[Uploaded], fields: Mapping[str, str]) -> None:
        """Store files of a bot, or what other fields of the form say.

        It is on the disk when this returns. Raises ``OSError`` if that is not possible, and
        ``ValueError`` with a reason for people if it cannot be taken.
        """
        ...


class HandIns:
    """The pages of a desk."""

    def __init__(self, desk: Desk, store: Store) -> None:
        self._desk, self._store = desk, store
        self._next: dict[str, float] = {}
        """Times from which bots may hand in again."""

    @property
    def max_body(self) -> int:
        """Maximum size of the body of a request to hand in, in bytes."""
        return self._desk.max_bytes + ROOM

    def routes(self) -> list[BaseRoute]:
        """Return the routes of all pages."""
        path = f"{HAND_IN}{{link}}"
        return [
            Route(path, self.page, methods=["GET"]),
            Route(path, self.hand_in, methods=["POST"]),
        ]

    def page(self, request: Request) -> Response:
        """Return the page of a bot, or the ``file`` of it that the query names."""
        bot, name = self._bot_of(request), request.query_params.get("file")
        if name is None:
            return self._page(bot)
        if (data := self._desk.file(bot, name)) is None:
            raise HTTPException(404)
        saved = {"cache-control": "no-store", "content-disposition": f"attachment; filename={name}"}
        return Response(data, headers=saved, media_type="application/octet-stream")

    def _page(self, bot: str, notice: str = "", status: int = 200) -> Response:
        text = self._desk.page(bot, notice, self._store.standing(self._desk.shown_name(bot)))
        headers = {"cache-control": "no-store"}
        return Response(text, status, headers, media_type="text/html")

    def _bot_of(self, request: Request) -> str:
        """Return the bot whose link a request has. Raises ``HTTPException`` if there is none."""
        client = request.client and ip_address(request.client.host)
        scheme = request.headers.get("x-forwarded-proto", "https").strip().lower()
        if not (client and client.is_loopback) or scheme != "https":
            raise HTTPException(403, NOT_SAFE)
        if bot := self._desk.bot_of(request.path_params["link"]):
            return bot
        raise HTTPException(404, "There is no such link. Ask for a new one.\n")

    async def hand_in(self, request: Request) -> Response:
        """Take in what a student hands in, and lead back to the page."""
        bot, now = await run_in_threadpool(self._bot_of, request), time.monotonic()
        notice, status, before = "", 200, self._next.get(bot, 0.0)
        if before > now:
            notice, status = f"Wait {before - now:.0f} seconds, and hand in again.", 429
        else:
            self._next[bot] = now + MIN_PAUSE_SECONDS  # also while this request arrives
            try:
                files, fields = _parsed(request.headers, await request.body())
                await run_in_threadpool(self._desk.put, bot, files, fields)
                if not files:
                    self._next[bot] = now + SHORT_PAUSE_SECONDS
            except ValueError as error:
                notice, status = f"{error}. Nothing was handed in.", 400
            except OSError as error:
                self._store.log(f"cannot store a hand-in of {bot}: {error.strerror}")
                notice, status = "The server could not store it. Hand in again later.", 503
            finally:
                if status != 200:
                    self._next[bot] = before
        if notice:
            return await run_in_threadpool(self._page, bot, notice, status)
        return RedirectResponse(request.url.path, 303)


def _parsed(headers: Headers, body: bytes) -> tuple[list[Uploaded], dict[str, str]]:
    """Return the files of a form (RFC 7578), and its other fields.

    Raises ``ValueError`` with a reason for people.
    """
    kind = re.fullmatch(
        r'multipart/form-data;\s*boundary="?([\w\'()+,./:=?-]{1,70})"?',
        headers.get("content-type", ""),
        re.IGNORECASE | re.ASCII,
    )
    files, fields = list[Uploaded](), dict[str, str]()
    parts = (b"\r\n" + body).split(b"\r\n--" + kind[1].encode())[1:] if kind else []
    if not parts or not parts.pop().startswith(b"--"):
        raise ValueError("The form did not arrive as a whole")
    if len(parts) > MAX_FILES:
        raise ValueError(f"These are more than {MAX_FILES} files: pack them as a zip archive")
    for part in parts:
        head, _, data = part.partition(b"\r\n\r\n")
        text = head.decode(errors="replace")
        if named := re.search(r'filename="([^"\r\n]*)"', text):
            name = re.split(r"[/\\]", named[1])[-1]
            if name:  # browsers send a file without a name if none was chosen
                files.append(Uploaded(name, data))
        elif field := re.search(r'[; ]name="(\w+)"', text):
            fields[field[1]] = data[:MAX_FIELD].decode(errors="replace")
    return files, fields
