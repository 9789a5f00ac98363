"""``c4-referee play``: a person plays against a bot in the terminal.

The bot is played by a worker, as in a contest (``play.person``). ``BotOpponent`` follows the moves
on the terminal: it sends the person's move, and begins another game with the moves so far as its
opening if moves were taken back.
"""

import argparse
import select
import shlex
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from c4_protocol.dialects import referee_end
from c4_protocol.program.errors import JudgeError, UsageError
from c4_protocol.rules.notation import cell_of_wire, moves_text, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.terminal.contract import Answer

from c4_referee.commands._arguments import (
    add_arguments,
    add_bots,
    add_dialect,
    add_sandbox,
    add_tc,
    add_time,
    add_variant,
    chosen_bots,
    known_bots,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_protocol.rules.position import Seat
    from c4_protocol.rules.variant import Variant
    from c4_protocol.terminal.contract import Coach
    from c4_protocol.terminal.game import TerminalGame

    from c4_referee.bots.clock import TimeControl
    from c4_referee.bots.spec import BotSpec
    from c4_referee.play.person import PersonGame

EXAMPLES = """\
examples:
  c4-referee play "python3 my_bot.py"
  c4-referee play mine --bots class.toml --second --time-ms 500
  c4-referee play "c4-bot --level 3" --moves 4444

The bot has the clock, the limits and the sandbox of a contest. Digits or
arrows choose a column, and ? shows all keys. A pipe is read as lines.
Exit code: 0 if you quit; 1 after Ctrl-C; 2 for a mistake on the command line.
"""
COACH_SECONDS = 5.0
"""Maximum time for a hint or for the values of a position, in seconds."""
REMARK_SECONDS = 0.2
"""Maximum time to wait for a remark after a move, in seconds."""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    play = commands.add_parser(
        "play",
        help="play against a bot in the terminal",
        description="Play against a bot in the terminal.",
        epilog=EXAMPLES,
        usual="--second --time-ms --tc --variant --moves --bots",
    )
    play.set_defaults(run=_run)
    play.add_argument("bot", metavar="BOT", help="a command line, or a name in the --bots file")
    play.add_argument("--second", action="store_true", help="let the bot move first")
    time = play.add_mutually_exclusive_group()
    add_time(time)
    add_tc(time)
    add_variant(play)
    play.add_argument(
        "--moves", default="", metavar="MOVES", help="begin after these moves, such as 4453"
    )
    for add_options in (add_bots, add_arguments, add_dialect, add_sandbox):
        add_options(play)


def _run(options: argparse.Namespace) -> int:
    from c4_protocol.rules.notation import cells_from_moves
    from c4_protocol.rules.variant import Variant
    from c4_protocol.terminal.game import TerminalGame

    from c4_referee.bots.clock import TimeControl

    (bot,) = chosen_bots([options.bot], known_bots(options), options)
    control = TimeControl.parse(options.tc) if options.tc else TimeControl(options.time_ms)
    control, variant = bot.time_control(control), Variant.parse(options.variant)
    bot.check_plays(variant, control)
    opponent = BotOpponent(bot, variant, 2 if options.second else 1, control)
    cells = cells_from_moves(options.moves, variant)
    game = TerminalGame(variant, opponent.person, bot.name, _coach(variant), cells)
    if game.is_over:
        raise UsageError(f"--moves {options.moves}: the game is over")
    if referee_end(bot.dialect).starts_empty:
        because = f"in {bot.dialect}, games begin on an empty board"
        game.no_undo = f"No move can be taken back: {because}."
        if cells:
            raise UsageError(f"--moves {options.moves}: {because}")
    try:
        return _play(game, opponent)
    finally:
        opponent.end()
        _print_fault(game)


def _coach(variant: "Variant") -> "Coach | None":
    """Return a coach, or ``None`` for a variant that ``c4-solve`` does not know."""
    from c4_referee.judging.explaining import Explainer, SolverCoach

    try:
        return SolverCoach(Explainer(variant, COACH_SECONDS))
    except JudgeError:
        return None


def _play(game: "TerminalGame", opponent: "BotOpponent") -> int:
    from c4_protocol.terminal.lines import GameLoop, has_screen

    if not has_screen():
        return GameLoop(game, opponent).run()
    from c4_protocol.terminal.screen import play_on_screen

    return play_on_screen(game, opponent)


def _print_fault(game: "TerminalGame") -> None:
    """Print the fault that has ended a game, with what the bot wrote to standard error."""
    if not (game.fault and game.record):
        return
    from c4_protocol.terminal.console import SafeConsole
    from c4_protocol.terminal.paragraphs import print_paragraphs, width_of_output

    from c4_referee.report.replay import faults_part
    from c4_referee.storage.result_lines import stored_game

    console = SafeConsole(highlight=False)
    page = faults_part(stored_game(game.record.encode()))
    print_paragraphs(console, page, width_of_output(console))


class BotOpponent:
    """A bot as the opponent of a person in seat ``person``, with the rules of contests."""

    def __init__(
        self, bot: "BotSpec", variant: "Variant", person: "Seat", control: "TimeControl"
    ) -> None:
        self.person = person
        self.title, self.about = bot.name, f"{bot.name} has {control}.\n"
        self._bot, self._variant, self._control = bot, variant, control
        self._game: PersonGame | None = None
        self._position = Position(variant)
        self._cells: list[int] = []
        self._said = Answer()
        """What the bot has done since the last move of the person."""

    def answer(self, cells: "Sequence[int]") -> Answer:
        """Return what the bot does after these moves, in this game or in a new one."""
        if self._game is None or self._cells not in ([*cells], [*cells[:-1]]):
            self._begin(cells)
        elif len(cells) > len(self._cells):
            self._game.play(wire_move(self._variant, cells[-1]))
        self._cells, self._said = [*cells], replace(self._said, cell=None, remark="")
        self._position = reduce(Position.play, cells, Position(self._variant))
        while self._has_more():
            self._read()
        return self._said

    def save(self, cells: "Sequence[int]", record: str) -> str:
        """Store the game, and return how it can be shown."""
        from c4_referee.storage.played import person_name, save_game

        name = person_name("you", self._bot)
        folder = save_game(self._bot, name, self._variant, self.person, record.encode())
        return f"The game is stored: c4-referee show {shlex.quote(str(folder))}"

    def end(self) -> None:
        """Stop the bot."""
        if self._game is not None:
            self._game.end()

    def _begin(self, cells: "Sequence[int]") -> None:
        from c4_referee.play.person import PersonGame
        from c4_referee.storage.played import person_name

        self.end()
        opening, name = moves_text(self._variant, cells), person_name("you", self._bot)
        self._said = Answer()
        self._game = PersonGame(self._bot, self._variant, self.person, self._control, opening, name)

    def _has_more(self) -> bool:
        """Return whether the bot has to move, the game has to end, or a remark may arrive."""
        if self._said.record or self._said.fault:
            return False
        if self._position.is_over or self._position.player != self.person:
            return True
        if self._said.cell is None or self._said.remark or self._game is None:
            return False
        return bool(select.select([self._game.socket], [], [], REMARK_SECONDS)[0])

    def _read(self) -> None:
        """Take the events that arrive next."""
        events = self._game.read() if self._game else None
        if events is None:
            self._said = replace(self._said, fault="The process that played the game has ended.")
        for event, line in events or ():
            self._take(event, line)

    def _take(self, event: dict[str, Any], line: bytes) -> None:
        if event["event"] == "move" and event["bot"] == self._bot.name:
            move = event["move"]
            cell = cell_of_wire(self._position, move if isinstance(move, int) else tuple(move))
            self._position = self._position.play(cell)
            self._cells.append(cell)
            self._said = replace(self._said, cell=cell, ms=event["ms"])
        elif event["event"] == "remark" and self._said.cell is not None:
            self._said = replace(self._said, remark=event["text"])
        elif event["event"] == "game_ended":
            fault = _sentence_of_fault(event["fault"]) if event["fault"] else ""
            self._said = replace(self._said, fault=fault, record=line.decode())


def _sentence_of_fault(fault: dict[str, Any]) -> str:
    end = "The game is void: {}" if fault["policy"] == "void" else "You win: {} forfeits"
    return f"{end.format(fault['bot'])}, {fault['fault']}: {fault['detail']}."
