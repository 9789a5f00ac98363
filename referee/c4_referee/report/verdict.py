"""The verdict of a match in words: who is better, and how many more games would settle it."""

import math
from collections import Counter
from collections.abc import Sequence

from c4_protocol.records.events import GameEnded
from c4_protocol.records.report_text import decision_text, lead_of
from c4_protocol.records.reports import MatchReport, WorstMove

from c4_referee.records.stats.elo import MAX_ELO_DIFFERENCE, MAX_PAIRS_TO_SETTLE, pairs_to_settle
from c4_referee.records.stats.observations import pair_counts
from c4_referee.report.texts import elo_interval, joined_with_or, signed

MANY_REPEATED = 2
"""Minimum ratio of games to distinct games with which the verdict advises other openings."""
REPEATED = "most games repeat each other: --openings random:4 gives the bots other games to play"
MAX_CERTAIN = 400
"""Maximum Elo difference that is shown as a number. Games rarely measure larger ones."""


def verdict(report: MatchReport, games: Sequence[GameEnded]) -> str:
    """Return who is ahead, how likely it is the better bot, and what would make that sure.

    The bot that is ahead has more points. A likelihood stands only beside a lead that the pairs of
    games confirm, so it is more than 50%. A sequential test decides if there is one. Otherwise the
    result is settled if the 95% interval of the Elo difference excludes 0. Then the likelihood is
    above 97.5% (``elo``). No number of further games is named if points are equal, or if games
    repeat. If one bot forfeited all games, only this is said.
    """
    if loser := bot_that_forfeited_all(games):
        return f"{loser} forfeited {'the game' if len(games) == 1 else f'all {len(games)} games'}"
    if not report.games:
        return "No game has a result"
    lead = lead_of(report)
    if decision := decision_text(report):
        return f"{lead.text}; {decision}"
    if lead.is_settled:
        return f"{lead.text}: settled"
    return f"{lead.text}; {_advice(report, games, lead.likelihood)}"


def _advice(report: MatchReport, games: Sequence[GameEnded], sure: float) -> str:
    """Return what would settle a result that is not settled."""
    faults = Counter(game.fault.bot for game in games if game.fault)
    if often := [bot for bot, number in faults.items() if 2 * number >= len(games)]:
        return " and ".join(f"{bot} forfeited {faults[bot]} of {len(games)} games" for bot in often)
    if report.distinct_games * MANY_REPEATED <= report.games:
        return REPEATED
    counts = pair_counts(report.bots[0], games)
    if sure <= 0.5 or not any(counts):
        return "only more games can show a difference"
    if report.wins < report.losses:
        counts.reverse()
    pairs = pairs_to_settle(counts)
    if pairs >= MAX_PAIRS_TO_SETTLE:
        return f"more than {2 * pairs:,} games would settle it"
    more = 2 * math.ceil(report.games * pairs / sum(counts) / 2) - report.games
    more = int(float(f"{more:.1e}"))  # an estimate: at most two digits are not 0
    total = f" (--games {report.games + more})" if report.complete else ""
    return f"about {more:,} more games would settle it{total}"


def bot_that_forfeited_all(games: Sequence[GameEnded]) -> str:
    """Return the bot whose faults decided all games, or an empty text."""
    losers = {game.fault.bot if game.fault and game.winner else "" for game in games}
    return losers.pop() if len(losers) == 1 else ""


def elo_text(bots: Sequence[str], difference: float, low: float, high: float) -> str:
    """Return the Elo difference of two bots from the point of view of the bot that is ahead."""
    bot = bots[0]
    if difference < 0:
        bot, difference, low, high = bots[1], -difference, -high, -low
    value = signed(difference)
    if difference > MAX_CERTAIN:
        value, high = f"more than +{MAX_CERTAIN}", MAX_ELO_DIFFERENCE
    return f"Elo difference: {value} for {bot} (95 %: {elo_interval(low, high)})"


def worst_move_text(worst: WorstMove, games: Sequence[GameEnded]) -> str:
    """Return a sentence about the costliest move of a match."""
    game = next(game for game in games if game.game == worst.game)
    verb = "lost" if game.winner else "drew"
    where = f"{verb} game {worst.game} at move {worst.number}:"
    if game.winning_bot == worst.bot:
        where = f"won game {worst.game}, but at move {worst.number}"
    what = "column" if worst.move.isalnum() and len(worst.move) == 1 else "move"
    gift, keeps = ("won", "wins") if worst.before > 0 else ("drawn", "draws")
    better = f" ({what} {joined_with_or(worst.better)} {keeps})" if worst.better else ""
    return f"{worst.bot} {where} {what} {worst.move} gave away a {gift} game{better}"
