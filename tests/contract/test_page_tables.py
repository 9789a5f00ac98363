"""Tables in documents name what the program has, with the numbers of the program."""

import json
import re
import shlex
import tomllib
from contextlib import suppress
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.dialects import RefereeEnd, VariantError
from c4_protocol.dialects.jsonl import RefereeEnd as JsonlEnd
from c4_protocol.dialects.jsonl import precept_of
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.records.messages import ALL_DIRECTIONS, Precept, Reply
from c4_protocol.rules.notation import cell_of_wire, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, MAX_SIDE, STANDARD, Variant
from c4_referee.bots.clock import GRACE_MS, TimeControl
from c4_referee.bots.contain.excerpt import MAX_KEPT_BYTES
from c4_referee.bots.contain.faults import Fault, Policy
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.process import CLOSING_SECONDS
from c4_referee.bots.find import bots_from_tables
from c4_referee.bots.placeholders import APPENDED_WORDS, CommandValues, filled_in
from c4_referee.bots.talk.channel import MAX_LINE_BYTES, MAX_STDERR_BYTES
from c4_referee.check.model_bot import first_answer

ROOT = Path(__file__).parents[2]
PROTOCOL, DIALECTS, PYTHON, SOLVER, TRAINING = (
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("PROTOCOL", "dialects", "python", "solver", "training")
)
VALUES = CommandValues(1, STANDARD, 1000)
MARK = "<!-- tests/contract/test_page_tables.py writes this table -->\n"
HEAD = "| Dialect | What it is | Games | Openings | Games in one run | Answer |\n| " + "--- | " * 6
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", DIALECTS, re.DOTALL | re.MULTILINE))
DESCRIBED = [name for name in dialects.referee_names() if name in SECTIONS]
GAMES = {
    "all": {STANDARD, CODINGAME, LINE8, Variant(8, 7), Variant(9, 7, 5)},
    "four in a row, any board": {STANDARD, Variant(8, 7)},
    "all with gravity and without steal": {STANDARD, Variant(8, 7), Variant(9, 7, 5)},
}
"""Games for entries of the column "Games", among those of ``all``."""


def section(page: str, title: str) -> str:
    """Return the text below a heading, up to the next heading of its level."""
    return re.search(rf"\n## {title}\n(.*?)(\n## |\Z)", page, re.DOTALL)[1]


def rows(text: str) -> list[list[str]]:
    """Return the cells of all rows of a text's tables, without headings."""
    cells = [
        re.split(r" *\| *", line)[1:-1] for line in re.findall(r"^\|.*\|$", text, re.MULTILINE)
    ]
    ruled = {n for n, row in enumerate(cells) if set(row[0]) == {"-"}}
    return [row for n, row in enumerate(cells) if not {n, n + 1} & ruled]


def code(cell: str) -> list[str]:
    """Return the code spans in a cell of a table."""
    return re.findall("`([^`]+)`", cell)


def test_fields_of_the_precept():
    """The table has every field of the precept, with its default value."""
    table = {code(row[0])[0]: row for row in rows(section(PROTOCOL, "The precept"))}
    assert set(table) == {field.name for field in fields(Precept)}
    defaults = {"connect": STANDARD.connect, "gravity": STANDARD.gravity}
    for name, default in {**defaults, "directions": list(ALL_DIRECTIONS)}.items():
        assert json.loads(code(table[name][3])[0]) == default
    assert f"1 to {MAX_SIDE}" in table["width"][2]
    assert f"2 to {MAX_SIDE}" in table["connect"][2]


def test_faults_that_lose():
    """The table names every fault that loses a game, and says which ones lose all later games.

    Its first rows have answers that are illegal moves, and answers that are none.
    """
    table = rows(section(PROTOCOL, "What loses a game").split("The course's own")[0])
    named = {name: row[0] for row in table for name in row[1].split(", ")}
    losing = {fault for fault in Fault if fault.policy in {Policy.FORFEIT, Policy.BAR}}
    losing.remove(Fault.WITHDRAWN)  # the bot's owner causes this fault
    assert set(named) == {fault.value for fault in losing}
    for fault in losing:
        assert ("its other games" in named[fault.value]) == (fault.policy is Policy.BAR)
    position = precept_of(re.search(r"```json\n(.*)\n```", PROTOCOL)[1].encode()).position()
    for row, error in zip(table, (IllegalMove, ProtocolError), strict=False):
        for answer in code(row[0]):
            with pytest.raises(error) as raised:
                cell_of_wire(position, JsonlEnd().read_move(answer.encode()))
            assert isinstance(raised.value, IllegalMove) == (error is IllegalMove)


def test_arguments_of_bots():
    """The referee can append the first and third row, and starts bots as the comments say."""
    text = section(PROTOCOL, "Arguments")
    shown = [shlex.split(code(row[0])[0]) for row in rows(text)]
    assert tuple(shown[0]) == filled_in(APPENDED_WORDS["course"], VALUES)
    assert tuple(shown[2]) == filled_in(APPENDED_WORDS["positional"], VALUES)
    assert [len(words) for words in shown] == [6, 6, 6, 1, 1, 1]
    file = re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]
    bots = bots_from_tables(tomllib.loads(file)["bots"], "the page").values()
    commands = [shlex.split(line) for line in re.findall("# (python3 .*)", file)]
    assert [list(spec.command_for(VALUES)) for spec in bots] == commands
    for name in re.findall(r"`\{(\w+)\}`", text):
        assert filled_in([f"{{{name}}}"], VALUES) != (f"{{{name}}}",)


def test_times_and_limits():
    """Times and limits are the referee's defaults, and the example of a clock is what is sent."""
    text = section(PROTOCOL, "Time")
    table = {row[0].split(",")[0]: row[1] for row in rows(text)}
    assert table["Time for each move"] == f"{TimeControl.move_ms:g} ms"
    assert table["Start-up time"] == f"{TimeControl.startup_ms:g} ms"
    assert table["Grace"] == f"{GRACE_MS:g} ms"
    control = TimeControl.parse(re.search(r"`--tc (.*?)`", PROTOCOL)[1])
    (clock,) = re.findall(r'`("clock":.*?)`', text)
    times = {"remaining_ms": control.main_ms, "increment_ms": control.increment_ms}
    assert json.loads(f"{{{clock}}}")["clock"] == times
    limits = {row[0]: row[1] for row in rows(section(PROTOCOL, "Limits"))}
    assert f"{MAX_KEPT_BYTES} bytes" in limits["Standard error"]
    found = {"".join(code(name)) or name: cell.split()[0] for name, cell in limits.items()}
    names = ["memory_mb", "open_files", "file_mb", "written_mb", "processes", "threads", "cpus"]
    fields = {name: str(getattr(ResourceLimits, name) or "no") for name in names}
    assert (
        found.items()
        >= {
            "An answer": f"{MAX_LINE_BYTES}",
            "Standard error": f"{MAX_STDERR_BYTES >> 20}",
            "Time to end after the game": f"{CLOSING_SECONDS}",
        }.items()
        | fields.items()
    )
    assert len(found) == len(fields) + 4


def games(end: RefereeEnd) -> str:
    """Return the games that a referee's end can describe."""
    found = set()
    for variant in GAMES["all"]:
        with suppress(VariantError):
            end.check_variant(variant)
            found.add(variant)
    named = (name for name, variants in GAMES.items() if variants == found)
    return next(named, ", ".join(sorted(map(str, found))))


def answer(name: str) -> str:
    """Return our bot's answer to the first question of a game."""
    empty = Position(dialects.referee_end(name).variant or STANDARD)
    return first_answer(name, empty, empty.moves[0])


def row(name: str) -> str:
    """Return the row of a dialect. The first line of its module's docstring says what it is."""
    about = import_module(f"c4_protocol.dialects.{name}").__doc__.splitlines()[0]
    shown = f"[`{name}`](#{name})" if name in SECTIONS else f"`{name}`"
    cells = [str(dialects.bot_end(name).variant), "no", "one", "for people only"]
    if name in dialects.referee_names():
        end = dialects.referee_end(name)
        openings = "no" if end.starts_empty else "yes"
        runs = "one" if end.plays_one_game else "many"
        cells = [games(end), openings, runs, f"`{answer(name)}`"]
    return f"| {' | '.join([shown, about.rstrip('.').replace('``', '`'), *cells])} |"


def test_table_has_every_dialect(golden):
    """The table on the page is what the modules say."""
    shown = DIALECTS.partition(MARK)[2].partition("\n\n")[0]
    table = "\n".join([HEAD.rstrip(), *map(row, dialects.names())])
    golden(ROOT / "docs" / "dialects.md", DIALECTS.replace(shown, table))


@pytest.mark.parametrize("name", DESCRIBED)
def test_section_shows_the_answer_and_the_table_of_a_bot(name):
    """A section shows an answer of the dialect, and the table of a bot that speaks it."""
    assert name == "codingame" or f"\nbot      {answer(name)}\n" in SECTIONS[name]
    bots = tomllib.loads(re.search(r"```toml\n(.*?)```", SECTIONS[name], re.DOTALL)[1])["bots"]
    assert bots["mine"].get("dialect", "jsonl") == name


@pytest.mark.parametrize("name", DESCRIBED)
def test_referee_writes_the_conversation(name):
    """The referee's end writes the referee's lines on the page, and understands the bot's."""
    (block,) = re.findall(r"^```text\n(.*?)^```$", SECTIONS[name], re.DOTALL | re.MULTILINE)
    end, lines = dialects.referee_end(name), [line[9:] for line in block.splitlines()]
    variant, written = end.variant or STANDARD, []
    for moves in ("5",) if variant == CODINGAME else ("", "44"):
        position = position_from_moves(moves, variant)
        said: object = Reply(end.write_precept(position))
        while isinstance(said, Reply):
            written += said.text.decode().splitlines()
            said = end.read_move(lines[len(written)].encode())
            written.append(lines[len(written)])
        cell_of_wire(position, said)
    written = [*map(str.rstrip, written), *end.farewell.decode().splitlines()]
    after = ["quitting"] if name == "c4engine" else []
    assert lines == [*written, *after]


def test_keys_of_solutions(c4_solve):
    """The tables name all keys of the solver's JSON output, for columns and for cells."""
    first, _, second = SOLVER.partition("## Without gravity")
    keys = [[span for row in rows(text) for span in code(row[1])] for text in (first, second)]
    assert list(json.loads(c4_solve("--json", stdin=b"4453").stdout)) == keys[0]
    found = c4_solve("--json", "--weak", "--variant", "line8", stdin=b"d4d5e4e5c4c5").stdout
    assert set(json.loads(found)) == {*keys[0], *keys[1]}


@pytest.mark.parametrize("package", ["c4_protocol", "c4_bot", "c4_referee"])
def test_public_names(package):
    """``__all__`` and the page's list have the same names, and each name can be imported."""
    listed = PYTHON.rpartition(f"\n- `{package}`:")[2].partition("\n- ")[0]
    module = import_module(package)
    assert sorted(code(listed)) == sorted(module.__all__)
    assert set(module.__all__) <= set(dir(module))
    assert all(getattr(module, name) is not None for name in module.__all__)


def test_adapters_for_other_platforms():
    """The table names the modules and the extras that exist."""
    named = re.findall(r"\| `(\w+)` \| `c4_bot\.adapters\.(\w+)` \|", TRAINING)
    files = (ROOT / "bot" / "c4_bot" / "adapters").glob("*.py")
    modules = {path.stem for path in files} - {"__init__", "column_player", "planes"}
    assert dict(named) == {name: name for name in modules}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert modules <= extras["optional-dependencies"].keys()
