"""Moves of games that a file writes as text, or shows only as boards."""

import pytest
from c4_protocol.program.errors import ArenaError
from c4_protocol.rules.notation import grid_of, replay
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_referee.formats import UnreadableLine
from c4_referee.formats.game_moves import BoardGames, checked_result, move_string


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("4453", "4453"),
        (" 4 45\t3 ", "4453"),
        ("d1 d2 e1 c1", "4453"),
        ("P@d1 P@d2 P@e1 P@c1", "4453"),
        ("@d1 p@d2 P@E1+ P@c1#", "4453"),
        ("", ""),
    ],
)
def test_moves_are_read_in_all_notations(text, moves):
    """Move strings with any blanks and squares, also as drops, are the same moves."""
    assert move_string(text, STANDARD) == moves


@pytest.mark.parametrize("text", ["d2", "d1 d1", "h1", "4444444", "x", "8", "d1 4", "0", "P@d0"])
def test_moves_that_are_no_game_are_refused(text):
    """A square where no stone can fall, a full column and any other text are errors."""
    with pytest.raises((ArenaError, ValueError)):
        move_string(text, STANDARD)


def test_moves_follow_those_of_a_start():
    """The moves of a file can begin after other moves, and fall on their stones."""
    assert move_string("d3 e1", STANDARD, "44") == "4445"
    assert move_string("45", STANDARD, "44") == "4445"
    assert move_string("c3", LINE8, "d4 e4") == "d4 e4 c3"


def test_result_of_the_moves_is_certain():
    """The moves of a finished game give its result. Another result is an error."""
    won = replay("1212121", STANDARD)[0]
    assert (
        checked_result("", won) == checked_result("*", won) == checked_result("1-0", won) == "1-0"
    )
    with pytest.raises(ValueError, match="the result is 0-1, but the moves give 1-0"):
        checked_result("0-1", won)


def boards(moves: str, variant: Variant = STANDARD) -> list[list[list[int]]]:
    """Return the grids after each move of a game."""
    return [grid_of(replay(moves[:ply], variant)[0]) for ply in range(1, len(moves) + 1)]


def swapped(grid: list[list[int]]) -> list[list[int]]:
    """Return a grid with the stones of the other player."""
    return [[(0, 2, 1)[cell] for cell in column] for column in grid]


def read(*shown: list[list[int]], tries: int = 0, answers: tuple[int, ...] = ()) -> list[object]:
    """Return the games of some boards and of answers after them, which no board shows."""
    games = BoardGames(("anna", "berta"), tries)
    found = [each for n, grid in enumerate(shown, 1) for each in games.show(n, grid, STANDARD)]
    games.answers += answers
    return [*found, *games.end(), *games.end()]


def test_player_of_the_first_stone_has_seat_1():
    """If player 2 makes the first move, this player is the first one in the game."""
    (game,) = read(*map(swapped, boards("1212121")))
    assert (game.first, game.second, game.winner) == ("berta", "anna", 1)
    assert game.moves == "1212121"


def test_only_every_second_board_may_be_shown():
    """One bot sees only the boards on which it is to move. The last move is its answer."""
    (game,) = read(*boards("1212121")[1:6:2], answers=(0,))
    assert (game.moves, game.winner) == ("1212121", 1)


def test_boards_may_begin_late():
    """If the first board has many stones, moves that lead to it are the opening."""
    (game,) = read(*boards("4435261")[4:])
    assert len(game.opening) == 5
    assert game.moves.startswith(game.opening)
    assert game.moves.endswith("61")
    assert replay(game.moves, STANDARD)[0] == replay("4435261", STANDARD)[0]


def test_board_with_fewer_stones_begins_a_game():
    """After a board with fewer stones, another game is read."""
    found = read(*boards("1212121"), *boards("2121212"))
    assert [game.moves for game in found] == ["1212121", "2121212"]


def test_board_that_does_not_follow_is_reported():
    """A game with a board that does not follow is left out, and the next game is read."""
    bad, game = read(*boards("44"), *boards("1111")[2:], *boards("1212121"))
    assert bad == UnreadableLine(3, "the board does not follow from the board before it")
    assert game.moves == "1212121"


@pytest.mark.parametrize(
    ("tries", "winner", "fault"), [(0, 0, ""), (2, 1, "illegal move"), (3, 0, "")]
)
def test_too_many_wrong_answers_lose(tries, winner, fault):
    """A bot forfeits a game with wrong answers if there are as many as the tries that it has."""
    (game,) = read(*boards("444"), tries=tries, answers=(9, 9))
    assert (game.winner, game.fault.fault if game.fault else "") == (winner, fault)
