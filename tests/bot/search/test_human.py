"""Levels 1 to 9: what they overlook, what they never do, and what their moves depend on."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from c4_bot import registry
from c4_bot.contract import Limits
from c4_bot.evaluate.sequences import Sequences
from c4_bot.native import native_twin
from c4_bot.search.human import Human, mixed
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

FREE = Variant(7, 6, gravity=False)
BLIND = Sequences(weights=(0, 0, 0))
"""An evaluator to which all positions are equal, so that only lines count."""
HUMANS = [f"level-{level}" for level in range(1, 10)]


def test_generator_is_splitmix64() -> None:
    """The numbers are those of splitmix64 with seed 0, as its authors publish them."""
    golden = 0x9E3779B97F4A7C15
    drawn = [mixed(golden * step % (1 << 64)) for step in range(3)]
    assert drawn == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def stones(*cells: tuple[int, int]) -> int:
    """Return the bitboard of cells, given as column and row from the bottom."""
    return sum(1 << FREE.cell(column, row) for column, row in cells)


def overlooked(position: Position, cells: int, **parameters: int) -> int:
    """Return how many of 500 seeds play on none of ``cells``, in a search of one ply."""
    found = [
        native_twin("human", Human(BLIND, seed=seed, **parameters))
        .search(position, Limits(depth=1))
        .cell
        for seed in range(500)
    ]
    return sum(not cells >> cell & 1 for cell in found)


def test_diagonals_are_overlooked_sooner_than_rows_and_columns() -> None:
    """A line on the same cell is overlooked more often on a diagonal than in a row or a column."""
    row, column, diagonal = (
        stones(*cells)
        for cells in (
            ((3, 3), (4, 3), (5, 3)),
            ((6, 0), (6, 1), (6, 2)),
            ((3, 0), (4, 1), (5, 2)),
        )
    )
    missed = [
        overlooked(Position(FREE, (own, stones((2, 3)))), stones((6, 3)), overlooks_now=500)
        for own in (row, column, diagonal)
    ]
    assert missed[0] > 150
    assert missed[1] > 150
    assert missed[2] > 1.3 * max(missed[:2])


def test_low_lines_at_the_edge_are_overlooked_sooner() -> None:
    """The lower a line is completed and the nearer to the edge, the more often it is overlooked."""
    lines = {
        "low edge": ((1, 0), (2, 0), (3, 0)),
        "low centre": ((0, 0), (1, 0), (2, 0)),
        "high edge": ((1, 5), (2, 5), (3, 5)),
    }
    ends = {"low edge": (0, 0), "low centre": (3, 0), "high edge": (0, 5)}
    closed = stones((4, 0), (4, 5))
    missed = {
        name: overlooked(
            Position(FREE, (stones(*line), closed)), stones(ends[name]), overlooks_now=500
        )
        for name, line in lines.items()
    }
    assert missed["low edge"] > 1.2 * missed["low centre"] > 150
    assert missed["low edge"] > 1.2 * missed["high edge"] > 150


def test_lines_that_need_two_moves_are_overlooked_by_their_own_share() -> None:
    """A row that becomes open on both sides is overlooked only by ``overlooks_later``."""
    open_row = Position(FREE, (stones((2, 3), (3, 3)), 0))
    good = stones((1, 3), (4, 3))
    assert overlooked(open_row, good, overlooks_now=1000) == 0
    assert overlooked(open_row, good, overlooks_later=500) > 200


@pytest.mark.parametrize(("weaker", "stronger"), [*pairwise(HUMANS)])
def test_a_level_sees_more_than_the_level_below(weaker: str, stronger: str) -> None:
    """With the level, shares of overlooked lines and noise shrink, and depth grows or ends.

    Each step is 70 to 140 Elo.
    """
    below, above = (registry.player_specs()[name] for name in (weaker, stronger))
    for name in ("overlooks_now", "overlooks_later", "noise"):
        assert below.all_parameters()[name] >= above.all_parameters()[name]
    assert below.parameters["depth"] <= above.parameters.get("depth", 42)
    assert below.parameters["overlooks_now"] <= below.parameters["overlooks_later"]
    assert 70 <= above.elo - below.elo <= 140


@pytest.mark.parametrize("name", ["level-8", "level-9"])
def test_high_levels_never_overlook_a_line_that_needs_one_move(name: str) -> None:
    """Levels 8 and 9 complete three in a row, and stop it, with every seed."""
    threat = position_from_moves("12121", STANDARD)
    three = position_from_moves("121212", STANDARD)
    for seed in range(30):
        player = registry.build_player(name, seed=seed)
        assert player.choose(threat, Limits(nodes=500)).cell == STANDARD.cell(0, 3)
        assert three.play(player.choose(three, Limits(nodes=500)).cell).is_won


@pytest.mark.parametrize("name", HUMANS)
def test_answer_depends_on_position_and_seed_alone(name: str) -> None:
    """Neither a distant deadline, nor threads, nor earlier answers change an answer."""
    position, used = position_from_moves("4455", STANDARD), registry.build_player(name, seed=5)
    used.choose(Position(STANDARD), Limits())
    answers = [
        used.choose(position, limits)
        for limits in (Limits(), Limits(deadline=float("inf")), Limits(threads=4))
    ]
    assert answers == [registry.build_player(name, seed=5).choose(position, Limits())] * 3


def test_other_seeds_play_other_moves() -> None:
    """Answers with different seeds differ, and so do answers without a seed."""

    def cells(seeds: list[int] | list[None]) -> set[int]:
        players = [registry.build_player("level-1", seed=seed) for seed in seeds]
        return {player.choose(Position(STANDARD), Limits()).cell for player in players}

    assert len(cells([*range(60)])) > 2
    assert len(cells([None] * 200)) > 1


def test_a_belief_is_no_proof() -> None:
    """A move that seems to win is not said to win; one that completes a line is."""
    open_row = Position(FREE, (stones((2, 3), (3, 3)), 0))
    seen = Human(BLIND, seed=1).search(open_row, Limits(depth=1))
    assert (seen.reason, seen.exact, seen.score) == ("seems to win", False, 10_000)
    end = Human(BLIND, seed=1).search(
        Position(FREE, (stones((2, 3), (3, 3), (4, 3)), 0)), Limits(depth=1)
    )
    assert end.exact


@pytest.mark.parametrize("name", ["overlooks_now", "overlooks_later", "noise", "nodes"])
def test_negative_parameters_are_refused(name: str) -> None:
    """A negative number is refused."""
    with pytest.raises(UsageError, match=f"{name} is 0 or more, not -1"):
        Human(Sequences(), **{name: -1})


@pytest.mark.parametrize("stops", [False, True], ids=["wins", "wins and stops"])
def test_a_child_beats_level_1(stops: bool) -> None:
    """A child that sees three in a row wins most games against level 1.

    It completes a line if it can; with ``stops``, it also stops a line. Otherwise it plays in the
    column with the most own stones on top. It moves first.
    """
    assert sum(_child_wins(seed, stops=stops) for seed in range(300)) > 165


def test_level_1_beats_random_moves() -> None:
    """Level 1 wins most games against random moves."""
    games = [
        _winner(seed, lambda position, draw: draw.choice(position.moves)) for seed in range(200)
    ]
    assert games.count(2) > 130


def _child_wins(seed: int, *, stops: bool) -> bool:
    def move(position: Position, draw: Random) -> int:
        lines = position.winning_cells or (position.opponent_winning_cells if stops else 0)
        if lines:
            return lines.bit_length() - 1
        return max(position.moves, key=lambda cell: _own_below(position, cell, draw))

    return _winner(seed, move) == 1


def _winner(seed: int, move: Callable[[Position, Random], int]) -> int:
    """Return the winner of a game of ``move``, which moves first, against level 1."""
    level, draw = registry.build_player("level-1", seed=seed), Random(seed)
    position = Position(STANDARD)
    while not position.is_over:
        if position.player == 1:
            position = position.play(move(position, draw))
        else:
            position = position.play(level.choose(position, Limits()).cell)
    return position.winner


def _own_below(position: Position, cell: int, draw: Random) -> tuple[int, float]:
    """Return the number of own stones directly below a cell, and a random number for ties."""
    count, below = 0, cell - 1
    while below >= 0 and position.own >> below & 1:
        count, below = count + 1, below - 1
    return count, draw.random()
