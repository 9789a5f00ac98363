"""Puzzles in the terminal: the texts that a person sees, and the replies to what is typed."""

import pytest
from c4_bot.puzzles import load_puzzles
from c4_bot.puzzles.scores import ExactScores
from c4_bot.puzzles.terminal import HELP_TEXT, WIDTH, PuzzleGame
from c4_bot.reasons import sentences
from c4_protocol.program.errors import UsageError
from cores import needs_core
from effort import one_in

PUZZLES = load_puzzles()


def number_of(kind, result="win", plies=1):
    """Return the number of the first puzzle of a kind whose line has at least ``plies`` moves."""
    return next(
        number
        for number, puzzle in enumerate(PUZZLES, 1)
        if (puzzle.kind, puzzle.result) == (kind, result) and len(puzzle.line) >= plies
    )


def wrong_columns(puzzle):
    """Return the columns that are neither full nor the solution."""
    position = puzzle.position
    columns = [position.variant.column_of(cell) + 1 for cell in position.moves]
    return [str(column) for column in columns if str(column) != puzzle.line[0]]


@needs_core
@pytest.mark.parametrize("number", one_in(10, range(1, len(PUZZLES) + 1)))
def test_solution_line_solves_a_puzzle(number):
    """A person who types the moves of the line has solved the puzzle, with an answer to each."""
    game, puzzle = PuzzleGame(number), PUZZLES[number - 1]
    replies = [game.reply(column) for column in puzzle.line[::2]]
    assert all(reply.startswith("Right. ") for reply in replies)
    for column, reply in zip(puzzle.line[1::2], replies, strict=False):
        assert f"c4-bot plays column {column}." in reply
    assert "Solved." in replies[-1]
    assert game.is_finished
    assert " ".join(puzzle.rest) in replies[-1]


@needs_core
@pytest.mark.parametrize("number", one_in(10, range(1, len(PUZZLES) + 1)))
def test_wrong_move_is_refused_without_the_solution(number):
    """A wrong move changes nothing. The reply says what it gives away, but not the right column."""
    game, puzzle = PuzzleGame(number), PUZZLES[number - 1]
    for column in wrong_columns(puzzle):
        reply = game.reply(column)
        start = f"Try again. Column {column} turns a {puzzle.result} into a "
        assert reply.startswith((start + "loss", start + "draw"))
        assert f"column {puzzle.line[0]}" not in reply.replace("\n", " ")
        assert game.positions == [puzzle.position]
        assert max(map(len, reply.splitlines())) <= WIDTH


@needs_core
def test_refusal_says_what_the_move_allows():
    """Many refusals contain the reason: all in which this does not name the right column."""
    replies = [
        PuzzleGame(number).reply(column).replace("\n", " ")
        for number, puzzle in enumerate(PUZZLES[:20], 1)
        for column in wrong_columns(puzzle)
    ]
    assert any(": it lets the other side complete 4 in a row in " in reply for reply in replies)


def test_without_the_solver_the_line_still_judges(monkeypatch):
    """Where exact scores are not available, wrong moves are refused and right ones explained."""
    monkeypatch.setattr(ExactScores, "__call__", lambda self, position: {})
    number = number_of("two-threats")
    game, puzzle = PuzzleGame(number), PUZZLES[number - 1]
    column = wrong_columns(puzzle)[0]
    assert game.reply(column) == f"Try again. Column {column} does not keep the win.\n\n"
    assert "makes two threats at once" in game.reply(puzzle.line[0]).replace("\n", " ")


@pytest.mark.parametrize(("result", "task"), [("win", "wins"), ("draw", "can hold the draw")])
def test_task_says_who_moves_and_what_to_find(result, task):
    """The task names the puzzle, its grade, the stones of the person and the result."""
    number = number_of("averts", result)
    game, puzzle = PuzzleGame(number), PUZZLES[number - 1]
    stones = "XO"[len(puzzle.moves) % 2]
    assert game.task().startswith(f"Puzzle {number} of {len(PUZZLES)} ({puzzle.grade})\n")
    assert game.task().endswith(f"\n{stones} {task}. Find the only move.\n")
    assert game.prompt() == f"Your move, {stones} (column 1 to 7): "


def test_first_hint_is_what_the_move_does_and_the_second_its_column():
    """``hint`` says what the move does, then its column. The next move has hints of its own."""
    number = number_of("two-threats")
    game, line = PuzzleGame(number), PUZZLES[number - 1].line
    hint = sentences.templates()["hints"]["two-threats"]
    expected = [f"{hint}\n\n", *[f"The move is column {line[0]}.\n\n"] * 2]
    assert [game.reply("hint") for _ in range(3)] == expected
    game.reply(line[0])
    assert game.reply(" HINT ") == "The move completes a line.\n\n"


@needs_core
def test_praise_of_a_forced_win_does_not_name_the_next_moves():
    """The first move of a forced win is praised without its line, which the person has to find."""
    number = number_of("forced-win", plies=3)
    game, puzzle = PuzzleGame(number), PUZZLES[number - 1]
    hint = sentences.templates()["hints"]["forced-win"]
    assert game.reply(puzzle.line[0]).replace("\n", " ").startswith(f"Right. {hint} c4-bot plays ")


def test_solution_ends_the_puzzle_with_its_moves():
    """``solution`` shows the reason and the moves that are left, and ends the puzzle."""
    number = number_of("two-threats")
    game, puzzle = PuzzleGame(number), PUZZLES[number - 1]
    reply = game.reply("solution")
    assert reply.startswith(f"Column {puzzle.line[0]} makes ")
    assert reply.endswith(f"\nSolution: {' '.join(puzzle.line + puzzle.rest)}\n\n")
    assert game.prompt() == "Type next or quit: "
    assert game.reply("4") == "The puzzle is finished.\n"


def test_next_goes_on_to_the_next_puzzle_and_from_the_last_to_the_first():
    """``next`` begins the puzzle with the next number; puzzle 1 follows the last."""
    game = PuzzleGame(len(PUZZLES) - 1)
    game.reply("solution")
    assert game.reply("next") == f"\n{PuzzleGame(len(PUZZLES)).task()}\n"
    assert not game.is_finished
    assert game.reply("n") == f"\n{PuzzleGame(1).task()}\n"


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("", "Type a column from 1 to 7, hint, solution, next, help or quit.\n\n"),
        ("²", "Type a column from 1 to 7, hint, solution, next, help or quit.\n\n"),
        ("undo", "Type a column from 1 to 7, hint, solution, next, help or quit.\n\n"),
        ("8", "There is no column 8: columns count from 1 to 7.\n\n"),
        ("help", f"{HELP_TEXT}\n"),
        ("quit", None),
        ("Exit", None),
    ],
)
def test_other_entries_change_nothing(entry, text):
    """Anything but a column and a command gets one line, and changes nothing."""
    game = PuzzleGame(1)
    assert game.reply(entry) == text
    assert game.positions == [PUZZLES[0].position]


def test_unknown_number_is_refused():
    """A number after the last puzzle is refused."""
    with pytest.raises(UsageError, match="--puzzle 301: there are 300 puzzles"):
        PuzzleGame(301)
