"""Control groups limit a bot, and are removed with all processes in them.

Most tests use ordinary folders in place of the kernel's. The tests with ``real`` in their names run
where the kernel has control groups for us, for example as root on a machine with cgroup v2.
``tests/README.md`` says how to run them in a virtual machine.
"""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from c4_referee.bots.contain import cgroup
from c4_referee.bots.contain.cgroup import (
    GROUP_PREFIX,
    GROUP_VARIABLE,
    REFEREE_GROUP,
    ControlGroup,
    control_groups,
    group_for,
    own_group,
)
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.process_tree import adopt_orphans, kill_children
from c4_referee.bots.contain.sandbox import why_no_sandbox
from views import NO_SANDBOX
from waiting import wait_for

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
        folder = root / f"{GROUP_PREFIX}{os.getpid()}"
        assert os.environ[GROUP_VARIABLE] == str(folder)
        assert (folder / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    assert not folder.exists()
    assert GROUP_VARIABLE not in os.environ


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
        folder = root / f"{GROUP_PREFIX}{os.getpid()}"
        assert os.environ[GROUP_VARIABLE] == str(folder)
        assert (folder / REFEREE_GROUP / "cgroup.procs").read_text() == "0"
        for group in (root, folder):
            assert (group / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    assert not folder.exists()
    assert (root / "cgroup.subtree_control").read_text() == "-memory -pids -cpu"
    assert (root / "cgroup.procs").read_text().startswith("0")


def test_group_that_cannot_be_shared_out(root, monkeypatch):
    """If the kernel refuses, there are no groups, and nothing is left of the attempt."""
    (root / "cgroup.subtree_control").unlink()
    with control_groups() as controllers:
        assert controllers == []
        assert GROUP_VARIABLE not in os.environ
    assert not (root / f"{GROUP_PREFIX}{os.getpid()}" / REFEREE_GROUP).exists()


def test_no_groups(root):
    """Without controllers, or without cgroup v2, there are no groups, and bots run without."""
    (root / "cgroup.controllers").write_text("\n")
    with control_groups() as controllers:
        assert controllers == []
        assert group_for("x", LIMITS, 0) is None


@pytest.mark.linux
def test_groups_of_killed_referees_are_removed(root):
    """A referee removes the groups of referees that do not run any more, and no others."""
    alive, dead = root / f"{GROUP_PREFIX}1", root / f"{GROUP_PREFIX}{1 << 30}"
    for folder in (alive, dead, dead / f"{GROUP_PREFIX}bot-x"):
        folder.mkdir()
    with control_groups():
        assert alive.exists()
        assert not dead.exists()


def test_limits_are_written(root):
    """The limits of a bot are those of its group. The guards of the sandbox count as processes."""
    group = ControlGroup(root, "x", LIMITS, guards=2)
    folder = root / f"{GROUP_PREFIX}bot-x"
    found = {name: (folder / name).read_text() for name in CONTROLLED[1:]}
    assert found == {
        "pids.max": "16",
        "memory.max": str(100 << 20),
        "memory.swap.max": "0",
        "cpu.max": "50000 100000",
    }
    assert group.limits_memory
    assert group.fault_of_limit() is None
    group.remove()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("memory.events", "low 0\noom 1\noom_kill 1\n", Fault.OUT_OF_MEMORY),
        ("memory.events", "low 0\noom 0\noom_kill 0\n", None),
        ("memory.events", "low 0\noom 0\noom_kill 1\n", None),
        ("pids.events.local", "max 3\n", Fault.TOO_MANY_PROCESSES),
        ("pids.events.local", "max 0\n", None),
        ("pids.events", "max 3\n", None),
    ],
)
def test_limit_that_was_reached_is_told(root, file, text, fault):
    """The kernel counts how often a group reached its own limit, and not that of another group."""
    group = ControlGroup(root, "x", LIMITS)
    (root / f"{GROUP_PREFIX}bot-x" / file).write_text(text)
    assert group.fault_of_limit() == fault


CHILDREN = """
for _ in range(4):
    if not os.fork():
        held = bytes([1]) * (60 << 20)
        time.sleep(60)
"""
SHARED = """
shared = mmap.mmap(-1, 300 << 20)
for offset in range(0, 300 << 20, 4096):
    shared[offset] = 1
"""
FILES = """
for number in range(20):
    descriptor = os.memfd_create(str(number))
    for _ in range(16):
        os.write(descriptor, bytes(1 << 20))
"""
FOLDER = """
for number in range(20):
    with open(f"/dev/shm/{number}", "wb") as file:
        file.write(bytes(16 << 20))
"""
FORKING = """
for count in range(50):
    try:
        child = os.fork()
    except OSError:
        break
    if not child:
        time.sleep(60)
os.write(1, b"%d" % count)
"""
DAEMON = """
if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    daemon = "import os, time; os.write(1, b'%d' % os.getpid()); time.sleep(60)"
    os.execve(sys.executable, [sys.executable, "-S", "-E", "-c", daemon], {})
"""
BUSY = "while True: pass"
KILLED = """
import os, signal, sys
from c4_referee.bots.contain.cgroup import GROUP_VARIABLE, control_groups
from c4_referee.bots.contain.process import BotProcess
with control_groups() as controllers:
    if controllers:
        bot = BotProcess(sys.argv[1:])
        os.set_blocking(bot.stdout, True)
        print(os.environ[GROUP_VARIABLE], os.read(bot.stdout, 99).decode(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def real():
    """Return the folder with the groups of bots, which is removed at the end. Skip without it."""
    adopt_orphans()
    before = own_group()
    with control_groups() as controllers:
        if len(controllers) < 3:
            pytest.skip("the kernel has no control groups for us")
        folder = Path(os.environ[GROUP_VARIABLE])
        yield folder
    kill_children()
    assert not folder.exists()
    assert own_group() == before


@pytest.fixture
def above(real, monkeypatch):
    """Return a group in which the groups of bots are made, instead of ``real``."""
    above = real / f"{GROUP_PREFIX}bot-above"
    above.mkdir()
    (above / "cgroup.subtree_control").write_text("+memory +pids")
    monkeypatch.setenv(GROUP_VARIABLE, str(above))
    return above


def in_python(program: str) -> list[str]:
    """Return a command that runs a program in Python, which sleeps in the end."""
    program = f"import mmap, os, sys, time\n{program}\ntime.sleep(60)"
    return [sys.executable, "-S", "-E", "-c", program]


def started(program: str, *, in_sandbox: bool = False, **limits: float) -> BotProcess:
    """Start a program in Python as a bot with limits. Skip the test if there is no sandbox."""
    if in_sandbox and why_no_sandbox():
        pytest.skip(NO_SANDBOX)
    sandbox = Sandbox(os.environ["PATH"]) if in_sandbox else None
    return BotProcess(in_python(program), limits=ResourceLimits(**limits), sandbox=sandbox)


def text_from(process: BotProcess) -> str:
    """Wait for output of a process, and return it."""
    assert select.select([process.stdout], [], [], 60)[0]
    return os.read(process.stdout, 99).decode()


def group_in(folder: Path) -> Path:
    """Return the only group of a bot in a folder."""
    [group] = folder.glob(f"{GROUP_PREFIX}bot-*")
    return group


@pytest.mark.parametrize(
    ("program", "in_sandbox"),
    [
        (CHILDREN, False),
        (SHARED, False),
        (FILES, False),
        (CHILDREN, True),
        (SHARED, True),
        (FILES, True),
        (FOLDER, True),
    ],
)
def test_memory_of_a_real_group(real, program, in_sandbox):
    """The kernel kills a bot whose processes, shared memory and files in memory are too large."""
    with started(program, in_sandbox=in_sandbox, memory_mb=100) as process:
        code = process.wait(60)
        assert code == -signal.SIGKILL
        assert process.diagnose(code, "") == Fault.OUT_OF_MEMORY
        assert group_in(real).exists()
    assert [*real.glob(f"{GROUP_PREFIX}bot-*")] == []


def test_memory_of_a_group_above_a_real_group(above):
    """A bot of which a process is killed for another limit has not reached its own limit."""
    (above / "memory.max").write_text(str(100 << 20))
    with started(CHILDREN, memory_mb=1000) as process:
        events = group_in(above) / "memory.events"
        assert wait_for(lambda: "oom_kill 0" not in events.read_text())
        assert process.diagnose(process.wait(1), "") is None


@pytest.mark.parametrize("in_sandbox", [False, True])
def test_processes_of_a_real_group(real, in_sandbox):
    """The kernel makes no more processes than allowed, and the referee finds the fault."""
    with started(FORKING, in_sandbox=in_sandbox, processes=4, threads=10) as process:
        assert text_from(process) == "13"
        assert process.diagnose(None, "") == Fault.TOO_MANY_PROCESSES


def test_processes_of_a_group_above_a_real_group(above):
    """A bot that cannot fork because of another limit has not reached its own limit."""
    (above / "pids.max").write_text("5")
    with started(FORKING, processes=8, threads=16) as process:
        assert text_from(process) == "4"
        assert process.diagnose(None, "") is None


def test_processor_time_of_a_real_group(real):
    """The kernel halts a bot that has used its share of the processors."""
    with started(BUSY, cpus=0.5):
        stat = group_in(real) / "cpu.stat"
        assert wait_for(lambda: "nr_throttled 0" not in stat.read_text())


@pytest.mark.usefixtures("real")
def test_daemon_ends_with_its_real_group():
    """A process that left the bot's session and erased its mark ends with the group."""
    with started(DAEMON) as process:
        daemon = text_from(process)
        assert is_running(daemon)
    assert not is_running(daemon)


def is_running(pid: str) -> bool:
    """Return whether a process exists and has not ended."""
    status = Path("/proc", pid, "stat")
    return status.exists() and ") Z" not in status.read_text()


def test_real_groups_of_a_killed_referee_are_removed():
    """The next referee ends what is left of a referee that was killed, and removes its groups."""
    adopt_orphans()
    command = [sys.executable, "-c", KILLED, *in_python(DAEMON)]
    killed = subprocess.run(command, capture_output=True, text=True, check=False)
    if not killed.stdout:
        pytest.skip("the kernel has no control groups for two referees")
    folder, daemon = killed.stdout.split()
    assert is_running(daemon)
    assert Path(folder).exists()
    with control_groups():
        assert not is_running(daemon)
        assert not Path(folder).exists()
