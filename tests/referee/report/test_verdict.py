"""The first line of a match agrees with its points and with its likelihood."""

from c4_protocol.records.reports import MatchReport, Tally
from c4_referee.report.verdict import verdict
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
