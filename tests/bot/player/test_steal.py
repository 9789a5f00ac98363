"""Players in games with the steal."""

import time
from dataclasses import replace

import pytest
import steals
from c4_bot.contract import Limits, Result, Scored, won
from c4_bot.player import registry, steal
from c4_bot.reasons.info import info as info_of
from c4_bot.reasons.info import lines_for_people
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, STEAL
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

PLAYERS = [name for name, spec in registry.player_specs().items() if spec.variants != "free"]


class Fixed:
    """A search that returns a result for each first stone, and notes what it is asked."""

    def __init__(self, scores, depth=3, exact=False):
        self.scores, self.depth, self.exact = scores, depth, exact
        self.asked = []

    def search(self, position, limits):
        """Return the score for the column of the only stone, and the first legal move."""
        self.asked.append((position, limits))
        column = position.variant.column_of(position.occupied.bit_length() - 1)
        cell = position.moves[0]
        return Result(cell, self.scores[column], self.exact, self.depth, 10, (cell,))


@pytest.mark.parametrize("name", PLAYERS)
@given(position=steals.POSITIONS, nodes=st.integers(0, 300))
@examples(20)
def test_every_player_moves_legally(name, position: Position, nodes):
    """Each player answers each position with a legal move, whatever its limits are."""
    player = registry.build_player(name, seed=1)
    found = player.choose(position, Limits(depth=2, nodes=nodes))
    assert found.cell in position.moves
    assert {move for move, *_ in found.scores} <= {*position.moves}
    info = info_of(position, found, found.scores, player.evaluator, 1.0)
    assert [*lines_for_people(position, info)]


@pytest.mark.parametrize("name", [*PLAYERS])
@pytest.mark.parametrize("moves", ["", "5", "55", "5s"])
def test_no_search_sees_the_steal(name, moves):
    """Searches are asked about positions without the steal, except those that play it."""
    player = registry.build_player(name, seed=1)
    seen, asked = [], player.search

    class Spy:
        plays_steal = getattr(asked, "plays_steal", False)

        def search(self, position, limits):
            seen.append(position.variant.steal)
            return asked.search(position, limits)

    player.search = Spy()
    player.choose(position_from_moves(moves, CODINGAME), Limits(depth=1))
    assert seen
    assert set(seen) == {name == "random"}


@pytest.mark.parametrize("all_exact", [True, False])
def test_steal_is_worth_the_longest_loss(all_exact):
    """The steal wins as slowly as the best move loses, also if the search plays another move."""
    position = position_from_moves("5", CODINGAME)
    played, best = position.without_steal.moves[:2]
    losses = Scored(played, -won(20), True), Scored(best, -won(30), all_exact)

    class Trapper:
        def search(self, position, limits):
            return Result(played, -won(20), exact=True, line=(played,), scores=losses)

    found = steal.choose(Trapper(), position, Limits())
    assert (found.cell, found.score, found.exact) == (STEAL, won(30), all_exact)
    assert found.scores[-1] == Scored(STEAL, won(30), all_exact)


@pytest.mark.parametrize(("score", "steals_it"), [(-5, True), (0, False), (5, False)])
def test_second_move_steals_if_the_position_is_bad(score, steals_it):
    """Player 2 steals exactly if its own score without the steal is negative."""
    position = position_from_moves("5", CODINGAME)
    search = Fixed({4: score})
    found = steal.choose(search, position, Limits())
    assert (found.cell == STEAL) == steals_it
    assert (found.score, found.nodes) == (abs(score), 10)
    assert found.depth == 3 + steals_it
    assert found.line[0] == found.cell
    assert search.asked == [(position.without_steal, Limits())]


def test_line_after_the_steal_is_that_of_the_opponent():
    """After the steal, the opponent has the choice that the player had, so the line goes on."""
    found = steal.choose(Fixed({0: -5}), position_from_moves("1", CODINGAME), Limits())
    first = position_from_moves("1", CODINGAME).moves[0]
    assert found.line == (STEAL, first)


def test_first_stone_is_worth_least_to_the_opponent():
    """The first stone is the one after which the opponent has the smallest absolute score."""
    scores = {0: 9, 1: -7, 2: -2, 3: 3, 4: 20}
    search = Fixed(scores)
    found = steal.choose(search, Position(CODINGAME), Limits(depth=6, nodes=1000))
    assert CODINGAME.column_of(found.cell) == 2
    assert (found.score, found.depth, found.nodes, found.exact) == (-2, 5, 50, False)
    assert found.line[:2] == (found.cell, STEAL)
    columns = [CODINGAME.column_of(scored.cell) for scored in found.scores]
    assert sorted(columns) == [*range(9)]
    worth = [-abs(scores[min(column, 8 - column)]) for column in columns]
    assert [scored.score for scored in found.scores] == worth
    assert [limits.depth for _, limits in search.asked] == [5] * 5
    assert [limits.nodes for _, limits in search.asked] == [200, 390, 580, 770, 960]


def test_time_of_the_first_move_is_divided(monkeypatch):
    """Each first stone gets its part of the time until the deadline."""
    monkeypatch.setattr(time, "monotonic", lambda: 900.0)
    search = Fixed(dict.fromkeys(range(5), 1))
    steal.choose(search, Position(CODINGAME), Limits(deadline=1000.0))
    ends = [limits.deadline for _, limits in search.asked]
    assert ends == pytest.approx([920, 940, 960, 980, 1000])


def test_first_stone_without_time_is_not_taken_for_a_draw():
    """A first stone that was not searched is not better than one with a bad score."""
    search = Fixed(dict.fromkeys(range(5), 0), depth=0)
    found = steal.choose(search, Position(CODINGAME), Limits())
    assert (found.depth, found.exact, found.scores) == (0, False, ())

    class Late(Fixed):
        def search(self, position, limits):
            found = super().search(position, limits)
            return found if len(self.asked) < 2 else replace(found, score=0, depth=0)

    found = steal.choose(Late({4: -50, 3: 0, 2: 0, 1: 0, 0: 0}), Position(CODINGAME), Limits())
    assert (CODINGAME.column_of(found.cell), found.score) == (4, -50)


@pytest.mark.parametrize(
    ("scores", "exact"), [((5, 3, 4, 4, 4), True), ((5, 3, 0, 4, 4), True), ((5, 3), False)]
)
def test_first_score_is_exact_if_nothing_is_better(scores, exact):
    """The score of the first move is exact if all are, or if it is a draw."""

    class Partly(Fixed):
        def search(self, position, limits):
            found = super().search(position, limits)
            known = len(self.asked) <= len(scores)
            return replace(found, score=scores[len(self.asked) - 1] if known else 7, exact=known)

    found = steal.choose(Partly(dict.fromkeys(range(5), 0)), Position(CODINGAME), Limits())
    assert (found.exact, found.score) == (exact, -min(scores))


def test_scores_of_the_moves_have_that_of_the_steal():
    """The scores of all moves at the second move include the steal, as the opposite of the best."""
    position = position_from_moves("5", CODINGAME)
    player = registry.build_player("needed")
    found = player.choose(position, Limits(depth=2))
    scores = {scored.cell: scored.score for scored in found.scores}
    assert {*scores} == {*position.moves}
    assert scores[STEAL] == -max(score for cell, score in scores.items() if cell != STEAL)
    assert scores[found.cell] == max(scores.values())


def test_found_scores_of_moves_have_that_of_the_steal():
    """Scores that a search finds later are completed by the steal, if its score is proven."""

    class Scoring(Fixed):
        def move_scores(self, position, limits):
            return iter([Scored(position.moves[0], -won(9), True)])

    position, search = position_from_moves("5", CODINGAME), Scoring({4: -won(9)}, exact=True)
    found = steal.choose(search, position, Limits())
    scores = steal.move_scores(search, position, found, Limits())
    assert scores[-1] == Scored(STEAL, won(9), True)
    empty = Position(CODINGAME)
    assert steal.move_scores(search, empty, Result(0), Limits()) == ()


def test_centre_is_not_played_where_it_can_be_stolen():
    """A player that always begins in the centre thinks where its stone could be stolen."""
    player = registry.build_player("windows")
    assert player.choose(Position(CODINGAME), Limits()).reason != "the first move"
    assert player.choose(Position(CODINGAME.without_steal), Limits()).reason == "the first move"
    faithful = registry.build_player("needed", {"faithful": True})
    assert faithful.choose(position_from_moves("5", CODINGAME), Limits()).reason == "the first move"
