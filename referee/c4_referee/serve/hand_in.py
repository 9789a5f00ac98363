"""The page ``/hand-in/LINK``, on which a student hands in, and the limits of what it takes.

A link is a secret. It is never logged (``guard.py``), and no page tells another one where its
visitor came from. A body is read only if the link exists and may hand in now, so all limits count
by link and not by address. The connection must be encrypted, or come from this machine.
"""

import math
import re
import time
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from c4_referee.serve.app import file_response
from c4_referee.serve.store import Store

HAND_IN = "/hand-in/"
MIN_PAUSE_SECONDS, SHORT_PAUSE_SECONDS = 60.0, 1.0
"""Minimum time after a hand-in with a link, and after one without files, in seconds."""
NO_STORE = {"cache-control": "no-store"}
MAX_FIELD = 100
"""Maximum length of the value of a field in the form, in bytes."""
MAX_FILES = 100
"""Maximum number of files that are handed in together."""
MAX_NAME = 255
"""Maximum length of the name of a file, in bytes, as on most file systems."""
ROOM = 32_768
"""Bytes of a body besides the files: their names, and the form."""
FORWARDED = {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"}
"""Headers of a web server in front. It must say by ``X-Forwarded-Proto`` what the visitor used."""
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

    def folder_of(self, bot: str) -> Path:
        """Return the folder with the files that belong to the page of a bot."""
        ...

    def shown_name(self, bot: str) -> str:
        """Return the name of a bot on public pages."""
        ...

    def page(self, bot: str, link: str, notice: str, standing: tuple[str, str]) -> str:
        """Return the page of a bot. ``notice`` says why something was not taken.

        Files of ``folder_of`` are below ``link``, its secret. ``standing`` has its rank in words,
        and the address of its public page (``Store.standing``).
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
            Route(f"{path}/{{path:path}}", self.file, methods=["GET"]),
        ]

    def page(self, request: Request) -> Response:
        """Return the page of a bot."""
        return self._page(self._bot_of(request), request)

    def file(self, request: Request) -> Response:
        """Return a file that belongs to the page of a bot."""
        answer = file_response(self._desk.folder_of(self._bot_of(request)).resolve(), request)
        answer.headers.update(NO_STORE)
        return answer

    def _page(self, bot: str, request: Request, notice: str = "", status: int = 200) -> Response:
        standing = self._store.standing(self._desk.shown_name(bot))
        text = self._desk.page(bot, request.path_params["link"], notice, standing)
        return Response(text, status, NO_STORE, media_type="text/html")

    def _bot_of(self, request: Request) -> str:
        """Return the bot whose link a request has. Raises ``HTTPException`` if there is none."""
        client = request.client and ip_address(request.client.host)
        headers = request.headers
        schemes = headers.getlist("x-forwarded-proto")
        if not schemes and not FORWARDED.isdisjoint(headers.keys()):
            schemes = ["unknown"]
        is_safe = {scheme.strip().lower() for scheme in schemes} <= {"https"}
        if not (client and client.is_loopback and is_safe):
            raise HTTPException(403, NOT_SAFE)
        if bot := self._desk.bot_of(request.path_params["link"]):
            return bot
        raise HTTPException(404, "There is no such link. Ask for a new one.\n")

    async def hand_in(self, request: Request) -> Response:
        """Take in what a student hands in, and lead back to the page."""
        bot, now = await run_in_threadpool(self._bot_of, request), time.monotonic()
        notice, status, before = "", 200, self._next.get(bot, 0.0)
        if before > now:
            wait = math.ceil(before - now)
            notice, status = f"Wait {wait} seconds. Then send it again: nothing was taken.", 429
        else:
            self._next[bot] = now + MIN_PAUSE_SECONDS  # also while this request arrives
            try:
                files, fields = _parsed(request.headers, await request.body())
                await run_in_threadpool(self._desk.put, bot, files, fields)
                before = now + (MIN_PAUSE_SECONDS if files else SHORT_PAUSE_SECONDS)
            except ValueError as error:
                notice, status = f"{error}. Nothing was taken.", 400
            except OSError as error:
                self._store.log(f"cannot store a hand-in of {bot}: {error.strerror}")
                notice, status = "The server could not store it. Hand in again later.", 503
            finally:  # also if the visitor has gone before all of it has arrived
                self._next[bot] = before
        if notice:
            return await run_in_threadpool(self._page, bot, request, notice, status)
        headers = {"location": request.url.path}
        return Response("Handed in. The page says what comes of it.\n", 303, headers)


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
            if len(name.encode()) > MAX_NAME:
                raise ValueError(f"The name of a file has more than {MAX_NAME} bytes")
            if name:  # browsers send a file without a name if none was chosen
                files.append(Uploaded(name, data))
        elif field := re.search(r'[; ]name="(\w+)"', text):
            fields[field[1]] = data[:MAX_FIELD].decode(errors="replace")
    return files, fields
