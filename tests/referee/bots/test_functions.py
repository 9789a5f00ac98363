"""Bots that are functions: moves, errors, wrong answers and slowness."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from c4_protocol import Board, UsageError
from c4_referee import play_match, play_tournament

CENTRE = f"sh {Path(__file__).parents[3] / 'examples' / 'centre.sh'}"


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


def sleepy(board: Board) -> int:
    """Return each move after half a second, also the first one."""
    time.sleep(0.5)
    return board.legal_moves[0]


def stuck(board: Board) -> int:
    """Make a move on the empty board, and never return on another one."""
    if board.stones > 1:
        threading.Event().wait()
    return board.legal_moves[0]


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
        (sleepy, "late", " ms, and had 220 ms, grace included"),
    ],
)
def test_function_that_fails_forfeits(function, fault, detail, capfd) -> None:
    """An exception, a wrong value and a late answer lose the game. The fault says why.

    The first call has ten seconds more.
    """
    games: list = []
    play_match(function, first_free, 1, seconds=0.2, on_game=games.append)
    assert (games[0].winner, games[0].fault.bot) == (2, function.__name__)
    assert games[0].fault.fault.startswith(fault)
    assert detail in games[0].fault.detail
    assert games[0].fault.ply == (2 if function == sleepy else 0)
    if function in {confused, leaving}:
        assert "Traceback" in games[0].stderr[function.__name__]
        assert f"in {function.__name__}\n" in capfd.readouterr().err


@pytest.mark.parametrize("opponent", [first_free, CENTRE])
def test_function_that_never_returns_forfeits_all_its_games(opponent) -> None:
    """The games after the one in which it did not return are not waited for."""
    games: list = []
    report = play_match(stuck, opponent, 20, seconds=0.2, on_game=games.append)
    assert report.complete
    assert report.forfeits == {"stuck": {"late": 20}}
    assert games[0].fault.detail.startswith("it has not returned after 1")
    assert sum(len(game.moves) for game in games) == len(games[0].moves) + 10


def test_function_plays_a_program() -> None:
    """Against a program, a function has the same faults, and the same text of standard error."""
    games: list = []
    report = play_match(CENTRE, first_free, 2, on_game=games.append)
    assert (report.complete, report.forfeits) == (True, {})
    report = play_match(confused, CENTRE, 2, on_game=games.append)
    assert report.forfeits == {"confused": {"exited": 2}}
    assert "Traceback" in games[2].stderr["confused"]


def test_functions_are_called_in_one_thread() -> None:
    """All calls of a match are made in the same thread, which ends with the match."""
    threads = set()

    def mine(board: Board) -> int:
        threads.add(threading.current_thread())
        return board.legal_moves[0]

    play_match(mine, mine, 4)
    (thread,) = threads
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.parametrize("opponent", [first_free, CENTRE])
def test_interrupt_ends_the_match(opponent, request) -> None:
    """Ctrl-C while a function is called is not the fault of the function."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, former))

    def pressed(_: Board) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
        return 0

    def raising(_: Board) -> int:
        raise KeyboardInterrupt

    for function in (pressed, raising):
        with pytest.raises(KeyboardInterrupt):
            play_match(function, opponent, 100)


def test_functions_take_part_in_a_tournament(tmp_path) -> None:
    """A function follows the bots of the file, or takes the place of the one with its name."""
    file = tmp_path / "evening.toml"
    file.write_text(f"accuracy = false\n[bots.a]\ncommand = {CENTRE!r}\n[bots.b]\ncommand = 'no'\n")
    report = play_tournament(file, bots={"b": first_free, "c": cells}, out=tmp_path / "games")
    games = {row["bot"]: (row["games"], row["forfeits"]) for row in report.rows()}
    assert games == {"a": (4, 0), "b": (4, 0), "c": (4, 0)}
    assert str(report).startswith("evening: ")
    with pytest.raises(UsageError, match="bot 'b': it is a function from a Board, not 3"):
        play_tournament(file, bots={"b": 3})


def test_sequential_test_ends_a_match() -> None:
    """With ``sprt``, a match ends when it is decided, and its text has the decision."""
    report = play_match(
        first_free, confused, sprt=(0, 200, 0.1, 0.1), openings="random:6", variant="6x5"
    )
    assert (report.sprt.verdict, report.complete, report.games < 1000) == ("H1", True, True)
    lines = str(report).splitlines()
    assert lines[0].endswith("the sequential test decided that first_free is better")
    assert len(lines) == 5


def test_match_ends_when_it_is_known_who_is_better() -> None:
    """With ``until``, a match ends with a verdict, and its text has it."""
    report = play_match(
        confused, first_free, until=0.8, within=200, openings="random:6", variant="6x5"
    )
    assert (report.until.bot, report.complete, report.games < 100) == ("first_free", True, True)
    decided = "the sequential tests decided that first_free is better"
    assert str(report).splitlines()[0].endswith(decided)


def test_mistake_is_explained_for_python() -> None:
    """A message names what a caller of Python can write, and no option of a command."""
    with pytest.raises(UsageError, match=r"^'nosuchbot' is neither a program nor a function: "):
        play_match("nosuchbot", first_free)
    with pytest.raises(UsageError, match="elo0 must be less than elo1"):
        play_match(first_free, first_free, sprt=(5, 1))
    with pytest.raises(UsageError, match=r"^until is a number above 0.5 and below 1, not 95$"):
        play_match(first_free, first_free, until=95)
