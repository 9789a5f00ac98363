"""The first line of a match agrees with its points and with its likelihood."""

from dataclasses import replace

from c4_protocol.records.events import FaultRecord
from c4_protocol.records.reports import MatchReport, SprtRecord, Tally, UntilRecord
from c4_referee.report.verdict import bot_that_forfeited_all, verdict
from games import game_of
from hypothesis import given
from hypothesis import strategies as st

results = st.integers(0, 9)


@given(results, results, results, st.floats(0, 1), st.sampled_from([(1, 9), (-9, 9), (-9, -1)]))
def test_first_line_never_contradicts_the_points(wins, draws, losses, los, interval):
    """The bot with more points leads, and only an interval without 0 settles it."""
    games, own = wins + draws + losses, Tally()
    report = MatchReport(
        ("a", "b"),
        games,
        wins,
        draws,
        losses,
        own,
        own,
        games,
        {},
        0,
        *interval,
        los,
        1,
        complete=True,
    )
    text = verdict(report, [])
    ahead, sure = ("a", los) if wins > losses else ("b", 1 - los)
    assert text.startswith(f"{ahead} leads ") == (wins != losses)
    assert (" are equal on points, " in text) == (wins == losses and games > 0)
    edge = interval[0] if wins > losses else -interval[1]
    assert text.endswith(": settled") == (wins != losses and sure > 0.5 and edge > 0)
    assert ("the better bot" in text) == (wins != losses and sure > 0.5)


def test_no_bot_is_named_alone_for_what_both_have_done():
    """If each bot forfeited half of the games, both are named."""
    games = [game_of("", fault=FaultRecord(bot, "late", "forfeit", 0, 0, 0, "")) for bot in "ab"]
    report = MatchReport(
        ("a", "b"), 2, 1, 0, 1, Tally(), Tally(), 2, {}, 0, -9, 9, 0.5, 1, complete=True
    )
    both = "a forfeited 1 of 2 games and b forfeited 1 of 2 games"
    assert verdict(report, games) == f"a and b are equal on points, 1 to 1; {both}"
    assert bot_that_forfeited_all(games[:1]) == ""  # a void game, which nobody wins


def test_first_line_says_where_tests_of_both_bots_stand():
    """The decision follows the lead. Undecided, it says what is known of one of the bots."""
    report = MatchReport(
        ("a", "b"), 2, 1, 0, 1, Tally(), Tally(), 2, {}, 0, -9, 9, 0.5, 1, complete=True
    )
    for verdicts, decision, bot, words in (
        ("H1 undecided", "better", "a", "decided that a is better"),
        ("undecided H0", "better", "b", "decided that b is better"),
        ("H0 H1", "within", None, "decided that both are within 30 Elo"),
        ("undecided undecided", "undecided", None, "are undecided: a larger --games lets them"),
        ("H0 undecided", "undecided", None, "are undecided, but a is not better by 30 Elo or more"),
        ("undecided H1", "undecided", None, "are undecided, but b is not better by 30 Elo or more"),
    ):
        tests = tuple(SprtRecord(0, -3, 3, one, 0, 30) for one in verdicts.split())
        until = UntilRecord(0.95, 30, decision, bot, tests)
        text = verdict(replace(report, until=until), [game_of("")])
        assert f"a and b are equal on points, 1 to 1; the sequential tests {words}" in text
