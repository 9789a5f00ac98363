"""A judge, which is a bot that is asked for the exact values of positions.

A judge is any bot that speaks ``jsonl`` and adds ``"info":{"score":..,"exact":..}`` to its answers,
as ``messages.Info`` describes it. This project's bot does so with ``--info``. A judge
talks to the referee over a pipe and has the same limits as a player.
"""

from collections.abc import Mapping
from dataclasses import replace

import orjson
from c4_protocol.program.errors import JudgeError, UsageError
from c4_protocol.program.text import NO_CORE
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.contain.faults import Foul
from c4_referee.bots.find import find_bots
from c4_referee.bots.own import version_of
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.judging.values import ExactValues, is_possible_score
from c4_referee.records.stats.solved import (
    PositionKey,
    Solved,
    forced_reply,
    position_key,
    value_by_rules,
)

OUR_JUDGE = BotSpec(
    name="c4-bot --plays perfect",
    command=("c4-bot", "--plays", "perfect", "--set", "score_only=true", "--info"),
)
"""Default judge: the ``c4-bot`` of this installation."""
JUDGE_TIME_CONTROL = TimeControl(move_ms=10_000.0)
"""Time control for each answer. The default judge rarely needs more than a second, even on the
first plies of 7x6 that are not in its book."""


def our_judge_can_judge(variant: Variant) -> bool:
    """Return whether the default judge can judge a variant. Its solver and book are for 7x6."""
    return variant.without_steal == STANDARD


def check_speaks(spec: BotSpec) -> None:
    """Raise ``UsageError`` for a bot that cannot be a judge."""
    if spec.is_function:
        raise UsageError(f"judge '{spec.name}': a judge is a program, not a function")
    if spec.dialect != "jsonl":
        raise UsageError(f"judge '{spec.name}': a judge speaks jsonl, not {spec.dialect}")
    if "player" in spec.placeholders:
        raise UsageError(
            f"judge '{spec.name}': a judge is asked about both players, "
            "so its command cannot name one of them"
        )


def judge_of(name: str | None, bots: Mapping[str, BotSpec], variant: Variant) -> BotSpec | None:
    """Return the judge for ``name``, which is a name in ``bots`` or a command line.

    If ``name`` is ``None``, return our own judge, or ``None`` for a variant that it cannot solve.
    Raises ``UsageError`` if the bot cannot be a judge.
    """
    if name is None:
        return OUR_JUDGE if our_judge_can_judge(variant) else None
    (judge,) = find_bots([name], dict(bots))
    check_speaks(judge)
    return judge


class Judge:
    """Context manager that asks a bot for exact values and leaves no process behind.

    The bot is started when it is first needed. It is not asked about positions in ``values``, and
    its answers are added there. Raises ``UsageError`` if the bot cannot be a judge.
    """

    def __init__(
        self,
        spec: BotSpec = OUR_JUDGE,
        control: TimeControl = JUDGE_TIME_CONTROL,
        values: ExactValues | None = None,
    ) -> None:
        check_speaks(spec)
        self.name = spec.name
        self._bot = Contestant(replace(spec, restart="never", freeze=False))
        self._control = control
        self._unproven: set[PositionKey] = set()
        self._has_core = True
        self.values = values or ExactValues({})

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *_: object) -> None:
        self._bot.close()
        self.values.flush()

    @property
    def version(self) -> str | None:
        """Version of the judge until now if it is our own command, otherwise ``None``."""
        self._has_core = self._has_core and NO_CORE not in self._bot.take_stderr()
        return version_of(self._bot.spec.command[0], without_core=not self._has_core)

    def value(self, position: Position) -> int | None:
        """Return the exact score for the player to move, counted as in ``messages.Info``.

        The game may be over. Returns ``None`` if the bot does not prove a score in time. Raises
        ``JudgeError`` if the bot commits a fault or its answer has no valid ``info``.
        """
        certain = value_by_rules(position)
        if certain is not None:
            return certain
        reply = forced_reply(position)
        if reply is None:
            return self._ask_once(position)
        value = self.value(position.play(reply))
        return None if value is None else -value

    def _ask_once(self, position: Position) -> int | None:
        """Return the bot's exact score of a position, or ``None``.

        The bot is asked only once about a position and its mirror image.
        """
        solved = self.values.find(position)
        if solved is not None:
            return solved.value
        if self._unproven.intersection(map(position_key, (position, position.mirrored()))):
            return None
        control = self._control
        try:
            self._bot.start(CommandValues(position.player, position.variant, control.move_ms))
            answer = self._bot.ask(position, PlayerClock(control), PlayerClock(control))
        except Foul as foul:
            raise self._judge_error(str(foul)) from None
        value = self._exact_score(orjson.loads(answer.line).get("info"), position)
        if value is None:
            self._unproven.add(position_key(position))
        else:
            self.values.add(position, Solved(value))
        return value

    def _exact_score(self, info: object, position: Position) -> int | None:
        """Return the score of an ``info``, or ``None`` if the score is not exact.

        Raises ``JudgeError`` if no game can end with this score.
        """
        match info:
            case {"score": int() | float() as score, "exact": bool() as exact} if (
                type(score) is not bool
            ):
                if not exact:
                    return None
                if score == int(score) and is_possible_score(int(score), position):
                    return int(score)
                raise self._judge_error(
                    f"no game ends with the score {score:g} that it calls exact"
                )
            case {}:
                raise self._judge_error(
                    'its "info" needs "score", a number, and "exact", true or false'
                )
        raise self._judge_error('its answer has no "info": give it the flag that adds it')

    def _judge_error(self, reason: str) -> JudgeError:
        return JudgeError(f"judge '{self.name}': {reason}")
