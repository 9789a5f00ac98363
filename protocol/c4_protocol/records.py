"""What is written down of games: events as they happen, the report of a match, standings.

Plain dataclasses, made once a move; ``c4_protocol.schema`` publishes their JSON Schema. Each event
is one JSON object a line, with its kind under ``event``.
"""

from dataclasses import dataclass
from typing import Any, Literal

from c4_protocol.notation import WireMove
from c4_protocol.variant import Variant


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """The game that is played, as ``c4_protocol.variant.Variant`` has it."""

    width: int
    height: int
    connect: int
    gravity: bool
    directions: tuple[str, ...]

    @classmethod
    def of(cls, variant: Variant) -> "VariantRecord":
        """The record of a variant."""
        return cls(
            variant.width, variant.height, variant.connect, variant.gravity, variant.directions
        )

    @classmethod
    def read(cls, value: dict[str, Any]) -> "VariantRecord":
        """The record of a decoded JSON object."""
        return cls(**value | {"directions": tuple(value["directions"])})

    def variant(self) -> Variant:
        """The variant itself."""
        return Variant(self.width, self.height, self.connect, self.gravity, self.directions)


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """What a bot did wrong: which rule, in which ply (from 0), after how many milliseconds.

    ``policy`` is what followed from it, ``cpu_ms`` the processor time that the bot had used since
    it was asked, ``detail`` says it in words, ``line`` holds the first bytes of what it wrote.
    """

    bot: str
    fault: str
    policy: Literal["forfeit", "bar", "retry", "void", "note"]
    ply: int
    ms: float
    cpu_ms: float
    detail: str
    line: str | None = None


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins; ``first`` plays as player 1; ``opening`` are moves made for both."""

    game: int
    first: str
    second: str
    variant: VariantRecord
    opening: str = ""
    event: Literal["game_started"] = "game_started"


@dataclass(slots=True)  # frozen, it would take four times as long to make
class MoveMade:
    """A legal move: ``ply`` counts from 0, ``move`` is as in the protocol.

    ``ms`` is the time from question to answer, ``cpu_ms`` the bot's processor time in it: a late
    answer with little of it was the machine's.
    """

    game: int
    ply: int
    bot: str
    move: WireMove
    ms: float
    cpu_ms: float
    event: Literal["move"] = "move"


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The record of a game.

    ``moves`` is in move-string notation, and begins with the ``opening``, the moves that were made
    for both; it is empty if the game was not played, as a bot was barred or has withdrawn. ``ms``
    and ``cpu_ms`` are the times of each of the others. ``winner`` is 1 or 2, or 0 for a draw;
    ``ending`` tells what ended it, and ``fault`` why it was forfeited or is void. ``notes`` are
    faults that changed nothing; if the game is void as neither bot could start, they hold the fault
    of the second one. ``stderr`` holds what each bot that wrote there had to say, the
    middle left out where it was much.
    """

    game: int
    first: str
    second: str
    moves: str
    ms: list[float]
    cpu_ms: list[float]
    winner: int
    ending: Literal["line", "full board", "forfeit", "void"]
    fault: FaultRecord | None
    notes: list[FaultRecord]
    stderr: dict[str, str]
    variant: VariantRecord
    opening: str = ""
    event: Literal["game_ended"] = "game_ended"


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The end of a match."""

    report: "MatchReport"
    event: Literal["match_ended"] = "match_ended"


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of the first bot of a match."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0


@dataclass(frozen=True, slots=True)
class SprtRecord:
    """A sequential test: its log-likelihood ratio, the bounds at which it ends, and the verdict.

    ``H1`` is that the first bot is as much stronger as was asked, ``H0`` that it is not.
    """

    llr: float
    lower: float
    upper: float
    verdict: Literal["H0", "H1", "undecided"]


@dataclass(frozen=True, slots=True)
class MoveTally:
    """What moves were worth, by exact values: ``judged`` of them.

    ``kept`` kept the outcome, a win, draw or loss; ``best`` were as good as any move. Of the
    ``wins`` that there were to keep, ``wins_drawn`` became draws and ``wins_lost`` losses; of the
    ``draws``, ``draws_lost``. Where the outcome was kept, wins became so many own moves longer, and
    losses shorter: ``moves_lost``, in all.
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
    """How well a bot moved: of the ``moves`` it made, those that were judged.

    ``share`` of them kept the outcome, with its 95% interval ``low`` to ``high``; ``null`` if none
    was judged. Then by colour, and by thirds of the board as it fills: on 7x6, plies 0 to 13, 14 to
    27, 28 to 41.
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
    """How well each bot moved in ``games`` different games, as the ``judge`` has it.

    ``judged_games`` of them were judged, drawn by lot, and nothing of the others; ``ended`` tells
    what kept the judge from more: its time was up, or the user had enough.
    """

    judge: str
    games: int
    judged_games: int
    ended: Literal["time", "interrupt"] | None
    bots: dict[str, AccuracyRecord]


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The outcome of a match, from the first bot's point of view.

    ``elo`` and its 95% interval come from distinct games alone: the same moves between the same
    two bots are one observation. They are of pairs of games, in which both bots went first once
    from the same opening. ``forfeits`` counts faults by bot and reason. ``sprt`` and ``accuracy``
    are ``null`` where they were not asked for or cannot be had. ``accuracy`` is by bot the share of
    its moves that keep the best outcome, ``null`` if none was judged; ``accuracy_report`` has the
    rest. ``complete`` says whether every game was played, or a sequential test decided before.
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
    """A bot's results against one other, and how many of the games were distinct."""

    wins: int
    draws: int
    losses: int
    distinct_games: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot among several.

    ``points`` are one for a win and half for a draw, and ``extra_points`` that were given without
    a game (byes). ``forfeits`` counts faults by reason; ``against`` has the results by opponent.

    ``rating`` is in Elo points with its 95% interval, from distinct games alone, and compares bots
    of one ``group``: those who have met, each other or others who have. The mean is 0 in each
    group, unless a bot is the anchor: then intervals are those of the difference to it. ``los`` is
    the likelihood that the bot is stronger than the one that stands next. All are ``null`` where
    the games say nothing.

    ``direct_encounter``, ``sonneborn_berger`` and ``wins_as_second`` break ties, in this order.
    ``accuracy_tie_break`` orders bots that all of this leaves tied: it is the share of moves that
    kept the outcome, and ``null`` for all other bots.
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
    """Any number of bots in their order, and what their games have in common.

    ``games`` are those that count, ``void`` those that do not. ``distinct_games`` takes games whose
    moves are not known, ``unrecorded_games`` of them, as distinct. ``first_advantage`` is what
    going first is worth, in Elo points; ``draws`` how often two equals draw. Both have 95%
    intervals, and are ``null`` where there are no games.
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
    """The games that a bot forfeited, or made void, for one reason.

    ``fault`` is the reason and ``games`` how many there are; ``void`` of them counted for nobody,
    ``unplayed`` of them were not played, as the bot was barred or had withdrawn. ``game``, ``ply``,
    ``detail`` and ``line`` are those of the first game, the first played one if there is one.
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
    """The outcome of a tournament, as far as it has been played.

    ``rounds`` have begun; ``scheduled`` games are known to be played in all; ``seconds`` is what
    this run of the referee took. ``complete`` says whether every game was played. ``accuracy`` is
    ``null`` where it was not asked for or cannot be had. ``forfeits`` has, by bot, all reasons for
    which it forfeited games.
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


@dataclass(frozen=True, slots=True)
class TournamentEnded:
    """The end of a tournament, or of a part of it."""

    report: TournamentReport
    event: Literal["tournament_ended"] = "tournament_ended"


Event = GameStarted | MoveMade | GameEnded | MatchEnded | TournamentEnded


def game_ended(event: dict[str, Any]) -> GameEnded:
    """The record of a decoded ``game_ended`` event."""
    fault = event["fault"] and FaultRecord(**event["fault"])
    notes = [FaultRecord(**note) for note in event["notes"]]
    variant = VariantRecord.read(event["variant"])
    return GameEnded(**event | {"variant": variant, "fault": fault, "notes": notes})
