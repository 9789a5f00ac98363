"""Grades in the formats of other programs keep to what these programs document.

``tests/referee/test_outputs.py`` compares the files themselves.
"""

import json
from pathlib import Path

import jsonschema
import pytest
from c4_referee.classroom.grading.points import Grade
from c4_referee.classroom.grading.writers import classroom50, gradescope, junit
from graded import CLASSROOM50, GRADESCOPE, RUNNER, check_junit
from pydantic import TypeAdapter

STORED = Path(__file__).parents[3] / "golden" / "class" / "grades.json"
GRADES = TypeAdapter(list[Grade]).validate_json(STORED.read_bytes())


@pytest.mark.parametrize("grade", GRADES, ids=lambda grade: grade.bot)
def test_formats_are_as_documented(grade):
    """All files keep to their schemas. The tests of Classroom 50 add up to its score."""
    jsonschema.validate(json.loads(gradescope(grade)), GRADESCOPE)
    assert check_junit(junit(grade)) == [line.name for line in grade.lines]
    record = json.loads(classroom50(grade, RUNNER))
    jsonschema.validate(record, CLASSROOM50)
    assert record["score"] == sum(test["score"] for test in record["tests"])
    assert record["review"] == RUNNER["COMMIT_URL"]
