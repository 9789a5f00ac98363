"""Bots that are functions: moves, errors, wrong answers and slowness."""

import time

import pytest
from c4_protocol import Board
from c4_referee import play_match


def first_free(board: Board) -> int:
    """Return the first column that is not full."""
    return board.legal_moves[0]


def cells(board: Board) -> tuple[int, int]:
    """Return the first free cell."""
    return board.legal_moves[0]


def confused(_: Board) -> int:
    """Raise an exception."""
    raise ValueError("I am lost")


def leaving(_: Board) -> int:
    """End the thread that calls it, if nothing holds it back."""
    raise SystemExit(3)


def vague(_: Board) -> str:
    """Return something that is no move."""
    return "the middle"


def huge(_: Board) -> int:
    """Return a number that no line of JSON can hold."""
    return 1 << 70


def sleepy(_: Board) -> int:
    """Return a move too late, but before a bot that may have to start would be late."""
    time.sleep(0.5)
    return 0


def test_functions_play_each_other() -> None:
    """Two functions play a game to its end, and equal names are numbered."""
    games: list = []
    report = play_match(first_free, first_free, 2, on_game=games.append)
    assert report.bots == ("first_free", "first_free (2)")
    assert report.complete
    assert report.forfeits == {}
    assert [game.ending for game in games] == ["line", "line"]
    closed = play_match(lambda board: board.legal_moves[-1], cells, 1, variant="line8")
    assert closed.bots == ("lambda", "cells")
    assert closed.forfeits == {}


@pytest.mark.parametrize(
    ("function", "fault", "detail"),
    [
        (confused, "exited", "ValueError: I am lost (in the function confused)"),
        (leaving, "exited", "SystemExit: 3 (in the function leaving)"),
        (len, "exited", "(in the function len)"),
        (vague, "bad line", "the function vague returned 'the middle'"),
        (huge, "bad line", "the function huge returned 1180591620717411303424"),
        (sleepy, "late", "no whole line within 1220 ms"),
    ],
)
def test_function_that_fails_forfeits(function, fault, detail, capfd) -> None:
    """An exception, a wrong value and a late answer lose the game. The fault says why."""
    games: list = []
    play_match(function, first_free, 1, seconds=0.2, on_game=games.append)
    assert (games[0].winner, games[0].fault.bot) == (2, function.__name__)
    assert games[0].fault.fault.startswith(fault)
    assert detail in games[0].fault.detail
    if function in {confused, leaving}:
        assert "Traceback" in games[0].stderr[function.__name__]
        assert f"in {function.__name__}\n" in capfd.readouterr().err
