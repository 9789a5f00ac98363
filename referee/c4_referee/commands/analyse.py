"""``c4-referee analyse``: the exact values of positions, with the best line and its reason."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from c4_protocol.dialects.jsonl import precept_of
from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import ArenaError, JudgeError, UsageError
from c4_protocol.program.text import shortened
from c4_protocol.rules.notation import COLUMN_NAMES, check_not_over, replay
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.commands._options import add_options
from c4_referee.contest.judging.solver_process import move_in_json
from c4_referee.contest.play.remarks import proven_end

if TYPE_CHECKING:
    from c4_protocol.terminal.paragraphs import Paragraph

    from c4_referee.contest.judging.explaining import Explainer

EXAMPLES = """\
examples:
  c4-referee analyse 444444
  c4-referee analyse "d4 d5 e4" --variant line8
  c4-referee analyse positions.txt

Each line of a FILE is a move string or a precept. Columns count from 1; moves
may have blanks or commas between them, as in "Best line". Above each column
is the value of a move there: + wins, 0 draws, - loses; the number is 1 plus
the stones that the winner will have left.
Exit code: 0 if every position was analysed, 1 if not, 2 for a mistake on the
command line.
"""
POSITION_SECONDS = 20.0
"""Maximum time for each position, and for each position of its best line, in seconds."""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    analyse = commands.add_parser(
        "analyse",
        help="show the exact values of positions, the best line and its reason",
        description="Show the exact values of positions, the best line and its reason.",
        epilog=EXAMPLES,
        usual="--variant",
    )
    analyse.add_argument(
        "position",
        metavar="MOVES|PRECEPT|FILE",
        help="the moves of a game, a precept (its state as JSON), or a file with one of them on "
        "each line; - is standard input",
    )
    add_options(analyse, "--variant")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_protocol.terminal.console import SafeConsole
    from c4_protocol.terminal.paragraphs import print_paragraphs, width_of_output

    from c4_referee.contest.judging.explaining import Explainer

    variant, console, code = Variant.parse(options.variant), SafeConsole(highlight=False), 0
    width = width_of_output(console)
    explainer_of = cache(lambda variant: Explainer(variant, POSITION_SECONDS))
    raise_on_signals()
    for number, text in _texts(options.position):
        try:
            position, last = _asked(text, variant)
            page = [*_page(position, last, explainer_of(position.variant), width)]
        except ArenaError as error:
            if not (number or isinstance(error, JudgeError)):
                raise UsageError(f"{shortened(text)}: no such file, and {error}") from None
            _complain(number, str(error))
            code = 1
        else:
            print_paragraphs(console, page, width)
    return code


def _texts(argument: str) -> Iterator[tuple[int, str]]:
    """Generate the texts of positions, with their numbers in a file, or 0 for an argument."""
    from c4_referee.records.storage.game_files import numbered_lines, opened_file

    if argument != "-" and not os.path.isfile(argument):  # noqa: PTH113 - for any text
        yield 0, argument
        return
    with opened_file(argument, is_named=True) as file:
        for number, line in numbered_lines(file, lambda bad: _complain(bad.number, bad.reason)):
            yield number, line.decode(errors="backslashreplace")


def _complain(number: int, reason: str) -> None:
    where = f"line {number}: " if number else ""
    sys.stderr.write(f"c4-referee: {where}{reason}\n")


def _asked(text: str, variant: Variant) -> tuple[Position, int | None]:
    """Return the position of a precept or of moves, and the cell of the last move."""
    if text.startswith("{"):
        return precept_of(text.encode()).position(), None
    words = text.replace(",", " ").split()
    position, cells = replay(("" if variant.gravity else " ").join(words), variant)
    check_not_over(position)
    return position, cells[-1] if cells else None


def _best_line(
    position: Position, answer: dict[str, Any], explainer: "Explainer"
) -> Iterator[int | str]:
    """Yield the best moves of both players until the game ends or a position is too difficult."""
    with suppress(JudgeError):
        while True:
            cells = {move_in_json(position.variant, cell): cell for cell in position.moves}
            best = next(name for name in cells if name in answer["best"])
            yield best
            position = position.play(cells[best])
            if position.is_over:
                return
            answer = explainer.ask(position)


def _page(
    position: Position, last: int | None, explainer: "Explainer", width: int | None
) -> "Iterator[Paragraph]":
    """Yield who wins, the board with the values of the columns, the reason and the best line."""
    from c4_protocol.terminal.board import SIGNS, STYLES, board_page, room_for_width
    from c4_protocol.terminal.paragraphs import Paragraph, paragraph
    from rich.text import Text

    seat, answer = position.player, explainer.ask(position)
    player = Text(SIGNS[seat - 1], STYLES[seat - 1])
    yield Paragraph(player.append(f" is to move and {_outcome(answer, position)}.", "bold"))
    yield paragraph("")
    room, scores = room_for_width(position.variant, width), tuple(answer.get("scores", ()))
    yield from board_page(position, room, last, scores)
    yield paragraph("")
    yield paragraph(answer["explanation"]["text"])
    line = answer.get("line") or _best_line(position, answer, explainer)
    names = (COLUMN_NAMES[move - 1] if isinstance(move, int) else move for move in line)
    yield paragraph(f"Best line: {' '.join(names)}")
    yield paragraph("")


def _outcome(answer: dict[str, Any], position: Position) -> str:
    """Return how the game ends with best play, in words for the player to move."""
    score = answer["score"]
    if not score:
        return "can hold a draw"
    end = proven_end(score, position) or ("wins" if score > 0 else "loses")
    return end if answer.get("exact", True) else end.replace(" in ", " in at most ")
