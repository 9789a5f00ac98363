"""Arguments that the core refuses at its border with Python, because its searches rely on this."""

import struct
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from c4_bot.contract import MAX_WEIGHT, Limits
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.native import halves, parameters_of, sizes, stones
from c4_bot.search.ordered import Ordered
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
NEGAMAX, WINDOWS = ("negamax", {"sooner_wins": (1,)}), ("windows", {"weights": (1, 2, 3)})
SPEC = (*NEGAMAX, *WINDOWS)


FEW = (-1, 100, -1.0, 1)
"""Limits of a search with few nodes."""
FALLING_CALLS = {
    "search": lambda board, taken: core.search(SPEC, board, taken, (1, -1, -1.0, 1)),
    "solve": lambda board, taken: core.Solver(board, 1).solve(taken, ALL, FEW),
    "bounds": lambda board, taken: core.Solver(board, 1).follow_up_bounds(taken),
    "reason": lambda board, taken: core.reason(board, taken, 0, None, None, halves(0)),
    "evaluate": lambda board, taken: core.evaluate(SPEC, board, taken, True),
    "perft": lambda board, taken: core.perft(board, taken, 1),
}
"""Calls with a position of a game with gravity. The last two also take a game that is over."""
FREE_CALLS = {
    "win": lambda board, taken: core.LineSolver(board, 1).solve(taken, True, 3, 0, FEW),
    "loss": lambda board, taken: core.LineSolver(board, 1).solve(taken, False, 3, 0, FEW),
    "proof": lambda board, taken: core.LineSolver(board, 1).proof(taken, True, 3, 0, FEW),
}
"""Calls with a position of a game without gravity."""
BOTH, OUTSIDE, OVER = "stones of both players on one cell", "outside the board", "the game is over"
IMPOSSIBLE = [
    *((board, (1, 1), BOTH) for board in (STANDARD, WIDE, FREE, WIDE_FREE)),
    *((board, (15, 0), OVER) for board in (STANDARD, WIDE, FREE, WIDE_FREE)),
    *((board, (0, 15), OVER) for board in (STANDARD, WIDE, FREE, WIDE_FREE)),
    *((board, (0b10, 0), "a stone above a free cell") for board in (STANDARD, WIDE)),
    *((STANDARD, (1 << bit, 0), OUTSIDE) for bit in (6, 48, 49, 63, 64, 100, 127)),
    *((STANDARD, (0, 1 << bit), OUTSIDE) for bit in (6, 48, 49, 63, 64, 100, 127)),
    *((FREE, (0, 1 << bit), OUTSIDE) for bit in (42, 63, 64, 127)),
]
"""Variants with stones of both players, and why they are refused: there are stones of both players
on a cell, a stone above a column or to the right of the board, above a free cell, or a line."""


@pytest.mark.parametrize(("variant", "taken", "message"), IMPOSSIBLE)
def test_impossible_stones_are_refused(
    variant: Variant, taken: tuple[int, int], message: str
) -> None:
    """No function takes stones that cannot be, and only some take a game that is over."""
    calls = [*(FALLING_CALLS if variant.gravity else FREE_CALLS).values()]
    for call in calls[:-2] if variant.gravity and message == OVER else calls:
        with pytest.raises(ValueError, match=message):
            call(sizes(variant), (halves(taken[0]), halves(taken[1])))


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


PLAYER = (*WINDOWS, True, 1, 2, False)
ORDERED = dict(parameters_of(Ordered()))
ILLEGAL, NO_CELL = "an opening with an illegal move", "a cell is not a legal move"
WON_GAME = [0, 7, 1, 8, 2, 9, 3]
"""Cells of a game that is over."""


def play(
    cells: Sequence[int] = (), player: tuple[object, ...] = PLAYER, threads: int = 1
) -> list[tuple[object, ...]]:
    """Play a game between two players after an opening."""
    return core.play_games([player, player], [(0, 1, [*cells])], sizes(STANDARD), threads)


def search(spec: tuple[object, ...] = SPEC, limits: tuple[float, ...] = (1, -1, -1.0, 1)) -> object:
    """Search the empty board."""
    return core.search(spec, sizes(STANDARD), EMPTY, limits)


def weigh(weight: int) -> None:
    """Search and play with a weight. Each of them must refuse it for the same reason."""
    heavy = ("windows", {"weights": (1, weight)})
    for spec in ((*NEGAMAX, *heavy), ("negamax", {"sooner_wins": (weight,)}, *WINDOWS)):
        with pytest.raises(ValueError, match=f": {weight} is not from -1048576 to 1048576"):
            search(spec)
    play(player=(*heavy, *PLAYER[2:]))


def think(threads: int) -> None:
    """Solve, search and play with threads. Each of them must refuse them for the same reason."""
    limits = (-1, 100, -1.0, threads)
    solve = core.Solver(sizes(STANDARD), 1).solve
    for call in (lambda: solve(EMPTY, ALL, limits), lambda: search(limits=limits)):
        with pytest.raises(ValueError, match=f"threads: {threads} is not from 1 to 1024"):
            call()
    play(threads=threads)


def reason(cell: int, best: int | None = None, own: int | None = None, answers: int = 0) -> object:
    """Ask for the reason of a move on the empty board."""
    return core.reason(sizes(STANDARD), EMPTY, cell, best, own, halves(answers))


REFUSED: list[tuple[Callable[..., object], tuple[object, ...], str]] = [
    *((play, ([cell],), ILLEGAL) for cell in (-1, 6, 48, 49, 63, 64, 200, 1 << 30, 1)),
    *((play, (cells,), ILLEGAL) for cells in ([0, 0], [*WON_GAME, 14])),
    *(
        (play, ((), (*PLAYER[:4], depth, False)), "a depth is at least 1 ply")
        for depth in (0, -1, -(1 << 31))
    ),
    *(
        (weigh, (weight,), f"weights: {weight} is not from -1048576 to 1048576")
        for weight in (MAX_WEIGHT + 1, -MAX_WEIGHT - 1, (1 << 63) - 1, -(1 << 63))
    ),
    *(
        (
            search,
            (("ordered", ORDERED | {name: (number,)}, "", {}),),
            f"{name}: {number} is not from 0",
        )
        for name, number in (
            *(("amplifier", 31), ("amplifier", -1), ("own_factor", 101)),
            *(("other_factor", -1), ("open_factor", 1 << 20)),
        )
    ),
    *(
        (make, (sizes(variant), megabytes), f"megabytes: {megabytes} is not from 0 to 1048576")
        for make, variant in ((core.Solver, STANDARD), (core.LineSolver, FREE))
        for megabytes in ((1 << 20) + 1, 1 << 44, (1 << 64) - 1)
    ),
    *(
        (think, (threads,), f"threads: {threads} is not from 1 to 1024")
        for threads in (1025, 20_000, (1 << 31) - 1)
    ),
    *(
        (search, (spec,), message)
        for spec, message in (
            (("negamax", {}, *WINDOWS), "sooner_wins: this parameter is missing"),
            ((*NEGAMAX, "windows", {}), "weights: this parameter is missing"),
            (("negamax", {"sooner_wins": ()}, *WINDOWS), "sooner_wins: not one number"),
            ((*NEGAMAX, *WINDOWS[:1], WINDOWS[1] | {"wider": (1,)}), "wider: no parameter"),
            (("negamax", NEGAMAX[1] | {"wider": (1,)}, *WINDOWS), "wider: no parameter"),
        )
    ),
    *((reason, (cell,), NO_CELL) for cell in (1, 6, 127)),
    *((reason, (0, None, None, answers), NO_CELL) for answers in (1, 1 << 127)),
    *((reason, (cell,), f"cell: {cell} is not from 0 to 127") for cell in (-1, 128)),
    (reason, (0, 2), "best: 2 is not from -1 to 1"),
    (reason, (0, None, -2), "own: -2 is not from -1 to 1"),
    (core.perft, ((7, 6, 4, True, 8), EMPTY, 1), "no such variant"),
    (search, (SPEC, (1, -1, float("nan"), 1)), "seconds: not a number"),
]
"""Calls with their arguments, and why they are refused: illegal openings; depths without a ply;
weights and factors with which a score could exceed its type; sizes of tables that overflow; more
threads than could stop in time; parameters that are missing, not one number or unknown; reasons
of illegal moves; directions that do not exist; a time that is no number."""


@pytest.mark.parametrize(("call", "arguments", "message"), REFUSED)
def test_impossible_arguments_are_refused(
    call: Callable[..., object], arguments: tuple[object, ...], message: str
) -> None:
    """Each argument is checked before a search relies on it."""
    with pytest.raises(ValueError, match=message):
        call(*arguments)


def test_an_opening_may_end_with_a_win() -> None:
    """An opening that ends the game is the whole game."""
    assert play(WON_GAME) == [(WON_GAME, 1, 0)]


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


def test_all_stones_of_real_games_are_taken() -> None:
    """The core accepts every position of some games."""
    games = {STANDARD: "4444443333332222", WIDE: "5555555544443333"}
    for variant, moves in games.items():
        for end in range(len(moves) + 1):
            taken = stones(position_from_moves(moves[:end], variant))
            assert core.perft(sizes(variant), taken, 1)
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


TRAINING = {"seed": 0, "depth": 2, "solved": 12, "opening": 8, "random_moves": 0.1}
TRAINING |= {"trace": 0.6, "rate": 5.0, "half_rate": 6e4}


def trainer(shape: tuple[int, int, int] = (4, 2, 0), threat: int = 45, **changed: float) -> Any:
    """Return a training with changed settings."""
    settings, parameters = TRAINING | changed, parameters_of(Zugzwang(threat))
    return core.Trainer(sizes(Variant(5, 5)), [shape], parameters, **settings)


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
    with pytest.raises(ValueError, match="threat: 1048577 is not from"):
        trainer(threat=MAX_WEIGHT + 1)


@needs_training
@pytest.mark.parametrize(
    "shape", [(0, 2, 0), (4, 0, 0), (4, 2, -1), (4, 2, 2), (6, 2, 0), (4, 4, 0)]
)
def test_shapes_of_trainings_are_checked(shape: tuple[int, int, int]) -> None:
    """A shape fits on the board, and its patterns have at most 16 bits."""
    with pytest.raises(ValueError, match="no such shape of patterns"):
        trainer(shape)


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
