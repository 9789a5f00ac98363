"""Puzzles come from games that can be played again, and are chosen among candidates."""

from dataclasses import replace

import pytest
from c4_bot.puzzles import Puzzle, load_puzzles
from c4_bot.puzzles.make import (
    GRADES,
    PUZZLES_PER_GRADE,
    chosen_puzzles,
    grade_of,
    played_game,
    puzzles_of_game,
)
from c4_bot.reasons.kinds import Reason
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.variant import STANDARD
from cores import needs_core
from effort import one_in

PUZZLE = Puzzle("44", "win", 3, "easy", "threat", [], "4", "", ["needed", "needed"], 0)
COLUMNS = str.maketrans("01234567", "11234567")


@needs_core
@pytest.mark.parametrize("puzzle", one_in(30, load_puzzles()))
def test_puzzle_is_from_the_game_that_it_names(puzzle):
    """The game with the seed of a puzzle has its players and moves, and the puzzle is found in it.

    So ``puzzles.json`` is what the command makes of the players of today.
    """
    names, cells = played_game(puzzle.seed)
    assert names == puzzle.players
    assert moves_text(STANDARD, cells).startswith(puzzle.moves)
    assert puzzle in puzzles_of_game(puzzle.seed)


@pytest.mark.parametrize(
    ("kind", "line", "length", "grade"),
    [
        ("two-threats", (1, 2, 3), 2, "easy"),
        ("threat", (), 6, "easy"),
        ("threat", (), 7, "medium"),
        ("forced-win", (1, 2, 3, 4, 5), 3, "easy"),
        ("forced-win", (1, 2, 3, 4, 5, 6, 7), 4, "medium"),
        ("values", (), 9, "medium"),
        ("parity", (), 10, "hard"),
    ],
)
def test_grade_depends_on_reason_and_length(kind, line, length, grade):
    """A short reason makes a puzzle easier, and a long way to the end makes it harder."""
    assert grade_of(Reason(kind, 0, line), length) == grade


def test_one_of_each_game_and_of_each_position_is_chosen():
    """A second puzzle of a game, the same position and its mirror image are left out."""
    found = [
        replace(PUZZLE, moves="1", seed=1),
        replace(PUZZLE, moves="12", seed=1),
        replace(PUZZLE, moves="1", seed=2),
        replace(PUZZLE, moves="7", seed=3),
        replace(PUZZLE, moves="2", seed=4),
    ]
    assert [puzzle.seed for puzzle in chosen_puzzles(found)] == [1, 4]


def test_kinds_take_turns():
    """A kind with few puzzles is chosen before others fill the grade, and short ones come first."""
    many = [
        replace(PUZZLE, moves=f"{number:o}".translate(COLUMNS), seed=number, length=2 + number % 3)
        for number in range(0o1000, 0o1500)
    ]
    rare = replace(many.pop(), kind="averts", grade=GRADES[0])
    chosen = chosen_puzzles([*many, rare])
    assert rare in chosen
    assert len(chosen) <= PUZZLES_PER_GRADE
    assert [puzzle.length for puzzle in chosen] == sorted(puzzle.length for puzzle in chosen)
