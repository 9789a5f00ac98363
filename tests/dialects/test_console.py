"""The console of 4-in-a-Line: its layout, and every entry."""

from collections.abc import Callable, Sequence

import pytest
from c4_protocol.dialects.console import (
    MOVE_PROMPT,
    SIDE_PROMPT,
    TIME_PROMPT,
    BotEnd,
    board_and_log,
)
from c4_protocol.records.messages import Info, Precept, Reply
from c4_protocol.rules.notation import cell_name, position_from_moves, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8

EXAMPLES = {
    1: "d4 d5 c4 e4 c3 c2 c5 c6 b4 f4 a4",
    2: "d5 e4 e5 f5 c5 b5 c4 b7 c3 c2 c6",
    3: "d4 d5 d3 d6 d2 d1 c4 e4 c5 b4 c6 c7 c3",
}
"""The games in the appendix of seed document 003_042b791f4f409f5b.txt."""

PICTURES = {
    1: "---X---- ---X---- -OXXXO-- ---XO--- ---O---- ---O---- -------- --------",
    2: "-------- ----O-O- -OXXXX-- ----X--- ---OX--- ----O--- -------- --------",
    3: "-------- ---O---- --XXXXO- OXXXOO-- ---O---- -------- -------- --------",
}
"""Boards at the end of these games, row by row from the top."""


def cells(text: str) -> list[int]:
    """Return the cells of moves such as ``d4 d5``."""
    position, found = Position(LINE8), []
    for name in text.split():
        cell = position.check(int(name[1]) - 1, "abcdefgh".index(name[0]))
        position = position.play(cell)
        found.append(cell)
    return found


def full_board() -> list[int]:
    """Return the cells of a drawn game with the stones in pairs, which are shifted in every row."""
    places = [(x, y) for y in range(8) for x in range(8)]
    seats = [[LINE8.cell(x, y) for x, y in places if (x // 2 + y) % 2 == who] for who in (0, 1)]
    return [cell for pair in zip(*seats, strict=True) for cell in pair]


class Game:
    """A game at the console. The test types the entries and chooses the program's moves."""

    def __init__(self) -> None:
        self.bot = BotEnd()

    def type(self, *entries: str) -> str | Precept:
        """Type entries, and return the text or the precept that follows the last of them."""
        replies = [self.bot.read_line(entry.encode()) for entry in entries]
        reply = replies[-1]
        assert all(isinstance(other, Reply) for other in replies[:-1])
        return reply.text.decode() if isinstance(reply, Reply) else reply.precept

    def answer(self, name: str, info: Info | None = None) -> str:
        """Return what the program writes when it plays a cell."""
        (cell,) = cells(name)
        return self.bot.write_move(wire_move(LINE8, cell), info).decode()

    def play(self, moves: Sequence[str], first: str) -> str:
        """Play a game, and return the last text."""
        said: str | Precept = self.type("5", first)
        turn = first == "p"
        for move in moves:
            said = self.answer(move) if turn else self.type(move)
            turn = not turn
        assert isinstance(said, str)
        return said


@pytest.mark.parametrize("number", EXAMPLES)
def test_board_looks_as_in_the_document(number: int) -> None:
    """The board of each game in the appendix is drawn as in the document."""
    rows = board_and_log(("Opponent", "Player"), cells(EXAMPLES[number])).splitlines()[2:10]
    assert [row[0] for row in rows] == [*"ABCDEFGH"]
    assert " ".join(row[2:17].replace(" ", "") for row in rows) == PICTURES[number]


def test_games_of_the_document_are_shown_as_ever(golden: Callable[[str, str], None]) -> None:
    """The final screens of the appendix's games, and of a drawn game, stay as they are."""
    games = [cells(text) for text in EXAMPLES.values()] + [full_board()]
    golden("console.txt", "".join(board_and_log(("Opponent", "Player"), game) for game in games))


def test_layout_is_the_required_one() -> None:
    """The board and the log beside it are written character by character as required."""
    assert board_and_log(("Player", "Opponent"), cells("e5 d5 e4")).splitlines() == [
        "",
        "  1 2 3 4 5 6 7 8      Player vs. Opponent",
        "A - - - - - - - -        1. e5 d5",
        "B - - - - - - - -        2. e4",
        "C - - - - - - - -",
        "D - - - - O - - -",
        "E - - - X X - - -",
        "F - - - - - - - -",
        "G - - - - - - - -",
        "H - - - - - - - -",
    ]


def test_time_and_side_are_asked_for_first() -> None:
    """The program asks for time and side until both are valid, then shows the board."""
    game = Game()
    assert game.bot.greeting.decode() == TIME_PROMPT
    for entry in ("0", "31", "-5", "1.5", "five", "", "5 s", "100", "\u0663"):
        assert game.type(entry) == f"Not a whole number from 1 to 30.\n{TIME_PROMPT}"
    assert game.type(" 0 7 ") == SIDE_PROMPT
    for entry in ("x", "", "7", "nobody"):
        assert game.type(entry) == f"Not p or o.\n{SIDE_PROMPT}"
    said = game.type(" OPPONENT ")
    assert isinstance(said, str)
    assert said.startswith("\n  1 2 3 4 5 6 7 8      Opponent vs. Player\nA - -")
    assert said.endswith(f"H - - - - - - - -\n{MOVE_PROMPT}")


@pytest.mark.parametrize("side", ["p", "P", "player", " Player"])
def test_program_that_goes_first_is_asked_at_once(side: str) -> None:
    """A program that goes first is asked at once, plays X, and gets the entered time."""
    game = Game()
    precept = game.type("30", side)
    assert isinstance(precept, Precept)
    assert precept.position() == Position(LINE8)
    assert precept.time_ms == 30_000
    said = game.answer("e5")
    assert "Player vs. Opponent\nA - - - - - - - -        1. e5\n" in said
    assert "E - - - - X - - -\n" in said
    assert said.endswith(f"\nPlayer's move is: e5\n{MOVE_PROMPT}")


@pytest.mark.parametrize("entry", ["d4", "D4", " d 4 ", "\td4"])
def test_move_is_made_however_it_is_typed(entry: str) -> None:
    """A move is accepted with capitals and blanks."""
    precept = Game().type("1", "o", entry)
    assert isinstance(precept, Precept)
    assert precept.position() == position_from_moves("d4", LINE8)
    assert precept.time_ms == 1000


NO_CELLS = ("i1", "a9", "a0", "4d", "d44", "", "quit", "\u0131\u0967")
REFUSED = {"d4": "d4 is taken.", "C 7": "c7 is taken."} | dict.fromkeys(
    NO_CELLS, "Not a cell: cells are a1 to h8, the row first."
)


@pytest.mark.parametrize(("entry", "reason"), REFUSED.items())
def test_program_asks_again_after_an_invalid_entry(entry: str, reason: str) -> None:
    """After an invalid entry, the program gives a reason and asks again in the same position."""
    game = Game()
    game.type("5", "o", "d4")
    game.answer("c7")
    assert game.type(entry) == f"{reason}\n{MOVE_PROMPT}"
    precept = game.type("e5")
    assert isinstance(precept, Precept)
    assert precept.position() == position_from_moves("d4 c7 e5", LINE8)


@pytest.mark.parametrize("number", EXAMPLES)
@pytest.mark.parametrize("first", ["o", "p"])
def test_games_of_the_document_are_played_to_their_end(number: int, first: str) -> None:
    """A finished game announces the winner, in both seats, and ends the conversation."""
    game, moves = Game(), EXAMPLES[number].split()
    said = game.play(moves, first)
    log = [line[23:] for line in said.splitlines() if line[23:]]
    assert log[0] == ("Opponent vs. Player" if first == "o" else "Player vs. Opponent")
    assert log[-1].endswith(f". {moves[-1]} wins")
    assert said.endswith("Opponent wins.\n" if first == "o" else "Player wins.\n")
    assert (f"Player's move is: {moves[-1]}\n" in said) == (first == "p")
    assert game.bot.is_over


def test_second_player_wins_in_the_same_entry() -> None:
    """If the second player wins, the last entry of the log has two moves."""
    said = Game().play(["a1", "e1", "a3", "e2", "a5", "e3", "a7", "e4"], "o")
    assert "  4. a7 e4 wins\n" in said
    assert said.endswith("Player wins.\n")


def test_draw_is_announced() -> None:
    """A full board is announced as a draw, below a log that is longer than the board."""
    game = Game()
    said = game.play([cell_name(LINE8, cell) for cell in full_board()], "o")
    lines = said.splitlines()
    assert lines[-1] == "A draw."
    assert lines[-3].startswith(23 * " " + " 32. ")
    assert lines[-3].endswith(" draw")
    assert "wins" not in said
    assert game.bot.is_over


def test_info_is_written_if_the_user_wants_it() -> None:
    """With --info, one line shows the score, the depth and the nodes."""
    game = Game()
    game.type("5", "p")
    info = Info(score=2, exact=False, depth=9, nodes=77, ms=1, pv=[(4, 3)], reason="not proven")
    said = game.answer("e5", info)
    assert "move is: e5\nIts search: score 2, depth 9, 77 nodes; not proven\nChoose" in said
