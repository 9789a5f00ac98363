"""The costliest mistakes of a bot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from c4_protocol.events import GameEnded
from c4_protocol.notation import cells_from_moves, position_from_moves
from c4_protocol.picture import board_svg
from c4_protocol.position import seat_at
from c4_protocol.variant import Variant

from c4_referee.site.faults import first_moves
from c4_referee.site.results import ContestResults
from c4_referee.stats.solved import Change, position_key

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
    variant = results.contest.variant
    found: dict[tuple[str, str], list[tuple[GameEnded, Change]]] = {}
    for game, change in _changes(results, bot):
        before = first_moves(game.moves, change.ply, variant)
        key = position_key(position_from_moves(before, variant))
        found.setdefault((key, _move_at(game, change.ply, variant)), []).append((game, change))
    worst = sorted(found.values(), key=lambda each: _cost(each[0][1]), reverse=True)
    return [_mistake(each, bot, variant) for each in worst[:MOST_SHOWN]]


def _changes(results: ContestResults, bot: str) -> Iterator[tuple[GameEnded, Change]]:
    """Generate the moves of a bot that changed results, with their games."""
    if results.contest.solved:
        for game in results.games_of[bot]:
            for change in results.analysis(game).changes:
                if (game.first, game.second)[seat_at(change.ply) - 1] == bot:
                    yield game, change


def _cost(change: Change) -> tuple[int, int]:
    """Return the cost of a mistake: in results, and in scores."""
    return _sign(change.before) - _sign(change.after), change.before - change.after


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _move_at(game: GameEnded, ply: int, variant: Variant) -> str:
    """Return the name of the move after ``ply`` moves."""
    return game.moves[ply] if variant.gravity else game.moves.split()[ply]


def _mistake(found: Sequence[tuple[GameEnded, Change]], bot: str, variant: Variant) -> Mistake:
    """Return the mistake that was made in these games."""
    game, change = found[0]
    before = first_moves(game.moves, change.ply, variant)
    picture = board_svg(
        position_from_moves(_joined(before, _move_at(game, change.ply, variant), variant), variant),
        cells_from_moves(game.moves, variant)[change.ply],
        better=_better_cell(before, change, variant),
        styled=False,
    )
    return Mistake(
        game=game,
        change=change,
        picture=picture,
        move=_move_at(game, change.ply, variant),
        better=_joined_with_or(change.better),
        opponent=game.second if game.first == bot else game.first,
        games=len(found),
    )


def _better_cell(before: str, change: Change, variant: Variant) -> int | None:
    """Return the cell of the first better move, or ``None`` if none is known."""
    if not change.better:
        return None
    return cells_from_moves(_joined(before, change.better[0], variant), variant)[-1]


def _joined(moves: str, move: str, variant: Variant) -> str:
    """Return a text of moves with one more move."""
    return moves + move if variant.gravity else f"{moves} {move}"


def _joined_with_or(names: Sequence[str]) -> str:
    """Return names as text, such as ``3, 4 or 5``."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
