"""Reports: results of contests, as the referee writes them at the end.

All are plain dataclasses; ``c4_protocol.schema`` publishes their JSON Schema.
"""

from dataclasses import dataclass
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

    ``llr`` is the log-likelihood ratio. The test accepts H0 at ``lower`` and H1 at ``upper``. H1
    says that the first bot is stronger by the higher of the two Elo differences that the test
    compares, H0 by the lower one.
    """

    llr: float
    lower: float
    upper: float
    verdict: Literal["H0", "H1", "undecided"]


@dataclass(frozen=True, slots=True)
class MoveTally:
    """Counts of judged moves, by what they did to the exact value of the game.

    ``judged`` moves were judged. ``kept`` of them kept the outcome (win, draw or loss), and
    ``best`` were as good as any other move. ``wins`` were made in won positions: ``wins_drawn`` of
    them gave the win away for a draw, ``wins_lost`` for a loss. ``draws`` were made in drawn
    positions; ``draws_lost`` of them lost.

    Some moves keep the outcome, but make a win take longer or a loss come sooner. ``moves_lost`` is
    the sum of these differences, counted in moves of the player.
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
class AccuracyRecord:
    """Accuracy of a bot's moves.

    ``moves`` is the number of moves that it made, judged or not. ``share`` is the share of its
    judged moves that kept the outcome, with its 95% interval from ``low`` to ``high``; it is
    ``null`` if no move was judged. ``total`` counts all judged moves, ``as_first`` and
    ``as_second`` those as player 1 and 2. ``phases`` counts those in each third of the plies: on
    7x6, plies 0 to 13, 14 to 27 and 28 to 41.
    """

    moves: int
    share: float | None
    low: float
    high: float
    total: MoveTally
    as_first: MoveTally
    as_second: MoveTally
    phases: tuple[MoveTally, MoveTally, MoveTally]


@dataclass(frozen=True, slots=True)
class AccuracyReport:
    """Accuracy of all bots, measured with the exact values that a ``judge`` gives.

    ``games`` is the number of different games; ``judged_games`` of them, drawn at random, were
    judged. ``ended`` says why the judge stopped early: its time was over, or the user interrupted
    it.
    """

    judge: str
    games: int
    judged_games: int
    ended: Literal["time", "interrupt"] | None
    bots: dict[str, AccuracyRecord]


@dataclass(frozen=True, slots=True)
class MatchReport:
    """Result of a match, from the point of view of the first bot.

    ``elo``, its 95% interval and ``los`` are computed from pairs of distinct games: two games from
    the same opening, in which each bot moved first once. Games with the same moves by the same bots
    in the same seats count as one. ``forfeits`` counts faults by bot and reason.

    ``sprt`` and ``accuracy`` are ``null`` if nobody asked for them or they could not be computed.
    ``accuracy`` maps the name of a bot to the share of its judged moves that kept the outcome, or
    to ``null`` if no move was judged. ``accuracy_report`` has the details. ``complete`` is true if
    every game was played, or if a sequential test decided earlier.
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


@dataclass(frozen=True, slots=True)
class Encounter:
    """Results of one bot against another, and how many of these games were distinct."""

    wins: int
    draws: int
    losses: int
    distinct_games: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Results of one bot in a contest.

    ``points`` are 1 for a win and 0.5 for a draw, plus ``extra_points`` that were given without a
    game (byes). ``forfeits`` counts faults by reason; ``against`` has the results by opponent.

    ``rating`` is in Elo points, with its 95% interval, and is computed from distinct games only.
    Ratings can be compared within a ``group``: bots that are connected by games, directly or
    through other bots. The mean rating of a group is 0, unless one bot is the anchor. With an
    anchor, intervals are those of the difference to its rating. ``los`` is the likelihood that the
    bot is stronger than the next bot in the list. These values are ``null`` if the games do not
    determine them.

    ``direct_encounter``, ``sonneborn_berger`` and ``wins_as_second`` break ties, in this order.
    ``accuracy_tie_break``, the share of moves that kept the outcome, orders bots that are still
    tied. It is ``null`` for all other bots.
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


@dataclass(frozen=True, slots=True)
class Standings:
    """All bots of a contest, the best one first, and statistics of their games.

    ``games`` is the number of games that count, ``void`` the number of those that do not.
    ``unrecorded_games`` are games whose moves are not known; ``distinct_games`` counts each of them
    as distinct. ``first_advantage`` is the value of moving first, in Elo points. ``draws`` is the
    share of draws between two bots of equal strength. Both have 95% intervals, and are ``null`` if
    there are no games.
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


@dataclass(frozen=True, slots=True)
class ForfeitRecord:
    """Games that a bot forfeited, or made void, for one reason.

    ``fault`` is the reason and ``games`` the number of games. ``void`` of them count for nobody;
    ``unplayed`` of them were not played, because the bot was barred or had withdrawn. ``game``,
    ``ply``, ``detail`` and ``line`` belong to the first of the games that was played, or to the
    first one if none was.
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
class TournamentReport:
    """Result of a tournament, which may be incomplete.

    ``rounds`` is the number of rounds that have begun, ``scheduled`` the number of games that have
    been scheduled, played or not. ``seconds`` is the duration of this run of the referee.
    ``complete`` is true if every game was played. ``accuracy`` is ``null`` if nobody asked for it
    or it could not be computed. ``forfeits`` maps the name of a bot to the reasons for which it
    forfeited games.
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
