"""Who meets whom: pure generators of pairings."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: its number, from 1, and the bots by their place in the list of entrants."""

    number: int
    first: int
    second: int


def match(games: int) -> Iterator[Pairing]:
    """Bots 0 and 1 against each other, taking turns in going first."""
    for number in range(1, games + 1):
        first = (number - 1) % 2
        yield Pairing(number, first, 1 - first)
