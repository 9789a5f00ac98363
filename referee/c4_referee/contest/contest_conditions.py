"""Conditions of a contest, in words for its report."""

import os
import platform
from importlib.metadata import version

from c4_referee.contest.contest import Contest


def conditions_of(contest: Contest) -> dict[str, str]:
    """Return the conditions of a contest that a reader of its results wants to know, by name."""
    conditions = {
        "variant": str(contest.variant),
        "time": str(contest.control),
        "openings": contest.openings,
        "pairs of games in a meeting": str(contest.pairs),
        "games at the same time": (
            str(contest.concurrency) if contest.is_local else "as many as the cluster plays"
        ),
        "version of c4-arena": version("c4-arena"),
    }
    if contest.openings.startswith(("random", "balanced")):
        conditions["seed of the openings"] = str(contest.seed)
    if contest.rounds is not None:
        conditions["rounds"] = str(contest.rounds)
    if contest.judge is not None:
        conditions["judge"] = contest.judge.name
    own_times = [
        f"{bot.name} {bot.time_ms:g} ms" for bot in contest.bots if bot.time_ms is not None
    ]
    if own_times:
        conditions["own times"] = ", ".join(own_times)
    conditions["machine"] = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
        if contest.is_local
        else f"a cluster ({contest.executor})"
    )
    return conditions
