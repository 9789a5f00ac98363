"""Standard streams, errors and exit codes of all commands."""

import io
import os
import subprocess
import sys

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.program.exit_codes import exit_code
from c4_protocol.program.streams import (
    check_current_folder_exists,
    check_input_is_open,
    prepare_streams,
)

TEXT = "größe 棋手 \ud800"
START = (
    "import os, sys; from c4_protocol.program.exit_codes import *; "
    "from c4_protocol.program.streams import *; prepare_streams(); "
)
"""Start of a program with the streams of a command."""


def child(program: str, *redirections: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program after ``START``, with redirections of a shell."""
    words = [sys.executable, "-c", START + program]
    if redirections:
        words = ["sh", "-c", f'exec "$@" {" ".join(redirections)}', "sh", *words]
    return subprocess.run(words, env=os.environ | variables, capture_output=True, check=False)


def code_of(error: BaseException, **settings: object) -> int:
    """Return the exit code of a program ``x`` that raises an error. Standard output stays open."""

    def run() -> int:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "dup2", lambda *_: None)
        return exit_code("x", run, **settings)


@pytest.mark.linux
@pytest.mark.parametrize("closed", [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_no_file_takes_the_descriptor_of_a_standard_stream(closed, tmp_path):
    """If some streams are closed, a new file has none of their descriptors, also in a child."""
    opened = f"print(os.open(os.devnull, os.O_RDONLY), file=open({str(tmp_path / 'seen')!r}, 'a'))"
    again = f"import subprocess; subprocess.run([sys.executable, '-c', {'import os; ' + opened!r}])"
    done = child(f"{opened}; {again}", *(f"{number}>&-" for number in closed))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "seen").read_text() == "3\n3\n"


@pytest.mark.linux
def test_closed_streams_cannot_be_used():
    """Reading and writing still fail, and a message is dropped."""
    program = (
        "code = exit_code('x', lambda: print('answer', flush=True)); sys.stderr.write('message');"
        "sys.stderr.flush(); sys.exit(code + 2 * exit_code('x', lambda: os.read(0, 1)))"
    )
    assert child(program, "<&-", ">&-", "2>&-").returncode == 3


@pytest.mark.linux
def test_message_that_would_block_is_dropped():
    """A message is dropped if a pipe is full and does not block."""
    program = "os.set_blocking(2, False); sys.stderr.write('x' * (1 << 20)); print('done')"
    reader, writer = os.pipe()
    words = [sys.executable, "-c", START + program]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=writer, check=False, timeout=300)
    os.close(writer)
    os.close(reader)
    assert (done.returncode, done.stdout) == (0, b"done\n")


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("ascii", rb"gr\xf6\xdfe \u68cb\u624b \ud800"),
        ("latin-1", b"gr\xf6\xdfe \\u68cb\\u624b \\ud800"),
        ("utf-8", "größe 棋手 \\ud800".encode()),
    ],
)
def test_characters_that_a_stream_cannot_encode_are_escaped(encoding, shown):
    """Both outputs show what they can, and escapes for the rest."""
    program = f"text = {TEXT!a}; print(text); sys.stderr.write(text)"
    done = child(program, PYTHONIOENCODING=f"{encoding}:strict")
    assert (done.stdout, done.stderr) == (shown + b"\n", shown)


def test_streams_that_a_program_has_replaced_stay(monkeypatch):
    """A program that catches what a command prints still catches it."""
    caught = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", caught[0])
    monkeypatch.setattr(sys, "stderr", caught[1])
    prepare_streams()
    assert (sys.stdout, sys.stderr) == caught


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UsageError("a mis\ntake"), 2, "x: a mis\\ntake\n"),
        (OSError("a disk"), 1, "x: a disk\n"),
        (MemoryError(), 3, "x: memory\n"),
        (KeyboardInterrupt(), 1, "x: stopped\n"),
        (UnicodeEncodeError("latin-1", "a棋", 0, 2, ""), 2,
         "x: this system cannot encode 'a棋' as latin-1: set PYTHONUTF8=1\n"),
    ],
)  # fmt: skip
def test_every_error_is_one_line(capsys, error, code, line):
    """An error becomes a line on standard error, and an exit code."""
    assert code_of(error, interrupted="stopped", out_of_memory=("memory", 3)) == code
    assert capsys.readouterr().err == line


def test_end_of_a_program_is_no_error():
    """A program may end at any place, as argparse does after its help."""
    with pytest.raises(SystemExit) as end:
        code_of(SystemExit(2))
    assert end.value.code == 2


def test_interrupt_needs_no_line(capsys):
    """Without a line for Ctrl-C, nothing is printed."""
    assert code_of(KeyboardInterrupt()) == 1
    assert capsys.readouterr().err == ""


def test_closed_input_is_an_error(monkeypatch):
    """A closed standard input is an error, and any other is none."""
    check_input_is_open()
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match=r"^cannot read standard input: it is closed$"):
        check_input_is_open()


@pytest.mark.linux
def test_deleted_folder_is_a_mistake(monkeypatch, tmp_path):
    """A deleted current folder is a mistake of the user, and any other is none."""
    monkeypatch.chdir(tmp_path)
    check_current_folder_exists()
    tmp_path.rmdir()
    with pytest.raises(UsageError, match=r"^the current folder was deleted: "):
        check_current_folder_exists()


def test_garbage_is_not_looked_for_at_the_end():
    """After ``collect_garbage_rarely``, all objects are frozen when the program ends."""
    code = """
import atexit, gc
from c4_protocol.program.streams import collect_garbage_rarely
atexit.register(lambda: print(gc.get_freeze_count() > 1000))
collect_garbage_rarely()
print(gc.get_freeze_count() > 1000, gc.get_threshold()[0] > 10_000)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["False", "True", "True"]
