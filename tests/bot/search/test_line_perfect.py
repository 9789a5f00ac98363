"""The search ``line-perfect``: it wins won games without gravity, and plays all others in time."""

import random

import pytest
from c4_bot import native
from c4_bot.contract import WIN, Limits, Result, is_proven, won
from c4_bot.evaluate.sequences import Sequences
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.player import registry
from c4_bot.reasons.info import explain_result
from c4_bot.search.last_iteration import LastIteration
from c4_bot.search.line_perfect import (
    MAX_FOURS,
    WEIGHTS_WITHOUT_GRAVITY,
    AnnouncedWin,
    LinePerfect,
    _evaluator_without_gravity,
    _LinePerfectRun,
)
from c4_bot.search.perfect import Perfect
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import Verdict, find_verdict
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import cell_name, position_from_moves
from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import DIRECTIONS, LINE8, Variant
from cores import needs_core

BOARDS = (
    LINE8,
    Variant(5, 5, gravity=False),
    Variant(4, 4, 3, False, ("diagonal",)),
    Variant(16, 8, 5, False),
    Variant(20, 20, gravity=False),
    Variant(2, 1, 2, False),
)
AHEAD = native.native_twin(
    "last_iteration", LastIteration(Sequences(), reduces=True, fours=MAX_FOURS)
)
FEW = Limits(nodes=2000)
SMALL = Variant(5, 4, gravity=False)
REFUTED = (
    "h2 d5 e2 f2 e5 e3 e6 e7 d6 f6",
    "h5 e7 e4 d7 f7 c7 b7 d4 d5",
    "a8 h7 e5 e7 f5 d5 f7 f6",
)


def search(position: Position, limits: Limits) -> object:
    """Return the result of a new ``line-perfect`` search."""
    return LinePerfect(Sequences()).search(position, limits)


def play(names: str, limits: Limits) -> str:
    """Return the move of a new ``line-perfect`` search after the given moves in line8."""
    return cell_name(LINE8, search(position_from_moves(names, LINE8), limits).cell)


def judged(
    player: LinePerfect, opponent, limits: Limits, later: Limits | None = None, opening: str = ""
) -> tuple[Position, list[int]]:
    """Play a game in which ``player`` has the first seat.

    ``later`` are its limits after its first move, if they differ from ``limits``. Returns the last
    position, and the last ply that the player announced at each of its moves.
    """
    position, last = position_from_moves(opening, LINE8), []
    while not position.is_over:
        if position.player == 1:
            found = player.search(position, later if later and last else limits)
            assert is_proven(found.score)
            last.append(WIN - found.score)
            position = position.play(found.cell)
        else:
            position = position.play(opponent(position))
    return position, last


@needs_core
@pytest.mark.parametrize("reply", ["d5", "e5", "c4", "d3", "e4", "f6", "b4", "h8"])
@pytest.mark.parametrize("kind", [LinePerfect, Perfect])
def test_an_announced_win_is_kept_without_any_time(kind, reply):
    """After the first move, the time is always over; each move still announces the win in time."""
    draw, no_time = random.Random(reply), Limits(deadline=0.0)
    for answer in (lambda at: draw.choice(at.moves), lambda at: AHEAD.search(at, FEW).cell):
        end, last = judged(kind(Sequences()), answer, Limits(), no_time, f"d4 {reply}")
        assert end.winner == 1
        assert end.ply <= min(last)


@needs_core
def test_an_announced_win_of_the_search_ahead_is_kept_without_any_time():
    """The search ahead finds its win by fours again, which takes the solver 150,000 nodes."""
    moves = "d3 d4 c4 d5 b4 c5 e5 b5 a5 g6 d6 e6 f7 c6 d7 b6 c7 b7 e8 f8 d8 c8 b8 e7"
    before, position = (position_from_moves(text, LINE8) for text in (moves[:-3], moves))
    run = _LinePerfectRun(position, Limits(deadline=0.0), LineSolver(LINE8), AHEAD, 0.5)
    assert run.choose(AnnouncedWin(before, 37)).score == won(37)
    assert run.choose(AnnouncedWin(before, 35)).score == 0


@needs_core
@pytest.mark.parametrize(
    ("moves", "reply"),
    [("d4 h8 d5 a1 d6", None), ("d4 d7 d5 a1 d6", "d3"), ("d4 d5 c4 e4 c3", "c5")],
    ids=["lost", "one reply", "the only defence"],
)
def test_a_defence_is_found_if_there_is_one(moves, reply):
    """The search finds the only defence. If all moves lose, it stops one of the threats."""
    position = position_from_moves(moves, LINE8)
    found = search(position, Limits(nodes=3_000_000))
    if reply is None:
        stops = completing_cells(position.other, LINE8)
        assert found.score == -won(position.ply + 2)
        assert stops >> found.cell & 1
    else:
        assert cell_name(LINE8, found.cell) == reply


@needs_core
@pytest.mark.parametrize("moves", ["d4", "d4 d5 c4", "d5 e4 e5 f5 c5 b5 c4"])
def test_a_lost_game_lasts(moves):
    """In a lost game, the opponent still needs as many stones after the search's move as before."""
    position = position_from_moves(moves, LINE8)
    found = search(position, Limits(nodes=100_000_000))
    solver = LineSolver(LINE8)
    before = find_verdict(solver, position, Limits())
    after = find_verdict(solver, position.play(found.cell), Limits())
    assert found.score == -won(before.last_ply(position))
    assert before.exact
    assert after.exact
    assert (before.sign, after.sign) == (-1, 1)
    assert before.moves == after.moves


@needs_core
def test_a_draw_whose_move_is_open_is_told_so():
    """If a draw is proven without a move that keeps it, the reason says so."""
    position = Position(SMALL)
    ahead = LastIteration(Sequences())
    run = _LinePerfectRun(position, Limits(nodes=1), LineSolver(SMALL), ahead, share=0.5)
    found = run._first_safe_move(position.moves, Verdict(0, exact=True), SMALL.cells // 2)
    assert (found.exact, found.score) == (False, 0)
    assert explain_result(position, found, ()).text.endswith(
        ": a draw, but by which move is not proven."
    )


@needs_core
@pytest.mark.parametrize("nodes", [20_000, 60_000])
def test_what_is_called_exact_is(nodes):
    """A score that is called exact is confirmed by a complete search.

    The complete search shows that the opponent does not win sooner after the move.
    """
    draw, solver, exact = random.Random(nodes), LineSolver(SMALL), 0
    for _ in range(150):
        position = Position(SMALL)
        while position.ply < 9 and not position.is_won:
            position = position.play(draw.choice(position.moves))
        if position.is_won:
            continue
        found = search(position, Limits(nodes=nodes))
        child = position.play(found.cell)
        if found.exact and found.score <= 0:
            exact += 1
            last = WIN + found.score if found.score else SMALL.cells + 2
            sooner = (last - child.ply + 1) // 2 - 1
            assert solver.wins(child, sooner, SMALL.cells, Limits()).holds is False
    assert exact > 20


def refutable(position: Position) -> list[int]:
    """Return the moves after which the opponent wins with at most six stones and few nodes."""
    solver = LineSolver(LINE8)
    wins = {
        cell: solver.wins(position.play(cell), 6, 0, Limits(nodes=10_000)).holds
        for cell in position.moves
    }
    return [cell for cell in position.moves if wins[cell]]


@needs_core
@pytest.mark.parametrize("moves", REFUTED)
def test_a_move_that_is_refuted_is_not_played(moves):
    """The search ahead alone would choose a losing move; the solver refutes this move."""
    position, limits = position_from_moves(moves, LINE8), Limits(nodes=300_000)
    lost = refutable(position)
    ahead = native.native_twin("last_iteration", LastIteration(Sequences()))
    assert ahead.search(position, Limits(nodes=3000)).cell in lost
    assert search(position, limits).cell not in lost


def test_the_weights_without_gravity_replace_only_default_weights():
    """Weights that a user has set are kept, and so are other evaluators."""
    mine = Zugzwang(weights=(1, 2))
    assert _evaluator_without_gravity(Zugzwang()) == Zugzwang(weights=WEIGHTS_WITHOUT_GRAVITY)
    assert _evaluator_without_gravity(mine) is mine
    assert _evaluator_without_gravity(Sequences()) == Sequences()


@needs_core
def test_a_draw_is_kept():
    """The search loses noughts and crosses from neither side, against all replies."""
    variant = Variant(3, 3, 3, False, DIRECTIONS)
    for side in (1, 2):
        open_games = [Position(variant)]
        while open_games:
            position = open_games.pop()
            if position.is_over:
                assert position.winner in {0, side}
            elif position.player == side:
                cell = search(position, Limits(nodes=100_000)).cell
                open_games.append(position.play(cell))
            else:
                open_games += [position.play(cell) for cell in position.moves]


@needs_core
@pytest.mark.parametrize("nodes", [1, 99, 100, 5000, 300_000])
def test_limits_of_nodes_are_kept_and_repeat_themselves(nodes):
    """The search visits at most ``nodes`` nodes, and gives the same answer after other searches."""
    used = LinePerfect(Sequences())
    for moves in ("", "d4", "d4 d5 c4 e4 c3"):
        position = position_from_moves(moves, LINE8)
        used.search(position, Limits(nodes=3000))
        found = used.search(position, Limits(nodes=nodes))
        assert found.nodes <= nodes
        assert found == search(position, Limits(nodes=nodes))


def test_with_a_depth_it_is_the_search_ahead():
    """A limit of depth runs only the search ahead."""
    position = position_from_moves("d4 d5", LINE8)
    ahead = LastIteration(Sequences(), reduces=True, fours=MAX_FOURS).search(
        position, Limits(depth=2)
    )
    assert search(position, Limits(depth=2)) == ahead


@pytest.mark.parametrize("variant", BOARDS, ids=str)
def test_without_the_core_it_plays(monkeypatch, variant):
    """The search without the native core also returns a legal move after a few nodes."""
    monkeypatch.setattr(native, "core", None)
    native.is_core_available.cache_clear()
    found = search(Position(variant), Limits(nodes=30))
    assert found.cell in Position(variant).moves
    native.is_core_available.cache_clear()


@pytest.mark.parametrize("name", ["perfect", "line-perfect"])
def test_a_share_is_a_share(name):
    """A share outside of 0 to 1 is refused."""
    with pytest.raises(UsageError, match="a share is 0 to 1, not 2"):
        registry.build_player(name, {"share": 2})


def test_a_loss_is_not_exact_if_a_refuted_move_may_resist_longer():
    """The search ahead has not tried the moves that the solver has refuted."""
    position = position_from_moves("d4 h8 d5 a1 d6", LINE8)
    ahead = LastIteration(Sequences())
    run = _LinePerfectRun(
        position, Limits(nodes=0), LineSolver(LINE8), ahead, share=0.5, lost={0: 9}
    )
    best = Result(position.moves[1], -won(position.ply + 2), exact=True)
    assert not run._sooner_win_or_longer_loss(best).exact


def later_moves(opening: str, keeps: bool) -> tuple[Position, int]:
    """Play a won game with few nodes for all moves after the first.

    Returns the last position, and the soonest end of the game that was announced. The solver
    remembers what it has proven; the win that was announced is passed on if ``keeps``.
    """
    position, solver = position_from_moves(opening, LINE8), LineSolver(LINE8)
    win, last, nodes = None, LINE8.cells, 1_000_000
    while not position.is_over:
        if position.player == 1:
            run = _LinePerfectRun(position, Limits(nodes=nodes), solver, AHEAD, 0.5)
            found = run.choose(win if keeps else None)
            win, nodes = run.announced_win(found), 8000
            last = min(last, WIN - found.score) if is_proven(found.score) else last
        else:
            found = AHEAD.search(position, FEW)
        position = position.play(found.cell)
    return position, last


@needs_core
def test_an_announced_win_is_kept_with_few_nodes():
    """The search first proves again the win that it has announced, and so wins in time."""
    openings = [f"d4 {reply}" for reply in ("d5", "e5", "c4", "d3", "e4", "f6", "b4", "h8")]
    kept = [later_moves(opening, True) for opening in openings]
    assert all(end.winner == 1 and end.ply <= last < LINE8.cells for end, last in kept)
    forgot = [later_moves(opening, False) for opening in openings]
    assert not all(end.winner == 1 and end.ply <= last for end, last in forgot)
