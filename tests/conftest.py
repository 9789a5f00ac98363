"""Code for all tests: strategies for hypothesis, golden files, a small disk, a shared folder.

``st.from_type(Variant)`` draws any small variant. ``st.from_type(Position)`` draws a position that
legal moves reach in such a variant. The game is not over in it, so that a bot can be asked.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import DIRECTIONS, LINE8, STANDARD, Variant
from effort import THOROUGH, examples
from forked import Forks, can_fork
from hypothesis import settings
from hypothesis import strategies as st

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

SCRIPTS = Path(sys.executable).parent
TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden"
SLOW_FOLDERS = [
    TESTS / name for name in ("browser", "e2e", "referee/check", "referee/contest/cluster", "web")
]
"""Folders whose tests all have the mark ``slow``."""

Run = Callable[..., subprocess.CompletedProcess[bytes]]

LONGEST = (
    "e2e/test_documents",
    "e2e/test_class.",
    "browser",
    "referee/check",
    "referee/bots/contain/test_faults",
    "referee/classroom/submissions/test_",
    "e2e",
    "contract/test_examples",
    "contract/test_sessions",
    "referee/testing",
    "web/test_engine",
)
"""Beginnings of the paths of files that take longest, because they start many processes."""
ON_WINDOWS = (
    "bot/",
    "protocol/",
    "contract/test_evaluators",
    "contract/test_native_names",
    "contract/test_players",
    "e2e/test_bot",
    "contract/test_sessions",
    "e2e/test_solve.",
    "e2e/test_solve_",
    "fuzz/test_dialects",
)
"""Beginnings of the paths of files whose tests run on Windows, unless they name ``c4_referee``."""

_skipped_files: dict[str, str] = {}
"""Reasons to skip whole files, by the names of the files."""

# Most tests are not about the sandbox, and bots start faster without it. Documented commands are
# tested with it (see below).
os.environ["C4_ARENA_SANDBOX"] = "no"

# Matches of tests are not kept among the user's matches.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="c4-arena-tests-")

# Under nohup and in the background, Ctrl-C and SIGHUP are ignored, also by all programs that tests
# start. Here, Ctrl-C has its usual effect. SIGHUP does nothing in this process, but ends others.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)

settings.register_profile("arena", examples(100))
settings.load_profile("arena")


def _variants() -> st.SearchStrategy[Variant]:
    directions = st.lists(st.sampled_from(DIRECTIONS), min_size=1, unique=True)
    return st.sampled_from((STANDARD, LINE8)) | st.builds(
        Variant,
        width=st.integers(1, 11),
        height=st.integers(1, 9),
        connect=st.integers(2, 5),
        gravity=st.booleans(),
        directions=directions.map(tuple),
    )


@st.composite
def _positions(draw: st.DrawFn) -> Position:
    position = Position(draw(_variants()), player=draw(st.sampled_from((1, 2))))
    for pick in draw(st.lists(st.integers(0, 99), max_size=60)):
        moves = position.moves
        following = position.play(moves[pick % len(moves)])
        if following.is_over:
            break
        position = following
    return position


st.register_type_strategy(Variant, _variants())
st.register_type_strategy(Position, _positions())


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run single files in this process, because starting others takes longer than most files.

    Many tests wait for other processes, so more workers than processors make them faster.
    """
    paths = [Path(argument.partition("::")[0]) for argument in config.args]
    if all(path.is_file() for path in paths):
        return 0
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    return max(2, processors * 3 // 2)


def _is_whole_run(config: pytest.Config, marks: str) -> bool:
    """Return whether pytest runs without paths, and with these marks after ``-m``."""
    paths = {Path(argument).resolve() for argument in config.args}
    return config.option.markexpr == marks and paths <= {TESTS, TESTS.parent}


@cache
def _is_in_slow_folder(path: Path) -> bool:
    return any(folder in path.parents for folder in SLOW_FOLDERS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files in vain. On Windows, leave out what needs the referee or Unix.

    The quick tests leave out the slow folders, and ``-m slow`` files that do not name its mark.
    """
    if collection_path in SLOW_FOLDERS and _is_whole_run(config, ""):
        return True
    if (
        collection_path.match("test_*.py")
        and _is_whole_run(config, "slow")
        and not _is_in_slow_folder(collection_path)
        and b"mark.slow" not in collection_path.read_bytes()
    ):
        return True
    if sys.platform != "win32" or collection_path.is_dir():
        return None
    path = collection_path.relative_to(TESTS).as_posix()
    is_for_windows = (
        path.startswith(ON_WINDOWS) and b"c4_referee" not in collection_path.read_bytes()
    )
    return None if is_for_windows else True


@pytest.hookimpl(tryfirst=True)  # before pytest selects by -m
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out weekly and slow tests, skip those of other systems, and sort the rest.

    The files that take longest come first, so that none of them runs alone at the end. Tests that
    run alone come last. A weekly test runs as well if it rewrites a golden file.
    """
    left_out = {"weekly"} if not THOROUGH else set()
    left_out |= {"slow"} if _is_whole_run(config, "") else set()
    for item in items:
        if _is_in_slow_folder(item.path):
            item.add_marker("slow")
    rest = [item for item in items if not left_out & _marks(item)]
    config.hook.pytest_deselected(items=[*{*items} - {*rest}])
    items[:] = rest

    if sys.platform != "linux":
        for item in items:
            if item.get_closest_marker("linux"):
                item.add_marker(pytest.mark.skip("it needs what this system lacks"))

    @cache
    def rank_of_file(path: Path) -> int:
        name = path.relative_to(TESTS).as_posix()
        matches = [rank for rank, start in enumerate(LONGEST) if name.startswith(start)]
        return min(matches, default=len(LONGEST))

    def rank(item: pytest.Item) -> int:
        is_alone = item.get_closest_marker("alone") is not None
        return len(LONGEST) + 1 if is_alone else rank_of_file(item.path)

    items.sort(key=rank)


def _marks(item: pytest.Item) -> set[str]:
    """Return the names of the marks of a test. No test that rewrites a golden file is weekly."""
    refreshes = item.config.getoption("refresh_golden") and "golden" in item.fixturenames
    return {mark.name for mark in item.iter_markers()} - ({"weekly"} if refreshes else set())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Run a test that is marked ``alone`` while no other process of this run runs a test.

    Each test holds the lock ``running``. A test that waits for it holds the lock ``next`` as well,
    so that no other test begins. Windows has no such locks.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ or fcntl is None:
        return (yield)
    folder = item.config._tmp_path_factory.getbasetemp().parent
    is_alone = item.get_closest_marker("alone") is not None
    with (folder / "next").open("w") as following, (folder / "running").open("w") as running:
        fcntl.flock(following, fcntl.LOCK_EX)
        fcntl.flock(running, fcntl.LOCK_EX if is_alone else fcntl.LOCK_SH)
        fcntl.flock(following, fcntl.LOCK_UN)
        try:
            return (yield)
        finally:  # a process that a test has forked may still hold the file open
            fcntl.flock(running, fcntl.LOCK_UN)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note why a whole file is skipped."""
    if report.skipped:
        _skipped_files[report.nodeid] = _reason_of_skip(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the skipped files to the process that prints the summary, which collects nothing."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["skipped files"] = _skipped_files


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive the skipped files of a worker of xdist. All workers have the same."""
    _skipped_files.update(getattr(node, "workeroutput", {}).get("skipped files", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each reason to skip tests, with the number of tests or whole files."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(_reason_of_skip(report) for report in reports if report.when != "collect")
    reasons.update(f"{reason} (whole files)" for reason in _skipped_files.values())
    if reasons:
        terminalreporter.section("number of skipped tests")
    for reason, number in reasons.most_common():
        terminalreporter.line(f"{number:5} {reason}")


def _reason_of_skip(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test or a file is skipped. Pytest says it after the place."""
    reason = str(report.longrepr[2]).removeprefix("Skipped: ")
    missing = re.match(r"could not import '([^']+)'", reason)
    return f"{missing[1]} is not installed" if missing else reason


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites the golden files."""
    parser.addoption("--refresh-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str | Path, str], None]:
    """Return a function that compares a text with a file.

    The file's name is below ``tests/golden``, or it is an absolute path.
    """

    def compare(name: str | Path, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("refresh_golden"):
            path.write_text(text, encoding="utf-8")
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        assert text == kept, (
            f"{path.name} differs: if this is intended, run pytest --refresh-golden"
        )

    return compare


@pytest.fixture(scope="module", autouse=True)
def _sandbox_as_documented(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let bots of documented commands run in the sandbox, as users have it, where it works.

    With ``ARENA_SANDBOX=no``, as in a part of ``.ci/weekly``, they run without it.
    """
    with pytest.MonkeyPatch.context() as patch:
        is_documented = request.node.get_closest_marker("documented") is not None
        if is_documented and os.environ.get("ARENA_SANDBOX") != "no":
            patch.delenv("C4_ARENA_SANDBOX")
        yield


@pytest.fixture(scope="session")
def of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this test run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder on its own file system of 200 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.geteuid():
        pytest.skip("only root of Linux may mount a small disk")
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this system does not mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(scope="session")
def _forks() -> Iterator[Forks]:
    with closing(Forks()) as process:
        yield process


@pytest.fixture
def run_command(request: pytest.FixtureRequest) -> Run:
    """Return a function that runs one of our commands, by its name, with arguments.

    It may have a ``cwd`` and an ``env``, or a ``timeout`` in seconds. Thorough tests start each
    command as users do, and not in a fork.
    """

    def run(command: str, *arguments: str, stdin: bytes = b"", **settings: Any) -> Any:
        is_usual = not THOROUGH and "timeout" not in settings
        if is_usual and can_fork(settings.get("env")):
            process: Forks = request.getfixturevalue("_forks")
            return process.run(command, *arguments, stdin=stdin, **settings)
        words = [SCRIPTS / command, *arguments]
        return subprocess.run(words, input=stdin, capture_output=True, check=False, **settings)

    return run


@pytest.fixture
def c4_bot(run_command: Run) -> Run:
    """Return a function that runs ``c4-bot`` with arguments and standard input."""
    return partial(run_command, "c4-bot")


@pytest.fixture
def c4_solve(run_command: Run) -> Run:
    """Return a function that runs ``c4-solve`` with arguments and standard input."""
    return partial(run_command, "c4-solve")


@pytest.fixture
def c4_referee(run_command: Run) -> Run:
    """Return a function that runs ``c4-referee`` with arguments."""
    return partial(run_command, "c4-referee")
