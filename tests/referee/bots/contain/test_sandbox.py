"""A bot in the sandbox cannot reach the system, its user or other bots.

Without bubblewrap there is an error, if the sandbox was demanded.
"""

import errno
import json
import os
import platform
import select
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from c4_protocol.records.events import GameEnded
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.process_tree import descendants_of
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import start_process
from c4_referee.contest.contest_file import read_tournament
from played import played
from views import needs_sandbox

HERE = Path(__file__).parent.parent
SANDBOX = Sandbox(os.environ["PATH"])


def json_printed_by(
    program: str, *words: str, cwd: str | None = None, sandbox: Sandbox | None = SANDBOX
) -> object:
    """Run a Python program with arguments, and return what it prints as JSON."""
    command = [sys.executable, "-S", "-E", "-c", f"import json, os, socket\n{program}", *words]
    with BotProcess(command, cwd=cwd, sandbox=sandbox) as process:
        assert process.wait(20) == 0, os.read(process.stderr, 4096)
        return json.loads(os.read(process.stdout, 1 << 16))


def program_writing_into(folder: str | Path) -> str:
    """Return a program that tries to write a file into a folder, and prints true or the error."""
    return f"""
try:
    with open({str(Path(folder, "written"))!r}, "w") as stream:
        stream.write("!")
    print("true")
except OSError as error:
    print(json.dumps(error.strerror))
"""


def all_ended(ends: list[int], seconds: float = 5) -> bool:
    """Return whether each process ends within some seconds. Close the descriptors."""
    ended = [select.select([end], [], [], seconds)[0] != [] for end in ends]
    for end in ends:
        os.close(end)
    return all(ended)


@needs_sandbox
@pytest.mark.parametrize(("sandbox", "reached"), [(None, True), (SANDBOX, False)])
def test_network_is_out_of_reach(sandbox, reached):
    """A server on this machine can be reached only from outside the sandbox."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        program = f"print(json.dumps(socket.socket().connect_ex({address!r}) == 0))"
        assert json_printed_by(program, sandbox=sandbox) is reached


@needs_sandbox
@pytest.mark.parametrize("folder", [*map(Path, ("/", "/usr", "/etc", "/run", "/dev"))])
def test_file_system_is_read_only(folder):
    """The folders of the system are read-only."""
    assert json_printed_by(program_writing_into(folder)) == "Read-only file system"
    assert not (folder / "written").exists()


@needs_sandbox
@pytest.mark.parametrize("folder", [HERE, "/var", "/srv", "/sys", "/etc/shadow", "/mnt", "/boot"])
def test_other_folders_do_not_exist(folder):
    """A bot cannot read sources, logs, passwords or other disks."""
    assert json_printed_by(f"print(json.dumps(os.path.exists({str(folder)!r})))") is False


@needs_sandbox
def test_home_folder_is_private():
    """The home folder in the sandbox is empty, except for the interpreter if it is there."""
    known = {path.name for path in Path.home().iterdir()} - {".pyenv"}
    found = json_printed_by("print(json.dumps(os.listdir(os.environ['HOME'])))")
    assert not known & set(found)
    assert json_printed_by(program_writing_into(Path.home())) is True
    assert not (Path.home() / "written").exists()


@needs_sandbox
def test_environment_is_empty(bot, monkeypatch):
    """A bot gets the variables of its table, and none of the referee's."""
    monkeypatch.setenv("SECRET", "1")
    spec = bot("good", env={"OWN": "1"}, sandbox=True)
    command = [*spec.command[:3], "-c", "import json, os; print(json.dumps(sorted(os.environ)))"]
    with start_process(spec, command, spec.sandbox_settings()) as process:
        assert process.wait(20) == 0
        names = json.loads(os.read(process.stdout, 1 << 16))
    assert set(names) == {"HOME", "LANG", "OWN", "PATH", "PWD", "TMPDIR"}


@needs_sandbox
def test_first_process_is_hidden():
    """A bot sees nothing of bubblewrap: neither options, which name folders, nor its memory."""
    assert json_printed_by("print(json.dumps(os.listdir('/proc/1')))") == []


DENIED = {
    "shmget": (29, 194),
    "unshare": (272, 97),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "setxattr": (188, 5),
    "fsetxattr": (190, 7),
}
"""System calls with their numbers on x86-64 and on aarch64."""


@needs_sandbox
@pytest.mark.parametrize("call", DENIED)
def test_system_calls_are_denied(call):
    """A bot cannot make namespaces and memory that is in no process, or control processes."""
    number = DENIED[call][platform.machine() == "aarch64"]
    arguments = "0x10000000" if call == "unshare" else "0, 4096, 0o1600"
    program = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(json.dumps([libc.syscall({number}, {arguments}), ctypes.get_errno()]))
"""
    error = errno.ENOSYS if call == "io_uring_setup" else errno.EPERM
    assert json_printed_by(program) == [-1, error]
    assert json_printed_by(program, sandbox=None) != [-1, error]


FAMILIES = """
import errno
def knows(make, family):
    try:
        make(family, socket.SOCK_DGRAM)
    except OSError as error:
        return error.errno != errno.EAFNOSUPPORT
    return True
makers = (socket.socket, socket.socketpair)
families = (*range(64), (1 << 31) - 1)
print(json.dumps([family for family in families if any(knows(make, family) for make in makers)]))
"""


@needs_sandbox
def test_families_of_sockets_are_few():
    """A bot can make sockets for its own processes, and none of other families, such as vsock."""
    usual = [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK]
    found = json_printed_by(FAMILIES)
    assert {*usual} - {socket.AF_INET6} <= {*found} <= {*usual}  # some machines have no IPv6


@needs_sandbox
def test_folders_in_memory_have_a_size():
    """The folders in memory are no larger than the bot's memory."""
    program = """
sizes = [os.statvfs(name) for name in ("/tmp", "/dev/shm", os.environ["HOME"])]
print(json.dumps([size.f_blocks * size.f_frsize >> 20 for size in sizes]))
"""
    command = [sys.executable, "-S", "-E", "-c", f"import json, os\n{program}"]
    with BotProcess(command, limits=ResourceLimits(memory_mb=100), sandbox=SANDBOX) as process:
        assert process.wait(20) == 0
        assert json.loads(os.read(process.stdout, 1 << 16)) == [100, 100, 100]


@needs_sandbox
def test_settings_of_the_kernel_are_read_only():
    """Kernel settings are read-only, even if the referee and the bot run as root."""
    setting = "/proc/sys/kernel/hostname"
    assert json_printed_by(f"print(json.dumps(os.access({setting!r}, os.W_OK)))") is False


LEASES = """
import ctypes, fcntl
file, libc = os.open("file", os.O_CREAT | os.O_RDWR), ctypes.CDLL(None)
number = 25 if os.uname().machine == "aarch64" else 72
print([libc.syscall(number, file, ctypes.c_long(each), 1) for each in (1024, 1040, 1 << 40 | 1024)])
"""


@needs_sandbox
def test_bot_takes_no_lease(tmp_path):
    """A bot cannot let the referee and other bots wait for a file, by any command of fcntl."""
    assert json_printed_by(LEASES, cwd=str(tmp_path)) == [-1, -1, -1]
    assert 0 in json_printed_by(LEASES, cwd=str(tmp_path), sandbox=None)


FILES_OF_THE_KERNEL = """
for name in json.loads(os.sys.argv[1]):
    try: print(len(os.read(os.open(f"/proc/{name}", os.O_NONBLOCK), 9)))
    except OSError: print(0)
"""


@needs_sandbox
def test_tables_of_the_kernel_are_hidden():
    """Keys, memory and timers of the whole machine cannot be read, even if the bot runs as root."""
    files = [path for path in Path("/proc").iterdir() if path.is_file()]
    for path in (path for path in files if path.name == "keys" or not path.stat().st_mode & 4):
        assert json_printed_by(FILES_OF_THE_KERNEL, json.dumps([path.name])) == 0


@needs_sandbox
def test_shared_memory_is_private():
    """A bot has its own shared memory."""
    assert json_printed_by(program_writing_into("/dev/shm")) is True
    assert not Path("/dev/shm/written").exists()


@needs_sandbox
def test_folder_of_its_own_is_writable(tmp_path):
    """A bot can write to the folder that its table names, but not beside it."""
    own = tmp_path / "own"
    own.mkdir()
    assert json_printed_by(program_writing_into("."), cwd=str(own)) is True
    assert (own / "written").read_text() == "!"
    assert not (tmp_path / "written").exists()


@needs_sandbox
def test_current_folder_is_hidden(tmp_path, monkeypatch):
    """Without its own folder, a bot sees of the current folder only what its command names."""
    (tmp_path / "model").write_text("weights")
    (tmp_path / "grades").write_text("5")
    monkeypatch.chdir(tmp_path)
    listed = "print(json.dumps([os.getcwd(), os.listdir('.')]))"
    assert json_printed_by(listed) == [str(tmp_path), []]
    assert json_printed_by(listed, "--model=model") == [str(tmp_path), ["model"]]
    json_printed_by(program_writing_into(tmp_path))
    assert not (tmp_path / "written").exists()


@needs_sandbox
@pytest.mark.parametrize("name", ["../named", "../own/../named", "{}/named", "{}/own/../named"])
def test_what_the_command_names_is_seen(tmp_path, name):
    """A file in /tmp that the command names is visible, but no file beside it."""
    own = tmp_path / "own"
    own.mkdir()
    for file in ("named", "beside"):
        (tmp_path / file).touch()
    program = "print(json.dumps(sorted(os.listdir('..'))))"
    assert json_printed_by(program, name.format(tmp_path), cwd=str(own)) == ["named", "own"]


@needs_sandbox
@pytest.mark.parametrize("word", ["..", "../", "own/../..", "../../..", "/", "/tmp/..", "x" * 300])
def test_no_word_opens_what_is_around_the_folder(tmp_path, word):
    """No word of a command makes the folders around the bot's own folder visible."""
    own = tmp_path / "own"
    own.mkdir()
    (tmp_path / "beside").touch()
    assert json_printed_by("print(json.dumps(os.listdir('..')))", word, cwd=str(own)) == ["own"]


@needs_sandbox
def test_temporary_files_are_private(tmp_path):
    """A bot has its own /tmp, does not see the system's /tmp, and leaves no files."""
    mine = f"/tmp/{tmp_path.parent.name}-{tmp_path.name}"
    program = f"import tempfile; open({mine!r}, 'w').close()\n"
    program += f"print(json.dumps([tempfile.gettempdir(), os.path.exists({str(tmp_path)!r})]))"
    assert json_printed_by(program) == ["/tmp", False]
    assert not Path(mine).exists()


@needs_sandbox
def test_processes_are_its_own():
    """A bot sees only its own process and bubblewrap's, and no sockets of system services."""
    seen = "[sorted(int(name) for name in os.listdir('/proc') if name.isdigit()), os.getpid()]"
    pids, own = json_printed_by(f"print(json.dumps({seen}))")
    assert pids == [1, own]
    assert json_printed_by("print(json.dumps(os.listdir('/run')))") == []


@needs_sandbox
def test_games_are_played_in_the_sandbox(bot):
    """Bots in the sandbox play a whole game."""
    end = game(bot("good", sandbox=True), bot("rightmost", sandbox=True))
    assert (end.winner, end.ending) == (1, "line")


@needs_sandbox
def test_processor_time_is_the_bots_and_not_its_guardians():
    """The processor time of a bot in the sandbox is counted."""
    busy = "print(flush=True)\nfor _ in range(10**7): pass\nprint(flush=True)\ninput()"
    with BotProcess([sys.executable, "-S", "-E", "-c", busy], sandbox=SANDBOX) as process:
        os.set_blocking(process.stdout, True)
        os.read(process.stdout, 1)
        before = process.cpu_seconds()
        os.read(process.stdout, 1)
        assert process.cpu_seconds() > before


@needs_sandbox
def test_writing_outside_is_told(bot, tmp_path):
    """A bot that ends because it cannot write a file has the fault for this."""
    spec = bot("writes_outside", env={"TARGET": "/usr/target"})
    with BotProcess(spec.command, env=spec.env, sandbox=SANDBOX) as process:
        os.write(process.stdin, b"{}\n")
        code = process.wait(20)
        words = os.read(process.stderr, 1 << 16).decode()
        assert process.diagnose(code, words) == Fault.WROTE_OUTSIDE


@needs_sandbox
def test_signal_is_told_through_the_guardian(bot):
    """A bot that is killed in the sandbox has the same exit code as outside."""
    with BotProcess(bot("killed").command, sandbox=SANDBOX) as process:
        os.write(process.stdin, b"{}\n")
        assert process.wait(20) == -9


@needs_sandbox
def test_program_that_cannot_run_has_failed_to_start(bot):
    """A missing program has failed to start.

    A bot that only prints bubblewrap's message has not.
    """
    vanished = game(bot("good", command=["/no/such/program"], sandbox=True), bot("good"))
    assert (vanished.winner, vanished.fault.fault) == (2, Fault.FAILED_TO_START.value)
    assert "execvp /no/such/program: No such file or directory;" in vanished.fault.detail
    pretends = ["sh", "-c", "echo 'bwrap: execvp x: No such file or directory' >&2; exit 1"]
    pretender = game(bot("good", command=pretends, sandbox=True), bot("good"))
    assert (pretender.winner, pretender.fault.fault) == (2, Fault.EXITED.value)


@pytest.mark.linux
def test_machine_without_room_for_a_sandbox_is_nobodys_fault(bot, tmp_path, monkeypatch):
    """If bubblewrap gets no process, the game is void and may be played again."""
    install(tmp_path, "bwrap: Can't fork: Resource temporarily unavailable")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    end = game(bot("good", sandbox=True), bot("good"))
    assert (end.ending, end.fault.fault) == ("void", Fault.NO_ROOM.value)


@needs_sandbox
def test_quiet_hunger_for_memory_is_told(bot, adopting):
    """A bot that runs out of memory in the sandbox is diagnosed by its peak of memory."""
    limits = ResourceLimits(memory_mb=200)
    with BotProcess(bot("quiet_memory_hog").command, limits=limits, sandbox=SANDBOX) as process:
        os.write(process.stdin, b"{}\n")
        assert process.diagnose(process.wait(20), "") == Fault.OUT_OF_MEMORY


@needs_sandbox
@pytest.mark.parametrize("kind", ["fork_bomb", "daemon_bomb"])
def test_too_many_processes_are_seen_from_outside(bot, kind):
    """Processes in the sandbox are counted, and all of them end with the bot."""
    with BotProcess(
        bot(kind).command, limits=ResourceLimits(processes=8), sandbox=SANDBOX
    ) as process:
        os.write(process.stdin, b'{"grid":[[0]],"player":1}\n')
        os.set_blocking(process.stdout, True)
        os.read(process.stdout, 1)
        text = "it has 200 processes under it; 8 are allowed"
        assert process.excess() == (Fault.TOO_MANY_PROCESSES, text)
        ends = [os.pidfd_open(pid) for pid in descendants_of(process._child.pid)]
    assert all_ended(ends)


@needs_sandbox
def test_bot_that_ignores_the_end_is_ended_in_the_sandbox(bot):
    """A bot that ignores the end of its input ends with bubblewrap."""
    with BotProcess(bot("ignores_the_end").command, sandbox=SANDBOX) as process:
        os.write(process.stdin, b'{"grid":[[0]],"player":1}\n')
        os.set_blocking(process.stdout, True)
        os.read(process.stdout, 1)
        ends = [os.pidfd_open(pid) for pid in descendants_of(process._child.pid)]
        assert len(ends) == 2
        assert not process.stop()
    assert all_ended(ends)


def game(first: BotSpec, second: BotSpec) -> GameEnded:
    """Play one game and return its record."""
    return played(first, second, TimeControl(2000))


def install(folder: Path, complaint: str) -> None:
    """Write a ``bwrap`` that prints a complaint and fails into a folder."""
    bwrap = folder / "bwrap"
    bwrap.write_text(f'#!/bin/sh\necho "{complaint}" >&2\nexit 1')
    bwrap.chmod(0o755)


def referee(bot, *arguments: str, **settings: object) -> "subprocess.CompletedProcess[bytes]":
    """Run ``c4-referee match`` between two good bots."""
    command = " ".join(bot("good").command)
    match = [sys.executable, "-m", "c4_referee", "match", command, command, *arguments]
    return subprocess.run(match, capture_output=True, check=False, **settings)


@needs_sandbox
def test_match_in_the_sandbox(bot):
    """A match is played with --sandbox and --pin."""
    result = referee(bot, "--sandbox", "require", "--pin", "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["games"], report["forfeits"]) == (2, {})


@pytest.mark.linux
def test_sandbox_that_is_not_installed_is_a_users_mistake(bot, tmp_path):
    """Without bubblewrap, --sandbox is refused in one line that says what to do."""
    result = referee(bot, "--sandbox", "require", env={**os.environ, "PATH": str(tmp_path)})
    assert result.returncode == 2
    assert result.stderr.decode().splitlines() == [
        "c4-referee: bot '" + " ".join(bot("good").command) + "': no sandbox to run it in: "
        "bwrap is not installed; install bubblewrap and allow it user namespaces, or do without "
        "the sandbox"
    ]


@needs_sandbox
def test_program_of_the_current_folder_makes_no_sandbox(bot, tmp_path):
    """A file called bwrap is not started because the search path has an empty entry."""
    install(tmp_path, "not bubblewrap")
    env = {**os.environ, "PATH": f":.:{os.environ['PATH']}"}
    result = referee(bot, "--sandbox", "require", "--games", "1", env=env, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


@pytest.mark.linux
def test_sandbox_that_is_not_permitted_is_a_users_mistake(bot, tmp_path):
    """If bubblewrap fails, the error shows its reason."""
    install(tmp_path, "bwrap: No permissions to create new namespace")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    result = referee(bot, "--sandbox", "require", env={**os.environ, "PATH": path})
    assert result.returncode == 2
    assert b"No permissions to create new namespace; install" in result.stderr


@pytest.fixture
def automatic(monkeypatch):
    """The environment of a user who has not turned the sandbox off."""
    monkeypatch.delenv("C4_ARENA_SANDBOX")


@needs_sandbox
@pytest.mark.usefixtures("automatic")
@pytest.mark.parametrize(
    ("options", "is_sandboxed"),
    [((), True), (("--sandbox", "auto"), True), (("--no-sandbox",), False)],
)
def test_other_peoples_bots_run_in_the_sandbox_by_default(bot, options, is_sandboxed):
    """Without an option, a bot runs in the sandbox. With --no-sandbox, one line warns."""
    result = referee(bot, *options, "--json", "--no-accuracy")
    assert result.returncode == 0, result.stderr
    assert bool(json.loads(result.stdout)["protection"]["sandboxed"]) is is_sandboxed
    warning = b"Sandbox: off (--no-sandbox); bots can read and change your files"
    assert result.stderr.startswith(b"" if is_sandboxed else warning)
    assert result.stderr.count(b"\n") == (0 if is_sandboxed else 1)


@pytest.mark.linux
@pytest.mark.usefixtures("automatic")
def test_missing_sandbox_is_told(bot, tmp_path):
    """If there is no sandbox, bots run without one, and one line says why."""
    result = referee(bot, "--json", "--no-accuracy", env={**os.environ, "PATH": str(tmp_path)})
    assert result.returncode == 0, result.stderr
    assert result.stderr.decode().splitlines() == [
        "Sandbox: off, because bwrap is not installed; bots can read and change your files and use "
        "the network"
    ]


@needs_sandbox
def test_table_of_a_tournament_demands_the_sandbox(tmp_path, monkeypatch):
    """A tournament's file is for all bots; a bot's table for this bot."""
    monkeypatch.chdir(tmp_path)
    tables = '[bots.a]\ncommand = "cat"\nsandbox = true\n[bots.b]\ncommand = "cat"\n'
    found = {}
    for sandbox in ("", "sandbox = true\n", "sandbox = false\n"):
        Path("x.toml").write_text(f"{sandbox}{tables}")
        contest = read_tournament(Path("x.toml")).contest()
        found[sandbox] = [bot.sandbox for bot in contest.bots]
    assert [*found.values()] == [[True, None], [True, True], [True, False]]


@needs_sandbox
def test_check_names_a_hidden_file(tmp_path):
    """The check of a bot that fails because of a hidden file says what to set."""
    (tmp_path / "engine.py").touch()
    (tmp_path / "bot.py").write_text("import engine\n")
    check = [sys.executable, "-m", "c4_referee", "check", f"{sys.executable} bot.py"]
    result = subprocess.run(
        [*check, "--sandbox", "require"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    text = "".join(result.stdout.split())
    assert f"thesandboxhides{tmp_path}/engine.py:setfolder=" in text
