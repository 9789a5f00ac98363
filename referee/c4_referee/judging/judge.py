"""A judge: a bot that is asked not for its moves, but for what positions are worth.

Any bot can be one that speaks ``jsonl`` and adds to its answers ``"info":{"score":..,"exact":..}``
as ``c4_protocol.messages.Info`` describes them. Ours does so with ``--info``. A judge talks to the
referee over a pipe, as the players do, and has the same limits.
"""

from typing import Any

import orjson
from c4_protocol.errors import JudgeError, UsageError
from c4_protocol.notation import win_score
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD, Variant

from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.command_line import Seat
from c4_referee.bots.contestant import Contestant
from c4_referee.bots.faults import Foul
from c4_referee.bots.spec import BotSpec

OURS = BotSpec(
    name="c4-bot --plays perfect",
    command=("c4-bot", "--plays", "perfect", "--set", "score_only=true", "--info"),
)
"""The judge where no other is named: the player of this installation."""
CONTROL = TimeControl(move_ms=10_000.0)
"""The time for each answer. Ours uses as much as it needs, rarely a second even on the plies of 7x6
that follow its book's."""


def can_be_proven(variant: Variant) -> bool:
    """Whether our judge knows every position of a game: it has the book and the solver for 7x6."""
    return variant == STANDARD


def check_speaks(spec: BotSpec) -> None:
    """Raise ``UsageError`` for a bot that cannot be a judge."""
    if spec.dialect != "jsonl":
        raise UsageError(f"judge '{spec.name}': a judge speaks jsonl, not {spec.dialect}")
    if "player" in spec.placeholders:
        raise UsageError(
            f"judge '{spec.name}': a judge is asked about both players, "
            "so its command cannot name one of them"
        )


class Judge:
    """Asks for exact values; a context manager that leaves no process behind.

    The bot is started when it is first needed. What it said is remembered; of two mirror images
    one is asked about. Raises ``UsageError`` for a bot of another dialect than ``jsonl``.
    """

    def __init__(self, spec: BotSpec = OURS, control: TimeControl = CONTROL) -> None:
        check_speaks(spec)
        self.name = spec.name
        self._bot = Contestant(spec.model_copy(update={"restart": "never"}))
        self._control = control
        self._known: dict[tuple[int, int, int], int | None] = {}

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *_: object) -> None:
        self._bot.__exit__()

    def value(self, position: Position) -> int | None:
        """The exact score for the player to move, as ``Info`` counts it; also of a finished game.

        ``None`` if it is not proven in time. Raises ``JudgeError``.
        """
        certain = _certain(position)
        if certain is not None:
            return certain
        reply = _only_reply(position)
        if reply is None:
            return self._remembered(position)
        value = self.value(position.play(reply))
        return None if value is None else -value

    def _remembered(self, position: Position) -> int | None:
        key = min((*one.stones, one.player) for one in (position, position.mirrored()))
        if key not in self._known:
            self._known[key] = self._ask(position)
        return self._known[key]

    def _ask(self, position: Position) -> int | None:
        """What the bot says."""
        try:
            self._bot.start(Seat(position.player, position.variant, self._control.move_ms))
            self._bot.ask(position, PlayerClock(self._control), PlayerClock(self._control))
        except Foul as foul:
            raise self._error(str(foul)) from None
        told = orjson.loads(self._bot.line).get("info")
        if not isinstance(told, dict):
            raise self._error('its answer has no "info": give it the flag that makes it tell')
        return self._score(told, win_score(position.variant, position.ply + 1))

    def _score(self, told: dict[str, Any], most: int) -> int | None:
        """The score of an ``info`` if it is exact; none is beyond ``most``, won or lost."""
        match told:
            case {"score": int() | float() as score, "exact": bool() as exact}:
                if not exact:
                    return None
                if score == int(score) and abs(score) <= most:
                    return int(score)
                raise self._error(f"no game ends with the score {score:g} that it calls exact")
        raise self._error('its "info" needs "score", a number, and "exact", true or false')

    def _error(self, reason: str) -> JudgeError:
        return JudgeError(f"judge '{self.name}': {reason}")


def _certain(position: Position) -> int | None:
    """The value, if it takes no judge to see it: the game is over, or will be with two moves."""
    variant, ply = position.variant, position.ply
    if position.is_won:
        return -win_score(variant, ply)
    if position.is_full:
        return 0
    if position.winning_cells:
        return win_score(variant, ply + 1)
    return -win_score(variant, ply + 2) if position.opponent_winning_cells.bit_count() > 1 else None


def _only_reply(position: Position) -> int | None:
    """The one cell that the opponent must not get, if there is one."""
    threats = position.opponent_winning_cells
    return threats.bit_length() - 1 if threats else None
