"""The verdict of a match in words: who is better, and how many more games would show it."""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import MatchReport, WorstMove

from c4_referee.records.stats.elo import pairs_needed_to_show
from c4_referee.records.stats.observations import pair_counts
from c4_referee.report.texts import counted, elo_interval, joined_with_or, signed

MANY_REPEATED = 2
"""Minimum ratio of games to distinct games with which the verdict advises other openings."""
REPEATED = (
    "Most games repeat each other, and --openings random:4 gives the bots other games to play"
)
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
    Elo difference excludes 0. If one bot forfeited all games, or half of them and nothing else is
    shown, the sentence says so.
    """
    faults = Counter(game.fault.bot for game in games if game.fault)
    loser, forfeits = max(faults.items(), key=itemgetter(1), default=("", 0))
    if forfeits == len(games) > 0:
        return f"{loser} forfeited {'the game' if forfeits == 1 else f'all {forfeits} games'}"
    seat, what = _finding(report)
    if not what and forfeits >= len(games) / 2 > 0:
        return f"{loser} forfeited {forfeits} of {len(games)} games"
    if not what:
        return f"No difference shown yet{_what_would_show_one(report, games)}"
    wins, losses = report.wins, report.losses
    if seat:
        wins, losses = losses, wins
    return (
        f"{report.bots[seat]} is {what}: it won {wins}, drew {report.draws} and lost {losses} of "
        f"{counted(report.games, 'game')}"
    )


def _finding(report: MatchReport) -> tuple[int, str]:
    """Return the seat of a bot and what is shown of it, or an empty text.

    H0 of a sequential test says that the difference is below ``elo1``, and H1 that it is above
    ``elo0``.
    """
    sprt = report.sprt
    if sprt is None:
        is_shown = report.elo_low > 0 or report.elo_high < 0
        return int(report.elo_high < 0), "better" if is_shown else ""
    if sprt.verdict == "undecided":
        return 0, ""
    if sprt.verdict == "H1":
        return 0, "better" if sprt.elo0 >= 0 else f"not worse by {-sprt.elo0:g} Elo or more"
    return (0, f"not better by {sprt.elo1:g} Elo or more") if sprt.elo1 > 0 else (1, "better")


def _what_would_show_one(report: MatchReport, games: Sequence[GameEnded]) -> str:
    if report.sprt is not None:
        return ": the sequential test needs more games"
    if report.distinct_games * MANY_REPEATED <= report.games:
        return f". {REPEATED}"
    counts = pair_counts(report.bots[0], games)
    largest = max(abs(report.elo), USUAL_DIFFERENCE)
    for difference in (each for each in DIFFERENCES if each <= largest):
        more = 2 * (pairs_needed_to_show(counts, difference) - sum(counts))
        if more > 0:
            break
    more = int(float(f"{more:.1e}"))  # an estimate: at most two digits are not 0
    total = report.games + more
    return f": about {more} more games would show {difference} Elo (--games {total})"


def elo_text(bots: Sequence[str], difference: float, low: float, high: float) -> str:
    """Return the Elo difference of two bots from the point of view of the bot that is ahead."""
    bot = bots[0]
    if difference < 0:
        bot, difference, low, high = bots[1], -difference, -high, -low
    value, sure = signed(difference), f" (95 %: {elo_interval(low, high)})"
    if difference > MAX_CERTAIN:
        value = f"more than +{MAX_CERTAIN}"
        least = signed(low) if low >= -MAX_CERTAIN else f"less than {signed(-MAX_CERTAIN)}"
        sure = f" (95 %: at least {least})" if low > 0 else f", but not certain: it may be {least}"
    return f"Elo difference: {value} for {bot}{sure}"


def worst_move_text(worst: WorstMove, games: Sequence[GameEnded]) -> str:
    """Return a sentence about the costliest move of a match."""
    game = next(game for game in games if game.game == worst.game)
    result = "drew" if game.winning_bot is None else "lost"
    what = "column" if worst.move.isalnum() and len(worst.move) == 1 else "move"
    gift, keeps = ("won", "wins") if worst.before > 0 else ("drawn", "draws")
    better = f" ({what} {joined_with_or(worst.better)} {keeps})" if worst.better else ""
    return (
        f"{worst.bot} {result} game {worst.game} at move {worst.number}: {what} {worst.move} gave "
        f"away a {gift} game{better}"
    )
