"""Lines that compare changed bots with their earlier versions."""

from pathlib import Path

from c4_protocol.records.report_text import points_text

from c4_referee.contest.earlier import Earlier
from c4_referee.records.stats.bounded import TAIL_PROBABILITY, interval
from c4_referee.records.stats.observations import games_that_count, half_points, pair_counts
from c4_referee.records.storage.contests import StoredContest, read_contests
from c4_referee.records.storage.meant import meant

MAX_BOTS = 3
"""Maximum number of changed bots that are compared."""


def comparison_of_versions(earlier: Earlier | None, folder: Path | None) -> list[str]:
    """Return two lines for each changed bot, after a run in a folder."""
    if folder is None or earlier is None or not earlier.changed:
        return []
    now = meant(read_contests(folder))
    return [
        line for bot in earlier.changed[:MAX_BOTS] for line in _lines(bot, earlier.contest, now)
    ]


def _lines(bot: str, before: StoredContest, now: StoredContest) -> list[str]:
    """Return a line for each version of a bot: points and accuracy with their 95% intervals.

    Only points against bots that are the same in both contests are compared. The result is empty if
    nothing can be compared.
    """
    from c4_referee.report.site.results import ContestResults

    versions = [
        {each.name: each.fingerprint for each in contest.bots if not each.withdrawn}
        for contest in (before, now)
    ]
    same = versions[0].items() & versions[1].items()
    opponents = {name for name, _ in same}
    facts = []
    for contest in (before, now):
        games = [
            game
            for game in games_that_count(contest.games)
            if bot in game.bots and opponents.intersection(game.bots)
        ]
        points = points_text(sum(half_points(bot, game) for game in games) / 2)
        low, high = interval(pair_counts(bot, games), TAIL_PROBABILITY)
        scored = f"{points} of {len(games)} points (95%: {low:.0%} to {high:.0%})" if games else ""
        record = ContestResults(contest).accuracy.get(bot)
        kept = ""
        if record and record.share is not None:
            interval_text = f"(95%: {record.low:.0%} to {record.high:.0%})"
            kept = f"{record.share:.0%} of its moves kept the result {interval_text}"
        facts.append((scored, kept))
    compared = [each for each in zip(*facts, strict=True) if all(each)]
    texts = [", ".join(parts) for parts in zip(*compared, strict=True)]
    return [f"{bot}, {when}: {text}" for when, text in zip(("before", "now"), texts, strict=False)]
