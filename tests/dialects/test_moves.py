"""The dialect of bare columns: what its transcripts cannot show."""

import pytest
from c4_protocol.dialects.moves import RefereeEnd
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st


def after(moves: str, variant: Variant = STANDARD) -> Position:
    """Return the position after moves whose columns count from 0."""
    return position_from_moves("".join(str(int(column) + 1) for column in moves), variant)


@given(st.lists(st.integers(0, 99), max_size=42), st.integers(0, 1))
def test_each_question_is_the_last_move(picks: list[int], seat: int) -> None:
    """In a game, each question after the first is the opponent's last column."""
    referee, position, line = RefereeEnd(), Position(), b"go!\n"
    for ply, pick in enumerate(picks):
        if ply % 2 == seat:
            assert referee.write_precept(position) == line
        cell = position.moves[pick % len(position.moves)]
        position, line = position.play(cell), b"%d\n" % STANDARD.column_of(cell)
        if position.is_over:
            break


@pytest.mark.parametrize(
    "questions",
    [["33"], ["334"], ["", "33", "44"], ["", "3344"], ["3", "5"], ["3", "33"]],
    ids="-".join,
)
def test_position_without_a_last_move_is_refused(questions: list[str]) -> None:
    """A position is refused if it is not two moves after the last one that was asked about."""
    referee = RefereeEnd()
    for moves in questions[:-1]:
        referee.write_precept(after(moves))
    with pytest.raises(ImpossiblePosition, match="no move of the opponent leads"):
        referee.write_precept(after(questions[-1]))


def test_wrong_board_is_refused_with_the_dialect_only(c4_bot) -> None:
    """A wrong flag is an error only with ``--dialect moves``: drivers may append anything."""
    done = c4_bot("--dialect", "moves", "--width", "wide", stdin=b"go!\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"c4-bot: --width wide: say a whole number of cells\n"
    done = c4_bot("--width", "wide", stdin=b'{"grid":[[0]]}\n')
    assert (done.returncode, done.stderr) == (0, b"")
