"""``c4-solve``: reads the command line, and answers each line of the input.

Modules that are not needed to read the command line are imported later.
"""

import argparse
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Literal

from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.exit_codes import exit_code
from c4_protocol.program.parser import (
    Parser,
    add_general_options,
    error_for_value,
    general_exit_code,
    whole_number,
)
from c4_protocol.program.streams import (
    END_KEY,
    OutputError,
    check_current_folder_exists,
    check_input_is_open,
)
from c4_protocol.program.text import visible

from c4_bot.commands._arguments import add_options

if TYPE_CHECKING:
    from c4_protocol.rules.variant import Variant

    from c4_bot.solve.answers import Answerer, Question, SolverAnswer
    from c4_bot.solve.jobs import Reply
    from c4_bot.solve.line.answers import LineAnswerer
    from c4_bot.solve.replies import Replier

EPILOG = """\
examples:
  echo 4453 | c4-solve                 the score after columns 4, 4, 5, 3
  c4-solve positions.txt --weak        only the result: win, draw or loss
  echo 4453 | c4-solve --all           a score for each column
  echo 32 | c4-solve --variant 6x5 --json
  c4-solve --serve                     for programs: one answer for each line

Each line of the input begins with the columns that were played, counting from
1. The output has these moves, the score, the number of visited positions, and
microseconds. The score is for the player to move: 0 is a draw, a win is 1 plus
the stones that the winner has not played, and a loss is minus that.
Exit code: 0 if every line was answered, and --check found no difference; 1 if
not; 2 for a mistake on the command line.
"""
DETAILS = """\
more examples:
  c4-solve positions.txt --check       compare with the scores in the file
  echo 4s | c4-solve --variant 7x6+steal
  echo d4d5 | c4-solve --variant line8 --proof d4d5.jsonl
  c4-solve --jobs 8 positions.txt      8 lines at a time, in their order
  c4-solve --random 9 --plies 20-30 --all

Input:   MOVES [anything], one position per line. MOVES are the columns that
         were played, counting from 1; the letter a is column 10. MOVES end at
         the first blank or tab. A line that is empty or begins with a blank is
         the empty board. A line can also be a JSON object with "moves", or
         with the "grid" of a precept. Its answer is as with --json.
Output:  MOVES SCORE NODES MICROSECONDS. NODES is the number of positions that
         were visited for this line. It is 0 if none had to be visited, for
         example because the opening book knew the answer. MICROSECONDS is the
         time for this line.
         With --all, the output is: MOVES, a score for each column, NODES,
         MICROSECONDS. A full column has "." instead of a score.
         With --json, the output is an object with moves, score, nodes, us
         (microseconds) and best (a list of the best moves, as columns that
         count from 1). With --all, it also has scores, with null for a full
         column.
         With --json and --explain, the object also has explanation: an object
         with move, kind, text (a sentence), cells (column and row from 1, rows
         from the bottom), line (moves that show the reason) and better (the
         same for a better move, or null). The line {"moves":"4453","move":2}
         asks about the move 2 instead, with and without --explain.
Score:   for the player to move. 0 is a draw. The score of a win is 1 plus the
         number of stones that the winner has not played. On 7x6 each player
         has 21 stones, so a win with the 10th stone is 1 + 11 = 12.
         The score of a loss is minus the score of the opponent's win. With
         --weak, a win is 1 and a loss is -1.
steal:   in codingame, and in variants that end with +steal, the second move
         may be the steal: the first stone becomes a stone of player 2. In
         MOVES and best it is the letter s. With --all, its score follows the
         scores of the columns, or "." where it is not possible. With --json
         and --all, its score is in steal, or null.
line8:   without gravity, a stone may be put on any free cell. MOVES and best
         are cells: in d4d5, d is the fourth row from the top, 4 is the fourth
         column. Blanks between cells are allowed: d4 d5. The output has four
         more fields: OUTCOME (win, draw or loss); STONES (the number of stones
         that the winner still needs); STEPS (the number of positions in the
         proof); LINE (the rest of a game in which the loser delays the loss as
         long as the proof allows; "-" for a draw). With --json, these fields
         are outcome, stones, steps and line.
         If STONES is "<=6", the winner needs at most 6 stones. If fewer are
         enough, the true score is farther from 0 than the score shown. With
         --json, "exact" is then false. --weak stops when it is known who wins.
         Without the native core, at most 20 cells may be free, and the output
         does not have the four additional fields.

If a line cannot be read, its number and the reason are written to standard
error, and c4-solve continues with the next line. With --serve, the answer to
such a line is "MOVES error REASON" (with --json: an object with moves and
error), so that a program always gets one line for each line that it writes.
"""
INPUT = {"file FILE": "positions to solve (default: -, standard input)"}
QUESTION_OPTIONS = {
    "--variant VARIANT": "the game: standard (7x6, the default), WxH such as 8x7, or WxHxK for K "
    "in a row such as 9x7x5; also WxH+steal, codingame (9x7+steal), and line8 (8x8 without "
    "gravity: a stone may be put on any free cell)",
    "--weak": "give only the result for the player to move: 1 win, 0 draw, -1 loss",
    "--all": "give a score for each column",
    "--json": "write one JSON object per line, with the best moves",
    "--explain": "with --json: add the scores of all columns, and the reason for the best move",
    "--check": "compare with the score in the second field of each line",
    "--random N": "solve N different random positions instead of those of a FILE; mirror images "
    "are not different",
    "--plies A-B": "with --random: the number of stones on the board (default: 8-30)",
    "--seed N": "with --random: the same seed gives the same positions (default: a new seed)",
    "--serve": "for programs that wait for each answer: answer every line with one line, also a "
    "line that cannot be read",
}
MEANS_OPTIONS = {
    "--threads N": "number of threads of one search (default: 1)",
    "--jobs N": "number of lines that are solved at the same time, each with a table of its own; "
    "the order of the answers is that of the lines (default: 1)",
    "--answer-blocks": argparse.SUPPRESS,  # of a job
    "--hash-mb N": "size of the transposition table, which stores solved positions, in MiB "
    "(default: 16)",
    "--no-book": "do not use the opening book",
    "--cold": "before each line, forget all results except those of the opening book",
}
LINE_OPTIONS = {
    "--proof FILE": "write the proofs to FILE, as JSON lines (default: no file)",
    "--time-ms N": "search at most N milliseconds per line (default: 20000); with gravity there "
    "is no time limit, and c4-solve refuses this option",
}
WAITING = "c4-solve: waiting for positions, one per line, such as {}; " + END_KEY + " ends"
MAX_THREADS = 1 << 10
"""Maximum number of threads of a search. Starting this many takes some hundredths of a second."""
MAX_MB = 1 << 20
DEFAULT_PLIES = range(8, 31)
BLOCK = 32
"""Number of lines that a job takes at once, if they need not be waited for."""
LINE_MS = 20_000
"""Default time for a position in games without gravity, in milliseconds. Without a limit, the proof
that no win is shorter could take for ever."""


def run(argv: Sequence[str]) -> int:
    """Run ``c4-solve`` with these arguments; return its exit code."""
    out_of_memory = ("not enough memory: try a smaller --hash-mb", 2)
    return exit_code("c4-solve", lambda: _run(argv), out_of_memory=out_of_memory)


def _completions() -> dict[str, Iterable[str]]:
    from c4_protocol.rules.variant import EXAMPLE_VARIANTS

    return {"variant": EXAMPLE_VARIANTS}


def parser() -> Parser:
    """Return the parser of the command line."""
    made = Parser(
        prog="c4-solve",
        description="Computes exact scores of Connect Four positions, one position per line.",
        epilog=EPILOG,
        details=DETAILS,
        usual="--variant --weak --all --json --check --jobs --random --threads --version",
    )
    number, threads = {"type": whole_number()}, {"type": whole_number(1, MAX_THREADS), "default": 1}
    add_options(made, INPUT, file={"nargs": "?", "default": "-"})
    add_options(
        made.add_argument_group("what to solve"),
        QUESTION_OPTIONS,
        variant={"default": "standard"},
        random=number,
        plies={"type": _plies},
        seed={"type": int},
    )
    add_options(
        made.add_argument_group("threads and memory"),
        MEANS_OPTIONS,
        threads=threads,
        jobs=threads,
        hash_mb={"type": whole_number(1, MAX_MB)},
    )
    add_options(made.add_argument_group("without gravity (line8)"), LINE_OPTIONS, time_ms=number)
    add_general_options(made, ("solution",), "the lines")
    return made


def _plies(text: str) -> range:
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal() and (last or not dash)):
        raise error_for_value(text, "say numbers of stones such as 8-30")
    plies = range(int(first), int(last or first) + 1)
    if not plies:
        raise error_for_value(text, "the first number is larger than the second")
    return plies


def _run(argv: Sequence[str]) -> int:
    own = parser()
    options = own.parse_args(argv, argparse.Namespace(argv=argv))
    code = general_exit_code(own, options, _completions)
    if code is not None:
        return code
    from c4_protocol.rules.variant import Variant

    from c4_bot.solve.line.solver import is_native

    _check_combinations(options)
    variant = Variant.parse(options.variant)
    options.all |= options.explain and variant.gravity
    if options.all and not variant.gravity:
        raise UsageError(f"--all scores columns, but in {options.variant} a move is a cell")
    if (options.proof or options.time_ms) and not is_native(variant):
        raise UsageError("--proof and --time-ms need the native core and a game without gravity")
    if options.answer_blocks:
        from c4_bot.solve.jobs import answer_blocks

        answer_blocks(_replier(options, variant))
    if options.random:
        from c4_bot.solve.random_positions import random_lines

        plies = options.plies or DEFAULT_PLIES
        return _answer_all(
            options, variant, random_lines(options.random, plies, options.seed, variant), BLOCK
        )
    from c4_bot.solve.answers import lines

    with _opened(options.file, variant) as file:
        is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)  # its lines need not be waited for
        return _answer_all(options, variant, lines(file), BLOCK if is_file else 1)


def _check_combinations(options: argparse.Namespace) -> None:
    """Raise ``UsageError`` for options that exclude each other."""
    if options.serve and options.check:
        raise UsageError("--serve answers each line, --check compares scores: use one of them")
    if options.explain and (options.weak or not options.json):
        raise UsageError(
            "--explain needs exact scores and objects: use it with --json, without --weak"
        )
    if options.jobs > 1 and options.proof:
        raise UsageError("--proof writes one proof after the other: use it without --jobs")
    if options.random and (options.serve or options.check or options.file != "-"):
        raise UsageError("--random solves no lines: use it without FILE, --serve and --check")
    if not options.random and (options.plies or options.seed is not None):
        raise UsageError("--plies and --seed are for random positions: add --random N")


def _opened(name: str, variant: "Variant") -> BinaryIO:
    """Open the input; raise ``UsageError`` for a file that cannot be read."""
    if name == "-":
        check_input_is_open()
        if os.isatty(0):
            print(WAITING.format("4453" if variant.gravity else "d4d5"), file=sys.stderr)
        return open(0, "rb", closefd=False)
    return _file(name, "rb", lambda: _hint(name, variant))


def _file(name: str, mode: Literal["rb", "wb"], hint: Callable[[], str] = str) -> BinaryIO:
    """Open a file; raise ``UsageError`` with a ``hint`` if it cannot be read or written."""
    try:
        return open(name, mode)  # noqa: PTH123 - a Path would take longer to import
    except (OSError, ValueError) as error:
        check_current_folder_exists()
        reason = error.strerror if isinstance(error, OSError) else error
        do = "read" if mode == "rb" else "write"
        raise UsageError(f"cannot {do} {name!r}: {reason}{hint()}") from None


def _hint(name: str, variant: "Variant") -> str:
    """Return a hint if the name of the file is a move string; otherwise an empty text."""
    from c4_bot.solve.answers import question

    try:
        are_moves = name and question(os.fsencode(name), variant).moves == name
    except ArenaError:
        return ""
    hint = f"; c4-solve reads files or standard input: try  echo {name} | c4-solve"
    return hint if are_moves else ""


def _answer_all(
    options: argparse.Namespace, variant: "Variant", lines: Iterable[bytes], block: int
) -> int:
    """Answer every line when it arrives; return the exit code."""
    replier, code = _replier(options, variant), 0
    if options.jobs == 1:
        answered: Iterable[Reply] = ((line, *replier.reply(line)) for line in lines)
    else:
        from c4_bot.solve.jobs import replies

        answered = replies(["--answer-blocks", *options.argv], lines, options.jobs, block)
    for number, (line, text, complaint) in enumerate(answered, 1):
        if options.serve:
            text = text or replier.refusal(line, complaint)  # noqa: PLW2901
        if text:
            _write(text)
        if complaint:
            code = 1
        if complaint and not options.serve:
            print(f"c4-solve: line {number}: {visible(complaint)}", file=sys.stderr)
    return code


def _replier(options: argparse.Namespace, variant: "Variant") -> "Replier":
    from c4_bot.solve.replies import Replier

    answerer = _answerer(options, variant)
    return Replier(
        answerer,
        variant,
        partial(_explanation, answerer),
        as_json=options.json,
        checked=options.check,
        explains=options.explain,
    )


def _explanation(
    answerer: "Answerer | LineAnswerer", asked: "Question", answer: "SolverAnswer"
) -> object:
    """Return the object that explains the move that is asked about, or the best move."""
    from c4_bot.reasons.explainer import Explainer, fields_of
    from c4_bot.solve.answers import Question

    explainer = Explainer(lambda position: answerer.answer(Question("", position)))
    return fields_of(explainer.explain_answer(asked.position, answer, asked.move))


def _write(line: bytes) -> None:
    """Write a line to standard output. If no program reads it, end by SIGPIPE, as any filter.

    Windows has no SIGPIPE. There, the error ends the program.
    """
    try:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    except OutputError as error:
        if error.is_unread and hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            signal.raise_signal(signal.SIGPIPE)
        raise


def _answerer(options: argparse.Namespace, variant: "Variant") -> "Answerer | LineAnswerer":
    from c4_bot.contract import Limits
    from c4_bot.solve.answers import Answerer
    from c4_bot.solve.line.solver import is_native
    from c4_bot.solve.solver import HASH_MB
    from c4_bot.solve.steal import solver_of

    # The system may promise more memory than it has, but kills a process that uses it. Windows
    # promises no more than it has, so there the request fails.
    if options.hash_mb and hasattr(os, "sysconf"):
        available_mb = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
        if options.hash_mb * options.jobs > available_mb:
            several = f" for {options.jobs} jobs" if options.jobs > 1 else ""
            asked = f"--hash-mb {options.hash_mb}{several}"
            raise UsageError(f"{asked} is more than this machine has: {available_mb} MiB")
    if is_native(variant):
        return _line_answerer(options, variant)
    book = None
    if not options.no_book:
        from c4_bot.book import book_of

        book = book_of(variant)
    solver = solver_of(variant, options.hash_mb or HASH_MB, book)
    solver.forget()  # allocates the memory now, so that no answer's microseconds include it
    return Answerer(
        solver,
        Limits(threads=options.threads),
        weak=options.weak,
        every=options.all,
        best=options.json,
        cold=options.cold,
    )


def _line_answerer(options: argparse.Namespace, variant: "Variant") -> "LineAnswerer":
    from c4_bot.solve.line.answers import LineAnswerer
    from c4_bot.solve.line.solver import HASH_MB, LineSolver

    return LineAnswerer(
        LineSolver(variant, options.hash_mb or HASH_MB),
        (options.time_ms or LINE_MS) / 1000,
        weak=options.weak,
        best=options.json,
        cold=options.cold,
        file=_file(options.proof, "wb") if options.proof else None,
    )
