"""Gradescope's ``results.json``.

The format is that of gradescope-autograders.readthedocs.io/en/latest/specs. Students see each line
with its reason.
"""

import json

from c4_referee.grading.points import Grade, GradedLine


def text(grade: Grade) -> str:
    """Return the grade as Gradescope reads it."""
    points = round(grade.points, 2)
    record = {
        "score": points,
        "execution_time": round(grade.seconds),
        "tests": [_test(line) for line in grade.lines],
        "leaderboard": [{"name": "Points", "value": points, "order": "desc"}],
    }
    return json.dumps(record, indent=2) + "\n"


def _test(line: GradedLine) -> dict[str, object]:
    return {
        "name": line.name,
        "score": line.points,
        "max_score": line.max_points,
        "status": "passed" if line.passed else "failed",
        "output": line.reason,
        "output_format": "text",
        "visibility": "visible",
    }
