"""The benchmarks of ``tests/bench`` run without an error."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from c4_referee.bots.contain.sandbox import why_no_sandbox
from effort import sampled
from views import NO_SANDBOX

ROOT = Path(__file__).parents[2]
RUN = ROOT / "tests" / "bench" / "run.py"
SMALL = {
    "adaptive": ("class", "3", "1"),
    "answers": ("3", "20"),
    "book": ("1", "4"),
    "cluster": ("1", "2", "1"),
    "coverage": ("2", "2"),
    "draw_coverage": ("1",),
    "games": ("1", "2"),
    "latency": ("20",),
    "line_checker": ("{folder}/proofs",),
    "line_games": ("2", "0"),
    "make_positions": ("8x7", "{folder}", "--large=2"),
    "many": ("20", "1"),
    "nodes": ("0.05",),
    "others": ("--rounds=1", "--games=2"),
    "page": ("1", "4"),
    "rating_coverage": ("1",),
    "reasons_table": ("1",),
    "reasons": ("200",),
    "sandbox": ("1", "1", "1"),
    "size": ("{folder}",),
    "soak": ("4", "0"),
    "solver": ("1", "2"),
    "start_up": ("1",),
    "strength": ("{folder}/games", "3x3x3", "--times=40:1"),
    "swiss": ("2", "9", "201"),
    "whole_boards": ("5x4",),
}
"""Arguments with which a benchmark measures very little."""
LONG = {"cluster", "others", "page", "rating_coverage", "soak", "start_up", "strength"}
"""Benchmarks that take seconds even then. They run in thorough tests only."""
IN_C = {"cluster", "games", "sandbox", "start_up"}
IN_A_BROWSER = {"page"}
IN_THE_SANDBOX = {"sandbox"}
NEEDED = {"cluster": "distributed", "many": "bitbully", "solver": "bitbully"}
"""Packages without which a benchmark cannot run."""
SHOWN = {
    "make_positions": r"(?m)^\d+( -?\d+| -){8}$",
    "size": r"│ lines +│ +[1-9]",
    "soak": r'"problems": \[\]}',
    "strength": r"(?m)^\| `perfect` \|",
}
"""Patterns of what benchmarks show or write, if it is not only a table."""
DIRECT = re.compile(r"python tests/bench/(?!run\.py)")
NAMED = re.compile(r"tests/bench/(?:run\.py (?:--[a-z]+ )?)?([a-z_]+)\b")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``run.py``, and return what it wrote."""
    command = [sys.executable, str(RUN), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def programs() -> set[str]:
    """Return the names of all benchmarks that ``run.py`` lists."""
    return {line.split()[0] for line in run().stdout.splitlines()}


def test_list_names_every_program():
    """The list names every benchmark, each in a line of at most 80 columns."""
    listed = run()
    assert listed.returncode == 0, listed.stderr
    assert max(map(len, listed.stdout.splitlines())) <= 80
    assert programs() == SMALL.keys()


def test_page_has_a_row_for_every_program():
    """The page about benchmarks has a row for every benchmark."""
    page = (RUN.parent / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == programs()


@pytest.mark.parametrize("name", sampled(SMALL, SMALL.keys() - LONG))
def test_benchmark_runs(name, tmp_path, c4_solve):
    """Every benchmark runs to its end with small arguments, and shows a table or its figures."""
    if name in IN_C and shutil.which("cc") is None:
        pytest.skip("cc is not installed")
    if name in IN_A_BROWSER and not (shutil.which("chromium") and shutil.which("node")):
        pytest.skip("Chromium or Node is not installed")
    if name in IN_THE_SANDBOX and why_no_sandbox():
        pytest.skip(NO_SANDBOX)
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    if name == "size":
        shutil.copytree(RUN.parent, tmp_path / "bot")
    if name == "line_checker":
        c4_solve("--variant=line8", "--proof", str(tmp_path / "proofs"), stdin=b"d4h1d5h2d6h3\n")
    done = run(name, *(word.format(folder=tmp_path) for word in SMALL[name]))
    assert done.returncode == 0, done.stderr
    written = "".join(path.read_text("utf-8") for path in tmp_path.glob("answers_*.txt"))
    assert re.search(SHOWN.get(name, "┏"), done.stdout + written)


def test_tables_as_json_keep_their_numbers():
    """A table as JSON is one line, with its columns and its exact numbers."""
    (line,) = run("--json", "whole_boards", "4x4", "5x4").stdout.splitlines()
    table = json.loads(line)
    assert [row[:2] for row in table["rows"]] == [["4x4", 0], ["5x4", 0]]
    assert list(table["columns"]) == ["board", "score", "nodes", "seconds"]


def test_comparison_shows_ratios():
    """A comparison of a Python with itself shows equal nodes. A score of 0 has no ratio."""
    done = run("--json", "--against", sys.executable, "--rounds", "2", "whole_boards", "5x4")
    assert done.returncode == 0, done.stderr
    board, score, nodes, _ = json.loads(done.stdout)["rows"][0]
    assert (board, score, nodes) == ("5x4", None, 1)


def test_unknown_program_is_refused():
    """An unknown benchmark is refused with a list of those that exist."""
    done = run("nothing")
    assert done.returncode == 2
    assert "'whole_boards'" in done.stderr


@pytest.mark.parametrize("suffix", ["md", "py", "hpp"])
def test_documents_name_only_programs_that_exist(suffix):
    """Documents and comments name only benchmarks that exist, and start them with ``run.py``."""
    files = {"README", "run", "positions", *programs()}
    for path in ROOT.rglob(f"*.{suffix}"):
        if not {".venv", "build", ".git"} & set(path.parts) and path != Path(__file__):
            text = path.read_text(encoding="utf-8")
            assert {*NAMED.findall(text)} <= files, path
            assert not DIRECT.search(text), f"{path}: write python tests/bench/run.py NAME"
