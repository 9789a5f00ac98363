"""The most remarkable games of a contest, as small boards."""

from collections.abc import Iterable
from dataclasses import dataclass

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.picture import board_svg

from c4_referee.report.site.replay_page import outcome
from c4_referee.report.site.results import ContestResults


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
    Each game is listed once: a game that is already listed makes room for the next one.
    """
    bots = results.standings.bots
    strong = {row.bot for row in bots[: max(len(bots) // 2, 2)]}
    longest = "Longest game between strong bots" if len(strong) < len(bots) else "Longest game"
    left = [game for game in results.contest.games if game.ending in {"line", "full board"}]
    shown = _biggest_turn(results, left)
    left = [game for game in left if game not in (each.game for each in shown)]
    if won := [game for game in left if game.winner]:
        shown.append(_at_the_end(min(won, key=lambda game: game.plies), "Shortest game"))
        left.remove(shown[-1].game)
    if among := [game for game in left if strong.issuperset(game.bots)]:
        shown.append(_at_the_end(max(among, key=lambda game: game.plies), longest))
    return shown


def _biggest_turn(results: ContestResults, games: Iterable[GameEnded]) -> list[RemarkableGame]:
    """Return the game with the move that cost most, after the move."""
    changes = [*results.changes(games)]
    if not changes:
        return []
    game, change = max(changes, key=lambda each: each[1].cost)
    gift = "won" if change.before > 0 else "drawn"
    text = f"{game.mover(change.ply)} gave away a {gift} game with move {change.ply + 1}."
    return [_shown(game, change.ply + 1, "Biggest turn", text)]


def _at_the_end(game: GameEnded, title: str) -> RemarkableGame:
    return _shown(game, game.plies, title, outcome(game))


def _shown(game: GameEnded, ply: int, title: str, text: str) -> RemarkableGame:
    picture = board_svg(game.positions[ply], game.cells[ply - 1], styled=False)
    return RemarkableGame(game, ply, picture, title, text)
