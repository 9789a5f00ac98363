"""A ladder: neighbours meet, and a lower player who wins moves up one rung."""

from collections.abc import Sequence
from itertools import count

from c4_referee.contest.schedule import Plan, Schedule, System, sum_half_points
from c4_referee.records.rounds import Player, Round


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` rounds, by default as many as there are players.

    At first the players stand in the roster's order, the best seed on rung 1, at the top. In the
    first round, rungs 1 and 2 meet, 3 and 4, and so on. In the second round, rungs 2 and 3 meet, 4
    and 5, and so on. Then these rounds alternate. If only two players are left, they meet in every
    round. If the lower player of a meeting has more half points, the two players change rungs. New
    players join at the bottom, and players who leave are removed. The ladder ends if fewer than two
    players are left.

    The default number of rounds is enough for every player to reach its rung, even if the last seed
    is the strongest, provided that the stronger player wins every meeting. The ladder is then an
    odd-even transposition sort (Knuth, The Art of Computer Programming, volume 3, section 5.3.4).
    When players join or leave, the default number of rounds counts from this change, so that a new
    player can climb, too.

    Each round has its own openings. If ``rounds`` is set and there are too few openings,
    ``OutOfOpenings`` is raised before the first game. If ``rounds`` is not set, the ladder ends
    when the openings run out, and the exception is raised only if there is no opening at all.
    ``UsageError`` is raised if ``rounds`` is set and players join or leave after the last round.
    """
    plan.check_openings(plan.rounds or 1)
    order: list[Player] = []
    played = settled = 0
    for nth in count():
        order = _ladder_after_changes(order, plan.roster.present(played))
        pairs = _meetings_of_round(order, nth)
        left = _remaining_rounds(plan, nth, settled)
        if not pairs or left <= 0:
            break
        settled += played >= plan.roster.settled
        games = tuple(key for pair in pairs for key in plan.meeting(*pair, nth))
        later = sum(len(_meetings_of_round(order, nth + n)) for n in range(1, left))
        to_come = 2 * plan.pairs * later  # if no player joins or leaves
        results = yield Round(games, (), to_come, tuple(order))
        played += len(games)
        half_points = sum_half_points(games, results)
        occupants = dict(zip(order, order, strict=True))
        for upper, lower in pairs:
            if half_points[lower] > half_points[upper]:
                occupants |= {upper: lower, lower: upper}
        order = [*occupants.values()]
    if plan.rounds is not None:
        plan.roster.check_roster_unchanged(played)
    return tuple(_ladder_after_changes(order, plan.roster.present(played)))


def _remaining_rounds(plan: Plan, nth: int, settled: int) -> int:
    """Return the number of rounds that are left, including round ``nth``. Rounds count from 0.

    ``settled`` rounds have been played since the last player joined or left.
    """
    if plan.rounds is not None:
        return plan.rounds - nth
    left = len(plan.roster.now) - settled
    while left > 0 and not plan.has_openings(nth + left):
        left -= 1
    return left


def _ladder_after_changes(order: Sequence[Player], present: Sequence[Player]) -> list[Player]:
    """Return the ladder without players who have left, and with new players at the bottom."""
    stay = [player for player in order if player in present]
    return stay + [player for player in present if player not in stay]


def _meetings_of_round(order: Sequence[Player], nth: int) -> list[tuple[Player, Player]]:
    """Return the meetings of the n-th round, from 0, each with its upper player first."""
    top = nth % 2 if len(order) > 2 else 0
    return list(zip(order[top::2], order[top + 1 :: 2], strict=False))


SYSTEM = System(
    schedule,
    "Neighbours meet. If the lower bot wins, it moves up and the other bot moves down.",
    default_rounds="the number of bots",
    ranked_by="schedule",
    depends_on_results=True,
    bots_come="It begins at the bottom. Without `rounds`, the number of rounds counts from here.",
    bots_go="It loses the rest of its round. Its games count.",
    changed_after_the_end="More rounds are played. With `rounds`: refused, name another `--out`.",
)
