"""The opening book of exported players: complete, legal, and right."""

import random
import sys
from functools import cache

import pytest
from c4_bot.book import default_book
from c4_bot.export import book
from c4_bot.export.agent import Board, Book, playable, read_book
from c4_bot.export.agent import Solver as AgentSolver
from c4_bot.export.book import BOOK_TEXT_PATH, COLUMN_CHARACTERS, Planner, position_of
from c4_bot.export.kaggle import encoded_book
from c4_bot.solve.solver import Solver
from c4_protocol.program.errors import BookError
from c4_protocol.rules.variant import STANDARD
from cores import needs_core
from effort import THOROUGH
from outcomes import outcome, outcome_of_move

BOARD = Board(7, 6, 4)
SAMPLE = 2000 if THOROUGH else 300
"""Number of positions of the book that a test compares with exact results."""


@cache
def visited():
    """Return all positions that the book visits as triples: own stones, all stones, column or -1.

    A position at which several branches end is repeated.
    """
    columns = iter(BOOK_TEXT_PATH.read_text(encoding="ascii"))
    found = []

    def choose(own, taken):
        found.append((own, taken, COLUMN_CHARACTERS.index(next(columns)) - 1))
        return found[-1][2]

    Book(BOARD).fill(choose)
    assert next(columns, None) is None, "the file has more columns than positions"
    return found


@cache
def entries():
    """Return the positions for which the book has a move."""
    return [(own, taken, column) for own, taken, column in visited() if column >= 0]


@cache
def ends():
    """Return the positions at which branches end and that are nowhere else in the book."""
    keys = {BOARD.key(own, taken)[0] for own, taken, _ in entries()}
    return [
        (own, taken) for own, taken, column in visited()
        if column < 0 and BOARD.key(own, taken)[0] not in keys
    ]  # fmt: skip


def sampled(found):
    """Return some of these positions, always the same."""
    return random.Random(1).sample(found, min(SAMPLE, len(found)))


@cache
def solver():
    """Return a solver with the opening book of ``c4-bot``."""
    return Solver(STANDARD, book=default_book())


def test_every_move_is_legal():
    """Every column of the book has room, and no position has two moves."""
    assert all(playable(BOARD, taken) & BOARD.column(column) for _, taken, column in entries())
    assert len({BOARD.key(own, taken) for own, taken, _ in entries()}) == len(entries())


def test_book_is_read_as_it_was_written():
    """The book of the exported file has the move of each position, and that of its mirror image."""
    read = read_book(BOARD, encoded_book())
    for own, taken, column in entries():
        assert read.column(own, taken) == column
    for own, taken, column in sampled(entries()):
        position = position_of(own, taken)
        mirrored = position.mirrored()
        found = read.column(mirrored.own, mirrored.occupied)
        assert found == (column if mirrored == position else 6 - column)
    assert all(read.column(own, taken) is None for own, taken in sampled(ends()))


def test_other_boards_have_no_book():
    """The book is only for 7x6 with four in a row."""
    for sizes in ((8, 7, 4), (7, 6, 5), (6, 7, 4)):
        assert read_book(Board(*sizes), encoded_book()).column(0, 0) is None
    assert read_book(BOARD, "").column(0, 0) is None


@needs_core
def test_moves_keep_the_result():
    """Every move of the book wins if the position is won, and draws if it is drawn (a sample)."""
    for own, taken, column in sampled(entries()):
        position = position_of(own, taken)
        assert outcome_of_move(solver(), position, position.check(column)) == outcome(
            solver(), position
        )


@needs_core
def test_player_1_wins_wherever_a_branch_ends():
    """With the book, player 1 gets only won positions (a sample)."""
    for own, taken in sampled([end for end in ends() if not end[1].bit_count() % 2]):
        assert outcome(solver(), position_of(own, taken)) == 1


@needs_core
def test_branches_end_where_the_agent_needs_no_help():
    """The planner chooses the columns of the file, also where branches end (a sample)."""
    planner, draw = Planner(), random.Random(3)
    late = [entry for entry in entries() if entry[1].bit_count() >= 10]
    for own, taken, column in draw.sample(late, 20):
        assert planner.column_in_position(position_of(own, taken)) == column
    for own, taken in draw.sample(ends(), 100):
        assert planner.column_in_position(position_of(own, taken)) < 0


@needs_core
def test_agent_needs_few_nodes_where_a_branch_ends():
    """The agent itself proves the result with few nodes, although it lacks the core's bounds."""
    most = 0
    for own, taken in random.Random(4).sample(ends(), 400 if THOROUGH else 100):
        result = outcome(solver(), position_of(own, taken))
        agent = AgentSolver(BOARD)
        agent.clock.limit(book.AGENT_NODES, sys.float_info.max)
        assert result < 0 or agent.is_proven(own, taken, result > 0)
        most = max(most, agent.clock.nodes)
    assert most > book.AGENT_NODES // 10, "no proof of the sample is hard"


@needs_core
def test_position_is_planned_once():
    """A position gets its column once; where it comes up again, the branch ends."""
    planner = Planner()
    deep = next(entry for entry in entries() if entry[1].bit_count() == 14)
    assert planner.column(*deep[:2]) == deep[2]
    assert planner.column(*deep[:2]) == -1


class Leftmost:
    """A planner of a tiny book, which plays only column 0."""

    def column(self, own, taken):
        """Return 0 for at most two stones, all in column 0; -1 for other positions."""
        return 0 if taken < 1 << 7 and taken.bit_count() <= 2 else -1


def test_book_is_written(monkeypatch, tmp_path):
    """The command writes the columns in the order in which the agent reads them."""
    path = tmp_path / "book.txt"
    monkeypatch.setattr(book, "BOOK_TEXT_PATH", path)
    monkeypatch.setattr(book, "Planner", Leftmost)
    monkeypatch.setattr(book, "is_core_available", lambda: True)
    assert book.main() == 0
    text = path.read_text(encoding="ascii")
    assert text == "00" + 7 * "." + 6 * "." + "0" + 7 * "." + 6 * "."


def test_book_needs_the_native_core(monkeypatch):
    """Without the native core, the command says so."""
    monkeypatch.setattr(book, "is_core_available", lambda: False)
    with pytest.raises(BookError, match="the native core and the opening book of c4-bot"):
        book.main()
