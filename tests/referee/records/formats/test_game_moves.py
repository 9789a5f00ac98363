"""Moves of games that a file writes as text."""

import pytest
from c4_protocol.program.errors import ArenaError
from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import LINE8, STANDARD
from c4_referee.records.formats.game_moves import checked_result, replayed_text


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
    assert replayed_text(text, STANDARD)[0] == moves


@pytest.mark.parametrize("text", ["d2", "d1 d1", "h1", "4444444", "x", "8", "d1 4", "0", "P@d0"])
def test_moves_that_are_no_game_are_refused(text):
    """A square where no stone can fall, a full column and any other text are errors."""
    with pytest.raises((ArenaError, ValueError)):
        replayed_text(text, STANDARD)


def test_moves_follow_those_of_a_start():
    """The moves of a file can begin after other moves, and fall on their stones."""
    assert replayed_text("d3 e1", STANDARD, "44")[0] == "4445"
    assert replayed_text("45", STANDARD, "44")[0] == "4445"
    assert replayed_text("c3", LINE8, "d4 e4")[0] == "d4 e4 c3"


def test_result_of_the_moves_is_certain():
    """The moves of a finished game give its result. Another result is an error."""
    won = replay("1212121", STANDARD)[0]
    assert (
        checked_result("", won) == checked_result("*", won) == checked_result("1-0", won) == "1-0"
    )
    with pytest.raises(ValueError, match="the result is 0-1, but the moves give 1-0"):
        checked_result("0-1", won)
