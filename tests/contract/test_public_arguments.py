"""Public functions of Python work with whatever they are passed, or raise an ``ArenaError``."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import c4_bot
import c4_protocol
import c4_referee
import numpy as np
import pytest
from c4_bot import Solver, best_move, explain, score_moves, solve_board, solve_many
from c4_protocol import ArenaError, Board, Variant
from c4_referee import BotSpec, play_match, play_tournament, read_games
from hypothesis import given
from hypothesis import strategies as st
from values import VALUES, Index

FREE, SMALL = Board("line8"), Board("3x2")
STORED = Path(__file__).parents[1] / "golden" / "stored" / "match"
LIGHT = f"sh {Path(__file__).parents[2] / 'examples' / 'centre.sh'}"
PLAY = partial(play_match, LIGHT, LIGHT, 1, seconds=5, variant="3x2")
BOT_FIELDS = {"name": "bot", "command": LIGHT}
CALLS: dict[str, Callable[[Any], object]] = {
    "Board": Board,
    "Board.from_moves moves": Board.from_moves,
    "Board.from_moves variant": lambda value: Board.from_moves("4", value),
    "Board.from_moves moves, without gravity": lambda value: Board.from_moves(value, "line8"),
    "Board.from_grid grid": Board.from_grid,
    "Board.from_grid variant": lambda value: Board.from_grid(Board().grid, value),
    "Board.from_grid player": lambda value: Board.from_grid(Board().grid, player=value),
    "Board.from_precept": Board.from_precept,
    "Board.play": Board().play,
    "Board.from_array": Board.from_array,
    "Board.play, without gravity": FREE.play,
    "Board.play row": lambda value: FREE.play((3, value)),
    "Board.precept": Board().precept,
    "Variant.parse": Variant.parse,
    **{
        f"Variant {one.name}": lambda value, name=one.name: Variant(**{name: value})
        for one in fields(Variant)
    },
    "best_move board": lambda value: best_move(value, 0.01),
    "best_move seconds": lambda value: best_move(SMALL, value),
    "best_move player": lambda value: best_move(SMALL, 0.01, value),
    "best_move depth": lambda value: best_move(SMALL, 0.01, depth=value),
    "explain move": lambda value: explain(SMALL, value),
    "explain seconds": lambda value: explain(SMALL, None, value),
    "best_move seed": lambda value: best_move(SMALL, 0.01, "level-1", seed=value),
    "solve_board board": lambda value: solve_board(value, 0.01),
    "solve_board seconds": lambda value: solve_board(SMALL, value),
    "solve_board book": lambda value: solve_board(SMALL, book=value),
    "score_moves board": lambda value: score_moves(value, 0.01),
    "score_moves seconds": lambda value: score_moves(SMALL, value),
    "score_moves book": lambda value: score_moves(SMALL, book=value),
    "Solver variant": Solver,
    "Solver threads": lambda value: Solver("3x2", threads=value),
    "Solver hash_mb": lambda value: Solver("3x2", hash_mb=value),
    "Solver book": lambda value: Solver("3x2", book=value),
    "solve_many boards": solve_many,
    "solve_many scores": lambda value: solve_many([SMALL], value),
    "solve_many threads": lambda value: solve_many([SMALL], threads=value),
    "solve_many progress": lambda value: solve_many([SMALL], progress=value),
    "read_games path": lambda value: [*read_games(value)],
    "read_games contest": lambda value: [*read_games(STORED, value)],
    "play_tournament config": play_tournament,
    "play_tournament bots": lambda value: play_tournament("nothing.toml", bots=value),
    "play_tournament out": lambda value: play_tournament("nothing.toml", out=value),
    "play_tournament on_game": lambda value: play_tournament("nothing.toml", on_game=value),
    "play_tournament progress": lambda value: play_tournament("nothing.toml", progress=value),
    **{
        f"BotSpec {one.name}": lambda value, name=one.name: BotSpec(
            **{**BOT_FIELDS, "restart": "never", name: value}
        )
        for one in fields(BotSpec)
    },
}
"""Calls of public functions, by name and argument. They change nothing and end soon."""
GAMES: dict[str, Callable[[Any], object]] = {
    "first": lambda value: play_match(value, LIGHT, 1, seconds=5, variant="3x2"),
    "second": lambda value: play_match(LIGHT, value, 1, seconds=5, variant="3x2"),
    "games": lambda value: play_match(LIGHT, LIGHT, value, seconds=5, variant="3x2"),
    "seconds": lambda value: PLAY(seconds=value),
    "variant": lambda value: PLAY(variant=value),
    "openings": lambda value: PLAY(openings=value),
    "seed": lambda value: PLAY(seed=value, out="out"),
    "concurrency": lambda value: PLAY(concurrency=value),
    "sprt": lambda value: PLAY(sprt=value),
    "until": lambda value: PLAY(until=value),
    "within": lambda value: PLAY(until=0.9, within=value),
    "on_game": lambda value: PLAY(on_game=None if callable(value) else value),
    "out": lambda value: PLAY(out=value),
    "progress": lambda value: PLAY(progress=value),
}
"""Calls of ``play_match``, by argument."""
WITHOUT_ARGUMENTS = {"players"}
MADE_BY_US = {
    "Explanation",
    "GameEnded",
    "MatchReport",
    "PlayerSpec",
    "SolvedBoard",
    "SolvedBoards",
    "TournamentReport",
    "WireMove",
}
"""Public names of what functions return. Nobody has to call them."""


def works_or_says_why(call: Callable[[Any], object], value: object) -> None:
    """Call a function; if it raises an error, check that this is one line for people."""
    message = "it works"
    try:
        call(value)
    except ArenaError as error:
        message = str(error)
    assert message
    assert message.isprintable()


def test_every_public_function_is_called():
    """Each argument of each public function is in one of the tables."""
    modules = (c4_protocol, c4_bot, c4_referee)
    public = {name: getattr(module, name) for module in modules for name in module.__all__}
    errors = {name for name, found in public.items() if _is_error(found)}
    assert errors | MADE_BY_US | WITHOUT_ARGUMENTS | {"play_match"} | {
        name.split()[0].split(".")[0] for name in CALLS
    } == {*public}
    assert {*inspect.signature(play_match).parameters} == {*GAMES}
    for function in (best_move, solve_board, score_moves, solve_many, read_games, play_tournament):
        names = {name for name in CALLS if name.startswith(function.__name__)}
        parameters = inspect.signature(function).parameters
        assert names == {f"{function.__name__} {name}" for name in parameters}


def _is_error(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, Exception)


@pytest.mark.parametrize("value", VALUES)
def test_arguments_of_all_kinds_work_or_are_refused_in_one_line(value):
    """A value of any kind, in the place of any argument, works or is an ``ArenaError``."""
    for call in CALLS.values():
        works_or_says_why(call, VALUES[value])


@given(
    st.sampled_from([*CALLS]),
    st.text() | st.integers() | st.floats() | st.lists(st.lists(st.integers(0, 2))) | st.binary(),
)
def test_any_number_text_or_grid_works_or_is_refused(name, value):
    """Any number, text or grid, in the place of any argument, works or is an ``ArenaError``."""
    works_or_says_why(CALLS[name], value)


@pytest.mark.parametrize("argument", GAMES)
def test_arguments_of_a_match_work_or_are_refused_in_one_line(argument, tmp_path, monkeypatch):
    """A value of any kind, in the place of any argument of ``play_match``, works or is refused."""
    monkeypatch.chdir(tmp_path)
    for value in VALUES.values():
        works_or_says_why(GAMES[argument], value)


@pytest.mark.parametrize("field", [one.name for one in fields(BotSpec)])
def test_fields_of_a_bot_work_or_are_refused_in_one_line(field):
    """A value of any kind, in the place of any field of a bot, works or is refused."""

    def play(value: object) -> None:
        play_match(BotSpec(**BOT_FIELDS | {field: value}), "no-such-bot")

    for value in VALUES.values():
        works_or_says_why(play, value)


@pytest.mark.parametrize("three", [np.int64(3), np.uint8(3), Index()])
def test_whole_numbers_of_other_libraries_are_whole_numbers(three):
    """An integer of numpy has the same effect as one of Python, wherever an integer is expected."""
    grid = [[three - 3 if isinstance(three, np.integer) else 0] * 4] * 3
    assert Variant(three, 4) == Variant(3, 4)
    assert Board().play(three) == Board().play(3)
    assert FREE.play((three, three)) == FREE.play((3, 3))
    assert FREE.play(np.array([3, 3])) == FREE.play((3, 3))
    assert Board.from_grid(grid).variant == Variant(3, 4)
    assert best_move(SMALL, depth=three) == best_move(SMALL, depth=3)
    moves = {best_move(Board(), player="random", seed=seed) for seed in (3, three)}
    assert len(moves) == 1
    records = []
    bot = BotSpec("bot", LIGHT, memory_mb=three * 100 if isinstance(three, np.int64) else 300)
    PLAY(openings="none", seed=three, concurrency=three, on_game=records.append)
    play_match(bot, LIGHT, three, seconds=5, variant="3x2", on_game=records.append)
    assert len(records) == 4
