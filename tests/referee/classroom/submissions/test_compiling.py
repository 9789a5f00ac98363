"""Submissions are copied and compiled, and no compiler harms anything outside of the copy."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from c4_referee.bots.contain import process_tree
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.classroom.submissions import compiling
from c4_referee.classroom.submissions.compiling import (
    Compiled,
    compile_start,
    first_error,
    remove_copy,
    spec_of,
    working_copy,
)
from c4_referee.classroom.submissions.start import Start
from c4_referee.classroom.submissions.start_rules import find_starts
from commands import SCRIPTS
from submitted import RUST, SANDBOXED, need, submission
from views import needs_sandbox

pytestmark = pytest.mark.slow

CRATE = '[package]\nname = "four"\nversion = "1.0.0"\n'
FORKS = "bot:\n\tfor i in $$(seq 500); do sleep 1000 & done; wait\n"
LIMIT = 600
"""Seconds that no compiler needs, however busy the machine is."""


def compiled(tmp_path: Path, files: dict[str, str], *, sandboxed: bool, seconds: float = LIMIT):
    """Compile a submission, and return the result."""
    start, *_ = find_starts(submission(tmp_path / "files", files))
    working_copy(tmp_path / "files", tmp_path / "build")
    return compile_start(start, tmp_path / "build", "/usr", sandboxed=sandboxed, seconds=seconds)


def made(
    tmp_path: Path, makefile: str, *, sandboxed: bool = False, seconds: float = LIMIT
) -> Compiled:
    """Run make with a Makefile."""
    need("make")
    return compiled(tmp_path, {"Makefile": makefile}, sandboxed=sandboxed, seconds=seconds)


def processes_in(folder: Path) -> list[int]:
    """Return the processes whose current folder is this one."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_working_copy_has_clean_sources_and_the_same_other_files(tmp_path):
    """Only sources lose byte order marks and CR; modes, links and other files stay."""
    odd = "\ufeffa\r\nb\r\n"
    files = submission(tmp_path / "files", {"Bot.PY": odd, "data.bin": odd, "d/run.sh": "#!x\r\n"})
    (files / "link.py").symlink_to("data.bin")
    (files / "Bot.PY").chmod(0o444)
    working_copy(files, build := tmp_path / "build")
    assert (build / "Bot.PY").read_bytes() == b"a\nb\n"
    assert (build / "d/run.sh").read_bytes() == b"#!x\n"
    assert os.access(build / "d/run.sh", os.X_OK)
    assert (build / "data.bin").read_text() == (files / "data.bin").read_text()
    assert (build / "link.py").readlink() == Path("data.bin")


@pytest.mark.parametrize("sandboxed", SANDBOXED)
def test_message_of_a_compiler_is_kept(tmp_path, sandboxed):
    """The author sees what the compiler wrote, and how it ended."""
    need("cc")
    files = {"bot.c": "int main(void) { return getchar() }\n"}
    result = compiled(tmp_path, files, sandboxed=sandboxed)
    assert not result.passed
    assert "bot.c:1" in result.messages
    assert "cc ended with exit code 1" in result.messages


@pytest.mark.parametrize(
    ("files", "first"),
    [
        (
            {"B.java": "import org.json.X;\nimport a.B;\nclass B { void main() { X x; } }\n"},
            "Java packages are missing: org.json, a: hand in their .jar files, or do without them",
        ),
        (
            {"b.c": "#include <four.h>\nint main(void) {}\n"},
            "headers are missing: four.h: hand them in",
        ),
        (
            {"Cargo.toml": CRATE + '[dependencies]\nrand = "1"\n', "src/main.rs": RUST},
            "crates are missing: rand: hand in what cargo vendor makes, or do without them",
        ),
        (
            {"go.mod": "module b\n", "b.go": 'package main\nimport "a.io/b"\nfunc main() {}\n'},
            "Go packages are missing: a.io/b: hand in a folder vendor",
        ),
    ],
    ids=["javac", "cc", "cargo", "go"],
)
def test_libraries_that_are_missing_are_named_first(tmp_path, files, first, request):
    """The first line says what was not handed in, and what to do."""
    need(request.node.callspec.id)
    result = compiled(tmp_path, files, sandboxed=False)
    assert not result.passed
    assert first_error(result.messages).startswith(f"error: {first}")


def test_long_messages_lack_their_middle(tmp_path):
    """Of many messages, the first and the last ones are kept, without control characters."""
    text = "bot:\n\t@echo first; seq 99999; printf 'last\\033[2J\\n'; exit 3\n"
    result = made(tmp_path, text)
    assert result.messages.startswith("first\n1\n2\n")
    assert "99999\nlast\\x1b[2J\n" in result.messages
    assert len(result.messages) < 9000


@pytest.mark.parametrize("sandboxed", SANDBOXED)
@pytest.mark.parametrize(
    ("makefile", "reason"),
    [
        ("bot:\n\tsetsid sleep 1000 & echo $$! >pid; sleep 1000\n", "it ran for more than 2 s"),
        ("bot:\n\twhile :; do :; done\n", "it ran for more than 2 s"),
        (FORKS, "processes under it; 64 are allowed"),
        ("bot:\n\tyes\n", "it wrote more than 16 MiB of messages"),
    ],
)
def test_endless_compilers_are_stopped(tmp_path, adopting, makefile, reason, sandboxed):
    """What runs too long, forks or floods is stopped, the reason is told, and nothing is left."""
    seconds = 2 if "2 s" in reason else LIMIT
    result = made(tmp_path, makefile, sandboxed=sandboxed, seconds=seconds)
    assert not result.passed
    assert "make was stopped: " in result.messages
    assert reason in result.messages
    assert not process_tree.descendants_of(os.getpid())
    assert not processes_in(tmp_path / "build")


@pytest.mark.parametrize("sandboxed", SANDBOXED)
@pytest.mark.parametrize(
    "command", ["while :; do head -c 1000000 /dev/zero >>big; done", "cp /dev/zero huge"]
)
def test_compiler_that_fills_the_disk_is_stopped(tmp_path, monkeypatch, command, sandboxed):
    """A compiler that writes too much is stopped, with many small writes or one large file."""
    limits = ResourceLimits(written_mb=16, file_mb=8 if "cp" in command else 64)
    monkeypatch.setattr(compiling, "LIMITS", limits)
    result = made(tmp_path, f"bot:\n\t{command}\n", sandboxed=sandboxed)
    assert not result.passed
    assert re.search(r"written|MiB|wrote outside|[Ff]ile (?:too large|size limit)", result.messages)


@needs_sandbox
def test_compiler_in_the_sandbox_sees_no_secret(tmp_path, home):
    """A Makefile in the sandbox reads no password, no file of the home folder, and no neighbour."""
    secret = home / "grades"
    (tmp_path / "other").write_text("neighbour's secret")
    text = f"bot:\n\t-cat /etc/shadow {secret} ../other\n\t-ls {home}\n\t-env\n"
    result = made(tmp_path, text, sandboxed=True)
    assert result.messages.count("No such file or directory") >= 3
    assert "secret" not in result.messages.replace(str(secret), "")
    assert "root:" not in result.messages


def test_compiler_reads_no_input(tmp_path):
    """A Makefile that waits for a person gets the end of its input."""
    assert made(tmp_path, "bot:\n\tread x || cp /bin/true bot\n").passed


@pytest.mark.parametrize(
    ("recipe", "linked"),
    [
        ("mkdir bin; cp /bin/true bin/four", "bin/four"),
        ("cp /bin/true four; cp /bin/true Bot", "Bot"),
        ("cp /bin/true four; mkdir x; cp /bin/true x/bot", "four"),
        ("cp /bin/true c4-program", None),
    ],
)
def test_program_that_make_makes_is_found(tmp_path, recipe, linked):
    """The outermost new executable is started, among several the one with a usual name."""
    files = {"Makefile": f"all:\n\t{recipe}\n", "old": "#!/bin/sh\n", "older": "#!/bin/sh\n"}
    need("make")
    assert compiled(tmp_path, files, sandboxed=False).passed
    program = tmp_path / "build" / "c4-program"
    assert (str(program.readlink()) if program.is_symlink() else None) == linked


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ("true", "make made no program that can be started"),
        ("cp /bin/true a; cp /bin/true b", "make made several programs: a, b: call the one"),
    ],
)
def test_make_without_one_program_is_told(tmp_path, recipe, reason):
    """If make makes no program, or several without a usual name, the author is told."""
    result = made(tmp_path, f"all:\n\t{recipe}\n")
    assert not result.passed
    assert reason in result.messages


def test_make_may_start_other_compilers(tmp_path):
    """A Makefile in the sandbox finds compilers outside of the system's folders."""
    need("make", "rustc")
    files = {"Makefile": "bot:\n\trustc -o bot x.rs\n", "x.rs": RUST}
    result = compiled(tmp_path, files, sandboxed=SANDBOXED[0].marks[0].args[0] is False)
    assert result.passed, result.messages


def test_missing_compiler_is_told(tmp_path):
    """A compiler that cannot be started is a failure with a reason."""
    start = Start("", ("./x",), "", (("./no-compiler",),))
    result = compile_start(start, tmp_path, "/usr", sandboxed=False, seconds=LIMIT)
    assert not result.passed
    assert "no-compiler cannot be started: No such file" in result.messages


def test_spec_has_the_settings_of_the_start(tmp_path):
    """A bot runs in the folder of its start, with the dialect, arguments and restart of it."""
    start = Start("", ("./x",), "", (), "in", "course", "none", "never")
    spec = spec_of(start, "name", tmp_path, "/usr", sandboxed=True)
    assert (spec.cwd, spec.dialect, spec.arguments) == (str(tmp_path / "in"), "course", "none")
    assert (spec.restart, spec.sandbox, spec.name) == ("never", True, "name")


@needs_sandbox
def test_makefile_finds_nothing_of_ours(tmp_path, monkeypatch):
    """A Makefile cannot copy our bot into its submission, also if our environment is active."""
    monkeypatch.setenv("PATH", f"{SCRIPTS}:{os.environ['PATH']}")
    recipe = "bot:\n\techo 'c4-bot --version || python3 -m c4_bot' | sh; test $$? != 0\n"
    result = made(tmp_path, f"{recipe}\tls {SCRIPTS}; cp /bin/true bot\n", sandboxed=True)
    assert result.passed
    for said in ("c4-bot: not found", "No module named c4_bot", f"cannot access '{SCRIPTS}'"):
        assert said in result.messages


DEEP = "import os; [(os.mkdir('d'), os.chdir('d')) for _ in range({})]"


@pytest.mark.parametrize(
    "recipe",
    [f'python3 -c "{DEEP.format(1500)}"', "mkdir d; touch d/a; chmod 0 d", "mkfifo a", "ln -s / d"],
)
def test_what_compilers_leave_is_read_and_removed(tmp_path, recipe):
    """Folders of any depth and mode, pipes and links stop neither this compilation nor the next."""
    makefile = f"bot:\n\tprintf '#!/bin/sh\\n' > bot; chmod +x bot\n\t{recipe}\n"
    for _ in range(2):
        assert made(tmp_path, makefile).passed
        assert (tmp_path / "build" / "c4-program").readlink() == Path("bot")
        remove_copy(tmp_path / "build")
        assert not (tmp_path / "build").exists()
        shutil.rmtree(tmp_path / "files")


def test_folders_with_too_long_paths_are_removed(tmp_path):
    """Folders may be nested so deeply that their path is too long for the system."""
    build = tmp_path / "build"
    build.mkdir()
    subprocess.run([sys.executable, "-c", DEEP.format(3000)], cwd=build, check=True)
    remove_copy(build)
    assert not build.exists()
