"""Verdicts and proofs of games without gravity, compared with reference and rules."""

import json
import random
import runpy
import time
from pathlib import Path

import pytest
from c4_bot import native
from c4_bot.contract import Limits
from c4_bot.solve.line.proof import Proof, board_symmetries, moves_along_line
from c4_bot.solve.line.solver import LineSolver, Step, is_native
from c4_bot.solve.line.verdict import Verdict, find_verdict
from c4_bot.solve.reference import ReferenceSolver
from c4_protocol.rules.notation import moves_text, position_from_moves
from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import DIRECTIONS, LINE8, STANDARD, Variant, cells_of
from effort import examples, sampled
from hypothesis import given
from hypothesis import strategies as st
from random_play import random_position

if native.core is None:
    pytest.skip("the native core is missing", allow_module_level=True)

CHECKER = runpy.run_path(str(Path(__file__).parents[3] / "bench" / "line_checker.py"))
CROSS = ("horizontal", "vertical")
NO_LIMITS = Limits()


def free(width: int, height: int, connect: int, directions: tuple[str, ...] = CROSS) -> Variant:
    """Return a variant without gravity."""
    return Variant(width, height, connect, False, directions)


def proof_of(solver: LineSolver, position: Position, known: Verdict) -> Proof:
    """Return the proof of a known win or loss."""
    wins = known.sign == 1
    steps = solver.proof(position, wins, known.moves, known.plain, NO_LIMITS)
    assert steps is not None
    return Proof(position, wins, steps)


def checked(proof: Proof, moves: str) -> int:
    """Return the maximum number of stones that the winner needs, found by the checker."""
    head, *steps = map(json.loads, proof.document(moves))
    return CHECKER["check"](head, steps)[0]


variants = st.builds(
    free,
    st.integers(2, 5),
    st.integers(2, 4),
    st.integers(2, 4),
    st.sets(st.sampled_from(DIRECTIONS), min_size=1).map(tuple),
)


@examples(150)
@given(variants, st.integers(0, 9), st.randoms(use_true_random=False))
def test_verdicts_are_those_of_the_plain_solver(variant, plies, draw):
    """Verdicts agree with the reference solver on boards that it can search to the end."""
    plies = max(plies, variant.cells - 12)
    position, _ = random_position(variant, plies, draw)
    known = find_verdict(LineSolver(variant, 1), position, NO_LIMITS)
    score = ReferenceSolver().solve(position, -variant.cells, variant.cells, NO_LIMITS).low
    assert known.exact
    assert (known.sign, known.score(position)) == ((score > 0) - (score < 0), score)


@examples(60)
@given(
    st.builds(
        free,
        st.integers(4, 6),
        st.integers(4, 6),
        st.integers(3, 5),
        st.sampled_from([CROSS, DIRECTIONS, ("diagonal",), ("horizontal",)]),
    ),
    st.integers(0, 14),
    st.randoms(use_true_random=False),
)
def test_proofs_hold(variant, plies, draw):
    """A proof holds against every reply, within its number of stones, and its line is a win."""
    position, cells = random_position(variant, plies, draw)
    solver = LineSolver(variant, 1)
    known = find_verdict(solver, position, Limits(nodes=50_000))
    if not known.sign:
        return
    proof = proof_of(solver, position, known)
    assert proof.most <= known.moves
    assert checked(proof, moves_text(variant, cells)) <= proof.most
    for cell in proof.line():
        assert position.playable >> cell & 1
        position = position.play(cell)
    assert position.is_won


@pytest.mark.parametrize(
    ("variant", "moves"),
    sampled(
        [
            (LINE8, 7),
            (free(7, 7, 4), 7),
            (free(9, 9, 4), 7),
            (free(6, 6, 4, DIRECTIONS), None),
            (free(7, 7, 4, DIRECTIONS), None),
        ],
        [(LINE8, 7), (free(6, 6, 4, DIRECTIONS), None)],
    ),
    ids=str,
)
def test_first_player_wins_from_the_empty_board(variant, moves):
    """The first player wins on 8x8 with rows and columns, and on some other boards."""
    solver = LineSolver(variant)
    known = find_verdict(solver, Position(variant), NO_LIMITS, shorten=2_000_000)
    assert known.sign == 1
    assert moves in {None, known.moves}
    assert checked(proof_of(solver, Position(variant), known), "") == known.moves


def test_seven_stones_are_needed():
    """In line8, the first player wins with seven stones, and a complete search finds no fewer."""
    known = find_verdict(LineSolver(LINE8), Position(LINE8), NO_LIMITS)
    assert (known.sign, known.moves, known.exact) == (1, 7, True)


def test_checker_finds_every_hole():
    """The checker refuses a proof that lacks a step, has a cut line, or claims too few stones."""
    position = position_from_moves("d4 d5", LINE8)
    solver = LineSolver(LINE8)
    proof = proof_of(solver, position, find_verdict(solver, position, NO_LIMITS, weak=True))
    head, *steps = map(json.loads, proof.document("d4d5"))
    check, wrong = CHECKER["check"], CHECKER["WrongProofError"]
    check(head, steps)
    for place, step in enumerate(steps):
        others = steps[:place], steps[place + 1 :]
        broken = [[]] if place else []
        broken += [[step | {"lines": step["lines"][:-1]}]] if step["lines"] else []
        broken += [[step | {"most": step["most"] - 1}]]
        for one in broken:
            with pytest.raises(wrong):
                check(head, [*others[0], *one, *others[1]])
    with pytest.raises(wrong):
        check(head | {"most": head["most"] - 1}, steps)
    with pytest.raises(wrong):
        check(head | {"outcome": "loss"}, steps)


@pytest.mark.parametrize("nodes", [0, 1, 1000, 100_000])
def test_limits_of_nodes_are_kept_and_repeat_themselves(nodes):
    """The solver visits at most ``nodes`` nodes, and finds the same verdict again."""
    for moves in ("", "d4", "d4 d5 c4 e4"):
        position = position_from_moves(moves, LINE8)
        found = [find_verdict(LineSolver(LINE8), position, Limits(nodes=nodes)) for _ in range(2)]
        assert found[0] == found[1]
        assert found[0].nodes <= nodes


@pytest.mark.parametrize("variant", [free(6, 6, 4), free(11, 11, 5, DIRECTIONS)], ids=str)
def test_deadlines_are_kept(variant):
    """A search that would take days ends at its deadline, without a verdict."""
    limits = Limits(deadline=time.monotonic() + 0.1)
    assert find_verdict(LineSolver(variant), Position(variant), limits).sign is None


def test_nothing_is_lost_by_remembering():
    """A solver finds the same verdicts after other positions, and after ``forget``."""
    used = LineSolver(LINE8)
    draw = random.Random(1)
    for plies in (4, 6, 8, 10, 12):
        position, _ = random_position(LINE8, plies, draw)
        limits = Limits(nodes=3_000_000)
        fresh, found = (find_verdict(one, position, limits) for one in (LineSolver(LINE8), used))
        if fresh.exact and found.exact:
            assert (fresh.sign, fresh.moves) == (found.sign, found.moves)
    used.forget()
    assert find_verdict(used, Position(LINE8), NO_LIMITS, weak=True) == find_verdict(
        LineSolver(LINE8), Position(LINE8), NO_LIMITS, weak=True
    )


def test_variants_that_the_core_does_not_hold():
    """The core refuses variants with gravity, and boards of more than 128 cells."""
    assert is_native(free(16, 8, 4))
    assert not is_native(free(43, 3, 3))
    assert not is_native(STANDARD)
    for variant in (free(43, 3, 3), STANDARD):
        with pytest.raises(ValueError, match=r"128 cells|must not fall"):
            LineSolver(variant)


def test_boards_of_128_cells_are_whole():
    """On a board of 128 cells, a win with the highest cells is found."""
    variant = free(16, 8, 3)
    corner = [variant.cell(15, y) for y in (7, 6)]
    far = [variant.cell(0, y) for y in (0, 2)]
    stones = sum(1 << cell for cell in corner), sum(1 << cell for cell in far)
    found = find_verdict(LineSolver(variant), Position(variant, stones), NO_LIMITS)
    assert (found.sign, found.moves, found.cell) == (1, 1, variant.cell(15, 5))


@pytest.mark.parametrize(("variant", "count"), [(LINE8, 8), (free(5, 4, 3), 4)], ids=str)
def test_images_are_symmetries(variant, count):
    """All images of a board are different, and map lines to lines."""
    found = board_symmetries(variant)
    assert len({tuple(sorted(image.items())) for image in found}) == count
    lines = {frozenset(cells_of(line)) for line in variant.lines}
    for image in found:
        assert {frozenset(map(image.get, line)) for line in lines} == lines


def test_turned_boards_are_others_where_lines_do_not_turn():
    """With rows only, a board is not equal to the board turned by 90 degrees.

    An opponent's stone beside an own stone prevents a win. A stone above it does not.
    """
    variant = free(4, 4, 3, ("horizontal",))
    solver, own = LineSolver(variant), 1 << variant.cell(1, 1)
    above, beside = (1 << variant.cell(*cell) for cell in ((1, 2), (2, 1)))
    assert solver.wins(Position(variant, (own, above)), 2, 0, NO_LIMITS).holds
    assert not solver.wins(Position(variant, (own, beside)), 2, 0, NO_LIMITS).holds


def test_a_line_wins_or_not():
    """A line wins only if each of its stones forces the next reply."""
    position = position_from_moves("d4 h8 d5 h6 a1 a8", LINE8)
    names = {name: cell for cell in position.moves for name in [moves_text(LINE8, [cell])]}
    assert [moves_text(LINE8, moves_along_line(position, [names["d6"]]))] == ["d6 d3 d7"]
    assert moves_along_line(position, [names["d3"], names["d6"], names["c3"]]) is None
    assert moves_along_line(position, [names["h7"]]) is None
    blocked = position.play(names["e1"]).play(names["d6"])
    assert moves_along_line(blocked, [names["d3"]]) is None


def test_steps_are_found_by_their_images():
    """A proof finds the step of a position for all images of the position."""
    position = position_from_moves("d4 c2", LINE8)
    step = Step(position, position.moves[0], 6, ((position.moves[1],),))
    proof = Proof(position, True, [step])
    seen = set()
    for image in board_symmetries(LINE8):
        own, other = (
            sum(1 << image[cell] for cell in cells_of(board))
            for board in (position.own, position.other)
        )
        found = proof.step(own, other)
        assert found is not None
        assert (found.cell, found.lines) == (image[step.cell], ((image[position.moves[1]],),))
        seen.add(found.position)
    assert len(seen) == 8
    assert proof.step(position.other, position.own) is None
    assert completing_cells(position.own, LINE8) == 0
