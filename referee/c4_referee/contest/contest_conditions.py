"""Conditions of a contest, in words for its report."""

import os
import platform
from importlib.metadata import version

from c4_referee.contest.contest import Contest
from c4_referee.contest.executor import LOCAL


def conditions_of(contest: Contest) -> dict[str, str]:
    """Return the conditions of a contest that a reader of its results wants to know, by name."""
    found = {
        "variant": str(contest.variant),
        "time": str(contest.control),
        "openings": contest.openings,
        "pairs of games in a meeting": str(contest.pairs),
        "games at the same time": _games_at_once(contest),
        "version of c4-arena": version("c4-arena"),
    }
    if contest.openings.startswith(("random", "balanced")):
        found["seed of the openings"] = str(contest.seed)
    if contest.rounds is not None:
        found["rounds"] = str(contest.rounds)
    if contest.judge is not None:
        found["judge"] = contest.judge.name
    own_times = [
        f"{bot.name} {bot.time_ms:g} ms" for bot in contest.bots if bot.time_ms is not None
    ]
    if own_times:
        found["own times"] = ", ".join(own_times)
    return found | {"machine": _machine(contest)}


def _games_at_once(contest: Contest) -> str:
    return str(contest.concurrency) if contest.is_local else "as many as the cluster plays"


def _machine(contest: Contest) -> str:
    """Return the machine on which the games were played."""
    if contest.executor != LOCAL:
        return f"a cluster ({contest.executor})"
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
