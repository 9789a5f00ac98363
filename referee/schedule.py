"""Who meets whom: pure generators of pairings.

The generators number their games from 1, and a longer schedule of the same bots begins with the
shorter one: more games can be asked for later, and none has to be played again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, permutations
from typing import NamedTuple


class GameKey(NamedTuple):
    """What tells a game from all others of its event, whichever number it has.

    ``first`` and ``second`` are bots by their place in the list of entrants, from 0; ``opening``
    are the moves that were made for them; ``repetition`` counts equal games from 0.
    """

    first: int
    second: int
    opening: str = ""
    repetition: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: its number in the schedule, from 1, and its key."""

    number: int
    key: GameKey

    @property
    def first(self) -> int:
        """The bot that plays as player 1, by its place in the list of entrants."""
        return self.key.first

    @property
    def second(self) -> int:
        """The bot that plays as player 2."""
        return self.key.second


def round_robin(bots: int, rounds: int, openings: Sequence[str] = ()) -> Iterator[Pairing]:
    """In each round every bot meets every other twice, going first and going second.

    With ``openings`` each round has the next one of them; there are at least as many as rounds.
    """
    return islice(_rounds(bots, openings), bots * (bots - 1) * rounds)


def match(games: int, openings: Sequence[str] = ()) -> Iterator[Pairing]:
    """Bots 0 and 1 against each other, taking turns in going first."""
    return islice(_rounds(2, openings), games)


def _rounds(bots: int, openings: Sequence[str] = ()) -> Iterator[Pairing]:
    """Rounds of two bots or more: one for each opening, without end where there are none."""
    starts = [(opening, 0) for opening in openings] or (("", n) for n in count())
    keys = (GameKey(*pair, *start) for start in starts for pair in _pairs(bots))
    return (Pairing(number, key) for number, key in enumerate(keys, 1))


def _pairs(bots: int) -> Iterator[tuple[int, int]]:
    """Every ordered pair, each followed by its return game."""
    for one, other in permutations(range(bots), 2):
        if one < other:
            yield one, other
            yield other, one
