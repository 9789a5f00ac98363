"""The native twins: they find the same moves as Python, with the same nodes."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random as Numbers

import pytest
from c4_bot import native
from c4_bot.contract import Limits, Search
from c4_bot.evaluate.blocker import Blocker
from c4_bot.evaluate.needed import Needed
from c4_bot.evaluate.network import WEIGHTS_FOLDER, Network
from c4_bot.evaluate.sequences import Sequences
from c4_bot.evaluate.windows import Windows
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.native import Stones, Twin, halves, native_twin, sizes, stones
from c4_bot.reasons import explanation
from c4_bot.reasons.explanation import find_reason
from c4_bot.reasons.kinds import VALUES, Move, reason_of
from c4_bot.search.deepening import Deepening
from c4_bot.search.human import Human
from c4_bot.search.last_iteration import LastIteration
from c4_bot.search.minimax import Minimax
from c4_bot.search.negamax import Negamax
from c4_bot.search.ordered import Ordered
from c4_bot.search.random import Random
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, DIRECTIONS, LINE8, MAX_SIDE, STANDARD, Variant
from effort import examples, one_in, pairs
from hypothesis import given
from hypothesis import strategies as st
from random_play import random_position

core = pytest.importorskip("c4_bot._core")

SEARCHES: dict[str, Callable[..., Search]] = {
    "negamax": Negamax,
    "minimax": Minimax,
    "deepening": Deepening,
    "human": lambda evaluator, **options: Human(evaluator, seed=7, **options),
    "last_iteration": LastIteration,
    "ordered": lambda _, **options: Ordered(threshold=3, **options),  # has no evaluator
}
FAULTS: dict[str, tuple[dict[str, int], ...]] = {
    "negamax": ({}, {"sooner_wins": False}),
    "minimax": ({}, {"sooner_wins": False}, {"ends_at_wins": False}),
    "deepening": ({}, {"reduces": True}),
    "human": ({}, {"overlooks_now": 500}, {"overlooks_later": 500}, {"noise": 9}, {"nodes": 40}),
    "last_iteration": (
        {},
        {"sorts_for_mover": False},
        {"sees_threats": False},
        {"transpositions": False},
        {"reduces": True},
        {"fours": 2},
        {"reduces": True, "fours": 5},
        {"sorts_for_mover": False, "sees_threats": False, "transpositions": False},
    ),
    "ordered": ({}, {"deepens": False}, {"judges_full_boards": False}, {"looks_ahead": False}),
}
WAYS_TO_SEARCH = [
    pytest.param(name, options, id="-".join([name, *options]))
    for name, ways in FAULTS.items()
    for options in ways
]
Judge = Blocker | Needed | Network | Sequences | Windows | Zugzwang
EVALUATORS: dict[str, type[Judge]] = {
    "blocker": Blocker,
    "needed": Needed,
    "network": Network,
    "sequences": Sequences,
    "windows": Windows,
    "zugzwang": Zugzwang,
}
WAYS = [names for count in (1, 2, 3) for names in combinations(DIRECTIONS, count)]
LEARNED = [Variant.parse(path.stem) for path in WEIGHTS_FOLDER.glob("*.network")]
"""Variants with learned weights."""
LARGE = [Variant(12, 9), Variant(9, 12, 5, gravity=False), LINE8]
EDGES = [Variant(8, 7), Variant(16, 7), Variant(1, MAX_SIDE), Variant(MAX_SIDE, 1, 3)]
"""Variants with the longest boards that fit in 64 and 128 bits, the highest and the widest."""


def variants(side: int) -> st.SearchStrategy[Variant]:
    """Return variants of all kinds, on boards of at most ``side`` columns and rows."""
    length = st.integers(1, side)
    connect = st.integers(2, 5)
    return st.builds(Variant, length, length, connect, st.booleans(), st.sampled_from(WAYS))


@st.composite
def positions(draw: st.DrawFn, games: st.SearchStrategy[Variant]) -> Position:
    """Draw a position after legal moves that do not end the game."""
    variant, numbers = draw(games), Numbers(draw(st.integers(0, 1 << 32)))
    return random_position(variant, draw(st.integers(0, variant.cells)), numbers)[0]


weight = st.integers(-9, 60)
weights = st.lists(weight, max_size=5).map(tuple)
JUDGES: dict[str, st.SearchStrategy[Judge]] = {
    "blocker": st.builds(Blocker, weight, weight, weight, weight, weight, st.booleans()),
    "needed": st.builds(Needed, weights),
    "network": st.builds(Network, weight, st.integers(-9, 2000), weight, weights),
    "sequences": st.builds(Sequences, weights),
    "windows": st.builds(Windows, weights),
    "zugzwang": st.builds(Zugzwang, weight, st.integers(-9, 2000), weight, weights),
}
evaluators = st.one_of(JUDGES.values())
some_positions = positions(
    st.one_of(st.just(STANDARD), st.sampled_from(LARGE + EDGES + LEARNED), variants(9))
)
small_positions = positions(variants(4))
depths = st.one_of(st.none(), st.integers(0, 5))
many = examples(300)


def make(
    name: str, evaluator: Judge, options: Mapping[str, int] | None = None
) -> tuple[Twin, Search]:
    """Return a native search and its Python twin."""
    goes_on = {"ends_at_wins", "sees_threats"} & set(options or {})
    if goes_on and not isinstance(evaluator, Blocker | Windows):
        evaluator = Windows()  # an evaluator that also evaluates finished games
    search = SEARCHES[name](evaluator, **(options or {}))
    found = native_twin(name, search)
    assert isinstance(found, Twin)
    return found, search


@many
@given(st.data(), some_positions, evaluators)
def test_a_search_among_some_moves_has_the_same_twin(data, position, evaluator):
    """With some of the moves to try, the twins agree, and choose one of these moves."""
    if position.is_over:
        return
    cells = data.draw(st.sets(st.sampled_from(position.moves), min_size=1))
    among, limits = sum(1 << cell for cell in cells), Limits(nodes=data.draw(st.integers(0, 300)))
    found, search = make("last_iteration", evaluator)
    result = found.search(position, limits, among)
    assert result == search.search(position, limits, among)
    assert result.cell in cells


@pytest.mark.parametrize(
    ("name", "among", "message"),
    [
        ("last_iteration", 0, "not legal"),
        ("last_iteration", 1 << 8, "not legal"),
        ("deepening", 1, "all moves"),
    ],
)
def test_wrong_moves_to_try_are_refused(name, among, message):
    """No moves, a move that is not legal, and a search that tries all moves are refused."""
    found, _ = make(name, Sequences())
    with pytest.raises(ValueError, match=message):
        found.search(Position(LINE8), Limits(nodes=10), among)


@pytest.mark.parametrize("name", EVALUATORS)
@given(st.data(), some_positions, st.sampled_from((1, 2)))
@many
def test_evaluations_are_equal(
    name: str, data: st.DataObject, position: Position, player: int
) -> None:
    """Core and Python evaluate a position equally, for both players."""
    evaluator = data.draw(JUDGES[name])
    fast, _ = make("negamax", evaluator)
    native.give_network(position.variant)
    seen, moves = stones(replace(position, player=player)), player == position.player
    found = core.evaluate(fast.spec, sizes(position.variant), seen, moves)
    assert found == evaluator.evaluate(position, player)


@pytest.mark.parametrize("name", EVALUATORS)
@given(st.data(), st.sampled_from([STANDARD, LINE8, Variant(9, 7, 3), Variant(12, 9)]))
@many
def test_evaluations_after_a_win_are_equal(
    name: str, data: st.DataObject, variant: Variant
) -> None:
    """They are also equal if lines are complete: faulty searches evaluate games that are over."""
    evaluator = data.draw(JUDGES[name])
    fast, _ = make("negamax", evaluator)
    rows = data.draw(st.integers(1, variant.height - 1))
    taken = sum(column & (column >> variant.height - rows) for column in variant.columns)
    own = data.draw(st.integers(0, variant.board)) & taken
    position = Position(variant, (own, taken & ~own))
    native.give_network(variant)
    found = core.evaluate(fast.spec, sizes(variant), stones(position), moves=True)
    assert found == evaluator.evaluate(position, 1)


@pytest.mark.parametrize(("name", "options"), WAYS_TO_SEARCH)
@given(some_positions, evaluators, depths, st.integers(0, 99))
@many
def test_searches_cut_short_are_equal(
    name: str,
    options: dict[str, int],
    position: Position,
    evaluator: Judge,
    depth: int | None,
    nodes: int,
) -> None:
    """Core and Python stop at the same node if the nodes are limited, on boards of every size."""
    fast, slow = make(name, evaluator, options)
    limits = Limits(depth, nodes)
    assert fast.search(position, limits) == slow.search(position, limits)


@pytest.mark.parametrize(("name", "options"), WAYS_TO_SEARCH)
@given(small_positions, evaluators, st.integers(1, 3))
@many
def test_searches_to_a_depth_are_equal(
    name: str, options: dict[str, int], position: Position, evaluator: Judge, depth: int
) -> None:
    """Core and Python visit the same tree if only the depth is limited."""
    fast, slow = make(name, evaluator, options)
    assert fast.search(position, Limits(depth)) == slow.search(position, Limits(depth))


@pytest.mark.parametrize(("name", "evaluation"), pairs([*SEARCHES], [*EVALUATORS]))
@pytest.mark.parametrize("variant", one_in(2, [Variant(9, 7, 5), STANDARD]), ids=str)
def test_games_are_equal(name: str, evaluation: str, variant: Variant) -> None:
    """Core and Python play the same game to its end."""
    fast, slow = make(name, EVALUATORS[evaluation]())
    position, limits = Position(variant), Limits(nodes=150)
    while not position.is_over:
        found = fast.search(position, limits)
        assert found == slow.search(position, limits)
        position = position.play(found.cell)


@pytest.mark.parametrize(
    ("variant", "depth"), [(Variant(12, 9), 5), (Variant(7, 6, gravity=False), 4)], ids=str
)
def test_full_tables_are_equal(variant: Variant, depth: int) -> None:
    """Core and Python replace the same positions when a table slot is used twice."""
    fast, slow = make("deepening", Sequences())
    limits = Limits(depth)
    assert fast.search(Position(variant), limits) == slow.search(Position(variant), limits)


shares, factors = st.integers(0, 2000), st.integers(0, 100)
TUNED: dict[str, st.SearchStrategy[Search]] = {
    "deepening": st.just(Deepening(Zugzwang(), reduces=True)),
    "human": st.builds(Human, evaluators, *[shares] * 4, st.integers(0, 1 << 64)),
    "ordered": st.builds(Ordered, st.integers(0, 30), *[factors] * 3, st.integers(-2, 99)),
}
"""Searches with all their parameters: late moves that are searched less deep, lines that are
overlooked and noise with every seed, and the order of columns by all weights."""


@pytest.mark.parametrize("name", TUNED)
@given(st.data(), some_positions, st.none() | st.integers(0, 5), st.integers(40, 2000))
@many
def test_searches_with_all_parameters_are_equal(
    name: str, data: st.DataObject, position: Position, depth: int | None, nodes: int
) -> None:
    """Core and Python agree for all values of the parameters of a search, also in longer ones."""
    search, limits = data.draw(TUNED[name]), Limits(depth, nodes)
    fast = native_twin(name, search)
    assert isinstance(fast, Twin)
    assert fast.search(position, limits) == search.search(position, limits)


@pytest.mark.parametrize("name", ["minimax", "negamax"])
@given(some_positions, evaluators, st.integers(0, 2000), st.integers(2, 70))
@many
def test_threads_change_nothing(
    name: str, position: Position, evaluator: Judge, nodes: int, threads: int
) -> None:
    """Root moves that are searched in parallel give the same result as one after the other."""
    fast, _ = make(name, evaluator)
    alone = fast.search(position, Limits(4, nodes))
    assert fast.search(position, Limits(4, nodes, threads=threads)) == alone


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "human"])
def test_time_is_kept(name: str) -> None:
    """A search that would take days goes on until its deadline. If that has passed, none begins."""
    fast, _ = make(name, Sequences())
    start = time.monotonic()
    fast.search(Position(), Limits(deadline=start + 0.2))
    assert time.monotonic() >= start + 0.2
    assert fast.search(Position(), Limits(deadline=start)).nodes == 0


EXPLAINED = [STANDARD, LINE8, Variant(4, 4), Variant(5, 5, 3), Variant(9, 7, 5), Variant(10, 10)]
OUTCOMES = (None, -1, 0, 1)


def some_moves(position: Position, chance: Numbers) -> list[Move]:
    """Return some of the legal moves, with random knowledge of them."""
    moves = []
    for cell in chance.sample(position.moves, min(4, len(position.moves))):
        best, own = chance.choice(OUTCOMES), chance.choice(OUTCOMES)
        answers = position.play(cell).playable & chance.getrandbits(native.MAX_BITS)
        moves.append(Move(position, cell, best, own, answers))
    return moves


@given(st.sampled_from(EXPLAINED + LARGE + EDGES) | variants(9), st.integers(0, 1 << 32))
@examples(500)
def test_reasons_are_equal(variant: Variant, seed: int) -> None:
    """Core and Python find the same reasons of moves in a game, whatever is known of the moves."""
    chance, position = Numbers(seed), Position(variant)
    while not position.is_over:
        for move in some_moves(position, chance):
            assert find_reason(move) == reason_of(move)
        position = position.play(chance.choice(position.moves))


def test_reasons_come_from_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core finds the reason if the board fits."""
    monkeypatch.setattr(explanation, "reason_of", None)
    assert find_reason(Move(Position(), 0)) == VALUES


@pytest.mark.parametrize("variant", [CODINGAME, Variant(20, 20)], ids=str)
def test_other_reasons_come_from_python(variant: Variant) -> None:
    """Python finds the reason on larger boards, and if a stone may be stolen."""
    for own in (None, -1):
        move = Move(Position(variant), 0, own, own)
        assert find_reason(move) == reason_of(move)


def test_larger_boards_are_searched_in_python() -> None:
    """Boards that the core does not support are searched in Python."""
    fast, slow = make("deepening", Sequences())
    position = Position(Variant(20, 20))
    assert fast.search(position, Limits(1)) == slow.search(position, Limits(1))


@dataclass(frozen=True)
class Foreign(Needed):
    """An evaluator that the core does not know."""


@pytest.mark.parametrize(
    ("name", "search"),
    [
        ("random", Random(1)),
        ("negamax", Negamax(Foreign())),
        ("mine", Negamax(Needed())),
        ("negamax", Negamax(Needed((1 << 40,)))),
        ("human", Human(Needed())),
    ],
)
def test_others_stay_in_python(name: str, search: Search) -> None:
    """A search without a twin, or with parameters that the core cannot take, stays in Python.

    ``Human`` without a seed asks a twin with a new seed each time.
    """
    assert native_twin(name, search) is search


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ("cannot import name '_core'", "the native core is missing"),
        ("no POPCNT", "the native core cannot be loaded (no POPCNT)"),
    ],
)
def test_a_missing_core_is_told_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], problem: str, told: str
) -> None:
    """Without the core, Python searches, and one line on standard error says why."""
    monkeypatch.setattr(native, "core", None)
    monkeypatch.setattr(native, "CORE_PROBLEM", problem)
    native.is_core_available.cache_clear()
    search = Negamax(Needed())
    assert native_twin("negamax", search) is search
    assert native_twin("negamax", search) is search
    native.is_core_available.cache_clear()
    assert capsys.readouterr().err.count(told) == 1


FULL = (halves(0b01101), halves(0b10010))


@pytest.mark.parametrize(
    ("search", "evaluator", "variant", "taken"),
    [
        ("maximin", "needed", STANDARD, (halves(0), halves(0))),
        ("negamax", "guess", STANDARD, (halves(0), halves(0))),
        ("negamax", "needed", Variant(12, 10), (halves(0), halves(0))),
        ("negamax", "needed", Variant(1, 5), FULL),
    ],
    ids=["search", "evaluator", "too large", "full"],
)
def test_the_core_refuses(search: str, evaluator: str, variant: Variant, taken: Stones) -> None:
    """The core raises ``ValueError`` for unknown or impossible searches."""
    with pytest.raises(ValueError, match=r"twin|bits|over"):
        core.search(
            (search, {"sooner_wins": (1,)}, evaluator, {"weights": (1,)}),
            sizes(variant),
            taken,
            (1, -1, -1, 1),
        )
