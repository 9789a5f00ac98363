"""A game against a person: the texts that the bot shows, and its replies to what is typed."""

import pytest
from c4_bot import play
from c4_bot.play import TerminalGame
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import STANDARD, Variant


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
        ("help", play.HELP_TEXT.format("1 to 7")),
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


def test_introduction_says_how_strong_a_level_is():
    """The introduction says how strong a level is; it says nothing of players without an Elo."""
    assert "\nlevel-3 is about " in game().introduction("level-3")
    assert " Elo " not in game().introduction("needed")


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
        (game("1212121", 1), "You win!\n"),
        (game("1212121", 2), "c4-bot wins.\n"),
        (game("1212", variant=Variant(2, 2, 3)), "The board is full: a draw.\n"),
    ],
)
def test_ending_says_who_has_won(over, text):
    """The ending says who has won, from the person's side."""
    assert over.ending() == text


def test_board_text_numbers_columns_from_1_and_marks_the_line():
    """The board shows column numbers from 1, and brackets only around the winning line."""
    shown = play.board_text(game("1212121").position)
    assert shown == (
        "\n"
        "  1  2  3  4  5  6  7\n"
        "  .  .  .  .  .  .  .\n"
        "  .  .  .  .  .  .  .\n"
        " [X] .  .  .  .  .  .\n"
        " [X] O  .  .  .  .  .\n"
        " [X] O  .  .  .  .  .\n"
        " [X] O  .  .  .  .  .\n"
        "\n"
    )


def test_columns_stay_aligned_on_a_wide_board():
    """Column numbers with two digits stand above their columns."""
    position = game("c", variant=Variant(12, 4)).position
    numbers, *_, bottom = play.board_text(position).strip("\n").splitlines()
    assert numbers.split() == [str(column) for column in range(1, 13)]
    assert bottom.index("X") in (numbers.index("12"), numbers.index("12") + 1)


def test_colours_change_nothing_but_colours():
    """A coloured board without its escape sequences is the plain board."""
    position = game("1212121").position
    coloured = play.board_text(position, colours=True)
    assert "\x1b[1;31;7m[X]\x1b[0m" in coloured
    assert "\x1b[1;33m O \x1b[0m" in coloured
    plain = "".join(part.partition("m")[2] for part in ("m" + coloured).split("\x1b["))
    assert plain.replace(" ", "") == play.board_text(position).replace(" ", "")


@pytest.mark.parametrize(
    ("sides", "variant"),
    [
        ((None, None, None), STANDARD),
        (("9", "7", 5), Variant(9, 7, 5)),
        (("5", None, None), Variant(5, 6)),
        (("3", "3", 3), Variant(3, 3, 3)),
    ],
)
def test_board_is_what_the_command_line_says(sides, variant):
    """The command line sets the board. The default is 7x6 with lines of four."""
    assert play.board(*sides) == variant


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        (("x", None, None), "--width x: say a whole number"),
        ((None, "-3", None), "--height -3: say a whole number"),
        (("0", None, None), "a board is 1 to 52 wide and high, not 0x6"),
        (("99", "6", None), "a board is 1 to 52 wide and high, not 99x6"),
        (("3", "3", None), "4 in a row do not fit on a board of 3x3"),
        ((None, None, 9), "9 in a row do not fit on a board of 7x6: say --connect N, at most 7"),
    ],
)
def test_impossible_board_is_refused(sides, reason):
    """An impossible board is refused with an error that says what is possible."""
    with pytest.raises(UsageError, match=reason):
        play.board(*sides)
