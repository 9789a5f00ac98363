"""The search ``perfect``: exact if the score is proven, otherwise a good move in time."""

import random
import time
from collections.abc import Iterator

import pytest
from c4_bot import native
from c4_bot.book import default_book
from c4_bot.contract import Limits, Result, is_proven, won
from c4_bot.evaluate.sequences import Sequences
from c4_bot.player import registry
from c4_bot.player.player import Player
from c4_bot.reasons.info import explain_result
from c4_bot.search import perfect
from c4_bot.search.deepening import Deepening
from c4_bot.search.perfect import Perfect, natural_replies, needs_no_thought
from c4_bot.solve.score import Solution, last_ply
from c4_bot.solve.solver import WITHOUT_LIMITS, Solver
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from cores import needs_core


def random_positions(
    count: int, plies: int, variant: Variant = STANDARD, seed: int = 1
) -> Iterator[Position]:
    """Yield positions after ``plies`` random moves in which the game is not over."""
    draw = random.Random(seed)
    while count:
        position = Position(variant)
        while position.ply < plies and not position.is_over:
            position = position.play(draw.choice(position.moves))
        if not position.is_over:
            count -= 1
            yield position


def sign_of(solution: Solution) -> int:
    """Return 1 for a win, 0 for a draw and -1 for a loss; one of them is proven."""
    assert solution.low > 0 or solution.high < 0 or solution.exact
    return (solution.low > 0) - (solution.high < 0)


@pytest.fixture(scope="module")
def judge() -> Solver:
    """Return a solver that the player does not use."""
    return Solver(STANDARD)


def search(position: Position, limits: Limits = WITHOUT_LIMITS, seed: int = 0) -> Result:
    """Return the result of a new ``perfect`` search without a book."""
    return Perfect(Sequences(), book=False, seed=seed).search(position, limits)


def player_with_seed(seed: int) -> Player:
    """Return the player ``perfect`` without a limit of time."""
    return registry.build_player("perfect", {"time_ms": None}, seed=seed)


def slips(judge: Solver, position: Position, cell: int) -> float:
    """Return the share of natural replies after which the mover wins, by exact scores."""
    child = position.play(cell)
    if child.is_full or child.winning_cells:
        return 0
    replies = natural_replies(child)
    return sum(judge.solve_move(child, reply).low < 0 for reply in replies) / len(replies)


@needs_core
@pytest.mark.parametrize("name", ["perfect", "strong"])
@pytest.mark.parametrize(
    "limits",
    [Limits(nodes=1_000_000), Limits(nodes=150_000), Limits(threads=2)],
    ids=["1,000,000 nodes", "150,000 nodes", "no limits"],
)
def test_nothing_is_given_away(judge, name, limits):
    """After random openings, no won or drawn game is given away."""
    player = registry.build_player(name, {"time_ms": None})
    for plies in (14, 18, 24, 30):
        for position in random_positions(8, plies, seed=plies):
            found = player.choose(position, limits)
            before = sign_of(judge.solve(position))
            after = judge.solve_move(position, found.cell, wanted=(-1, 1))
            assert sign_of(after) == before


@needs_core
def test_wins_are_the_shortest_and_what_is_told_is_true(judge):
    """Without limits, the score and the line are right, and the move keeps a win or a draw."""
    for position in random_positions(40, 15):
        found, score = search(position), judge.solve(position).low
        assert found.exact
        own = judge.solve_move(position, found.cell).low
        assert own == score or score < 0
        points = won(last_ply(position, own)) * ((own > 0) - (own < 0))
        assert found.score == points
        assert found.line[0] == found.cell


@needs_core
def test_a_judge_tells_what_the_position_is_worth(judge):
    """With ``score_only``, the score is exact, and no other score is given."""
    ours = registry.build_player("perfect", {"score_only": True, "time_ms": None})
    for position in random_positions(20, 15):
        score = judge.solve(position).low
        points = won(last_ply(position, score)) * ((score > 0) - (score < 0))
        found = ours.choose(position, Limits(threads=2))
        assert (found.score, found.exact) == (points, True)
        assert not ours.scores(position, found, Limits())


@needs_core
def test_the_drawing_move_after_which_most_replies_lose_is_played(judge):
    """Among the moves that keep a draw, it has the largest share of wrong replies."""
    drawn = 0
    for position in random_positions(60, 16, seed=3):
        if needs_no_thought(position) or judge.solve(position).low != 0:
            continue
        drawn += 1
        worths = {cell: judge.solve_move(position, cell).low for cell in position.moves}
        value = {cell: slips(judge, position, cell) for cell, own in worths.items() if own == 0}
        assert value[search(position).cell] == max(value.values())
    assert drawn


@needs_core
def test_a_game_that_is_lost_in_theory_is_won_against_a_weaker_player():
    """As second from the empty board it beats ``needed``."""
    other, ours = registry.build_player("needed", {"depth": 4}), player_with_seed(1)
    position = Position(STANDARD)
    while not position.is_over:
        player = ours if position.player == 2 else other
        position = position.play(player.choose(position, WITHOUT_LIMITS).cell)
    assert position.winner == 2


@needs_core
def test_the_seed_decides_among_nearly_equal_moves_of_a_lost_position():
    """Other seeds give other moves, and the same seed gives the same move, also without time."""
    position = Position(STANDARD).play(Position(STANDARD).moves[0])
    for limits in (WITHOUT_LIMITS, Limits(deadline=0.0)):
        first, again = (
            [player_with_seed(seed).choose(position, limits).cell for seed in range(8)]
            for _ in range(2)
        )
        assert first == again
        assert len({*first}) > 1


@needs_core
@pytest.mark.parametrize("plies", [16, 22])
def test_threads_and_memory_change_nothing(plies):
    """With enough time, earlier searches and the number of threads do not change the answer."""
    used = Perfect(Sequences(), book=False)
    for position in random_positions(8, plies, seed=plies):
        cells = {used.search(position, Limits(threads=threads)).cell for threads in (1, 2, 3)}
        assert cells == {search(position).cell}


@needs_core
@pytest.mark.parametrize("nodes", [1, 1000, 50_000, 400_000])
def test_limits_of_nodes_are_kept_and_repeat_themselves(nodes):
    """The search visits at most ``nodes`` nodes, and gives the same answer after other searches.

    The number of threads changes nothing in this.
    """
    used = Perfect(Sequences(), book=False)
    for position in random_positions(5, 9):
        used.search(position, Limits(nodes=3000))
        found = used.search(position, Limits(nodes=nodes, threads=2))
        assert found.nodes <= nodes
        assert found == search(position, Limits(nodes=nodes))


@needs_core
@pytest.mark.parametrize("ms", [9_007_199_254_740_991, 1e15, 9.3e18])
def test_time_without_end_is_no_limit(ms):
    """A deadline further away than a thread can wait is no limit.

    Drivers send huge numbers if there is no limit.
    """
    position = next(random_positions(1, 30))
    until = time.monotonic() + ms / 1000
    assert search(position, Limits(deadline=until)).exact


@needs_core
def test_it_plays_where_no_thread_can_be_started(monkeypatch):
    """The search also works if no thread can be started.

    It then allocates its memory before the first answer.
    """

    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(perfect.Thread, "start", refuse)
    assert search(next(random_positions(1, 30))).exact


def test_with_a_depth_it_is_the_deepening_search():
    """A limit of depth runs only the deepening search."""
    for position in random_positions(3, 9):
        assert search(position, Limits(depth=3)) == Deepening(Sequences()).search(
            position, Limits(depth=3)
        )


class OneLine:
    """A book that knows the given scores."""

    core, variant, plies = None, STANDARD, 1

    def __init__(self, scores: dict[Position, int]) -> None:
        self.score = scores.get


@pytest.mark.parametrize("has_core", [pytest.param(True, marks=needs_core), False])
def test_the_book_is_followed_without_time(monkeypatch, has_core):
    """A position in the book needs no time: the book has the score and the move that keeps it."""
    start = Position(STANDARD)
    scores = {start.play(cell): -4 if cell == 7 else 3 for cell in start.moves}
    book = OneLine({start: 4, **scores})
    monkeypatch.setattr(perfect, "default_book", lambda: book)
    if not has_core:
        monkeypatch.setattr(native, "core", None)
    native.is_core_available.cache_clear()
    found = Perfect(Sequences()).search(start, Limits(deadline=0.0))
    assert (found.cell, found.exact) == (7, True)
    assert explain_result(start, found, ()).text == "Column 2 wins in 18 moves."
    assert not search(start, Limits(deadline=0.0)).exact
    monkeypatch.undo()
    native.is_core_available.cache_clear()


@needs_core
@pytest.mark.parametrize("ply", range(12))
def test_solver_is_prepared_when_the_book_ends(monkeypatch, ply):
    """Early moves come from the book alone, and are those that are found with a solver, too."""
    for position in random_positions(3, ply, seed=ply):
        early = Perfect(Sequences())
        found = early.search(position, Limits())
        assert bool(early._solvers) == (ply > default_book().plies - perfect.PLIES_AHEAD)
        with monkeypatch.context() as patched:
            patched.setattr(perfect, "_has_all_scores", lambda book, position: False)
            expected = Perfect(Sequences()).search(position, Limits())
        assert (found.cell, found.score, found.exact) == (expected.cell, expected.score, True)


def test_the_sentence_says_that_nothing_is_proven():
    """If no score is proven in time, the sentence says so, with the depth that was reached."""
    position = Position(Variant(9, 9))
    found = search(position, Limits(nodes=20_000))
    assert not is_proven(found.score)
    depth = f"best after {found.depth} plies, not proven."
    assert explain_result(position, found, ()).text.endswith(depth)
    vague = explain_result(position, Result(30, won(9)), ()).text
    assert vague == "Column 4 wins, but how soon is not proven."
    assert explain_result(position, Result(30), ()).text == "Column 4: no time to search."


def test_solutions_are_put_together():
    """Two solutions of a position combine to the tighter bounds and the sum of their nodes."""
    assert Solution(-3, 2, 5).narrowed(Solution(-1, 4, 6)) == Solution(-1, 2, 11)
