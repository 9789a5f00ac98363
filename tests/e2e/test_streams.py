"""Every command with standard streams that are closed, full, or not read by any program.

Only answers are written to standard output. If a message cannot be written, it is dropped, and the
work continues. If an answer cannot be written, the command does its work, prints one line, and ends
with exit code 1. It prints no line if its reader has ended, as ``head`` does.
"""

import os
import signal
import subprocess
from itertools import product

import pytest
from commands import COMMANDS, MATCH, PRECEPT, SCRIPTS, USUAL, Command
from effort import one_in, sampled

pytestmark = pytest.mark.linux  # needs /dev/full

BROKEN = ("closed", "full", "unread")
"""Ways in which an output fails: no descriptor, no space, and a pipe that no program reads."""
REASON = {
    "closed": "it is closed",
    "full": "No space left on device",
}
"""End of the line on standard error for each of these ways."""
READING = [name for name, command in COMMANDS.items() if command.reads]
ANSWERING = [name for name, command in COMMANDS.items() if command.answer]
TALKING = [name for name, command in COMMANDS.items() if command.message]
SILENT = [name for name, command in COMMANDS.items() if command.folder or not command.answer]
"""Commands that have something to do without any stream: work, or a mistake to find."""


@pytest.fixture
def run(workspace, run_cleanly):
    """Return a function that runs a command with redirections of a shell, such as ``2>&-``."""

    def run(command: Command, *redirections: str) -> subprocess.CompletedProcess[bytes]:
        reader, unread = os.pipe()
        os.close(reader)
        script = f'exec "$@" {" ".join(redirections)} {unread}>&-'.replace("UNREAD", str(unread))
        words = ["bash", "-c", script, "bash", *command.words]
        done = run_cleanly(words, cwd=workspace, input=command.stdin, pass_fds=[unread])
        os.close(unread)
        return done

    return run


def redirection(descriptor: int, how: str) -> str:
    """Return how a shell breaks an output in one of the ways of ``BROKEN``."""
    return f"{descriptor}>" + {"closed": "&-", "full": "/dev/full", "unread": "&UNREAD"}[how]


@pytest.mark.parametrize("name", one_in(3, COMMANDS))
def test_answers_and_messages_go_to_their_own_streams(run, workspace, name):
    """With working streams, answers are on standard output, messages on standard error."""
    done = run(COMMANDS[name])
    COMMANDS[name].check(done, workspace)
    assert COMMANDS[name].message not in done.stdout.decode() or not COMMANDS[name].message


@pytest.mark.parametrize(("name", "how"), one_in(7, product(TALKING, BROKEN)))
def test_message_that_cannot_be_written_is_dropped(run, workspace, name, how):
    """Without standard error, the answers, the work and the exit code are the same."""
    command = COMMANDS[name]
    done = run(command, redirection(2, how))
    assert done.stderr == b""
    assert command.message not in done.stdout.decode()
    command.check_answer(done)
    command.check_work(workspace)


@pytest.mark.parametrize(("name", "how"), one_in(7, product(ANSWERING, BROKEN)))
def test_answer_that_cannot_be_written_causes_one_line(run, workspace, name, how):
    """Without standard output, the work is done. The last line says why the exit code is 1."""
    command = COMMANDS[name]
    done = run(command, redirection(1, how))
    command.check_work(workspace)
    if command.program == "c4-solve" and how == "unread" and "--version" not in command.arguments:
        assert done.returncode == -signal.SIGPIPE  # like any filter in front of head
        assert b"standard output" not in done.stderr
        return
    assert done.returncode == 1
    if how == "unread":
        assert b"standard output" not in done.stderr
        return
    *messages, last = done.stderr.decode().splitlines()
    assert last.startswith(command.program)
    assert last.endswith(f": cannot write to standard output: {REASON[how]}")
    assert not any("standard output" in message for message in messages)


@pytest.mark.parametrize("name", one_in(2, READING))
def test_closed_input_causes_one_line(run, name):
    """A command that should read a closed standard input says so, with exit code 1."""
    command = COMMANDS[name]
    done = run(command, "<&-")
    reason = f"{command.program}: cannot read standard input: it is closed\n"
    assert (done.stderr.decode(), done.returncode) == (reason, 1)


@pytest.mark.parametrize("name", one_in(2, READING))
def test_input_that_ends_at_once_is_no_mistake(run, name):
    """A command answers nothing if its input has no lines. Only ratings need games."""
    done = run(COMMANDS[name], "</dev/null")
    reason = b"c4-referee: no games to rate in -\n" if name == "rate" else b""
    assert (done.stderr, done.returncode) == (reason, 2 if reason else 0)


@pytest.mark.parametrize("name", sampled(SILENT, {*SILENT} & {*USUAL}))
def test_work_needs_no_stream(run, workspace, name):
    """With all three streams closed, the work is done and the exit code says what is missing."""
    command = COMMANDS[name]
    done = run(command, "<&-", ">&-", "2>&-")
    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode == (1 if command.answer else 2)
    command.check_work(workspace)


@pytest.mark.parametrize("how", one_in(2, BROKEN))
def test_match_whose_events_cannot_be_written_can_be_continued(run, workspace, how):
    """If its events cannot be written, a match ends with one line, and no game is lost."""
    words = (*MATCH, "--games", "4", "--out", "match")
    done = run(Command("c4-referee", (*words, "--events", "-")), redirection(1, how))
    before, *reason = done.stderr.decode().splitlines()
    assert before == "2 of 4 games were played before"
    line = f"c4-referee: cannot write to standard output: {REASON.get(how)}"
    assert reason == ([] if how == "unread" else [line])
    assert done.returncode == 1
    assert COMMANDS["match"].stored(workspace) in {2, 3}
    assert run(Command("c4-referee", words)).returncode == 0
    COMMANDS["match"].check_work(workspace)


@pytest.mark.parametrize(
    ("program", "line", "code"),
    [
        (("c4-bot", "--plays", "random"), PRECEPT, 1),
        (("c4-solve",), b"32164625\n", -signal.SIGPIPE),
    ],
)
def test_reader_that_leaves_after_an_answer_ends_the_command(program, line, code):
    """The command answers until its reader leaves, and says nothing then.

    It does not wait for the end of its input.
    """
    pipe = subprocess.PIPE
    command = [SCRIPTS / program[0], *program[1:]]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as process:
        process.stdin.write(line)
        assert process.stdout.read(1)
        process.stdout.close()
        process.stdin.write(line)
        assert process.wait(timeout=300) == code
        assert process.stderr.read() == b""
