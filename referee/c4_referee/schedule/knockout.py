"""A knockout: who loses a meeting is out, until one is left."""

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from c4_protocol.errors import OutOfOpenings, UsageError

from c4_referee.schedule import GameKey, Plan, Results, Round, Schedule, half_points, pair

EXTRA_PAIRS = 4
"""How many more pairs of games a tied meeting is given, one at a time."""

Place = tuple[int, ...]
"""Who has come to a place in the bracket: a player, or nobody."""


@dataclass
class _Meeting:
    """A meeting in the bracket: the two, the better seed first, or those of them who are there.

    ``lead`` are the half points of the better seed less those of the other.
    """

    sides: Place
    lead: int = 0

    @property
    def is_tied(self) -> bool:
        return len(self.sides) == 2 and self.lead == 0

    @property
    def winner(self) -> Place:
        return self.sides[1:] if self.lead < 0 else self.sides[:1]

    @property
    def still_in(self) -> Place:
        return self.sides if self.is_tied else self.winner

    def leave_out(self, there: Collection[int]) -> None:
        """Who is not there loses, unless it is all over."""
        if self.lead == 0:
            self.sides = tuple(player for player in self.sides if player in there)

    def games(self, starts: Iterable[tuple[str, int]]) -> Iterator[GameKey]:
        """A pair of games for each of these openings."""
        better, worse = self.sides
        for start in starts:
            yield from pair(better, worse, start)


def schedule(plan: Plan) -> Schedule:
    """A bracket for the next power of two, in which the two best seeds can meet only at its end.

    Seeds are the roster's order; where the bracket has room to spare, the best seeds need not play
    in its first round. All meetings of a round of the bracket are played at the same time, from
    openings of its own. Those that are tied then get one more pair of games, with the next opening,
    and again, up to ``EXTRA_PAIRS`` or as long as there are openings; still tied, the better seed
    goes on: two bots without chance in them would tie for ever.

    Who leaves loses the meeting that is tied or comes next; of two who both left nobody goes on.
    The ranking has those who are in by seed, then those who lost, the later the better, and by seed
    those of one round of the bracket. ``to_come`` are the games that follow if there are no more
    ties. Raises ``UsageError`` for ``rounds``, and for players who join: the bracket has no place;
    ``OutOfOpenings`` if there are too few without ties.
    """
    _check(plan)
    plan.check_openings(_rounds(plan))
    seeds = ranking = plan.roster.after(0)
    bracket = _bracket(seeds)
    played = 0
    for nth in range((len(bracket) - 1).bit_length()):
        meetings = [
            _Meeting(tuple(player for player in seeds if player in one + other))
            for one, other in zip(bracket[::2], bracket[1::2], strict=True)
        ]
        played = yield from _play(plan, nth, ranking, meetings, played)
        bracket = [meeting.winner for meeting in meetings]
        ranking = _ranked(ranking, bracket)
    return ranking


def _check(plan: Plan) -> None:
    if plan.rounds is not None:
        raise UsageError("a knockout has the rounds that its bracket needs: do not ask for rounds")
    if not set().union(*(there for _, there in plan.roster.changes)) <= {*plan.roster.after(0)}:
        raise UsageError(
            "nobody can join a knockout that has begun: "
            "leave the new bots out, or give the event another name to begin a new one"
        )


def _bracket(seeds: Sequence[int]) -> list[Place]:
    """Neighbours meet, then the winners of neighbouring meetings, and so on.

    Each time it is doubled, everybody gets the worst seed as a neighbour that keeps all sums equal.
    """
    places = [0]
    while len(places) < len(seeds):
        worst = 2 * len(places) - 1
        places = [seed for place in places for seed in (place, worst - place)]
    return [tuple(seeds[place : place + 1]) for place in places]


def _play(
    plan: Plan, nth: int, ranking: Sequence[int], meetings: Sequence[_Meeting], played: int
) -> Generator[Round, Results, int]:
    """The n-th round, from 0, that begins after so many games; returns after how many it ends."""
    tied = meetings
    for extra in range(1 + EXTRA_PAIRS):
        for meeting in tied:
            meeting.leave_out(plan.roster.after(played))
        tied = [meeting for meeting in tied if meeting.is_tied]
        starts = _starts(plan, nth, extra) if tied else []
        if not starts:
            break
        games = tuple(key for meeting in tied for key in meeting.games(starts))
        byes = () if extra else _alone(meetings)
        standing = _ranked(ranking, (meeting.still_in for meeting in meetings))
        results = yield Round(games, byes, _to_come(plan, meetings), standing, may_grow=True)
        points = half_points(games, results)
        for meeting in tied:
            better, worse = meeting.sides
            meeting.lead = points[better] - points[worse]
        played += len(games)
    return played


def _starts(plan: Plan, nth: int, extra: int) -> list[tuple[str, int]]:
    """The openings of each meeting of the n-th round, at first and then because of each tie.

    Those of ties come after all others: a file of openings need not have as many.
    """
    try:
        return [plan.start(n) for n in _pairs(plan, nth, extra)]
    except OutOfOpenings:
        return []


def _rounds(plan: Plan) -> int:
    """How many the bracket has."""
    return (max(len(plan.roster.after(0)), 1) - 1).bit_length()


def _pairs(plan: Plan, nth: int, extra: int) -> range:
    """Which of all openings those are."""
    if not extra:
        return range(nth * plan.pairs, (nth + 1) * plan.pairs)
    start = _rounds(plan) * plan.pairs + nth * EXTRA_PAIRS + extra - 1
    return range(start, start + 1)


def _alone(meetings: Sequence[_Meeting]) -> tuple[int, ...]:
    """Who goes on without playing."""
    return tuple(meeting.sides[0] for meeting in meetings if len(meeting.sides) == 1)


def _to_come(plan: Plan, meetings: Sequence[_Meeting]) -> int:
    """The games of all later rounds: each meeting puts one out, until one is left."""
    winners = sum(bool(meeting.sides) for meeting in meetings)
    return 2 * plan.pairs * (winners - 1)


def _ranked(ranking: Sequence[int], places: Iterable[Place]) -> tuple[int, ...]:
    """The ranking, in which those who have a place in the bracket have gone before the others."""
    still_in = {player for place in places for player in place}
    return (
        *(player for player in ranking if player in still_in),
        *(player for player in ranking if player not in still_in),
    )
