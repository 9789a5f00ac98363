"""The screen of ``c4-referee watch``: a contest in progress, as large as the terminal allows."""

from collections.abc import Iterator, Sequence

from c4_protocol.records.events import VariantRecord
from c4_protocol.records.reports import Standings
from c4_protocol.rules.notation import cell_of_wire, replay
from c4_protocol.terminal.board import SIGNS, STYLES, board_text, board_width, least_room
from rich.columns import Columns
from rich.console import Console, ConsoleRenderable, Group
from rich.table import Table
from rich.text import Text

from c4_referee.formats import RESULTS_BY_WINNER
from c4_referee.live.state import LiveState, Message, RunningGame
from c4_referee.report.earlier import games_of
from c4_referee.report.texts import counted, points_text
from c4_referee.stats.accuracy import number_of_moves

MAX_BOTS = 10
"""Maximum number of bots in the table while games are in progress."""
LEAST_WIDTH = 18
"""Minimum width of a board with the names of its players, in characters."""


def headline(name: str, state: LiveState, *, is_running: bool) -> Text:
    """Return the name of a contest, and how far it is."""
    if is_running:
        now = counted(len(state.games), "game") + " in progress"
    else:
        now = "complete" if state.is_complete else "stopped: no referee is playing it"
    games = games_of(state.done, state.scheduled, state.bound)
    return Text.assemble((name, "bold"), f"  {games} games, {now}")


def screen(
    console: Console, name: str, state: LiveState, standings: Standings | None
) -> ConsoleRenderable:
    """Return the whole screen: boards, table, and last results."""
    width, height = console.size
    parts: list[ConsoleRenderable] = [headline(name, state, is_running=True), Text()]
    boards = [*_boards(state, width)]
    parts += boards
    used = 2 + sum(_height(state) for _ in boards)
    if state.moves != "live":
        parts.append(Text("On a cluster, the moves of a game come with its result.", "dim"))
        used += 1
    table = _table(standings, state, min(MAX_BOTS, max(height - used - 5, 1)))
    parts += [table, Text()]
    used += table.row_count + 2
    parts += news_lines(state)[: max(height - used - 1, 0)]
    return Group(*parts)


def news_lines(state: LiveState) -> list[Text]:
    """Return the last moments and results, the newest first."""
    moments = [Text(moment.text, "yellow") for moment in reversed(state.moments)]
    results = [Text(result_line(each)) for each in reversed(state.results)]
    return [*moments[:3], *results]


def result_line(game: Message) -> str:
    """Return the result of a game as a line of text."""
    result = "void" if game["ending"] == "void" else RESULTS_BY_WINNER[game["winner"]]
    moves = number_of_moves(game["moves"], VariantRecord.read(game["variant"]).variant())
    why = f", {game['fault']['bot']}: {game['fault']['fault']}" if game["fault"] else ""
    names = f"{game['first']} {result} {game['second']}"
    return f"game {game['game']}: {names} ({counted(moves, 'move')}{why})"


def _boards(state: LiveState, width: int) -> Iterator[ConsoleRenderable]:
    """Yield one row of boards of the games in progress, if there are any."""
    games = sorted(state.games.values(), key=lambda game: game.game)
    if games:
        size = max(LEAST_WIDTH, *(_board_width(game) for game in games)) + 3
        shown = games[: max(width // size, 1)]
        yield Columns([_board(game, size - 3) for game in shown], width=size, padding=0)
        hidden = len(games) - len(shown)
        yield Text(f"{counted(hidden, 'more game')} in progress" if hidden else "", "dim")


def _height(state: LiveState) -> int:
    rows = max(game.variant["height"] for game in state.games.values())
    return int(rows + 4) // 2 + 1


def _board_width(game: RunningGame) -> int:
    variant = VariantRecord.read(dict(game.variant)).variant()
    return board_width(variant, least_room(variant))


def _board(game: RunningGame, width: int) -> ConsoleRenderable:
    """Return a board with the names of its players above it."""
    variant = VariantRecord.read(dict(game.variant)).variant()
    position, cells = replay(game.opening, variant)
    for move in game.moves:
        cells.append(cell_of_wire(position, move))
        position = position.play(cells[-1])
    names = [
        Text(f"{sign} {name}", style, overflow="ellipsis", no_wrap=True)
        for sign, style, name in zip(SIGNS, STYLES, (game.first, game.second), strict=True)
    ]
    for name in names:
        name.truncate(width)
    last = cells[-1] if cells else None
    return Group(*names, *board_text(position, least_room(variant), last), Text())


def _table(standings: Standings | None, state: LiveState, room: int) -> Table:
    """Return the best bots with their points."""
    table = Table(box=None, pad_edge=False)
    table.add_column("bot")
    for title in ("points", "games"):
        table.add_column(title, justify="right")
    if standings is None:
        rows: Sequence[tuple[str, float, int]] = state.table()
    else:
        rows = [(bot.bot, bot.points, bot.games) for bot in standings.bots]
    for bot, points, games in rows[:room]:
        name = Text(bot, overflow="ellipsis", no_wrap=True)
        table.add_row(name, points_text(points), str(games))
    return table
