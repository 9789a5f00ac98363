"""Games of visitors against bots: their pages, their moves, and their ends.

In: the choices and moves of visitors. Out: pages, and for each game a stream of server-sent events.
The stream begins with a ``snapshot``, which has all events so far. Then it has the events that the
game's worker writes. The last one is ``game_ended`` with its result in words, or ``gone``.

Each game has a thread, which talks to the worker (``play.person``). Everything else happens in the
event loop. At most ``at_once`` bots run at the same time. A game ends when its visitor has left,
does not move, or begins another game. Finished games are stored (``storage.played``), and the last
ones can be replayed and downloaded here.
"""

import asyncio
import select
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from secrets import token_urlsafe
from threading import Thread
from typing import Any

import orjson
from c4_protocol.program.errors import ArenaError, IllegalMove
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.rules.notation import WireMove, cell_of_wire
from c4_protocol.rules.picture import board_svg
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import Variant
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.play.person import PersonGame
from c4_referee.serve.app import EventStream
from c4_referee.serve.log import Log
from c4_referee.site.board_folder import BOARD, is_for_board
from c4_referee.site.environment import environment, script_json
from c4_referee.site.replay_page import game_page, outcome, single_file
from c4_referee.storage.played import person_name, save_game
from c4_referee.storage.result_lines import stored_game

MAX_KEPT = 50
"""Maximum number of ended games whose pages are kept. Older ones are in the state folder only."""
MAX_STREAMS_OF_GAME = 4
"""Maximum number of windows that show one game."""
START_SECONDS, ABSENT_SECONDS, LEAVING_SECONDS = 20.0, 10.0, 2.0
"""Time in which somebody must watch a game, in seconds: after its start, after the last window was
closed or lost, and after a window has said that it is closed. A page that is reloaded is back by
then."""
IDLE_SECONDS = 600.0
"""Time in which a visitor must move, in seconds."""
CHECK_SECONDS = 0.5
"""Seconds between two checks whether a game's visitor has left."""
BEAT_SECONDS = 15.0
"""Seconds after which a stream without events sends a comment, so that it is not cut."""
OWN_BOT = BotSpec("c4-bot", ("c4-bot",))
VARIANTS = {
    "standard": "7 columns, 6 rows",
    "5x4": "5 columns, 4 rows: a short game",
    "8x7": "8 columns, 7 rows",
    "9x7x5": "9 columns, 7 rows, five in a row",
    "codingame": "9 columns, 7 rows, with the steal",
    "line8": "8x8, stones do not fall",
}
"""Variants that the page offers, with their descriptions. The first one is chosen at first."""
VISITOR = "c4_visitor"
"""Cookie that says which games are of one visitor."""
PLAY = "/play/"
ROOT = "../../../"
"""The first page of the server, from the page of a game."""


@dataclass(eq=False)
class VisitorsGame:
    """Game of a visitor. ``log`` has its events as lines of JSON.

    ``viewers`` is the number of its open streams. ``record`` is set when it has ended by the rules,
    and ``is_closed`` when nothing more happens.
    """

    bot: BotSpec
    variant: Variant
    seat: Seat
    person: str
    visitor: str
    loop: asyncio.AbstractEventLoop
    log: list[bytes] = field(default_factory=list)
    position: Position = field(init=False)
    plies: int = 0
    viewers: int = 0
    record: GameEnded | None = None
    line: bytes = b""
    reason: str = ""
    """Why the game ends without a result, in words for the visitor."""
    is_closed: bool = False
    is_left: bool = False
    """True if a window has said that it is closed, and none was opened after that."""
    worker: PersonGame | None = None
    awaits_person: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    awaited_until: float = field(default_factory=lambda: time.monotonic() + START_SECONDS)
    moved_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.position = Position(self.variant)

    def leave(self) -> None:
        """Note that a stream has ended."""
        self.viewers -= 1
        self.await_viewer()

    def await_viewer(self) -> None:
        """Wait some time for somebody who watches."""
        seconds = LEAVING_SECONDS if self.is_left else ABSENT_SECONDS
        self.awaited_until = time.monotonic() + seconds

    def why_over(self) -> str:
        """Return why the game must end now, or an empty text."""
        now = time.monotonic()
        if not self.viewers and now > self.awaited_until:
            return "This game has ended, because nobody watched it."
        if self.awaits_person and now - self.moved_at > IDLE_SECONDS:
            return f"This game has ended: you made no move for {IDLE_SECONDS / 60:.0f} minutes."
        return self.reason

    def take(self, event: dict[str, Any], line: bytes) -> None:
        """Take an event of the worker, except the last one."""
        if event["event"] == "move":
            cell = cell_of_wire(self.position, _wire_move(event["move"]))
            self.position = self.position.play(cell)
            self.plies += 1
        if event["event"] != "remark":  # which may arrive after the person's answer
            self.moved_at = time.monotonic()
            self.awaits_person = self.position.player == self.seat and not self.position.is_over
        self.add(line)

    def add(self, line: bytes) -> None:
        """Add an event to all streams."""
        self.log.append(line)
        self.changed.set()
        self.changed = asyncio.Event()

    def close(self, line: bytes) -> None:
        """Add the last event."""
        self.awaits_person, self.is_closed = False, True
        self.add(line)

    async def events(self) -> AsyncIterator[bytes]:
        """Generate the messages of a stream."""
        sent, self.is_left = len(self.log), False
        yield b'data: {"event":"snapshot","events":[%b]}\n\n' % b",".join(self.log)
        while sent < len(self.log) or not self.is_closed:
            while sent < len(self.log):
                yield b"data: %b\n\n" % self.log[sent]
                sent += 1
            if not self.is_closed:
                try:
                    async with asyncio.timeout(BEAT_SECONDS):
                        await self.changed.wait()
                except TimeoutError:
                    yield b":\n\n"


class Games:
    """Games of all visitors against ``bots``, each with its time from ``control``.

    With ``shows_stderr``, the pages show what bots wrote on standard error. With ``has_board``, the
    server has the board, whose engine knows the values of columns.
    """

    def __init__(
        self,
        bots: Mapping[str, BotSpec],
        *,
        at_once: int = 4,
        control: TimeControl | None = None,
    ) -> None:
        self._bots = {**bots} if OWN_BOT.name in bots else {**bots, OWN_BOT.name: OWN_BOT}
        self._has_file = bool(bots)
        self._at_once, self._control = at_once, control or TimeControl()
        self.log = Log()
        self._games: dict[str, VisitorsGame] = {}
        self._streams = Counter[str]()
        self._running = 0
        self.shows_stderr = self.has_board = False

    def close(self) -> None:
        """End all games soon."""
        for game in self._games.values():
            game.reason = "This game has ended, because the server has ended."

    def routes(self) -> list[BaseRoute]:
        """Return the routes of all pages."""
        game = f"{PLAY}games/{{id}}/"
        shown = {
            PLAY: self.choice,
            game: self.page,
            f"{game}events": self.events,
            f"{game}replay.html": self.replay,
            f"{game}game.html": self.single_file,
            f"{game}game.jsonl": self.download,
        }
        changed = {
            f"{PLAY}games": self.begin,
            f"{game}moves": self.move,
            f"{game}leave": self.leave,
        }
        return [
            *(Route(path, answer, methods=["GET"]) for path, answer in shown.items()),
            *(Route(path, answer, methods=["POST"]) for path, answer in changed.items()),
        ]

    async def choice(self, request: Request) -> Response:
        """Return the page on which a visitor chooses a bot."""
        times = {name: self._time(bot) for name, bot in self._bots.items()}
        page = environment().get_template("play.html.jinja")
        board = Markup(board_svg(Position(), styled=False))
        text = page.render(bots=times, variants=VARIANTS, has_file=self._has_file, board=board)
        answer = HTMLResponse(text)
        if VISITOR not in request.cookies:
            cookie = token_urlsafe(16)
            answer.set_cookie(VISITOR, cookie, path=PLAY, httponly=True, samesite="strict")
        return answer

    async def begin(self, request: Request) -> Response:
        """Begin a game, and return its id. It takes the place of the visitor's last game."""
        game = self._chosen_game(await _json_body(request), _visitor(request))
        for other in self._games.values():
            if other.visitor == game.visitor:
                other.reason = "This game has ended, because you began another one."
        if self._running >= self._at_once:
            reason = f"{self._running} people are playing already: try again in a minute"
            raise HTTPException(503, reason, {"retry-after": "30"})
        self._forget_oldest()
        name = token_urlsafe(16)
        self._games[name] = game
        self._running += 1
        Thread(target=self._play, args=(game,), daemon=True).start()
        return JSONResponse({"id": name}, 201)

    async def page(self, request: Request) -> Response:
        """Return the page of a game. Its events come from the stream."""
        game = self._game(request)
        has_values = self.has_board and is_for_board(game.variant)
        data = {
            "variant": VariantRecord.of(game.variant),
            "seat": game.seat,
            "bot": game.bot.name,
            "again": {"bot": game.bot.name, "variant": str(game.variant), "name": game.person},
            "board": f"{ROOT}{BOARD}/" if has_values else "",
        }
        names = (game.person, game.bot.name)[:: 1 if game.seat == 1 else -1]
        page = environment().get_template("played.html.jinja")
        facts = (str(game.variant), self._time(game.bot))
        return HTMLResponse(
            page.render(root=ROOT, names=names, data=script_json(data), facts=facts)
        )

    async def events(self, request: Request) -> Response:
        """Return the stream of a game."""
        game = self._game(request)
        if game.viewers >= MAX_STREAMS_OF_GAME:
            raise HTTPException(503, "too many windows show this game", {"retry-after": "10"})
        client = request.client.host if request.client else ""
        return EventStream(game, game.events(), self._streams, client)

    async def move(self, request: Request) -> Response:
        """Make a move of a person."""
        game, body = self._game(request), await _json_body(request)
        if not game.awaits_person or game.worker is None:
            raise HTTPException(409, "it is not your turn")
        if body.get("ply") != game.plies:
            raise HTTPException(409, "this move is for another position")
        move = _wire_move(body.get("move"))
        try:
            cell_of_wire(game.position, move)
        except IllegalMove as error:
            raise HTTPException(422, str(error)) from None
        game.awaits_person = False
        game.worker.play(move)
        return Response(status_code=204)

    async def leave(self, request: Request) -> Response:
        """Note that a window is closed. The game ends soon if no other one shows it."""
        game = self._game(request)
        game.is_left = True
        game.await_viewer()
        return Response(status_code=204)

    async def replay(self, request: Request) -> Response:
        """Return the replay of an ended game."""
        crumbs = ((f"{ROOT}play/", "Play"),)
        show = partial(game_page, board=self.has_board, root=ROOT, crumbs=crumbs)
        return HTMLResponse(show(self._record(request)))

    async def single_file(self, request: Request) -> Response:
        """Return the replay of an ended game as one file to download."""
        return _download(single_file(self._record(request)), "text/html", "game.html")

    async def download(self, request: Request) -> Response:
        """Return the record of an ended game to download."""
        self._record(request)
        return _download(self._game(request).line + b"\n", "application/jsonl", "game.jsonl")

    def _game(self, request: Request) -> VisitorsGame:
        game = self._games.get(request.path_params["id"])
        if game is None:
            raise HTTPException(404, "there is no such game any more")
        return game

    def _record(self, request: Request) -> GameEnded:
        record = self._game(request).record
        if record is None:
            raise HTTPException(404, "this game has no result")
        return record

    def _chosen_game(self, body: Mapping[str, Any], visitor: str) -> VisitorsGame:
        """Return the game that a visitor has chosen. Raises ``HTTPException``."""
        bot, seat, name = self._bots.get(str(body.get("bot"))), body.get("seat"), body.get("name")
        if bot is None:
            raise HTTPException(422, "there is no such bot")
        if seat not in (1, 2) or not isinstance(name or "", str):
            raise HTTPException(422, "seat is 1 or 2, and name is a text")
        try:
            variant = Variant.parse(str(body.get("variant")))
            bot.check_plays(variant, bot.time_control(self._control))
        except ArenaError as error:
            raise HTTPException(422, str(error)) from None
        person, loop = person_name(name or "", bot), asyncio.get_running_loop()
        return VisitorsGame(bot, variant, 1 if seat == 1 else 2, person, visitor, loop)

    def _forget_oldest(self) -> None:
        closed = [name for name, game in self._games.items() if game.is_closed]
        for name in closed[: max(0, len(closed) - MAX_KEPT)]:
            del self._games[name]

    def _time(self, bot: BotSpec) -> str:
        return str(bot.time_control(self._control))

    # The thread of a game

    def _play(self, game: VisitorsGame) -> None:
        """Play a game to its end, and store it."""
        line, last = b"", {"event": "gone", "text": "The bot could not be started."}
        try:
            line = self._play_to_end(game)
            last = {"event": "gone", "text": game.reason or "The game was lost. Begin another one."}
            if line:
                last = self._last_event(game, line)
        except Exception as error:  # the server goes on, whatever happens in one game
            self.log(f"a game against {game.bot.name}: {type(error).__name__}: {error}")
        with suppress(RuntimeError):  # the server has ended
            game.loop.call_soon_threadsafe(self._close, game, line, orjson.dumps(last))

    def _play_to_end(self, game: VisitorsGame) -> bytes:
        """Pass events on until the last one, and return it, or nothing if the visitor is gone."""
        game.bot.check_startable()
        control = game.bot.time_control(self._control)
        worker = PersonGame(game.bot, game.variant, game.seat, control, person=game.person)
        game.worker = worker
        try:
            while not (why := game.why_over()):
                if not select.select([worker.socket], [], [], CHECK_SECONDS)[0]:
                    continue
                for event, line in (events := worker.read()) or ():
                    if event["event"] == "game_ended":
                        return line
                    game.loop.call_soon_threadsafe(game.take, event, line)
                if events is None:
                    return b""
            game.reason = why
        finally:
            worker.end()
        return b""

    def _last_event(self, game: VisitorsGame, line: bytes) -> dict[str, Any]:
        """Store an ended game, and return its last event for the visitor."""
        game.record = record = stored_game(line)
        try:
            save_game(game.bot, game.person, game.variant, game.seat, line)
        except ArenaError as error:
            self.log(f"a game is not stored: {error}")
        stderr = record.stderr.get(game.bot.name, "") if self.shows_stderr else ""
        return {
            "event": "game_ended",
            "winner": record.winner,
            "text": outcome(record),
            "fault": record.fault,
            "stderr": stderr,
        }

    def _close(self, game: VisitorsGame, line: bytes, last: bytes) -> None:
        self._running -= 1
        game.line = line
        game.close(last)


async def _json_body(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body of a request."""
    try:
        body = orjson.loads(await request.body())
    except orjson.JSONDecodeError:
        body = None
    if not isinstance(body, dict):
        raise HTTPException(400, "the body is not a JSON object")
    return body


def _wire_move(value: object) -> WireMove:
    """Return a move of a request. Raises ``HTTPException`` if it cannot be one."""
    match value:
        case bool():
            pass
        case int():
            return value
        case [int(column), int(row)]:
            return column, row
    raise HTTPException(422, "a move is a column, or [column, row]")


def _visitor(request: Request) -> str:
    """Return who sends a request: the cookie of a browser, or else the address."""
    return request.cookies.get(VISITOR) or (request.client.host if request.client else "")


def _download(content: str | bytes, media_type: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    return Response(data, media_type=media_type, headers=headers)
