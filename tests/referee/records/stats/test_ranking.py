"""The order of players, and its tie-breaks."""

from itertools import pairwise

import numpy as np
from c4_referee.records.stats.ranking import rank_players
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

WIN, DRAW, LOSS = np.eye(3, dtype=np.int64)

tables = st.integers(1, 5).flatmap(
    lambda players: arrays(np.int64, (players, players, 3), elements=st.integers(0, 3))
)


def table(players: int, games: dict[tuple[int, int], np.ndarray]) -> np.ndarray:
    """Return the results of games that are given as first player, second player and outcome."""
    results = np.zeros((players, players, 3), np.int64)
    for (first, second), outcome in games.items():
        results[first, second] += outcome
    return results


def standing(results: np.ndarray) -> list[tuple[int, str]]:
    """Return ranks and names in the order of the table."""
    names = "abcdef"[: len(results)]
    return [(row.rank, row.name) for row in rank_players(names, results)]


def test_points_come_first():
    """Points decide first: player b won, c drew and a lost."""
    results = table(3, {(0, 1): LOSS, (1, 2): DRAW})
    rows = rank_players("abc", results)
    assert [(row.rank, row.name, row.points) for row in rows] == [
        (1, "b", 1.5), (2, "c", 0.5), (3, "a", 0.0)
    ]  # fmt: skip


def test_direct_encounter_breaks_a_tie():
    """The direct encounter breaks a tie: a and b have two points each, and b won against a."""
    results = table(3, {(0, 1): LOSS, (0, 2): 2 * WIN, (1, 2): WIN + LOSS})
    assert standing(results)[:2] == [(1, "b"), (2, "a")]
    rows = {row.name: row for row in rank_players("abc", results)}
    assert rows["a"].points == rows["b"].points == 2
    assert (rows["a"].direct_encounter, rows["b"].direct_encounter) == (0, 1)


def test_direct_encounter_needs_all_to_have_met():
    """The direct encounter counts only if all tied players have met."""
    results = table(4, {(0, 2): WIN, (1, 3): WIN, (2, 3): WIN})
    rows = {row.name: row for row in rank_players("abcd", results)}
    assert [rows[name].direct_encounter for name in "abcd"] == [0, 0, 0, 0]
    assert standing(results) == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]


def test_sonneborn_berger_is_by_hand():
    """Sonneborn-Berger sums 1.5 for a win against 1.5 points, and 0.5 for a draw against 1."""
    results = table(4, {(0, 1): WIN, (0, 2): DRAW, (1, 2): DRAW, (1, 3): WIN})
    rows = {row.name: row for row in rank_players("abcd", results)}
    assert [rows[name].points for name in "abcd"] == [1.5, 1.5, 1, 0]
    assert rows["a"].sonneborn_berger == 1.5 + 0.5
    assert rows["b"].sonneborn_berger == 0.5
    assert rows["c"].sonneborn_berger == 0.75 + 0.75


def test_wins_as_second_are_worth_more():
    """With equal points, a win as second player is worth more than one as first player."""
    results = table(4, {(0, 2): WIN, (2, 0): WIN, (1, 3): LOSS, (3, 1): LOSS})
    rows = {row.name: row for row in rank_players("abcd", results)}
    assert {row.points for row in rows.values()} == {1}
    assert [rows[name].wins_as_second for name in "abcd"] == [0, 1, 0, 1]
    assert standing(results) == [(1, "b"), (1, "d"), (3, "a"), (3, "c")]


@given(tables)
def test_standing_is_stable_and_complete(results):
    """Each player occurs once, and ranks increase.

    Players of equal rank are in the order of their indices.
    """
    for player in range(len(results)):
        results[player, player] = 0
    rows = rank_players("abcde"[: len(results)], results)
    assert sorted(row.player for row in rows) == [*range(len(results))]
    assert sum(row.points for row in rows) == results.sum()
    for place, row in enumerate(rows, 1):
        assert row.rank <= place
    for above, below in pairwise(rows):
        assert above.points >= below.points
        if above.rank == below.rank:
            assert above.player < below.player


def test_points_without_a_game_count():
    """Points without a game, as for a bye, count in the total and in the opponents' tie-break."""
    results = table(3, {(0, 1): DRAW})
    rows = rank_players("abc", results, extra_points={"c": 1.0, "b": 0.5})
    assert [(row.name, row.points) for row in rows] == [("b", 1.0), ("c", 1.0), ("a", 0.5)]
    assert [row.sonneborn_berger for row in rows] == [0.25, 0.0, 0.5]


def test_accuracy_separates_players_who_are_still_tied():
    """Accuracy separates tied players only if it is known for all of them.

    It is not shown for players without a tie.
    """
    results = table(3, {(0, 1): DRAW, (1, 0): DRAW, (0, 2): WIN, (1, 2): WIN})

    def found(accuracy: dict[str, float]) -> list[tuple[int, str, float | None]]:
        rows = rank_players("abc", results, accuracy=accuracy)
        return [(row.rank, row.name, row.accuracy) for row in rows]

    known = [(1, "b", 0.9), (2, "a", 0.8), (3, "c", None)]
    assert found({"a": 0.8, "b": 0.9, "c": 0.5}) == known
    assert found({"b": 0.9, "c": 0.5}) == [(1, "a", None), (1, "b", None), (3, "c", None)]
