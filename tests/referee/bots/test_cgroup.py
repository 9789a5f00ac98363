"""Control groups limit a bot, and are removed with all processes in them.

Most tests use ordinary folders in place of the kernel's. ``test_real_group`` runs where the kernel
has control groups for us, for example as root on a machine with cgroup v2.
"""

import os
import sys
from pathlib import Path

import pytest
from c4_referee.bots import cgroup
from c4_referee.bots.cgroup import PREFIX, VARIABLE, ControlGroup, control_groups, group_for
from c4_referee.bots.faults import Fault
from c4_referee.bots.limits import ResourceLimits
from c4_referee.bots.process import BotProcess

LIMITS = ResourceLimits(memory_mb=100, processes=4, threads=10, cpus=0.5)
CONTROLLED = ("cgroup.procs", "pids.max", "memory.max", "memory.swap.max", "cpu.max")


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder that looks like the root of all groups. New folders in it look like groups."""
    root = tmp_path / "root"
    root.mkdir()
    fill(root)
    make = Path.mkdir

    def mkdir(path: Path, *args: object, **settings: object) -> None:
        make(path, *args, **settings)
        if path.is_relative_to(root):
            fill(path)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(Path, "rmdir", remove)
    monkeypatch.setattr(cgroup, "own_group", lambda: root)
    return root


def fill(group: Path) -> None:
    """Write the files that the kernel has in a group."""
    for name in (*CONTROLLED, "cgroup.subtree_control", "cgroup.kill"):
        (group / name).touch()
    (group / "cgroup.controllers").write_text("cpu io memory pids\n")


def remove(group: Path) -> None:
    """Remove a folder as the kernel removes a group: with its files, but not with its groups."""
    for file in group.iterdir():
        file.unlink()
    os.rmdir(group)  # noqa: PTH106 - Path.rmdir is this function


def test_root_makes_groups(root):
    """Root makes a group for the referee, with the controllers that the kernel has."""
    with control_groups() as controllers:
        assert controllers == ["memory", "pids", "cpu"]
        folder = root / f"{PREFIX}{os.getpid()}"
        assert os.environ[VARIABLE] == str(folder)
        assert (folder / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    assert not folder.exists()
    assert VARIABLE not in os.environ


def test_delegated_group_must_be_ours_alone(root):
    """In a group that is not the root, the referee moves itself into a group of its own.

    If other processes are in the group, it cannot share out controllers.
    """
    (root / "cgroup.type").write_text("domain\n")
    (root / "cgroup.procs").write_text(f"{os.getpid()}\n1\n")
    with control_groups() as controllers:
        assert controllers == []
    (root / "cgroup.procs").write_text(f"{os.getpid()}\n")
    with control_groups() as controllers:
        assert controllers == ["memory", "pids", "cpu"]
        assert os.environ[VARIABLE] == str(root)
        assert (root / f"{PREFIX}{os.getpid()}" / "cgroup.procs").read_text() == "0"


def test_no_groups(root):
    """Without controllers, or without cgroup v2, there are no groups, and bots run without."""
    (root / "cgroup.controllers").write_text("\n")
    with control_groups() as controllers:
        assert controllers == []
        assert group_for("x", LIMITS, 0) is None


def test_groups_of_killed_referees_are_removed(root):
    """A referee removes the groups of referees that do not run any more, and no others."""
    alive, dead = root / f"{PREFIX}1", root / f"{PREFIX}{1 << 30}"
    for folder in (alive, dead, dead / f"{PREFIX}bot-x"):
        folder.mkdir()
    with control_groups():
        assert alive.exists()
        assert not dead.exists()


def test_limits_are_written(root):
    """The limits of a bot are those of its group. The guards of the sandbox count as processes."""
    group = ControlGroup(root, "x", LIMITS, guards=2)
    folder = root / f"{PREFIX}bot-x"
    found = {name: (folder / name).read_text() for name in CONTROLLED[1:]}
    assert found == {
        "pids.max": "16",
        "memory.max": str(100 << 20),
        "memory.swap.max": "0",
        "cpu.max": "50000 100000",
    }
    assert group.limits_memory
    assert group.fault() is None
    group.remove()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("memory.events", "low 0\noom 1\noom_kill 1\n", Fault.OUT_OF_MEMORY),
        ("memory.events", "low 0\noom 0\noom_kill 0\n", None),
        ("pids.events", "max 3\n", Fault.TOO_MANY_PROCESSES),
        ("pids.events", "max 0\n", None),
    ],
)
def test_limit_that_was_reached_is_told(root, file, text, fault):
    """The kernel counts how often a group reached a limit."""
    group = ControlGroup(root, "x", LIMITS)
    (root / f"{PREFIX}bot-x" / file).write_text(text)
    assert group.fault() == fault


HUNGRY = "held = [bytes([1]) * (1 << 20) for _ in range(400)]"
FORKING = """
import os, time
for _ in range(50):
    if not os.fork():
        time.sleep(60)
        os._exit(0)
"""


@pytest.mark.parametrize(
    ("program", "controller", "fault"),
    [
        (HUNGRY, "memory", Fault.OUT_OF_MEMORY),
        (FORKING, "pids", Fault.TOO_MANY_PROCESSES),
    ],
)
def test_real_group(program, controller, fault):
    """The kernel enforces the limits of a real group, and kills all its processes at the end."""
    with control_groups() as controllers:
        if controller not in controllers:
            pytest.skip(f"no control groups for {controller}")
        limits = ResourceLimits(memory_mb=100, processes=4, threads=1)
        folder = Path(os.environ[VARIABLE])
        with BotProcess([sys.executable, "-S", "-E", "-c", program], limits=limits) as process:
            code = process.wait(20)
            assert code not in {None, 0}
            assert process.diagnose(code, "") == fault
            assert [*folder.glob(f"{PREFIX}bot-*")] != []
        assert [*folder.glob(f"{PREFIX}bot-*")] == []
