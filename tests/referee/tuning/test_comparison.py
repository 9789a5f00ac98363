"""Matches with a sequential test, and agreement with the solver."""

import pytest
from c4_protocol.rules.variant import STANDARD
from c4_referee.contest.openings import find_openings
from c4_referee.records.stats.sprt import Sprt
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.comparison import (
    compare,
    measure_agreement,
    play_pairs,
    solve_positions,
)

STRONG, WEAK = (1, 3, 6), (9, 1, 0)
UNDECIDED = Sprt(-0.1, 0.1)
"""A test that never decides with so few games."""


@pytest.fixture(scope="module")
def arena():
    """Return an arena for searches of two plies."""
    return Arena(2)


@pytest.fixture(scope="module")
def openings():
    """Return sixty random openings."""
    return find_openings("random:5", STANDARD, 60, seed=1)


def test_match_counts_both_colours(arena, openings) -> None:
    """Every opening gives two games. If the players are exchanged, all results are reversed."""
    found = play_pairs(arena, STRONG, WEAK, openings, UNDECIDED)
    reversed_match = play_pairs(arena, WEAK, STRONG, openings, UNDECIDED)
    assert found.wins + found.draws + found.losses == 120
    assert (found.wins, found.losses) == (reversed_match.losses, reversed_match.wins)
    assert found.elo == pytest.approx(-reversed_match.elo)
    assert found.elo_low > 0
    assert found.verdict == "undecided"


def test_player_is_as_strong_as_itself(arena, openings) -> None:
    """A player gets half of the points against itself."""
    found = play_pairs(arena, STRONG, STRONG, openings, UNDECIDED)
    assert found.elo == pytest.approx(0)
    assert found.wins == found.losses


@pytest.mark.parametrize(("one", "other", "verdict"), [(STRONG, WEAK, "H1"), (WEAK, STRONG, "H0")])
def test_match_ends_when_the_test_does(arena, openings, one, other, verdict) -> None:
    """A match ends when the test does: here after the first batch."""
    found = play_pairs(arena, one, other, openings, Sprt(0, 50))
    assert found.verdict == verdict
    assert found.wins + found.draws + found.losses == 100


def test_agreement_is_counted_from_scores(arena) -> None:
    """The agreement is counted from the score of the column that was played."""
    wins_at_once = "112233"  # player 1 completes the bottom row in column 4
    best = [-1, -1, -1, 18, -1, -1, -1]
    positions = [
        (wins_at_once, best),
        (wins_at_once, [1, 1, 1, 0, 1, 1, 19]),
        (wins_at_once, [-2, -2, -2, 3, -2, -2, 19]),
    ]
    found = measure_agreement(arena, STRONG, positions)
    assert (found.positions, found.best, found.keeping) == (3, 1, 2)


def test_solver_is_asked_over_a_pipe() -> None:
    """Positions have exact scores from the solver, and their moves have different outcomes."""
    positions = solve_positions(46, seed=3)
    assert positions
    assert len(solve_positions(5, seed=3)) <= 5
    for moves, scores in positions:
        known = [score for score in scores if score is not None]
        assert max(known) > min(known)
        assert 8 <= len(moves) <= 30


def test_comparison_is_reproducible() -> None:
    """A comparison depends only on its seed, for any number of threads."""
    settings = {"sprt": Sprt(0, 20), "pairs": 10, "plies": 4, "positions": 23, "seed": 2}
    first = compare(Arena(1), STRONG, WEAK, **settings)
    assert first == compare(Arena(1, threads=2), STRONG, WEAK, **settings)
    assert first.champion_agrees.positions == first.other_agrees.positions > 0
