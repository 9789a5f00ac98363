"""Every command with standard streams that are closed, full, or abandoned by the other side.

Only answers reach standard output. A message that cannot be delivered is dropped, and the work goes
on. An answer that cannot be delivered costs one line and exit code 1, after the work is done.
"""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from commands import COMMANDS, MATCH, PRECEPT, SCRIPTS, STORED, Command, has_traceback, prepare
from wheels import make_once

BROKEN = ("closed", "full", "unread")
"""Ways in which an output fails: no descriptor, no space, and a pipe that no program reads."""
REASON = {
    "closed": "it is closed",
    "full": "No space left on device",
    "unread": "no program reads it any more",
}
"""Texts for these ways at the end of the line on standard error."""
ANSWERING = {name: command for name, command in COMMANDS.items() if command.answer}
STORING = {name: command for name, command in COMMANDS.items() if command.folder}
READING = {name: command for name, command in COMMANDS.items() if command.reads}


@pytest.fixture
def place(of_this_run, tmp_path):
    """Return a folder with the files that the commands need."""
    prepared = make_once(of_this_run / "commands", prepare)
    return shutil.copytree(prepared, tmp_path / "place")


@pytest.fixture
def run(place, mark, wait_until):
    """Return a function that runs a command with redirections of a shell, such as ``2>&-``.

    It checks that the command leaves no process and writes no traceback.
    """

    def run(command: Command, *redirections: str) -> subprocess.CompletedProcess[bytes]:
        reader, unread = os.pipe()
        os.close(reader)
        script = f'exec "$@" {" ".join(redirections)} {unread}>&-'.replace("UNREAD", str(unread))
        done = subprocess.run(
            ["bash", "-c", script, "bash", *command.words], cwd=place, env=mark.environment,
            input=command.stdin, capture_output=True, check=False, pass_fds=[unread], timeout=100,
        )  # fmt: skip
        os.close(unread)
        assert not has_traceback(done.stdout, done.stderr), done.stderr.decode()
        assert wait_until(lambda: not mark.bearers())
        return done

    return run


def redirection(descriptor: int, how: str) -> str:
    """Return how a shell breaks an output in one of the ways of ``BROKEN``."""
    return f"{descriptor}>" + {"closed": "&-", "full": "/dev/full", "unread": "&UNREAD"}[how]


def has(pattern: str, text: bytes) -> bool:
    """Return whether a text holds a pattern."""
    return re.search(pattern, text.decode(), re.MULTILINE) is not None


def check_work(command: Command, place: Path) -> None:
    """Check that all games and rounds of a command are stored."""
    if command.folder:
        assert command.stored(place) == STORED.get(command.folder, 2)


@pytest.mark.parametrize("name", COMMANDS)
def test_answers_and_messages_go_to_their_own_streams(run, place, name):
    """Without a hindrance, answers are on standard output and messages on standard error."""
    command = COMMANDS[name]
    done = run(command)
    assert has(command.answer, done.stdout)
    assert has(re.escape(command.message), done.stderr)
    assert not (command.message and has(re.escape(command.message), done.stdout))
    assert bool(command.answer) == bool(done.stdout)
    assert bool(command.message) == bool(done.stderr)
    assert done.returncode == command.code
    check_work(command, place)


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("name", [name for name in COMMANDS if COMMANDS[name].message])
def test_message_that_cannot_be_delivered_is_dropped(run, place, name, how):
    """Without standard error, the answers, the work and the exit code are the same."""
    command = COMMANDS[name]
    done = run(command, redirection(2, how))
    assert (done.returncode, done.stderr) == (command.code, b"")
    assert has(command.answer, done.stdout)
    assert bool(command.answer) == bool(done.stdout)
    assert not (command.message and has(re.escape(command.message), done.stdout))
    check_work(command, place)


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("name", ANSWERING)
def test_answer_that_cannot_be_delivered_costs_one_line(run, place, name, how):
    """Without standard output, the work is done. The last line says why the exit code is 1."""
    command = ANSWERING[name]
    done = run(command, redirection(1, how))
    check_work(command, place)
    if command.program == "c4-solve" and how == "unread" and "--version" not in command.arguments:
        assert done.returncode == -signal.SIGPIPE  # as every filter before head
        assert b"standard output" not in done.stderr
        return
    *messages, last = done.stderr.decode().splitlines()
    assert last.startswith(f"{command.program}: ")
    assert last.endswith(f"cannot write to standard output: {REASON[how]}")
    assert not any("standard output" in message for message in messages)
    assert done.returncode == 1


@pytest.mark.parametrize("name", READING)
def test_closed_input_costs_one_line(run, name):
    """A command that should read a closed standard input says so, with exit code 1."""
    command = READING[name]
    done = run(command, "<&-")
    reason = f"{command.program}: cannot read standard input: it is closed\n"
    assert (done.stderr.decode(), done.returncode) == (reason, 1)


@pytest.mark.parametrize("name", READING)
def test_input_that_ends_at_once_is_no_mistake(run, name):
    """An input without a line is answered with nothing, but ratings need games."""
    done = run(READING[name], "</dev/null")
    reason = b"c4-referee: no games to rate in -\n" if name == "rate -" else b""
    assert (done.stderr, done.returncode) == (reason, 2 if reason else 0)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name in STORING or "mist" in name])
def test_work_needs_no_stream(run, place, name):
    """With all three streams closed, the work is done and the exit code says what is missing."""
    command = COMMANDS[name]
    done = run(command, "<&-", ">&-", "2>&-")
    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode == (1 if command.answer else 2)
    check_work(command, place)


@pytest.mark.parametrize("how", BROKEN)
def test_match_whose_events_cannot_be_delivered_can_be_continued(run, place, how):
    """Without a reader of its events, a match ends with one line. It loses no game."""
    words = (*MATCH, "--games", "4", "--out", "match")
    done = run(Command("c4-referee", (*words, "--events", "-")), redirection(1, how))
    assert done.stderr.decode().splitlines() == [
        "2 of 4 games were played before",
        f"c4-referee: cannot write to standard output: {REASON[how]}",
    ]
    assert done.returncode == 1
    assert COMMANDS["match"].stored(place) in {2, 3}
    assert run(Command("c4-referee", words)).returncode == 0
    check_work(COMMANDS["match"], place)


@pytest.mark.parametrize(
    ("program", "line", "code", "reason"),
    [
        (("c4-bot", "--plays", "random"), PRECEPT, 1,
         b"c4-bot: line 2: cannot write to standard output: no program reads it any more\n"),
        (("c4-solve",), b"32164625\n", -signal.SIGPIPE, b""),
    ],
)  # fmt: skip
def test_reader_that_leaves_after_an_answer_ends_the_command(program, line, code, reason):
    """The command answers until its reader leaves. It does not wait for the end of its input."""
    pipe = subprocess.PIPE
    command = [SCRIPTS / program[0], *program[1:]]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as process:
        process.stdin.write(line)
        assert process.stdout.read(1)
        process.stdout.close()
        process.stdin.write(line)
        assert process.wait(timeout=60) == code
        assert process.stderr.read() == reason
