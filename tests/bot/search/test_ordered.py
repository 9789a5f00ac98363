"""The player ``ordered``: its exact scores are right, and its document's faults are repaired."""

from random import Random as Numbers

import pytest
from c4_bot.contract import Limits, won
from c4_bot.player import registry
from c4_bot.search.ordered import Ordered
from c4_bot.solve.reference import ReferenceSolver
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import position_from_moves, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import DIRECTIONS, STANDARD, Variant
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

REPAIRED = Ordered()
FAITHFUL = Ordered(**registry.player_specs()["ordered"].faithful)
FULL_DEPTH = Limits()


def after(moves: str, variant: Variant = STANDARD) -> Position:
    """Return the position after moves in columns, which are counted from 1."""
    return position_from_moves(moves, variant)


def true_score(position: Position) -> int:
    """Return the score that the reference solver finds."""
    cells = position.variant.cells
    found = ReferenceSolver().solve(position, -cells, cells, FULL_DEPTH)
    assert found.exact
    return found.low


def pons(position: Position, score: int) -> int:
    """Convert the score of a search into a solver's score, as Pascal Pons defines it."""
    sign = (score > 0) - (score < 0)
    return sign and sign * win_score(position.variant, won(0) - abs(score))


@st.composite
def small_endings(draw: st.DrawFn) -> Position:
    """Draw a position after random moves, on a board that can be searched to the end."""
    width, height = draw(st.sampled_from([(4, 4), (5, 3), (3, 5), (4, 3), (6, 2), (1, 5), (5, 5)]))
    ways = draw(st.sampled_from([DIRECTIONS, DIRECTIONS[:1], DIRECTIONS[1:]]))
    variant = Variant(width, height, draw(st.integers(3, 4)), directions=ways)
    least = max(0, variant.cells - 10)
    numbers, position = Numbers(draw(st.integers(0, 1 << 32))), Position(variant)
    while position.ply < least:
        child = position.play(numbers.choice(position.moves))
        position = Position(variant) if child.is_over else child
    return position


@given(small_endings(), st.booleans())
@examples(60)
def test_scores_and_moves_are_those_of_a_solver(position: Position, looks_ahead: bool) -> None:
    """A search to the end finds the exact score, and a move that keeps this score."""
    found = Ordered(looks_ahead=looks_ahead).search(position, FULL_DEPTH)
    expected = true_score(position)
    assert found.exact
    assert pons(position, found.score) == expected
    child = position.play(found.cell)
    ended = win_score(position.variant, child.ply) if child.is_won else 0
    assert (ended if child.is_over else -true_score(child)) == expected


@pytest.mark.parametrize(
    ("moves", "variant", "kept", "lost"),
    [
        ("5444424372571563347656221573763123152761", STANDARD, 0, -1),
        ("711544134451576147747123326255232652667", STANDARD, 1, 0),
        ("1132512433353142154455", Variant(5, 5), 1, 0),
        ("25431124421424213135553", Variant(5, 5), 0, -1),
    ],
    ids=["player 1 loses", "player 2 draws", "odd: player 1 draws", "odd: player 2 loses"],
)
def test_draws_are_neither_losses_nor_wins(
    moves: str, variant: Variant, kept: int, lost: int
) -> None:
    """The faithful player scores full boards wrongly, and so gives away a draw or a win."""
    position = after(moves, variant)
    assert outcome(position, REPAIRED) == outcome(position) == kept
    assert outcome(position, FAITHFUL) == lost


def outcome(position: Position, search: Ordered | None = None) -> int:
    """Return 1, 0 or -1 for a win, draw or loss of the player to move, by best play.

    If ``search`` is given, the first move is that of the search.
    """
    if search is None:
        score = true_score(position)
        return (score > 0) - (score < 0)
    child = position.play(search.search(position, FULL_DEPTH).cell)
    if child.is_over:
        return int(child.is_won)
    return -outcome(child)


@pytest.mark.parametrize(
    ("moves", "column", "score"),
    [
        ("", 3, 0),
        ("4", 3, 10),  # on top of the opponent's stone
        ("41", 3, 2 * 10),  # on top of an own stone
        ("45", 2, 2 * 10),
        ("414145", 3, 2 * (10 + 200 + 3000)),
        ("4171", 4, 2 * 10),
        ("313151", 3, 2 * (10 + 200) + 2 * 10),  # two own chains: along the row, and up to the left
        ("11223", 3, 10 + 200 + 3000),  # all three are the opponent's stones
        ("3715", 1, 2 * (10 + 200)),  # between two own stones: one chain
        ("3175", 1, 10 + 2 * 10),  # between stones of both players: two chains
    ],
)
def test_column_scores(moves: str, column: int, score: int) -> None:
    """A column's score is the document's sum of m * n * 10 ** n over each chain."""
    position = after(moves)
    assert FAITHFUL.column_score(position, position.check(column)) == score


@pytest.mark.parametrize(
    "wrong", [{"amplifier": 31}, {"own_factor": -1}, {"other_factor": 101}, {"open_factor": 101}]
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    """Settings whose scores could exceed 64 bits are refused."""
    with pytest.raises(UsageError, match="is 0 to"):
        registry.build_player("ordered", wrong)
