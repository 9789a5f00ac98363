"""A replay in which the first stone was stolen, in a browser."""

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsed import SCRIPTS
from browsing import Reader
from c4_protocol.rules.notation import replay, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from c4_referee.records.stats.analysis import analyse
from c4_referee.records.stats.solved import Solved, position_key
from c4_referee.report.site.replay_page import single_file
from games import game_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL = Variant.parse("5x3x3+steal")
MOVES = "2s4351"
"""A game on five columns. Player 2 steals the first stone, and needs it for the line that wins."""


@cache
def score(position: Position) -> int:
    """Return the exact score for the player to move."""
    if position.is_over:
        return -win_score(position.variant, position.ply) if position.is_won else 0
    return max(-score(position.play(move)) for move in position.moves)


def solved_position(position: Position) -> Solved:
    """Return the score of a position, with those of its columns."""
    by_column = {
        position.variant.column_of(move): -score(position.play(move))
        for move in position.without_steal.moves
    }
    return Solved(score(position), tuple(map(by_column.get, range(position.variant.width))))


@pytest.fixture
def page(reader: Reader, tmp_path: Path) -> "Page":
    """Return the page of the game, with the values of all its positions."""
    winner = replay(MOVES, SMALL)[0].winner
    game = game_of(MOVES, variant=SMALL, winner=winner, ending="line", ms=[1.0] * 6)
    assert game.last.is_over
    solved = {position_key(one): solved_position(one) for one in game.positions[:-1]}
    path = tmp_path / "game.html"
    path.write_text(single_file(analyse(game, solved)))
    return reader.open(path)


def colours(page: "Page") -> tuple[int, int]:
    """Return the numbers of visible stones of both players."""
    shown = [
        page.locator(f".stage svg.bo .{name}").evaluate_all(
            "all => all.filter((one) => getComputedStyle(one.parentNode).display !== 'none').length"
        )
        for name in ("b1", "b2")
    ]
    return shown[0], shown[1]


def note(page: "Page", name: str) -> str:
    """Return a notation of the position."""
    row = page.locator(".notations div").filter(has=page.locator("dt", has_text=name)).first
    return row.locator("code").inner_text()


def test_stolen_stone_changes_its_colour(page: "Page"):
    """The stone belongs to player 1, then to player 2, and going back returns it."""
    steps = [
        ("Home", (0, 0)), ("ArrowRight", (1, 0)), ("ArrowRight", (0, 1)), ("ArrowRight", (1, 1)),
        ("ArrowRight", (1, 2)), ("ArrowLeft", (1, 1)), ("ArrowLeft", (0, 1)), ("ArrowLeft", (1, 0)),
        ("ArrowLeft", (0, 0)), ("End", (2, 3)),
    ]  # fmt: skip
    for key, expected in steps:
        page.keyboard.press(key)
        assert colours(page) == expected, key
    assert page.locator(".stage svg.bo .bw").count() == 1  # the line of player 2


def test_position_after_the_steal_is_that_of_our_rules(page: "Page"):
    """The move string, the precept and the solver's command name the position and the variant."""
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert note(page, "moves") == "2s4"
    assert note(page, "c4-solve") == "echo 2s4 | c4-solve --variant 5x3x3+steal --all"
    precept = note(page, "precept")
    position, _ = replay("2s4", SMALL)
    assert json.loads(precept)["steal"] is True
    assert json.loads(precept)["grid"] == [[0, 0, 0], [0, 0, 2], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert json.loads(precept)["player"] == position.player
    answer = subprocess.run(
        [SCRIPTS / "c4-bot", "--plays", "needed"], input=precept, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "move" in json.loads(answer.stdout)


def test_steal_has_its_value_beside_the_board(page: "Page"):
    """Before the steal, its score is shown, and the best column is not marked if it is worse."""
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    position, _ = replay("2", SMALL)
    assert score(position) > 0
    assert f"The steal: +{score(position)}, b wins with best play." in page.inner_text(".card")
    assert page.locator(".chips .best").count() == 0
    page.keyboard.press("ArrowRight")
    assert "b plays the steal" in page.inner_text(".card")
    assert page.locator(".chips .best").count() > 0


def test_plies_of_wins_count_the_steal(page: "Page"):
    """Where the end of the game is certain, the ply that a value names is that of the game."""
    plies, named = len(MOVES), 0
    for ply in range(2, plies + 1):
        page.keyboard.press("Home")
        for _ in range(ply):
            page.keyboard.press("ArrowRight")
        found = re.search(r"wins on move (\d+)", page.inner_text(".card"))
        position, cells = replay(MOVES[:ply], SMALL)
        if found and ply < plies:
            assert int(found[1]) == longest_play(position, len(cells))
            named += 1
    assert named


def longest_play(position: Position, plies: int) -> int:
    """Return the number of plies at the end of best play from a position."""
    while not position.is_over:
        position = max(map(position.play, position.moves), key=lambda child: -score(child))
        plies += 1
    return plies
