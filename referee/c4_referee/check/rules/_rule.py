"""The class of a rule, which is also the decorator that makes a function a rule."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

from c4_protocol.rules.position import SEATS, Position, Seat

from c4_referee.check import boards
from c4_referee.check.broken import Broken
from c4_referee.check.driver import Trial

PAUSE_SECONDS = 0.3
"""Seconds that a rule pauses as a slow driver does, or waits for something unwanted."""
ENDING_SECONDS = 5.0
"""Seconds that a bot has to end after its input was closed or it read ``:exit``."""

GAME_MOVES = 21
"""Maximum number of questions in a game whose length does not matter: the moves of one player on
7x6."""

Attempt = Callable[[Trial], str | None]
"""Function that tries a rule on a bot, as the docstring of the package describes."""
Condition = Callable[[Trial], bool]
"""Function that returns whether a rule is about the bots and games of a trial."""


@dataclass
class Rule:
    """Rule of the check: its name, its advice (``fix``), and the function that tries it.

    The object is the decorator of the function, which registers the rule.

    ``explains`` are the kinds of failures for which ``fix`` is the advice. For other kinds, the
    failure's own advice is given. A rule that is only ``advice`` does not fail the check. A rule
    that ``is_about_arguments`` is not tried on a bot that needs certain arguments. With ``json``,
    the rule is only about bots that speak jsonl, in which each line holds the whole state of a
    game. If it is false, the rule is only about other dialects, in which questions follow one
    another. ``condition`` returns whether the rule is about a trial for other reasons.
    ``elsewhere`` returns whether only other referees and drivers do what the rule does.
    """

    name: str
    fix: str
    _: KW_ONLY
    explains: type[Broken] | tuple[type[Broken], ...] = Broken
    advice: bool = False
    is_about_arguments: bool = False
    json: bool | None = None
    condition: Condition = lambda _: True
    elsewhere: Condition = lambda _: False
    attempt: Attempt = field(init=False)

    def __call__(self, attempt: Attempt) -> Attempt:
        """Register the rule with the function that tries it."""
        self.attempt = attempt
        RULES.append(self)
        return attempt

    def applies(self, trial: Trial) -> bool:
        """Return whether the rule is about a trial."""
        return self.json in {None, trial.is_json} and self.condition(trial)


RULES: list[Rule] = []
"""All rules, in the order in which they are tried."""


advice_rule = partial(Rule, explains=(), advice=True)
"""Decorator that makes a function a rule that is only advice."""


def always(_: Trial) -> bool:
    """Return true: the condition holds for every trial."""
    return True


def takes_openings(trial: Trial) -> bool:
    """Return whether the dialect of a bot can begin games with openings."""
    return not trial.referee.starts_empty


def ask_all(trial: Trial, positions: Sequence[Position]) -> None:
    """Ask about positions of boards of one size.

    A bot that speaks jsonl is asked in a run for each player, and any other bot in a run for each
    position.
    """
    runs = [[position] for position in positions]
    if trial.is_json:
        runs = [[each for each in positions if each.player == player] for player in SEATS]
    for asked in filter(None, runs):
        with trial.start(player=asked[0].player, variant=asked[0].variant) as bot:
            for position in asked:
                bot.ask(position)


def ask_in_turn(
    trial: Trial,
    ask: Callable[[Position], int],
    moves: int = GAME_MOVES,
    player: Seat = 1,
    *,
    steals: bool = False,
) -> int:
    """Ask about positions of a player in a game, and return their number, at most ``moves``.

    In jsonl, the game is always the same. In other dialects, the bot's answers are its moves. With
    ``steals``, the other player steals.
    """
    if trial.is_json:
        positions = boards.game(trial.variant)[player - 1 :: 2][:moves]
        for position in positions:
            ask(position)
        return len(positions)
    count, asked = 0, boards.first_question(trial.variant, player)
    while asked is not None and count < moves:
        asked = boards.next_question(asked, ask(asked), steals=steals)
        count += 1
    return count
