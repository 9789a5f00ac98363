"""Games of visitors against bots: their pages, their moves, and their ends.

In: the choices and moves of visitors. Out: pages, and for each game a stream of server-sent events.
The stream begins with ``snapshot`` and all events so far. They are those of the game's worker, and
``turn`` whenever the visitor is to move. The last one is ``game_ended`` with the result in words,
or ``gone``.

Each game has a thread, which talks to the worker (``play.person``) and changes the game. The event
loop only reads it. At most ``at_once`` bots run at the same time, and visitors at one address leave
one of these places to others. A game ends when its visitor has left, does not move, or begins
another game. Finished games are stored (``storage.kept``), and the
last ones can be replayed and downloaded here.
"""

import asyncio
import select
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from secrets import token_urlsafe
from threading import Thread
from typing import Any

import orjson
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.program.errors import ArenaError
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.rules.notation import cell_of_wire
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import Variant
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.person import PersonGame
from c4_referee.records.stats.solved import GameAnalysis
from c4_referee.records.storage.kept import person_name, save_game
from c4_referee.records.storage.result_lines import stored_game
from c4_referee.report.site.board_folder import BOARD, is_for_board
from c4_referee.report.site.conditions import variant_text
from c4_referee.report.site.replay_page import game_page, outcome, single_file
from c4_referee.serve.app import EventStream, rendered, text_response
from c4_referee.serve.log import Log
from c4_referee.serve.public import public_game

MAX_KEPT = 50
"""Maximum number of games whose pages are kept. Older ones are in the state folder only."""
ABSENT_SECONDS = 30.0
"""Maximum time in which no window shows a game, in seconds. A page that is loaded again, or has
lost its connection, is back by then."""
IDLE_SECONDS = 600.0
"""Time in which a visitor must move, in seconds."""
CHECK_SECONDS = 0.5
"""Seconds between two checks whether a game's visitor has left."""
POLL_SECONDS = 0.03
"""Seconds after which a stream looks for new events."""
OWN_BOT = BotSpec("c4-bot", ("c4-bot",))
VARIANTS = ("standard", "5x4", "8x7", "9x7x5", "codingame", "line8")
"""Variants that the page offers."""
VISITOR = "c4_visitor"
"""Cookie that says which games are of one visitor."""
PLAY = "/play/"
ROOT = "../../../"
"""The first page of the server, from the page of a game."""


@dataclass(eq=False)
class VisitorsGame:
    """Game of a visitor, and its events in ``log`` as lines of JSON."""

    bot: BotSpec
    variant: Variant
    seat: Seat
    person: str
    visitor: str
    network: str = ""
    """Address of the visitor, as ``_network`` returns it."""
    log: list[bytes] = field(default_factory=list)
    plies: int = 0
    viewers: int = 0
    """Number of its open streams."""
    record: GameEnded | None = None
    reason: str = ""
    """Why it ends without a result, in words for the visitor."""
    is_closed: bool = False
    """True when nothing more happens."""
    awaits_person: bool = False
    worker: PersonGame | None = None
    seen_at: float = field(default_factory=time.monotonic)
    moved_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.position = Position(self.variant)

    def find_reason(self) -> str:
        """Return why the game must end now, or an empty text."""
        now, minutes = time.monotonic(), IDLE_SECONDS / 60
        if not self.viewers and now - self.seen_at > ABSENT_SECONDS:
            self.reason = "This game has ended, because nobody watched it."
        elif self.awaits_person and now - self.moved_at > IDLE_SECONDS:
            self.reason = f"This game has ended: you made no move for {minutes:.0f} minutes."
        return self.reason

    def take(self, event: dict[str, Any], line: bytes) -> None:
        """Take an event of the worker, except the last one."""
        self.log.append(line)
        if event["event"] == "remark":
            return
        if event["event"] == "move":
            cell = cell_of_wire(self.position, RefereeEnd().read_move(line))
            self.position, self.plies = self.position.play(cell), self.plies + 1
        self.moved_at = time.monotonic()
        if self.position.player == self.seat and not self.position.is_over:
            self.awaits_person = True
            self.log.append(b'{"event":"turn"}')

    async def events(self) -> AsyncGenerator[bytes]:
        """Generate the messages of a stream."""
        self.viewers += 1
        try:
            sent = 0
            yield b'data: {"event":"snapshot"}\n\n'
            while sent < len(self.log) or not self.is_closed:
                new = self.log[sent:]
                sent += len(new)
                yield b"".join(b"data: %b\n\n" % line for line in new)
                await asyncio.sleep(POLL_SECONDS)
        finally:
            self.viewers -= 1
            self.seen_at = time.monotonic()


class Games:
    """Games of all visitors against ``bots``, each with its time from ``control``.

    With ``shows_stderr``, the pages show what bots wrote on standard error. With ``has_board``, the
    server has the board, whose engine knows the values of columns.
    """

    def __init__(
        self,
        bots: Mapping[str, BotSpec],
        at_once: int = 4,
        control: TimeControl = TimeControl(),  # noqa: B008 - it cannot be changed
    ) -> None:
        self._bots = {**bots} if OWN_BOT.name in bots else {**bots, OWN_BOT.name: OWN_BOT}
        self._at_once, self._control = at_once, control
        self._games: dict[str, VisitorsGame] = {}
        self.log = Log()
        self.shows_stderr = self.has_board = False

    @property
    def running(self) -> int:
        """Number of games whose bots may run."""
        return sum(not game.is_closed for game in self._games.values())

    def end(self, reason: str, visitor: str | None = None) -> None:
        """End all games soon, or those of one visitor."""
        for game in self._games.values():
            if visitor in {None, game.visitor}:
                game.reason = reason

    def routes(self) -> list[BaseRoute]:
        """Return the routes of all pages."""
        game = f"{PLAY}games/{{id}}/"
        return [
            Route(PLAY, self.choice, methods=["GET"]),
            Route(f"{PLAY}games", self.begin, methods=["POST"]),
            Route(game, self.page, methods=["GET"]),
            Route(f"{game}events", self.events, methods=["GET"]),
            Route(f"{game}moves", self.move, methods=["POST"]),
            Route(f"{game}{{file}}", self.file, methods=["GET"]),
        ]

    async def choice(self, _: Request) -> Response:
        """Return the page on which a visitor chooses a bot."""
        times = {name: self._time(bot) for name, bot in self._bots.items()}
        variants = {name: variant_text(Variant.parse(name)) for name in VARIANTS}
        return rendered("play.html.jinja", bots=times, variants=variants)

    async def begin(self, request: Request) -> Response:
        """Begin a game, and return its id. It takes the place of the visitor's last game."""
        visitor, name = request.cookies.get(VISITOR) or token_urlsafe(16), token_urlsafe(16)
        game = self._chosen_game(await _json_body(request), visitor)
        game.network = _network(request)
        self.end("This game has ended, because you began another one.", visitor)
        near = [each for each in self._games.values() if each.network == game.network]
        running_near = sum(not each.is_closed for each in near)
        if self.running >= self._at_once or running_near >= max(1, self._at_once - 1):
            reason = f"{self.running} people are playing already: try again in a minute"
            raise HTTPException(503, reason, {"retry-after": "30"})
        for old in [key for key, each in self._games.items() if each.is_closed][:-MAX_KEPT]:
            del self._games[old]
        Thread(target=self._play, args=(game,), daemon=True).start()
        self._games[name] = game  # after the start, which may fail
        answer = JSONResponse({"id": name}, 201)
        answer.set_cookie(VISITOR, visitor, path=PLAY, httponly=True, samesite="strict")
        return answer

    async def page(self, request: Request) -> Response:
        """Return the page of a game. Its events come from the stream."""
        game = self._game(request)
        has_values = self.has_board and is_for_board(game.variant)
        data = {
            "variant": VariantRecord.of(game.variant),
            "seat": game.seat,
            "again": {"bot": game.bot.name, "variant": str(game.variant), "name": game.person},
            "board": f"{ROOT}{BOARD}/" if has_values else "",
        }
        names = (game.person, game.bot.name)[:: 1 if game.seat == 1 else -1]
        facts = f"{game.variant} · {self._time(game.bot)}"
        return rendered("played.html.jinja", root=ROOT, names=names, data=data, facts=facts)

    async def events(self, request: Request) -> Response:
        """Return the stream of a game."""
        return EventStream(request, self._game(request).events())

    async def move(self, request: Request) -> Response:
        """Make a move of a person."""
        game, body = self._game(request), await _json_body(request)
        if not game.awaits_person or game.worker is None or body.get("ply") != game.plies:
            raise HTTPException(409, "it is not your turn in this position")
        try:
            move = RefereeEnd().read_move(await request.body())
            cell_of_wire(game.position, move)
        except ArenaError as error:
            raise HTTPException(422, str(error)) from None
        game.awaits_person = False
        game.worker.play(move)
        return Response(status_code=204)

    async def file(self, request: Request) -> Response:
        """Return the replay of an ended game, or one of its files to download."""
        game, name = self._game(request), request.path_params["file"]
        text, unsolved = None, game.record and GameAnalysis.unknown(game.record)
        if unsolved and name == "replay.html":
            crumbs = ((f"{ROOT}play/", "Play"),)
            text = game_page(unsolved, board=self.has_board, root=ROOT, crumbs=crumbs)
        elif unsolved and name == "game.html":
            text = single_file(unsolved)
        elif unsolved and name == "game.jsonl":
            text = f"{orjson.dumps(game.record).decode()}\n"
        return text_response(name, text)

    def _game(self, request: Request) -> VisitorsGame:
        game = self._games.get(request.path_params["id"])
        if game is None:
            raise HTTPException(404, "there is no such game any more")
        return game

    def _chosen_game(self, body: Mapping[str, Any], visitor: str) -> VisitorsGame:
        """Return the game that a visitor has chosen. Raises ``HTTPException``."""
        bot, seat, name = self._bots.get(str(body.get("bot"))), body.get("seat"), body.get("name")
        if bot is None or seat not in (1, 2) or not isinstance(name or "", str):
            raise HTTPException(422, "say a bot of this server, seat 1 or 2, and a name")
        try:
            variant = Variant.parse(str(body.get("variant")))
            bot.check_plays(variant, bot.time_control(self._control))
        except ArenaError as error:
            raise HTTPException(422, str(error)) from None
        return VisitorsGame(bot, variant, 1 if seat == 1 else 2, person_name(name, bot), visitor)

    def _time(self, bot: BotSpec) -> str:
        return str(bot.time_control(self._control))

    # The thread of a game

    def _play(self, game: VisitorsGame) -> None:
        """Play a game to its end, and store it."""
        last: dict[str, Any] = {"event": "gone", "text": "The bot could not be started."}
        try:
            if line := self._play_to_end(game):
                last = self._last_event(game, line)
            else:
                unknown = "The server could not finish this game. Begin another one."
                last["text"] = game.reason or unknown
        except Exception as error:  # the server goes on, whatever happens in one game
            self.log(f"a game against {game.bot.name}: {type(error).__name__}: {error}")
        game.awaits_person = False
        game.log.append(orjson.dumps(last))
        game.is_closed = True

    def _play_to_end(self, game: VisitorsGame) -> bytes:
        """Pass events on until the last one, and return it, or nothing if the visitor is gone."""
        game.bot.check_startable()
        control = game.bot.time_control(self._control)
        worker = PersonGame(game.bot, game.variant, game.seat, control, person=game.person)
        game.worker = worker
        try:
            while not game.find_reason():
                if not select.select([worker.socket], [], [], CHECK_SECONDS)[0]:
                    continue
                for event, line in (events := worker.read()) or ():
                    if event["event"] == "game_ended":
                        return line
                    game.take(event, line)
                if events is None:
                    break
        finally:
            worker.end()
        return b""

    def _last_event(self, game: VisitorsGame, line: bytes) -> dict[str, Any]:
        """Store an ended game, and return its last event for the visitor."""
        record = stored_game(line)
        game.record = record = record if self.shows_stderr else public_game(record)
        try:
            save_game(game.bot, game.person, game.variant, game.seat, line)
        except ArenaError as error:
            self.log(f"a game is not stored: {error}")
        stderr = record.stderr.get(game.bot.name, "")
        wrote = record.fault.line if record.fault else None
        text = outcome(record, game.seat)
        return {"event": "game_ended", "text": text, "line": wrote or "", "stderr": stderr}


def _network(request: Request) -> str:
    """Return the address of a visitor. A visitor with IPv6 has all addresses of a network /64."""
    address = ip_address(request.client.host if request.client else "::")
    return str(ip_network((address, 64), strict=False) if address.version == 6 else address)


async def _json_body(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body of a request."""
    try:
        body = orjson.loads(await request.body())
    except orjson.JSONDecodeError:
        body = None
    if not isinstance(body, dict):
        raise HTTPException(400, "the body is not a JSON object")
    return body
