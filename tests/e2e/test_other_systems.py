"""The commands work in a Python from which functions that other systems lack are removed."""

import os
import subprocess
import sys

import pytest

WINDOWS = """
import os, signal, sys
sys.platform = "win32"
for module in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios"):
    sys.modules[module] = None
for module, names in (
    (os, "O_CLOEXEC O_NONBLOCK fork geteuid getuid killpg pread sched_getaffinity setsid sysconf"),
    (signal, "SIGHUP SIGKILL SIGPIPE SIGSTOP"),
):
    for name in names.split():
        delattr(module, name)
"""
MACOS = """
import os, resource, subprocess, sysconfig, sys, tempfile
sysconfig.get_config_vars()
sys.platform = "darwin"
for module, names in ((os, "memfd_create sched_getaffinity waitid"), (resource, "prlimit")):
    for name in names.split():
        delattr(module, name)
set_limit = resource.setrlimit

def refuse_data(kind, limits):
    if kind == resource.RLIMIT_DATA or kind > 9:
        raise ValueError("current limit exceeds maximum limit")
    set_limit(kind, limits)

resource.setrlimit = refuse_data
"""
PRECEPT = b'{"grid":[[0,0],[0,0]]}\r\n'
REFUSAL = b"the referee needs Linux, macOS or WSL"


@pytest.fixture
def run_without(tmp_path):
    """Return a function that runs a module, after another program has changed the interpreter."""

    def run(change, module, *arguments, stdin=b""):
        (tmp_path / "sitecustomize.py").write_text(change)
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "cp1252"}
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=tmp_path,
            env=env,
            input=stdin,
            capture_output=True,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("words", "stdin", "answers"),
    [
        (("c4_bot",), PRECEPT, 1),
        (("c4_bot.c4_solve", "--jobs", "2", "--hash-mb", "1"), b"4453\r\n44\r\n", 2),
        (("c4_bot", "--web", "--out", "the board"), b"", 1),
    ],
    ids=["bot", "solver", "board"],
)
def test_bot_and_solver_need_no_unix(run_without, tmp_path, words, stdin, answers):
    """They answer without what Windows lacks. Each line ends in LF, and input may have CRLF."""
    done = run_without(WINDOWS, *words, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == answers
    assert b"\r" not in done.stdout
    assert "--out" not in words or (tmp_path / "the board" / "index.html").is_file()


def test_text_that_the_console_cannot_encode_is_escaped(run_without):
    """A code page has few characters. The others are written as escapes."""
    done = run_without(WINDOWS, "c4_bot", "--plays", "\u4e2d\xfc")
    assert done.returncode == 2
    assert b"\\u4e2d\xfc" in done.stderr


def test_referee_says_which_systems_it_needs(run_without):
    """On Windows, the referee says so in one line, with exit code 1, even for ``--help``."""
    done = run_without(WINDOWS, "c4_referee", "match", "--help")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"c4-referee: " + REFUSAL)
    assert done.stderr.count(b"\n") == 1


def test_tuner_and_names_of_the_referee_say_it_too(run_without, tmp_path):
    """So does c4-tune. The first use of a public name raises ImportError, but not the import."""
    (tmp_path / "tune.py").write_text(
        "import c4_referee.testing.plugin\nfrom c4_referee.tuning.cli import main\n"
        "assert main() == 1\nfrom c4_referee import play_match\n"
    )
    done = run_without(WINDOWS, "tune")
    first, *_, last = done.stderr.splitlines()
    assert first.startswith(b"c4-tune: " + REFUSAL)
    assert last.startswith(b"ImportError: " + REFUSAL)


def test_match_without_what_macos_lacks(run_without):
    """A match of other people's bots is played, and its report says what is not limited."""
    bot = f"{sys.executable} -S -E -c \"for _ in iter(input, ''): print(0, flush=True)\""
    words = ("--variant", "2x2", "--games", "2", "--time-ms", "5000", "--no-accuracy")
    done = run_without(MACOS, "c4_referee", "match", bot, "c4-bot --plays random", *words)
    assert done.returncode == 0, done.stderr
    assert b"Sandbox: off; memory and processes not limited: this needs Linux" in done.stdout
