"""Events of games: the lines of JSON that a contest writes while it is played.

Each event is one JSON object on one line. The key ``event`` names the kind of event. ``--events``
writes ``game_started``, ``move``, ``game_ended`` and the event that ends the contest. The file
``live.jsonl`` has ``contest_started`` and the events of games in progress. Events are
plain dataclasses without validation, so that the event of a move is made quickly.
``c4_protocol.records.schema`` publishes their JSON Schema. The events that end a contest are in
``c4_protocol.records.reports``. Workers and bots do not need them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal

from c4_protocol.rules.notation import WireMove, move_names, replay
from c4_protocol.rules.position import Position, seat_at
from c4_protocol.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """A variant: size of the board, length and directions of lines, gravity, and the steal."""

    width: int
    height: int
    connect: int
    gravity: bool
    directions: tuple[str, ...]
    steal: bool = False

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, variant: Variant) -> "VariantRecord":
        """Return the record of a variant."""
        return cls(**asdict(variant))

    @classmethod
    def read(cls, value: dict[str, Any]) -> "VariantRecord":
        """Return the record that a decoded JSON object holds."""
        return cls(**value | {"directions": tuple(value["directions"])})

    @lru_cache(maxsize=64)  # noqa: B019 - its bitboards take long to compute
    def variant(self) -> Variant:
        """Return the variant."""
        return Variant(**asdict(self))


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """Something that a bot did wrong.

    ``fault`` names the rule that the bot broke, and ``policy`` says what followed. ``ply`` is the
    number of moves made before the fault. ``ms`` is the time since the question, and ``cpu_ms`` is
    the processor time that the bot used since then, both in milliseconds. ``detail`` describes the
    fault for people. ``line`` is the start of what the bot wrote, or ``null``.
    """

    bot: str
    fault: str
    policy: Literal["forfeit", "bar", "retry", "void", "note", "stop"]
    ply: int
    ms: float
    cpu_ms: float
    detail: str
    line: str | None = None


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The start of a game.

    ``first`` is the name of player 1. ``opening`` contains the moves that the referee made for both
    players, in move-string notation.
    """

    game: int
    first: str
    second: str
    variant: VariantRecord
    opening: str = ""
    event: Literal["game_started"] = "game_started"


@dataclass(slots=True)  # a frozen dataclass takes four times as long to make
class MoveMade:
    """A legal move.

    ``ply`` counts from 0. ``move`` is written as in the protocol. ``ms`` is the time from the
    question to the answer, and ``cpu_ms`` is the processor time that the bot used in that time,
    both in milliseconds. If an answer is late although the bot used little processor time, the
    machine was busy.
    """

    game: int
    ply: int
    bot: str
    move: WireMove
    ms: float
    cpu_ms: float
    event: Literal["move"] = "move"


@dataclass(frozen=True, slots=True)
class MoveRemarked:
    """A text for people that a bot sent with its move at this ply."""

    game: int
    ply: int
    text: str
    event: Literal["remark"] = "remark"


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The end of a game, with all data about the game.

    ``moves`` is in move-string notation and begins with ``opening``, the moves that the referee
    made for both players. ``moves`` is empty if the game was not played because a bot was barred or
    had withdrawn. ``ms`` and ``cpu_ms`` contain the times of ``MoveMade`` for each move after the
    opening.

    ``winner`` is 1 or 2, or 0 if nobody won. ``ending`` says how the game ended. Only a game of
    another program's file can have "ended early": its result is known, but not the reason.
    ``fault`` is the reason if the game was forfeited or is void. ``notes`` are faults without
    consequences. If the game is void because neither bot could start, ``notes`` contains the fault
    of the second bot. ``stderr`` maps the name of each bot to the text that it wrote to standard
    error. The middle of a long text is left out.

    ``absent_ms`` is the time in milliseconds in which the referee itself did not run, while it
    waited for an answer. It is not charged to the bots.

    ``remarks`` has a text for each move after the opening: what the bot's answer said besides the
    move, in words for people, or an empty text. ``remarks`` is empty if no answer said more.
    """

    game: int
    first: str
    second: str
    moves: str
    ms: list[float]
    cpu_ms: list[float]
    winner: int
    ending: Literal["line", "full board", "forfeit", "ended early", "void"]
    fault: FaultRecord | None
    notes: list[FaultRecord]
    stderr: dict[str, str]
    variant: VariantRecord
    opening: str = ""
    absent_ms: float = 0.0
    remarks: list[str] = field(default_factory=list)
    event: Literal["game_ended"] = "game_ended"

    @property
    def rules(self) -> Variant:
        """The variant of the game."""
        return self.variant.variant()

    @property
    def bots(self) -> tuple[str, str]:
        """The names of the bots in seats 1 and 2."""
        return self.first, self.second

    @property
    def winning_bot(self) -> str | None:
        """The name of the bot that won, or ``None`` if nobody won."""
        return (None, self.first, self.second)[self.winner]

    @property
    def faults(self) -> list[FaultRecord]:
        """The fault that decided the game, and the notes."""
        return [self.fault, *self.notes] if self.fault else [*self.notes]

    @property
    def move_names(self) -> Sequence[str]:
        """The names of the moves, which are not checked."""
        return move_names(self.moves, self.rules)

    @property
    def plies(self) -> int:
        """The number of moves."""
        return len(self.move_names)

    @property
    def start(self) -> int:
        """The number of moves of the opening."""
        return len(move_names(self.opening, self.rules))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of the moves.

        This property, ``last`` and ``positions`` raise the errors of ``notation.replay`` if the
        moves are not those of a game. What they return for the last games is kept.
        """
        return _replayed(self.moves, self.rules)[1]

    @property
    def last(self) -> Position:
        """The position after the last move."""
        return _replayed(self.moves, self.rules)[0]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The n + 1 positions of a game with n moves, from the empty board on."""
        return _positions(self.moves, self.rules)

    def last_cell(self, ply: int) -> int | None:
        """Return the cell of the last of the first ``ply`` moves, or ``None`` if ``ply`` is 0."""
        return self.cells[ply - 1] if ply else None

    def mover(self, ply: int) -> str:
        """Return the name of the bot that is to move after ``ply`` moves."""
        return self.bots[seat_at(ply) - 1]

    def _repr_html_(self) -> str | None:
        """Return the replay, which notebooks show."""
        from c4_protocol.records.notebook import notebook_html  # noqa: PLC0415 - contests do not need it

        return notebook_html("game", self)


@lru_cache(maxsize=1 << 6)
def _replayed(moves: str, variant: Variant) -> tuple[Position, tuple[int, ...]]:
    position, cells = replay(moves, variant)
    return position, tuple(cells)


@lru_cache(maxsize=1 << 6)
def _positions(moves: str, variant: Variant) -> tuple[Position, ...]:
    return tuple(accumulate(_replayed(moves, variant)[1], Position.play, initial=Position(variant)))


GameEvent = GameStarted | MoveMade | MoveRemarked | GameEnded


@dataclass(frozen=True, slots=True)
class ContestStarted:
    """The start of a run of a contest, before its first game.

    ``contest`` is the number of the contest in its folder, or ``null`` without a folder. ``moves``
    says when the moves of a game can be read. ``earlier`` has the results that count and do not
    follow as ``game_ended``: names of two bots, the number of their games in which the first of
    them moved first, and the half points that it got.
    """

    contest: int | None
    bots: list[str]
    moves: Literal["live", "with the result"]
    earlier: list[tuple[str, str, int, int]] = field(default_factory=list)
    event: Literal["contest_started"] = "contest_started"


@dataclass(frozen=True, slots=True)
class GameRolledBack:
    """The end of a game without a result. Its moves do not count, and it is played again."""

    game: int
    event: Literal["game_rolled_back"] = "game_rolled_back"


@dataclass(frozen=True, slots=True)
class ContestProgress:
    """The state of a contest, at its start and after each result.

    ``scheduled`` is the number of games of the rounds that are known. ``bound`` is ``"at most"`` if
    fewer may be played, ``"at least"`` if later rounds may have more, and otherwise empty.
    ``gave_up`` has the names of the bots that gave up; none of their games counts.
    """

    done: int
    scheduled: int
    bound: str
    complete: bool
    gave_up: list[str]
    event: Literal["progress"] = "progress"
