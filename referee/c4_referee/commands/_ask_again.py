"""Ask a bot again what it was asked in a stored game, and show its answer."""

import argparse
import shlex
import sys
import time

from c4_protocol.dialects import referee_end
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import wire_move
from c4_protocol.rules.position import Position

from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.contain.faults import Foul
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import FUNCTION_COMMAND, BotSpec
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.commands._options import chosen_bots, known_bots
from c4_referee.records.storage.contests import StoredContest
from c4_referee.report.terminal.replay import fault_lines
from c4_referee.report.texts import time_text

BOTS = "and name this with --bots"
STARTED_IN = "start c4-referee in the folder in which the match was started"
ONLY_COMMAND = "Only its command is stored: --bots FILE gives it its folder and other settings."
ONLY_QUESTION = "This is its only question, so a bot that remembers others may answer differently."
QUIET_SECONDS = 0.3
"""Time in seconds without use of a processor after which a bot has started up."""


def ask_again(
    contest: StoredContest, game: GameEnded, number: int, options: argparse.Namespace
) -> int:
    """Start a bot and ask it for move ``number`` of a game. Return the exit code.

    The bot is found in the file ``options.bots``, or started with its stored command line. The exit
    code is 1 if the bot commits a fault. Raises ``UsageError`` if the game has no such question, or
    if the bot cannot be found.
    """
    first, last = game.start + 1, game.plies + bool(game.fault)
    if not first <= number <= last:
        raise UsageError(f"--ask {number}: the bots were asked for moves {first} to {last}")
    position, name = game.positions[number - 1], game.mover(number - 1)
    bot = _bot(contest, name, options)
    sys.stdout.write(visible(f"Game {game.game}, move {number}: {name} is asked") + "\n")
    sys.stdout.write(f"{ONLY_QUESTION}\n")
    if not options.bots and name != shlex.join(bot.command):
        sys.stdout.write(f"{ONLY_COMMAND}\n")
    names, controls = [bot.name for bot in contest.bots], contest.identity.get("controls", [])
    control = TimeControl(**dict(zip(names, controls, strict=False)).get(name, {}))
    code = _ask(bot, control, position)
    if number <= game.plies:
        move = wire_move(position.variant, game.cells[number - 1])
        words = referee_end(bot.dialect).move_in_words(position.variant, move)
        sys.stdout.write(f"In the game: {words}\n")
    if game.fault is not None and game.fault.ply == number - 1:
        for line in fault_lines(game.fault):
            sys.stdout.write(f"In the game, {line.text.plain}\n")
    return code


def _bot(contest: StoredContest, name: str, options: argparse.Namespace) -> BotSpec:
    stored = next(bot for bot in contest.bots if bot.name == name)
    known = known_bots(options)
    text = next((each for each in (stored.own_name, name) if each in known), "")
    if not text and stored.command[:1] == (FUNCTION_COMMAND,):
        raise UsageError(f"--ask: '{name}' is a Python function, which only its program can ask")
    if not text and not stored.command:
        raise UsageError(f"--ask: no command of '{name}' is stored: describe it in a file {BOTS}")
    try:
        (bot,) = chosen_bots([text or shlex.join(stored.command)], known, options)
    except UsageError as error:
        advice = "" if text else f"; {STARTED_IN}, or describe it in a file {BOTS}"
        raise UsageError(f"{error}{advice}") from None
    return bot


def _ask(bot: BotSpec, control: TimeControl, position: Position) -> int:
    """Ask a bot, and print the question, the answer or the fault, and its standard error."""
    clock, other = PlayerClock(control), PlayerClock(control)
    times = clock.question_time, other.question_time
    dialect = referee_end(bot.dialect)
    _print("question", dialect.write_precept(position, *times))
    with Contestant(bot) as contestant:
        try:
            contestant.start(CommandValues(position.player, position.variant, clock.budget_ms))
            start_up = _wait_for_start(contestant, control.startup_ms / 1000)
            answer = contestant.ask(position, clock, other)
        except Foul as foul:
            text, is_good = str(foul), False
        else:
            _print("answer", answer.line)
            move = wire_move(position.variant, answer.cell)
            text = (
                f"{dialect.move_in_words(position.variant, move)}, {time_text(answer.ms)} "
                f"(start-up before: about {time_text(start_up)})"
            )
            is_good = True
        words = contestant.take_stderr()
    sys.stdout.write(visible(f"{'this means' if is_good else 'fault'}: {text}") + "\n")
    _print("standard error", words.encode())
    return 0 if is_good else 1


def _wait_for_start(contestant: Contestant, most: float) -> float:
    """Wait until a bot uses no processor any more, ``most`` seconds at most.

    Return the processor time of its start-up in milliseconds.
    """
    used, end = -1.0, time.monotonic() + most
    while used != (now := contestant.idle_ms()) and time.monotonic() < end:
        used = now
        time.sleep(QUIET_SECONDS)
    return now


def _print(title: str, text: bytes) -> None:
    """Print lines of a bot or for a bot, each with a title."""
    for line in text.decode(errors="replace").splitlines():
        sys.stdout.write(visible(f"{title}: {line}") + "\n")
