"""Every example bot plays whole games without a fault."""

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
RUNNERS = {".py": sys.executable, ".sh": "sh", ".awk": "awk -f"}
BOTS = sorted(
    path
    for path in EXAMPLES.iterdir()
    if path.suffix in RUNNERS and "def evaluate(" not in path.read_text(encoding="utf-8")
)


def match(*arguments: str) -> dict[str, object]:
    """The report of a match."""
    command = [Path(sys.executable).parent / "c4-referee", "match", *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, check=True, cwd=EXAMPLES.parent)
    return orjson.loads(done.stdout)


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
@pytest.mark.parametrize("variant", ["standard", "5x8"])
def test_example_plays_without_a_fault(path, variant):
    """An example wins, loses or draws, but never forfeits."""
    bot = f"{RUNNERS[path.suffix]} {path}"
    report = match(bot, "c4-bot --plays random", "--games", "4", "--variant", variant)
    assert report["games"] == 4
    assert report["forfeits"] == {}


@pytest.mark.parametrize("name", ["strong", "needed", "random", "centre"])
def test_bots_of_the_example_file_play(name):
    """Every bot of class.toml starts and plays."""
    report = match(name, "random", "--bots", "examples/class.toml", "--games", "2",
                   "--time-ms", "100")  # fmt: skip
    assert report["forfeits"] == {}


def test_the_example_of_an_evaluator_plays():
    """One's own evaluator searches as deep as ``sequences``, which it meets here."""
    mine = "c4-bot --evaluator examples/my_evaluator.py:MyEvaluator"
    report = match(mine, "c4-bot --plays sequences", "--games", "4", "--openings", "random:4")
    assert report["games"] == report["distinct_games"] == 4
    assert report["forfeits"] == {}
