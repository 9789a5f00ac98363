"""Settings and results of runs in words."""

import pytest
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.experiment import experiment_row
from c4_referee.tuning.wording import (
    end_in_words,
    interval_text,
    play_command,
    ratio_cells,
    ratio_statements,
    ratio_text,
    settings_in_words,
    short_number,
)


def test_settings_are_sentences() -> None:
    """Every setting is a sentence, and no setting looks like Python."""
    settings = RunSettings(faithful=True, openings=2, plies=1, sparring=("windows", "needed"))
    words = dict(settings_in_words(settings))
    assert words["Wins"] == "Early and late wins have the same value, as in the paper."
    assert words["Openings"] == "Each round is played from 2 new random openings of 1 move."
    assert words["Other players"] == "All players also play against windows, needed."
    assert words["Population"] == "20 players in each round; the best 4 stay."
    plain = dict(settings_in_words(RunSettings(depth=1, method="spsa")))
    assert plain["Search"] == "Players look 1 ply ahead."
    assert plain["Wins"] == "An early win is worth more than a late one."
    assert "SPSA" in plain["Method"]
    assert "Other players" not in plain


def test_end_names_the_option() -> None:
    """The end of a run is a sentence with the option that caused it."""
    assert end_in_words(StoppingRule(1), 1, "rounds") == "After 1 round (--rounds)."
    assert "less than 5" in end_in_words(StoppingRule(50, 5), 12, "threshold")
    assert "--threshold" in end_in_words(StoppingRule(12), 12, "threshold")


def test_statements_say_what_is_decided() -> None:
    """A statement has the ratio, its interval, and what it says about the paper's ratio."""
    agrees, differs = ratio_statements(experiment_row(0, [[(10, 30, 20)], [(11, 33, 22)]] * 5))
    assert agrees == (
        "2-seq/1-seq is 3.0 (95% interval: 3.0 to 3.0). It agrees with the paper: the interval "
        "lies inside 2 to 4.5, a factor of 1.5 around the paper's 3."
    )
    assert "2.0 to 2.0). It differs from the paper: the interval lies outside 4 to 9" in differs
    single, _ = ratio_statements(experiment_row(50, [[(10, 30, 60)]]))
    assert "95% interval: any ratio is possible). Not decided with so few runs" in single


def test_cells_have_ratio_interval_and_verdict() -> None:
    """A row has a cell with the ratio and its interval, and a cell with the verdict."""
    row = experiment_row(50, [[(10, 30, 60)], [(11, 33, 66)], [(9, 27, 54)]])
    assert ratio_cells([row]) == [
        ["50", "3", "3.0 (3.0 to 3.0)", "agrees", "6.0 (6.0 to 6.0)", "agrees"]
    ]
    assert interval_text(experiment_row(50, [[(1, 3, 6)]]).ratios[0]) == "any"


@pytest.mark.parametrize(
    ("value", "text"), [(3.14, "3.1"), (9.96, "10"), (12.3, "12"), (-1, "-1.0")]
)
def test_numbers_are_short(value, text) -> None:
    """Numbers from 10 on have no decimal place."""
    assert short_number(value) == text


def test_command_plays_as_in_the_run() -> None:
    """The command line of the bot has the depth and the rules of the run."""
    command = play_command(RunSettings(depth=5, faithful=True), (1, 2, 3))
    assert command == "c4-bot --plays sequences --depth 5 --set faithful=true --weights 1,2,3"
    assert ratio_text((0, 1, 2), 1) == "-"
