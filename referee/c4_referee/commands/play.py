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
from c4_protocol.rules.notation import cell_of_wire, moves_text, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.terminal.contract import Answer

from c4_referee.commands._options import (
    add_options,
    add_sandbox,
    check_command,
    chosen_bots,
    known_bots,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_protocol.rules.position import Seat
    from c4_protocol.rules.variant import Variant

    from c4_referee.bots.clock import TimeControl
    from c4_referee.bots.spec import BotSpec
    from c4_referee.contest.play.person import PersonGame

EXAMPLES = """\
examples:
  c4-referee play "python3 my_bot.py"
  c4-referee play mine --bots class.toml --second --time-ms 500

The bot has the clock, the limits and the sandbox of a contest. Digits or
arrows choose a column, and ? shows all keys. A pipe is read as lines.
Exit code: 0 if you quit; 1 if Ctrl-C ends a game on the screen; 2 for a
mistake on the command line.
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
        usual="--second --time-ms --variant --bots",
    )
    play.add_argument("bot", metavar="BOT", help="a command line, or a name in the --bots file")
    play.add_argument("--second", action="store_true", help="let the bot move first")
    add_options(play, "--time-ms", "--variant", "--bots", "--arguments", "--dialect")
    add_sandbox(play)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_protocol.rules.variant import Variant
    from c4_protocol.terminal.game import TerminalGame
    from c4_protocol.terminal.lines import play_game

    from c4_referee.bots.clock import TimeControl
    from c4_referee.contest.judging.explaining import Explainer

    (bot,) = chosen_bots([options.bot], known_bots(options), options)
    control = bot.time_control(TimeControl(options.time_ms))
    variant = Variant.parse(options.variant)
    bot.check_plays(variant, control)
    seat: Seat = 2 if options.second else 1
    opponent = BotOpponent(bot, variant, seat, control)
    coach = Explainer(variant, COACH_SECONDS)
    game = TerminalGame(variant, seat, bot.name, coach, opponent.save)
    if referee_end(bot.dialect).starts_empty:
        game.no_undo = f"In {bot.dialect}, no move can be taken back."
    try:
        return play_game(game, opponent)
    finally:
        opponent.end()
        if game.fault and game.record:
            _print_fault(game.record, check_command(options.bot, options))


def _print_fault(record: str, command: str) -> None:
    """Print the fault that has ended a game, what the bot wrote, and the command that finds why."""
    from c4_protocol.terminal.console import SafeConsole
    from c4_protocol.terminal.paragraphs import print_paragraphs, width_of_output
    from rich.text import Text

    from c4_referee.records.storage.result_lines import stored_game
    from c4_referee.report.terminal.replay import faults_part

    console = SafeConsole(highlight=False)
    page = faults_part(stored_game(record.encode()))
    print_paragraphs(console, page, width_of_output(console))
    console.print(Text(f"\nNext:\n  {command}"), soft_wrap=True)


class BotOpponent:
    """A bot as the opponent of a person in seat ``person``, with the rules of contests."""

    def __init__(
        self, bot: "BotSpec", variant: "Variant", person: "Seat", control: "TimeControl"
    ) -> None:
        from c4_referee.records.storage.kept import person_name

        self.title, self.about = bot.name, f"{bot.name} has {control}.\n"
        self._bot, self._variant, self._seat, self._control = bot, variant, person, control
        self._person = person_name("", bot)
        self._game: PersonGame | None = None
        self._cells: list[int] = []

    def answer(self, cells: "Sequence[int]") -> Answer:
        """Return what the bot does after these moves, in this game or in a new one."""
        game = self._game
        if game is None or self._cells not in ([*cells], [*cells[:-1]]):
            game = self._new_game(cells)
        elif len(cells) > len(self._cells):
            game.play(wire_move(self._variant, cells[-1]))
        self._cells, answer = [*cells], Answer()
        while not answer.fault and self._has_more(game, answer):
            for event, line in game.read() or [({"event": "lost"}, b"")]:
                answer = self._with_event(answer, event, line)
        if answer.fault or answer.record:
            self.end()
        return answer

    def save(self, record: str) -> str:
        """Store the game, and return how it can be shown."""
        from c4_referee.records.storage.kept import save_game

        folder = save_game(self._bot, self._person, self._variant, self._seat, record.encode())
        return f"The game is stored: c4-referee show {shlex.quote(str(folder))}"

    def end(self) -> None:
        """Stop the bot. A later answer needs a new game."""
        if self._game is not None:
            self._game.end()
            self._game = None

    def _new_game(self, cells: "Sequence[int]") -> "PersonGame":
        from c4_referee.contest.play.person import PersonGame

        self.end()
        opening = moves_text(self._variant, cells)
        self._game = game = PersonGame(
            self._bot, self._variant, self._seat, self._control, opening, self._person
        )
        return game

    @property
    def _position(self) -> Position:
        return reduce(Position.play, self._cells, Position(self._variant))

    def _has_more(self, game: "PersonGame", answer: Answer) -> bool:
        """Return whether the bot has to move, the game has to end, or a remark may arrive."""
        position = self._position
        if position.is_over or position.player != self._seat:
            return not answer.record
        may_speak = answer.cell is not None and not answer.remark
        return may_speak and bool(select.select([game.socket], [], [], REMARK_SECONDS)[0])

    def _with_event(self, answer: Answer, event: dict[str, Any], line: bytes) -> Answer:
        match event:
            case {"event": "move", "bot": self._bot.name, "move": move}:
                wire = move if isinstance(move, int) else tuple(move)
                self._cells.append(cell := cell_of_wire(self._position, wire))
                return replace(answer, cell=cell)
            case {"event": "remark", "text": text} if answer.cell is not None:
                return replace(answer, remark=text)
            case {"event": "game_ended", "fault": fault}:
                sentence = ""
                if fault:
                    is_void = fault["policy"] == "void"
                    end = "The game is void: {bot}" if is_void else "You win: {bot} forfeits"
                    sentence = f"{end}, {{fault}}: {{detail}}.".format_map(fault)
                return replace(answer, fault=sentence, record=line.decode())
            case {"event": "lost"}:
                return replace(answer, fault="The process that played the game has ended.")
        return answer
