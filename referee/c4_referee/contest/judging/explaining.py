"""A process of ``c4-solve`` that explains positions, one after the other."""

import select
import time
from typing import Any

import orjson
from c4_protocol.program.errors import JudgeError
from c4_protocol.records.messages import Precept
from c4_protocol.rules.notation import without_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.contest.judging.solver_process import (
    SolverProcess,
    SolverSettings,
    is_named_by_solver,
    move_in_json,
)


class Explainer:
    """Answers of ``c4-solve`` on positions of one variant, each within ``seconds``.

    It can be the coach of a person who plays.
    """

    def __init__(self, variant: Variant, seconds: float) -> None:
        self._variant, self._seconds = variant, seconds
        self._process: SolverProcess | None = None

    def ask(self, position: Position, cell: int | None = None) -> dict[str, Any]:
        """Return the JSON object of a position whose game is not over.

        It explains the best move, or the move ``cell``. Raises ``JudgeError`` if the position is
        not solved in time, or the variant not at all.
        """
        if not is_named_by_solver(self._variant):
            raise JudgeError(f"c4-solve does not solve the variant {self._variant}")
        question = orjson.loads(orjson.dumps(Precept.of(position)))
        if cell is not None:
            question["move"] = move_in_json(self._variant, cell)
        try:
            answer: dict[str, Any] = orjson.loads(self._line_of_answer(orjson.dumps(question)))
        except (EOFError, JudgeError) as error:
            if self._process:  # a later question starts another one
                self._process.end()
            self._process = None
            raise JudgeError(str(error) or "c4-solve has ended") from None
        if "error" in answer:
            raise JudgeError(answer["error"])
        explanation = answer["explanation"]
        explanation["text"] = without_moves(explanation["text"])
        return answer

    def hint(self, position: Position) -> str:
        """Return what the best move is, and why."""
        return str(self.ask(position)["explanation"]["text"])

    def values(self, position: Position) -> tuple[int | None, ...]:
        """Return the scores of the columns. Raises ``JudgeError`` without gravity, too."""
        if not self._variant.gravity:
            raise JudgeError("The values of cells are not known in this game.")
        return tuple(self.ask(position)["scores"])

    def about_mistake(self, position: Position, cell: int) -> str:
        """Return what a move allows and what is better, or an empty text."""
        explanation = self.ask(position, cell)["explanation"]
        return str(explanation["text"]) if explanation["better"] else ""

    def _line_of_answer(self, question: bytes) -> bytes:
        settings, line = SolverSettings(1, self._seconds, ("c4-solve", "--explain")), None
        process = self._process = self._process or SolverProcess(self._variant, settings)
        process.send(question)
        while line is None:
            left = max(process.deadline - time.monotonic(), 0)
            if not select.select([process.output], [], [], left)[0]:
                late = f"not solved within {self._seconds:g} s"
                raise JudgeError(f"{late}: more stones make it easier")
            line = process.read_line()
        return line
