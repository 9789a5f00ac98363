"""The ``result.json`` of Classroom 50.

The format is ``schemas/result-v1.schema.json`` of github.com/foundation50/classroom50. All points
are whole numbers, and the score is the sum of the tests. Where the runner of Classroom 50 starts
the command, its variables say which submission this is.
"""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime

from c4_referee.grading.points import Grade, GradedLine

SCALES = (1, 10, 100)
"""Factors for points, from which the first is taken that makes all maximum points whole."""
VARIABLES = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""Variables of the runner's environment, by the key for their value."""


def text(grade: Grade, environment: Mapping[str, str] = os.environ) -> str:
    """Return the grade as Classroom 50 reads it."""
    scale = next((s for s in SCALES if _are_whole(grade, s)), SCALES[-1])
    tests = [_test(line, scale) for line in grade.lines]
    record = {
        "schema": "classroom50/result/v1",
        **_submission(environment),
        "score": sum(_points(line, scale) for line in grade.lines),
        "max-score": sum(round(line.max_points * scale) for line in grade.lines),
        "tests": tests,
    }
    return json.dumps(record, indent=2) + "\n"


def _test(line: GradedLine, scale: int) -> dict[str, object]:
    return {
        "test-name": line.name,
        "passed": line.passed,
        "score": _points(line, scale),
        "max-score": round(line.max_points * scale),
        "output": line.reason,
    }


def _points(line: GradedLine, scale: int) -> int:
    """Return the points as a whole number. Parts of a point are cut off."""
    return int(round(line.points * scale, 6))


def _are_whole(grade: Grade, scale: int) -> bool:
    return all(round(line.max_points * scale, 6) % 1 == 0 for line in grade.lines)


def _submission(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the runner says about the submission, or an empty ``dict`` without a runner."""
    if "CLASSROOM" not in environment:
        return {}
    values = {key: environment.get(name, "") for key, name in VARIABLES.items()}
    values["review"] = values["review"] or values["commit"]
    return {**values, "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
