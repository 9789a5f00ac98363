"""Every example bot plays whole games without a fault, in any language.

A bot's suffix decides how it is started. If its language is not installed, its tests are skipped,
and with ``ARENA_LANGUAGES=required`` they fail.
"""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson
import pytest
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.find import find_bots, read_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.play.game import play
from c4_referee.contest.play.jobs import Job
from effort import THOROUGH, sampled
from languages import RUN, RUNNERS, command, go_without, missing
from played import played

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
BOTS = sorted(
    path
    for path in EXAMPLES.iterdir()
    if path.suffix in RUNNERS
    and path != RUN
    and "def evaluate(" not in path.read_text(encoding="utf-8")
)
DIALECTS = sorted(path for path in (EXAMPLES / "dialects").iterdir() if path.suffix in RUNNERS)
SAMPLE = [
    path
    for path in BOTS
    if path.name in {"centre.sh", "look_ahead.c", "minimal.py", "one_ahead.js"}
]
"""Examples in usual languages. Only thorough tests try all languages."""
BLIND = {"minimal.py", "centre.sh"}
"""Examples that do not check whether a move wins."""
MISBEHAVING = sorted((EXAMPLES / "misbehaving").glob("*.py"))
CENTRE = "sh examples/centre.sh"
RIGHTMOST = shlex.join([sys.executable, "tests/bots/misbehaving.py", "rightmost"])
CLASS = read_bots(str(EXAMPLES / "class.toml"))
COURSE = read_bots(str(EXAMPLES / "course.toml"))
CLOCK = TimeControl.parse("2+0.02")
"""A clock of which a bot uses only a small part, so that it is in time on a busy machine."""

EMPTY = [[0] * 6 for _ in range(7)]
STARTED = [[0] * 6 for _ in range(6)] + [[0, 0, 0, 0, 0, 2]]
WIDE = [[0] * 5 for _ in range(9)]
NEARLY_FULL = [[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [1, 2, 1, 2], [0, 1, 2, 1]]
BOTH_WIN = [[0, 0, 0, 1, 1, 1], *EMPTY[:5], [0, 0, 0, 2, 2, 2]]
"""A grid in which player 1 wins in column 0 and player 2 in column 6, with equally many stones."""


def bots(paths: list[Path]) -> pytest.MarkDecorator:
    """Return a mark that runs a test with each of the bots."""
    chosen = [path for path in paths if path in SAMPLE or path not in BOTS]
    return pytest.mark.parametrize("path", sampled(paths, chosen), ids=lambda path: path.name)


def c4_referee(*arguments: str) -> dict[str, object]:
    """Return the report of a referee's command with --json."""
    program = [Path(sys.executable).parent / "c4-referee", *arguments, "--json"]
    done = subprocess.run(program, capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()
    return orjson.loads(done.stdout)


def play_game(
    bot: str,
    opponent: str,
    seat: int,
    control: TimeControl = CLOCK,
    known: dict[str, BotSpec] | None = None,
) -> GameEnded:
    """Play a game between two bots, and return its result.

    A bot is a command line or a name in ``known``. ``seat`` is that of the first bot, 0 or 1.
    """
    return played(*find_bots([bot, opponent], known or {})[:: 1 - 2 * seat], control)


def play_games_in_one_run(bot: str, other: Contestant, variant: str) -> Iterator[GameEnded]:
    """Play four games of a bot that keeps running, and yield the results."""
    (spec,) = find_bots([bot], {}, restart="never")
    with Contestant(spec) as one:
        for players in ((one, other), (other, one)) * 2:
            *_, ended = play(Job(1, 0, 1), Variant.parse(variant), players, (CLOCK, CLOCK))
            yield ended


def answers(bot: str, lines: list[bytes], *arguments: str) -> list[int]:
    """Return the columns that a bot answers to lines.

    The bot must end with exit code 0 and write nothing else.
    """
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
    """Return a precept with a grid and other keys."""
    return orjson.dumps({"grid": grid, **keys})


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Start bots in the root of the repository, and compile them outside the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def baseline(home):
    """Yield the random baseline, which keeps running."""
    (spec,) = find_bots(["c4-bot --plays random --seed 1"], {}, restart="never")
    with Contestant(spec) as contestant:
        yield contestant


@pytest.fixture(scope="module")
def checks(home):
    """Start the checks of all bots side by side, and yield their results as futures.

    In a sandbox, which keeps no files, each start of a bot would compile it again.
    """
    pool = ThreadPoolExecutor(3)
    yield {
        path: pool.submit(c4_referee, "check", command(path), "--time-ms", "2000", "--no-sandbox")
        for path in (BOTS if THOROUGH else SAMPLE)
        if not missing(path)
    }
    pool.shutdown(cancel_futures=True)


@bots(BOTS)
def test_example_is_safe_to_enter(checks, path):
    """Every example keeps all rules of ``c4-referee check`` that are not only advice."""
    command(path)
    report = checks[path].result()
    broken = [rule for rule in report["rules"] if not rule["passed"] and not rule["advice"]]
    assert broken == []
    assert report["passed"]


@bots(BOTS)
@pytest.mark.parametrize("variant", sampled(["standard", "5x8"], ["5x8"]))
def test_example_plays_without_a_fault(baseline, path, variant):
    """An example never forfeits a game against random moves."""
    for ended in play_games_in_one_run(command(path), baseline, variant):
        assert (ended.fault, ended.notes) == (None, [])


@bots(BOTS)
def test_example_reads_what_real_drivers_write(path):
    """An example answers all forms of lines that real drivers write.

    They are a byte order mark, CR LF, blank lines, spaces, only a grid, player 2 first, and :exit.
    """
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
    """An example finds its player and takes this player's win.

    The player is named by the line, otherwise by the command line, otherwise found from the stones.
    """
    bare, told = precept(BOTH_WIN) + b"\n", precept(BOTH_WIN, player=2) + b"\n"
    size = ("--width", "7", "--height", "6")
    assert answers(command(path), [bare]) == [0]
    assert answers(command(path), [bare], *size, "--player", "2") == [6]
    assert answers(command(path), [told], "--player", "1", *size) == [6]


@bots([*BOTS, *DIALECTS])
def test_example_is_short(path):
    """An example can be read in one go: it has fewer than 60 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60


@bots(MISBEHAVING)
def test_misbehaving_example_loses_as_it_says(path):
    """A misbehaving example loses by the fault that its docstring names, and by no other."""
    reason = re.search(r'loses its games by "(.*)"', path.read_text(encoding="utf-8"))[1]
    games = [
        play_game(command(path), opponent, seat, TimeControl(500))
        for opponent in (CENTRE, RIGHTMOST)
        for seat in (0, 1)
    ]
    faults = {(game.fault.bot, game.fault.fault) for game in games if game.fault}
    assert faults == {(path.name, reason)}


@pytest.mark.parametrize("name", COURSE)
def test_bot_of_the_course_starts(name):
    """Each of the course's bots answers a line when started in the root of the repository."""
    spec = COURSE[name]
    if program := missing(Path(spec.command[-1])):
        go_without(program)
    line = precept(EMPTY, player=1, time_ms=50) + b"\n"
    done = subprocess.run(spec.command, input=line, capture_output=True, check=True,
                          env=spec.environment())  # fmt: skip
    assert done.stdout.endswith(b"\n")
    if "misbehaving" not in spec.command[-1]:
        assert orjson.loads(done.stdout)["move"] in range(7)


@pytest.mark.parametrize("name", CLASS)
def test_bots_of_the_example_file_play(name):
    """Every bot of class.toml plays without a fault."""
    assert play_game(name, "random", 0, known=CLASS).fault is None


def test_the_example_of_an_evaluator_plays():
    """The example of a user's own evaluator plays without a forfeit."""
    mine = "c4-bot --evaluator examples/my_evaluator.py:MyEvaluator"
    rest = ("--games", "4", "--openings", "random:4")
    report = c4_referee("match", mine, "c4-bot --plays sequences", *rest)
    assert report["games"] == report["distinct_games"] == 4
    assert report["forfeits"] == {}
