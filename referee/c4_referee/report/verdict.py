"""The verdict of a match in words: who is better, and how many more games would show it."""

from collections.abc import Sequence

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import MatchReport, WorstMove

from c4_referee.report.texts import counted, elo_interval, joined_with_or, signed
from c4_referee.stats.elo import pairs_needed_to_show
from c4_referee.stats.observations import pair_counts, winner_of

MANY_REPEATED = 2
"""Minimum ratio of games to distinct games with which the verdict advises other openings."""
REPEATED = "most games repeat each other: --openings random:4 gives the bots other games to play"
DIFFERENCES = (400, 200, 100, 50, 20, 10, 5)
"""Elo differences for which the verdict may say how many games would show them, largest first.

Those above ``USUAL_DIFFERENCE`` are for bots that seem to differ by as much.
"""
USUAL_DIFFERENCE = 100
MAX_CERTAIN = 400
"""Maximum Elo difference that is shown as a number. Games rarely measure larger ones."""


def verdict(report: MatchReport, games: Sequence[GameEnded]) -> str:
    """Return a sentence that says which bot is better, or what would show it.

    A sequential test decides if there is one. Otherwise a bot is better if the 95% interval of the
    Elo difference excludes 0. If all games were lost by one bot's faults, the sentence says so.
    """
    losers = {game.fault.bot if game.fault else None for game in games}
    if len(losers) == 1 and (loser := losers.pop()):
        return f"{loser} forfeited {'the game' if len(games) == 1 else f'all {len(games)} games'}"
    seat = _better_seat(report)
    if seat is not None:
        first, second = report.bots
        bot, wins, losses = (
            (first, report.wins, report.losses)
            if seat == 0
            else (second, report.losses, report.wins)
        )
        return (
            f"{bot} is better: it won {wins}, drew {report.draws} and lost {losses} of "
            f"{counted(report.games, 'game')}"
        )
    if report.sprt is not None and report.sprt.verdict == "H0":
        return f"{report.bots[0]} is not stronger by as much as the sequential test asked"
    return f"No difference shown yet: {_what_would_show_one(report, games)}"


def _better_seat(report: MatchReport) -> int | None:
    if report.sprt is not None:
        return 0 if report.sprt.verdict == "H1" else None
    if report.elo_low > 0:
        return 0
    return 1 if report.elo_high < 0 else None


def _what_would_show_one(report: MatchReport, games: Sequence[GameEnded]) -> str:
    if report.sprt is not None:
        return "the sequential test needs more games"
    if report.distinct_games * MANY_REPEATED <= report.games:
        return REPEATED
    counts = pair_counts(report.bots[0], games)
    largest = max(abs(report.elo), USUAL_DIFFERENCE)
    for difference in (each for each in DIFFERENCES if each <= largest):
        more = 2 * (pairs_needed_to_show(counts, difference) - sum(counts))
        if more > 0:
            break
    return f"about {_rounded(more)} more games would show {difference} Elo"


def _rounded(number: int) -> int:
    """Return a number with at most two digits other than 0, because it is an estimate."""
    return int(float(f"{number:.1e}"))


def elo_text(report: MatchReport) -> str:
    """Return the Elo difference from the point of view of the bot that is ahead."""
    bot, (difference, low, high) = report.bots[0], (report.elo, report.elo_low, report.elo_high)
    if difference < 0:
        bot, difference, low, high = report.bots[1], -difference, -high, -low
    value = f"more than +{MAX_CERTAIN}" if difference > MAX_CERTAIN else signed(difference)
    return f"Elo difference: {value} for {bot} (95 %: {elo_interval(low, high)})"


def worst_move_text(worst: WorstMove, games: Sequence[GameEnded]) -> str:
    """Return a sentence about the costliest move of a match."""
    game = next(game for game in games if game.game == worst.game)
    result = "drew" if winner_of(game) is None else "lost"
    what = "column" if worst.move.isalnum() and len(worst.move) == 1 else "move"
    gift = "won" if worst.before > 0 else "drawn"
    keeps = ("win" if worst.before > 0 else "draw") + "s" * (len(worst.better) == 1)
    better = f" ({joined_with_or(worst.better)} {keeps})" if worst.better else ""
    return (
        f"{worst.bot} {result} game {worst.game} at move {worst.number}: {what} {worst.move} gave "
        f"away a {gift} game{better}"
    )
