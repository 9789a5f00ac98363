"""What Gradescope, GitLab and Classroom 50 document about files with results."""

from typing import Any
from xml.etree import ElementTree as ET

NUMBER, TEXT = {"type": "number"}, {"type": "string"}
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}


def _object(required: str = "", /, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name.replace("__", "-"): value for name, value in properties.items()},
        "required": required.split(),
        "additionalProperties": False,
    }


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1}


GRADESCOPE = _object(
    "tests",
    score={"type": "number", "minimum": 0},
    execution_time=NUMBER,
    output=TEXT,
    output_format=TEXT,
    visibility=VISIBILITY,
    stdout_visibility=VISIBILITY,
    extra_data={"type": "object"},
    tests=_array(
        _object(
            "score",
            score=NUMBER,
            max_score=NUMBER,
            status={"enum": ["passed", "failed"]},
            name=TEXT,
            number=TEXT,
            output=TEXT,
            output_format={"enum": ["text", "html", "simple_format", "md", "ansi"]},
            tags=_array(TEXT),
            visibility=VISIBILITY,
            extra_data={"type": "object"},
        )
    ),
    leaderboard=_array(
        _object(
            "name value",
            name=TEXT,
            value={"type": ["number", "string"]},
            order={"enum": ["asc", "desc"]},
        )
    ),
)
"""gradescope-autograders.readthedocs.io/en/latest/specs."""

POINTS = {"type": "integer", "minimum": 0}
INSTANT = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
WORD = {"type": "string", "minLength": 1}
CLASSROOM50 = _object(
    "schema classroom assignment submission commit release review datetime score max-score tests",
    schema={"const": "classroom50/result/v1"},
    classroom=WORD,
    assignment=WORD,
    submission={"type": "string", "pattern": "^submit/"},
    commit=WORD,
    release=WORD,
    review=WORD,
    datetime=INSTANT,
    score=POINTS,
    max__score=POINTS,
    tests=_array(
        _object(
            "test-name passed score max-score",
            test__name=WORD,
            passed={"type": "boolean"},
            score=POINTS,
            max__score=POINTS,
            output=TEXT,
        )
    ),
)
"""``schemas/result-v1.schema.json`` of Classroom 50, without what its runner adds."""
RUNNER = {
    "CLASSROOM": "ai",
    "ASSIGNMENT": "four",
    "SUBMISSION_TAG": "submit/2026-11-26T10-00-00Z-abc1234",
    "COMMIT_URL": "https://example.org/commit/abc1234",
    "RELEASE_URL": "https://example.org/release/1",
}
"""Variables of the environment in which Classroom 50 grades."""


def check_junit(text: str) -> list[str]:
    """Check that a text is JUnit XML as GitLab reads it, and return the names of the tests."""
    root = ET.fromstring(text.encode())
    assert root.tag == "testsuites"
    tests = [test for suite in root for test in suite]
    for suite in root:
        assert suite.tag == "testsuite"
        assert int(suite.get("tests", "")) == len(suite)
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
    for test in tests:
        assert test.tag == "testcase"
        assert {child.tag for child in test} in ({"failure"}, {"system-out"})
    keys = {(test.get("classname"), test.get("name")) for test in tests}
    assert len(keys) == len(tests)
    assert all(key and all(key) for key in keys)
    return [test.get("name", "") for test in tests]
