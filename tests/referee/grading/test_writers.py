"""Grades in the formats of other programs, compared with what these programs document."""

import json
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from c4_referee.grading.points import Grade, GradedLine
from c4_referee.grading.writers import classroom50, gradescope, junit
from graded import CLASSROOM50, GRADESCOPE, RUNNER, check_junit

LINES = (
    GradedLine("Follows the rules", 30.0, 30.0, passed=True, reason="It follows all 9 rules."),
    GradedLine("Wins <&\"'>", 6.67, 10.0, passed=False, reason="It won 6.\nA second line <&>"),
    GradedLine("Zählt", 0.0, 2.5, passed=False, reason="\N{SNOWMAN}"),
)
GRADE = Grade("bot <1>", LINES, seed=3, seconds=12.34)


def test_gradescope_shows_each_line():
    """``results.json`` has what Gradescope documents, and the sum of the points."""
    record = json.loads(gradescope(GRADE))
    jsonschema.validate(record, GRADESCOPE)
    assert record["score"] == 36.67
    assert record["leaderboard"] == [{"name": "Points", "value": 36.67, "order": "desc"}]
    assert [test["status"] for test in record["tests"]] == ["passed", "failed", "failed"]
    assert sum(test["max_score"] for test in record["tests"]) == 42.5
    assert record["tests"][1]["output"] == LINES[1].reason


def test_junit_has_a_failure_for_each_line_without_full_points():
    """GitLab sees each line under its own name, and a message for each failure."""
    text = junit(GRADE)
    assert check_junit(text) == [line.name for line in LINES]
    suite = ET.fromstring(text)[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert {test.get("classname") for test in suite} == {"bot <1>"}
    (failure,) = suite[1]
    assert failure.get("message") == "6.67 of 10 points. It won 6."
    assert failure.text == "6.67 of 10 points. It won 6.\nA second line <&>"


def test_classroom50_gets_whole_numbers_that_add_up():
    """Half points make all points a hundred times as large."""
    record = json.loads(classroom50(GRADE, RUNNER))
    jsonschema.validate(record, CLASSROOM50)
    assert (record["score"], record["max-score"]) == (3667, 4250)
    assert [test["score"] for test in record["tests"]] == [3000, 667, 0]
    assert [test["passed"] for test in record["tests"]] == [True, False, False]
    assert record["review"] == RUNNER["COMMIT_URL"]


@pytest.mark.parametrize(
    ("points", "most", "score"), [(4.9, 5.0, 4), (0.29, 0.3, 29), (0.33, 1 / 3, 33)]
)
def test_points_of_any_size_become_whole_numbers(points, most, score):
    """Parts of a point, or of a hundredth, are cut off."""
    grade = Grade("bot", (GradedLine("goal", points, most, passed=False, reason=""),))
    assert json.loads(classroom50(grade, {}))["score"] == score


def test_classroom50_without_its_runner_names_no_submission():
    """Outside of Classroom 50, there is only the result."""
    record = json.loads(classroom50(GRADE, {}))
    assert set(record) == {"schema", "score", "max-score", "tests"}
