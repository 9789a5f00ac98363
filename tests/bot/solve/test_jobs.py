"""Several jobs answer lines in their order, also if a job ends too early."""

import os
import signal

import pytest
from c4_bot.solve.jobs import replies


class Echo:
    """A replier whose answer is the line, in capitals. A line ``die`` ends its process."""

    def reply(self, line: bytes) -> tuple[bytes, str]:
        """Return the answer and a complaint about lines with a question mark."""
        if line == b"die":
            os.kill(os.getpid(), signal.SIGKILL)
        return line.upper() + b"\n", "what?" if b"?" in line else ""


LINES = [b"line %d%b" % (number, b"?" * (number % 3 == 0)) for number in range(200)]


@pytest.mark.parametrize(("jobs", "block"), [(1, 1), (2, 1), (3, 7), (2, 500)])
def test_answers_are_in_the_order_of_the_lines(jobs, block):
    """Any number of jobs gives the same answers, each with its line."""
    expected = [(line, *Echo().reply(line)) for line in LINES]
    assert [*replies(Echo(), LINES, jobs, block)] == expected
    assert [*replies(Echo(), [], jobs, block)] == []


def test_job_that_ends_is_an_error():
    """A job that is killed is an error."""
    with pytest.raises(OSError, match="a job has ended too early"):
        [*replies(Echo(), [b"one", b"die", b"two"], 2, 1)]
