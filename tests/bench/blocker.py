"""The player ``blocker`` beside its document (seed 003_042b791f4f409f5b.txt).

    python tests/bench/blocker.py [seconds [nodes [games [ms]]]]

The document's games with the faithful player in the program's seat, at five plies, and what the
repaired one would have played; nodes a second of processor time in Python and natively; plies
reached in so many seconds (the document: five in five); and a match from random openings of four
stones near the centre, each with both colours, at so many milliseconds a move.
"""

import sys
import time
from random import Random

from c4_bot import registry
from c4_bot.contract import WIN, Limits, Result, is_proven
from c4_bot.native import Twin
from c4_bot.player import Player
from c4_protocol.position import Position
from c4_protocol.variant import LINE8
from rich.console import Console
from rich.table import Table

GAMES = (
    "d4 d5 c4 e4 c3 c2 c5 c6 b4 f4 a4",
    "d5 e4 e5 f5 c5 b5 c4 b7 c3 c2 c6",
    "d4 d5 d3 d6 d2 d1 c4 e4 c5 b4 c6 c7 c3",
)
"""The appendix: rows a to h from the top, columns 1 to 8; the program moves second."""
ROWS = "abcdefgh"
POSITIONS = ("", "d4", "d4 e5 c7", "d4 e5 f2", "d4 d5 c4 e4 c3", "a1 d4 h8 e5", "b2 g7 c6 f3 d4")
FAITHFUL, REPAIRED = "faithful", "repaired"
PLAYERS = {
    FAITHFUL: registry.build("blocker", {"faithful": True}),
    REPAIRED: registry.build("blocker"),
}


def cell(name: str) -> int:
    """A cell by the document's name for it."""
    return LINE8.cell(int(name[1]) - 1, LINE8.height - 1 - ROWS.index(name[0]))


def name(cell: int) -> str:
    """The document's name of a cell."""
    return f"{ROWS[LINE8.height - 1 - LINE8.row_of(cell)]}{LINE8.column_of(cell) + 1}"


def after(moves: str) -> Position:
    """Where the moves lead."""
    position = Position(LINE8)
    for move in moves.split():
        position = position.play(cell(move))
    return position


def verdict(position: Position, found: Result) -> str:
    """A score in the document's points, or in how many plies the game ends."""
    if not is_proven(found.score):
        return f"{found.score / 1000:g}"
    plies = WIN - abs(found.score) - position.ply
    return f"{'wins' if found.score > 0 else 'loses'} in {plies}"


def replay() -> Table:
    """The document's answers beside ours."""
    table = Table(title="the document's games; * where the faithful player plays as it did")
    for title in ("after", "document", FAITHFUL, REPAIRED, "which sees"):
        table.add_column(title)
    for game in GAMES:
        moves = game.split()
        for count in range(1, len(moves), 2):
            position = after(" ".join(moves[:count]))
            old = PLAYERS[FAITHFUL].choose(position, Limits(depth=5))
            new = PLAYERS[REPAIRED].choose(position, Limits(depth=8, nodes=1_000_000))
            same = "*" if name(old.cell) == moves[count] else ""
            row = (" ".join(moves[:count]), moves[count], name(old.cell) + same, name(new.cell))
            table.add_row(*row, verdict(position, new))
    return table


def speed(nodes: int) -> Table:
    """Nodes a second of both players, from a position of the document."""
    table = Table(title="nodes a second of processor time")
    for title in ("player", "Python", "native", "ratio"):
        table.add_column(title, justify="left" if title == "player" else "right")
    position = after("d4 d5 c4 e4 c3")
    for player in PLAYERS.values():
        found = player.search
        assert isinstance(found, Twin)
        rates = []
        for search, count in ((found.python, nodes), (found, 100 * nodes)):
            began = time.process_time()
            visited = search.search(position, Limits(nodes=count)).nodes
            rates.append(visited / (time.process_time() - began))
        slow, fast = rates
        which = FAITHFUL if player is PLAYERS[FAITHFUL] else REPAIRED
        table.add_row(which, f"{slow:,.0f}", f"{fast:,.0f}", f"{fast / slow:.0f}")
    return table


def plies(seconds: float) -> Table:
    """The depth that each player completes, or at which it has proven the score."""
    table = Table(title=f"plies in {seconds:g} s")
    for title in ("after", FAITHFUL, REPAIRED, "which sees"):
        table.add_column(title)
    for moves in POSITIONS:
        position = after(moves)
        found = {
            which: player.choose(position, Limits(deadline=time.monotonic() + seconds))
            for which, player in PLAYERS.items()
        }
        new = found[REPAIRED]
        depth = f"{new.depth}{', proven' if new.exact else ''}"
        table.add_row(moves, str(found[FAITHFUL].depth), depth, verdict(position, new))
    return table


def play(first: Player, second: Player, position: Position, ms: float) -> tuple[int, Position]:
    """The winner, 1 or 2 as listed, or 0; and the last position."""
    players = (first, second)
    while not position.is_over:
        limits = Limits(deadline=time.monotonic() + ms / 1000)
        position = position.play(players[position.player - 1].choose(position, limits).cell)
    return position.winner, position


def opening(draw: Random) -> Position:
    """Four stones on the sixteen cells in the middle."""
    position = Position(LINE8)
    middle = [LINE8.cell(x, y) for x in range(2, 6) for y in range(2, 6)]
    for stone in draw.sample(middle, 4):
        position = position.play(stone)
    return position


def match(opponent: Player, title: str, games: int, ms: float) -> Table:
    """The repaired player against another, from openings that both play with both colours."""
    wins, losses, ends = 0, 0, set()
    draw = Random(3)
    for _ in range(games // 2):
        start = opening(draw)
        for seat in (1, 2):
            ours, theirs = PLAYERS[REPAIRED], opponent
            pair = (ours, theirs) if seat == 1 else (theirs, ours)
            winner, end = play(*pair, start, ms)
            wins += winner == seat
            losses += winner == 3 - seat
            ends.add(end)
    table = Table(title=f"{REPAIRED} against {title}, {ms:g} ms a move")
    for heading in ("games", "distinct", "won", "drawn", "lost"):
        table.add_column(heading)
    table.add_row(*map(str, (games, len(ends), wins, games - wins - losses, losses)))
    return table


def main(seconds: float = 5, nodes: int = 20_000, games: int = 20, ms: float = 200) -> None:
    """Measures and prints."""
    console = Console()
    console.print(replay())
    console.print(speed(int(nodes)))
    console.print(plies(seconds))
    for title, rival in ((FAITHFUL, PLAYERS[FAITHFUL]), ("strong", registry.build("strong"))):
        console.print(match(rival, title, int(games), ms))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
