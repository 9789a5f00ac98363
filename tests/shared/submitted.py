"""Submissions of students, as folders."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from languages import go_without
from views import needs_sandbox

EXAMPLES = Path(__file__).parents[2] / "examples"
READS = "import sys\nfor line in sys.stdin:\n    print('{\"move\":0}', flush=True)\n"
"""A main program in Python."""
RUST = """use std::io::BufRead;
fn main() {
    for line in std::io::stdin().lock().lines() {
        if line.unwrap().contains("grid") { println!("{{\\"move\\":0}}"); }
    }
}
"""
SANDBOXED = [
    pytest.param(True, marks=needs_sandbox),
    False,
]
"""Values of a parameter: with and without the sandbox."""


def submission(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files of a submission, and return its folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        if text.startswith("#!"):
            path.chmod(0o755)
    return folder


def need(*programs: str) -> None:
    """Skip the test if this machine lacks one of these programs."""
    for program in programs:
        if shutil.which(program) is None:
            go_without(program)
