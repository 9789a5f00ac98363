"""The costliest mistakes of a bot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import cell_named, move_names, position_from_moves
from c4_protocol.rules.picture import board_svg
from c4_protocol.rules.position import Position, seat_at
from c4_protocol.rules.variant import Variant

from c4_referee.site.faults import first_moves
from c4_referee.site.results import ContestResults
from c4_referee.stats.solved import Change, PositionKey, outcome_of, position_key

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
    """Return the costliest mistakes of a bot, the costliest first.

    A move that changed a win into a loss cost more than one that changed it into a draw. Next, the
    scores decide. The same move in the same position is one mistake.
    """
    changes: dict[tuple[PositionKey, str], list[tuple[GameEnded, Change]]] = {}
    for game, change in _changes(results, bot):
        before, move = _moment(game, change, results.contest.variant)
        changes.setdefault((position_key(before), move), []).append((game, change))
    worst = sorted(changes.values(), key=lambda each: _cost(each[0][1]), reverse=True)
    return [_mistake(each, bot, results.contest.variant) for each in worst[:MOST_SHOWN]]


def _changes(results: ContestResults, bot: str) -> Iterator[tuple[GameEnded, Change]]:
    """Generate the moves of a bot that changed results, with their games."""
    if results.contest.solved:
        for game in results.games_of[bot]:
            for change in results.analysis(game).changes:
                if (game.first, game.second)[seat_at(change.ply) - 1] == bot:
                    yield game, change


def _cost(change: Change) -> tuple[int, int]:
    """Return the cost of a mistake: in results, and in scores."""
    return outcome_of(change.before) - outcome_of(change.after), change.before - change.after


def _moment(game: GameEnded, change: Change, variant: Variant) -> tuple[Position, str]:
    """Return the position before a move that changed the result, and the name of the move."""
    before = position_from_moves(first_moves(game.moves, change.ply, variant), variant)
    return before, move_names(game.moves, variant)[change.ply]


def _mistake(changes: Sequence[tuple[GameEnded, Change]], bot: str, variant: Variant) -> Mistake:
    """Return the mistake that was made in these games."""
    game, change = changes[0]
    before, move = _moment(game, change, variant)
    cell = cell_named(before, move)
    better = cell_named(before, change.better[0]) if change.better else None
    return Mistake(
        game=game,
        change=change,
        picture=board_svg(before.play(cell), cell, better=better, styled=False),
        move=move,
        better=_joined_with_or(change.better),
        opponent=game.second if game.first == bot else game.first,
        games=len(changes),
    )


def _joined_with_or(names: Sequence[str]) -> str:
    """Return names as text, such as ``3, 4 or 5``."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
