"""Output of drivers: precepts with answers, and boards as text."""

import json

import pytest
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import STANDARD
from c4_referee.formats import StoredGame, driver
from other_records import pipe_lines, printed_boards
from result_files import read

GAME = StoredGame("player 1", "player 2", 1, "1212121")
CELLS = cells_from_moves(GAME.moves, STANDARD)


def printed(signs: str = ".XO", separator: str = " ") -> str:
    """Return the game as printed boards."""
    return printed_boards(STANDARD, CELLS, signs, separator)


@pytest.mark.parametrize("signs", [".XO", "-xo", "_XO", "012", ".RY", " XO"])
@pytest.mark.parametrize("separator", ["|", " | ", ", "])
def test_boards_are_read_in_many_forms(tmp_path, signs, separator):
    """Signs, blanks and bars differ between drivers. Between bars, a blank is a free cell."""
    text = printed(signs, separator).replace("Player", ">> player")
    if "|" in separator or " " not in signs:
        assert read(tmp_path, text) == [GAME]


def test_rows_may_be_lists(tmp_path):
    """Rows that Python or numpy prints as lists are rows."""
    rows = [line.split() for line in printed("012").splitlines()]
    lists = "\n".join(f"[{', '.join(row)}]" if len(row) == 7 else " ".join(row) for row in rows)
    assert read(tmp_path, lists) == [GAME]
    assert read(tmp_path, lists.replace(",", "").replace("[0", "[[0", 1)) == [GAME]


def test_pipe_is_read(tmp_path):
    """The lines between a driver and its bots are a game, also if the driver sends only grids."""
    text = pipe_lines(STANDARD, CELLS)
    assert read(tmp_path, text) == [GAME]
    short = text.replace(',"height":6', "").replace(',"width":7', "").replace(',"player":1', "")
    assert read(tmp_path, f"{short}:exit\n") == [GAME]
    assert read(tmp_path, f"Welcome!\n\n{text}") == [GAME]
    assert read(tmp_path, pipe_lines(STANDARD, CELLS, [1])) == [GAME]


def test_second_player_may_go_first(tmp_path):
    """If player 2 makes the first move, as in the course's driver, this player has seat 1."""
    precepts = [json.loads(line) for line in pipe_lines(STANDARD, CELLS).splitlines()]
    for line in precepts[::2]:
        line["grid"] = [[(0, 2, 1)[cell] for cell in column] for column in line["grid"]]
        line["player"] = 3 - line["player"]
    (game,) = read(tmp_path, "\n".join(map(json.dumps, precepts)))
    assert game == StoredGame("player 2", "player 1", 1, GAME.moves)
    text = printed(".OX").replace("Player 1 wins", "Player 2 wins")
    assert read(tmp_path, text) == [game]


def test_precept_shows_who_went_first(tmp_path):
    """With one stone of each player on the first board, the player to move went first."""
    grid = '{"grid":[[0,0,0,1],[0,0,0,2],[0,0,0,0],[0,0,0,0]],"player":%d}\n{"move":2}\n'
    (game,) = read(tmp_path, grid % 1)
    assert (game.first, game.moves) == ("player 1", "123")
    (game,) = read(tmp_path, grid % 2)
    assert (game.first, game.moves) == ("player 2", "213")


@pytest.mark.parametrize(
    ("line", "first_wins"),
    [
        ("Player 1 wins", True),
        ("The winner is player 1!", True),
        ("player2 won the game", False),
        ("X wins.", True),
        ("Winner: O", False),
        ("It is a draw", None),
        ("a tie", None),
    ],
)
def test_result_may_be_said(tmp_path, line, first_wins):
    """A line says who has won a game that no line of stones has ended."""
    text = printed()[: printed().index("Player 1 to move\n", 200)]
    (game,) = read(tmp_path, f"{text}{line}\n")
    assert game.winner == {True: 1, False: 2, None: 0}[first_wins]
    assert game.ending == ""


def test_result_that_the_moves_do_not_give_is_reported(tmp_path):
    """If the driver names another winner than the moves, the game is reported."""
    (bad,) = read(tmp_path, printed().replace("Player 1 wins", "Player 2 wins"))
    assert bad.reason == ("in the game that begins here the result is 0-1, but the moves give 1-0")


def test_several_games_are_separated(tmp_path):
    """A board with fewer stones begins the next game."""
    assert read(tmp_path, printed() * 3) == [GAME] * 3
    assert read(tmp_path, pipe_lines(STANDARD, CELLS) * 2) == [GAME] * 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"grid":[[0,3],[0,0]]}', "grid"),
        ('{"grid":[[1,0],[0,0]]}', "a stone floats"),
        ('{"grid":[]}', "not 0x0"),
        ('{"grid":[[0,0],[0,0]],"connect":1}', "a line has 2 to 52 stones"),
    ],
)
def test_wrong_precepts_are_reported(tmp_path, line, reason):
    """A precept that no game can have is reported in one line."""
    bad = read(tmp_path, f'{{"grid":[[0,0],[0,0]]}}\n{line}\n')[-1]
    assert bad.number == 2
    assert reason in bad.reason


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"hello",
        b"{}",
        b'{"event":"grid"}',
        b"-------\n" * 9,
        b"1 2 1 2\n" * 9,
        b". . .\n" * 9,
        b". . . .\n. . . .\n",
    ],
)
def test_other_texts_are_not_recognised(text):
    """Rulers, full rows at the top and small blocks of signs are no boards."""
    assert not driver.recognises(text)


def test_block_that_is_too_high_is_reported_and_the_rest_is_read(tmp_path):
    """A block of more rows than a board can have does not end the reading of the file."""
    block = "0 0 0 0 0 0 0\n" * 60
    found = read(tmp_path, f"{block}Player\n{printed()}")
    assert found == [GAME, (1, "the board that begins here has more than 52 rows")]
