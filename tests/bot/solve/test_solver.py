"""The solver, compared with its reference, with published scores and with other solvers."""

import time
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from random import Random as Numbers

import pytest
from c4_bot.book import default_book
from c4_bot.contract import Limits
from c4_bot.native import halves, sizes
from c4_bot.solve.reference import ReferenceSolver
from c4_bot.solve.score import Solution, last_ply
from c4_bot.solve.solver import Solver
from c4_protocol.program.errors import IllegalMove, NotationError
from c4_protocol.rules.notation import position_from_moves, win_score
from c4_protocol.rules.position import Position, completing_cells, has_line
from c4_protocol.rules.variant import (
    DIAGONAL,
    DIRECTIONS,
    HORIZONTAL,
    STANDARD,
    VERTICAL,
    Variant,
    cells_of,
)
from effort import examples, one_in
from hypothesis import given
from hypothesis import strategies as st

core = pytest.importorskip("c4_bot._core")

WAYS = [names for count in (1, 2, 3) for names in combinations(DIRECTIONS, count)]
LARGE = [Variant(9, 8), Variant(12, 9), Variant(9, 8, 5), Variant(13, 8, 3), Variant(8, 9)]
"""Variants with boards of more than 64 bits."""
ENDLESS = Limits()
POSITIONS = Path(__file__).parent / "positions.txt"
SOON = 7
"""Number of stones from which positions of 7x6 are solved within a second."""
many = examples(300)
SOLVED_FREE = 20
"""Maximum number of free cells of a position that a test solves."""
MOVES = "4444443265"
"""A position whose moves have the scores ``MOVE_SCORES``, and need a search of some length."""
MOVE_SCORES = [-2, 1, -2, -2, -2, -4]
QUICK_LOSS = "32164625311"
"""A position in the book whose moves are not in the book, but are soon solved."""

BENCH = Path(__file__).parents[4] / "shared" / "bench"


def scored(path: Path) -> list[tuple[str, int]]:
    """Return the lines ``MOVES SCORE`` of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(moves, int(score)) for moves, score in (line.split(" ") for line in lines)]


def falling(side: int) -> st.SearchStrategy[Variant]:
    """Return variants with gravity on boards of at most ``side`` columns and rows."""
    length = st.integers(1, side)
    connect = st.integers(2, 6)
    return st.builds(Variant, length, length, connect, st.just(True), st.sampled_from(WAYS))


@st.composite
def end_games(draw: st.DrawFn, games: st.SearchStrategy[Variant]) -> Position:
    """Draw a position after random moves that do not end the game, with few free cells."""
    position = Position(draw(games), player=draw(st.sampled_from((1, 2))))
    numbers = Numbers(draw(st.integers(0, 1 << 32)))
    free = draw(st.integers(1, 12))
    while position.variant.cells - position.ply > free:
        after = [position.play(cell) for cell in position.moves]
        after = [child for child in after if not child.is_over]
        if not after:
            break
        position = numbers.choice(after)
    return position


positions = end_games(st.one_of(st.just(STANDARD), falling(6), st.sampled_from(LARGE)))


@lru_cache(maxsize=8)
def solver(variant: Variant) -> Solver:
    """Return a solver with the minimum of memory (16 MiB). Recent solvers are reused."""
    return Solver(variant, 1)


def truth(position: Position) -> int:
    """Return the score that the reference finds."""
    cells = position.variant.cells
    return ReferenceSolver().solve(position, -cells, cells, ENDLESS).low


def settles(solution: Solution, score: int, low: int, high: int) -> bool:
    """Return whether a solution contains a score, and settles it from ``low`` to ``high``."""
    contains = solution.low <= score <= solution.high
    return contains and (solution.exact or solution.low >= high or solution.high <= low)


def test_the_core_solves() -> None:
    """The core is used. Otherwise the tests below would compare the reference with itself."""
    assert all(Solver(variant).is_native for variant in [STANDARD, *LARGE])
    assert not Solver(Variant(gravity=False)).is_native


@many
@given(positions)
def test_exact_scores_are_those_of_the_reference(position: Position) -> None:
    """The solver agrees with the reference on boards of up to 128 bits, with all kinds of lines."""
    solution = solver(position.variant).solve(position)
    assert solution.exact
    assert solution.low == truth(position)


@many
@given(positions, st.integers(-20, 19), st.integers(1, 20))
def test_what_is_wanted_is_settled(position: Position, low: int, width: int) -> None:
    """Core and reference settle whether the score is below, inside or above a window."""
    score, wanted = truth(position), (low, low + width)
    assert settles(solver(position.variant).solve(position, wanted=wanted), score, *wanted)
    assert settles(ReferenceSolver().solve(position, *wanted, ENDLESS), score, *wanted)


@many
@given(positions, st.integers(0, 60))
def test_limited_nodes_give_bounds_around_the_score(position: Position, nodes: int) -> None:
    """With limited nodes, the bounds contain the score, and no more nodes are visited."""
    score, limits = truth(position), Limits(nodes=nodes)
    cells = position.variant.cells
    for solution in (
        Solver(position.variant, 1).solve(position, limits),
        ReferenceSolver().solve(position, -cells, cells, limits),
    ):
        assert solution.low <= score <= solution.high
        assert solution.nodes <= nodes


def test_a_deadline_ends_a_long_search() -> None:
    """The empty board is not solved in a hundredth of a second, but the bounds hold."""
    solution = Solver(STANDARD).solve(Position(), Limits(deadline=time.monotonic() + 0.01))
    assert not solution.exact
    assert solution.low <= 1 <= solution.high


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_threads_agree_where_they_have_much_to_do(threads: int) -> None:
    """All numbers of threads find the known scores of openings that keep the threads busy."""
    openings = {"4444443265": 1, "335662333565": -2, "2416615552": 4}
    one = Solver(STANDARD)
    for moves, score in openings.items():
        position = position_from_moves(moves, STANDARD)
        solution = one.solve(position, Limits(threads=threads))
        assert (solution.low, solution.high) == (score, score)


@many
@given(positions, st.none() | st.integers(-6, 6), st.integers(1, 6), st.integers(1, 3))
def test_all_moves_together_have_the_scores_of_each_alone(
    position: Position, low: int | None, width: int, threads: int
) -> None:
    """Scores are exact or shown to be outside what is wanted, for any number of threads.

    The best of them is the score of the position, and that of its mirror image.
    """
    one = solver(position.variant)
    alone = {cell: one.solve_move(position, cell).low for cell in position.moves}
    assert max(alone.values()) == one.solve(position).low == one.solve(position.mirrored()).low
    one.forget()
    wanted = None if low is None else (low, low + width)
    together = dict(one.move_scores(position, Limits(threads=threads), wanted))
    assert [*together] == position.moves
    for cell, found in together.items():
        assert settles(found, alone[cell], *(wanted or (alone[cell], alone[cell])))
        assert found.exact or wanted
        if wanted:
            assert settles(one.solve_move(position, cell, wanted=wanted), alone[cell], *wanted)


@many
@given(positions, st.integers(0, 2000), st.integers(1, 3))
def test_bounds_of_all_moves_are_right_when_the_nodes_are_spent(
    position: Position, nodes: int, threads: int
) -> None:
    """All moves together visit no more nodes than allowed, and no bound excludes the score."""
    one = solver(position.variant)
    alone = {cell: one.solve_move(position, cell).low for cell in position.moves}
    one.forget()
    together = dict(one.move_scores(position, Limits(nodes=nodes, threads=threads)))
    assert sum(found.nodes for found in together.values()) <= nodes
    assert all(found.low <= alone[cell] <= found.high for cell, found in together.items())


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.003, 0.01, 0.05])
@pytest.mark.parametrize("threads", [1, 2])
def test_bounds_of_all_moves_are_right_when_the_time_is_over(seconds: float, threads: int) -> None:
    """Whenever a search stops, the score of every move is within its bounds."""
    one = Solver(STANDARD, book=default_book())
    chance = Numbers(5)
    for _ in range(20):
        position = Position(STANDARD)
        while position.ply < 16 and not position.is_over:
            position = position.play(chance.choice(position.moves))
        if position.is_over:
            continue
        one.forget()
        limits = Limits(deadline=time.monotonic() + seconds, threads=threads)
        together = dict(one.move_scores(position, limits))
        for cell in position.moves:
            found = together[cell]
            assert found.low <= one.solve_move(position, cell).low <= found.high


def test_no_move_is_worth_more_than_the_book_says() -> None:
    """The score of a position bounds its moves: they have this bound without any search."""
    book = default_book()
    position = position_from_moves("32164625311", STANDARD)
    assert book is not None
    score = book.score(position)
    assert score is not None
    bounds = dict(Solver(STANDARD, book=book).move_scores(position, Limits(nodes=0)))
    assert max(found.high for found in bounds.values()) == score


def test_moves_in_the_book_need_no_search() -> None:
    """The moves of the empty board have the scores of the book."""
    position = Position(STANDARD)
    found = dict(Solver(STANDARD, book=default_book()).move_scores(position, Limits(nodes=0)))
    scores = [found[cell] for cell in position.moves]
    assert scores == [Solution(score, score) for score in (1, 0, 0, -1, -1, -2, -2)]


def test_a_move_that_reaches_the_score_of_the_book_is_not_searched_further() -> None:
    """The score of the book is the upper end of what is wanted."""
    one, position = Solver(STANDARD, book=default_book()), position_from_moves(QUICK_LOSS, STANDARD)
    free = dict(one.move_scores(position))
    one.forget()
    score = max(found.low for found in free.values())
    assert dict(one.move_scores(position, wanted=(-99, score))) == free


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_all_moves_of_an_opening_are_scored(threads: int) -> None:
    """Moves that one thread does not finish by itself are finished by all threads together."""
    one, position = Solver(STANDARD), position_from_moves(MOVES, STANDARD)
    for _ in range(3):
        one.forget()
        found = dict(one.move_scores(position, Limits(threads=threads)))
        assert [found[cell].low for cell in position.moves] == MOVE_SCORES
        assert all(solution.exact for solution in found.values())


def test_with_a_limit_of_nodes_more_threads_change_nothing() -> None:
    """A limited search has one thread, so it can be repeated, and keeps its limit."""
    one, found = Solver(STANDARD), []
    for threads in (1, 3):
        one.forget()
        limits = Limits(nodes=5000, threads=threads)
        found.append(dict(one.move_scores(Position(STANDARD), limits)))
    assert found[0] == found[1]
    assert sum(solution.nodes for solution in found[1].values()) == 5000


def test_no_move_waits_for_hard_ones() -> None:
    """Every move is searched for a short time before the first hard one takes all nodes."""
    found = Solver(STANDARD).move_scores(
        position_from_moves(MOVES, STANDARD), Limits(nodes=140_000)
    )
    assert all(solution.nodes >= 20_000 for _, solution in found)


def test_what_is_forgotten_has_to_be_found_again() -> None:
    """A position takes fewer nodes the second time, but after ``forget`` as many as at first."""
    one, position = Solver(STANDARD), position_from_moves("335662333565", STANDARD)
    first, again = one.solve(position), one.solve(position)
    one.forget()
    afresh = one.solve(position)
    assert again.nodes < first.nodes == afresh.nodes
    assert again.low == first.low == afresh.low == -2


@many
@given(positions)
def test_last_ply_is_when_the_game_ends(position: Position) -> None:
    """If both players play their best moves, the game ends at the ply of ``last_ply``."""
    one = solver(position.variant)
    expected = last_ply(position, one.solve(position).low)
    while not position.is_over:
        moves = [(solution.low, cell) for cell, solution in one.move_scores(position)]
        position = position.play(max(moves)[1])
    assert position.ply == expected if position.winner else expected == position.variant.cells


class Judge:
    """The exact scores of all reachable positions of a small board.

    ``scores`` maps the stones of the player to move and those of the opponent to the score.
    """

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._playable = cache(lambda stones: Position(variant, (stones, 0)).playable)
        self._lines = cache(lambda stones: has_line(stones, variant))
        self._completing = cache(lambda stones: completing_cells(stones, variant))
        self.scores: dict[tuple[int, int], int] = {}
        self._score(0, 0)

    def _score(self, own: int, other: int) -> int:
        if (own, other) not in self.scores:
            ply = (own | other).bit_count()
            if self._lines(other):
                return -win_score(self._variant, ply)
            moves = cells_of(self._playable(own | other))
            scores = [-self._score(other, own | 1 << cell) for cell in moves]
            self.scores[own, other] = max(scores, default=0)
        return self.scores[own, other]

    def quiet(self) -> list[tuple[int, int]]:
        """Return the positions in which the game is not over and neither player can win at once."""
        return [
            (own, other)
            for own, other in self.scores
            if (playable := self._playable(own | other))
            and not (self._completing(own) | self._completing(other)) & playable
        ]


SMALL = [
    Variant(4, 4, 4),
    Variant(4, 4, 3),
    Variant(4, 4, 3, directions=(HORIZONTAL, DIAGONAL)),
    Variant(3, 4, 4),
    Variant(4, 2),
    Variant(5, 4, 3),
    Variant(6, 2, 4),
    Variant(2, 8, 5),
    Variant(4, 5, 3),
    Variant(3, 5, 4),
    Variant(5, 3, 4),
    Variant(6, 3, 3),
    Variant(2, 7, 5),
    *(Variant(3, 4, 3, directions=ways) for ways in WAYS),
    *(Variant(3, 5, 3, directions=ways) for ways in WAYS),
    *(Variant(2, 6, 3, directions=ways) for ways in WAYS),
    *(Variant(6, 2, 3, directions=ways) for ways in WAYS if ways != (VERTICAL,)),
]


@pytest.mark.parametrize("variant", one_in(4, SMALL), ids=str)
def test_bounds_by_following_up_are_true(variant: Variant) -> None:
    """On all quiet positions, the score is inside the bounds.

    ``tests/bench/whole_boards.py`` checks this on larger boards.
    """
    judge, following = Judge(variant), core.Solver(sizes(variant), 1).follow_up_bounds
    bounds = {stones: following((halves(stones[0]), halves(stones[1]))) for stones in judge.quiet()}
    assert all(low <= judge.scores[stones] <= high for stones, (low, high) in bounds.items())
    assert bounds
    if variant in {Variant(4, 4, 3), Variant(4, 4), Variant(5, 3)}:  # the bounds say something
        lows, highs = {low for low, _ in bounds.values()}, {high for _, high in bounds.values()}
        assert 0 in highs
        assert min(highs) < 0
        assert 0 in lows
        assert max(lows) > 0
        assert (0, 0) in bounds.values()


def test_our_own_positions_are_met() -> None:
    """The solver finds the scores that BitBully confirmed, for all plies.

    ``make_positions.py`` made the file. The first plies would take minutes, so a limited search
    checks only the bounds of their scores.
    """
    one, plies = Solver(STANDARD), set()
    for moves, score in scored(POSITIONS):
        plies.add(len(moves))
        limits = ENDLESS if len(moves) >= SOON else Limits(nodes=50_000)
        solution = one.solve(position_from_moves(moves, STANDARD), limits)
        assert solution.low <= score <= solution.high, moves
        assert solution.exact or len(moves) < SOON
    assert plies == set(range(42))


@pytest.mark.parametrize(
    ("variant", "score"), [(Variant(6, 5), 0), (Variant(7, 5), 0), (Variant(6, 6), -1)], ids=str
)
def test_whole_boards_are_solved(variant: Variant, score: int) -> None:
    """Whole boards have the scores that Tromp published.

    The benchmark whole_boards has more of them.
    """
    solution = Solver(variant).solve(Position(variant))
    assert (solution.low, solution.high) == (score, score)


def test_a_reference_solver_keeps_variants_apart() -> None:
    """One solver finds the right scores in several variants."""
    boards = [Variant(4, 4, 3), Variant(4, 4, 4), Variant(4, 4, 3, gravity=False)]
    shared, no_limits = ReferenceSolver(), Limits()
    for variant in boards + boards[::-1]:
        start = Position(variant)
        for cell in start.moves[:2]:
            position = start.play(cell)
            alone = ReferenceSolver().solve(position, -99, 99, no_limits)
            found = shared.solve(position, -99, 99, no_limits)
            assert (found.low, found.high) == (alone.low, alone.high), variant


@many
@given(position=end_games(falling(6)), text=st.text("123456abs4", max_size=30))
def test_moves_are_solved_as_their_position(position, text):
    """The core solves a move string exactly if Python can play it, and finds the same score."""
    variant = position.variant
    solver = Solver(variant)
    try:
        after = position_from_moves(text, variant)
        free = variant.cells - after.ply
        is_open = not after.is_over
    except (IllegalMove, NotationError):
        assert solver.solve_moves(text.encode()) is None
        return
    if not is_open:
        assert solver.solve_moves(text.encode()) is None
    elif free <= SOLVED_FREE:
        found = solver.solve_moves(text.encode())
        assert found
        assert found[0].low == found[0].high == solver.solve(after).low


@pytest.mark.parametrize("text", [b"\0", b"4\xff", b"0", b"12345678", "\u0664".encode()], ids=repr)
def test_odd_bytes_are_no_moves(text):
    """Bytes that name no column are not played."""
    assert Solver(STANDARD).solve_moves(text) is None


@pytest.mark.parametrize("variant", [Variant(4, 4, 3), Variant(6, 5)], ids=str)
def test_book_of_another_board_is_not_used(variant):
    """The book of 7x6 says nothing about positions of other boards, whose bits may look alike."""
    with_book, without = Solver(variant, 16, default_book()), Solver(variant, 16)
    for cell in Position(variant).moves:
        position = Position(variant).play(cell)
        found = dict(with_book.move_scores(position, Limits(nodes=0)))
        assert found == dict(without.move_scores(position, Limits(nodes=0)))


def test_the_book_answers_moves():
    """A move string in the book is answered without a search, with the score of the book."""
    solver = Solver(STANDARD, book=default_book())
    solution, ns = solver.solve_moves(b"4453")
    assert solution == Solution(-2, -2, 0)
    assert ns >= 0


@pytest.mark.parametrize(
    ("name", "count"),
    [("Test_L3_R1", 1000), ("Test_L2_R1", 1000), ("Test_L1_R1", 1000), ("Test_L1_R2", 60)],
)
def test_published_scores_are_met(name: str, count: int) -> None:
    """The solver finds the scores of Pascal Pons's test sets."""
    if not BENCH.exists():
        pytest.skip(f"no published positions in {BENCH}")
    one = Solver(STANDARD)
    for moves, score in scored(BENCH / name)[:count]:
        assert one.solve(position_from_moves(moves, STANDARD)).low == score, moves
