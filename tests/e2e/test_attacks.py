"""Bots attack the referee, their opponent and the machine, with and without the sandbox.

Each test plays a match of two games against an attacker (``tests/bots/attacks.py``), runs the same
command again, and compares what happened with a row of docs/attacks.md.
"""

import json
import os
import platform
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from effort import sampled
from users import drop_capabilities
from views import needs_sandbox
from waiting import wait_for

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "tests" / "bots"
PAGE = ROOT / "docs" / "attacks.md"
ATTACKS = runpy.run_path(str(BOTS / "attacks.py"))
KINDS: dict[str, object] = ATTACKS["KINDS"]
SAMPLE = (
    "kills_the_worker", "rewrites_its_opponent", "starts_processes",
)  # fmt: skip
"""Attacks of different kinds, which every run tries: on the referee, the opponent, the machine.

None of them makes anybody late, so they have as much time as they need.
"""

REFEREE = """
import sys
from c4_referee.contest.play import local_runner
from c4_referee.records.storage import database
local_runner.GAME_MARGIN_SECONDS = 1
database.MAX_STEPS = 10**7
from c4_referee.cli import main
sys.exit(main())
"""
"""The referee's command, with less patience for workers and databases that do not go on."""

NO_REPORT = '{"incidents": {"lost_games": 0, "changed_files": {}, "pondered": {}, "absent_ms": {}},'
NO_REPORT += ' "forfeits": {}, "complete": true}'
"""Report of a run that ended with an error, and has no report."""

INTRODUCTION = """\
# What attackers try, and what happens then

An attacker played two games against a bot without faults, once without the sandbox and once in it.
Its limits were 100 MiB of memory, 50 MiB of written files, 40 MiB for one file, 20 processes and
100 threads. The table shows what it achieved, or its error, and what the referee did. The same
command was run again: each game was stored exactly once, the user's secret file was unchanged, and
no process was left. [SECURITY.md](../SECURITY.md) says what is promised.
`pytest -n 0 tests/e2e/test_attacks.py --refresh-golden` writes this page.

| An attacker that ... | Without the sandbox | In the sandbox |
| --- | --- | --- |
"""

BETWEEN = ";<br>"
"""Text between two attacks in a cell."""

linux_only = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="the attackers know the system calls of Linux on x86-64",
)


class Targets(NamedTuple):
    """What an attacker knows."""

    mark: str
    secret: str
    tool: str
    opponent: str
    games: str
    database: str
    port: int
    abstract: str
    socket: str


class Arena:
    """A folder with a secret of the user, two bots in folders of their own, and stored games."""

    def __init__(self, folder: Path, kind: str, port: int, abstract: str) -> None:
        self.home, self.out = folder / "home", folder / "out"
        self.secret = self.home / "secret"
        self.home.mkdir(parents=True)
        self.secret.write_text("secret", encoding="ascii")
        for name, program in (("attacker", "attacks.py"), ("good", "misbehaving.py")):
            (folder / name).mkdir()
            shutil.copy(BOTS / program, folder / name)
        self._time_ms = "60000" if kind in SAMPLE else "200"
        self._startup_ms = "60000" if kind in {*SAMPLE, *ATTACKS["SLOW"]} else "3000"
        self.mark = f"attack-{os.urandom(8).hex()}"
        self.targets = Targets(
            mark=self.mark,
            secret=str(self.secret),
            tool=str(self._make_tool()),
            opponent=str(folder / "good" / "misbehaving.py"),
            games=str(self.out / "games.jsonl"),
            database=str(self.out / "arena.sqlite"),
            port=port,
            abstract=abstract,
            socket=str(folder / "socket"),
        )
        self.bots = folder / "bots.toml"
        self.bots.write_text(self._tables(folder, kind), encoding="ascii")

    def _make_tool(self) -> Path:
        """Make a program of the user, in a folder with a secret."""
        tool = self.home / "project" / "bin" / "tool"
        tool.parent.mkdir(parents=True)
        tool.touch(0o755)
        (self.home / "project" / "secret").write_text("secret", encoding="ascii")
        return tool

    def _tables(self, folder: Path, kind: str) -> str:
        env = json.dumps(json.dumps(self.targets._asdict()))
        opponent = "thinks_slowly" if kind in ATTACKS["OF_SLOW_GAMES"] else "good"
        python = json.dumps([sys.executable, "-S", "-E"])[:-1]
        text = f"""
[bots.attacker]
command = {python}, "./attacks.py", "{kind}"]
cwd = "{folder}/attacker"
env = {{ TARGETS = {env} }}
memory_mb = 100
written_mb = 50
file_mb = 40
processes = 20
threads = 100
[bots.good]
command = {python}, "misbehaving.py", "{opponent}"]
cwd = "{folder}/good"
"""
        tomllib.loads(text)
        return text

    def play(self, mode: str) -> "subprocess.CompletedProcess[bytes]":
        """Play the match, or the games that are missing."""
        sandbox = [mode] if mode.startswith("--") else ["--sandbox", mode]
        options = ["--time-ms", self._time_ms, "--startup-ms", self._startup_ms, "--games", "2"]
        words = ["match", "attacker", "good", "--bots", str(self.bots), "--out", str(self.out)]
        words += ["--no-accuracy", "--json"]
        return subprocess.run(
            [sys.executable, "-c", REFEREE, *words, *options, *sandbox],
            env={**os.environ, "HOME": str(self.home), "SECRET": "secret", "MARK": self.mark},
            capture_output=True,
            check=False,
            timeout=300,
            start_new_session=True,
            preexec_fn=drop_capabilities if mode == "--no-sandbox" else None,
        )

    def games(self) -> list[dict]:
        """Return the stored records, or an empty list if the file is not readable."""
        path = self.out / "games.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return [json.loads(line) for line in lines]

    def processes(self) -> list[int]:
        """Return the processes that were started in this arena and still run."""
        return [pid for pid in all_processes() if self.mark.encode() in marks_of(pid)]


def all_processes() -> list[int]:
    """Return the numbers of all processes."""
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def marks_of(pid: int) -> bytes:
    """Return the environment and the command line of a process."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        if state == "Z":
            return b""
        return b"".join(Path(f"/proc/{pid}/{file}").read_bytes() for file in ("environ", "cmdline"))
    except OSError:
        return b""


@contextmanager
def servers(folder: Path) -> Iterator[tuple[int, str]]:
    """Servers that bots must not reach. Return a port, and the name of an abstract socket."""
    abstract = f"arena-{os.urandom(8).hex()}"
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for name in (f"\0{abstract}", str(folder / "socket")):
            unix = stack.enter_context(socket.socket(socket.AF_UNIX))
            unix.bind(name)
            unix.listen()
        yield server.getsockname()[1], abstract


def outcome(kind: str, mode: str, folder: Path) -> str:
    """Play two games against an attacker, and return what happened in a few words."""
    folder.mkdir()
    with servers(folder) as (port, abstract):
        arena = Arena(folder, kind, port, abstract)
        first = arena.play(mode)
        parts = []
        if first.returncode < 0:
            parts.append("the run ends; the same command continues it")
            first = arena.play(mode)
        report, start = json.loads(first.stdout or NO_REPORT), len(parts)
        parts += consequences(report)
        if not first.stdout:
            parts.append(f"the run ends: {error_of(first)}")
        if kind == "writes_into_the_home_folder" and not (arena.home / "planted").exists():
            parts.append("the user's folder is unchanged")
        again = arena.play(mode)
        parts[start:start] = said_by(arena)
        assert b"Traceback" not in first.stderr + again.stderr, first.stderr + again.stderr
        if again.returncode:
            parts.append(f"then: {error_of(again)}")
        elif report["incidents"]["changed_files"]:
            assert sorted(game["game"] for game in arena.games()) == [1, 1, 2, 2]
            parts.append("then it counts as a new bot")
        else:
            assert sorted(game["game"] for game in arena.games()) == [1, 2]
            assert json.loads(again.stdout)["wins"] == report["wins"]
        shutil.rmtree(f"/dev/shm/{arena.mark}", ignore_errors=True)
        assert arena.secret.read_text(encoding="ascii") == "secret"
        assert wait_until_none(arena), "processes are left"
    return "; ".join(parts).replace(str(folder), "DIR")


def error_of(done: "subprocess.CompletedProcess[bytes]") -> str:
    """Return the error with which the referee ended."""
    return done.stderr.decode().splitlines()[-1].removeprefix("c4-referee: ").partition(": put ")[0]


def said_by(arena: Arena) -> list[str]:
    """Return what the attacker achieved, as it said in the first game in which it did something."""
    try:
        texts = [game.get("stderr", {}).get("attacker", "") for game in arena.games()]
    except ValueError:  # the attacker has put something else there
        return []
    lines = [line for text in texts for line in text.splitlines() if line.startswith("ATTACK ")]
    said = [
        line.removeprefix("ATTACK ").removeprefix("fails: ")
        for line in lines
        if line != "ATTACK nothing"
    ]
    return said[:1]


HALTED = "it is halted there, and the report says so"


def consequences(report: dict) -> list[str]:
    """Return what the referee did about it."""
    found = []
    if report["incidents"]["lost_games"]:
        found.append("played again; both bots are reported")
    for bot in report["incidents"]["changed_files"]:
        whose = {"attacker": "its", "good": "its opponent's"}[bot]
        found.append(f"reported: {whose} files changed")
    for bot, whose in (("attacker", "it"), ("good", "its opponent")):
        found += [f"{whose} forfeits: {fault}" for fault in report["forfeits"].get(bot, {})]
    if not found and report["incidents"]["pondered"]:
        found.append(HALTED)
    if not found and report["incidents"]["absent_ms"]:
        found.append("the report says for how long")
    if not report["complete"]:
        found.append("the match is not finished")
    return found


def wait_until_none(arena: Arena) -> bool:
    """Wait until no process of the arena is left, or kill those that are left after a while."""
    wait_for(lambda: not arena.processes(), 30)
    left = arena.processes()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return not left


@cache
def rows() -> dict[str, str]:
    """Return the outcomes on the page by what the attacker does."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    table = [line[2:].split(" | ", 1) for line in lines if line.startswith("| ")][2:]
    return {attack: cells for attacks, cells in table for attack in attacks.split(BETWEEN)}


def page_of(outcomes: dict[str, str]) -> str:
    """Return the page. Attacks with the same outcome share a row."""
    groups = defaultdict[str, list[str]](list)
    for attack in map(described, KINDS):
        if attack in outcomes:
            groups[outcomes[attack]].append(attack)
    return INTRODUCTION + "".join(
        f"| {BETWEEN.join(group)} | {cells}\n" for cells, group in groups.items()
    )


def described(kind: str) -> str:
    """Return the first cell of a row, from the attacker's docstring."""
    text = " ".join(str(KINDS[kind].__doc__).split()).rstrip(".")
    return f"{text[0].lower()}{text[1:]}"


def unsandboxed(kind: str, folder: Path) -> str:
    """Return what an attacker achieves without the sandbox, if it can be tried."""
    if kind in ATTACKS["DANGEROUS"]:
        return "not tried"
    if kind in ATTACKS["OF_KERNEL"]:
        return "needs such a machine"
    if kind in ATTACKS["OF_ROOT"]:
        return "needs root"
    return outcome(kind, "--no-sandbox", folder)


@linux_only
@pytest.mark.alone
@needs_sandbox
@pytest.mark.parametrize("kind", sampled(KINDS, SAMPLE))
def test_attack(kind, tmp_path, request):
    """An attack has the outcome that docs/attacks.md shows."""
    cells = [unsandboxed(kind, tmp_path / "open"), outcome(kind, "require", tmp_path / "sandbox")]
    if cells[0] == cells[1]:
        cells[1] = "the same"
    row = f"{' | '.join(cells)} |"
    if request.config.getoption("refresh_golden"):
        PAGE.write_text(page_of({**rows(), described(kind): row}), encoding="utf-8")
        rows.cache_clear()
    # On a busy machine, a bot may compute until its opponent's turn has begun.
    possible = row, row.replace(f"; {HALTED}", "")
    assert rows().get(described(kind)) in possible, "if intended, run pytest --refresh-golden"


def test_page_has_all_attacks():
    """docs/attacks.md has the introduction above, and the outcome of each attack, in order."""
    assert rows().keys() == set(map(described, KINDS))
    assert PAGE.read_text(encoding="utf-8") == page_of(rows())
