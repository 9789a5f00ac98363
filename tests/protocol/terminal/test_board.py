"""Boards as text: names of columns and rows, marks, and scores above the columns."""

import pytest
from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_protocol.terminal.board import (
    board_text,
    board_width,
    least_room,
    room_for_scores,
)

WON = "1212121"
"""Moves of a game that player 1 wins with the first column."""


def rows(moves: str, variant: Variant = STANDARD, room: int = 3, **marks: object) -> list[str]:
    """Return the rows of the board after some moves."""
    position, _ = replay(moves, variant)
    return [row.plain for row in board_text(position, room, **marks)]


def test_line_and_last_stone_are_marked():
    """Brackets mark the stones of the line, and parentheses mark the last one."""
    position, cells = replay(WON, STANDARD)
    shown = [row.plain for row in board_text(position, 3, cells[-1])]
    assert shown == [
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        "(X) .  .  .  .  .  .",
        "[X] O  .  .  .  .  .",
        "[X] O  .  .  .  .  .",
        "[X] O  .  .  .  .  .",
        " 1  2  3  4  5  6  7",
    ]


def test_only_the_line_is_emphasized():
    """Exactly the four stones of the line are shown in reverse."""
    position, cells = replay(WON, STANDARD)
    shown = board_text(position, 2, cells[-1])
    reverse = [row.plain[span.start : span.end] for row in shown for span in row.spans
               if "reverse" in str(span.style)]  # fmt: skip
    assert reverse == ["X"] * 4


def test_narrow_cells_have_no_marks():
    """Without room for brackets, stones are not marked."""
    assert rows(WON, room=2, last=3)[2] == " X . . . . . ."


def test_scores_are_above_their_columns():
    """Each score has its first digit above its column, and a full column has none."""
    scores = (None, 0, 12, -4, 3, -12, 1)
    room = room_for_scores([(), scores])
    shown = rows("44", room=room, scores=scores)
    assert shown[0] == "      0  +12 -4  +3  -12 +1"
    assert shown[-1] == "  1   2   3   4   5   6   7"
    for column, score in enumerate(scores):
        if score is not None:
            at = shown[-1].index(str(column + 1))
            assert shown[0][at] == str(abs(score))[0]


@pytest.mark.parametrize(
    ("variant", "moves"),
    [(LINE8, "a1 h8 d4"), (Variant(12, 10, 4, gravity=False), "a12 j1"), (Variant(52, 52), "Q")],
)
@pytest.mark.parametrize("more", [0, 1, 2])
def test_boards_of_other_games_are_as_wide_as_they_say(variant, moves, more):
    """No row is wider than ``board_width``, and every stone is above the name of its column."""
    room = least_room(variant) + more
    shown = rows(moves, variant, room)
    assert max(map(len, shown)) <= board_width(variant, room)
    assert len(shown) == variant.height + 1
    assert "".join(shown).count("X") == (len(moves.split()) + 1) // 2


def test_rows_without_gravity_have_letters():
    """Without gravity, rows have letters from the top, and stones stand at their names."""
    shown = rows("a1 h8", LINE8, room=3)
    assert shown[0] == "a X  .  .  .  .  .  .  ."
    assert shown[7] == "h .  .  .  .  .  .  .  O"
    assert shown[8] == "  1  2  3  4  5  6  7  8"
