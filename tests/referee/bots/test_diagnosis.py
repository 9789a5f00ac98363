"""Reasons for which the system ended a bot: exit code, last words and memory."""

import signal

import pytest
from c4_referee.bots.diagnosis import NEARLY_ALL, NO_ROOM_MESSAGES, diagnose, diagnose_start
from c4_referee.bots.faults import Fault


@pytest.mark.parametrize(
    ("code", "words", "memory_used", "fault"),
    [
        (0, "MemoryError", 1.0, None),
        (1, "", 0.0, None),
        (1, "Traceback ... MemoryError", 0.1, Fault.OUT_OF_MEMORY),
        (-signal.SIGABRT, "terminate called: std::bad_alloc", 0.1, Fault.OUT_OF_MEMORY),
        (1, "FATAL ERROR: JavaScript heap Out Of Memory", 0.1, Fault.OUT_OF_MEMORY),
        (1, "OSError: [Errno 30] Read-only file system: 'x'", 1.0, Fault.WROTE_OUTSIDE),
        (-signal.SIGXFSZ, "", 0.0, Fault.WROTE_OUTSIDE),
        (-signal.SIGSEGV, "", NEARLY_ALL, Fault.OUT_OF_MEMORY),
        (-signal.SIGSEGV, "", NEARLY_ALL - 0.01, None),
        (None, "", 1.0, None),
        (None, "bad_alloc", 0.0, Fault.OUT_OF_MEMORY),
    ],
)
def test_limit_that_a_bot_ran_into_is_found(code, words, memory_used, fault):
    """The exceeded limit is found. It is ``None`` for exit code 0, or if a bot ended otherwise."""
    assert diagnose(code, words, memory_used) is fault


def test_start_fails_for_lack_of_room_or_because_of_the_bot():
    """A failed start is the bot's fault unless the message says that the machine is full."""
    for message in NO_ROOM_MESSAGES:
        assert diagnose_start(f"bwrap: Creating new namespace failed: {message}") is Fault.NO_ROOM
    assert diagnose_start("bwrap: execvp ./bot: No such file") is Fault.FAILED_TO_START
