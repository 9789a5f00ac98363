"""``c4-solve`` as people and scripts use it."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from commands import SCRIPTS

COMMAND = str(SCRIPTS / "c4-solve")
GOOD = {"32164625": 11, "243335424257": 12, "2252576253462244111563365343671351441": -1}
"""Published scores of positions that are solved at once."""
BAD = {b"4x": "move 2 ('x')", b"4 " + b"x" * 10_000_000: "the line is longer than 65536 bytes"}
"""Lines that are refused, with the reason. ``tests/contract/sessions.txt`` has others."""


def fields(stdout: bytes) -> list[tuple[str, int, int, int]]:
    """Return the fields of an output that consists of lines MOVES SCORE NODES MICROSECONDS."""
    lines = stdout.decode().splitlines()
    assert all(re.fullmatch(r"[0-9a-z]* -?\d+ \d+ \d+", line) for line in lines), stdout
    return [(moves, *map(int, rest)) for moves, *rest in (line.split(" ") for line in lines)]


def scores(stdout: bytes) -> dict[str, int]:
    """Return the scores of an output by their moves."""
    return {moves: score for moves, score, _, _ in fields(stdout)}


@pytest.mark.parametrize("arguments", [("--all",), ("--json",)], ids=str)
def test_a_program_gets_one_line_for_each_line(arguments):
    """With --serve, each line has one answer on standard output before the next line is sent.

    Answers to good lines are those of other runs. Standard error stays empty.
    """
    pipe, as_json = subprocess.PIPE, "--json" in arguments
    with subprocess.Popen(
        [COMMAND, "--serve", *arguments], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0
    ) as process:
        for line, reason in BAD.items():
            process.stdin.write(line + b"\n")
            refused = process.stdout.readline().decode()
            assert reason in (json.loads(refused)["error"] if as_json else refused)
            assert as_json or " error " in refused
        for moves in GOOD:
            process.stdin.write(f"{moves}\n".encode())
            answer = process.stdout.readline().decode()
            assert "error" not in answer
            assert moves in answer
        process.stdin.close()
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert process.returncode == 1


def test_cold_forgets_between_lines(c4_solve):
    """With --cold, a repeated position takes as many nodes as at first.

    Otherwise it takes fewer.
    """
    again = b"335662333565\n" * 2
    cold, warm = c4_solve("--cold", stdin=again), c4_solve(stdin=again)
    (_, _, cold_first, _), (_, _, cold_second, _) = fields(cold.stdout)
    (_, _, warm_first, _), (_, _, warm_second, _) = fields(warm.stdout)
    assert cold_first == cold_second == warm_first > 0
    assert warm_second < warm_first


@pytest.mark.parametrize(
    ("arguments", "score"), [((), 7), (("--no-book",), 11), (("--variant", "7x7"), 11)]
)
def test_book_is_asked_unless_told_otherwise(arguments, score):
    """The book is used for 7x6 unless --no-book is set, as a book with wrong scores shows."""
    program = (
        "import sys, c4_bot.book, c4_bot.c4_solve\n"
        "class Lies:\n    core = None\n    score = staticmethod(lambda position: 7)\n"
        "c4_bot.book.default_book = Lies\n"
        "sys.exit(c4_bot.c4_solve.main())"
    )
    command = [sys.executable, "-P", "-c", program, *arguments]  # -P: from the installed packages
    done = subprocess.run(command, input=b"32164625\n", capture_output=True, check=True)
    assert (scores(done.stdout)["32164625"] == 7) == (score == 7)


@pytest.mark.linux
@pytest.mark.parametrize("line", [b"", b"\n"], ids=["waiting", "solving"])
def test_interrupt_ends_it_at_once(line):
    """Ctrl-C ends the solver at once without a message, between lines and during a search."""
    pipe = subprocess.PIPE
    command = [COMMAND, "--no-book", "--variant", "9x7"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as process:
        process.stdin.write(b"1212121\n" + line)
        assert process.stderr.readline().startswith(b"c4-solve: line 1: ")  # it is reading
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == -signal.SIGINT
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")


def test_help_shows_examples_that_work(c4_solve, tmp_path):
    """All examples in --help-all work."""
    shown = c4_solve("--help-all").stdout.decode()
    examples = re.findall(r"^  ((?:echo .*)?c4-solve.*?)(?:   .*)?$", shown, re.MULTILINE)
    assert len(examples) == 10
    (tmp_path / "positions.txt").write_text("32164625 11\n6146 18\n", encoding="utf-8")
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    for example in examples:
        subprocess.run(
            ["bash", "-c", example],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            check=True,
            stdin=subprocess.DEVNULL,
        )
