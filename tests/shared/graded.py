"""What Gradescope, GitLab and Classroom 50 document about files with results.

Schemas of JSON are in ``tests/golden/schemas``. That of Gradescope follows
gradescope-autograders.readthedocs.io/en/latest/specs. That of Classroom 50 is its
``schemas/result-v1.schema.json``, without what its runner adds.
"""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

SCHEMAS = Path(__file__).parents[1] / "golden" / "schemas"
GRADESCOPE, CLASSROOM50 = (
    json.loads((SCHEMAS / f"{name}.json").read_bytes()) for name in ("gradescope", "classroom50")
)
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
