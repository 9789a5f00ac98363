"""A message about workers that were lost, and the bots that may be the reason."""

import sys
from collections.abc import Sequence


def tell_lost(lost: Sequence[tuple[str, str]]) -> None:
    """Print on standard error how many workers were lost; name the bots in all of their games.

    ``lost`` has the names of both bots for each game whose worker was lost.
    """
    if lost:
        sys.stderr.write(f"{_lost_text(lost)}\n")


def _lost_text(lost: Sequence[tuple[str, str]]) -> str:
    games = "1 game was" if len(lost) == 1 else f"{len(lost)} games were"
    text = f"{games} stopped: a worker process ended, hung, or wrote a wrong record"
    suspects = sorted(set.intersection(*map(set, lost)))
    return f"{text}; in each of them played {' and '.join(suspects)}" if suspects else text
