"""A pipe, a device or a huge file in a bot's folder or in stored games stops no command.

The commands run with limits of memory and time. Such a file could make them wait or fill memory.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from bots import PATIENT
from c4_protocol.records.events import ContestStarted
from c4_referee.contest.live.file import LIVE_FILE, LiveFile
from effort import one_in, sampled
from kept import archive
from users import python_of_ordinary_user, python_of_present_user
from views import needs_sandbox, write

pytestmark = pytest.mark.linux

MEMORY_BYTES = 3 << 30
"""Limit of the address space of a command."""
ENDLESS = {
    "pipe": "mkfifo -m 755 {}",
    "zeros": "ln -s /dev/zero {}",
    "terminal": "ln -s /dev/tty {}",
    "pages": "ln -s /proc/self/pagemap {}",
    "memory": "ln -s /proc/self/mem {}",
    "folder": "mkdir {}",
}
"""Commands that make something that nobody should read like a file, by what it is."""
BOT = """\
#!/usr/bin/env python3
import json, os, sys
os.system("{plant}")
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    move = next(column for column, cells in enumerate(grid) if not cells[0])
    print(json.dumps({{"move": move}}), flush=True)
"""
MAKEFILE = "all:\n\t{make}\n\tln -s p c4-program\n"
START = """\
import os, sys
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.process import BotProcess
with BotProcess(["./bot"], sys.argv[1], sandbox=Sandbox(os.environ["PATH"])) as process:
    os.set_blocking(process.stdout, True)
    assert os.read(process.stdout, 99) == b"ready\\n"
"""
"""Starts a bot."""
FOLLOWER = """\
import sys
from pathlib import Path
from c4_referee.contest.live.follow import Follower
from c4_referee.serve.store import running_contest
follower = Follower(Path(sys.argv[1]), 1)
print([message["event"] for message in follower.poll()], running_contest(Path(sys.argv[1])))
"""


def run(python: str, *words: str | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with a limit of memory and time."""
    limited = ["prlimit", f"--as={MEMORY_BYTES}", python, *map(str, words)]
    return subprocess.run(
        limited, capture_output=True, text=True, check=False, timeout=300, **settings
    )


def make_bot(folder: Path, program: str) -> None:
    """Make a bot whose command is a link to its program, as in a virtual environment."""
    write(folder / "bin" / "bot", program, 0o755)
    (folder / "bot").symlink_to("bin/bot")
    folder.chmod(0o777)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that all users can open and change."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@needs_sandbox
@pytest.mark.parametrize("kind", one_in(3, ENDLESS))
def test_settings_that_a_bot_makes_at_its_start_stop_no_match(tmp_path, kind):
    """A bot puts something endless in the place of ``pyvenv.cfg``, and the games go on."""
    plant = ENDLESS[kind].format("pyvenv.cfg")
    make_bot(tmp_path / "bot", BOT.format(plant=plant))
    table = '[bots.mine]\ncommand = "./bot"\ncwd = "bot"\nrestart = "game"\n'
    bots = write(tmp_path / "bots.toml", table)
    words = ["match", "mine", "c4-bot --plays random", "--bots", bots, "--variant", "4x4",
             "--sandbox", "require", "--no-accuracy", "--json", *PATIENT]  # fmt: skip
    for _ in range(2):  # the first match makes the file, and the second one finds it
        done = run(sys.executable, "-m", "c4_referee", *words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert not json.loads(done.stdout)["forfeits"]


@needs_sandbox
@pytest.mark.parametrize("user", [python_of_present_user, python_of_ordinary_user])
@pytest.mark.parametrize("kind", ENDLESS)
def test_settings_that_a_bot_makes_let_no_start_wait(open_folder, user, kind):
    """The same with the parts of the referee that every user can run."""
    plant = ENDLESS[kind].format("pyvenv.cfg")
    make_bot(open_folder / "bot", f"#!/bin/sh\n{plant} 2> /dev/null\necho ready\n")
    python, settings = user()
    for _ in range(2):
        done = run(python, "-c", START, open_folder / "bot", **settings)
        assert (done.returncode, done.stderr) == (0, "")
    assert os.path.lexists(open_folder / "bot" / "pyvenv.cfg")


@needs_sandbox
@pytest.mark.parametrize("kind", sampled([*ENDLESS, "huge"], ["pipe"]))
def test_program_that_a_makefile_makes_stops_no_class(tmp_path, kind):
    """A submission that compiles to a link to something endless does not play. The others do."""
    make = {**ENDLESS, "huge": "seq 2000 | xargs truncate -s 250M; echo > {0}; chmod 755 {0}"}[
        kind
    ].format("p")
    for name in ("Ada", "Grace"):
        write(tmp_path / "download" / name / "bot.py", BOT.format(plant="true"))
    write(tmp_path / "download" / "Mallory" / "Makefile", MAKEFILE.format(make=make))
    settings = 'variant = "4x4"\ntime_ms = 60000\nanalysis_seconds = 0\nsite_games = false\n'
    write(tmp_path / "class" / "class.toml", settings)
    words = ("class", tmp_path / "download", "--out", tmp_path / "class", "--json")
    for _ in range(2):  # the second run looks for changes in the folders of the bots
        done = run(sys.executable, "-m", "c4_referee", *words)
        assert done.returncode == 0, done.stderr
    states = {student["name"]: student["status"] for student in json.loads(done.stdout)["students"]}
    assert states == {"Ada": "ready", "Grace": "ready", "Mallory": "not ready"}


@pytest.mark.parametrize("end", ["zeros", "a line"])
def test_huge_file_of_moves_is_not_read(tmp_path, end):
    """``live.jsonl`` of 20 GB, which a process has locked, fills the memory of no viewer."""
    with archive(tmp_path):
        pass
    with LiveFile(tmp_path) as live:
        live(orjson.dumps(ContestStarted(1, ["a", "b"], "live", [])))
        live_file = tmp_path / LIVE_FILE
        if end == "a line":  # the first line has no end
            live_file.write_bytes(b"")
        os.truncate(live_file, 20 << 30)
        done = run(sys.executable, "-c", FOLLOWER, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "['contest_started', 'progress'] None\n"
