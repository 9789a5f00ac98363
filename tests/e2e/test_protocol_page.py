"""Statements of docs/PROTOCOL.md are checked wherever possible.

``test_flushing.py`` checks the flushing of answers, and ``test_documents.py`` runs the commands.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest
from c4_protocol.dialects.jsonl import RefereeEnd, precept_of
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.records.messages import ALL_DIRECTIONS, Move, Precept
from c4_protocol.rules.notation import cell_of_wire
from c4_protocol.rules.variant import MAX_SIDE, STANDARD, STEAL, Variant
from c4_referee.bots.clock import GRACE_MS, TimeControl
from c4_referee.bots.find import bots_from_tables
from c4_referee.bots.placeholders import APPENDED_WORDS, CommandValues, filled_in
from c4_referee.contain.excerpt import MAX_KEPT_BYTES
from c4_referee.contain.faults import Fault, Policy
from c4_referee.contain.limits import ResourceLimits
from c4_referee.contain.process import CLOSING_SECONDS
from c4_referee.talk.channel import MAX_LINE_BYTES, MAX_STDERR_BYTES
from pydantic import TypeAdapter

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "PROTOCOL.md").read_text(encoding="utf-8")
VALUES = CommandValues(1, STANDARD, 1000)
MINIMAL = [sys.executable, str(ROOT / "examples" / "minimal.py")]


def section(title: str) -> str:
    """Return the text below a heading, up to the next heading of its level."""
    return re.search(rf"\n## {title}\n(.*?)(\n## |\Z)", PAGE, re.DOTALL)[1]


def blocks(language: str, text: str = PAGE) -> list[str]:
    """Return the code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def rows(text: str) -> list[list[str]]:
    """Return the cells of all rows of a text's tables, without headings."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    ruled = [n for n, row in enumerate(cells) if set(row[0]) == {"-"}]
    return [row for n, row in enumerate(cells) if n not in ruled and n + 1 not in ruled]


def code(cell: str) -> list[str]:
    """Return the code spans in a cell of a table."""
    return re.findall("`([^`]+)`", cell)


PRECEPT_LINE = blocks("json", section("The precept"))[0]
PRECEPT = precept_of(PRECEPT_LINE.encode())


def test_smallest_bot_is_the_example():
    """The page's first bot is the example to which its link leads."""
    assert blocks("python")[0] == (ROOT / "examples" / "minimal.py").read_text(encoding="utf-8")


def test_precept_is_the_one_that_the_referee_writes():
    """The example precept equals what the referee writes for its position, byte for byte."""
    assert RefereeEnd().write_precept(PRECEPT.position(), 1000.0).decode() == PRECEPT_LINE


def test_table_of_fields_is_complete():
    """The table has every field of the precept, with its default value."""
    table = {code(row[0])[0]: row for row in rows(section("The precept"))}
    assert set(table) == {field.name for field in fields(Precept)}
    defaults = {"connect": STANDARD.connect, "gravity": STANDARD.gravity}
    for name, default in {**defaults, "directions": list(ALL_DIRECTIONS)}.items():
        assert json.loads(code(table[name][3])[0]) == default
    assert set(code(table["directions"][3])[0][2:-2].split('","')) == set(ALL_DIRECTIONS)
    assert f"1 to {MAX_SIDE}" in table["width"][2]
    assert f"2 to {MAX_SIDE}" in table["connect"][2]


def test_player_is_found_as_the_table_says():
    """A precept without a player is for the player with fewer stones, or for the one of the flag.

    Without a flag it is for player 1.
    """
    empty = [[0, 0], [0, 0]]
    one, two = [[0, 1], [0, 0]], [[0, 2], [0, 0]]
    players = [Precept(grid=grid, connect=2).position().player for grid in (empty, one, two)]
    assert players == [1, 2, 1]
    flagged = [Precept(grid=grid, connect=2).position(2).player for grid in (empty, one, two)]
    assert flagged == [2, 2, 1]


NUMBERS = [
    ([], {"player": 2}, 2),
    (["--player", "1", "--width", "2"], {"player": 2}, 2),
    (["--height", "2", "--player", "2"], {}, 2),
    (["--player 2 --width 2"], {}, 2),
    (["1", "1", "2", "2"], {}, 1),
    ([], {"grid": [[0, 1], [0, 0]]}, 2),
    ([], {"grid": [[0, 2], [0, 0]]}, 1),
    ([], {"grid": [[2, 1], [0, 0]]}, 1),
]
"""Arguments of a bot, fields of a precept besides an empty grid, and the bot's number."""


@pytest.mark.parametrize(("arguments", "fields", "number"), NUMBERS)
def test_own_number_in_python(arguments, fields, number):
    """The page's Python lines find the number in the precept, the arguments or the stones."""
    names = {"precept": {"grid": [[0, 0], [0, 0]], **fields}, "re": re}
    names["sys"] = SimpleNamespace(argv=["bot.py", *arguments])
    exec(blocks("python", section("The precept"))[0], names)
    assert names["player"] == number


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.parametrize(("arguments", "fields", "number"), NUMBERS)
def test_own_number_in_javascript(arguments, fields, number):
    """The page's JavaScript lines find the same number."""
    (shown,) = blocks("js", section("The precept"))
    precept = json.dumps({"grid": [[0, 0], [0, 0]], **fields})
    program = f"const precept = {precept};\n{shown}console.log(player)"
    done = subprocess.run(
        ["node", "-e", program, "--", *arguments], capture_output=True, check=True, text=True
    )
    assert int(done.stdout) == number


def test_picture_shows_the_precept():
    """The picture shows the grid: rows, columns, corners, and the cell of the next stone."""
    (picture,) = blocks("text", section("The grid"))
    drawn = re.findall(r"row (\d) +((?:[.12*] +){6}[.12*])", picture)
    assert [int(number) for number, _ in drawn] == list(range(6))
    cells = [line.split() for _, line in drawn]
    for x, column in enumerate(PRECEPT.grid):
        for y, cell in enumerate(column):
            assert (cells[y][x] == "*") == ((x, y) == (3, 2))
            assert cells[y][x].replace("*", ".") == ".12"[cell]
    corners = re.findall(r"grid\[(\d)\]\[(\d)\]", picture)
    assert corners == [("0", "0"), ("6", "0"), ("0", "5"), ("6", "5")]
    position = PRECEPT.position()
    landing = position.play(cell_of_wire(position, 3))
    assert Precept.of(landing).grid[3][2] == position.player


def test_free_columns_in_python():
    """The page's Python line finds the free columns, and the row that the picture marks."""
    grid = [list(column) for column in PRECEPT.grid]
    grid[0] = [1, 2, 1, 2, 1, 2]
    names = {"precept": {"grid": grid}}
    exec(blocks("python", section("The grid"))[0], names)
    assert (names["free"], names["row"]) == ([1, 2, 3, 4, 5, 6], 2)


def test_free_columns_in_javascript():
    """The page's JavaScript line finds the same columns and row."""
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    (shown,) = blocks("js", section("The grid"))
    grid = [list(column) for column in PRECEPT.grid]
    grid[0] = [1, 2, 1, 2, 1, 2]
    program = f"const precept = {json.dumps({'grid': grid})};\n{shown}console.log(free, row)"
    done = subprocess.run(["node", "-e", program], capture_output=True, check=True, text=True)
    assert [int(number) for number in re.findall(r"\d+", done.stdout)] == [1, 2, 3, 4, 5, 6, 2]


def test_answers_are_read_by_the_referee():
    """The referee reads the example answers: with gravity, without it, and with the steal."""
    column, cell, steal = blocks("json", section("The answer"))
    position = PRECEPT.position()
    for line in (column, cell, steal):
        assert TypeAdapter(Move).validate_json(line)
    assert cell_of_wire(position, RefereeEnd().read_move(column.encode()))
    free = Variant(7, 6, gravity=False)
    assert RefereeEnd().read_move(cell.encode()) == (3, 2)
    assert cell_of_wire(Precept(grid=PRECEPT.grid, gravity=False).position(), (3, 2)) == free.cell(
        3, 3
    )
    assert RefereeEnd().read_move(steal.encode()) == STEAL


@pytest.mark.parametrize("answer", ['"3"', "3.0"])
def test_wrong_columns_are_refused(answer):
    """Answers that the page calls wrong are refused."""
    assert f"`{answer}`" in section("The answer")
    with pytest.raises(IllegalMove):
        RefereeEnd().read_move(f'{{"move":{answer}}}'.encode())


def test_bad_answers_have_the_faults_of_the_table():
    """The table's first row has illegal moves, and the second has lines that are no answers."""
    illegal, bad, *_ = rows(section("What loses a game"))
    assert (illegal[1], bad[1]) == (Fault.ILLEGAL_MOVE.value, Fault.BAD_LINE.value)
    for answer in code(illegal[0]):
        with pytest.raises(IllegalMove):
            cell_of_wire(PRECEPT.position(), RefereeEnd().read_move(answer.encode()))
    for answer in code(bad[0]):
        with pytest.raises(ProtocolError) as raised:
            RefereeEnd().read_move(answer.encode())
        assert not isinstance(raised.value, IllegalMove)


def test_table_of_faults_is_complete():
    """The table names every fault that loses a game, and says which ones lose all later games."""
    table = rows(section("What loses a game").split("The course's own")[0])
    named = {name: row[0] for row in table for name in row[1].split(", ")}
    losing = {fault for fault in Fault if fault.policy in {Policy.FORFEIT, Policy.BAR}}
    losing.remove(Fault.WITHDRAWN)  # the bot's owner causes this fault
    assert set(named) == {fault.value for fault in losing}
    for fault in losing:
        assert ("its other games" in named[fault.value]) == (fault.policy is Policy.BAR)


ARGUMENTS = [shlex.split(code(row[0])[0]) for row in rows(section("Arguments"))]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=repr)
def test_smallest_bot_plays_with_arguments_of_real_drivers(arguments):
    """The smallest bot answers with every list of arguments in the table."""
    done = subprocess.run(
        [*MINIMAL, *arguments], input=PRECEPT_LINE.encode(), capture_output=True, check=True
    )
    assert json.loads(done.stdout)["move"] in range(7)


def test_lists_that_can_be_appended_are_in_the_table():
    """The table's first and third rows are the arguments that the referee can append by name.

    One row is a single argument.
    """
    assert tuple(ARGUMENTS[0]) == filled_in(APPENDED_WORDS["course"], VALUES)
    assert tuple(ARGUMENTS[2]) == filled_in(APPENDED_WORDS["positional"], VALUES)
    assert [len(words) for words in ARGUMENTS] == [6, 6, 6, 1, 1, 1]


def test_comments_of_the_file_of_bots_say_what_is_started():
    """Each table in the file of bots starts its bot with the command line in its comment."""
    (text,) = blocks("toml")
    bots = bots_from_tables(tomllib.loads(text)["bots"], "the page")
    shown = [shlex.split(line) for line in re.findall("# (python3 .*)", text)]
    assert [list(spec.command_for(VALUES)) for spec in bots.values()] == shown
    for name in re.findall(r"`\{(\w+)\}`", section("Arguments")):
        assert filled_in([f"{{{name}}}"], VALUES) != (f"{{{name}}}",)


def test_times_are_those_of_the_referee():
    """The page's times are the referee's defaults, and its example clock is what is sent."""
    table = {row[0].split(",")[0]: row[1] for row in rows(section("Time"))}
    assert table["Time for each move"] == f"{TimeControl.move_ms:g} ms"
    assert table["Start-up time"] == f"{TimeControl.startup_ms:g} ms"
    assert table["Grace"] == f"{GRACE_MS:g} ms"
    control = TimeControl.parse(re.search(r"`--tc (.*?)`", PAGE)[1])
    (clock,) = re.findall(r'`("clock":.*?)`', section("Time"))
    assert json.loads(f"{{{clock}}}")["clock"] == {
        "remaining_ms": control.main_ms,
        "increment_ms": control.increment_ms,
    }


def test_limits_are_those_of_the_referee():
    """Every number in the table of limits is the referee's constant."""
    table = {row[0]: row[1] for row in rows(section("Limits"))}
    found = {name: re.search(r"[\d.]+", cell) for name, cell in table.items()}
    numbers = {name: number and float(number[0]) for name, number in found.items()}
    fields = {code(name)[0]: number for name, number in numbers.items() if code(name)}
    assert fields == {
        name: getattr(ResourceLimits, name)
        for name in (
            "memory_mb",
            "open_files",
            "file_mb",
            "written_mb",
            "processes",
            "threads",
            "cpus",
        )
    }
    assert numbers["An answer"] == MAX_LINE_BYTES
    assert numbers["Standard error"] == MAX_STDERR_BYTES / (1 << 20)
    assert f"{MAX_KEPT_BYTES} bytes" in table["Standard error"]
    assert numbers["Time to end after the game"] == CLOSING_SECONDS == 0.5
