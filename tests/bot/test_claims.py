"""Players make no false claims about their moves: scores, proofs, lines and reasons."""

import random
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from c4_bot import native
from c4_bot.contract import Limits, is_proven
from c4_bot.player import registry
from c4_bot.reasons.info import explain_result
from c4_bot.reasons.info import info as info_of
from c4_bot.search import perfect
from c4_bot.solve.solver import Solver
from c4_bot.solve.steal import solver_of
from c4_protocol.rules.notation import position_from_moves, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from claims import Scores, false_claims, read_positions
from cores import needs_core
from effort import one_in

POSITIONS = read_positions(Path(__file__).parent / "search" / "scored_moves.txt")
PLAYERS = registry.player_specs()
NODES = (0, 1, 50, 100, 600, 3000, 20_000)
DEADLINES_MS = (0, 1, 2, 5, 11, 20, 50)

Judged = tuple[Position, Scores]


@pytest.fixture(autouse=True)
def one_solver(monkeypatch):
    """Let all searches use one solver of each kind, because a new one takes some milliseconds."""
    solvers = {}

    def shared(variant, book=None, *, native=True):
        kind = variant, book is None, native
        if kind not in solvers:
            solvers[kind] = Solver(variant, 16 if variant.bits <= 64 else 32, book, native=native)
        return solvers[kind]

    monkeypatch.setattr(perfect, "Solver", shared)


def complaints(
    name: str, positions: list[Judged], limits: list[Limits], parameters: dict[str, object]
) -> Iterator[str]:
    """Yield each false claim of a player. The positions take the limits in turns.

    The deadlines of ``limits`` are seconds from the time of the question.
    """
    player = registry.build_player(name, parameters, seed=1)
    for number, (position, scores) in enumerate(positions):
        limit = limits[number % len(limits)]
        if limit.deadline is not None:
            limit = Limits(deadline=time.monotonic() + limit.deadline)
        found = player.choose(position, limit)
        listed = player.scores(position, found, limit)
        proven = [one for one in listed if one.exact or is_proven(one.score)]
        info = info_of(position, found, proven, player.evaluator, 1.0)
        move = wire_move(position.variant, found.cell)
        for claim in false_claims(position, scores, move, info):
            yield f"{position} {limit} {move}: {claim}"


def judged(variant: Variant, count: int, plies: tuple[int, int] | None = None) -> list[Judged]:
    """Return random positions of a small board with the exact scores of all moves."""
    draw, solver, found = random.Random(4), solver_of(variant), []
    least, most = plies or (0, variant.cells - 1)
    while len(found) < count:
        position = Position(variant)
        for _ in range(draw.randint(least, most)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if not position.is_over:
            solved = dict(solver.move_scores(position))
            scores = {wire_move(variant, cell): one.low for cell, one in solved.items()}
            assert all(one.exact for one in solved.values())
            found.append((position, scores))
    return found


@needs_core
@pytest.mark.parametrize(("name", "nodes"), one_in(5, product(["perfect", "strong"], NODES)))
def test_perfect_players_say_what_is_true_at_any_number_of_nodes(name, nodes):
    """``perfect`` and ``strong`` make no false claims with any limit of nodes."""
    limits = [Limits(nodes=nodes)]
    assert not [*complaints(name, POSITIONS, limits, {})]


@needs_core
@pytest.mark.weekly  # what it tries depends on the speed of the machine
@pytest.mark.parametrize("name", ["strong", "perfect"])
def test_perfect_players_say_what_is_true_at_any_deadline(name):
    """``perfect`` and ``strong`` make no false claims with any time limit."""
    limits = [Limits(deadline=ms / 1000) for ms in DEADLINES_MS]
    assert not [*complaints(name, POSITIONS[1::2], limits, {})]
    assert not [*complaints(name, POSITIONS, limits[:3], {})]


@pytest.mark.parametrize("name", [name for name in PLAYERS if PLAYERS[name].variants != "free"])
@pytest.mark.parametrize("faithful", [False, True])
def test_all_players_say_what_is_true(name, faithful):
    """No player makes a false claim at any depth or number of nodes, or without any time."""
    if faithful and not PLAYERS[name].faithful:
        pytest.skip("it has no faults to bring back")
    limits = [Limits(depth=depth) for depth in (1, 2, 3, 5)]
    limits += [Limits(nodes=20), Limits(nodes=1000), Limits(nodes=100, depth=5)]
    limits += [Limits(deadline=-1.0)]
    parameters = {"faithful": True} if faithful else {}
    assert not [*complaints(name, POSITIONS[::2], limits, parameters)]


@pytest.mark.parametrize("name", ["perfect", "strong", "ordered", "level-9"])
def test_players_without_the_core_say_what_is_true(monkeypatch, name):
    """Players make no false claims without the core, either."""
    monkeypatch.setattr(native, "core", None)
    native.is_core_available.cache_clear()
    limits = [Limits(nodes=0), Limits(nodes=30), Limits(nodes=150), Limits(depth=2)]
    assert not [*complaints(name, POSITIONS[::6], limits, {})]
    native.is_core_available.cache_clear()


@pytest.mark.parametrize(
    ("variant", "count"),
    one_in(
        3,
        [
            (Variant(4, 4), 100),
            (Variant(4, 4, 3), 60),
            (Variant(5, 4), 100),
            (Variant(4, 4, 3, gravity=False), 12),
            (Variant(4, 3, 3, False, ("horizontal", "vertical")), 60),
            (Variant(5, 4, steal=True), 60),
            (Variant(4, 4, 3, steal=True), 60),
        ],
    ),
    ids=str,
)
def test_players_say_what_is_true_on_small_boards(variant, count):
    """No player makes a false claim on small boards, where the score of each move is known."""
    limits = [Limits(nodes=nodes) for nodes in (0, 30, 150, 1000, 5000)]
    limits += [Limits(depth=depth) for depth in (1, 2, 4)]
    positions = judged(variant, count)
    for name, spec in PLAYERS.items():
        if registry.build_player(name).plays(variant):
            assert not [*complaints(name, positions, limits, {})]
            if spec.faithful:
                assert not [*complaints(name, positions, limits, {"faithful": True})]


@needs_core
@pytest.mark.parametrize("name", ["perfect", "strong"])
def test_first_moves_with_the_steal_are_described_truly(name):
    """Claims about the steal are true where ``perfect`` does not play the longest loss."""
    limits = [Limits(nodes=nodes) for nodes in (0, 300, 3000, 30_000)]
    for variant in (Variant(5, 4, steal=True), Variant(4, 5, steal=True)):
        for limit in limits:
            assert not [*complaints(name, judged(variant, 12, (0, 1)), [limit], {})]


@needs_core
def test_score_of_the_book_is_not_a_reason_for_any_move():
    """Where the book ends it knows the score, but a blunder is not from the book."""
    position = position_from_moves("73177461444", STANDARD)
    player = registry.build_player("perfect")
    found = player.choose(position, Limits(deadline=0.0))
    assert not found.exact
    assert (
        explain_result(position, found, ()).text
        == "Column 4: a draw, but by which move is not proven."
    )


@needs_core
@pytest.mark.parametrize("plies", range(20, 42, 3))
def test_expected_moves_keep_the_score(plies):
    """If a score is exact, the expected moves keep it."""
    solver, player = Solver(STANDARD), registry.build_player("perfect", {"time_ms": None})
    for position in (position for position, _ in POSITIONS if position.ply == plies):
        found = player.choose(position, Limits())
        assert found.exact
        score, after = solver.solve_move(position, found.cell).low, position
        for cell in found.line:
            assert solver.solve_move(after, cell).low == score
            after, score = after.play(cell), -score
