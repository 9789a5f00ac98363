"""A ladder: neighbours meet, and who wins from below climbs a rung."""

from collections.abc import Sequence
from itertools import count

from c4_protocol.errors import OutOfOpenings

from c4_referee.schedule import Plan, Round, Schedule, half_points


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` rounds, by default as many as there are players.

    At first the players stand in the roster's order, the best at the top. Places 1 and 2, 3 and 4
    and so on meet in the first round, 2 and 3, 4 and 5 and so on in the second, and so in turn. If
    only two players are left, they meet in every round. The lower player of a meeting changes
    places with the upper one if it has more half points. New players join at the bottom, players
    who leave are taken out, and with fewer than two players the ladder ends.

    As many rounds as players are enough for every player to reach its place, also for the last
    seed to reach the top, if the stronger player wins every meeting: the rounds are those of an
    odd-even transposition sort (Knuth, The Art of Computer Programming, volume 3, section 5.3.4).
    When players join or leave, the default counts from there, so that a new player can climb, too.
    All rounds that an earlier run has stored are kept, and the last of them is finished: earlier
    versions had no default, and played on.

    Each round has openings of its own. With ``rounds``, ``OutOfOpenings`` is raised at once if
    there are too few; without, the ladder ends with its openings, and the exception is raised if
    there is not even one.
    """
    plan.check_openings(plan.rounds or 1)
    order: list[int] = []
    played = settled = 0
    for nth in count():
        order = _with(order, plan.roster.after(played))
        pairs = _neighbours(order, nth)
        left = _rounds_left(plan, nth, settled)
        if not pairs or (left <= 0 and not _is_stored(plan, nth, played)):
            break
        settled += played >= plan.roster.changes[-1][0]
        games = tuple(key for pair in pairs for key in plan.meeting(*pair, nth))
        to_come = _to_come(plan, len(order), range(nth + 1, nth + left))
        results = yield Round(games, (), to_come, tuple(order))
        played += len(games)
        order = _climbed(order, pairs, half_points(games, results))
    return tuple(_with(order, plan.roster.after(played)))


def _rounds_left(plan: Plan, nth: int, settled: int) -> int:
    """Return how many rounds are to be played from the n-th on.

    ``settled`` rounds have been played since the last player joined or left.
    """
    if plan.rounds is not None:
        return plan.rounds - nth
    left = len(plan.roster.now) - settled
    while left > 0 and not _has_openings(plan, nth + left):
        left -= 1
    return left


def _is_stored(plan: Plan, nth: int, played: int) -> bool:
    """Return whether an earlier run has stored games of the n-th round, which is no longer due."""
    return plan.rounds is None and played < plan.roster.stored and _has_openings(plan, nth + 1)


def _has_openings(plan: Plan, rounds: int) -> bool:
    try:
        plan.check_openings(rounds)
    except OutOfOpenings:
        return False
    return True


def _with(order: Sequence[int], there: Sequence[int]) -> list[int]:
    """The ladder without those who have left, and with those who have joined."""
    stay = [player for player in order if player in there]
    return stay + [player for player in there if player not in stay]


def _neighbours(order: Sequence[int], nth: int) -> list[tuple[int, int]]:
    """Who meets in the n-th round, from 0, the upper one of each two first."""
    top = nth % 2 if len(order) > 2 else 0
    return list(zip(order[top::2], order[top + 1 :: 2], strict=False))


def _to_come(plan: Plan, players: int, later: range) -> int:
    """Return how many games the later rounds have, if all players stay."""
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
