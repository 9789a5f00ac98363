"""A process of ``c4-solve`` that this process asks about positions, and its answers."""

import math
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import IO, Any, NamedTuple, cast

import orjson
from c4_protocol.program.errors import JudgeError, VariantError
from c4_protocol.program.processors import usable_processors
from c4_protocol.program.text import shortened, visible
from c4_protocol.rules.notation import cell_name, moves_text, without_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant

from c4_referee.bots.contain.process_tree import die_with_parent
from c4_referee.bots.own import with_own_command
from c4_referee.contest.judging.values import is_possible_score
from c4_referee.records.stats.solved import Reason, Solved

HASH_MB, MIN_HASH_MB, ALL_HASH_MB = 64, 32, 512
"""Maximum and minimum size of the table of one process, and size of the tables of all processes
together, in MiB. If there are many processes, the minimum is more important than the third size."""
MAX_POSITION_SECONDS = 3.0
"""Maximum time for one position. On 7x6, most positions of a game need a few milliseconds."""
ANSWER_GRACE_SECONDS = 5.0
"""Additional time for the first answer of a process, because the process has to start. In games
without gravity, all answers have it, because there ``c4-solve`` has a time limit of its own."""
MAX_ANSWER_BYTES = 1 << 16
"""Maximum length of an answer, in bytes."""
MAX_REASON_LENGTH = 1000
"""Maximum length of a sentence that explains a move, in characters. A longer one is not shown."""


class Question(NamedTuple):
    """A position to solve, and the cells of the moves that lead to it.

    If ``explained`` is the cell of a move, the answer also has a sentence that explains this move.
    """

    cells: Sequence[int]
    position: Position
    explained: int | None = None


@dataclass(frozen=True)
class SolverSettings:
    """Number of solver processes, maximum seconds per position, and command of a process.

    By default, there is one process for each processor that this process may use. Options for the
    variant are appended to ``command``.
    """

    processes: int = field(default_factory=lambda: len(usable_processors()))
    position_seconds: float = MAX_POSITION_SECONDS
    command: tuple[str, ...] = ("c4-solve",)


def is_named_by_solver(variant: Variant) -> bool:
    """Return whether ``c4-solve`` has a name for a variant."""
    with suppress(VariantError):
        return Variant.parse(str(variant)) == variant
    return False


class SolverProcess:
    """A running ``c4-solve`` that answers one question at a time.

    Raises ``JudgeError`` if it cannot be started.
    """

    def __init__(self, variant: Variant, settings: SolverSettings) -> None:
        self._variant, self._settings = variant, settings
        try:
            self._child = subprocess.Popen(
                _command_line(variant, settings),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that Ctrl-C on a terminal does not end it
                preexec_fn=die_with_parent,  # noqa: PLW1509 - there are no threads
            )
        except OSError as error:
            raise JudgeError(f"c4-solve cannot be started: {error}") from None
        self._input = cast(IO[bytes], self._child.stdin)
        self.output = cast(IO[bytes], self._child.stdout)
        """Pipe that can be read when an answer has arrived."""
        self.deadline = math.inf
        """Time (``time.monotonic``) until which the question has to be answered."""
        self._question: Question | None = None
        self._read = b""

    def ask(self, question: Question) -> None:
        """Ask a question. If the process has ended, ``read`` raises an error."""
        moves = _moves_argument(question)
        if question.explained is None:
            self.send(moves.encode())
        else:
            move = move_in_json(self._variant, question.explained)
            self.send(orjson.dumps({"moves": moves, "move": move}))
        self._question = question

    def send(self, line: bytes) -> None:
        """Send a question in any form that ``c4-solve`` reads."""
        is_limited = self.deadline < math.inf and self._variant.gravity
        grace = 0.0 if is_limited else ANSWER_GRACE_SECONDS
        self.deadline = time.monotonic() + self._settings.position_seconds + grace
        with suppress(BrokenPipeError):
            self._input.write(line + b"\n")

    def read(self) -> tuple[Question, Solved | None] | None:
        """Read what the process has written. Return the question and its answer if it is complete.

        The answer is ``None`` if the position was not solved in time.
        Raises ``EOFError`` if a signal has ended the process, and ``JudgeError`` if it has ended by
        itself or if it has written anything but one answer.
        """
        line = self.read_line()
        if line is None:
            return None
        if self._question is None:
            raise _invalid_answer(line)
        return self._question, _solved_in_answer(line, self._question)

    def read_line(self) -> bytes | None:
        """Read what the process has written, as ``read``. Return the line of a whole answer."""
        data = os.read(self.output.fileno(), MAX_ANSWER_BYTES)
        if not data:
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(ANSWER_GRACE_SECONDS)
            code = self._child.returncode
            if code is None or code < 0:
                raise EOFError
            last_words = f": {_shown_line(self._read)}" if self._read else ""
            raise JudgeError(f"c4-solve ended with code {code}{last_words}")
        line, end, more = (self._read + data).partition(b"\n")
        if more or len(line) > MAX_ANSWER_BYTES:
            raise _invalid_answer(line)
        self._read = b"" if end else line
        return line if end else None

    def end(self) -> None:
        """Kill and reap the process. This does nothing if it was called before."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._input, self.output):
            pipe.close()


def _command_line(variant: Variant, settings: SolverSettings) -> tuple[str, ...]:
    """Return the command line of a solver."""
    options = ["--variant", str(variant), "--json", "--serve"]
    if variant.gravity:
        hash_mb = min(HASH_MB, max(MIN_HASH_MB, ALL_HASH_MB // settings.processes))
        options += ["--all", "--hash-mb", str(hash_mb)]
    else:
        options += ["--time-ms", str(math.ceil(settings.position_seconds * 1000))]
    return (*with_own_command(settings.command), *options)


def _moves_argument(question: Question) -> str:
    """Return the moves that lead to a position, as ``c4-solve`` reads and repeats them.

    Only in JSON, cells have blanks between them.
    """
    moves = moves_text(question.position.variant, question.cells)
    return moves.replace(" ", "") if question.explained is None else moves


def move_in_json(variant: Variant, cell: int) -> int | str:
    """Return a move as a column, counting from 1, or as the name of any other move."""
    is_column = variant.gravity and cell != STEAL
    return variant.column_of(cell) + 1 if is_column else cell_name(variant, cell)


def _solved_in_answer(line: bytes, question: Question) -> Solved | None:
    """Return the result in an answer, or ``None`` if the position was not solved.

    Raises ``JudgeError`` if it is not an answer to the question.
    """
    with suppress(orjson.JSONDecodeError):
        match orjson.loads(line):
            case {"error": str()}:
                return None
            case {"moves": moves, "score": score, **rest} if moves == _moves_argument(question):
                if is_possible_score(score, question.position):
                    result = _result_with_details(score, rest, question.position)
                    return result and replace(result, reasons=_reasons(rest, question, line))
    raise _invalid_answer(line)


def _reasons(rest: Mapping[Any, Any], question: Question, line: bytes) -> tuple[Reason, ...]:
    """Return the explanation of the move in the question, if the answer explains it as a mistake.

    Raises ``JudgeError`` if the explanation is not one of the move.
    """
    if question.explained is None:
        return ()
    variant = question.position.variant
    names = {
        move_in_json(variant, cell): cell_name(variant, cell) for cell in question.position.moves
    }
    match rest.get("explanation"):
        case {"move": move, "text": str(text), "better": {"move": int() | str() as better}} if (
            move == move_in_json(variant, question.explained) and better in names
        ):
            text = without_moves(text)
            is_short = len(text) <= MAX_REASON_LENGTH
            return (Reason(names[move], visible(text), names[better]),) if is_short else ()
        case None | {"better": None}:
            return ()
    raise _invalid_answer(line)


def _result_with_details(score: int, rest: Mapping[Any, Any], position: Position) -> Solved | None:
    """Return a result with the scores of all columns, or without gravity with a best move.

    It is ``None`` if the score is not exact.
    """
    if not rest.get("exact", True):
        return None
    if position.variant.gravity:
        return Solved(score, tuple(rest["scores"]))
    names = (cell_name(position.variant, cell) for cell in position.moves)
    return Solved(score, best=next((name for name in names if name in rest["best"]), ""))


def _invalid_answer(line: bytes) -> JudgeError:
    return JudgeError(f"c4-solve gave no valid answer: {_shown_line(line)}")


def _shown_line(line: bytes) -> str:
    return shortened(line.decode(errors="replace"))
