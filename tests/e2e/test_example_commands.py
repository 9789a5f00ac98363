"""The command at the beginning of each example plays games without a forfeit."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from effort import sampled
from followed import check_no_forfeits
from languages import command

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(r"^\W*(?:Run it with `)?(c4-referee match [^`\n]*)", re.MULTILINE)
COMMANDS = {
    path: found
    for path in sorted((ROOT / "examples").rglob("*.*"))
    if path.suffix not in {".toml", ".md"} and path.is_file()
    for found in SHOWN.findall(path.read_text(encoding="utf-8"))
}

pytestmark = pytest.mark.documented


SAMPLE = [path for path in COMMANDS if path.name in {"centre.sh", "minimal.py", "uci.py"}]


@pytest.mark.parametrize("path", sampled(COMMANDS, SAMPLE), ids=lambda path: path.name)
def test_command_of_an_example_works(path, tmp_path):
    """The command ends with exit code 0. Two games are played instead of ten."""
    command(path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        ["sh", "-c", f"{COMMANDS[path]} --games 2 --no-accuracy"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    check_no_forfeits(done.stdout)


def test_examples_show_commands():
    """Examples in all languages show a command."""
    assert {path.suffix for path in COMMANDS} >= {".py", ".sh", ".js", ".pl", ".c", ".java", ".rkt"}
