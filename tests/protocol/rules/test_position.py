"""The rules, compared with a second, naive implementation on lists of lists."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import steals
from c4_protocol.program.errors import IllegalMove
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position, completing_cells, has_line, other_seat
from c4_protocol.rules.variant import (
    CODINGAME,
    DIAGONAL,
    HORIZONTAL,
    LINE8,
    STANDARD,
    STEAL,
    VERTICAL,
    Variant,
    cells_of,
)
from hypothesis import assume, given
from hypothesis import strategies as st

VARIANTS = st.from_type(Variant)
POSITIONS = st.from_type(Position)
PICKS = st.lists(st.integers(0, 99), max_size=100)
STEPS = {HORIZONTAL: [(1, 0)], VERTICAL: [(0, 1)], DIAGONAL: [(1, 1), (1, -1)]}


class NaiveGame:
    """A game as columns of cells from the bottom. 0 is empty, 1 and 2 are the players."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.columns = [[0] * variant.height for _ in range(variant.width)]

    def moves(self) -> set[tuple[int, int]]:
        """Return free cells as (column, row).

        With gravity, return the lowest free cell of each column.
        """
        free = {
            (x, y)
            for x, column in enumerate(self.columns)
            for y, value in enumerate(column)
            if value == 0
        }
        if not self.variant.gravity:
            return free
        return {(x, y) for x, y in free if y == 0 or (x, y - 1) not in free}

    def lines(self) -> Iterator[list[tuple[int, int]]]:
        """Yield the cells of every line, even if some of them are off the board."""
        steps = [step for name in self.variant.directions for step in STEPS[name]]
        for x in range(self.variant.width):
            for y in range(self.variant.height):
                for dx, dy in steps:
                    yield [(x + i * dx, y + i * dy) for i in range(self.variant.connect)]

    def value(self, x: int, y: int) -> int:
        """Return the stone in a cell, or 0 for an empty cell or off the board."""
        inside = 0 <= x < self.variant.width and 0 <= y < self.variant.height
        return self.columns[x][y] if inside else 0

    def winner(self) -> int:
        """Return the player who has a line, or 0."""
        for line in self.lines():
            values = {self.value(x, y) for x, y in line}
            if len(values) == 1 and values != {0}:
                return values.pop()
        return 0


@given(VARIANTS | steals.VARIANTS, st.sampled_from((1, 2)), PICKS)
def test_random_games_agree_with_naive_rules(
    variant: Variant, opener: int, picks: list[int]
) -> None:
    """Moves, stones, winner and end of a game agree with the naive rules in every position.

    The steal is legal as the second move only. It gives the stone to player 2.
    """
    opener = 1 if variant.steal else opener
    position, naive = Position(variant, player=opener), NaiveGame(variant)
    for ply, pick in enumerate(picks):
        moves = [cell for cell in position.moves if cell != STEAL]
        assert {(variant.column_of(cell), variant.row_of(cell)) for cell in moves} == naive.moves()
        if position.is_over:
            break
        assert (STEAL in position.moves) == position.can_steal == (variant.steal and ply == 1)
        assert position.steal_is_ahead == (variant.steal and ply < 2 and variant.cells > 1)
        cell, seat = position.moves[pick % len(position.moves)], position.player
        assert seat == (opener, other_seat(opener))[ply % 2]
        taken = next(cells_of(position.occupied)) if cell == STEAL else cell
        naive.columns[variant.column_of(taken)][variant.row_of(taken)] = seat
        before, position = position, position.play(cell)
        assert position.occupied == before.occupied | 1 << taken
        stones = [
            sum(
                1 << variant.cell(x, y)
                for x, column in enumerate(naive.columns)
                for y, stone in enumerate(column)
                if stone == who
            )
            for who in (1, 2)
        ]
        assert [*position.stones] == stones
        assert [position.own, position.other] == stones[:: 1 if position.player == 1 else -1]
        assert position.ply == sum(map(int.bit_count, stones))
        assert (position.winner, position.is_full) == (naive.winner(), not naive.moves())
        assert position.is_over == (position.is_full or position.winner != 0)
        assert position.is_won == (position.winner == seat)


@given(VARIANTS, st.integers(0))
def test_line_is_found_where_all_its_stones_are(variant: Variant, bits: int) -> None:
    """``has_line`` agrees with a search through all lines, on any set of cells."""
    stones = bits & variant.board
    assert has_line(stones, variant) == any(line & stones == line for line in variant.lines)


@given(VARIANTS, st.data())
def test_a_line_less_one_stone_is_none(variant: Variant, data: st.DataObject) -> None:
    """A whole line wins. A line without one stone does not, and the missing cell completes it."""
    assume(variant.lines)
    line = data.draw(st.sampled_from(variant.lines))
    cell = data.draw(st.sampled_from(list(cells_of(line))))
    rest = line & ~(1 << cell)
    assert has_line(line, variant)
    assert not has_line(rest, variant)
    assert completing_cells(rest, variant) >> cell & 1


@given(VARIANTS, st.integers(0))
def test_completing_cells_are_those_that_make_a_line(variant: Variant, bits: int) -> None:
    """The completing cells are the missing cells of lines that lack one stone."""
    stones = bits & variant.board
    naive = 0
    for line in variant.lines:
        for cell in cells_of(line):
            if line & ~stones & ~(1 << cell) == 0:
                naive |= 1 << cell
    assert completing_cells(stones, variant) == naive


@given(POSITIONS)
def test_winning_cells_are_the_moves_that_win(position: Position) -> None:
    """The winning cells are the moves with which a player wins, for both players."""
    assume(not position.is_over)
    opponent = replace(position, player=3 - position.player)
    for cell in position.moves:
        assert position.winning_cells >> cell & 1 == position.play(cell).is_won
        assert position.opponent_winning_cells >> cell & 1 == opponent.play(cell).is_won
    assert not (position.winning_cells | position.opponent_winning_cells) & ~position.playable


@given(POSITIONS, st.data())
def test_mirror_commutes_with_play(position: Position, data: st.DataObject) -> None:
    """Playing and then mirroring gives the same position as mirroring and then playing."""
    variant = position.variant
    cell = data.draw(st.sampled_from(position.moves))
    column = variant.width - 1 - variant.column_of(cell)
    row = None if variant.gravity else variant.height - 1 - variant.row_of(cell)
    mirrored_cell = position.mirrored().check(column, row)
    after = position.play(cell)
    assert after.mirrored() == position.mirrored().play(mirrored_cell)
    assert after.mirrored().winner == after.winner


@given(POSITIONS, st.integers(-99, 99), st.integers(-99, 99) | st.none())
def test_check_allows_exactly_the_legal_moves(
    position: Position, column: int, row: int | None
) -> None:
    """``check`` returns the cell of a legal move, and raises ``IllegalMove`` for any other move."""
    variant = position.variant
    top = variant.height - 1
    legal = {
        (variant.column_of(cell), None if variant.gravity else top - variant.row_of(cell)): cell
        for cell in position.moves
    }
    if (column, row) in legal:
        assert position.check(column, row) == legal[column, row]
    else:
        with pytest.raises(IllegalMove):
            position.check(column, row)


@pytest.mark.parametrize(
    ("position", "move", "reason"),
    [
        (Position(), (-1,), "-1 would be column 0: moves are 0 to 6, columns 1 to 7"),
        (Position(), (7,), "7 would be column 8: moves are 0 to 6, columns 1 to 7"),
        (position_from_moves("444444", STANDARD), (3,), "3 is column 4, which is full"),
        (
            Position(LINE8),
            (8, 0),
            r"\[8, 0\] would be column 9, row 1 .* columns 1 to 8, rows 1 to 8",
        ),
        (Position(LINE8), (0, 8), r"\[0, 8\] would be column 1, row 9 from the top: moves are .*"),
        (Position(LINE8), (0, None), r"0 is column 1: without gravity say \[column, row\]"),
        (
            position_from_moves("a3", LINE8),
            (2, 0),
            r"\[2, 0\] is column 3, row 1 from the top, which is taken",
        ),
    ],
)
def test_illegal_move_is_refused_with_the_reason(
    position: Position, move: tuple[int, ...], reason: str
) -> None:
    """An illegal move is refused because its cell is off the board, full or taken."""
    with pytest.raises(IllegalMove, match=f"^{reason}$"):
        position.check(*move)


@given(steals.POSITIONS)
def test_mirror_keeps_the_steal(position: Position) -> None:
    """A mirrored position can be stolen if the position can, and gives the mirrored result."""
    image = position.mirrored()
    assert image.can_steal == position.can_steal
    if position.can_steal:
        assert image.play(STEAL) == position.play(STEAL).mirrored()


@given(steals.POSITIONS | POSITIONS)
def test_game_without_the_steal_has_the_same_stones(position: Position) -> None:
    """A position keeps its stones and its player, and loses the steal alone."""
    plain = position.without_steal
    assert (plain.stones, plain.player) == (position.stones, position.player)
    assert plain.moves == [cell for cell in position.moves if cell != STEAL]
    assert plain.variant == replace(position.variant, steal=False)
    assert (plain is position) == (not position.variant.steal)


def test_stone_of_an_opening_player_2_is_not_stolen() -> None:
    """If player 2 opens, as in a precept, player 1 cannot steal."""
    assert not Position(CODINGAME, player=2).play(0).can_steal
    assert not Position(CODINGAME, player=2).steal_is_ahead
