"""Moves and depth of the player `blocker`, faithful and repaired.

The first table has a row for each position in the document's games in which the document's program
moved. It shows the move of that program, of the faithful player at five plies, and of the repaired
player at eight. The second table shows the plies that both players complete in a given time. The
document's program completes five plies in five seconds.

Seed document: 003_042b791f4f409f5b.txt.
"""

import time
from collections.abc import Iterator

from _shared import show
from c4_bot import registry
from c4_bot.contract import WIN, Limits, Result, is_proven
from c4_protocol.notation import moves_text, position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import LINE8
from line_seed_games import GAMES

POSITIONS = ("", "d4", "d4 e5 c7", "d4 e5 f2", "d4 d5 c4 e4 c3", "a1 d4 h8 e5", "b2 g7 c6 f3 d4")
FAITHFUL = registry.build("blocker", {"faithful": True})
REPAIRED = registry.build("blocker")


def outcome(position: Position, found: Result) -> str:
    """Return a score in the document's points, or the plies until the game ends."""
    if not is_proven(found.score):
        return f"{found.score / 1000:g}"
    plies = WIN - abs(found.score) - position.ply
    return f"{'wins' if found.score > 0 else 'loses'} in {plies}"


def answers() -> Iterator[tuple[str, ...]]:
    """Yield the document's moves, each with the moves of the two players."""
    for game in GAMES:
        moves = game.split()
        for count in range(1, len(moves), 2):
            position = position_from_moves(" ".join(moves[:count]), LINE8)
            old = FAITHFUL.choose(position, Limits(depth=5))
            new = REPAIRED.choose(position, Limits(depth=8, nodes=1_000_000))
            names = (moves_text(LINE8, [found.cell]) for found in (old, new))
            yield " ".join(moves[:count]), moves[count], *names, outcome(position, new)


def depths(seconds: float) -> Iterator[tuple[str, int, int, str]]:
    """Yield positions with the depth in plies that each of the two players completes or proves."""
    for moves in POSITIONS:
        position = position_from_moves(moves, LINE8)
        old, new = (
            player.choose(position, Limits(deadline=time.monotonic() + seconds))
            for player in (FAITHFUL, REPAIRED)
        )
        yield moves, old.depth, new.depth, outcome(position, new)


def main(seconds: float = 5) -> None:
    """Search each position of the second table for ``seconds`` seconds, and show both tables."""
    columns = dict.fromkeys(("after", "document", "faithful", "repaired", "it expects"), "")
    show("moves of the document's program", columns, answers())
    columns = {"after": "", "faithful": "d", "repaired": "d", "it expects": ""}
    show(f"plies in {seconds:g} s", columns, depths(seconds))
