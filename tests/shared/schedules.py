"""Schedules that are played with results by a rule. Each pair of games has its own opening."""

from collections.abc import Callable, Sequence
from typing import NamedTuple
from zlib import crc32

from c4_protocol.program.errors import OutOfOpenings
from c4_referee.contest.schedule import Plan, system
from c4_referee.records.rounds import GameKey, Results, Roster, Round
from hypothesis import strategies as st

Rule = Callable[[GameKey], int | None]
"""A function from a game to the half points of its first player, or ``None`` if it is void."""


class Outcome(NamedTuple):
    """The rounds that a schedule has generated, their results, and the final ranking."""

    rounds: list[Round]
    results: list[Results]
    ranking: tuple[int, ...] | None

    @property
    def games(self) -> list[GameKey]:
        """The games of all rounds."""
        return [key for one in self.rounds for key in one.games]


def play(name: str, plan: Plan, rule: Rule, limit: int = 1000) -> Outcome:
    """Play a schedule with results by a rule to its end, or for ``limit`` rounds."""
    outcome = Outcome([], [], None)
    generator = system(name).schedule(plan)
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
    """Return the half points if the player with the lower number wins."""
    return 2 if key.first < key.second else 0


def higher_wins(key: GameKey) -> int:
    """Return the half points if the player with the higher number wins."""
    return 2 - lower_wins(key)


def drawn(key: GameKey) -> int:
    """Return a draw."""
    return 1


def void(key: GameKey) -> None:
    """Return ``None`` for a void game."""


def first_wins(key: GameKey) -> int:
    """Return a win of the first player, so that each pair of games is tied."""
    return 2


def table(outcomes: Sequence[int | None]) -> Rule:
    """Return a rule with arbitrary results, which are always the same for the same game."""
    return lambda key: outcomes[crc32(repr(tuple(key)).encode()) % len(outcomes)]


def own_opening(n: int) -> tuple[str, int]:
    """Return the n-th opening. All openings differ."""
    return str(n + 1), 0


def only(openings: int) -> Callable[[int], tuple[str, int]]:
    """Return ``Starts`` with a limited number of openings."""

    def start(n: int) -> tuple[str, int]:
        if n >= openings:
            raise OutOfOpenings(f"there are {openings}")
        return own_opening(n)

    return start


def of(players: int, *later: tuple[int, tuple[int, ...]], **settings: int) -> Plan:
    """Return a plan for ``players`` players, with changes after some numbers of games."""
    roster = Roster((*Roster.of(players).changes, *later))
    return Plan(roster, own_opening, **settings)


rules = st.lists(st.sampled_from((0, 1, 2, None)), min_size=1, max_size=12).map(table)
"""Strategy for any rule."""
