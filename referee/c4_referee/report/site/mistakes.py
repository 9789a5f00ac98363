"""The costliest mistakes of a bot."""

from collections.abc import Sequence
from dataclasses import dataclass

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import cell_named
from c4_protocol.rules.picture import board_svg

from c4_referee.records.stats.solved import Change, PositionKey, position_key
from c4_referee.report.site.results import ContestResults
from c4_referee.report.texts import joined_with_or

MOST_SHOWN = 5
"""Maximum number of mistakes on a page."""


@dataclass(frozen=True)
class Mistake:
    """A move that changed the result of a game. ``games`` is the number of games with it.

    ``game`` is the first of these games. ``picture`` shows the position after the move as SVG.
    """

    game: GameEnded
    change: Change
    picture: str
    move: str
    better: str
    opponent: str
    games: int


def worst_mistakes(results: ContestResults, bot: str) -> list[Mistake]:
    """Return the costliest mistakes of a bot, the costliest first (see ``Change.cost``).

    The same move in the same position is one mistake.
    """
    changes: dict[tuple[PositionKey, int], list[tuple[GameEnded, Change]]] = {}
    for game, change in results.changes(results.games_of[bot]):
        if game.mover(change.ply) == bot:
            place = position_key(game.positions[change.ply]), game.cells[change.ply]
            changes.setdefault(place, []).append((game, change))
    worst = sorted(changes.values(), key=lambda each: each[0][1].cost, reverse=True)
    return [_mistake(each, bot) for each in worst[:MOST_SHOWN]]


def _mistake(changes: Sequence[tuple[GameEnded, Change]], bot: str) -> Mistake:
    """Return the mistake that was made in these games."""
    game, change = changes[0]
    before, after = game.positions[change.ply : change.ply + 2]
    better = cell_named(before, change.better[0]) if change.better else None
    return Mistake(
        game=game,
        change=change,
        picture=board_svg(after, game.cells[change.ply], better=better, styled=False),
        move=game.move_names[change.ply],
        better=joined_with_or(change.better),
        opponent=game.second if game.first == bot else game.first,
        games=len(changes),
    )
