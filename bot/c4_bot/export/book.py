"""The opening book of exported players, and how it is made: ``python -m c4_bot.export.book``.

The book is a plan for 7x6. It has one move for each position that can arise if the agent follows
the book, whatever the opponent plays, for both players. Each move keeps the result: it wins if the
position is won, and draws if it is drawn. A branch of the plan ends where the native solver proves
this with at most ``EASY_NODES`` nodes, and the agent itself with at most ``AGENT_NODES``. The agent
lacks bounds that the native solver has, so some of its proofs take much longer. In lost positions
the plan delays the loss as long as possible, up to ``LAST_LOST_PLY``.

Making the book takes 20 minutes, and needs the native core and the opening book of ``c4-bot``.
"""

import sys
from pathlib import Path

from c4_protocol.program.errors import BookError
from c4_protocol.program.exit_codes import exit_code
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

from c4_bot.book import default_book
from c4_bot.contract import Limits
from c4_bot.export.agent import Board, Book, OutOfTime
from c4_bot.export.agent import Solver as AgentSolver
from c4_bot.native import is_core_available
from c4_bot.solve.solver import Solver

BOOK_TEXT_PATH = Path(__file__).parent / "7x6.txt"
"""The columns of the book in the order of ``Book.fill``, as characters of ``COLUMN_CHARACTERS``."""
COLUMN_CHARACTERS = ".0123456"
"""Characters of the file: "." where a branch ends, otherwise the column to play."""
EASY_NODES = 1_150
"""Maximum number of nodes of the native solver for a proof that is left to the agent."""
AGENT_NODES = 30_000
"""Maximum number of nodes of the agent for such a proof. The agent visits them in about 0.2 s."""
MAX_NODES = 100_000
"""Maximum number of nodes that the native solver visits to measure how hard a proof is."""
LAST_LOST_PLY = 14
"""Last ply for which the book has lost positions."""
POSITIONS_BETWEEN_REPORTS = 5000
"""Number of positions between two lines of progress."""

GoalBounds = tuple[int, int]
"""Bounds between which a score has to be exact: ``WINS`` or ``DRAWS``."""
WINS, DRAWS = (0, 1), (-1, 0)


class Planner:
    """Chooses the moves of the book."""

    def __init__(self) -> None:
        self._exact = Solver(STANDARD, book=default_book())
        self._fresh = Solver(STANDARD, 16)
        self._board = Board(STANDARD.width, STANDARD.height, STANDARD.connect)
        self._planned: set[int] = set()

    def column(self, own: int, taken: int) -> int:
        """Return the column to play; -1 where a branch ends. See ``Book.fill``.

        A branch also ends at a position that is in the book already.
        """
        key, _ = self._board.key(own, taken)
        column = -1 if key in self._planned else self.column_in_position(position_of(own, taken))
        if column >= 0:
            self._planned.add(key)
        return column

    def column_in_position(self, position: Position) -> int:
        """Return the column to play in a position; -1 if the agent needs no help there."""
        if position.is_over or position.winning_cells:
            return -1
        if forced := position.opponent_winning_cells:
            return -1 if forced & (forced - 1) else STANDARD.column_of(forced.bit_length() - 1)
        score = self._exact.solve(position, wanted=(-1, 1))
        if score.high < 0:
            is_late = position.ply > LAST_LOST_PLY
            return -1 if is_late else self._column_of_best(position, position.moves)
        goal = WINS if score.low > 0 else DRAWS
        is_easy = self._nodes_of_proof(position, goal) <= EASY_NODES and self._agent_proves(
            position, goal
        )
        return -1 if is_easy else self._column_of_easiest_proof(position, goal)

    def _agent_proves(self, position: Position, goal: GoalBounds) -> bool:
        """Return whether an agent that remembers nothing proves the goal with few nodes."""
        agent = AgentSolver(self._board)
        agent.clock.limit(AGENT_NODES, sys.float_info.max)
        try:
            return agent.is_proven(position.own, position.occupied, goal == WINS)
        except OutOfTime:
            return False

    def _column_of_easiest_proof(self, position: Position, goal: GoalBounds) -> int:
        """Return the column of the move that reaches the goal and is the easiest to prove."""
        scores = {
            cell: self._exact.solve_move(position, cell, wanted=goal) for cell in position.moves
        }
        good = [cell for cell, score in scores.items() if score.low >= goal[1]]
        nodes = {
            cell: self._nodes_of_proof(position.play(cell), (-goal[1], -goal[0])) for cell in good
        }
        if min(nodes.values()) >= MAX_NODES:
            return self._column_of_best(position, good)
        return STANDARD.column_of(min(good, key=lambda cell: nodes[cell]))

    def _nodes_of_proof(self, position: Position, goal: GoalBounds) -> int:
        """Return the number of nodes of a proof by the native solver, at most ``MAX_NODES``."""
        self._fresh.forget()
        return self._fresh.solve(position, Limits(nodes=MAX_NODES), goal).nodes

    def _column_of_best(self, position: Position, moves: list[int]) -> int:
        """Return the column of the move with the highest score."""
        scores = {cell: self._exact.solve_move(position, cell).low for cell in moves}
        return STANDARD.column_of(max(moves, key=lambda cell: scores[cell]))


def position_of(own: int, taken: int) -> Position:
    """Return the position with these stones of the player to move and of both players."""
    if taken.bit_count() % 2 == 0:
        return Position(STANDARD, (own, own ^ taken), 1)
    return Position(STANDARD, (own ^ taken, own), 2)


def main() -> int:
    """Make the book and write it; return the exit code. Raises ``BookError``."""
    if not is_core_available() or default_book() is None:
        raise BookError("the native core and the opening book of c4-bot are needed")
    planner, written = Planner(), list[str]()

    def column(own: int, taken: int) -> int:
        found = planner.column(own, taken)
        written.append(COLUMN_CHARACTERS[found + 1])
        if len(written) % POSITIONS_BETWEEN_REPORTS == 0:
            sys.stderr.write(f"{len(written)} positions, now at {taken.bit_count()} stones\n")
        return found

    Book(Board(STANDARD.width, STANDARD.height, STANDARD.connect)).fill(column)
    BOOK_TEXT_PATH.write_text("".join(written), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("c4_bot.export.book", main))
