"""The sequential test: published values, results of all kinds, error rates."""

import math

import numpy as np
import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.records.stats.elo import MAX_ELO_DIFFERENCE, expected_share
from c4_referee.records.stats.sprt import SequentialTest, Sprt, UntilTest, match_test
from effort import one_in
from games import game_of
from hypothesis import given
from hypothesis import strategies as st

counts = st.lists(st.integers(0, 10_000), min_size=5, max_size=5)
points = st.floats(-2000, 2000)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55983, 26678, 821], 0, 2, -4.98),
        ([21184, 40708, 21404], 0.5, 2.5, -1.57),
        ([57030, 106593, 57433], 0, 2, -2.59),
    ],
)
def test_published_ratios(counts, elo0, elo1, llr):
    """The ratios are the logistic ones of fastchess (sprt_test.cpp), which fishtest also uses."""
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(llr, abs=0.005)


@pytest.mark.parametrize("counts", [[3, 20, 6], [1, 0, 40], [120, 5, 119]])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 50), (-200, 300)])
def test_ratio_is_that_of_constrained_maxima(counts, elo0, elo1):
    """The ratio agrees to four digits with the highest likelihoods on a fine grid."""

    def highest(points: float) -> float:
        share = expected_share(points)
        wins = np.linspace(max(0, 2 * share - 1), share, 1_000_001)[1:-1]
        chances = (1 - 2 * share + wins, 2 * (share - wins), wins)  # of a loss, a draw and a win
        return max(sum(n * np.log(p) for n, p in zip(counts, chances, strict=True)))

    expected = highest(elo1) - highest(elo0)
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(expected, rel=1e-4, abs=1e-3)


def test_bounds_are_those_of_wald():
    """Error probabilities of 5% give the bounds -ln 19 and ln 19. Unequal ones are asymmetric."""
    assert Sprt(0, 5).upper == pytest.approx(2.944439, abs=1e-6)
    assert Sprt(0, 5).lower == pytest.approx(-2.944439, abs=1e-6)
    assert Sprt(0, 5, 0.01, 0.1).upper == pytest.approx(math.log(90))
    assert Sprt(0, 5, 0.01, 0.1).lower == pytest.approx(math.log(0.1 / 0.99))


@given(counts, points, points)
def test_ratio_is_always_finite(counts, one, other):
    """Any counts and differences give a finite ratio. Exchanging the players negates it."""
    low, high = sorted((one, other))
    if low < high:
        llr = Sprt(low, high).llr(counts)
        assert math.isfinite(llr)
        back = Sprt(-high, -low).llr(counts[::-1])
        assert llr == pytest.approx(-back, rel=1e-6, abs=1e-4)


@pytest.mark.parametrize(
    ("score", "verdict", "pairs"),
    [(0, "H0", 51), (1, "H0", 51), (2, "H0", 102), (3, "H1", 104), (4, "H1", 104)],
)
def test_one_sided_results_are_decided(score, verdict, pairs):
    """One-sided pairs decide the test after the expected number of pairs.

    If all pairs are won, both hypotheses fit best if all other pairs would be lost. Then the ratio
    grows by ln(share1 / share0) with each pair.
    """
    test = SequentialTest(Sprt(0, 10), "")
    taken = 1
    while not test.add(score):
        taken += 1
    assert test.verdict == verdict
    if score == 4:
        assert taken == math.ceil(math.log(19) / math.log(expected_share(10) / 0.5)) == pairs
    if score == 0:
        assert taken == math.ceil(math.log(19) / -math.log((1 - expected_share(10)) / 0.5))


def test_decision_is_for_good():
    """Pairs after the decision do not change the verdict."""
    test = SequentialTest(Sprt(0, 400), "")
    while not test.add(4):
        pass
    llr = test.llr
    assert all(test.add(0) for _ in range(100))
    assert (test.verdict, test.llr) == ("H1", llr)


@pytest.mark.parametrize(
    "chances",
    one_in(3, [[0.05, 0.1, 0.7, 0.1, 0.05], [0.25, 0, 0.5, 0, 0.25], [0.45, 0.05, 0, 0.05, 0.45]]),
)
@pytest.mark.parametrize("truth", [0, 100])
def test_error_rates_are_what_was_asked(chances, truth):
    """At most 5% of 200 tests are wrong under each hypothesis, up to three standard deviations."""
    draw = np.random.default_rng(truth)
    values = np.linspace(0, 1, 5)
    tilted = np.array(chances)
    for _ in range(400):  # shift the mean to that of the truth
        tilted = tilted * np.exp(2 * (expected_share(truth) - tilted @ values) * values)
        tilted /= tilted.sum()
    assert tilted @ values == pytest.approx(expected_share(truth), abs=1e-6)
    wrong = 0
    for _ in range(200):
        test = SequentialTest(Sprt(0, 100), "")
        while not test.add(int(draw.choice(5, p=tilted))):
            pass
        wrong += test.verdict == ("H0" if truth else "H1")
    assert wrong / 200 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5", "expected elo0,elo1"),
        ("0,5,0.05,0.05,1", "expected elo0,elo1"),
        ("a,b", "could not convert"),
        ("5,0", "elo0 must be less than elo1"),
        ("5,5", "elo0 must be less than elo1"),
        ("0,nan", "elo0 must be less than elo1"),
        ("0,inf", "elo0 must be less than elo1"),
        ("-2001,0", "must be from -2000 to 2000"),
        ("0,1e6", "must be from -2000 to 2000"),
        ("0,5,0", "alpha and beta"),
        ("0,5,0.5", "alpha and beta"),
        ("0,5,0.05,0.5", "alpha and beta"),
    ],
)
def test_numbers_that_make_no_test_are_told(text, reason):
    """Impossible numbers are refused in one line that says what is wrong."""
    with pytest.raises(ValueError, match=reason):
        Sprt.parse(text)


def test_numbers_are_read():
    """A test is written with two, three or four numbers."""
    assert Sprt.parse("0,5") == Sprt(0, 5, 0.05, 0.05)
    assert Sprt.parse("-5, 0,0.01") == Sprt(-5, 0, 0.01, 0.05)
    assert Sprt.parse("0,5,.01,.1") == Sprt(0, 5, 0.01, 0.1)
    assert Sprt.parse(f"{-MAX_ELO_DIFFERENCE},{MAX_ELO_DIFFERENCE}")


def test_bounds_themselves_decide():
    """Hypotheses are accepted at or beyond their bounds."""
    test = Sprt(0, 5)
    assert (test.verdict(test.upper), test.verdict(test.lower)) == ("H1", "H0")
    inside = (math.nextafter(test.upper, 0), math.nextafter(test.lower, 0), 0.0)
    assert {test.verdict(llr) for llr in inside} == {"undecided"}


def test_games_are_taken_in_pairs():
    """Games are taken in pairs, and half a pair changes nothing."""
    test, by_score = (SequentialTest(Sprt(0, 400), "a") for _ in range(2))
    assert (test.llr, test.verdict, test.is_decided) == (0.0, "undecided", False)
    seats = (("a", "b", 1), ("b", "a", 0)) * 9
    for number, (first, second, winner) in enumerate(seats, 1):
        game = game_of(f"{number:o}", game=number, first=first, second=second, winner=winner)
        before = test.llr
        assert test.take_game(game) == test.is_decided
        if number % 2:
            assert test.llr == before
        else:
            by_score.add(3)
        assert test.llr == by_score.llr
    assert test.llr != 0


def games_won_by(winners):
    """Yield games in which a and b have the first seat in turns, with these winners."""
    for number, winner in enumerate(winners, 1):
        bots = ("a", "b") if number % 2 else ("b", "a")
        seat = bots.index(winner) + 1
        yield game_of(f"{number:o}", game=number, first=bots[0], second=bots[1], winner=seat)


@pytest.mark.parametrize(
    ("winners", "verdict", "bot"),
    [
        ("aa", "better", "a"),
        ("bb", "better", "b"),
        ("ab", "within", None),
        ("aaabababab", "better", "a"),
        ("bbbabababa", "better", "b"),
    ],
)
def test_match_ends_when_one_bot_is_better_or_both_are_close(winners, verdict, bot):
    """Results that repeat until the end decide for the better bot, or for none of them."""
    test = UntilTest(0.95, 30, ("a", "b"))
    games = games_won_by(winners * 300)
    while not test.take_game(next(games)):
        assert test.in_report()["until"].verdict == "undecided"
    record = test.in_report()["until"]
    assert (record.verdict, record.bot, record.until, record.within) == (verdict, bot, 0.95, 30)
    assert [(one.elo0, one.elo1) for one in record.tests] == [(0, 30), (-30, 0)]
    assert {one.upper for one in record.tests} == {-one.lower for one in record.tests}
    assert record.tests[0].upper == pytest.approx(math.log(39), abs=1e-4)  # half of 5 % each
    assert test.take_game(next(games))
    assert test.in_report()["until"] == record


def test_repeated_games_do_not_end_a_match():
    """A game that repeats an earlier one changes nothing, however often it is played."""
    test = UntilTest(0.6, 400, ("a", "b"))
    pair = [*games_won_by("aa")]
    assert not any(test.take_game(game) for game in pair)
    before = test.in_report()
    assert not any(test.take_game(game) for game in pair * 100)
    assert test.in_report() == before


@pytest.mark.parametrize("until", [0.5, 1, -1, math.nan, "0.95", None, 2])
def test_impossible_until_and_within_are_refused(until):
    """Numbers that make no test, and tests that exclude each other, are usage errors."""
    for within, sprt in ((None, None), (30, None)) if until is not None else ((30, None),):
        with pytest.raises(UsageError, match="until"):
            match_test(("a", "b"), sprt, until, within)
    for within in (0, -3, math.inf, math.nan, 2001, "30"):
        with pytest.raises(UsageError, match="within"):
            match_test(("a", "b"), None, 0.95, within)
    with pytest.raises(UsageError, match="leave out one"):
        match_test(("a", "b"), Sprt(0, 5), 0.95, None)
