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

    Each round has openings of its own. With ``rounds``, ``OutOfOpenings`` is raised at once if
    there are too few; without, the ladder ends with its openings, and the exception is raised if
    there is not even one. Without ``rounds`` it also keeps all rounds that were stored before, and
    finishes the last one: earlier versions had no default, and played on.
    """
    rounds = _rounds(plan)
    order: list[int] = []
    played = 0
    for nth in count():
        order = _with(order, plan.roster.after(played))
        pairs = _neighbours(order, nth)
        if not pairs or (nth >= rounds and not _is_stored(plan, played)):
            break
        games = tuple(key for pair in pairs for key in plan.meeting(*pair, nth))
        to_come = _to_come(plan, len(order), nth, rounds)
        results = yield Round(games, (), to_come, tuple(order))
        played += len(games)
        order = _climbed(order, pairs, half_points(games, results))
    return tuple(_with(order, plan.roster.after(played)))


def _rounds(plan: Plan) -> int:
    """Return how many rounds are asked for, or can be played by default."""
    if plan.rounds is not None:
        plan.check_openings(plan.rounds)
        return plan.rounds
    players = max(len(players) for _, players in plan.roster.changes)
    plan.check_openings(1)
    for rounds in range(2, players + 1):
        try:
            plan.check_openings(rounds)
        except OutOfOpenings:
            return rounds - 1
    return players


def _is_stored(plan: Plan, played: int) -> bool:
    """Return whether an earlier run has stored games of rounds beyond the default."""
    return plan.rounds is None and played < plan.roster.stored


def _with(order: Sequence[int], there: Sequence[int]) -> list[int]:
    """The ladder without those who have left, and with those who have joined."""
    stay = [player for player in order if player in there]
    return stay + [player for player in there if player not in stay]


def _neighbours(order: Sequence[int], nth: int) -> list[tuple[int, int]]:
    """Who meets in the n-th round, from 0, the upper one of each two first."""
    top = nth % 2 if len(order) > 2 else 0
    return list(zip(order[top::2], order[top + 1 :: 2], strict=False))


def _to_come(plan: Plan, players: int, nth: int, rounds: int) -> int:
    """Return how many games follow after the n-th of some rounds, if all players stay."""
    later = range(nth + 1, rounds)
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
