"""Every example bot, whatever it is written in, plays whole games without a fault.

A bot is found by its suffix. Where its language is not on the machine, its tests are skipped.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson
import pytest
from c4_protocol.events import GameEnded
from c4_protocol.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contestant import Contestant
from c4_referee.bots.spec import BotSpec, find_bots, read_bots
from c4_referee.play.game import play

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
RUN = EXAMPLES / "run.sh"
RUNNERS = {
    ".py": [sys.executable],
    ".sh": ["sh"],
    ".awk": ["awk", "-f"],
    ".pl": ["perl"],
    ".js": ["node"],
    ".c": ["sh", str(RUN)],
    ".java": ["sh", str(RUN)],
}
NEEDED = {".awk": ["awk"], ".pl": ["perl"], ".js": ["node"], ".c": ["cc"],
          ".java": ["java", "javac", "jar"]}  # fmt: skip
BOTS = sorted(
    path
    for path in EXAMPLES.iterdir()
    if path.suffix in RUNNERS
    and path != RUN
    and "def evaluate(" not in path.read_text(encoding="utf-8")
)
BLIND = {"minimal.py", "centre.sh"}
"""Those that do not look whether a move wins."""
MISBEHAVING = sorted((EXAMPLES / "misbehaving").glob("*.py"))
RANDOM = shlex.join([sys.executable, "examples/minimal.py"])
CENTRE = "sh examples/centre.sh"
RIGHTMOST = shlex.join([sys.executable, "tests/bots/misbehaving.py", "rightmost"])
CLASS = read_bots(str(EXAMPLES / "class.toml"))
COURSE = read_bots(str(EXAMPLES / "course.toml"))
CLOCK = TimeControl.parse("2+0.02")
"""A bot thinks for a small part of a clock, and has the rest of it to be late in where the machine
is busy."""

EMPTY = [[0] * 6 for _ in range(7)]
STARTED = [[0] * 6 for _ in range(6)] + [[0, 0, 0, 0, 0, 2]]
WIDE = [[0] * 5 for _ in range(9)]
NEARLY_FULL = [[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [1, 2, 1, 2], [0, 1, 2, 1]]
BOTH_WIN = [[0, 0, 0, 1, 1, 1], *EMPTY[:5], [0, 0, 0, 2, 2, 2]]
"""Player 1 wins in column 0, player 2 in column 6; there are as many stones of either."""


def missing(path: Path) -> str | None:
    """The first program that a bot needs and that is not here."""
    return next((name for name in NEEDED.get(path.suffix, ()) if not shutil.which(name)), None)


def command(path: Path) -> str:
    """The command line that starts a bot; skips the test where its language is not here."""
    if name := missing(path):
        pytest.skip(f"no {name} on this machine")
    return shlex.join([*RUNNERS[path.suffix], str(path)])


def bots(paths: list[Path]) -> pytest.MarkDecorator:
    """Runs a test for each of the bots."""
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.name)


def c4_referee(*arguments: str) -> dict[str, object]:
    """What a command of the referee reports with --json."""
    program = [Path(sys.executable).parent / "c4-referee", *arguments, "--json"]
    done = subprocess.run(program, capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()
    return orjson.loads(done.stdout)


def play_game(
    bot: str,
    opponent: str,
    seat: int,
    control: TimeControl = CLOCK,
    variant: str = "standard",
    known: dict[str, BotSpec] | None = None,
) -> GameEnded:
    """A game of two command lines or known bots, the first of them in a seat, 0 or 1."""
    first, second = find_bots([bot, opponent][:: 1 - 2 * seat], known or {})
    with Contestant(first) as one, Contestant(second) as two:
        *_, ended = play(1, Variant.parse(variant), (one, two), (control, control))
    assert isinstance(ended, GameEnded)
    return ended


def answers(bot: str, lines: list[bytes], *arguments: str) -> list[int]:
    """The columns that a bot answers to lines; it ends in peace and is quiet otherwise."""
    done = subprocess.run(
        [*shlex.split(bot), *arguments],
        input=b"".join(lines),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or done.stdout.endswith(b"\n")
    return [orjson.loads(line)["move"] for line in done.stdout.splitlines()]


def precept(grid: list[list[int]], **keys: int) -> bytes:
    """A line with a grid and whatever else it is to say."""
    return orjson.dumps({"grid": grid, **keys})


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Bots are started in the root of the repository, and compiled elsewhere than at home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def checks(home):
    """The check of each bot, to be waited for: they wait a lot themselves, so run side by side."""
    pool = ThreadPoolExecutor(3)
    yield {
        path: pool.submit(c4_referee, "check", command(path), "--time-ms", "2000")
        for path in BOTS
        if not missing(path)
    }
    pool.shutdown(cancel_futures=True)


@bots(BOTS)
def test_example_is_safe_to_enter(checks, path):
    """It keeps every rule of ``c4-referee check``, advice apart."""
    command(path)
    report = checks[path].result()
    broken = [rule for rule in report["rules"] if not rule["passed"] and not rule["advice"]]
    assert broken == []
    assert report["passed"]


@bots(BOTS)
@pytest.mark.parametrize("variant", ["standard", "5x8"])
def test_example_plays_without_a_fault(path, variant):
    """An example wins, loses or draws against random moves, but never forfeits."""
    for seat in (0, 1, 0, 1):
        ended = play_game(command(path), RANDOM, seat, variant=variant)
        assert (ended.fault, ended.notes) == (None, [])


@bots(BOTS)
def test_example_reads_what_real_drivers_write(path):
    """A byte order mark, CR LF, blank lines, spaces, nothing but a grid, player 2 first, :exit."""
    asked = [
        (STARTED, b"\xef\xbb\xbf" + precept(STARTED, player=1, width=7, height=6) + b"\r\n"),
        (STARTED, b"\r\n\n" + precept(STARTED) + b"\n"),
        (EMPTY, precept(EMPTY, player=2, time_ms=20) + b"\n  \n"),
        (STARTED, precept(STARTED, time_ms=20, player=1) + b"\r\n"),
        (WIDE, json.dumps({"time_ms": 20, "player": 2, "grid": WIDE}).encode() + b"\n"),
        (NEARLY_FULL, precept(NEARLY_FULL, time_ms=20) + b"\n"),
    ]
    lines = [*(line for _, line in asked), b":exit\n", precept(EMPTY) + b"\n"]
    moves = answers(command(path), lines)
    assert len(moves) == len(asked)
    for (grid, _), move in zip(asked, moves, strict=True):
        assert grid[move][0] == 0


@bots([path for path in BOTS if path.name not in BLIND])
def test_example_knows_who_it_is(path):
    """By the line, or else the command line, or else the stones: it takes the win that is its."""
    bare, told = precept(BOTH_WIN) + b"\n", precept(BOTH_WIN, player=2) + b"\n"
    size = ("--width", "7", "--height", "6")
    assert answers(command(path), [bare]) == [0]
    assert answers(command(path), [bare], *size, "--player", "2") == [6]
    assert answers(command(path), [told], "--player", "1", *size) == [6]


@bots(MISBEHAVING)
def test_misbehaving_example_loses_as_it_says(path):
    """In its first line it says by which fault it loses: it does, and by no other."""
    reason = re.search(r'loses its games by "(.*)"', path.read_text(encoding="utf-8"))[1]
    games = [
        play_game(command(path), opponent, seat, TimeControl(500))
        for opponent in (CENTRE, RIGHTMOST)
        for seat in (0, 1)
    ]
    faults = {(game.fault.bot, game.fault.fault) for game in games if game.fault}
    assert faults == {(command(path), reason)}


@pytest.mark.parametrize("name", COURSE)
def test_bot_of_the_course_starts(name):
    """Each of the twelve answers from the root of the repository, were it only nonsense."""
    spec = COURSE[name]
    if program := missing(Path(spec.command[-1])):
        pytest.skip(f"no {program} on this machine")
    line = precept(EMPTY, player=1, time_ms=50) + b"\n"
    done = subprocess.run(spec.command, input=line, capture_output=True, check=True,
                          env=spec.environment())  # fmt: skip
    assert done.stdout.endswith(b"\n")
    if "misbehaving" not in spec.command[-1]:
        assert orjson.loads(done.stdout)["move"] in range(7)


def test_the_course_has_all_kinds_of_bots():
    """Twelve: ours, languages that differ, and every misbehaving example."""
    files = [ROOT / word for spec in COURSE.values() for word in spec.command if "/" in word]
    assert len(COURSE) == 12
    assert {path for path in files if path.parent != EXAMPLES} == set(MISBEHAVING)
    assert {path.suffix for path in files} >= {".py", ".pl", ".js", ".c", ".java"}
    assert sum(spec.command[0] == "c4-bot" for spec in COURSE.values()) == 4


@pytest.mark.parametrize("name", CLASS)
def test_bots_of_the_example_file_play(name):
    """Every bot of class.toml starts and plays."""
    assert play_game(name, "random", 0, known=CLASS).fault is None


def test_the_example_of_an_evaluator_plays():
    """One's own evaluator searches as deep as ``sequences``, which it meets here."""
    mine = "c4-bot --evaluator examples/my_evaluator.py:MyEvaluator"
    rest = ("--games", "4", "--openings", "random:4")
    report = c4_referee("match", mine, "c4-bot --plays sequences", *rest)
    assert report["games"] == report["distinct_games"] == 4
    assert report["forfeits"] == {}
