"""Known values of games follow from the rules and from solved positions, and are right."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random

import pytest
from c4_bot.solve.solver import Solver
from c4_bot.solve.steal import solver_of
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import moves_text, position_from_moves, replay, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, STEAL, Variant
from c4_referee.records.stats.analysis import KnownPositions, analyse, last_change
from c4_referee.records.stats.solved import Reason, Solved, SolvedPositions, position_key
from games import game_of
from hypothesis import given
from hypothesis import strategies as st

SMALL = Variant(4, 4)
VARIANTS = [
    *(Variant(4, 3, 3), SMALL, Variant(5, 3), Variant(3, 5, 3)),
    *(Variant(4, 4, 3, steal=True), Variant(3, 5, 3, steal=True), Variant(3, 3, 2, steal=True)),
]


class Everything(Mapping[str, Solved]):
    """All positions of a small variant, solved when they are needed."""

    def __init__(self, variant: Variant) -> None:
        self._variant, self._solver = variant, solver_of(variant)
        self._known: dict[str, Solved] = {}

    def __getitem__(self, key: str) -> Solved:
        if key not in self._known:
            self._known[key] = self._solve(key)
        return self._known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return 1

    def _solve(self, key: str) -> Solved:
        first, second, player = key.split(".")
        stones = int(first, 16), int(second, 16)
        return solve(Position(self._variant, stones, 1 if player == "1" else 2), self._solver)


def solve(position: Position, solver: Solver) -> Solved:
    """Return the solver's scores of a position."""
    scores: list[int | None] = [None] * position.variant.width
    for cell, solution in solver.move_scores(position):
        if cell != STEAL:
            scores[position.variant.column_of(cell)] = solution.low
    return Solved(solver.solve(position).low, tuple(scores))


def random_game(variant: Variant, seed: int) -> GameEnded:
    """Return a game of random moves."""
    draw, position, cells = Random(seed), Position(variant), []
    while not position.is_over:
        cells.append(draw.choice(position.moves))
        position = position.play(cells[-1])
    return game_of(moves_text(variant, cells), variant=variant)


def positions(game: GameEnded) -> list[Position]:
    """Return all positions of a game."""
    variant = game.variant.variant()
    names = [*game.moves] if variant.gravity else game.moves.split()
    return [
        position_from_moves(("" if variant.gravity else " ").join(names[:ply]), variant)
        for ply in range(len(names) + 1)
    ]


def true_value(position: Position, solver: Solver) -> int:
    """Return the exact value of a position, which may be the end of a game."""
    if position.is_won:
        return -win_score(position.variant, position.ply)
    return 0 if position.is_full else solver.solve(position).low


def final_score(moves: str, variant: Variant, player: int) -> int:
    """Return the score of a finished game for a player."""
    end, _ = replay(moves, variant)
    assert end.is_over
    score = win_score(variant, end.ply)
    return 0 if end.winner == 0 else score if end.winner == player else -score


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_with_all_positions_solved_everything_is_known(variant: Variant) -> None:
    """All values and scores are exact, and lines lead to the result that they promise."""
    solver, solved, changes = solver_of(variant), Everything(variant), 0
    for seed in range(8):
        game = random_game(variant, seed)
        known, along = analyse(game, solved), positions(game)
        assert list(known.values) == [true_value(one, solver) for one in along]
        for position, scores in zip(along[:-1], known.scores, strict=False):
            assert scores == solve(position, solver).scores
        assert (known.scores[-1], len(known.scores)) == ((), len(along))
        for change in known.changes:
            before, player = game.moves[: change.ply], 1 + change.ply % 2
            line, refutation = "".join(change.better_line), "".join(change.refutation)
            assert final_score(before + line, variant, player) == change.before
            made = game.moves[: change.ply + 1]
            assert final_score(made + refutation, variant, player) == change.after
            assert change.better[0] == change.better_line[0]
            assert game.moves[change.ply] not in change.better
            changes += 1
    assert changes


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_moves_that_change_the_result_are_the_changes(variant: Variant) -> None:
    """A change is a move after which the value has a lower sign. The last one is decisive."""
    for seed in range(8):
        known = analyse(random_game(variant, seed), Everything(variant))
        signs = [(value > 0) - (value < 0) for value in known.values if value is not None]
        expected = [ply for ply, (one, other) in enumerate(pairwise(signs)) if -other < one]
        assert [change.ply for change in known.changes] == expected
        assert known.decisive == (known.changes[-1] if expected else None)
        for solved in ({}, Everything(variant)):
            decisive = analyse(known.game, solved).decisive
            last = decisive and (decisive.ply, decisive.before, decisive.after)
            assert last_change(known.game, solved) == last


@given(st.sampled_from(VARIANTS), st.integers(0, 99), st.data())
def test_what_is_known_is_true(variant: Variant, seed: int, data: st.DataObject) -> None:
    """With any part of the positions solved, known values and scores are exact."""
    game, solver = random_game(variant, seed), solver_of(variant)
    along = positions(game)
    solved: dict[str, Solved] = {}
    for position in along[:-1]:
        kind = data.draw(st.sampled_from(("nothing", "value", "scores", "mirrored")))
        one = position.mirrored() if kind == "mirrored" else position
        entry = solve(one, solver)
        if kind != "nothing":
            solved[position_key(one)] = Solved(entry.value) if kind == "value" else entry
    known = analyse(game, solved)
    for position, value, scores in zip(along, known.values, known.scores, strict=True):
        assert value in {None, true_value(position, solver)}
        assert scores == () or scores == solve(position, solver).scores
        if position_key(position) in solved and not position.is_over:
            assert value is not None
    for change in known.changes:
        replay(game.moves[: change.ply] + "".join(change.better_line), variant)
        replay(game.moves[: change.ply + 1] + "".join(change.refutation), variant)


def test_without_solved_positions_the_rules_show_the_end() -> None:
    """Values are known near the end of a game, and a missed win is a change."""
    known = analyse(game_of("12121247"), {})
    assert known.values[:5] == (None,) * 5
    assert known.values[6:] == (18, 18, 17)
    first, second = known.changes
    assert (first.ply, first.before, first.after) == (6, 18, -18)
    assert (first.better, first.better_line, first.refutation) == (("1",), ("1",), ("2",))
    assert (second.ply, second.before, second.after) == (7, 18, -17)


def test_scores_of_a_position_show_the_value_of_the_next() -> None:
    """The value after a move is the score of its column. A move of the opening is no change."""
    solved = {position_key(Position()): Solved(1, (-2, -1, 0, 1, 0, -1, -2))}
    known = analyse(game_of("32"), solved)
    assert (known.values, known.scores[1:]) == ((1, 0, None), ((), ()))
    (change,) = known.changes
    assert (change.better, change.better_line, change.refutation) == (("4",), ("4",), ())
    known = analyse(game_of("32", opening="3"), solved)
    assert (known.values, known.changes) == ((1, 0, None), ())


def test_of_equal_moves_the_central_one_is_played() -> None:
    """Lines prefer the most central column, then the left one of two."""
    start, end = Position(SMALL), position_from_moves("1", SMALL)
    solved = {
        position_key(start): Solved(1, (0, 1, 1, 1)),
        position_key(end): Solved(0, (0, 0, 0, -1)),
    }
    (change,) = analyse(game_of("1", variant=SMALL), solved).changes
    assert (change.better, change.better_line) == (("2", "3", "4"), ("2",))
    assert change.refutation == ("2",)


def test_a_change_has_the_reason_of_its_move() -> None:
    """The sentence of a change is that of its move. The move that it calls better comes first."""
    reasons = (Reason("1", "Column 1 gives away the win; column 3 wins.", "3"),)
    solved = {position_key(Position(SMALL)): Solved(1, (0, 1, 1, 1), reasons=reasons)}
    (change,) = analyse(game_of("1", variant=SMALL), solved).changes
    assert change.reason == "Column 1 gives away the win; column 3 wins."
    assert (change.better, change.better_line) == (("3", "2", "4"), ("3",))


def test_a_lost_player_stops_one_of_two_threats() -> None:
    """In a line, a player who cannot stop both threats stops one of them."""
    solved = {position_key(position_from_moves("33445", STANDARD)): Solved(-18)}
    before = position_from_moves("3344", STANDARD)
    start = position_from_moves("334", STANDARD)
    solved[position_key(start)] = Solved(0, (-18, 0, -18, -18, 0, -18, -18))
    solved[position_key(before)] = Solved(18, (-2, 18, -2, -2, 18, -2, -2))
    (change,) = analyse(game_of("3344"), solved).changes
    assert change.refutation == ("5", "2", "6")


def test_best_cells_are_followed_without_gravity() -> None:
    """Without gravity, lines follow the best moves that were stored."""
    names = ["d4", "a1", "d5", "a3", "b8", "a5"]
    moves = " ".join(names)
    won, lost = " ".join(names[:4]), " ".join(names[:5])
    solved = {
        position_key(position_from_moves(won, LINE8)): Solved(29, best="d3"),
        position_key(position_from_moves(lost, LINE8)): Solved(0, best="d6"),
    }
    (change,) = analyse(game_of(moves, variant=LINE8), solved).changes
    assert (change.before, change.after, change.better[0]) == (29, 0, "d3")
    assert change.better_line[0] == "d3"
    assert change.refutation[:1] == ("d6",)


def test_games_without_moves_have_one_position() -> None:
    """A game that was not played has the empty board alone."""
    solved: SolvedPositions = {}
    known = analyse(game_of(""), solved)
    assert (known.values, known.scores, known.changes) == ((None,), ((),), ())
    assert known.decisive is None


def test_same_stones_with_another_player_to_move_have_another_value() -> None:
    """After the steal, the same stones can be on the board with the other player to move."""
    variant = Variant(7, 6, steal=True)
    plain, stolen = (position_from_moves(moves, variant) for moves in ("12", "2s1"))
    assert plain.stones == stolen.stones
    solved = {position_key(plain): Solved(3), position_key(stolen): Solved(-5)}
    known = KnownPositions(solved)
    assert (known.value(plain), known.value(stolen)) == (3, -5)
    assert (known.entry(plain), known.entry(stolen)) == (Solved(3), Solved(-5))
