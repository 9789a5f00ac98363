"""Goals give points in proportion to what a bot reaches, with a reason."""

from dataclasses import replace

import pytest
from c4_protocol.records.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.records.reports import AccuracyRecord, MoveTally
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.spec import BotSpec
from c4_referee.check.checker import Cause, CheckReport, RuleOutcome
from c4_referee.check.driver import Trial
from c4_referee.check.rules import RULES
from c4_referee.grading.games import Played
from c4_referee.grading.measure import Findings, measure
from c4_referee.grading.rubric import Goal

TRIAL = Trial(BotSpec("bot", ("true",)), STANDARD)
HERE = [rule for rule in RULES if rule.applies(TRIAL) and not rule.advice]
HERE = [rule.name for rule in HERE if not rule.elsewhere(TRIAL)]
"""Names of the rules about this referee."""
STOPPED = "After 3 games in a row lost by 'late', it played no more."


def game(number: int, winner: int, fault: str = "") -> GameEnded:
    """Return a game that the bot, in seat 1, wins, loses or draws."""
    record = FaultRecord("bot", fault, "forfeit", 4, 9.0, 1.0, "no answer") if fault else None
    ending = "forfeit" if fault else "line"
    return GameEnded(
        number, "bot", "random", "", [], [], winner, ending, record, [], {},
        VariantRecord.of(STANDARD),
    )  # fmt: skip


def findings(*games: GameEnded, stopped_by: str = "", share: float | None = None) -> Findings:
    """Return what is known of a bot that follows all rules and has played games."""
    tally = MoveTally(40, 30, 20, 0, 0, 0, 0, 0, 0)
    phases = (tally, tally, tally)
    accuracy = AccuracyRecord(40, share, 0.0, 1.0, tally, tally, tally, phases)
    rules = [RuleOutcome(name, passed=True) for name in HERE]
    played = Played({"random": [*games]}, stopped_by)
    return Findings(TRIAL, CheckReport("bot", rules=rules), played, accuracy)


def goal(type_: str, **fields: object) -> Goal:
    """Return a goal of one point, against random if it has games."""
    against = "random" if "games" in fields else ""
    return Goal(type=type_, points=1, against=against, **fields)


def test_wins_count_in_the_first_games_of_the_goal():
    """A goal about wins counts its own games, and draws do not count."""
    wanted = goal("wins", games=4, wins=4)
    found = findings(game(1, 1), game(2, 0), game(3, 2), game(4, 1), game(5, 1))
    assert measure(wanted, found) == (0.5, "It won 2 of 4 games; 4 are wanted.")


def test_more_wins_than_wanted_reach_the_goal():
    """A bot that wins more than enough games reaches the goal."""
    wanted = goal("wins", games=2, wins=1)
    share, _ = measure(wanted, findings(game(1, 1), game(2, 1)))
    assert share >= 1


def test_games_that_were_not_played_are_lost():
    """Games after the third fault in a row count as lost, and the reason says why."""
    wanted = goal("score", games=10, share=0.2)
    found = findings(game(1, 1), *(game(n, 2, "late") for n in (2, 3, 4)), stopped_by="late")
    assert measure(wanted, found) == (0.5, f"It scored 1 of 10 points; 2 are wanted. {STOPPED}")


def test_games_that_could_not_be_played_are_named():
    """A game that failed three times for another reason is named."""
    wanted = goal("score", games=2, share=0.5)
    share, reason = measure(wanted, findings(game(1, 0)))
    assert (share, reason) == (
        0.5,
        "It scored 0.5 of 2 points; 1 are wanted. 1 game could not be played.",
    )


def test_accuracy_counts_in_proportion():
    """Accuracy is compared with what is wanted."""
    share, reason = measure(goal("accuracy", share=0.8), findings(game(1, 1), share=0.6))
    assert share == pytest.approx(0.75)
    assert reason == "60.0% of 40 moves kept the result of best play; 80.0% are wanted."


@pytest.mark.parametrize("found", [findings(), findings(game(1, 1), stopped_by="late", share=1.0)])
def test_no_accuracy_without_whole_games(found):
    """A bot without judged moves, or that always fails after a few good moves, has none."""
    assert measure(goal("accuracy", share=0.1), found)[0] == 0


def test_games_without_a_fault_count_in_proportion():
    """The first fault is in the reason. Faults of the opponent do not count."""
    fault = FaultRecord("random", "late", "forfeit", 4, 9.0, 1.0, "no answer")
    theirs = replace(game(4, 1), fault=fault)
    found = findings(game(1, 1), game(2, 2, "late"), game(3, 1), theirs)
    assert measure(goal("no-fault"), found) == (
        0.75,
        "It lost 1 of 4 games by a fault. The first: late: no answer.",
    )
    assert measure(goal("no-fault"), findings(game(1, 2)))[0] == 1
    always = findings(game(1, 1), game(2, 2, "late"), stopped_by="late")
    assert measure(goal("no-fault"), always)[0] == 0


def test_rules_count_in_proportion_also_those_not_tried():
    """A rule that was not tried is not followed. Rules about other referees do not count."""
    assert measure(goal("check"), findings()) == (
        1,
        f"It follows all {len(HERE)} rules.",
    )
    failed = RuleOutcome(HERE[1], passed=False)
    other = RuleOutcome("other", passed=False, elsewhere=True)
    report = CheckReport(
        "bot",
        passed_here=False,
        rules=[RuleOutcome(HERE[0], passed=True), failed, other],
        not_tried=[*HERE[2:], "starts with one bare argument"],
        causes=[
            Cause("try", "it hides", None, [], elsewhere=True),
            Cause("flush", "it is silent", None, []),
        ],
    )
    found = Findings(TRIAL, report, Played())
    share, reason = measure(goal("check"), found)
    assert share == pytest.approx(1 / len(HERE))
    assert reason == f"It follows 1 of {len(HERE)} rules: it is silent. To fix: flush"
