"""Several jobs answer lines in their order, also if a job ends too early."""

import pytest
from c4_bot.solve.jobs import replies

ECHO = """
import os
from c4_bot.solve.jobs import answer_blocks

class Echo:
    def reply(self, line):
        if line == b"die":
            os._exit(9)
        return line.upper() + b"\\n", "what?" if b"?" in line else ""

answer_blocks(Echo())
"""
"""Program whose answer to a line is the line in capitals, with a complaint if it has a question
mark. The line ``die`` ends it."""
LINES = [b"line %d%b" % (number, b"?" * (number % 3 == 0)) for number in range(200)]


@pytest.fixture
def echo(tmp_path):
    """Return the program."""
    path = tmp_path / "echo.py"
    path.write_text(ECHO)
    return path


@pytest.mark.parametrize(("jobs", "block"), [(1, 1), (2, 1), (3, 7), (2, 500)])
def test_answers_are_in_the_order_of_the_lines(echo, jobs, block):
    """Any number of jobs gives the same answers, each with its line."""
    expected = [(line, line.upper() + b"\n", "what?" if b"?" in line else "") for line in LINES]
    assert [*replies([], LINES, jobs, block, program=echo)] == expected
    assert [*replies([], [], jobs, block, program=echo)] == []


def test_job_that_ends_is_an_error(echo):
    """A job that is killed is an error."""
    with pytest.raises(OSError, match="a job has ended too early"):
        [*replies([], [b"one", b"die", b"two"], 2, 1, program=echo)]
