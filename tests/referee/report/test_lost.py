"""A message about lost workers names the bots that played in all of their games."""

import pytest
from c4_referee.report.lost import tell_lost


@pytest.mark.parametrize(
    ("lost", "start", "end"),
    [
        ([], "", ""),
        ([("a", "b")], "1 game was stopped", "in each of them played a and b\n"),
        ([("a", "b"), ("c", "a")], "2 games were stopped", "in each of them played a\n"),
        ([("a", "b"), ("c", "d")], "2 games were stopped", "wrote a wrong record\n"),
    ],
)
def test_suspects_are_named(capsys, lost, start, end) -> None:
    """A bot is named if it played in every game whose worker was lost."""
    tell_lost(lost)
    said = capsys.readouterr().err
    assert said.startswith(start)
    assert said.endswith(end)
    assert bool(said) == bool(lost)
