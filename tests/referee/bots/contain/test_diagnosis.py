"""Reasons for which the system ended a bot: exit code, last words and memory."""

import signal

import pytest
from c4_referee.bots.contain.diagnosis import (
    NEARLY_ALL,
    NO_ROOM_MESSAGES,
    SYMPTOMS,
    diagnose,
    diagnose_start,
)
from c4_referee.bots.contain.faults import Fault


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


CRASH = """Traceback (most recent call last):
  File "bot.py", line 9, in <module>
    row[7]
IndexError: list index out of range
"""
NODE_DUMP = """FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0xb8d0a3 node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
10: 0x7f1e54019ef6
Aborted (core dumped)
"""
NODE_ERROR = """node:fs:562
  return binding.open(
                 ^

Error: EROFS: read-only file system, open '/x'
    at Object.openSync (node:fs:562:18)
    at Object.<anonymous> (/bots/bot.js:1:15) {
  errno: -30,
  code: 'EROFS',
}

Node.js v20.20.2
"""
GO_DUMP = """fatal error: runtime: out of memory

runtime stack:
runtime.throw({0x47c13d?, 0xc000042748?})
\t/usr/local/go/src/runtime/panic.go:1047 +0x5d
main.(*board).grow(...)
\t/bots/bot.go:6 +0x1d

goroutine 1 gp=0xc000002380 m=0 mp=0x5 [running]:
main.main()
\t/bots/bot.go:9 +0x1d
created by main.main in goroutine 1
exit status 2
"""


@pytest.mark.parametrize("symptom", SYMPTOMS, ids=[symptom for symptom, _ in SYMPTOMS])
@pytest.mark.parametrize(
    "ending", [CRASH, "no luck\n", "panic: no luck\n\ngoroutine 1 [running]:\nmain.main()\n"]
)
def test_earlier_text_is_no_symptom(symptom, ending):
    """A text that shows a fault does not count if the bot ended by another error."""
    text, fault = symptom
    assert diagnose(1, f"{text}\n", 0.1) is fault
    assert diagnose(1, f"{text}: a joke\n{ending}", 0.1) is None
    assert diagnose(None, f"{text}: a joke\n{ending}", 0.1) is None


def test_traceback_of_an_error_that_was_caught_is_no_symptom():
    """A traceback that the bot wrote before it went on does not count."""
    caught = CRASH.replace("IndexError: list index", "OSError: [Errno 30] Read-only file system:")
    assert diagnose(1, caught, 0.1) is Fault.WROTE_OUTSIDE
    assert diagnose(1, f"{caught}I give up\n", 0.1) is None
    assert diagnose(1, caught + CRASH, 0.1) is None


@pytest.mark.parametrize("code", [-signal.SIGSEGV, -signal.SIGKILL, -signal.SIGTERM])
def test_signal_is_a_cause_of_its_own(code):
    """A text does not count if a signal ended the bot that an error does not cause."""
    assert diagnose(code, "Read-only file system\n", 0.1) is None


@pytest.mark.parametrize(
    ("code", "text", "fault"),
    [
        (-signal.SIGABRT, NODE_DUMP, Fault.OUT_OF_MEMORY),
        (-signal.SIGTRAP, NODE_DUMP, Fault.OUT_OF_MEMORY),
        (1, NODE_ERROR, Fault.WROTE_OUTSIDE),
        (2, GO_DUMP, Fault.OUT_OF_MEMORY),
    ],
)
def test_calls_below_the_last_error_are_skipped(code, text, fault):
    """The last error is found above the calls that led to it."""
    assert diagnose(code, text, 0.1) is fault


def test_start_fails_for_lack_of_room_or_because_of_the_bot():
    """A failed start is the bot's fault unless the message says that the machine is full."""
    for message in NO_ROOM_MESSAGES:
        assert diagnose_start(f"bwrap: Creating new namespace failed: {message}") is Fault.NO_ROOM
    assert diagnose_start("bwrap: execvp ./bot: No such file") is Fault.FAILED_TO_START
