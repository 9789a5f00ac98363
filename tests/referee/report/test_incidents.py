"""The report tells of lost games and of bots that changed their files."""

import io

import pytest
from c4_protocol.records.reports import Incidents
from c4_referee.report.incidents import print_incidents
from rich.console import Console


@pytest.mark.parametrize(
    ("incidents", "start", "end"),
    [
        (Incidents(), "", ""),
        (Incidents(1, ("a", "b")), "1 game was stopped", "were games of a and b"),
        (Incidents(2, ("a",)), "2 games were stopped", "were games of a"),
        (Incidents(2), "2 games were stopped", "wrote a wrong record"),
        (
            Incidents(0, (), {"[b]": "bot.py"}),
            "[b] changed its files during the contest: bot.py",
            "",
        ),
    ],
)
def test_incidents_are_printed(incidents, start, end) -> None:
    """Each incident has a line. Without incidents, nothing is printed."""
    text = io.StringIO()
    print_incidents(Console(file=text, width=200), incidents)
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    assert lines == [] or (lines[0].startswith(start) and lines[0].endswith(end) and not lines[1])
    assert bool(lines) == (incidents != Incidents())
