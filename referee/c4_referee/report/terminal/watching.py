"""``c4-referee watch``: a contest in progress, on the screen of a terminal or in lines of text."""

import sys
import time
from collections.abc import Iterator
from itertools import chain
from operator import attrgetter
from pathlib import Path

from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.notation import cell_of_wire, move_names, replay
from c4_protocol.terminal.board import SIGNS, STYLES, board_text, least_room
from c4_protocol.terminal.keys import END_OF_INPUT, Keyboard
from rich.columns import Columns
from rich.console import Console, ConsoleRenderable, Group
from rich.text import Text

from c4_referee.contest.live.follow import Follower
from c4_referee.contest.live.state import LiveState, Message, RunningGame
from c4_referee.records.formats import RESULTS_BY_WINNER
from c4_referee.report.terminal.games_played import games_of
from c4_referee.report.terminal.live_standings import MOST_BOTS, table_of_bots
from c4_referee.report.texts import counted

POLL_SECONDS = 0.25
NAME_WIDTH = 18
"""Maximum width of a name above a board, in characters."""
NEWS_LINES = 5
"""Number of lines for the last moments and results, which are cut off before the other parts."""


def watch(console: Console, folder: Path, number: int, name: str) -> None:
    """Show contest ``number`` of a folder until it ends or a key leaves, and then how far it is."""
    follower, state = Follower(folder, number), LiveState()
    steps = _messages(follower, state)
    first = next(steps, None)
    if first and console.is_terminal and sys.stdin.isatty():
        with Keyboard(sys.stdin.fileno()) as keyboard, console.screen() as terminal:
            for _ in chain([first], steps):
                terminal.update(screen(console, name, state))
                if keyboard.key(POLL_SECONDS) in {"q", "Q", END_OF_INPUT}:
                    break
    elif first:
        for messages in chain([first], steps):
            for message in messages:
                if message["event"] == "game_ended":
                    console.print(result_line(message), soft_wrap=True)
            time.sleep(POLL_SECONDS)
    console.print(headline(name, state, is_running=follower.is_running), "", sep="\n")


def _messages(follower: Follower, state: LiveState) -> Iterator[list[Message]]:
    """Generate the new messages at each check, until no referee plays the contest."""
    while True:
        was_running, messages = follower.is_running, follower.poll()
        for message in messages:
            state.take(message)
        if not (was_running or follower.is_running):
            return
        yield messages


def headline(name: str, state: LiveState, *, is_running: bool) -> Text:
    """Return the name of a contest, and how far it is."""
    if is_running:
        now = counted(len(state.games), "game") + " in progress"
    else:
        now = "complete" if state.is_complete else "stopped: no referee is playing it"
    games = games_of(state.done, state.scheduled, state.bound)
    return Text.assemble((name, "bold"), f"  {games} games, {now}")


def screen(console: Console, name: str, state: LiveState) -> ConsoleRenderable:
    """Return the whole screen: boards, table, and the last moments and results."""
    top = Group(headline(name, state, is_running=True), "", *_boards(state, console.width))
    room = console.height - len(console.render_lines(top)) - NEWS_LINES - 1
    moments = [Text(moment.text, "yellow") for moment in reversed(state.moments)]
    results = [Text(result_line(each)) for each in reversed(state.results)]
    table = table_of_bots(state, min(max(room, 1), MOST_BOTS))
    return Group(top, table, "", *moments[:3], *results)


def result_line(game: Message) -> str:
    """Return the result of a game as a line of text."""
    result = "void" if game["ending"] == "void" else RESULTS_BY_WINNER[game["winner"]]
    moves = len(move_names(game["moves"], VariantRecord.read(game["variant"]).variant()))
    why = f", {game['fault']['bot']}: {game['fault']['fault']}" if game["fault"] else ""
    names = f"{game['first']} {result} {game['second']}"
    return f"game {game['game']}: {names} ({counted(moves, 'move')}{why})"


def _boards(state: LiveState, width: int) -> Iterator[ConsoleRenderable]:
    """Yield one row of boards of the games in progress, if there are any."""
    boards = [_board(game) for game in sorted(state.games.values(), key=attrgetter("game"))]
    if boards:
        size = max(NAME_WIDTH, *(row.cell_len for board in boards for row in board)) + 3
        shown = boards[: max(width // size, 1)]
        yield Columns([Group(*board) for board in shown], width=size, padding=0)
        hidden = len(boards) - len(shown)
        yield Text(f"{counted(hidden, 'more game')} in progress" if hidden else "", "dim")
    if state.moves != "live":
        yield Text("On a cluster, the moves of a game come with its result.", "dim")


def _board(game: RunningGame) -> list[Text]:
    """Return a board with the names of its players above it."""
    variant = VariantRecord.read(dict(game.variant)).variant()
    position, cells = replay(game.opening, variant)
    for move in game.moves:
        cells.append(cell_of_wire(position, move))
        position = position.play(cells[-1])
    names = [Text(f"{SIGNS[i]} {(game.first, game.second)[i]}", STYLES[i]) for i in (0, 1)]
    for name in names:
        name.truncate(NAME_WIDTH, overflow="ellipsis")
    return [*names, *board_text(position, least_room(variant), cells[-1] if cells else None)]
