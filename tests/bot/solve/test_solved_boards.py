"""``solve_many``: its arrays are the results of one position after the other."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from c4_bot import NotProven, SolvedBoards, Solver, solve_many
from c4_bot.solve import solved_boards
from c4_protocol import Board, ImpossiblePosition, UsageError, VariantError

ANSWERS = Path(__file__).parents[2] / "bench" / "positions" / "answers.txt"
SCORED = [line.split() for line in ANSWERS.read_text().splitlines()][:150]
BOARDS = [Board.from_moves(moves) for moves, *_ in SCORED]
SCORES = np.array([[-128 if one == "-" else int(one) for one in row] for _, *row in SCORED])
BEST = SCORES.max(axis=1)


@pytest.mark.parametrize("threads", [1, 2, None])
def test_arrays_are_in_the_order_of_the_boards(threads):
    """All scores, the best moves and the results stand in the rows of their boards."""
    solved = solve_many(iter(BOARDS), threads=threads)
    assert len(solved) == len(BOARDS)
    assert (solved.move_scores == SCORES).all()
    assert (solved.scores == BEST).all()
    assert (solved.best_moves == (BEST[:, None] == SCORES)).all()
    assert (solved.results == np.sign(BEST)).all()


@pytest.mark.parametrize("scope", solved_boards.SCOPES)
def test_fewer_scores_take_less_but_say_the_same(scope):
    """Each scope gives a part of what the scope of all scores gives. The rest is missing."""
    solved = Solver().solve_many(BOARDS, scope)
    assert (solved.results == np.sign(BEST)).all()
    assert (solved.scores is None) == (scope == "result")
    assert (solved.best_moves is None) == (scope in {"result", "position"})
    assert (solved.move_scores is None) == (scope != "all")
    if solved.best_moves is not None:
        assert (solved.best_moves == (BEST[:, None] == SCORES)).all()


@pytest.mark.parametrize("scope", solved_boards.SCOPES)
@pytest.mark.parametrize("variant", ["4x4x3+steal", "5x4x3"])
def test_every_variant_has_the_results_of_single_boards(variant, scope):
    """Also with the steal, results are those of ``Solver.solve`` and ``score_moves``."""
    boards = [Board.from_moves(moves, variant) for moves in ("", "1", "2", "12", "21", "2233")]
    solver = Solver(variant)
    for row, board in zip(solve_many(boards, scope).rows(), boards, strict=True):
        one, scores = solver.solve(board), solver.score_moves(board)
        assert row.pop("result") == np.sign(one.score)
        assert row.pop("score", one.score) == one.score
        best = [column for column in one.best_moves if column >= 0]
        assert row.pop("best_moves", best) == best
        assert row == {name: scores.get(int(name[6:])) for name in row}
        assert bool(row) == (scope == "all")


def test_without_the_core_python_solves(monkeypatch):
    """Without the native core, the reference solver fills the same arrays."""
    boards = [Board.from_moves(moves, "4x4x3") for moves in ("1", "1122", "12341")]
    expected = solve_many(boards).rows()
    monkeypatch.setattr("c4_bot.solve.solver.is_core_available", lambda: False)
    assert solve_many(boards).rows() == expected


def test_notebook_shows_the_first_rows():
    """The table has a caption, a row of headings, and a row for each of the first positions."""
    text = solve_many(BOARDS[:25])._repr_html_()
    assert "20 of 25 positions" in text
    assert text.count("<tr>") == 21
    assert "<th>score_6<tr><th>0<td>" in text


def test_no_boards_have_no_rows():
    """An empty list gives empty arrays."""
    solved = solve_many([])
    assert solved.move_scores.shape == (0, 7)
    assert solved.rows() == []
    assert "0 of 0 positions" in solved._repr_html_()
    assert isinstance(solved, SolvedBoards)


def test_progress_is_shown_on_standard_error(capsys):
    """The progress bar ends at the number of boards, and standard output stays empty."""
    solve_many(BOARDS[:20], progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "100%" in err


@pytest.mark.parametrize(
    ("mistake", "error", "reason"),
    [
        (lambda: solve_many(["4453"]), UsageError, r"boards\[0\]: expected a Board"),
        (
            lambda: solve_many([Board.from_moves("1212121", "7x6+steal")]),
            ImpossiblePosition,
            r"boards\[0\]: the game is over",
        ),
        (lambda: solve_many(3), UsageError, "expected boards, not 3"),
        (lambda: solve_many([Board(), Board("8x7")]), UsageError, r"boards\[1\]: .* not 8x7"),
        (
            lambda: solve_many([Board(), Board.from_moves("1212121")]),
            ImpossiblePosition,
            r"boards\[1\]: the game is over",
        ),
        (lambda: solve_many([Board()], "some"), UsageError, "scores is one of 'all', 'best'"),
        (lambda: solve_many([Board()], threads=0), UsageError, "a number of threads"),
        (lambda: solve_many([Board("line8")]), VariantError, "no gravity"),
    ],
)
def test_mistake_is_refused_in_one_line(mistake, error, reason):
    """Each mistake raises its own exception, and names the board."""
    with pytest.raises(error, match=reason) as caught:
        mistake()
    assert not isinstance(caught.value, NotProven)


def test_ctrl_c_ends_all_threads():
    """Ctrl-C ends the searches of all threads, while another thread of the program runs."""
    code = """
import os, signal, threading, time
from c4_bot import Solver
from c4_protocol import Board

def interrupt():
    time.sleep(0.5)
    print("signal", flush=True)
    os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
solver = Solver("9x8", threads=3)
try:
    threading.Thread(target=interrupt).start()
    solver.solve_many([Board("9x8")] * 5)
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.stdout, done.stderr) == ("signal\ninterrupted\n", "")
