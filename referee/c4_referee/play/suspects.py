"""Conclusions from games whose worker was lost: which bots may be the reason.

A worker is lost if it ends, hangs or writes a wrong record. A bot can cause this, but so can the
machine. A bot must not be able to make its opponent look guilty. Therefore it is not enough that a
bot was in all of these games.
"""

from collections import Counter
from collections.abc import Sequence

LostGame = tuple[str, str]
"""Names of both bots in a game whose worker was lost."""
MIN_AGAINST_OTHERS = 2
"""Minimum number of a culprit's lost games that remain if the games against any one opponent are
left out. With one such game, an opponent could be the reason for the others. So a culprit has lost
at least three games."""


def suspects_of(lost: Sequence[LostGame]) -> list[str]:
    """Return the names of the bots that played in all lost games, sorted."""
    return sorted(set.intersection(*map(set, lost))) if lost else []


def culprit_of(lost: Sequence[LostGame]) -> str | None:
    """Return the bot that is the reason for the lost games, or ``None`` if this is not clear."""
    suspects = suspects_of(lost)
    if len(suspects) != 1:
        return None
    (suspect,) = suspects
    opponents = Counter(name for game in lost for name in game if name != suspect)
    against_others = len(lost) - max(opponents.values())
    return suspect if against_others >= MIN_AGAINST_OTHERS else None
