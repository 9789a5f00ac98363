"""Schedules played out, for tests: who wins is a rule, and each pair of games has its opening."""

from collections.abc import Callable, Sequence
from typing import NamedTuple
from zlib import crc32

from c4_protocol.errors import OutOfOpenings
from c4_referee.schedule import GameKey, Plan, Results, Roster, Round, system
from hypothesis import strategies as st

Rule = Callable[[GameKey], int | None]
"""The half points of the first player of a game."""


class Outcome(NamedTuple):
    """What a schedule has generated: rounds, their results, and the ranking at the end."""

    rounds: list[Round]
    results: list[Results]
    ranking: tuple[int, ...] | None

    @property
    def games(self) -> list[GameKey]:
        """Those of all rounds."""
        return [key for one in self.rounds for key in one.games]


def play(name: str, plan: Plan, rule: Rule, limit: int = 1000) -> Outcome:
    """Plays a schedule out, or so many rounds of it, with results by a rule."""
    outcome = Outcome([], [], None)
    generator = system(name)(plan)
    try:
        following = next(generator)
        while len(outcome.rounds) < limit:
            outcome.rounds.append(following)
            outcome.results.append([rule(key) for key in following.games])
            following = generator.send(outcome.results[-1])
    except StopIteration as end:
        return outcome._replace(ranking=end.value)
    return outcome


def lower_wins(key: GameKey) -> int:
    """The player with the lower number wins every game."""
    return 2 if key.first < key.second else 0


def higher_wins(key: GameKey) -> int:
    """And here the other one."""
    return 2 - lower_wins(key)


def drawn(key: GameKey) -> int:
    """Every game is drawn."""
    return 1


def void(key: GameKey) -> None:
    """Every game is void."""


def first_wins(key: GameKey) -> int:
    """Whoever goes first: each pair of games is tied."""
    return 2


def table(outcomes: Sequence[int | None]) -> Rule:
    """Results without rhyme or reason, the same for the same game."""
    return lambda key: outcomes[crc32(repr(tuple(key)).encode()) % len(outcomes)]


def own_opening(n: int) -> tuple[str, int]:
    """``Starts`` in which every pair of games of two players has another opening."""
    return str(n + 1), 0


def only(openings: int) -> Callable[[int], tuple[str, int]]:
    """``Starts`` of so few openings."""

    def start(n: int) -> tuple[str, int]:
        if n >= openings:
            raise OutOfOpenings(f"there are {openings}")
        return own_opening(n)

    return start


def of(players: int, *later: tuple[int, tuple[int, ...]], **settings: int) -> Plan:
    """A plan for so many players at first, and others after so many games."""
    roster = Roster((*Roster.of(players).changes, *later))
    return Plan(roster, own_opening, **settings)


rules = st.lists(st.sampled_from((0, 1, 2, None)), min_size=1, max_size=12).map(table)
"""Any rule."""
