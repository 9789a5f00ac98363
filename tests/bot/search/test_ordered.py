"""The player ``ordered``: its exact scores are right, and its document's faults are repaired."""

from random import Random as Numbers

import pytest
from c4_bot import registry
from c4_bot.contract import Limits, won
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


@given(small_endings())
@examples(60)
def test_cut_offs_of_the_document_are_sound(position: Position) -> None:
    """The document's search, with full boards scored correctly, finds the solver's score."""
    search = Ordered(deepens=False, looks_ahead=False, open_factor=1)
    assert pons(position, search.search(position, FULL_DEPTH).score) == true_score(position)


@given(small_endings(), st.integers(1, 400))
@examples(60)
def test_what_is_called_exact_is_so_within_any_limits(position: Position, nodes: int) -> None:
    """A score that is called exact is right, even if the search ends after a few nodes."""
    found = REPAIRED.search(position, Limits(nodes=nodes))
    assert found.nodes <= nodes
    if found.exact:
        assert pons(position, found.score) == true_score(position)


def test_half_an_iteration_proves_nothing() -> None:
    """A position is not called lost if only one losing move was searched in time."""
    position, search = after("143423", Variant(4, 4)), Ordered(looks_ahead=False)
    assert search.search(position, FULL_DEPTH).score == 0
    part = search.search(position, Limits(nodes=4633))
    assert part.score < 0
    assert not part.exact


def test_early_positions_are_answered() -> None:
    """The faithful player finishes no move in an early position. The repaired player does.

    The faithful player searches to the end of the game, which is too far away.
    """
    position, limits = after("4435"), Limits(nodes=3000)
    faithful, repaired = FAITHFUL.search(position, limits), REPAIRED.search(position, limits)
    assert faithful.reason == "out of time with 0 of 7 moves searched"
    assert (faithful.depth, faithful.score) == (0, 0)
    assert faithful.cell == FAITHFUL.moves(position)[0]
    assert repaired.depth >= 3
    assert "out of time" not in repaired.reason


def test_moves_that_were_finished_count_when_time_is_over() -> None:
    """The faithful player plays the best of the moves that it searched to the end in time."""
    position = after("5444424372571563347656221573763123")
    whole = FAITHFUL.search(position, FULL_DEPTH)
    part = FAITHFUL.search(position, Limits(nodes=whole.nodes - 1))
    assert part.reason.startswith(f"out of time with {len(position.moves) - 1} of ")
    assert part.depth == position.variant.cells - position.ply


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


def test_the_last_stone_wins() -> None:
    """The faithful player scores a win with the last stone as 0.

    No ply remains after this stone.
    """
    position = after("62677127377672432234633365624411441555155")
    assert REPAIRED.search(position, FULL_DEPTH).score == won(42)
    assert FAITHFUL.search(position, FULL_DEPTH).score == 0


def test_outcomes_are_recognised_before_the_four_is_complete() -> None:
    """With ``looks_ahead``, three stones with both ends free count as won in advance."""
    position = after("44")
    position = position.play(position.check(4))
    position = position.play(position.check(6))  # player 1 has d1 and e1, and player 1 is to move
    limits = Limits(depth=2)
    assert REPAIRED.search(position, limits).score == won(7)
    assert FAITHFUL.search(position, limits).score == 0


def test_forced_replies_cost_no_depth() -> None:
    """A search to two plies sees further if replies are forced."""
    position = after("142274457")
    assert REPAIRED.search(position, Limits(depth=2)).score == won(position.ply + 5)


def test_chains_that_can_be_played_on_both_sides_count_more() -> None:
    """With ``open_factor``, two stones with both ends free are worth more than two at a wall."""
    position = after("3141")  # player 1 has c1 and d1, player 2 has a1 and a2
    top, end = position.check(0), position.check(4)
    assert [FAITHFUL.column_score(position, cell) for cell in (top, end)] == [210, 2 * 210]
    assert [REPAIRED.column_score(position, cell) for cell in (top, end)] == [210, 4 * 210]


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


def test_chains_count_four_stones() -> None:
    """At most four stones of a chain count, as in the document, even if lines are longer."""
    variant = Variant(8, 6, 6)
    five = sum(1 << variant.cell(column, 0) for column in range(5))
    position = Position(variant, (five, 0))
    assert REPAIRED.column_score(position, variant.cell(5, 0)) == 2 * (10 + 200 + 3000 + 40000)


def test_moves_are_sorted_only_early() -> None:
    """Moves are sorted while more than 20 cells are free. Later they come centre first."""
    moves = "5444424372571563347656"
    early, late = after(moves[:-1]), after(moves)
    assert (len(moves), STANDARD.cells) == (22, 42)
    assert REPAIRED.moves(early) != early.moves
    assert REPAIRED.moves(late) == late.moves


@pytest.mark.parametrize(
    "wrong", [{"amplifier": 31}, {"own_factor": -1}, {"other_factor": 101}, {"open_factor": 101}]
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    """Settings whose scores could exceed 64 bits are refused."""
    with pytest.raises(UsageError, match="is 0 to"):
        registry.build_player("ordered", wrong)
