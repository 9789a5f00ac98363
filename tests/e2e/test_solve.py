"""``c4-solve`` as people and scripts use it."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from c4_protocol import Board
from commands import SCRIPTS

COMMAND = str(SCRIPTS / "c4-solve")
GOOD = {"32164625": 11, "243335424257": 12, "2252576253462244111563365343671351441": -1}
"""Published scores of positions that are solved at once."""
GOOD_LINES = "".join(f"{moves}\n" for moves in GOOD).encode()
FULL_COLUMN = "5554224333234511764415115"
BAD = {
    "no column": (b"4x", "move 2 ('x')"),
    "column 0": (b"40", "move 2 ('0'): not a column"),
    "column 8 of 7": (b"8", "move 1 ('8'): the last column is 7"),
    "full column": (b"1111111", "move 7 ('1'): the column is full"),
    "game over": (b"1212121", "the game is over: player 1 has 4 in a row"),
    "beyond the end": (b"12121213", "move 8 ('3') comes after the end of the game"),
    "zero byte": (b"\0", r"move 1 ('\x00'): not a column"),
    "invalid UTF-8": (b"\xff\xfe4\x004", "(the line is not UTF-8 text)"),
    "not ASCII": ("٤".encode(), "not a column"),
    "long": (b"4" * 100, "move 7 ('4'): the column is full"),
    "10 MB": (b"4" * 10_000_000, "the line is longer than 65536 bytes"),
    "10 MB after the moves": (b"4 " + b"x" * 10_000_000, "the line is longer than 65536 bytes"),
}


def fields(stdout: bytes) -> list[tuple[str, int, int, int]]:
    """Return the fields of an output that consists of lines MOVES SCORE NODES MICROSECONDS."""
    lines = stdout.decode().splitlines()
    assert all(re.fullmatch(r"[0-9a-z]* -?\d+ \d+ \d+", line) for line in lines), stdout
    return [(moves, *map(int, rest)) for moves, *rest in (line.split(" ") for line in lines)]


def scores(stdout: bytes) -> dict[str, int]:
    """Return the scores of an output by their moves."""
    return {moves: score for moves, score, _, _ in fields(stdout)}


def test_each_line_gets_its_score(c4_solve):
    """Each line gets its score, in order. Text after the moves is ignored."""
    done = c4_solve(stdin=b"".join(b"%b and\tmore 7\n" % moves.encode() for moves in GOOD))
    assert list(scores(done.stdout).items()) == list(GOOD.items())
    assert (done.stderr, done.returncode) == (b"", 0)


@pytest.mark.parametrize("arguments", [(), ("--weak",), ("--all", "--json")], ids=str)
def test_a_file_is_as_good_as_a_pipe(c4_solve, tmp_path, arguments):
    """A file is accepted before and after the options, and ``-`` is standard input."""
    path = tmp_path / "positions"
    path.write_bytes(GOOD_LINES)
    done = [
        c4_solve(*arguments, str(path)),
        c4_solve(str(path), *arguments),
        c4_solve("-", *arguments, stdin=GOOD_LINES),
        c4_solve(*arguments, stdin=GOOD_LINES),
    ]
    assert len(done[0].stdout.splitlines()) == len(GOOD)
    shown = {re.sub(rb'( |"us":)\d+(,|$)', b"", one.stdout, flags=re.MULTILINE) for one in done}
    assert len(shown) == 1
    assert [one.returncode for one in done] == [0] * 4


@pytest.mark.parametrize("arguments", [("--all",), ("--json",)], ids=str)
def test_a_program_gets_one_line_for_each_line(arguments):
    """With --serve, each line has one answer on standard output before the next line is sent.

    Answers to good lines are those of other runs. Standard error stays empty.
    """
    pipe, as_json = subprocess.PIPE, "--json" in arguments
    with subprocess.Popen(
        [COMMAND, "--serve", *arguments], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0
    ) as process:
        for line, reason in BAD.values():
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


def test_lines_of_json_are_solved(c4_solve):
    """Objects with moves or with a grid are answered by objects, and can be mixed with text."""
    grid = Board.from_moves("4453").precept()
    done = c4_solve(stdin=f'{{"moves":"4453"}}\n{grid}\n4453\n'.encode())
    first, second, third = done.stdout.splitlines()
    by_moves, by_grid = json.loads(first), json.loads(second)
    assert [by_moves.pop("moves"), by_grid.pop("moves")] == ["4453", None]
    assert by_moves["best"] == by_grid["best"] == [3, 6, 7]
    assert by_moves["score"] == by_grid["score"] == int(third.split()[1]) == -2
    assert (done.stderr, done.returncode) == (b"", 0)


ODD = {
    b"{": "not JSON",
    b"{}": 'the object has neither "grid" nor the text "moves"',
    b'{"moves":4453}': 'the object has neither "grid" nor the text "moves"',
    b'{"moves":"4x"}': "move 2 ('x')",
    b'{"moves":"1212121"}': "the game is over",
    b'{"grid":[[0,0],[0,0]]}': "the game is 2x2x4: say --variant to solve it",
    b'{"grid":[[3]]}': "grid",
}
"""Objects that are no positions, and what is wrong with them."""


def test_odd_lines_of_json_are_refused(c4_solve):
    """An object that is no position causes one line, or with --serve one object."""
    lines = b"\n".join([*ODD, b"4"])
    done = c4_solve(stdin=lines)
    complaints = done.stderr.decode().splitlines()
    assert (done.stdout.count(b"\n"), done.returncode) == (1, 1)
    for number, (complaint, reason) in enumerate(zip(complaints, ODD.values(), strict=True), 1):
        assert complaint.startswith(f"c4-solve: line {number}: ")
        assert reason in complaint
    served = c4_solve("--serve", stdin=lines).stdout.splitlines()[:-1]
    for answer, reason in zip(served, ODD.values(), strict=True):
        assert reason in json.loads(answer)["error"]


def test_grids_of_other_games_are_solved(c4_solve):
    """Grids of the variant of --variant are solved, also without gravity and with the steal."""
    for variant, moves in (("6x5", "3434"), ("line8", "d4 d5 e4 e5 c4 c5"), ("5x4+steal", "33")):
        board = Board.from_moves(moves, variant)
        text = f"{moves.replace(' ', '')}\n{board.precept()}\n".encode()
        by_moves, by_grid = map(json.loads, c4_solve("--variant", variant, "--json",
                                                     stdin=text).stdout.splitlines())  # fmt: skip
        assert by_moves["score"] == by_grid["score"]
        assert sorted(map(str, by_moves["best"])) == sorted(map(str, by_grid["best"]))


def test_scores_in_json_are_checked(c4_solve):
    """``--check`` compares the score of an object."""
    good, bad, none = (b'{"moves":"4453","score":%b}\n' % score for score in (b"-2", b"3", b"null"))
    assert c4_solve("--check", stdin=good).returncode == 0
    assert b"'4453' is worth -2, not 3" in c4_solve("--check", stdin=bad).stderr
    assert b'needs a "score"' in c4_solve("--check", stdin=none).stderr


def test_serving_is_not_checking(c4_solve):
    """``--serve`` and ``--check`` exclude each other."""
    done = c4_solve("--serve", "--check")
    assert done.returncode == 2
    assert done.stderr.startswith(b"c4-solve: --serve answers each line")


def test_answers_come_one_by_one():
    """Each answer comes before the next position is sent."""
    pipe = subprocess.PIPE
    with subprocess.Popen([COMMAND], stdin=pipe, stdout=pipe, bufsize=0) as process:
        for moves, score in GOOD.items():
            process.stdin.write(f"{moves}\n".encode())
            assert scores(process.stdout.readline()) == {moves: score}
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("line", [b"\n", b" ", b"\t7 7\n", b" 0 4\n", b"\r\n", b"\xef\xbb\xbf\n"])
def test_empty_moves_are_the_empty_board(c4_solve, line):
    """An empty line, or a line that begins with a blank, is the empty board.

    The answer to it begins with a blank.
    """
    done = c4_solve("--variant", "4x4", stdin=line)
    assert scores(done.stdout) == {"": 0}
    assert (done.stderr, done.returncode) == (b"", 0)


@pytest.mark.parametrize(
    "text",
    [
        GOOD_LINES.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + GOOD_LINES,
        GOOD_LINES.removesuffix(b"\n"),
    ],
    ids=["CRLF", "BOM", "no newline at the end"],
)
def test_lines_of_other_systems_are_read(c4_solve, text):
    """Lines with CRLF or a byte order mark are accepted, and so is a last line without an end."""
    done = c4_solve(stdin=text)
    assert scores(done.stdout) == GOOD
    assert (done.stderr, done.returncode) == (b"", 0)


def test_bad_lines_get_their_numbers_and_the_reasons(c4_solve):
    """Each bad line gets one line with its number and the reason. The others are answered."""
    lines = b"".join(line + b"\n" for line, _ in BAD.values())
    done = c4_solve(stdin=GOOD_LINES + lines + b"6146\n")
    assert scores(done.stdout) == {**GOOD, "6146": 18}
    assert done.returncode == 1
    complaints = done.stderr.decode().splitlines()
    assert max(map(len, complaints)) < 200
    reasons = (reason for _, reason in BAD.values())
    for number, (complaint, reason) in enumerate(zip(complaints, reasons, strict=True), 4):
        assert complaint.startswith(f"c4-solve: line {number}: ")
        assert reason in complaint


def test_full_board_is_refused(c4_solve):
    """A full board is refused, because the game is over."""
    done = c4_solve("--variant", "2x2", stdin=b"1212\n121\n")
    assert done.stderr == b"c4-solve: line 1: the game is over: the board is full\n"
    assert scores(done.stdout) == {"121": 0}
    assert done.returncode == 1


def test_rubbish_is_refused_line_by_line(c4_solve):
    """Arbitrary bytes cause a reason for each line, and no traceback."""
    done = c4_solve(stdin=bytes(range(256)) * 50)
    assert done.returncode == 1
    assert done.stdout == b""
    complaints = done.stderr.decode().splitlines()
    assert len(complaints) == 51
    assert all(line.startswith("c4-solve: line ") for line in complaints)


def test_weak_tells_who_wins(c4_solve):
    """With --weak, the score is 1, 0 or -1."""
    done = c4_solve("--weak", stdin=GOOD_LINES + b"23163416124767223154467471272416755633\n")
    assert [score for _, score, _, _ in fields(done.stdout)] == [1, 1, -1, 0]


def test_all_scores_each_column(c4_solve):
    """With --all, the columns' scores come from left to right, with a dot for a full column."""
    done = c4_solve("--all", stdin=FULL_COLUMN.encode())
    moves, *columns, nodes, us = done.stdout.decode().split(" ")
    assert (moves, columns) == (FULL_COLUMN, ["-8", "-8", "-8", "-8", ".", "4", "-8"])
    assert int(nodes) > 0
    assert int(us) > 0


@pytest.mark.parametrize("weak", [(), ("--weak",)])
@pytest.mark.parametrize("moves", ["1233722555341451114725221333", FULL_COLUMN, "32164625"])
def test_best_moves_are_those_with_the_best_score(c4_solve, moves, weak):
    """The best moves have the best score, with and without ``--all``. Columns count from 1."""
    stdin = moves.encode()
    one = json.loads(c4_solve("--json", *weak, stdin=stdin).stdout)
    every = json.loads(c4_solve("--json", "--all", *weak, stdin=stdin).stdout)
    assert list(one) == ["moves", "score", "nodes", "us", "best"]
    assert list(every) == [*one, "scores"]
    kept = [column for column, score in enumerate(every["scores"], 1) if score == every["score"]]
    assert one["best"] == every["best"] == kept
    assert (
        one["score"]
        == every["score"]
        == max(score for score in every["scores"] if score is not None)
    )
    assert one["moves"] == moves


def test_check_passes_what_is_right(c4_solve):
    """--check reports nothing if the scores are right. It accepts the solver's own output."""
    first = c4_solve("--variant", "4x4", stdin=b"\n1\n12\n")
    done = c4_solve("--variant", "4x4", "--check", stdin=first.stdout)
    assert scores(done.stdout) == scores(first.stdout)
    assert (done.stderr, done.returncode) == (b"", 0)


def test_check_reports_differences(c4_solve):
    """--check reports a wrong score with its line, and the exit code is 1."""
    done = c4_solve("--check", stdin=b"32164625 11\n6146 17\n243335424257 12\n")
    assert scores(done.stdout) == {"32164625": 11, "6146": 18, "243335424257": 12}
    assert done.stderr == b"c4-solve: line 2: '6146' is worth 18, not 17\n"
    assert done.returncode == 1


@pytest.mark.parametrize(("claim", "code"), [(b"3", 0), (b"1", 0), (b"0", 1), (b"-18", 1)])
def test_check_of_who_wins_compares_signs(c4_solve, claim, code):
    """With --check and --weak, only signs are compared."""
    done = c4_solve("--check", "--weak", stdin=b"6146 " + claim)
    assert done.returncode == code
    assert (b"is worth 1, not" in done.stderr) == bool(code)


@pytest.mark.parametrize("line", [b"6146", b"6146 ", b"6146 x", b"6146 1.5", b"6146 99999"])
def test_check_needs_a_score(c4_solve, line):
    """With --check, a line without a score is a bad line."""
    done = c4_solve("--check", stdin=line + b"\n6146 18\n")
    assert b"line 1: the second field has to be a score to compare with" in done.stderr
    assert scores(done.stdout) == {"6146": 18}
    assert done.returncode == 1


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
    "arguments", [("--threads", "3"), ("--hash-mb", "1"), ("--hash-mb", "300")]
)
def test_means_change_no_score(c4_solve, arguments):
    """Threads and memory change no score."""
    assert scores(c4_solve(*arguments, stdin=GOOD_LINES).stdout) == GOOD


@pytest.mark.parametrize(
    ("arguments", "score"), [((), 7), (("--no-book",), 11), (("--variant", "7x7"), 11)]
)
def test_book_is_asked_unless_told_otherwise(arguments, score):
    """The book is used for 7x6 unless --no-book is set, as a book with wrong scores shows."""
    program = (
        "import sys, c4_bot.book, c4_bot.solve.cli\n"
        "class Lies:\n    core = None\n    score = staticmethod(lambda position: 7)\n"
        "c4_bot.book.default_book = Lies\n"
        "sys.exit(c4_bot.solve.cli.main())"
    )
    command = [sys.executable, "-P", "-c", program, *arguments]  # -P: from the installed packages
    done = subprocess.run(command, input=b"32164625\n", capture_output=True, check=True)
    assert (scores(done.stdout)["32164625"] == 7) == (score == 7)


@pytest.mark.parametrize(
    ("variant", "moves", "score"),
    [
        ("6x5", "", 0),
        ("4x4x3", "11", 3),
        ("10x2", "aa99", 0),
        ("9x7x2", "5", -31),
        ("1x52", "1" * 40, 0),
    ],
)
def test_other_boards_are_solved(c4_solve, variant, moves, score):
    """Boards of other sizes, with other lengths of lines and columns beyond 9, are solved."""
    done = c4_solve("--variant", variant, stdin=f"{moves}\n".encode())
    assert scores(done.stdout) == {moves: score}


def test_hopeless_position_is_refused(c4_solve):
    """A position with too many free cells for the Python solver is refused."""
    done = c4_solve("--variant", "20x20", stdin=b"\n")
    assert re.fullmatch(
        rb"c4-solve: line 1: \d+ cells are free: the native core cannot .* at most 20\n",
        done.stderr,
    )
    assert (done.stdout, done.returncode) == (b"", 1)


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
        assert process.wait(timeout=20) == -signal.SIGINT
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
