"""The solver's table keeps whole keys: no position is taken for another."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def test_no_position_is_taken_for_another(tmp_path: Path) -> None:
    """Two positions with equal hashes have entries of their own, on boards of all sizes."""
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    program = tmp_path / "table"
    native = ROOT / "bot" / "native"
    source = ROOT / "tests" / "native" / "table.cpp"
    build = [compiler, "-std=c++20", "-O1", f"-I{native}", str(source), "-o", str(program)]
    subprocess.run(build, check=True, timeout=120)
    done = subprocess.run([program], check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "0 mistakes\n")
