"""A game against a person: the texts that the bot shows, and its replies to what is typed."""

import pytest
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import STANDARD, STEAL, Variant
from c4_protocol.terminal.board import printed_board
from c4_protocol.terminal.contract import Answer
from c4_protocol.terminal.game import HELP_TEXT, TerminalGame


def game(moves: str = "", person: int = 1, variant: Variant = STANDARD) -> TerminalGame:
    """Return a game after some moves. Columns count from 1."""
    made = TerminalGame(variant, person)
    for cell in cells_from_moves(moves, variant):
        made.play(cell)
    return made


@pytest.mark.parametrize("entry", ["4", " 4 ", "04", "4\t"])
def test_column_is_played_counting_from_1(entry):
    """A typed column counts from 1, and blanks and zeros before it do not matter."""
    played = game("44")
    assert played.reply(entry) == ""
    assert played.positions == game("444").positions


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("", "Type a column from 1 to 7, hint, undo, help or quit.\n"),
        ("-1", "Type a column from 1 to 7, hint, undo, help or quit.\n"),
        ("3.5", "Type a column from 1 to 7, hint, undo, help or quit.\n"),
        ("٤", "Type a column from 1 to 7, hint, undo, help or quit.\n"),
        ("²", "Type a column from 1 to 7, hint, undo, help or quit.\n"),
        ("0", "There is no column 0: columns count from 1 to 7.\n"),
        ("9" * 5000, f"There is no column {'9' * 20}: columns count from 1 to 7.\n"),
        ("4", "Column 4 is full: choose another one.\n"),
        ("help", HELP_TEXT.format("1 to 7")),
    ],
)
def test_wrong_entry_gets_one_line_and_changes_nothing(entry, text):
    """A wrong entry gets one line of text, and leaves the game unchanged, and so does help."""
    played = game("444444")
    assert played.reply(entry) == text
    assert played.positions == game("444444").positions


@pytest.mark.parametrize(
    ("person", "moves", "left"),
    [(1, "45", ""), (1, "4531", "45"), (1, "4", ""), (2, "45", "4"), (2, "4531", "453")],
)
def test_undo_takes_back_the_persons_last_move_and_what_followed(person, moves, left):
    """``undo`` takes back the person's last move and any reply, so that the person is to move."""
    played = game(moves, person)
    assert played.reply("undo") == "Your last move is taken back.\n"
    assert played.positions == game(left).positions
    assert played.position.player == person


@pytest.mark.parametrize(("person", "moves"), [(1, ""), (2, "4")])
def test_undo_without_a_move_says_so(person, moves):
    """``undo`` does not take back the opponent's first move, and says so."""
    assert game(moves, person).reply("u") == "There is no move of yours to take back.\n"


def test_end_of_a_game_offers_another_one():
    """At the end of a game, the person can play again, take back, or quit."""
    for entry, reply, left in (
        ("yes", "", ""),
        ("undo", "Your last move is taken back.\n", "12121"),
        ("no", None, "1212121"),
        (" Exit", None, "1212121"),
        ("maybe", "Type yes, no or undo.\n", "1212121"),
    ):
        over = game("1212121", person=2)
        assert over.reply(entry) == reply
        assert over.positions == game(left).positions


@pytest.mark.parametrize(
    ("over", "text"),
    [
        (game("1212121", 1), "You win!"),
        (game("1212121", 2), "c4-bot wins."),
        (game("1212", variant=Variant(2, 2, 3)), "The board is full: a draw."),
    ],
)
def test_ending_says_who_has_won(over, text):
    """The ending says who has won, from the person's side."""
    assert over.ending() == text


def test_columns_of_a_wide_board_have_their_names():
    """A column after the ninth is typed as its number or as its letter."""
    for entry in ("12", "c"):
        played = game(variant=Variant(12, 4))
        assert played.reply(entry) == ""
        assert played.positions == game("c", variant=Variant(12, 4)).positions


def test_fault_ends_the_game_until_a_move_is_taken_back():
    """A fault of the opponent ends the game; undo continues it."""
    played = game("4")
    played.take(Answer(fault="You win: bot, crash."))
    assert (played.is_over, played.ending()) == (True, "You win: bot, crash.")
    assert played.undo() == "Your last move is taken back."
    assert played.is_persons_turn
    played.take(Answer(fault="You win: bot, crash.", record="1"))
    assert played.reply("save") == "1\n"
    played.begin_again()
    assert (played.is_over, played.cells) == (False, [])


def test_steal_and_cells_are_typed():
    """The steal is typed as s; without gravity, cells are typed, and rows are labelled."""
    stolen = game("4", person=2, variant=Variant.parse("7x6+steal"))
    assert stolen.reply("s") == ""
    assert stolen.cells[1] == STEAL
    free = game(variant=Variant.parse("line8"))
    assert free.reply("d4") == ""
    assert free.reply("d4") == "the cell is taken.\n"
    board = printed_board(free.position)
    assert board.startswith("\na .")
    assert "\nd .  .  .  X " in board
    assert board.endswith(" 8\n\n")
