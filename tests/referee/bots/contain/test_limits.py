"""A bot that exceeds a limit is stopped, and the cause is found."""

import os
import resource
import subprocess
import sys

import pytest
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.process_tree import descendants_of
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.jobs import Job, WorkerSettings
from c4_referee.contest.play.local_runner import WorkerSlot
from waiting import wait_for

TIGHT = ResourceLimits(memory_mb=800, open_files=20, file_mb=1, processes=8)
FELL = [
    ("cannot_fork", None),
    ("huge_file_in_c", Fault.WROTE_OUTSIDE),
    ("exits_at_once", None),
    ("killed", None),
]
QUESTION = b'{"grid":[[0]],"player":1}\n'
PEAKED = """
import os, sys
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.process import BotProcess
bytearray(1 << 30)
with BotProcess(sys.argv[1:], limits=ResourceLimits(memory_mb=800)) as process:
    os.write(process.stdin, b"{}\\n")
    print(process.diagnose(process.wait(20), ""))
"""
LIMITS = "import resource as r; print([r.getrlimit(x) for x in (r.RLIMIT_DATA, r.RLIMIT_NOFILE,"
LIMITS += "r.RLIMIT_FSIZE, r.RLIMIT_CORE)])"


def output_of(process: BotProcess) -> str:
    """Return all that a bot writes until it ends."""
    os.set_blocking(process.stdout, True)
    with os.fdopen(os.dup(process.stdout), "rb") as stream:
        return stream.read().decode()


def run_to_its_end(spec: BotSpec, **settings: object) -> tuple[BotProcess, int | None, str]:
    """Ask a bot that then ends. Return the process, its exit code and its standard error."""
    with BotProcess(spec.command, env=spec.environment(), **settings) as process:
        os.write(process.stdin, QUESTION)
        code = process.wait(20)
        words = os.read(process.stderr, 1 << 16).decode()
    return process, code, words


@pytest.mark.parametrize(("kind", "cause"), FELL, ids=[kind for kind, _ in FELL])
def test_cause_of_a_fall_is_told(bot, tmp_path, kind, cause):
    """A bot that hit a limit is distinguished from one that ended for another reason."""
    spec = bot(kind, env={"TARGET": str(tmp_path / "target")})
    process, code, words = run_to_its_end(spec, limits=TIGHT)
    assert code not in {None, 0}
    assert process.diagnose(code, words) == cause


@pytest.mark.linux
def test_what_we_had_ourselves_is_not_in_the_way(bot):
    """The cause is found even if the parent once had more memory than the bot may have."""
    command = [sys.executable, "-c", PEAKED, *bot("quiet_memory_hog").command]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"out of memory\n", b"")


def test_file_does_not_grow_beyond_its_limit(bot, tmp_path):
    """A file grows exactly to its limit."""
    run_to_its_end(bot("huge_file", env={"TARGET": str(tmp_path / "target")}), limits=TIGHT)
    assert (tmp_path / "target").stat().st_size == 1 << 20


@pytest.mark.linux
def test_limits_are_those_of_the_child_alone():
    """A child starts with its limits, and the limits of this process stay unchanged."""
    ours = resource.getrlimit(resource.RLIMIT_NOFILE)
    with BotProcess([sys.executable, "-S", "-E", "-c", LIMITS], limits=TIGHT) as process:
        told = output_of(process)
    assert told == f"{[(800 << 20,) * 2, (20, 20), (1 << 20,) * 2, (0, 0)]}\n"
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == ours


def test_no_limit_of_memory():
    """With ``memory_mb=None``, the limit of memory is not changed."""
    unlimited = ResourceLimits(memory_mb=None)
    with BotProcess([sys.executable, "-S", "-E", "-c", LIMITS], limits=unlimited) as process:
        told = output_of(process)
    assert told.startswith(f"[{resource.getrlimit(resource.RLIMIT_DATA)},")


def test_limit_beyond_what_we_may_give_is_lowered(bot):
    """A limit above what this process may set is lowered, and the bot starts."""
    with BotProcess(bot("good").command, limits=ResourceLimits(open_files=1 << 29)) as process:
        assert process.stop()


@pytest.mark.linux
def test_daemons_are_counted_and_blamed_on_their_bot_alone(bot, adopting):
    """Daemons and orphans count for their own bot only."""
    with (
        BotProcess(bot("daemon_bomb").command, limits=TIGHT) as process,
        BotProcess(bot("good").command, limits=ResourceLimits(processes=0)) as bystander,
    ):
        assert wait_for(process.excess)[1].endswith("processes under it; 8 are allowed")
        assert process.diagnose(None, "") == Fault.TOO_MANY_PROCESSES
        assert bystander.excess() is None


@pytest.mark.linux
def test_few_processes_are_no_fault(bot, tmp_path):
    """A bot may have as many children as its limit allows."""
    spec = bot("has_children", env={"PIDS": str(tmp_path / "pids")})
    with BotProcess(
        spec.command, env=spec.environment(), limits=ResourceLimits(processes=1)
    ) as process:
        os.write(process.stdin, QUESTION)
        os.set_blocking(process.stdout, True)
        os.read(process.stdout, 1)
        assert len(descendants_of(process._child.pid)) == 1
        assert process.excess() is None


def text_written_by(bot, tmp_path, program: str, cpu: int | None = None) -> str:
    """Play a game with a program as a bot, and return what it writes to the file TOLD."""
    told = tmp_path / "told"
    command = [sys.executable, "-S", "-E", "-c", f"import os, time\n{program}"]
    nosy = bot("nosy", command=command, env={"TOLD": str(told)})
    control = TimeControl()
    slot = WorkerSlot(WorkerSettings(STANDARD, (nosy, bot("good")), (control, control)), cpu)
    slot.give(Job(1, 0, 1))
    assert slot.read_game()
    slot.end()
    return told.read_text()


@pytest.mark.linux
def test_pinned_slot_keeps_its_bots_on_one_processor(bot, tmp_path):
    """A bot of a pinned slot may use only the slot's processor."""
    cpu = max(os.sched_getaffinity(0))
    program = "open(os.environ['TOLD'], 'w').write(f'{os.sched_getaffinity(0)}')"
    assert text_written_by(bot, tmp_path, program, cpu) == f"{{{cpu}}}"


@pytest.mark.linux
def test_worker_reaps_orphans_while_a_game_lasts(bot, tmp_path):
    """A worker reaps orphans during a game, so that they do not fill the process table."""
    program = """
for _ in range(20):
    if os.fork() == 0:
        os.fork()
        os._exit(0)
    os.wait()
worker = os.getppid()
for _ in range(500):
    children = open(f'/proc/{worker}/task/{worker}/children').read()
    if len(children.split()) == 2:
        break
    time.sleep(0.01)
open(os.environ['TOLD'], 'w').write(children)
"""
    assert len(text_written_by(bot, tmp_path, program).split()) == 2
