"""The addresses of the server, and what each of them shows.

``/`` lists the contests. ``/c/KEY/NUMBER/`` has the pages of a report, ``live.html`` and its
``events``. ``/class/KEY/`` has the site of a class, ``/board/`` the board to play on.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from mimetypes import guess_type
from pathlib import Path
from typing import Any, ClassVar

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from c4_referee.report.site.environment import SERVER_FILES, STATIC_FILES, environment, static_text
from c4_referee.report.site.results import ContestResults
from c4_referee.serve.store import INDEX, Shelf, Store
from c4_referee.serve.watch import Watches

MAX_STREAMS, MAX_STREAMS_OF_ONE = 300, 150
"""Maximum number of people who watch, and of those at one address."""
SHARED_FILES = {*STATIC_FILES, *SERVER_FILES}


class Pages:
    """The pages of a store. ``board`` is the folder of the board to play on."""

    def __init__(self, store: Store, board: Path | None) -> None:
        self._store, self._board = store, board
        self._watches = Watches(store)

    def routes(self) -> list[BaseRoute]:
        """Return the routes of all pages."""
        files = [(f"/class/{key}", site) for key, site in self._store.sites.items()]
        files += [("/board", self._board)] if self._board else []
        shown: dict[str, Callable[[Request], Any]] = {
            "/": self.begin,
            f"/{INDEX}": self.overview,
            "/c/{key}/{number}/live.html": self.live,
            "/c/{key}/{number}/events": self.events,
            "/c/{key}/{path:path}": self.page,
            **{f"{path}/{{path:path}}": partial(file_response, root) for path, root in files},
            "/{name}": self.static,
        }
        return [Route(path, answer, methods=["GET"]) for path, answer in shown.items()]

    def begin(self, _: Request) -> Response:
        """Lead to the page to begin with, or return the page that lists all contests."""
        first = self._store.first_page()
        return (
            text_response(INDEX, self._store.overview())
            if first == INDEX
            else RedirectResponse(first)
        )

    def overview(self, _: Request) -> Response:
        """Return the page that lists all contests."""
        return text_response(INDEX, self._store.overview())

    def page(self, request: Request) -> Response:
        """Return a page of a contest."""
        path, shelf = request.path_params["path"], self._shelf(request)
        if path.endswith("/"):
            return RedirectResponse(f"{request.url.path}{INDEX}")
        address = f"c/{request.path_params['key']}/{path}"
        return text_response(path, self._store.page(shelf, address))

    def live(self, request: Request) -> Response:
        """Return the page of a contest in progress, which its stream fills in."""
        _, results = self._contest(request)
        in_room, name = request.url.query == "view=room", results.contest.name
        return rendered("live.html.jinja", root="../../../", name=name, in_room=in_room)

    async def events(self, request: Request) -> Response:
        """Return the stream of a contest in progress."""
        shelf, results = await run_in_threadpool(self._contest, request)
        watch = self._watches.watch(shelf, results.contest.number)
        last = request.headers.get("last-event-id", "")
        return EventStream(request, watch.events(last))

    def static(self, request: Request) -> Response:
        """Return a style sheet, a script or the icon."""
        name = request.path_params["name"]
        return text_response(name, static_text(name) if name in SHARED_FILES else None)

    def _shelf(self, request: Request) -> Shelf:
        """Return the folder that a request names."""
        shelf = self._store.shelves().get(request.path_params["key"])
        if shelf is None:
            raise HTTPException(404)
        return shelf

    def _contest(self, request: Request) -> tuple[Shelf, ContestResults]:
        """Return the contest that a request names, and its folder."""
        shelf = self._shelf(request)
        for results in self._store.results(shelf):
            if request.path_params["number"] == str(results.contest.number):
                return shelf, results
        raise HTTPException(404)


class EventStream(StreamingResponse):
    """Answer that sends events until there are no more, or until the viewer is gone.

    Raises ``HTTPException`` if there are too many.
    """

    media_type = "text/event-stream"
    _viewers: ClassVar[list[str]] = []
    """Addresses of the viewers of all streams."""

    def __init__(self, request: Request, events: AsyncGenerator[bytes]) -> None:
        self._viewer = request.client.host if request.client else ""
        same = self._viewers.count(self._viewer)
        if len(self._viewers) >= MAX_STREAMS or same >= MAX_STREAMS_OF_ONE:
            raise HTTPException(503, "too many people watch now", {"retry-after": "10"})
        super().__init__(events, headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        self._viewers.append(self._viewer)
        try:
            async with aclosing(self._events):
                await super().__call__(scope, receive, send)
        finally:
            self._viewers.remove(self._viewer)


def rendered(template: str, **variables: Any) -> Response:  # noqa: ANN401 - of the template
    """Return the page that a template makes."""
    return text_response(INDEX, environment().get_template(template).render(variables))


def text_response(path: str, text: str | None) -> Response:
    """Return a file with a text. Raises ``HTTPException`` if there is none."""
    if text is None:
        raise HTTPException(404)
    kind = guess_type(path)[0] or "text/plain"
    return Response(text.encode(errors="backslashreplace"), media_type=kind)


def file_response(root: Path, request: Request) -> Response:
    """Return the file that a request names. Raises ``HTTPException`` if there is none."""
    found = file_below(root, request.path_params["path"])
    if not found:
        raise HTTPException(404)
    return FileResponse(found)


def file_below(root: Path, path: str) -> Path | None:
    """Return a file in a folder by its path in an address, or ``None``.

    Hidden files do not exist for visitors, and neither does what links lead to outside of ``root``.
    """
    path = f"{path}{INDEX}" if not path or path.endswith("/") else path
    if any(
        not part or part.startswith(".") or not part.isprintable() or "\\" in part
        for part in path.split("/")
    ):
        return None
    with suppress(OSError, ValueError, RuntimeError):  # the last one for links in a circle
        found = (root / path).resolve(strict=True)
        if found.is_relative_to(root) and found.is_file():
            return found
    return None


@asynccontextmanager
async def _with_few_threads(_: Starlette) -> AsyncIterator[None]:
    """Let a flood of requests not take all time from the streams."""
    current_default_thread_limiter().total_tokens = 2
    yield


def make_app(store: Store, board: Path | None, more: Sequence[BaseRoute] = ()) -> Starlette:
    """Return the application with the pages of a store, and with ``more`` routes."""
    app = Starlette(routes=[*more, *Pages(store, board).routes()], lifespan=_with_few_threads)
    app.router.redirect_slashes = False
    return app
