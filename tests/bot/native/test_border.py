"""Arguments that the core refuses at its border with Python, because its searches rely on this."""

import struct
from collections.abc import Callable
from typing import Any

import pytest
from c4_bot.contract import MAX_WEIGHT, Limits
from c4_bot.native import Stones, halves, sizes, stones
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.reference import ReferenceSolver
from c4_bot.solve.solver import Solver
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from cores import needs_training

core = pytest.importorskip("c4_bot._core")

ALL = (-128, 128)
EMPTY = (halves(0), halves(0))
FREE = Variant(7, 6, gravity=False)
WIDE, WIDE_FREE = Variant(10, 8), Variant(10, 8, gravity=False)
SPEC = ("negamax", (1,), "windows", (1, 2, 3))


def searched(variant: Variant, taken: Stones) -> object:
    """Search one ply deep."""
    return core.search(SPEC, sizes(variant), taken, (1, -1, -1.0, 1))


def evaluated(variant: Variant, taken: Stones) -> object:
    """Evaluate a position."""
    return core.evaluate(SPEC, sizes(variant), taken, True)


def counted(variant: Variant, taken: Stones) -> object:
    """Count the positions one ply deep."""
    return core.perft(sizes(variant), taken, 1)


def solved(variant: Variant, taken: Stones) -> object:
    """Solve a position."""
    return core.Solver(sizes(variant), 1).solve(taken, ALL, (-1, 100, -1.0, 1))


def bounded(variant: Variant, taken: Stones) -> object:
    """Ask for the bounds that need no search."""
    return core.Solver(sizes(variant), 1).follow_up_bounds(taken)


def won(variant: Variant, taken: Stones) -> object:
    """Ask whether the player to move wins."""
    return core.LineSolver(sizes(variant), 1).solve(taken, True, 3, 0, (-1, 100, -1.0, 1))


def lost(variant: Variant, taken: Stones) -> object:
    """Ask whether the player to move loses."""
    return core.LineSolver(sizes(variant), 1).solve(taken, False, 3, 0, (-1, 100, -1.0, 1))


def proved(variant: Variant, taken: Stones) -> object:
    """Ask for a proof."""
    return core.LineSolver(sizes(variant), 1).proof(taken, True, 3, 0, (-1, 100, -1.0, 1))


def reasoned(variant: Variant, taken: Stones) -> object:
    """Ask for the reason of a move."""
    return core.reason(sizes(variant), taken, 0, None, None, halves(0))


FALLING_USES = (searched, evaluated, counted, solved, bounded, reasoned)
FALLING = [(variant, use) for variant in (STANDARD, WIDE) for use in FALLING_USES]
ANYWHERE = [(variant, use) for variant in (FREE, WIDE_FREE) for use in (won, lost, proved)]
Use = Callable[[Variant, Stones], object]


@pytest.mark.parametrize(("variant", "use"), FALLING + ANYWHERE)
def test_stones_of_both_players_on_a_cell_are_refused(variant: Variant, use: Use) -> None:
    """No function takes two stones on one cell."""
    with pytest.raises(ValueError, match="stones of both players on one cell"):
        use(variant, (halves(1), halves(1)))


@pytest.mark.parametrize("bit", [6, 48, 49, 63, 64, 100, 127])
@pytest.mark.parametrize("use", FALLING_USES)
def test_stones_outside_the_board_are_refused(use: Use, bit: int) -> None:
    """No function takes a stone above a column, or to the right of the board."""
    for taken in ((halves(1 << bit), halves(0)), (halves(0), halves(1 << bit))):
        with pytest.raises(ValueError, match="a stone outside the board"):
            use(STANDARD, taken)


@pytest.mark.parametrize("bit", [42, 63, 64, 127])
@pytest.mark.parametrize("use", [won, lost, proved])
def test_packed_stones_outside_the_board_are_refused(use: Use, bit: int) -> None:
    """A solver of games without gravity takes no stone after the last cell of the board."""
    with pytest.raises(ValueError, match="a stone outside the board"):
        use(FREE, (halves(0), halves(1 << bit)))


@pytest.mark.parametrize(("variant", "use"), FALLING)
def test_stones_above_free_cells_are_refused(variant: Variant, use: Use) -> None:
    """With gravity, no function takes a stone above a free cell."""
    with pytest.raises(ValueError, match="a stone above a free cell"):
        use(variant, (halves(0b10), halves(0)))


@pytest.mark.parametrize(
    ("variant", "use"),
    [pair for pair in FALLING + ANYWHERE if pair[1] not in (evaluated, counted)],
)
@pytest.mark.parametrize("winner", [0, 1])
def test_games_that_are_over_are_refused(variant: Variant, use: Use, winner: int) -> None:
    """A position with a line has no score, whichever player has the line."""
    line = [halves(0b1111), halves(0)]
    with pytest.raises(ValueError, match="the game is over"):
        use(variant, (line[winner], line[1 - winner]))


def test_the_solvers_refuse_games_that_are_over() -> None:
    """All solvers say how the game has ended."""
    won_game, full = position_from_moves("1212121", STANDARD), Position(Variant(1, 2), (1, 2))
    won_cells = position_from_moves("a1 b1 a2 b2 a3 b3 a4", LINE8)
    no_limits = Limits()
    for position in (won_game, full):
        with pytest.raises(ImpossiblePosition, match="the game is over"):
            Solver(position.variant).solve(position)
        with pytest.raises(ImpossiblePosition, match="the game is over"):
            ReferenceSolver().solve(position, -1, 1, no_limits)
    solver = LineSolver(LINE8)
    for use in (solver.wins, solver.loses):
        with pytest.raises(ImpossiblePosition, match="the game is over"):
            use(won_cells, 3, 0, no_limits)
    with pytest.raises(ImpossiblePosition, match="the game is over"):
        solver.proof(won_cells, True, 3, 0, no_limits)


PLAYER = ("windows", (1, 2, 3), True, 1, 2, False)


@pytest.mark.parametrize(
    "cells", [[-1], [6], [48], [49], [63], [64], [200], [1 << 30], [1], [0, 0]]
)
def test_illegal_openings_are_refused(cells: list[int]) -> None:
    """A game starts from legal moves only."""
    with pytest.raises(ValueError, match="an opening with an illegal move"):
        core.play_games([PLAYER, PLAYER], [(0, 1, cells)], sizes(STANDARD), 1)


def test_an_opening_ends_when_the_game_does() -> None:
    """An opening may end with a win, but no move may follow it."""
    won_game = [0, 7, 1, 8, 2, 9, 3]
    (game,) = core.play_games([PLAYER, PLAYER], [(0, 1, won_game)], sizes(STANDARD), 1)
    assert game == (won_game, 1, 0)
    with pytest.raises(ValueError, match="an opening with an illegal move"):
        core.play_games([PLAYER, PLAYER], [(0, 1, [*won_game, 14])], sizes(STANDARD), 1)


@pytest.mark.parametrize("depth", [0, -1, -(1 << 31)])
def test_depths_of_games_are_at_least_one(depth: int) -> None:
    """A player that searches no ply cannot move."""
    player = ("windows", (1, 2, 3), True, 1, depth, False)
    with pytest.raises(ValueError, match="a depth is at least 1 ply"):
        core.play_games([player, player], [(0, 1, [])], sizes(STANDARD), 1)


@pytest.mark.parametrize("weight", [MAX_WEIGHT + 1, -MAX_WEIGHT - 1, (1 << 63) - 1, -(1 << 63)])
def test_weights_have_bounds(weight: int) -> None:
    """No evaluation can exceed what a score holds."""
    message = f"a weight: {weight} is not from -1048576 to 1048576"
    for spec in (("negamax", (1,), "windows", (weight,)), ("negamax", (weight,), "windows", (1,))):
        with pytest.raises(ValueError, match=message):
            core.search(spec, sizes(STANDARD), EMPTY, (1, -1, -1.0, 1))
    player = ("windows", (weight,), True, 1, 2, False)
    with pytest.raises(ValueError, match=message):
        core.play_games([player, player], [(0, 1, [])], sizes(STANDARD), 1)


@pytest.mark.parametrize(("place", "number"), [(0, 31), (0, -1), (1, 101), (2, -1), (3, 1 << 20)])
def test_factors_of_column_scores_have_bounds(place: int, number: int) -> None:
    """Numbers with which a column score could exceed its type are refused."""
    parameters = [10, 2, 1, 2, 20, 1, 1, 1]
    parameters[place] = number
    spec = ("ordered", parameters, "", ())
    with pytest.raises(ValueError, match=f": {number} is not from 0 to"):
        core.search(spec, sizes(STANDARD), EMPTY, (2, -1, -1.0, 1))


@pytest.mark.parametrize("make", [core.Solver, core.LineSolver])
@pytest.mark.parametrize("megabytes", [(1 << 20) + 1, 1 << 44, (1 << 64) - 1])
def test_sizes_of_tables_have_a_maximum(make: Callable[..., object], megabytes: int) -> None:
    """A size that overflows is not taken for the minimum."""
    variant = STANDARD if make is core.Solver else FREE
    with pytest.raises(ValueError, match=f"megabytes: {megabytes} is not from 0 to 1048576"):
        make(sizes(variant), megabytes)


@pytest.mark.parametrize("variant", [FREE, WIDE_FREE], ids=str)
def test_a_table_of_no_size_is_the_smallest(variant: Variant) -> None:
    """A solver with a table of 0 MiB gets the smallest table."""
    solver = LineSolver(variant, hash_mb=0)
    assert solver.wins(Position(variant), 3, 3, Limits(nodes=1000)).nodes > 0
    solver.forget()


@pytest.mark.parametrize("stones_left", [256, 257, 1 << 16, (1 << 31) - 1])
def test_more_stones_than_cells_are_a_complete_search(stones_left: int) -> None:
    """A maximum of stones is not cut to eight bits."""
    small = Variant(4, 4, 3, gravity=False)
    solver = LineSolver(small)
    complete = solver.wins(Position(small), 16, 16, Limits())
    assert complete.holds
    solver.forget()
    assert solver.wins(Position(small), stones_left, stones_left, Limits()) == complete


def test_no_stones_win_nothing() -> None:
    """With a maximum of 0 stones there is no win, even if one stone would complete a line."""
    position = position_from_moves("a1 b1 a2 b2 a3 b3", LINE8)
    solver = LineSolver(LINE8)
    assert solver.wins(position, 1, 0, Limits()).holds
    assert solver.wins(position, 0, 0, Limits()).holds is False
    for use in (solver.wins, solver.loses):
        with pytest.raises(ValueError, match="a number of stones is at least 0"):
            use(position, -1, 0, Limits())
        with pytest.raises(ValueError, match="a number of stones is at least 0"):
            use(position, 1, -1, Limits())


@pytest.mark.parametrize("wanted", [(-(1 << 31), (1 << 31) - 1), (-(1 << 31), -(1 << 31))])
def test_any_range_of_scores_can_be_wanted(wanted: tuple[int, int]) -> None:
    """Bounds that no score can have are accepted."""
    taken: Any = stones(position_from_moves("44444", STANDARD))
    low, high, _ = core.Solver(sizes(STANDARD), 1).solve(taken, wanted, (-1, 1000, -1.0, 1))
    assert low <= high


@pytest.mark.parametrize("threads", [1025, 20_000, (1 << 31) - 1])
def test_threads_have_a_maximum(threads: int) -> None:
    """A number of threads that could not stop in time is refused."""
    limits = (-1, 100, -1.0, threads)
    message = f"threads: {threads} is not from 1 to 1024"
    with pytest.raises(ValueError, match=message):
        core.Solver(sizes(STANDARD), 1).solve(EMPTY, ALL, limits)
    with pytest.raises(ValueError, match=message):
        core.search(SPEC, sizes(STANDARD), EMPTY, limits)
    with pytest.raises(ValueError, match=message):
        core.play_games([PLAYER, PLAYER], [(0, 1, [])], sizes(STANDARD), threads)


def test_all_stones_of_real_games_are_taken() -> None:
    """The core accepts every position of some games."""
    games = {STANDARD: "4444443333332222", WIDE: "5555555544443333"}
    for variant, moves in games.items():
        for end in range(len(moves) + 1):
            taken = stones(position_from_moves(moves[:end], variant))
            assert counted(variant, taken)
    for moves in ("", "a1", "a1 b2", "a1 b2 f7", "a1 b2 f7 d3"):
        solver, position = LineSolver(FREE), position_from_moves(moves, FREE)
        assert solver.wins(position, 2, 0, Limits()).holds is False


@pytest.mark.parametrize("limits", [Limits(), Limits(nodes=1000)], ids=["no limit", "nodes"])
def test_there_is_no_proof_without_a_win(limits: Limits) -> None:
    """A win that does not exist has no proof, instead of a walk through the whole game."""
    board = Position(Variant(3, 3, 3, gravity=False))
    solver = LineSolver(board.variant)
    for wins in (True, False):
        with pytest.raises(ValueError, match="there is no win with these stones"):
            solver.proof(board, wins, 0, 0, limits)
    with pytest.raises(ValueError, match="there is no win with these stones"):
        solver.proof(board, True, 3, 3, Limits())


@pytest.mark.parametrize(
    ("search", "evaluator"), [("minimax", "windows"), ("ordered", ""), ("minimax", "blocker")]
)
def test_too_few_numbers_are_refused(search: str, evaluator: str) -> None:
    """A search or an evaluator without its parameters is a mistake in the numbers."""
    spec = (search, (), evaluator, ())
    with pytest.raises(ValueError, match="too few parameters or weights"):
        core.search(spec, sizes(STANDARD), EMPTY, (1, -1, -1.0, 1))


@pytest.mark.parametrize(
    ("cell", "best", "own", "answers", "message"),
    [
        (1, None, None, 0, "a cell is not a legal move"),
        (6, None, None, 0, "a cell is not a legal move"),
        (127, None, None, 0, "a cell is not a legal move"),
        (0, None, None, 1, "a cell is not a legal move"),
        (0, None, None, 1 << 127, "a cell is not a legal move"),
        (-1, None, None, 0, "cell: -1 is not from 0 to 127"),
        (128, None, None, 0, "cell: 128 is not from 0 to 127"),
        (0, 2, None, 0, "best: 2 is not from -1 to 1"),
        (0, None, -2, 0, "own: -2 is not from -1 to 1"),
    ],
)
def test_reasons_are_of_legal_moves(
    cell: int, best: int | None, own: int | None, answers: int, message: str
) -> None:
    """A reason is asked of a legal move, legal answers and outcomes."""
    with pytest.raises(ValueError, match=message):
        core.reason(sizes(STANDARD), EMPTY, cell, best, own, halves(answers))


def test_unknown_directions_and_times_are_refused() -> None:
    """A variant has three directions, and a time is a number."""
    with pytest.raises(ValueError, match="no such variant"):
        core.perft((7, 6, 4, True, 8), EMPTY, 1)
    with pytest.raises(ValueError, match="seconds: not a number"):
        core.search(SPEC, sizes(STANDARD), EMPTY, (1, -1, float("nan"), 1))


TRAINING = {
    "seed": 0,
    "depth": 2,
    "solved": 12,
    "opening": 8,
    "random_moves": 0.1,
    "trace": 0.6,
    "rate": 5.0,
    "half_rate": 6e4,
}
ZUGZWANG = (45, 1900, 25, 6, 19)


def trainer(**changed: float) -> Any:
    """Return a training with changed settings."""
    settings = tuple((TRAINING | changed).values())
    return core.Trainer(sizes(Variant(5, 5)), [(4, 2, 0)], settings, ZUGZWANG)


@needs_training
@pytest.mark.parametrize(
    ("name", "value"),
    [("depth", 0), ("depth", -1), ("depth", 129), ("solved", -1), ("solved", 129)]
    + [("opening", -1), ("opening", 129), ("random_moves", -0.1), ("random_moves", 1.1)]
    + [("trace", -0.1), ("trace", 1.1), ("rate", -1.0), ("rate", float("inf"))]
    + [("half_rate", 0.0), ("half_rate", -1.0), ("half_rate", float("inf"))]
    + [(name, float("nan")) for name in ("random_moves", "trace", "rate", "half_rate")],
)
def test_settings_of_trainings_have_bounds(name: str, value: float) -> None:
    """A search without a depth would not end, and shares are from 0 to 1."""
    with pytest.raises(ValueError, match=rf"{name}: .* is not from"):
        trainer(**{name: value})


@needs_training
def test_zugzwang_of_trainings_has_bounds() -> None:
    """No evaluation can exceed what a score holds."""
    fields = sizes(Variant(5, 5)), [(4, 2, 0)], tuple(TRAINING.values())
    with pytest.raises(ValueError, match="a weight: 1048577 is not from"):
        core.Trainer(*fields, (MAX_WEIGHT + 1, *ZUGZWANG[1:]))


@needs_training
@pytest.mark.parametrize(
    "shape", [(0, 2, 0), (4, 0, 0), (4, 2, -1), (4, 2, 2), (6, 2, 0), (4, 4, 0)]
)
def test_shapes_of_trainings_are_checked(shape: tuple[int, int, int]) -> None:
    """A shape fits on the board, and its patterns have at most 16 bits."""
    with pytest.raises(ValueError, match="no such shape of patterns"):
        core.Trainer(sizes(Variant(5, 5)), [shape], tuple(TRAINING.values()), ZUGZWANG)


@needs_training
def test_numbers_of_games_of_trainings_have_bounds() -> None:
    """A training plays no negative number of games, and a search of a match has a limit."""
    one = trainer()
    for batches in (-1, 1 << 41):
        with pytest.raises(ValueError, match="batches: "):
            one.play(batches, 1)
    for name, numbers in {
        "pairs": (-1, 8, 100),
        "opening": (1, -1, 100),
        "nodes": (1, 8, -1),
    }.items():
        with pytest.raises(ValueError, match=f"{name}: -1 is not from 0"):
            one.play_match(*numbers, 1, 1)
    for unit in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="unit: "):
            one.weights(unit)


@needs_training
@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("part", [0, 1, 2])
def test_states_of_trainings_have_numbers(part: int, number: float) -> None:
    """A state with impossible numbers is refused, and changes nothing."""
    one = trainer()
    one.play(1, 1)
    state = one.state()
    begin = 8 + part * (len(state) - 8) // 3
    with pytest.raises(ValueError, match="a number: "):
        one.restore(state[:begin] + struct.pack("f", number) + state[begin + 4 :])
    with pytest.raises(ValueError, match="batches: -1 is not from 0"):
        one.restore(struct.pack("q", -1) + state[8:])
    assert one.state() == state
