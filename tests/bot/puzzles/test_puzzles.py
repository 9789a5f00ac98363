"""Every puzzle is true: the solver, the rules and today's reasons confirm each of its fields."""

from functools import cache

import pytest
from c4_bot.puzzles import PUZZLES_PATH, load_puzzles
from c4_bot.puzzles.make import GRADES, PUZZLES_PER_GRADE
from c4_bot.puzzles.scores import ExactScores
from c4_bot.reasons import sentences
from c4_bot.solve.score import last_ply, sign_of
from c4_protocol.rules.notation import position_from_moves, replay
from c4_protocol.rules.variant import STANDARD
from cores import needs_core
from effort import one_in

PUZZLES = load_puzzles()
SAMPLE = one_in(10, PUZZLES)
MAX_BYTES = 60_000


@cache
def scores_of(moves):
    """Return the exact scores of all moves after a move string, by column from 1."""
    position = position_from_moves(moves, STANDARD)
    return {STANDARD.column_of(cell) + 1: score for cell, score in solve()(position).items()}


@cache
def solve():
    """Return a solver for all tests."""
    return ExactScores()


def keeping(moves):
    """Return the columns of the moves that keep the result."""
    scores = scores_of(moves)
    best = max(map(sign_of, scores.values()))
    return [column for column, score in scores.items() if sign_of(score) == best]


def test_there_are_as_many_of_each_grade():
    """There are 300 puzzles in fewer than 60 KB: first easy, then medium, then hard ones."""
    assert [puzzle.grade for puzzle in PUZZLES] == [
        grade for grade in GRADES for _ in range(PUZZLES_PER_GRADE)
    ]
    assert len(PUZZLES) == 300
    assert PUZZLES_PATH.stat().st_size < MAX_BYTES


def test_puzzles_differ():
    """No two puzzles are from one game, and no position is another one or its mirror image."""
    positions = {puzzle.position for puzzle in PUZZLES}
    assert len(positions | {position.mirrored() for position in positions}) == 2 * len(PUZZLES)
    assert len({puzzle.seed for puzzle in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_nothing_is_decided_by_the_next_move(puzzle):
    """In no puzzle can a player complete a line with the next move."""
    position = puzzle.position
    assert not position.winning_cells | position.opponent_winning_cells
    assert len(position.moves) >= 3


@needs_core
@pytest.mark.parametrize("puzzle", SAMPLE)
def test_exactly_one_move_keeps_the_result(puzzle):
    """Exactly one move keeps the result, which is what the puzzle says, with its length."""
    best = max(scores_of(puzzle.moves).values())
    assert keeping(puzzle.moves) == [int(puzzle.line[0])]
    assert {1: "win", 0: "draw"}[sign_of(best)] == puzzle.result
    plies = last_ply(puzzle.position, best) - len(puzzle.moves)
    assert puzzle.length == (plies + 1) // 2


@needs_core
@pytest.mark.parametrize("puzzle", SAMPLE)
def test_line_has_only_moves_and_best_answers(puzzle):
    """Each of the player's moves is the only one or completes a line; the answers are best."""
    moves = puzzle.moves
    for ply, column in enumerate(puzzle.line):
        position, scores = position_from_moves(moves, STANDARD), scores_of(moves)
        if ply % 2:
            assert scores[int(column)] == max(scores.values())
        elif not position.winning_cells:
            assert keeping(moves) == [int(column)]
        else:
            assert position.winning_cells >> position.check(int(column) - 1) & 1
        moves += column
    assert len(puzzle.line) % 2


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_short_wins_are_shown_to_the_end(puzzle):
    """``line`` and ``rest`` of a short win end with the win; other lines end before the game."""
    end, cells = replay(puzzle.moves + puzzle.line + puzzle.rest, STANDARD)
    if puzzle.result == "win" and puzzle.length <= 7:
        assert end.winner == puzzle.position.player
        assert len(cells) - len(puzzle.moves) == 2 * puzzle.length - 1
    else:
        assert not puzzle.rest
        assert end.winner in {0, puzzle.position.player}


def test_every_kind_has_a_hint():
    """Every kind of reason that a move in a puzzle has, has a hint."""
    hints = sentences.templates()["hints"]
    assert {puzzle.kind for puzzle in PUZZLES} | {"wins", "stops", "only-move"} <= set(hints)
