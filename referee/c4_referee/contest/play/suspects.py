"""Conclusions from games whose worker was lost: which bots may be the reason.

A worker is lost if it ends, hangs or writes a wrong record. A bot can cause this, but so can the
machine. A bot must not be able to make its opponent look guilty. Therefore it is not enough that a
bot was in all of these games. Nor is it necessary, because the worker of another game may have been
lost for another reason.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

MIN_SHARE_OF_CULPRIT = 0.75
"""Minimum share of the lost games that are games of the culprit."""
LostGame = tuple[str, str]
"""Names of both bots in a game whose worker was lost."""
MIN_LOST_GAMES_AGAINST_OTHERS = 2
"""Minimum number of a culprit's lost games that remain if the games against any one opponent are
left out. With one such game, an opponent could be the reason for the others. So a culprit has lost
at least three games."""


def suspects_of(lost: Sequence[LostGame]) -> list[str]:
    """Return the names of the bots that played in all lost games, sorted, or the culprit."""
    if not lost:
        return []
    in_all = sorted(set.intersection(*map(set, lost)))
    return in_all or [name for name in [culprit_of(lost)] if name is not None]


def culprit_of(lost: Sequence[LostGame]) -> str | None:
    """Return the bot that is the reason for the lost games, or ``None`` if this is not clear."""
    culprits = [name for name in sorted({*chain(*lost)}) if _is_culprit(name, lost)]
    return culprits[0] if len(culprits) == 1 else None


def _is_culprit(suspect: str, lost: Sequence[LostGame]) -> bool:
    """Return whether a bot lost most of these games, and no single opponent can be the reason."""
    own = [game for game in lost if suspect in game]
    opponents = Counter(name for game in own for name in game if name != suspect)
    against_others = len(own) - max(opponents.values(), default=0)
    return (
        len(own) >= MIN_SHARE_OF_CULPRIT * len(lost)
        and against_others >= MIN_LOST_GAMES_AGAINST_OTHERS
    )
