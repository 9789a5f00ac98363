"""``c4-referee analyse``: the exact values of positions, with the best line and its reason."""

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from c4_protocol.dialects.jsonl import precept_of
from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.errors import (
    ArenaError,
    IllegalMove,
    JudgeError,
    NotationError,
    UsageError,
)
from c4_protocol.program.parser import add_json
from c4_protocol.program.text import shortened
from c4_protocol.rules.notation import check_not_over, replay
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.commands._arguments import add_variant
from c4_referee.judging.solver_process import move_in_json
from c4_referee.play.remarks import proven_end

if TYPE_CHECKING:
    from c4_protocol.terminal.paragraphs import Paragraph

    from c4_referee.formats import UnreadableLine
    from c4_referee.judging.explaining import Explainer

EXAMPLES = """\
examples:
  c4-referee analyse 444444
  c4-referee analyse d4d5e4 --variant line8
  c4-referee analyse positions.txt --json

Each line of a FILE is a move string or a precept. Columns count from 1. Above
each column is the value of a move there: + wins, 0 draws, - loses; the number
is 1 plus the stones that the winner will have left.
Exit code: 0 if every position was analysed, 1 if not, 2 for a mistake on the
command line.
"""
POSITION_SECONDS = 20.0
"""Maximum time for each position, and for each position of its best line, in seconds."""


class Asked(NamedTuple):
    """A position that was asked for: the moves that lead to it, and the cell of the last one."""

    moves: str | None
    position: Position
    last: int | None = None


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    analyse = commands.add_parser(
        "analyse",
        help="show the exact values of positions, the best line and its reason",
        description="Show the exact values of positions, the best line and its reason.",
        epilog=EXAMPLES,
        usual="--variant --json",
    )
    analyse.set_defaults(run=_run)
    analyse.add_argument(
        "position",
        metavar="MOVES|PRECEPT|FILE",
        help="the moves of a game, a precept (its state as JSON), or a file with one of them on "
        "each line; - is standard input",
    )
    add_variant(analyse)
    add_json(analyse)


def _run(options: argparse.Namespace) -> int:
    from c4_referee.judging.explaining import Explainer

    variant, code = Variant.parse(options.variant), 0
    explainer_of = cache(lambda variant: Explainer(variant, POSITION_SECONDS))
    raise_on_signals()
    for where, text in _texts(options.position, variant):
        try:
            asked = _asked(text, variant)
            analysis = _analysis(asked, explainer_of(asked.position.variant))
        except ArenaError as error:
            if not (where or isinstance(error, JudgeError)):
                raise
            sys.stderr.write(f"c4-referee: {where}{error}\n")
            code = 1
        else:
            print_json(analysis) if options.json else _print(asked, analysis)
    return code


def _texts(argument: str, variant: Variant) -> Iterator[tuple[str, str]]:
    """Generate the texts of positions, each with its place in a file as the start of a message."""
    from c4_referee.storage.game_files import numbered_lines, opened_file

    is_file = argument == "-"
    if not is_file and not argument.startswith("{"):
        try:
            _asked(argument, variant)
        except (NotationError, IllegalMove) as error:
            with suppress(OSError):  # many moves are no name of a file
                is_file = Path(argument).is_file()
            if not is_file:
                raise UsageError(f"{shortened(argument)}: no such file, and {error}") from None
    if not is_file:
        yield "", argument
        return
    with opened_file(argument, is_named=True) as file:
        for number, line in numbered_lines(file, _complain):
            yield f"line {number}: ", line.decode(errors="backslashreplace")


def _complain(line: "UnreadableLine") -> None:
    sys.stderr.write(f"c4-referee: line {line.number}: {line.reason}\n")


def _asked(text: str, variant: Variant) -> Asked:
    """Return the position of a precept, or of moves with anything after them."""
    if text.startswith("{"):
        return Asked(None, precept_of(text.encode()).position())
    moves = (
        text.split(" ", maxsplit=1)[0]
        if variant.gravity
        else re.sub(r"(?<=\d)(?=[a-zA-Z])", " ", text)
    )
    position, cells = replay(moves, variant)
    check_not_over(position)
    return Asked(moves, position, cells[-1] if cells else None)


def _analysis(asked: Asked, explainer: "Explainer") -> dict[str, Any]:
    """Return what ``c4-solve`` says of a position, with the names of the moves of the best line."""
    answer = explainer.ask(asked.position) | {"moves": asked.moves, "player": asked.position.player}
    line = answer.get("line") or _best_line(asked.position, answer, explainer)
    kept = {name: value for name, value in answer.items() if name not in {"nodes", "us", "steps"}}
    return kept | {"line": line}


def _best_line(
    position: Position, answer: dict[str, Any], explainer: "Explainer"
) -> list[int | str]:
    """Return the best moves of both players until the game ends or a position is too difficult."""
    line: list[int | str] = []
    with suppress(JudgeError):
        while position.variant.gravity and not position.is_over:
            answer = answer if not line else explainer.ask(position)
            names = {move_in_json(position.variant, cell): cell for cell in position.moves}
            line.append(next(name for name in names if name in answer["best"]))
            position = position.play(names[line[-1]])
    return line


def _print(asked: Asked, analysis: dict[str, Any]) -> None:
    from c4_protocol.terminal.console import SafeConsole
    from c4_protocol.terminal.paragraphs import print_paragraphs, width_of_output

    console = SafeConsole(highlight=False)
    width = width_of_output(console)
    print_paragraphs(console, _page(asked, analysis, width), width)


def _page(asked: Asked, analysis: dict[str, Any], width: int | None) -> "Iterator[Paragraph]":
    """Yield who wins, the board with the values of the columns, the reason and the best line."""
    from c4_protocol.terminal.board import SIGNS, STYLES, board_for_width
    from c4_protocol.terminal.paragraphs import Paragraph, paragraph
    from rich.text import Text

    position, seat = asked.position, asked.position.player
    player = Text(SIGNS[seat - 1], STYLES[seat - 1])
    yield Paragraph(player.append(f" is to move and {_outcome(analysis, position)}.", "bold"))
    if analysis.get("scores"):
        yield paragraph("")
    yield from board_for_width(position, width, asked.last, tuple(analysis.get("scores", ())))
    yield paragraph("")
    yield paragraph(analysis["explanation"]["text"])
    if analysis["line"]:
        names = " ".join(map(str, analysis["line"]))
        yield paragraph(f"Best line: {names}")
    yield paragraph("")


def _outcome(analysis: dict[str, Any], position: Position) -> str:
    """Return how the game ends with best play, in words for the player to move."""
    score = analysis["score"]
    if not score:
        return "can hold a draw"
    end = proven_end(score, position) or ("wins" if score > 0 else "loses")
    return end if analysis.get("exact", True) else end.replace(" in ", " in at most ")
