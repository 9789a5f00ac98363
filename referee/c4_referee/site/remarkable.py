"""The most remarkable games of a contest, as small boards."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import cell_named, position_from_moves
from c4_protocol.rules.picture import board_svg

from c4_referee.report.texts import value_text
from c4_referee.site.faults import first_moves
from c4_referee.site.replay_page import outcome
from c4_referee.site.results import ContestResults
from c4_referee.stats.accuracy import plies
from c4_referee.stats.solved import Change, outcome_of


@dataclass(frozen=True)
class RemarkableGame:
    """A game, the ply at which it is shown, its picture as SVG, and why it is remarkable."""

    game: GameEnded
    ply: int
    picture: str
    title: str
    text: str


def remarkable_games(results: ContestResults) -> list[RemarkableGame]:
    """Return the game with the biggest turn, the shortest, and the longest between strong bots.

    Strong bots are the better half of the standings. Games that a fault decided are left out.
    Each game is listed once.
    """
    finished = [game for game in results.contest.games if game.ending in {"line", "full board"}]
    shown = _biggest_turn(results, finished)
    won = [game for game in finished if game.winner]
    shown += _extreme(results, won, "Shortest game", lambda game: -_length(results, game))
    strong = {row.bot for row in results.standings.bots[: max(len(results.standings.bots) // 2, 2)]}
    among = [game for game in finished if {game.first, game.second} <= strong]
    shown += _extreme(
        results, among, "Longest game between strong bots", lambda game: _length(results, game)
    )
    return [*{each.game.game: each for each in reversed(shown)}.values()][::-1]


def _length(results: ContestResults, game: GameEnded) -> int:
    return plies(game.moves, results.contest.variant)


def _extreme(
    results: ContestResults,
    games: Iterable[GameEnded],
    title: str,
    rank: Callable[[GameEnded], int],
) -> list[RemarkableGame]:
    """Return the game with the highest rank in a list, or nothing if there are no games."""
    game = max(games, key=rank, default=None)
    if game is None:
        return []
    return [_made(results, game, _length(results, game), title, outcome(game))]


def _biggest_turn(results: ContestResults, games: Iterable[GameEnded]) -> list[RemarkableGame]:
    """Return the game with the move that cost most, after the move."""
    game, change = max(
        _changes(results, games), key=lambda pair: _cost(pair[1]), default=(None, None)
    )
    if game is None or change is None:
        return []
    text = (
        f"{value_text(change.before)} became {value_text(change.after)} at move {change.ply + 1}."
    )
    return [_made(results, game, change.ply + 1, "Biggest turn", text)]


def _changes(
    results: ContestResults, games: Iterable[GameEnded]
) -> Iterator[tuple[GameEnded, Change]]:
    if results.contest.solved:
        for game in games:
            for change in results.analysis(game).changes:
                yield game, change


def _cost(change: Change) -> tuple[int, int]:
    return outcome_of(change.before) - outcome_of(change.after), change.before - change.after


def _made(
    results: ContestResults, game: GameEnded, ply: int, title: str, text: str
) -> RemarkableGame:
    variant = results.contest.variant
    before = position_from_moves(first_moves(game.moves, ply - 1, variant), variant)
    after = first_moves(game.moves, ply, variant)
    name = after[-1] if variant.gravity else after.rpartition(" ")[2]
    cell = cell_named(before, name)
    return RemarkableGame(game, ply, board_svg(before.play(cell), cell, styled=False), title, text)
