"""A ladder: neighbours meet, and who wins from below climbs a rung."""

from collections.abc import Sequence
from itertools import count

from c4_protocol.errors import OutOfOpenings

from c4_referee.schedule import Plan, Round, Schedule, half_points


def schedule(plan: Plan) -> Schedule:
    """So many ``rounds``; without them there is always another one.

    At first players stand in the roster's order, the best at the top. Places 1 and 2, 3 and 4 and
    so on meet in the first round, 2 and 3, 4 and 5 and so on in the second, and so in turn; where
    only two are left they meet in every round. Who has more half points in a meeting and stood
    lower changes places with the other. New players join at the bottom, those who leave are taken
    out; with fewer than two it ends. Each round has openings of its own: without ``rounds`` it
    also ends where there are no more of them, with them it raises ``OutOfOpenings`` at once.
    """
    plan.check_openings(plan.rounds or 0)
    order: list[int] = []
    played = 0
    for nth in count() if plan.rounds is None else range(plan.rounds):
        order = _with(order, plan.roster.after(played))
        pairs = _neighbours(order, nth)
        if not pairs:
            break
        try:
            games = tuple(key for pair in pairs for key in plan.meeting(*pair, nth))
        except OutOfOpenings:
            break
        results = yield Round(games, (), _to_come(plan, len(order), nth), tuple(order))
        played += len(games)
        order = _climbed(order, pairs, half_points(games, results))
    return tuple(_with(order, plan.roster.after(played)))


def _with(order: Sequence[int], there: Sequence[int]) -> list[int]:
    """The ladder without those who have left, and with those who have joined."""
    stay = [player for player in order if player in there]
    return stay + [player for player in there if player not in stay]


def _neighbours(order: Sequence[int], nth: int) -> list[tuple[int, int]]:
    """Who meets in the n-th round, from 0, the upper one of each two first."""
    top = nth % 2 if len(order) > 2 else 0
    return list(zip(order[top::2], order[top + 1 :: 2], strict=False))


def _to_come(plan: Plan, players: int, nth: int) -> int:
    """How many games follow after the n-th round, if everybody stays; 0 where it has no end."""
    later = range(nth + 1, plan.rounds or 0)
    return 2 * plan.pairs * sum(len(_neighbours(range(players), each)) for each in later)


def _climbed(
    order: Sequence[int], pairs: Sequence[tuple[int, int]], points: dict[int, int]
) -> list[int]:
    """The ladder after a round in which each got so many half points."""
    new = dict(zip(order, order, strict=True))
    for upper, lower in pairs:
        if points[lower] > points[upper]:
            new |= {upper: lower, lower: upper}
    return list(new.values())
