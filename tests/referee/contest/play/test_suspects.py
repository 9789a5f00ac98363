"""A bot is the reason for lost games only if no other bot can be."""

import pytest
from c4_referee.contest.play.suspects import culprit_of, suspects_of


@pytest.mark.parametrize(
    ("lost", "suspects"),
    [
        ([], []),
        ([("b", "a")], ["a", "b"]),
        ([("a", "b"), ("c", "a")], ["a"]),
        ([("a", "b"), ("c", "d")], []),
    ],
)
def test_suspects_played_in_all_lost_games(lost, suspects) -> None:
    """A bot is a suspect if it played in every game whose worker was lost."""
    assert suspects_of(lost) == suspects


@pytest.mark.parametrize(
    ("opponents", "culprit"),
    [("", None), ("b", None), ("bc", None), ("bbbbb", None), ("bbbbc", None), ("bcc", None),
     ("bbcc", "a"), ("bcd", "a"), ("bbbcd", "a")],
)  # fmt: skip
def test_culprit_lost_workers_against_several_opponents(opponents, culprit) -> None:
    """An opponent that stops workers, and one accident, do not make a bot the culprit."""
    assert culprit_of([("a", opponent) for opponent in opponents]) == culprit
    assert culprit_of([(opponent, "a") for opponent in opponents]) == culprit


def test_culprit_is_found_among_other_lost_games() -> None:
    """A game that was lost for another reason does not hide the culprit, but many such games do."""
    lost = [("a", opponent) for opponent in "bcd"]
    assert culprit_of([("e", "f"), *lost]) == "a"
    assert suspects_of([("e", "f"), *lost]) == ["a"]
    assert culprit_of([("e", "f"), ("b", "c"), *lost]) is None
