"""A process of ``c4-solve`` that explains positions, one after the other."""

import math
import select
import subprocess
import time
from contextlib import suppress
from typing import Any, cast

import orjson
from c4_protocol.program.errors import JudgeError
from c4_protocol.records.messages import Precept
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.bots.own import with_own_command
from c4_referee.contain.process_tree import die_with_parent
from c4_referee.judging.solver_process import HASH_MB, is_named_by_solver, move_in_json

OPTIONS = ("--json", "--serve", "--explain")


class Explainer:
    """Answers of ``c4-solve`` on positions of one variant, each within ``seconds``.

    Raises ``JudgeError`` if ``c4-solve`` does not know the variant.
    """

    def __init__(self, variant: Variant, seconds: float) -> None:
        if not is_named_by_solver(variant):
            raise JudgeError(f"c4-solve does not solve the variant {variant}")
        self._variant, self._seconds = variant, seconds
        self._child: subprocess.Popen[bytes] | None = None

    def ask(self, position: Position, cell: int | None = None) -> dict[str, Any]:
        """Return the JSON object of a position whose game is not over.

        It explains the best move, or the move ``cell``. Raises ``JudgeError`` if the position is
        not solved in time.
        """
        question = orjson.loads(orjson.dumps(Precept.of(position)))
        if cell is not None:
            question["move"] = move_in_json(self._variant, cell)
        answer = orjson.loads(self._line_of_answer(orjson.dumps(question)))
        if "error" in answer:
            raise JudgeError(answer["error"])
        return cast(dict[str, Any], answer)

    def end(self) -> None:
        """Kill the process. A later question starts another one."""
        if self._child:
            self._child.kill()
            self._child.communicate()
        self._child = None

    def _line_of_answer(self, question: bytes) -> bytes:
        self._child = child = self._child or self._started()
        assert child.stdin is not None
        assert child.stdout is not None
        with suppress(BrokenPipeError):
            child.stdin.write(question + b"\n")
        deadline, line = time.monotonic() + self._seconds, b""
        while not line.endswith(b"\n"):
            left = max(deadline - time.monotonic(), 0)
            if not select.select([child.stdout], [], [], left)[0]:
                self.end()
                raise JudgeError(
                    f"not solved within {self._seconds:g} s: more stones make it easier"
                )
            data = child.stdout.read(1 << 16)
            if not data:
                self.end()
                raise JudgeError("c4-solve has ended")
            line += data
        return line

    def _started(self) -> "subprocess.Popen[bytes]":
        words = ["--variant", str(self._variant), *OPTIONS]
        if self._variant.gravity:
            words += ["--hash-mb", str(HASH_MB)]
        else:
            words += ["--time-ms", str(math.ceil(self._seconds * 900))]
        return subprocess.Popen(
            with_own_command(("c4-solve", *words)),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that Ctrl-C on a terminal does not end it
            preexec_fn=die_with_parent,  # noqa: PLW1509 - it makes one system call
        )


class SolverCoach:
    """A coach for a person who plays, which asks ``c4-solve``."""

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer

    def hint(self, position: Position) -> str:
        """Return what the best move is, and why."""
        return str(self._explainer.ask(position)["explanation"]["text"])

    def values(self, position: Position) -> tuple[int | None, ...]:
        """Return the scores of the columns; they are not known without gravity."""
        return tuple(self._explainer.ask(position).get("scores", ()))

    def about_mistake(self, position: Position, cell: int) -> str:
        """Return what a move allows and what is better, or an empty text."""
        explanation = self._explainer.ask(position, cell)["explanation"]
        return str(explanation["text"]) if explanation["better"] else ""
