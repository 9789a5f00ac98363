"""Runs scripts of the page in Node."""

import shutil
import subprocess
from pathlib import Path

from browsing import go_without

WEB_TESTS = Path(__file__).parents[1] / "web"


def run_node(*arguments: str, stdin: str = "") -> str:
    """Return what Node prints in the folder of the tests of the page."""
    node = shutil.which("node")
    if node is None:
        go_without("node is not installed")
    done = subprocess.run(
        [node, *arguments], cwd=WEB_TESTS, input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
