"""What a bot should do to win; no rule of any driver."""

from collections.abc import Callable

import orjson
from c4_protocol.notation import wire_move
from c4_protocol.position import Position
from c4_protocol.variant import Variant, cells_of

from c4_referee.check import boards
from c4_referee.check.broken import Broken, Crashed
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import quoted
from c4_referee.check.rules._rule import ENDING_SECONDS, NoFault, rule

BELIEVES = (
    'start it anew for each game with its player: arguments = "course", never restart = "never"; '
    'or take the player from "player" in each line'
)


@rule(
    "takes its player from the line, not from its command line",
    BELIEVES,
    explains=NoFault,
    advice=True,
)
def believes_the_line(trial: Trial) -> str:
    """A bot kept for several games must not be one that plays the side of its first game.

    Its move is compared where each player has another winning move.
    """
    position = boards.won_by_either(trial.variant)
    if position is None:
        return "this game has no position that would show it"
    if trial.spec.placeholders and "player" not in trial.spec.placeholders:
        return "its command line names no player"
    player = 3 - position.player
    told = f"started as player {player}, it"
    for asked in (position, position.mirrored()):  # one move alone may be chance
        as_itself = _move_as(trial, asked, asked.player)
        try:
            as_other = _move_as(trial, asked, player)
        except Crashed as crashed:
            raise Broken(f"{told} does not play for player {3 - player}: {crashed.seen}") from None
        if (as_itself, as_other) != (asked.winning_cells, asked.opponent_winning_cells):
            return ""
    raise Broken(f"{told} plays for player {player} although the line says player {3 - player}")


def _move_as(trial: Trial, position: Position, player: int) -> int:
    """Return the cell, as a bitboard, that the bot plays when its command line names a player."""
    arguments = () if trial.spec.placeholders else ("--player", str(player))
    with trial.start(*arguments, player=player) as bot:
        return 1 << bot.ask(position)


@rule(
    "takes a win",
    "if one of your moves wins, play it",
    explains=NoFault,
    advice=True,
)
def takes_a_win(trial: Trial) -> str:
    """One move wins; a bot that passes it up is legal, and loses."""
    position = boards.winnable(trial.variant)
    return _plays_one_of(trial, position, lambda asked: asked.winning_cells)


@rule(
    "stops a win of the other side",
    "if the other player could win with the next move, play there",
    explains=NoFault,
    advice=True,
)
def stops_a_win(trial: Trial) -> str:
    """The other side would win by its next move, and one cell stops it."""
    position = boards.threatened(trial.variant)
    return _plays_one_of(trial, position, lambda asked: asked.opponent_winning_cells)


def _plays_one_of(
    trial: Trial, position: Position | None, wanted: Callable[[Position], int]
) -> str:
    if position is None:
        return "this game has no such position"
    with trial.start(player=position.player) as bot:
        cell = bot.ask(position)
        if not wanted(position) >> cell & 1:
            moves = _moves(position.variant, wanted(position))
            raise Broken(f"it answered {quoted(bot.heard.strip())} instead of {moves}")
    return ""


def _moves(variant: Variant, cells: int) -> str:
    """Return the moves to these cells as a bot writes them."""
    moves = (orjson.dumps(wire_move(variant, cell)).decode() for cell in cells_of(cells))
    return " or ".join(moves)


@rule(
    "ends at a line :exit",
    "end at a line :exit, which some drivers send to stop a bot",
    explains=NoFault,
    advice=True,
)
def exit_line(trial: Trial) -> str:
    """The input stays open."""
    with trial.start() as bot:
        bot.ask(boards.middle(trial.variant))
        bot.say(b":exit\n")
        if bot.wait_for_exit(ENDING_SECONDS) is None:
            raise Broken(f"it still runs {ENDING_SECONDS:g} s after the line :exit")
    return ""
