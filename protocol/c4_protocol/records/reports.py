"""Reports: results of contests, and the events with which the referee writes them.

All are plain dataclasses. ``c4_protocol.records.schema`` publishes their JSON Schema.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Literal


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of the first bot of a match."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0


@dataclass(frozen=True, slots=True)
class SprtRecord:
    """State of a sequential test (SPRT).

    ``llr`` is the log-likelihood ratio. The test accepts H0 if it falls to ``lower``, and H1 if it
    rises to ``upper``. The test compares two Elo differences. H1 says that the first bot is
    stronger by the higher difference, H0 says that it is stronger by the lower difference. These
    are ``elo1`` and ``elo0``.
    """

    llr: float
    lower: float
    upper: float
    verdict: Literal["H0", "H1", "undecided"]
    elo0: float
    elo1: float


UntilVerdict = Literal["better", "within", "undecided"]


@dataclass(frozen=True, slots=True)
class UntilRecord:
    """State of the two sequential tests of a match that ends when it is known which bot is better.

    ``tests`` are those of 0 against ``within`` Elo points and of -``within`` against 0. ``bot`` is
    the better bot: the first one if the first test has accepted H1, the second one if the second
    test has accepted H0. The verdict is ``within`` if both have decided otherwise. It is wrong with
    a probability of at most 1 - ``until``.
    """

    until: float
    within: float
    verdict: UntilVerdict
    bot: str | None
    tests: tuple[SprtRecord, SprtRecord]


@dataclass(frozen=True, slots=True)
class MoveTally:
    """Counts of judged moves, by how they changed the exact value of the game.

    ``judged`` is the number of judged moves. ``kept`` of them preserved the outcome (win, draw or
    loss), and ``best`` of them were as good as any other move. ``wins`` of them were made in won
    positions: ``wins_drawn`` of these turned the win into a draw, ``wins_lost`` into a loss.
    ``draws`` of the judged moves were made in positions that are a draw: ``draws_lost`` of these
    turned the draw into a loss.

    Some moves preserve the outcome, but a win takes longer or a loss comes sooner. ``moves_lost``
    is the sum of these differences, counted in moves of the player.
    """

    judged: int
    kept: int
    best: int
    wins: int
    wins_drawn: int
    wins_lost: int
    draws: int
    draws_lost: int
    moves_lost: int


@dataclass(frozen=True, slots=True)
class WorstMove:
    """The costliest judged move of a bot.

    ``game`` is the number of the game, and ``number`` counts its moves from 1. ``move`` is the name
    of the move, such as ``4`` for the fourth column. ``before`` and ``after`` are the exact values
    of the positions before and after it, from the bot's point of view, counted as scores in
    answers. ``better`` are the names of the moves that are known to keep the value.
    """

    game: int
    bot: str
    number: int
    move: str
    before: int
    after: int
    better: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AccuracyRecord:
    """Accuracy of a bot's moves.

    ``moves`` is the number of moves that the bot made, judged or not. ``share`` is the fraction of
    its judged moves that preserved the outcome. The 95% interval of this fraction is ``low`` to
    ``high``. ``share`` is ``null`` if no move was judged. ``total`` counts all judged moves,
    ``as_first`` those that the bot made as player 1, and ``as_second`` those as player 2.
    ``phases`` counts the judged moves in each third of the plies: on 7x6, plies 0 to 13, 14 to 27
    and 28 to 41. ``worst`` is the move that decided a game that the bot did not win, or else one
    that changed the result for a time. It is ``null`` if no judged move of the bot did.
    """

    moves: int
    share: float | None
    low: float
    high: float
    total: MoveTally
    as_first: MoveTally
    as_second: MoveTally
    phases: tuple[MoveTally, MoveTally, MoveTally]
    worst: WorstMove | None = None


@dataclass(frozen=True, slots=True)
class AccuracyReport:
    """Accuracy of all bots, measured with the exact values that a ``judge`` gives.

    ``games`` is the number of different games. ``judged_games`` of them, chosen at random, were
    judged. ``ended`` says why the judge stopped early: its time was over, or the user interrupted
    it. ``ended`` is ``null`` if the judge did not stop early. ``judge_version`` is the version of
    the judge if it is our ``c4-bot``, otherwise ``null``. ``worst`` is the costliest move of all,
    made in a game that the bot did not win, or ``null``.
    """

    judge: str
    games: int
    judged_games: int
    ended: Literal["time", "interrupt"] | None
    bots: dict[str, AccuracyRecord]
    judge_version: str | None = None
    worst: WorstMove | None = None


@dataclass(frozen=True, slots=True)
class Incidents:
    """Disturbances of a contest that no result shows.

    ``lost_games`` is the number of games that this run of the referee stopped because a worker
    process ended, hung or wrote a wrong record. A game that was stopped several times counts each
    time. ``suspects`` are the names of the bots that played in all of these games, or in nearly all
    of them if one bot is the reason.

    ``changed_files`` maps the name of each bot whose files changed during the contest to a
    description of the change. ``pondered`` maps the name of each bot that was found thinking in the
    turns of its opponents to a description with the share of a processor that it used.

    ``starved`` has a description for each game that this run played again because a bot was late
    while its opponent used the processors.

    ``absent_ms`` maps the name of each bot to the time in milliseconds in which the referee did not
    run although it waited for a move in a game of the bot. There are only bots with at least one
    second.
    """

    lost_games: int = 0
    suspects: tuple[str, ...] = ()
    changed_files: dict[str, str] = field(default_factory=dict)
    pondered: dict[str, str] = field(default_factory=dict)
    starved: tuple[str, ...] = ()
    absent_ms: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Protection:
    """How the machine was protected from the bots in a contest.

    ``sandboxed`` are the names of the bots that ran in a sandbox. ``control_groups`` are the
    controllers of the kernel (``memory``, ``pids``, ``cpu``) that limited what the bots could use.
    What they did not limit, the referee measured itself, if ``limited`` is true.
    """

    sandboxed: list[str]
    control_groups: list[str]
    limited: bool = True


@dataclass(frozen=True, slots=True)
class MatchReport:
    """Result of a match, from the point of view of the first bot.

    ``elo``, its 95% interval and ``los`` are computed from pairs of distinct games: two games from
    the same opening, in which each bot moved first once. Games with the same moves by the same bots
    in the same seats count as one. ``forfeits`` counts faults by bot and reason.

    ``sprt``, ``until`` and ``accuracy`` are ``null`` if the user did not ask for them or if they
    could not be computed. ``accuracy`` maps the name of a bot to the fraction of its judged moves
    that preserved the outcome, or to ``null`` if no move was judged. ``accuracy_report`` has the
    details.
    ``complete`` is true if every game was played, or if a sequential test decided earlier.
    ``versions`` maps the name of each bot that is our ``c4-bot`` to its version in this run of the
    referee. A version is followed by words if the bot played a game without the native core.
    ``apart`` maps the names of bots to numbers of stored games that do not count, because the last
    run wanted fewer games.
    """

    bots: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    first_bot_as_first: Tally
    first_bot_as_second: Tally
    distinct_games: int
    forfeits: dict[str, dict[str, int]]
    elo: float
    elo_low: float
    elo_high: float
    los: float
    seconds: float
    complete: bool
    sprt: SprtRecord | None = None
    accuracy: dict[str, float | None] | None = None
    accuracy_report: AccuracyReport | None = None
    protection: Protection | None = None
    incidents: Incidents = field(default_factory=Incidents)
    versions: dict[str, str] = field(default_factory=dict)
    apart: dict[str, int] = field(default_factory=dict)
    until: UntilRecord | None = None

    @property
    def sequential_tests(self) -> Sequence[SprtRecord]:
        """All sequential tests of the match."""
        return self.until.tests if self.until else [self.sprt] if self.sprt else []

    def rows(self) -> list[dict[str, object]]:
        """Return a dictionary for each bot, for a table. ``elo`` is the difference to the other."""
        results = ((self.wins, self.losses, 1), (self.losses, self.wins, -1))
        return [
            {
                "bot": bot,
                "games": self.games,
                "points": wins + self.draws / 2,
                "wins": wins,
                "draws": self.draws,
                "losses": losses,
                "forfeits": sum(self.forfeits.get(bot, {}).values()),
                "elo": sign * self.elo,
                "elo_low": min(sign * self.elo_low, sign * self.elo_high),
                "elo_high": max(sign * self.elo_low, sign * self.elo_high),
            }
            for bot, (wins, losses, sign) in zip(self.bots, results, strict=True)
        ]

    def __str__(self) -> str:
        """Return the verdict and a table, in at most ten lines."""
        from c4_protocol.records.report_text import match_text  # noqa: PLC0415 - contests do not need it

        return match_text(self)

    def _repr_html_(self) -> str | None:
        """Return the standings as a table, which notebooks show."""
        from c4_protocol.records.notebook import notebook_html  # noqa: PLC0415 - contests do not need it

        return notebook_html("match", self)


@dataclass(frozen=True, slots=True)
class Encounter:
    """Results of one bot against another, and the number of distinct games among them."""

    wins: int
    draws: int
    losses: int
    distinct_games: int

    @property
    def games(self) -> int:
        """Number of all games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points of the bot: 1 for a win and 0.5 for a draw."""
        return self.wins + self.draws / 2


@dataclass(frozen=True, slots=True)
class Standing:
    """Results of one bot in a contest.

    ``points`` are 1 for a win and 0.5 for a draw, plus ``extra_points`` that were given without a
    game (byes). ``forfeits`` counts faults by reason. ``against`` has the results by opponent.

    ``rating`` is in Elo points, with its 95% interval, and is computed from distinct games only.
    Only ratings in the same ``group`` can be compared. A group is a set of bots that are connected
    by games, directly or through other bots. The mean rating of a group is 0, unless one bot is the
    anchor. With an anchor, the interval is that of the difference between the bot's rating and the
    anchor's. ``los`` is the likelihood that the bot is stronger than the next bot in the list. The
    rating, its interval and ``los`` are ``null`` if the games do not determine them.

    ``direct_encounter``, ``sonneborn_berger`` and ``wins_as_second`` break ties, in this order.
    ``accuracy_tie_break`` breaks the remaining ties: it is the fraction of a bot's moves that
    preserved the outcome. It is ``null`` for bots without such a tie.

    ``withdrawn`` is true if the bot no longer takes part in its tournament. Then "(withdrawn)" or,
    for example, "(withdrawn 2)" follows its name in ``bot``, so that all names are different.
    ``gave_up`` is true if the bot gave up because of its faults, so that none of its games counts.
    ``tested`` is true for a bot that plays in all games, as in a gauntlet. It is listed first. In a
    gauntlet, ``rank`` is decided by the share of the points.
    """

    rank: int
    bot: str
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    distinct_games: int
    forfeits: dict[str, int]
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    los: float | None
    group: int
    extra_points: float
    direct_encounter: float
    sonneborn_berger: float
    wins_as_second: int
    against: dict[str, Encounter]
    accuracy_tie_break: float | None = None
    withdrawn: bool = False
    gave_up: bool = False
    tested: bool = False


@dataclass(frozen=True, slots=True)
class Standings:
    """All bots of a contest, the best one first, and statistics of their games.

    ``games`` is the number of games that count, ``void`` the number of those that do not.
    ``unrecorded_games`` is the number of games whose moves are not known. ``distinct_games`` counts
    each of them as distinct. ``first_advantage`` is the value of moving first, in Elo points.
    ``draws`` is the fraction of games between two bots of equal strength that end in a draw. Both
    have 95% intervals, and are ``null`` if there are no games.

    ``apart`` maps the names of bots to numbers of stored games that do not count: games of earlier
    versions of bots, of bots that were removed, of bots that gave up, and games beyond the number
    that the last run wanted.
    """

    bots: tuple[Standing, ...]
    games: int
    distinct_games: int
    unrecorded_games: int
    void: int
    first_advantage: float | None
    first_advantage_low: float | None
    first_advantage_high: float | None
    draws: float | None
    draws_low: float | None
    draws_high: float | None
    apart: dict[str, int] = field(default_factory=dict)

    def rows(self) -> list[dict[str, object]]:
        """Return a dictionary for each bot, for a table. ``forfeits`` is their number."""
        return [
            {
                field.name: getattr(row, field.name)
                for field in fields(row)
                if field.name not in {"against", "forfeits"}
            }
            | {"forfeits": sum(row.forfeits.values())}
            for row in self.bots
        ]

    def _repr_html_(self) -> str | None:
        """Return the standings as a table, which notebooks show."""
        from c4_protocol.records.notebook import notebook_html  # noqa: PLC0415 - contests do not need it

        return notebook_html("standings", self)


@dataclass(frozen=True, slots=True)
class ForfeitRecord:
    """Games that a bot forfeited, or made void, for one reason.

    ``fault`` is the reason and ``games`` the number of games. ``void`` of them do not count.
    ``unplayed`` of them were not played, because the bot was barred or had withdrawn. ``game``,
    ``ply``, ``detail`` and ``line`` belong to the first of the games that was played, or to the
    first of the games if none was played.
    """

    fault: str
    games: int
    void: int
    unplayed: int
    game: int
    ply: int
    detail: str
    line: str | None


@dataclass(frozen=True, slots=True)
class DoubtRecord:
    """Two bots that may be in the wrong order.

    ``likelihood``, 0 to 1, is that the ``lower`` one is better, by more than ``GoalRecord.within``.
    """

    higher: str
    lower: str
    likelihood: float


@dataclass(frozen=True, slots=True)
class GoalRecord:
    """What the games of an adaptive tournament tell about its goal.

    ``goal`` is ``best``, ``ranking``, ``placement`` or, for example, ``top 3``. ``order`` has the
    bots, the best first. ``claimed`` are those that are claimed to be the first or, in a placement,
    those whose places are claimed. ``likelihood``, 0 to 1, is that the part of this
    order that the goal asks for is right: no bot is more than ``within`` Elo points better than a
    bot that stands higher. ``ended`` is ``goal`` if this is sure enough, otherwise the limit that
    ended the tournament, or ``nothing new`` if all other games would repeat games or lack openings.
    It is ``null`` if the tournament has not ended. ``doubts`` are the likeliest mistakes.
    """

    goal: str
    within: float
    order: tuple[str, ...]
    claimed: tuple[str, ...]
    likelihood: float
    ended: Literal["goal", "max_games", "minutes", "nothing new"] | None
    doubts: tuple[DoubtRecord, ...]


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """Result of a tournament, which may be incomplete.

    ``rounds`` is the number of rounds that have begun, ``scheduled`` the number of games that have
    been scheduled, played or not. ``seconds`` is the duration of this run of the referee.
    ``complete`` is true if every game was played. ``accuracy`` is ``null`` if the user did not ask
    for it or if it could not be computed. ``forfeits`` maps the name of a bot to the reasons for
    which it forfeited games. ``gave_up`` maps the name of each bot that gave up to the fault by
    which it forfeited its first games. ``missing`` says which bots could not play in this run, and
    why. ``versions`` maps the name of each bot that is our ``c4-bot`` to its
    version in this run, as in ``MatchReport``. ``goal`` is ``null`` if the system is not adaptive.
    """

    name: str
    system: str
    rounds: int
    scheduled: int
    seconds: float
    complete: bool
    standings: Standings
    accuracy: AccuracyReport | None
    forfeits: dict[str, tuple[ForfeitRecord, ...]]
    protection: Protection | None = None
    incidents: Incidents = field(default_factory=Incidents)
    versions: dict[str, str] = field(default_factory=dict)
    gave_up: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    goal: GoalRecord | None = None

    def rows(self) -> list[dict[str, object]]:
        """Return the ``rows`` of the standings."""
        return self.standings.rows()

    def __str__(self) -> str:
        """Return the verdict and a table, in at most ten lines."""
        from c4_protocol.records.report_text import tournament_text  # noqa: PLC0415 - contests do not need it

        return tournament_text(self)

    def _repr_html_(self) -> str | None:
        """Return the standings as a table, which notebooks show."""
        from c4_protocol.records.notebook import notebook_html  # noqa: PLC0415 - contests do not need it

        return notebook_html("tournament", self)


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The end of a match."""

    report: MatchReport
    event: Literal["match_ended"] = "match_ended"


@dataclass(frozen=True, slots=True)
class TournamentEnded:
    """The end of a tournament, or of the part of the tournament that was played."""

    report: TournamentReport
    event: Literal["tournament_ended"] = "tournament_ended"
