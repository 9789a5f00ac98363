"""The player that ``c4-bot export`` writes: its rules, its proofs, and what it answers."""

import random
import time
from types import SimpleNamespace

import pytest
from c4_bot.export import agent
from c4_bot.solve.solver import Solver
from c4_protocol.rules.position import Position, completing_cells, has_line
from c4_protocol.rules.variant import Variant
from outcomes import outcome, outcome_of_move
from random_play import random_position

VARIANTS = [Variant(*sizes) for sizes in ((7, 6), (8, 7), (5, 5, 3), (4, 4), (9, 3, 2), (6, 7, 5))]
SMALL = [Variant(*sizes) for sizes in ((5, 4), (4, 5), (4, 4), (5, 4, 3), (4, 6))]
UNLIMITED = float("inf")


def board_of(variant):
    """Return the agent's board of a variant."""
    return agent.Board(variant.width, variant.height, variant.connect)


def positions(variant, count, seed=1, least=0):
    """Yield random positions of games that are not over, with at least this number of stones."""
    rng = random.Random(seed)
    while count:
        position, _ = random_position(variant, rng.randrange(least, variant.cells), rng)
        if position.ply >= least:
            count -= 1
            yield position


def observation(position):
    """Return a position as Kaggle passes it to an agent."""
    variant = position.variant
    cells = [
        sum(seat for seat in (1, 2) if position.stones[seat - 1] >> variant.cell(x, y) & 1)
        for y in reversed(range(variant.height))
        for x in range(variant.width)
    ]
    return {"board": cells, "mark": position.player, "remainingOverageTime": 0}


def configuration(variant, seconds=0.05):
    """Return the configuration of a game as Kaggle passes it to an agent."""
    sizes = {"columns": variant.width, "rows": variant.height, "inarow": variant.connect}
    return {**sizes, "actTimeout": seconds}


@pytest.fixture
def stopped_clock(monkeypatch):
    """Stop the clock, so that no move runs out of time."""
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_rules_are_those_of_the_protocol(variant):
    """Stones, moves, lines and the cells that complete them are those of ``c4_protocol``."""
    board = board_of(variant)
    for position in positions(variant, 100):
        seen = observation(position)
        own, taken = agent.stones_of(seen["board"], variant.width, variant.height, seen["mark"])
        assert (own, taken) == (position.own, position.occupied)
        assert agent.playable(board, taken) == position.playable
        assert board.threats(own) & ~taken == completing_cells(own, variant) & ~taken
        extended = own | random.Random(own).getrandbits(variant.bits) & variant.board
        assert board.has_line(extended) == has_line(extended, variant)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_mirror_images_have_one_key(variant):
    """A position and its mirror image have the same key, and only one of them is mirrored."""
    board = board_of(variant)
    for position in positions(variant, 50):
        key, is_mirrored = board.key(position.own, position.occupied)
        mirrored = position.mirrored()
        assert board.key(mirrored.own, mirrored.occupied)[0] == key
        if mirrored != position:
            assert board.key(mirrored.own, mirrored.occupied)[1] != is_mirrored


def test_cells_above():
    """``above`` returns the cells above the lowest given cell of each column."""
    board = agent.Board(3, 4, 3)
    assert board.above(0b00010 | 0b01010 << 10) == 0b01100 | 0b01100 << 10
    assert board.above(0b00101) == 0b01110
    assert board.above(0b01000) == board.above(0) == 0


def test_last_cells():
    """If all other columns are full, player 1 gets odd rows on 7x6, and even rows on 8x7."""
    assert agent.Board(7, 6, 4).last_cells[0] & 0b111111 == 0b010101
    assert agent.Board(8, 7, 4).last_cells[0] & 0b1111111 == 0b0101010


@pytest.mark.parametrize(
    ("variant", "count", "least"),
    [*((variant, 100, variant.cells // 4) for variant in SMALL), (Variant(), 50, 20)],
    ids=str,
)
def test_proofs_are_right(variant, count, least):
    """The solver's proofs agree with the exact results, on boards of any height."""
    board, solver = board_of(variant), Solver(variant)
    found = agent.Solver(board)
    found.clock.limit(10**9, UNLIMITED)
    for position in positions(variant, count, least=least):
        exact = outcome(solver, position)
        own, taken = position.own, position.occupied
        assert found.is_proven(own, taken, True) == (exact > 0)
        assert found.is_proven(own, taken, False) == (exact >= 0)


@pytest.mark.parametrize("variant", [Variant(5, 4), Variant(6, 4), Variant(4, 6)], ids=str)
def test_rules_of_following_up_are_right(variant):
    """Where the rules of following up apply, they agree with the exact result."""
    board, solver, applied = board_of(variant), Solver(variant), 0
    found = agent.Solver(board)
    for position in positions(variant, 1500, least=variant.cells // 2):
        if position.winning_cells or position.opponent_winning_cells:
            continue
        own, taken = position.own, position.occupied
        theirs = board.threats(position.other)
        for wins in (True, False):
            if found._is_prevented(own, taken, theirs, wins):
                assert outcome(solver, position) < (1 if wins else 0)
                applied += 1
    assert applied > 100


def test_proof_stops_at_its_limits():
    """A proof that needs more nodes or time than allowed raises ``OutOfTime``."""
    solver = agent.Solver(agent.Board(7, 6, 4))
    solver.clock.limit(1000, UNLIMITED)
    with pytest.raises(agent.OutOfTime):
        solver.is_proven(0, 0, True)
    assert solver.clock.nodes < 1100
    solver.clock.limit(10**9, time.perf_counter())
    with pytest.raises(agent.OutOfTime):
        solver.is_proven(0, 0, True)


@pytest.mark.parametrize("variant", [Variant(4, 4), Variant(4, 4, 3)], ids=str)
def test_search_to_the_end_is_exact(variant):
    """A search to the last cell ranks first a move that keeps the result."""
    board, solver = board_of(variant), Solver(variant)
    for position in positions(variant, 30, least=6):
        if position.winning_cells:
            continue
        search = agent.Search(board, agent.Clock(UNLIMITED))
        depth = variant.cells - position.ply
        score, move = search.ranked(position.own, position.occupied, depth)[0]
        exact = outcome(solver, position)
        assert (score > 0) - (score < 0) == exact
        assert outcome_of_move(solver, position, move.bit_length() - 1) == exact


@pytest.mark.usefixtures("stopped_clock")
@pytest.mark.parametrize("variant", SMALL, ids=str)
def test_result_is_kept_on_small_boards(variant):
    """On small boards, every move of the agent keeps the result of the position."""
    solver = Solver(variant)
    for position in positions(variant, 15, seed=2, least=variant.cells // 3):
        column = agent.agent(observation(position), configuration(variant))
        best = max(outcome_of_move(solver, position, cell) for cell in position.moves)
        assert outcome_of_move(solver, position, position.check(column)) == best


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_answer_is_a_legal_int(variant):
    """The answer is a built-in int and a legal column, in any position of any variant."""
    for position in positions(variant, 8):
        column = agent.agent(observation(position), configuration(variant, 0.02))
        assert type(column) is int
        position.check(column)


def test_winning_and_forced_moves_come_first():
    """A winning move is played, otherwise the move that stops the opponent from winning."""
    wins = Position(stones=(0b111, 0b111 << 7), player=1)
    assert agent.agent(observation(wins), configuration(wins.variant)) == 0
    stops = Position(stones=(0b111, 0b11 << 7 | 1 << 21), player=2)
    assert agent.agent(observation(stops), configuration(stops.variant)) == 0


def test_observation_may_be_an_object_with_gaps():
    """Attributes work as well as items; mark, times and sizes may be missing."""
    cells = [0] * 41 + [1]
    cells[40] = cells[33] = cells[26] = 2
    cells[39] = cells[38] = 1
    seen = SimpleNamespace(board=cells)
    assert agent.agent(seen, SimpleNamespace(actTimeout=0.05)) == 5
    assert agent.agent({"board": cells, "mark": 1}, {"actTimeout": 0.05}) == 5


@pytest.mark.usefixtures("stopped_clock")
def test_games_may_be_interleaved():
    """Two games in one process do not disturb each other, nor does a game that starts again."""
    variant = Variant(5, 4)
    solver, rng = Solver(variant), random.Random(4)
    games = [random_position(one, 8, rng)[0] for one in (variant, variant, Variant(4, 4))]
    for _ in range(6):
        for index, position in enumerate(games):
            if not position.is_over:
                seen = observation(position), configuration(position.variant)
                cell = position.check(agent.agent(*seen))
                if position.variant == variant:
                    best = max(outcome_of_move(solver, position, other) for other in position.moves)
                    assert outcome_of_move(solver, position, cell) == best
                games[index] = position.play(cell)
        games = [game if game.is_over else game.play(rng.choice(game.moves)) for game in games]


def test_error_is_answered_with_a_legal_column(monkeypatch, capsys):
    """If anything fails, the answer is the free column nearest to the centre."""
    monkeypatch.setattr(agent, "player_of", lambda *_: 1 / 0)
    seen = observation(Position())
    assert agent.agent(seen, configuration(Variant())) == 3
    seen["board"][3] = 1
    assert agent.agent(seen, configuration(Variant())) == 2
    assert capsys.readouterr().err == 2 * "ZeroDivisionError: division by zero\n"


def test_time_is_shared_out():
    """The usual time is safely below the limit; a difficult move has part of the overage time."""
    limits = agent.time_limits({"remainingOverageTime": 60}, {"actTimeout": 2})
    assert limits == pytest.approx((1.6, 11.6))
    assert agent.time_limits({"remainingOverageTime": 20}, {}) == pytest.approx((1.6, 6.6))
    assert agent.time_limits({"remainingOverageTime": 3}, {"actTimeout": 2}) == (1.6, 1.6)
    assert agent.time_limits({}, {"actTimeout": 0.1}) == (0.05, 0.05)


def test_known_win_is_recognised():
    """After a proof that the opponent is lost, the next position is known to be won."""
    board = agent.Board(7, 6, 4)
    solver = agent.Solver(board)
    position = Position().play(21)
    solver.can_draw[position.own + position.occupied + board.bottom] = False
    for reply in position.moves:
        following = position.play(reply)
        assert solver.follows_from_lost(following.own, following.occupied)
        later = following.play(following.moves[0])
        assert not solver.follows_from_lost(later.own, later.occupied)


def test_full_tables_are_emptied(monkeypatch):
    """A table never holds much more than ``MAX_ENTRIES`` positions after an attempt."""
    monkeypatch.setattr(agent, "MAX_ENTRIES", 100)
    board = agent.Board(5, 4, 4)
    solver = agent.Solver(board)
    solver.clock.limit(10**9, UNLIMITED)
    solver.is_proven(0, 0, True)
    assert len(solver.can_draw) > 100
    solver.is_proven(1, 1, True)
    assert 0 not in solver.can_draw


def test_floating_stones_are_answered_with_a_free_column():
    """An impossible observation gets a legal column, too."""
    cells = [1, 2, 0, 1] + [0] * 12  # stones in the top row, above nothing
    for mark in (1, 2):
        seen = {"board": cells, "mark": mark, "remainingOverageTime": 0}
        assert agent.agent(seen, configuration(Variant(4, 4))) == 2
