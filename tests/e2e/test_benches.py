"""The benchmarks of ``tests/bench``: that they run, not what they measure."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench"
SMALL = {
    "coverage.py": ("4", "10"),
    "rating_coverage.py": ("2",),
    "start_up.py": ("1",),
    "latency.py": ("20",),
    "round_trips.py": ("2", "10"),
    "games.py": ("2", "3"),
    "processes.py": ("2", "2"),
    "memory.py": ("20",),
    "agreement.py": ("20",),
    "whole_boards.py": ("5x4",),
    "weights.py": ("map", "1", "3"),
    "blocker.py": ("0.01", "200", "2", "5"),
    "perfect_latency.py": ("5", "20"),
    "perfect_play.py": ("4", "20", "20"),
    "line_games.py": ("2", "0"),
    "players.py": ("1", "20", "random", "sequences"),
    "levels.py": ("4", "1", "1"),
    "nodes.py": ("0.05",),
    "line_seed_games.py": ("0.05",),
    "cluster.py": ("1", "2", "4"),
    "book.py": ("1", "4"),
    "verify_book.py": ("2",),
    "line_boards.py": ("1", "4x4x3", "4x4x4+"),
}
IN_C = {"round_trips.py", "games.py", "processes.py", "memory.py"}
WITH_BITBULLY = {"agreement.py", "perfect_play.py", "verify_book.py"}


@pytest.mark.parametrize("name", SMALL)
def test_bench_runs(name):
    """Every benchmark prints a table when asked for very little."""
    if name in IN_C and shutil.which("cc") is None:
        pytest.skip("its players are made with a C compiler, cc, which is not there")
    if name in WITH_BITBULLY:
        pytest.importorskip("bitbully")
    if name == "cluster.py":
        pytest.importorskip("distributed")
    command = [sys.executable, str(BENCH / name), *SMALL[name]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "┏" in done.stdout
