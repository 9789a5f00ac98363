"""Goals give points in proportion to what a bot reaches, with a reason."""

import json
from pathlib import Path

import pytest
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.records.reports import AccuracyRecord, MoveTally
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.spec import BotSpec
from c4_referee.check.checker import Cause, CheckReport, RuleOutcome
from c4_referee.check.driver import Trial
from c4_referee.check.rules import RULES
from c4_referee.classroom.grading.measure import Findings, margin, measure
from c4_referee.classroom.grading.rubric import Goal
from c4_referee.classroom.grading.rubric_games import Played
from games import game_of

TRIAL = Trial(BotSpec("bot", ("true",)), STANDARD)
HERE = [rule for rule in RULES if rule.applies(TRIAL) and not rule.advice]
HERE = [rule.name for rule in HERE if not rule.elsewhere(TRIAL)]
"""Names of the rules about this referee."""
TALLY = MoveTally(40, 30, 20, 0, 0, 0, 0, 0, 0)
GOALS = Path(__file__).parents[3] / "golden" / "class"


def game(number: int, winner: int, fault: str = "", loser: str = "bot") -> GameEnded:
    """Return a game that the bot, in seat 1, wins, loses or draws."""
    record = FaultRecord(loser, fault, "forfeit", 4, 9.0, 1.0, "no answer") if fault else None
    return game_of("", game=number, first="bot", second="random", winner=winner, fault=record)


def test_goals_are_reached_in_proportion(golden):
    """The shares of goals that bots reach, and the reasons, are those of the golden file.

    Games that were not played are lost. Faults of the opponent do not count. A bot that always
    fails gets nothing for its few moves. If moves vary, points of games have a margin.
    """
    text = ""
    for row in json.loads((GOALS / "goals.json").read_bytes()):
        against = {"against": "random"} if "games" in row["goal"] else {}
        goal = Goal(points=1, **row["goal"], **against)
        played = Played(
            {"random": [game(*each) for each in row["games"]]},
            row.get("stopped_by", ""),
            varies=True,
            random_shares={"random": row.get("zero", 0.0)},
        )
        accuracy = AccuracyRecord(40, row.get("share"), 0.4, 0.7, *[TALLY] * 3, (TALLY,) * 3)
        report = CheckReport("bot", rules=[RuleOutcome(name, passed=True) for name in HERE])
        found = Findings(TRIAL, report, played, accuracy)
        share, reason = measure(goal, found)
        width = 0.0 if played.stopped_by else margin(goal, found)
        text += f"{share:.3f} ± {width:.3f} {goal.type}: {reason}\n".replace(
            f"all {len(HERE)} ", "all "
        )
    golden(GOALS / "goals.txt", text)


def test_rules_that_were_not_tried_are_not_followed():
    """A rule that was not tried is not followed. Rules about other referees do not count."""
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
    share, reason = measure(Goal(type="check", points=1), found)
    assert share == pytest.approx(1 / len(HERE))
    assert reason == f"It follows 1 of {len(HERE)} rules: it is silent. To fix: flush"
