"""A knockout: the loser of a meeting is out, until one player is left."""

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from c4_protocol.program.errors import OutOfOpenings, UsageError

from c4_referee.contest.schedule import Plan, Schedule, System, pair_of_games, sum_half_points
from c4_referee.records.rounds import GameKey, Player, Results, Round

MAX_EXTRA_PAIRS = 4
"""Maximum number of additional pairs of games in a tied meeting, played one pair at a time."""

_Players = tuple[Player, ...]


@dataclass
class _Meeting:
    """A meeting in the bracket.

    ``sides`` has the players of the meeting, the better seed first. It has fewer than two if a
    player has left, or if a line of the bracket is empty. ``lead`` is the half points of the better
    seed minus those of the other player.
    """

    sides: _Players
    lead: int = 0

    @property
    def is_tied(self) -> bool:
        return len(self.sides) == 2 and self.lead == 0

    @property
    def winner(self) -> _Players:
        """The player who goes on to the next stage, in a tuple that is empty if there is none."""
        return self.sides[1:] if self.lead < 0 else self.sides[:1]

    @property
    def players_still_in(self) -> _Players:
        """The players of this meeting who can still win the knockout."""
        return self.sides if self.is_tied else self.winner

    def remove_absent(self, present: Collection[Player]) -> None:
        """Remove players who are not in ``present``. A decided meeting is not changed."""
        if self.lead == 0:
            self.sides = tuple(player for player in self.sides if player in present)

    def games(self, starts: Iterable[tuple[str, int]]) -> Iterator[GameKey]:
        """Generate a pair of games for each opening."""
        better, worse = self.sides
        for start in starts:
            yield from pair_of_games(better, worse, start)


def schedule(plan: Plan) -> Schedule:
    """Play a bracket in which the two best seeds can meet only in the final.

    The roster's order gives the seeds. The size of the bracket is the number of players, rounded up
    to a power of two. If it is larger than the number of players, the best seeds do not play in the
    first stage. All meetings of a stage are played at the same time, from the same openings. Each
    stage has different openings. If a meeting is tied, its players get one more pair of games, with
    the next opening. This is repeated up to ``MAX_EXTRA_PAIRS`` times, or until the openings run
    out. If the meeting is still tied, the better seed goes on, because two bots without randomness
    could tie forever.

    A player who leaves loses the current meeting if it is tied, and otherwise the next one. If both
    players of a meeting have left, neither goes on. The ranking begins with the players who are
    still in, by seed. Then it has the players who lost: later stages first, and within a stage by
    seed. ``to_come`` is the number of later games if there are no more ties.

    Raises ``UsageError`` if ``rounds`` is set, because the bracket decides it, if players join,
    because the bracket has no room for them, and if players leave after the end. Raises
    ``OutOfOpenings`` if there are too few openings even without ties.
    """
    if plan.rounds is not None:
        raise UsageError("a knockout has the rounds that its bracket needs: remove 'rounds'")
    if not set().union(*(there for _, there in plan.roster.changes)) <= {*plan.roster.after(0)}:
        raise UsageError(
            "nobody can join a knockout that has begun, and a changed bot is a new one: "
            "name another folder with --out to begin a new one, or put the bots back as they were"
        )
    plan.check_openings(_count_stages(plan))
    seeds = ranking = plan.roster.after(0)
    bracket = _bracket_lines(seeds)
    played, meetings = 0, list[_Meeting]()
    for nth in range((len(bracket) - 1).bit_length()):
        meetings = [
            _Meeting(tuple(player for player in seeds if player in first + second))
            for first, second in zip(bracket[::2], bracket[1::2], strict=True)
        ]
        played = yield from _play_stage(plan, nth, ranking, meetings, played)
        bracket = [meeting.winner for meeting in meetings]
        ranking = _with_winners_first(ranking, bracket)
    if any(len(meeting.sides) == 2 for meeting in meetings):  # the final was played
        plan.roster.check_roster_unchanged(played)
    return ranking


def _bracket_lines(seeds: Sequence[Player]) -> list[_Players]:
    """Return the lines of the bracket, each with one player or none.

    Neighbouring lines meet, then the winners of neighbouring meetings. The bracket begins with one
    line, and is doubled until it has room for all players. Each doubling gives every seed a
    neighbour. The two seed numbers of a meeting have the same sum in all meetings.
    """
    lines = [0]
    while len(lines) < len(seeds):
        worst = 2 * len(lines) - 1
        lines = [seed for line in lines for seed in (line, worst - line)]
    return [tuple(seeds[line : line + 1]) for line in lines]


def _play_stage(
    plan: Plan, nth: int, ranking: Sequence[Player], meetings: Sequence[_Meeting], played: int
) -> Generator[Round, Results, int]:
    """Play the n-th stage of the bracket, from 0: one round, and one more for each tie-break.

    ``played`` is the number of games before the stage. Return the number of games after it.
    """
    tied = meetings
    for extra in range(1 + MAX_EXTRA_PAIRS):
        for meeting in tied:
            meeting.remove_absent(plan.roster.present(played))
        tied = [meeting for meeting in tied if meeting.is_tied]
        starts = _openings_of_stage(plan, nth, extra) if tied else []
        if not starts:
            break
        games = tuple(key for meeting in tied for key in meeting.games(starts))
        alone = [meeting.sides[0] for meeting in meetings if len(meeting.sides) == 1]
        winners = sum(
            bool(meeting.sides) for meeting in meetings
        )  # each meeting removes one player
        standing = _with_winners_first(ranking, (meeting.players_still_in for meeting in meetings))
        results = yield Round(
            games,
            () if extra else tuple(alone),
            2 * plan.pairs * (winners - 1),
            standing,
            may_grow=True,
        )
        points = sum_half_points(games, results)
        for meeting in tied:
            better, worse = meeting.sides
            meeting.lead = points[better] - points[worse]
        played += len(games)
    return played


def _openings_of_stage(plan: Plan, nth: int, extra: int) -> list[tuple[str, int]]:
    """Return the openings of the n-th stage, or of its tie-break ``extra``, which counts from 1.

    Openings for tie-breaks come after the openings of all stages. A file of openings may have too
    few for them. Then the list is empty.
    """
    first, number = nth * plan.pairs, plan.pairs
    if extra:
        first, number = _count_stages(plan) * plan.pairs + nth * MAX_EXTRA_PAIRS + extra - 1, 1
    try:
        return [plan.start(n) for n in range(first, first + number)]
    except OutOfOpenings:
        return []


def _count_stages(plan: Plan) -> int:
    """Return the number of stages of the bracket."""
    return (max(len(plan.roster.after(0)), 1) - 1).bit_length()


def _with_winners_first(
    ranking: Sequence[Player], players_still_in: Iterable[_Players]
) -> _Players:
    """Return the ranking with the players who are still in moved before the others."""
    players_in = {player for players in players_still_in for player in players}
    return (
        *(player for player in ranking if player in players_in),
        *(player for player in ranking if player not in players_in),
    )


SYSTEM = System(
    schedule,
    "The bot that loses a meeting is out. A tied meeting gets up to four more pairs of games.",
    default_rounds="as many as needed",
    ranked_by="schedule",
    depends_on_results=True,
    bots_come="Refused: name another `--out`.",
    bots_go="Its opponent advances. Its games count.",
    changed_after_the_end="Refused: name another `--out`.",
)
