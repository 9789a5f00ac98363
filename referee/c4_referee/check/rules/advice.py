"""Rules that no driver requires. They are only advice for better bots."""

from collections.abc import Callable

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import cells_of

from c4_referee.check import boards
from c4_referee.check.broken import Broken, Crashed
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import quoted
from c4_referee.check.rules._rule import (
    ENDING_SECONDS,
    Condition,
    NoFault,
    Rule,
    speaks_json,
)

TAKE_PLAYER_FROM_LINE = (
    'start it anew for each game with its player: arguments = "course", never restart = "never"; '
    'or take the player from "player" in each line'
)


def _advice(name: str, fix: str, applies: Condition) -> Rule:
    """Return a decorator that registers a function as a rule that is only advice."""
    return Rule(name, fix, explains=NoFault, advice=True, applies=applies)


def _takes_openings(trial: Trial) -> bool:
    return not trial.referee.starts_empty


@_advice(
    "takes its player from the line, not from its command line",
    TAKE_PLAYER_FROM_LINE,
    speaks_json,
)
def believes_the_line(trial: Trial) -> str:
    """Start the bot as one player, and ask it for moves of the other player.

    A bot that plays several games in one run must not always play the seat of its first game. The
    bot is asked about positions in which each player could win, but in different cells. So its move
    shows for which player it plays.
    """
    position = boards.won_by_either(trial.variant)
    if position is None:
        return "this game has no position that would show it"
    if trial.spec.placeholders and "player" not in trial.spec.placeholders:
        return "its command line names no player"
    player = 3 - position.player
    subject = f"started as player {player}, it"
    for asked in (position, position.mirrored()):  # a single move may be right by chance
        as_itself = _move_as(trial, asked, asked.player)
        try:
            as_other = _move_as(trial, asked, player)
        except Crashed as crashed:
            raise Broken(
                f"{subject} does not play for player {3 - player}: {crashed.seen}"
            ) from None
        if (as_itself, as_other) != (asked.winning_cells, asked.opponent_winning_cells):
            return ""
    raise Broken(f"{subject} plays for player {player} although the line says player {3 - player}")


def _move_as(trial: Trial, position: Position, player: int) -> int:
    """Start the bot as this player, and return the cell that it plays, as a bitboard."""
    arguments = () if trial.spec.placeholders else ("--player", str(player))
    with trial.start(*arguments, player=player) as bot:
        return 1 << bot.ask(position)


@_advice("takes a win", "if one of your moves wins, play it", _takes_openings)
def takes_a_win(trial: Trial) -> str:
    """Ask about a position in which a move wins."""
    return _expect_one_of(trial, boards.winnable(trial.variant), lambda asked: asked.winning_cells)


@_advice(
    "stops a win of the other side",
    "if the other player could win with the next move, play there",
    _takes_openings,
)
def stops_a_win(trial: Trial) -> str:
    """Ask about a position in which one cell stops a win of the other player."""
    return _expect_one_of(
        trial, boards.threatened(trial.variant), lambda asked: asked.opponent_winning_cells
    )


def _expect_one_of(
    trial: Trial, position: Position | None, wanted: Callable[[Position], int]
) -> str:
    """Raise ``Broken`` if the bot plays none of the cells in the bitboard ``wanted(position)``."""
    if position is None:
        return "this game has no such position"
    with trial.start(player=position.player) as bot:
        cell = bot.ask(position)
        if not wanted(position) >> cell & 1:
            moves = " or ".join(
                trial.form.written(position, cell) for cell in cells_of(wanted(position))
            )
            raise Broken(f"it answered {quoted(bot.answer)} instead of {moves}")
    return ""


@_advice(
    "ends at a line :exit",
    "end at a line :exit, which some drivers send to stop a bot",
    speaks_json,
)
def exit_line(trial: Trial) -> None:
    """Send the line ``:exit`` and leave the input open."""
    with trial.start() as bot:
        bot.ask(boards.middle(trial.variant))
        bot.say(b":exit\n")
        if bot.channel.wait_for_exit(ENDING_SECONDS) is None:
            raise Broken(f"it still runs {ENDING_SECONDS:g} s after the line :exit")
