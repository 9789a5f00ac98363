"""``c4-referee doctor`` shows what works on a machine, with programs that are there or not."""

import json
import os
import shutil
import sys

import pytest
from cores import needs_core
from views import needs_sandbox

HANGING = "#!/bin/sh\necho 7.7.7\nsleep 1000 &\nwait\n"


@pytest.fixture
def doctor(c4_referee, tmp_path):
    """Return a function that runs the command with only some programs on the search path."""
    programs = tmp_path / "programs"
    programs.mkdir()

    def run(*names, options=(), **variables):
        for name in names:
            (programs / name).symlink_to(shutil.which(name))
        usual = {**os.environ, "PATH": str(programs), "C4_ARENA_SANDBOX": "", "COLUMNS": "80"}
        return c4_referee("doctor", *options, env=usual | variables, cwd=tmp_path)

    return run


def test_missing_programs_are_named_with_their_packages(doctor):
    """Without bubblewrap and compilers, each has its line, and one command installs all."""
    done = doctor("sh")
    text = done.stdout.decode()
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert done.returncode == 1
    assert "missing sandbox bwrap is not installed: apt install bubblewrap" in lines
    assert "missing Java no javac or java: apt install default-jdk-headless" in lines
    assert "ok shell sh" in lines
    assert "Not ready for a class: it needs the " in text
    packages = lines[-1].partition("apt install ")[2].split()
    assert {"bubblewrap", "g++", "gcc", "nodejs", "racket"} < set(packages)
    assert len(packages) == len(set(packages))
    assert "bash" not in packages
    assert len(lines) <= 24
    assert max(map(len, text.splitlines()[:-1])) <= 80


@needs_core
@needs_sandbox
def test_class_needs_only_core_and_sandbox(doctor):
    """With bubblewrap, the machine is ready, and languages without programs are named."""
    done = doctor("sh", "bwrap", "true")
    assert done.returncode == 0, done.stdout.decode()
    assert b"Ready for a class" in done.stdout
    assert b"sandbox         bubblewrap works" in done.stdout
    off = doctor(C4_ARENA_SANDBOX="no")
    assert (off.returncode, b"C4_ARENA_SANDBOX=no turns it off" in off.stdout) == (0, True)


@needs_core
def test_json_is_one_object(doctor, tmp_path):
    """``--json`` prints what was found. A program's version is what the program says."""
    (tmp_path / "programs" / "go").write_text('#!/bin/sh\necho "$1 go9.8.7 here"\n')
    (tmp_path / "programs" / "go").chmod(0o755)
    found = json.loads(doctor("sh", options=["--json"]).stdout)
    assert (found["ready"], found["processors"]) == (False, len(os.sched_getaffinity(0)))
    assert found["free_disk_mb"] > 0
    assert found["versions"]["Python"] == sys.version.split()[0]
    parts = {part.pop("name"): part for part in found["parts"]}
    assert parts["core"]["works"]
    assert parts["Go"] == {"works": True, "found": "go 9.8.7", "install": ""}
    assert parts["C++"] == {"works": False, "found": "no c++", "install": "g++"}
    assert {"bubblewrap", "g++"} < {*found["install"]}


def test_hanging_program_does_not_hang_the_command(doctor, tmp_path, mark, wait_until):
    """A program that does not end is shown without a version, and it and its children end."""
    go = tmp_path / "programs" / "go"
    go.write_text(HANGING)
    go.chmod(0o755)
    lines = doctor("sh", "sleep", MARK=mark.environment["MARK"]).stdout.decode().splitlines()
    assert "ok go go" in [" ".join(line.lower().split()) for line in lines]
    assert wait_until(lambda: not mark.bearers())


@needs_core
def test_core_that_is_missing_is_a_problem(run_command, tmp_path):
    """Where c4-bot lacks its core, the reason is shown, and the exit code is 1."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['c4_bot._core'] = None\n")
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = run_command("c4-referee", "doctor", "--json", env=variables)
    found = json.loads(done.stdout)
    core = found["parts"][0]
    assert (done.returncode, core["name"], core["works"]) == (1, "core", False)
    assert core["found"].startswith("the native core cannot be loaded")
