"""JUnit XML, in the form that GitLab reads (docs.gitlab.com/ci/testing/unit_test_reports).

GitLab shows the ``classname`` of a test as its suite, and identifies a test by ``classname`` and
``name``. Both stay the same when the points change, so that it can compare two runs.
"""

from xml.etree import ElementTree as ET

from c4_referee.grading.points import Grade, GradedLine


def text(grade: Grade) -> str:
    """Return the grade as JUnit XML. A line without full points is a failure."""
    failures = sum(not line.passed for line in grade.lines)
    totals = {
        "tests": str(len(grade.lines)),
        "failures": str(failures),
        "errors": "0",
        "skipped": "0",
        "time": f"{grade.seconds:.3f}",
    }
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", {"name": grade.bot, **totals})
    for line in grade.lines:
        _add_test(suite, grade.bot, line)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_test(suite: ET.Element, bot: str, line: GradedLine) -> None:
    test = ET.SubElement(suite, "testcase", {"classname": bot, "name": line.name, "time": "0"})
    points = f"{line.points:g} of {line.max_points:g} points. {line.reason}"
    if line.passed:
        ET.SubElement(test, "system-out").text = points
    else:
        first, *_ = points.splitlines()
        ET.SubElement(test, "failure", {"message": first, "type": "points"}).text = points
