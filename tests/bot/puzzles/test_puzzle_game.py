"""Puzzles in the terminal: the texts that a person sees, and the replies to what is typed."""

import pytest
from c4_bot.puzzles import load_puzzles
from c4_bot.puzzles.puzzle_game import WIDTH, PuzzleGame
from c4_bot.puzzles.scores import ExactScores
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


def dialog(number, entries):
    """Return what a person types and reads, from the task of a puzzle on."""
    game = PuzzleGame(number)
    texts = [game.task()]
    texts += [f"{game.prompt()}<{entry}>\n{game.reply(entry)}" for entry in entries]
    return "\n".join([*texts, f"{game.is_finished}\n"])


@needs_core
def test_dialogs_are_those_of_the_golden_file(golden):
    """Task, prompts and replies are those that are stored, also from the last puzzle on."""
    line = PUZZLES[number_of("forced-win", plies=3) - 1].line
    odd = ["", "\u00b2", "undo", "8", "help", "quit", "Exit"]
    dialogs = [
        dialog(1, odd),
        dialog(number_of("two-threats"), ["hint", " HINT ", "hint", "solution", "4", "n", "quit"]),
        dialog(number_of("forced-win", plies=3), ["hint", line[0], "hint", "hint", *line[2::2]]),
        dialog(number_of("averts", "draw"), ["solution", "next"]),
        dialog(len(PUZZLES), ["solution", "next", "hint"]),
    ]
    golden("puzzles.txt", "\n".join(dialogs))


def test_unknown_number_is_refused():
    """A number after the last puzzle is refused."""
    with pytest.raises(UsageError, match="--puzzle 301: there are 300 puzzles"):
        PuzzleGame(301)
