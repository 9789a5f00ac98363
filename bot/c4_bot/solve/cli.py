"""``c4-solve``: parses the command line and answers line by line; imports the rest after that."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO

from c4_protocol.errors import ArenaError, UsageError

if TYPE_CHECKING:
    from c4_protocol.variant import Variant

    from c4_bot.solve.line_answers import LineAnswerer
    from c4_bot.solve.lines import Answerer
    from c4_bot.solve.solver import Book

EXAMPLES = """\
examples:
  echo 4453 | c4-solve                 the score after columns 4, 4, 5, 3
  c4-solve positions.txt --weak        who wins: 1 the player to move, -1 the other one, 0 nobody
  c4-solve positions.txt --check       compare with the scores in the file
  echo 4453 | c4-solve --all           each column's score, "." for a full one
  echo 32 | c4-solve --variant 6x5 --json
  echo d4d5 | c4-solve --variant line8 --proof d4d5.jsonl

Input:   MOVES [anything]; columns count from 1 (after 9 comes a). MOVES ends at the first blank or
         tab: an empty line, and one that begins with a blank, asks about the empty board.
Output:  MOVES SCORE NODES MICROSECONDS; with --all MOVES, a score for each column, NODES and
         MICROSECONDS; with --json an object: moves, score, nodes, us, best (a list of all columns
         that keep the score, from 1) and with --all scores (null for a full column). Nodes and
         microseconds are those of all that the line tells.
Score:   for the player to move: 0 for a draw; a win is one more than half the cells less the
         winner's stones when it wins (22 less them on 7x6); a loss is minus the other's win.
line8:   stones do not fall: moves and best are cells (d4d5, or d4 d5: row d from the top,
         column 4). Then follow OUTCOME (win, draw or loss), STONES that the winner still needs,
         STEPS of the proof and LINE, a game in which the loser holds out (- for none); with --json
         outcome, stones, exact, steps and line. "<=6" stones, or exact false: fewer are not
         excluded, so that a win's score is at least, a loss's at most the one given. --weak stops
         at the first proof. Without the native core 20 cells may be free at most, and there is
         only the score.

A line that makes no sense gets its number and the reason on standard error; the others go on.
Exit code: 0 if every line was answered, and --check found no difference; 1 if not; 2 for a bad
command line.
"""
MOST_THREADS = 1 << 10
MOST_MB = 1 << 20
MOST_MS = 10**9
LINE_MS = 20_000
"""For a line where stones do not fall: proving that no win is shorter may take for ever."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``c4-solve``; returns its exit code."""
    options = _parser().parse_args(argv)
    try:
        return _print_version() if options.version else _solve(options)
    except ArenaError as error:
        return _failed(str(error), 2)
    except MemoryError:
        return _failed("not enough memory: try a smaller --hash-mb", 2)
    except OSError as error:
        return _failed(str(error), 1)


def _failed(reason: str, code: int) -> int:
    """Says why there is no more; what could not be written before won't be tried again."""
    _say(reason)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _say(reason: str) -> None:
    print(f"c4-solve: {reason}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="c4-solve",
        description="Exact scores of Connect Four positions, a line each.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: - for stdin")
    asked = parser.add_argument_group("what is asked")
    asked.add_argument("--variant", default="standard", help="standard, 8x7, 9x7x5 or line8")
    asked.add_argument("--weak", action="store_true", help="only who wins: 1, 0 or -1")
    asked.add_argument("--all", action="store_true", help="one score per column")
    asked.add_argument("--json", action="store_true", help="one object a line, best moves included")
    asked.add_argument("--check", action="store_true", help="compare with each line's second field")
    means = parser.add_argument_group("by what means")
    means.add_argument(
        "--threads", type=_up_to(MOST_THREADS), default=1, metavar="N", help="default: 1"
    )
    means.add_argument(
        "--hash-mb",
        type=_up_to(MOST_MB),
        metavar="N",
        help="for what was found (default: 64, or 16 where stones do not fall)",
    )
    means.add_argument("--no-book", action="store_true", help="do not look up openings in the book")
    means.add_argument("--cold", action="store_true", help="forget everything between lines")
    lines = parser.add_argument_group("where stones do not fall")
    lines.add_argument("--proof", metavar="FILE", help="write the proofs there, as JSON lines")
    lines.add_argument(
        "--time-ms",
        type=_up_to(MOST_MS),
        metavar="N",
        help="for each line (default: 20000; where stones fall, each takes as long as it takes)",
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    return parser


def _solve(options: argparse.Namespace) -> int:
    from c4_protocol.variant import Variant

    from c4_bot.solve.line import is_native

    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)  # end at once, also in the midst of a search
    variant = Variant.parse(options.variant)
    if options.all and not variant.gravity:
        raise UsageError(f"--all scores columns, but in {options.variant} a move is a cell")
    if (options.proof or options.time_ms) and not is_native(variant):
        raise UsageError("--proof and --time-ms are for the native core where stones do not fall")
    with open(1, "wb", closefd=False) as out, _opened(options.file) as file:
        return _answer_all(options, variant, file, out)


def _opened(name: str) -> BinaryIO:
    """The input; raises ``UsageError`` for a file that cannot be read."""
    if name == "-":
        return open(0, "rb", closefd=False)
    try:
        return open(name, "rb")  # noqa: PTH123 - a Path would take longer to import
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {name!r}: {_reason(error)}") from None


def _reason(error: Exception) -> object:
    return error.strerror if isinstance(error, OSError) else error


def _answer_all(
    options: argparse.Namespace, variant: "Variant", file: BinaryIO, out: BinaryIO
) -> int:
    """Answers every line as it comes; the exit code tells whether all went well."""
    from c4_bot.solve.lines import NotProven, lines, question

    answerer, code = _answerer(options, variant), 0
    for number, line in enumerate(lines(file), 1):
        try:
            asked = question(line, variant, checked=options.check)
            answer = answerer.answer(asked)
            out.write(_json(answer.fields(asked)) if options.json else _text(answer.text(asked)))
            out.flush()
            if answer.shortfall:
                raise NotProven(answer.shortfall)
            if options.check:
                asked.check(answer.score, weak=options.weak)
        except ArenaError as error:
            _say(f"line {number}: {error}")
            code = 1
    return code


def _text(line: str) -> bytes:
    return f"{line}\n".encode()


def _json(fields: dict[str, object]) -> bytes:
    import orjson  # a tenth of the time to start, for those who ask for it

    return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)


def _answerer(options: argparse.Namespace, variant: "Variant") -> "Answerer | LineAnswerer":
    from c4_bot.contract import Limits
    from c4_bot.solve.line import is_native
    from c4_bot.solve.lines import Answerer
    from c4_bot.solve.solver import HASH_MB, Solver

    if options.hash_mb and options.hash_mb > (there_are := _memory_mb()):
        raise UsageError(f"--hash-mb {options.hash_mb} is more than this machine has: {there_are}")
    if is_native(variant):
        return _line_answerer(options, variant)
    book = None if options.no_book else _book(variant)
    solver = Solver(variant, options.hash_mb or HASH_MB, book)
    solver.forget()  # takes hold of the memory now, so that it counts in nobody's microseconds
    return Answerer(
        solver,
        Limits(threads=options.threads),
        weak=options.weak,
        every=options.all,
        best=options.json,
        cold=options.cold,
    )


def _line_answerer(options: argparse.Namespace, variant: "Variant") -> "LineAnswerer":
    from c4_bot.solve.line import HASH_MB, LineSolver
    from c4_bot.solve.line_answers import LineAnswerer

    return LineAnswerer(
        LineSolver(variant, options.hash_mb or HASH_MB),
        (options.time_ms or LINE_MS) / 1000,
        weak=options.weak,
        best=options.json,
        cold=options.cold,
        file=_writable(options.proof) if options.proof else None,
    )


def _writable(name: str) -> BinaryIO:
    """The file for proofs; raises ``UsageError`` where it cannot be written."""
    try:
        return open(name, "wb")  # noqa: PTH123 - a Path would take longer to import
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {name!r}: {_reason(error)}") from None


def _memory_mb() -> int:
    """The machine's memory: beyond it the system would grant some, but end who touches it."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20


def _book(variant: "Variant") -> "Book | None":
    """The opening book that is installed, if there is one for the variant."""
    from c4_protocol.variant import STANDARD

    from c4_bot.book import default_book

    return default_book() if variant == STANDARD else None


def _print_version() -> int:
    from importlib.metadata import version

    print(f"c4-solve {version('c4-arena')}")
    return 0


def _up_to(most: int) -> Callable[[str], int]:
    """Reads a number from 1 to ``most``."""

    def number(text: str) -> int:
        if not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"1 to {most}")
        return int(text)

    return number
