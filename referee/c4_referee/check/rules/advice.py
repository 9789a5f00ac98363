"""Rules that no driver requires. They are only advice for better bots."""

from collections.abc import Callable
from operator import attrgetter

from c4_protocol.rules.notation import wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import cells_of

from c4_referee.check import boards
from c4_referee.check.broken import Broken, Crashed
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import quoted
from c4_referee.check.rules._rule import ENDING_SECONDS, advice_rule, takes_openings

TAKE_PLAYER_FROM_LINE = (
    'start it anew for each game with its player: arguments = "course", never restart = "never"; '
    'or take the player from "player" in each line'
)


@advice_rule(
    "takes its player from the line, not from its command line", TAKE_PLAYER_FROM_LINE, json=True
)
def believes_the_line(trial: Trial) -> str:
    """Start the bot as one player, and ask it for moves of the other player.

    A bot that plays several games in one run must not always play the seat of its first game. The
    bot is asked about positions in which each player could win, but in different cells. So its move
    shows for which player it plays.
    """
    position = boards.first_position(trial.variant, _is_won_by_either)
    if position is None:
        return "this game has no position that would show it"
    if trial.spec.placeholders and "player" not in trial.spec.placeholders:
        return "its command line names no player"
    player = 3 - position.player
    subject = f"started as player {player}, it"
    for asked in (position, position.mirrored()):  # a single move may be right by chance
        try:
            as_other = _move_as(trial, asked, player)
        except Crashed as crashed:
            _move_as(trial, asked, asked.player)  # if it crashes at all times, that is what it does
            seen = f"{subject} does not play for player {3 - player}: {crashed.seen}"
            raise Broken(seen) from None
        if as_other != asked.opponent_winning_cells:
            return ""
        if _move_as(trial, asked, asked.player) != asked.winning_cells:
            return ""
    raise Broken(f"{subject} plays for player {player} although the line says player {3 - player}")


def _is_won_by_either(position: Position) -> bool:
    """Return whether each player could win with one move, in different cells."""
    own, other = position.winning_cells, position.opponent_winning_cells
    return own.bit_count() == other.bit_count() == 1 and own != other


def _move_as(trial: Trial, position: Position, player: int) -> int:
    """Start the bot as this player, and return the cell that it plays, as a bitboard."""
    arguments = () if trial.spec.placeholders else ("--player", "{player}")
    with trial.start(*arguments, player=player) as bot:
        return 1 << bot.ask(position)


@advice_rule("takes a win", "if one of your moves wins, play it", condition=takes_openings)
def takes_a_win(trial: Trial) -> str:
    """Ask about a position in which a move wins."""
    return _expect_one_of(trial, attrgetter("winning_cells"))


@advice_rule(
    "stops a win of the other side",
    "if the other player could win with the next move, play there",
    condition=takes_openings,
)
def stops_a_win(trial: Trial) -> str:
    """Ask about a position in which one cell stops a win of the other player."""
    return _expect_one_of(trial, boards.threatened_cell)


def _expect_one_of(trial: Trial, wanted: Callable[[Position], int]) -> str:
    """Ask about a position in which ``wanted`` returns cells, as a bitboard.

    Raise ``Broken`` if the bot plays none of them.
    """
    position = boards.first_position(trial.variant, wanted)
    if position is None:
        return "this game has no such position"
    cells = wanted(position)
    with trial.start(player=position.player) as bot:
        cell = bot.ask(position)
        if not cells >> cell & 1:
            found, *better = (
                trial.referee.move_in_words(trial.variant, wire_move(trial.variant, each))
                for each in (cell, *cells_of(cells))
            )
            wrote = f"it answered {quoted(bot.answer)}: {found}"
            raise Broken(f"{wrote}; better: {' or '.join(better)}")
    return ""


@advice_rule(
    "ends at a line :exit", "end at a line :exit, which some drivers send to stop a bot", json=True
)
def exit_line(trial: Trial) -> None:
    """Send the line ``:exit`` and leave the input open."""
    with trial.start() as bot:
        bot.ask(trial.position)
        bot.say(b":exit\n")
        if bot.channel.wait_for_exit(ENDING_SECONDS) is None:
            raise Broken(f"it still runs {ENDING_SECONDS:g} s after the line :exit")
