"""Scripts of the page: their own tests, and what they read and write beside Python."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browsing import go_without
from c4_protocol import Board
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.picture import board_svg
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from c4_protocol.terminal.board import board_text
from c4_referee.records.formats import pgn
from scripted import run_node

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tests" / "browser" / "node_modules" / ".bin"
BOARDS = ("7x6", "8x7x5", "11x10", "3x3x3", "4x10x3")
GAMES = 20
"""Number of games on each board."""


def test_the_scripts_pass_their_own_tests():
    """Moves, boards, precepts, PGN, links, pictures, exercises, the page and its languages."""
    tests = ("notation", "game", "learn", "languages")
    run_node("--test", *(f"{name}.test.js" for name in tests))


@pytest.mark.parametrize(
    "command",
    [("tsc", "-p", "tests/browser/tsconfig.json"), ("biome", "lint", "--error-on-warnings")],
)
def test_the_scripts_are_checked(command):
    """TypeScript finds no wrong types, and Biome nothing that is suspicious."""
    program = TOOLS / command[0]
    if not shutil.which("node"):
        go_without("node is not installed")
    if not program.exists():
        go_without("run npm ci --ignore-scripts --prefix tests/browser")
    done = subprocess.run(
        [program, *command[1:]], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def random_game(draw: Random, variant: Variant) -> tuple[Position, list[int]]:
    """Return the position after some moves, or after the end of the game, and the moves."""
    position, cells = Position(variant), []
    for _ in range(draw.randrange(1, variant.cells)):
        if not position.is_over:
            cells.append(draw.choice(position.moves))
            position = position.play(cells[-1])
    return position, cells


def texts_of(position: Position, cells: list[int]) -> Iterator[tuple[str, bool]]:
    """Yield texts of a game as the project writes them, and whether each has the moves."""
    variant = position.variant
    moves = moves_text(variant, cells)
    tags = {"White": "a", "Black": "b", "Result": "*", "Variant": str(variant)}
    yield moves, True
    yield json.dumps({"moves": moves}), True
    yield pgn.write(tags | {"OpeningMoves": moves[:2]}, moves), True
    yield str(Board.from_moves(moves, variant)), False
    for room in (2, 3):
        yield "\n".join(map(str, board_text(position, room, cells[-1]))), False


@pytest.mark.parametrize("name", BOARDS)
def test_the_page_reads_what_the_project_writes(name):
    """Positions and moves are those of Python, and pictures are equal."""
    draw, variant = Random(name), Variant.parse(name)
    games = [random_game(draw, variant) for _ in range(GAMES)]
    asked = [(game, *text) for game in games for text in texts_of(*game)]
    board = [variant.width, variant.height, variant.connect]
    stdin = json.dumps([(text, board) for _, text, _ in asked])
    found: list[dict[str, Any]] = json.loads(run_node("notations.js", stdin=stdin))
    for ((position, cells), text, has_moves), read in zip(asked, found, strict=True):
        assert read["precept"].encode() + b"\n" == RefereeEnd().write_precept(position), text
        assert read["moves"] == (moves_text(variant, cells) if has_moves else ""), text
        assert read["svg"] == board_svg(position, cells[-1] if has_moves else None)


@pytest.mark.parametrize("name", ["line8", "codingame", "4x3x3+steal", "9x7x5"])
def test_rules_are_those_of_python(name):
    """Each position of a game has the same stones, legal moves and winner, in every variant."""
    draw, variant = Random(name), Variant.parse(name)
    sizes, asked, expected = [variant.width, variant.height, variant.connect], [], []
    rules = {key: getattr(variant, key) for key in ("gravity", "directions", "steal")}
    for _ in range(GAMES):
        position, cells, rows = Position(variant), [], []
        while True:
            precept = RefereeEnd().write_precept(position).decode().strip()
            moves = [moves_text(variant, [move]) for move in position.moves]
            rows.append([precept, moves, position.winner])
            if position.is_over:
                break
            cells.append(draw.choice(position.moves[-3:]))
            position = position.play(cells[-1])
        asked.append((sizes, rules, moves_text(variant, cells)))
        expected.append(rows)
    assert json.loads(run_node("rules.js", stdin=json.dumps(asked))) == expected
