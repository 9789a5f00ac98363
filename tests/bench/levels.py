"""Elo difference of each level to the level below.

The games begin after random openings of four plies, each played with both colours, with 1 s per
move. The first step is from the player `random` to level 1. The intervals are 95 % intervals from
distinct games.
"""

from collections.abc import Iterator

from _shared import BOT, no_processes_left, show
from c4_protocol.reports import MatchReport
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.report.summary import match_report

COUNTS = ("games", "distinct", "won", "drawn", "lost")
ELO = ("Elo", "low", "high")


def bot(level: int) -> BotSpec:
    """Return the bot of a level, with `random` for level 0. One process plays all games."""
    player = f"--level {level}" if level else "--plays random"
    command = f"{BOT} {player} --seed {level}"
    return BotSpec(name=player.rsplit(maxsplit=1)[-1], command=command, restart="never")


def match(level: int, games: int) -> MatchReport:
    """Play a match between a level and the level below, and return its report."""
    bots = (bot(level), bot(level - 1))
    contest = Contest.match(*bots, games, concurrency=2, openings="random:4", seed=level - 1)
    outcome = contest.play()
    return match_report((bots[0].name, bots[1].name), outcome.tournament, outcome.seconds)


def main(games: int = 400, lowest: int = 1, highest: int = 10) -> None:
    """Play ``games`` games for each level from ``lowest`` to ``highest``."""

    def rows() -> Iterator[tuple[object, ...]]:
        for level in range(lowest, highest + 1):
            found = match(level, games)
            counts = (found.games, found.distinct_games, found.wins, found.draws, found.losses)
            elo = (found.elo, found.elo_low, found.elo_high)
            yield str(level), str(level - 1 or "random"), *counts, *elo

    columns = {"level": "", "over": ""} | dict.fromkeys(COUNTS, "d") | dict.fromkeys(ELO, "+.0f")
    with no_processes_left():
        show("levels", columns, rows())
