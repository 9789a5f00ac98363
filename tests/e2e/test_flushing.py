"""Each line that docs/PROTOCOL.md shows for a language sends its answer at once.

``flushing.txt`` has a program for each language, with its file, the command that builds it and the
command that starts it. ``@`` marks the place of the shown line. The input of the programs stays
open. A language whose tools are not installed is skipped.
"""

import json
import os
import re
import select
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from effort import one_in

PAGE = (Path(__file__).parents[2] / "docs" / "PROTOCOL.md").read_text(encoding="utf-8")
SECTION = re.search(r"\n## Flushing\n(.*?)\n## ", PAGE, re.DOTALL)[1]
SHOWN = dict(re.findall(r"^\| ([^|]+) \| `(.+)` \|$", SECTION, re.MULTILINE))
PROGRAMS = dict(
    part.split(" | ", 1)
    for part in Path(__file__).with_name("flushing.txt").read_text("utf-8").split("== ")[1:]
)
PATIENCE = 300
"""Maximum seconds to wait for an answer that should come."""
IMPATIENCE = 2
"""Seconds to wait for an answer that should not come."""
WITHOUT_FLUSH = {"Python": ", flush=True", "C": " fflush(stdout);", "Perl": " STDOUT->flush();"}
"""Text to remove from a line so that its answer stays in a buffer."""


def answers(name: str, line: str, folder: Path, seconds: float) -> list[object]:
    """Send two precepts to a program, and return its answers, or ``None`` for one that is late."""
    head, _, program = PROGRAMS[name].partition("\n")
    file, *commands = head.split(" |")
    build, run = map(shlex.split, commands)
    for tool in (*build[:1], *run[:1]):
        if not tool.startswith("./") and not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    if name == "awk" and "mawk" in Path(shutil.which("awk") or "").resolve().name:
        run = ["mawk", "-W", "interactive", *run[1:]]  # it would also buffer its input
    (folder / file).write_text(program.replace("@", line), encoding="utf-8")
    if build:
        subprocess.run(build, cwd=folder, capture_output=True, check=True)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    found = []
    with subprocess.Popen(run, cwd=folder, env=env, bufsize=0, **pipes) as child:
        for _ in range(2):
            child.stdin.write(b'{"grid":[[0,0],[0,0]]}\n')
            ready, _, _ = select.select([child.stdout], [], [], seconds)
            found.append(json.loads(child.stdout.readline()) if ready else None)
        child.stdin.close()
    return found


@pytest.mark.parametrize("name", one_in(3, SHOWN))
def test_shown_line_sends_its_answer_at_once(name, tmp_path):
    """Two answers in a row arrive while the input of the program stays open."""
    assert SHOWN.keys() == PROGRAMS.keys()
    assert answers(name, SHOWN[name], tmp_path, PATIENCE) == [{"move": 3}] * 2


@pytest.mark.parametrize("name", one_in(3, WITHOUT_FLUSH))
def test_answer_without_flush_does_not_arrive(name, tmp_path):
    """A line without its flush sends no answer, so that the test above can fail."""
    line = SHOWN[name].replace(WITHOUT_FLUSH[name], "")
    assert line != SHOWN[name]
    assert answers(name, line, tmp_path, IMPATIENCE) == [None, None]
