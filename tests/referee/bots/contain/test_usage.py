"""What the processes of a bot use together is measured, and a bot that uses too much is found."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from c4_referee.bots.contain import usage
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.process import BotProcess
from views import needs_sandbox
from waiting import wait_for

pytestmark = pytest.mark.linux  # needs /proc

LIMITS = ResourceLimits(memory_mb=100, processes=4, threads=50, written_mb=20, file_mb=2000)
SANDBOX = Sandbox(os.environ["PATH"])
BEGIN = "import ctypes, mmap, os, sys, threading, time\nMB = 1 << 20\nheld = []\n"
READY = "\nprint('ready', flush=True)\nsys.stdin.read()\n"

THREADS = """
for _ in range(200):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""
CHILDREN = """
for _ in range(3):
    if not os.fork():
        held.append(bytes([1]) * (60 * MB))
        break
"""
SHARED_MAP = """
held.append(mmap.mmap(-1, 150 * MB))
for start in range(0, 150 * MB, 4096):
    held[0][start] = 1
"""
UNMAPPED_FILE = """
held.append(os.memfd_create("hidden"))
for _ in range(150):
    os.write(held[0], bytes(MB))
"""
SHARED_BY_CHILDREN = """
held.append(mmap.mmap(-1, 60 * MB))
for start in range(0, 60 * MB, 4096):
    held[0][start] = 1
for _ in range(3):
    if not os.fork():
        for start in range(0, 60 * MB, 4096):
            held[0][start]
        break
"""
MAPPED_FILE = """
with open(sys.argv[1], "wb") as file:
    file.truncate(150 * MB)
with open(sys.argv[1], "rb") as file:
    held.append(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
for start in range(0, 150 * MB, 4096):
    held[0][start]
"""
WRITES = """
for number in range(40):
    with open(f"{sys.argv[1]}-{number}", "wb") as file:
        file.write(bytes(MB))
"""
WRITING_CHILDREN = """
for number in range(40):
    if not os.fork():
        with open(f"{sys.argv[1]}-{number}", "wb") as file:
            file.write(bytes(MB))
        os._exit(0)
    os.wait()
"""
TEMPORARY_FILES = """
for folder in ("/tmp", "/dev/shm"):
    with open(f"{folder}/file", "wb") as file:
        file.write(bytes(60 * MB))
"""
EMPTY_FILES = """
for number in range(40_000):
    os.mknod(f"/tmp/{number}")
    os.symlink("x", f"/dev/shm/{number}")
"""


def excess_of(
    program: str,
    folder: Path,
    limits: ResourceLimits = LIMITS,
    sandbox: Sandbox | None = None,
    seconds: float = 60,
) -> tuple[Fault, str] | None:
    """Return what a program uses too much of, after it has written a line.

    Its children may still be at work then, so this waits for some seconds.
    """
    words = [sys.executable, "-S", "-E", "-c", BEGIN + program + READY, str(folder / "file")]
    with BotProcess(words, limits=limits, sandbox=sandbox) as process:
        os.set_blocking(process.stdout, True)
        os.set_blocking(process.stderr, True)
        assert os.read(process.stdout, 6) == b"ready\n", os.read(process.stderr, 1 << 16)
        return wait_for(process.excess, seconds)


@pytest.mark.parametrize(
    "program", [CHILDREN, SHARED_MAP, UNMAPPED_FILE], ids=["children", "map", "unmapped file"]
)
def test_memory_is_summed(tmp_path, program):
    """The memory of all processes and shared memory count."""
    found, message = excess_of(program, tmp_path)
    assert found == Fault.OUT_OF_MEMORY
    assert message.endswith("MiB; 100 are allowed")


def test_threads_are_counted(tmp_path):
    """A bot with too many threads is found. The stack of each thread is memory for data."""
    found, message = excess_of(THREADS, tmp_path, replace(LIMITS, memory_mb=None))
    assert found == Fault.TOO_MANY_PROCESSES
    assert message == "it has 201 threads; 50 are allowed"


@pytest.mark.parametrize(
    "program", ["", SHARED_BY_CHILDREN, MAPPED_FILE], ids=["nothing", "shared", "mapped"]
)
def test_no_excess_is_found(tmp_path, program):
    """Memory that processes share counts once. A mapped file is not memory."""
    assert excess_of(program, tmp_path, seconds=1) is None


def is_on_a_disk(folder: Path) -> bool:
    """Return whether the kernel counts what is written to this folder."""
    (folder / "probe").write_bytes(bytes(1 << 20))
    return usage.written_bytes([os.getpid()]) > 0


@pytest.mark.parametrize("program", [WRITES, WRITING_CHILDREN], ids=["itself", "children"])
def test_written_bytes_are_summed(tmp_path, program):
    """Bytes that a bot and its ended children write to files count."""
    if not is_on_a_disk(tmp_path):
        pytest.skip("temporary files are in memory here")
    fault, message = excess_of(program, tmp_path)
    assert fault == Fault.WROTE_TOO_MUCH
    written, rest = message.removeprefix("it wrote ").split(" ", 1)
    assert rest == "MiB to disks; 20 are allowed"
    assert 40 <= int(written) < 50  # a page that is written back counts again if it changes later


@needs_sandbox
@pytest.mark.parametrize("program", [TEMPORARY_FILES, EMPTY_FILES], ids=["bytes", "empty files"])
def test_folders_in_memory_count(tmp_path, program):
    """Files in the sandbox's folders in memory count as memory of the bot, even empty files."""
    limits = replace(LIMITS, written_mb=1000)
    fault, message = excess_of(program, tmp_path, limits, SANDBOX)
    assert fault == Fault.OUT_OF_MEMORY
    assert message.endswith("MiB; 100 are allowed")


def test_ended_process_uses_nothing():
    """A process that has ended counts as 0."""
    child = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(child, 0)
    assert usage.count_threads([child]) == 0
    assert usage.memory_bytes([child]) == 0
    assert usage.resident_bytes([child]) == 0
    assert usage.written_bytes([child]) == 0
