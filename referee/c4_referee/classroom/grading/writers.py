"""Writers of grades: a function for each format of other programs, and one for people."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.classroom.grading.points import Grade

CLASSROOM50_VARIABLES = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""Variables of the environment in which Classroom 50 grades, by their keys in ``result.json``."""


def gradescope(grade: Grade) -> str:
    """Return ``results.json`` of Gradescope: gradescope-autograders.readthedocs.io/en/latest/specs.

    Students see each line with its reason.
    """
    points = round(grade.points, 2)
    tests = [
        {
            "name": line.name,
            "score": line.points,
            "max_score": line.max_points,
            "status": "passed" if line.passed else "failed",
            "output": line.reason,
            "output_format": "text",
            "visibility": "visible",
        }
        for line in grade.lines
    ]
    leaders = [{"name": "Points", "value": points, "order": "desc"}]
    totals = {"score": points, "execution_time": round(grade.seconds)}
    return _json({**totals, "tests": tests, "leaderboard": leaders})


def junit(grade: Grade) -> str:
    """Return JUnit XML as GitLab reads it: docs.gitlab.com/ci/testing/unit_test_reports.

    GitLab shows the ``classname`` of a test as its suite, and identifies a test by ``classname``
    and ``name``. Both stay the same when the points change, so that it can compare two runs.
    """
    failures = sum(not line.passed for line in grade.lines)
    totals = {"tests": str(len(grade.lines)), "failures": str(failures), "errors": "0"}
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", {"name": grade.bot, **totals})
    suite.set("time", f"{grade.seconds:.3f}")
    for line in grade.lines:
        test = ET.SubElement(suite, "testcase", {"classname": grade.bot, "name": line.name})
        result = ET.SubElement(test, "system-out" if line.passed else "failure")
        result.text = f"{line.points:g} of {line.max_points:g} points. {line.reason}"
        if not line.passed:
            result.set("message", result.text.splitlines()[0])
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def classroom50(grade: Grade, environment: Mapping[str, str] = os.environ) -> str:
    """Return ``result.json`` of Classroom 50: ``schemas`` of github.com/foundation50/classroom50.

    All points are whole numbers, and the score is the sum of the tests. If a maximum is no whole
    number, all points are a hundred times as large. Parts of a point are cut off.
    """
    scale = 1 if all(line.max_points.is_integer() for line in grade.lines) else 100
    tests = [
        {
            "test-name": line.name,
            "passed": line.passed,
            "score": _whole(line.points, scale),
            "max-score": _whole(line.max_points, scale),
            "output": line.reason,
        }
        for line in grade.lines
    ]
    submission = {key: environment.get(name, "") for key, name in CLASSROOM50_VARIABLES.items()}
    submission["review"] = submission["review"] or submission["commit"]
    submission["datetime"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    record = {
        "schema": "classroom50/result/v1",
        **(submission if "CLASSROOM" in environment else {}),
        "score": sum(_whole(line.points, scale) for line in grade.lines),
        "max-score": sum(_whole(line.max_points, scale) for line in grade.lines),
        "tests": tests,
    }
    return _json(record)


def _whole(points: float, scale: int) -> int:
    """Return points as a whole number. Parts are cut off, but not for a rounding error."""
    return int(round(points * scale, 6))


def _json(record: Mapping[str, object]) -> str:
    return json.dumps(record, indent=2) + "\n"


def print_grade(console: Console, grade: Grade) -> None:
    """Print the points of each line with their reason, and the total."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for line in grade.lines:
        points = Text(f"{line.points:g} of {line.max_points:g}", "green" if line.passed else "red")
        table.add_row(points, Text.assemble((line.name, "bold"), f"\n{line.reason}"))
    console.print(Text(grade.bot), table, f"Total: {grade.total} of {grade.max_points:g} points")
