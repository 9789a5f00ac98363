"""A bot that attacks the referee, its opponent or the machine: ``python attacks.py KIND``.

Each kind is a function, which is called after the first question. It returns what it achieved, or
raises an error. The bot writes this to standard error, and then plays the leftmost free column. The
variable TARGETS has the names of what can be attacked, as JSON.

Without a sandbox, kinds in ``DANGEROUS`` would harm the machine of the test. The success of kinds
in ``OF_ROOT`` depends on the user, and of those in ``OF_KERNEL`` on what the kernel has. Kinds in
``SLOW`` need more time on a busy disk than others.
"""

import ctypes
import json
import mmap
import os
import resource
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

MB = 1 << 20
NEW_USER = 0x10000000
TARGETS = json.loads(os.environ.get("TARGETS", "{}"))
libc = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    """Call a function of the C library, and raise its error."""
    result = function(*arguments)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def worker():
    """Return the process that started this bot. In the sandbox, it does not exist."""
    if os.getppid() <= 1:
        raise ProcessLookupError(3, "No such process")
    return os.getppid()


def siblings():
    """Return the other bots of the worker."""
    folder = Path(f"/proc/{worker()}/task/{worker()}/children")
    found = {int(pid) for pid in folder.read_text(encoding="ascii").split()} - {os.getpid()}
    if not found:
        raise ProcessLookupError(3, "No such process")
    return found


# Results


def writes_to_the_output_of_the_worker():
    """Writes a forged victory to the standard output of its worker."""
    Path(f"/proc/{worker()}/fd/1").write_text('{"event":"game_ended"}\n', encoding="ascii")
    return "nobody reads it"


def opens_the_descriptors_of_the_worker():
    """Opens the descriptors of its worker, to write forged results to the referee."""
    folder = Path(f"/proc/{worker()}/fd")
    opened = [os.open(folder / name, os.O_WRONLY) for name in os.listdir(folder)]
    return f"opens {len(opened)}"


def takes_the_socket_of_the_worker():
    """Copies the worker's connection to the referee with pidfd_getfd."""
    pidfd = os.pidfd_open(worker())
    taken = [number for number in range(3, 64) if libc.syscall(438, pidfd, number, 0) != -1]
    if not taken:
        raise PermissionError(1, "Operation not permitted")
    return "takes it"


def reads_the_memory_of_the_worker():
    """Reads the memory of its worker, to find the token of the game."""
    with open(f"/proc/{worker()}/mem", "rb"):
        return "opens it"


def traces_the_worker():
    """Attaches to its worker as a debugger does (ptrace)."""
    call(libc.ptrace, 16, worker(), 0, 0)
    return "controls it"


def inherits_descriptors():
    """Looks for open descriptors that it inherited."""
    names = [name for name in os.listdir("/proc/self/fd") if int(name) > 2]
    found = [name for name in names if os.path.exists(f"/proc/self/fd/{name}")]
    return f"finds {len(found)}" if found else "finds none"


# Processes


def kills_the_worker():
    """Kills its worker, once."""
    once()
    os.kill(worker(), signal.SIGKILL)
    return "kills it"


def halts_the_worker():
    """Halts its worker with SIGSTOP, once."""
    once()
    os.kill(worker(), signal.SIGSTOP)
    return "halts it"


def kills_the_referee():
    """Kills the referee, once."""
    stat = Path(f"/proc/{worker()}/stat").read_text(encoding="ascii")
    once()
    os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
    return "kills it"


def kills_its_opponent():
    """Kills its opponent."""
    for pid in siblings():
        os.kill(pid, signal.SIGKILL)
    return "kills it"


def halts_its_opponent():
    """Halts its opponent with SIGSTOP."""
    for pid in siblings():
        os.kill(pid, signal.SIGSTOP)
    return "halts it"


def traces_its_opponent():
    """Attaches to its opponent as a debugger does (ptrace)."""
    for pid in siblings():
        call(libc.ptrace, 16, pid, 0, 0)
    return "controls it"


def sees_processes():
    """Lists the processes of the machine."""
    own = {1, os.getpid(), *([] if os.getppid() == 0 else [os.getppid()])}
    others = {int(name) for name in os.listdir("/proc") if name.isdigit()} - own
    return "sees those of others" if others else "sees only its own"


def leaves_a_daemon():
    """Starts a daemon: a process in a session of its own whose parent has ended."""
    daemon(dict(os.environ))
    return "starts one"


def leaves_an_unmarked_daemon():
    """Starts a daemon with an empty environment, so that the mark of the referee is erased."""
    daemon({})
    return "starts one"


def daemon(env):
    """Start a process that outlives this one. Its command line holds the mark of the test."""
    if not os.fork():
        os.setsid()
        if not os.fork():
            for number in range(3):
                os.close(number)
            program = "import time; time.sleep(300)"
            words = [sys.executable, "-S", "-E", "-c", program, TARGETS["mark"]]
            os.execve(sys.executable, words, env)
        os._exit(0)
    os.wait()


def starts_processes_as_its_opponent():
    """Starts 70 daemons with the environment of its opponent."""
    (sibling,) = siblings()
    entries = Path(f"/proc/{sibling}/environ").read_bytes().split(b"\0")
    env = dict(entry.split(b"=", 1) for entry in entries if b"=" in entry)
    for _ in range(70):
        daemon(env)
    time.sleep(0.5)  # the referee counts ten times per second
    return "starts them"


def halts_the_worker_for_a_while():
    """Halts its worker for two seconds, to think meanwhile."""
    once()
    stopped = worker()
    os.kill(stopped, signal.SIGSTOP)
    time.sleep(2)
    os.kill(stopped, signal.SIGCONT)
    return "halts it"


def computes_in_the_turns_of_its_opponent():
    """Lets 15 processes compute in the turns of its opponent."""
    for _ in range(15):
        if not os.fork():
            os.setsid()
            while True:
                pass
    return "starts them"


def traces_the_first_process():
    """Attaches to the first process of its sandbox (ptrace), so that it survives the referee."""
    call(libc.ptrace, 16, 1, 0, 0)
    return "controls it"


def writes_to_the_memory_of_the_first_process():
    """Writes to the memory of the first process of its sandbox (process_vm_writev)."""
    number = {"x86_64": 311, "aarch64": 271}[os.uname().machine]
    own = ctypes.create_string_buffer(16)
    parts = (ctypes.c_size_t * 2)(ctypes.addressof(own), 0)
    call(libc.syscall, number, 1, parts, 1, parts, 1, 0)
    return "writes to it"


def opens_the_memory_of_the_first_process():
    """Opens the memory of the first process of its sandbox (/proc/1/mem)."""
    with open("/proc/1/mem", "rb"):
        return "opens it"


def raises_its_priority():
    """Gives itself a higher priority than other processes."""
    os.setpriority(os.PRIO_PROCESS, 0, -10)
    return "has it"


def raises_its_limits():
    """Raises its limits of memory and open files again."""
    for kind in (resource.RLIMIT_DATA, resource.RLIMIT_NOFILE):
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "raises them"


def kills_everything():
    """Kills all processes that it may kill: kill -9 -1."""
    os.kill(-1, signal.SIGKILL)
    return "kills what it sees"


# Files


def reads_a_secret():
    """Reads a file in the user's home folder."""
    return f"reads '{Path(TARGETS['secret']).read_text(encoding='ascii')}'"


def names_a_folder_of_the_user():
    """Names a program of the user in its first line, and reads a file beside it in the next run."""
    own, count = Path(__file__), Path("count")
    games = int(count.read_text(encoding="ascii")) if count.exists() else 0
    count.write_text(str(games + 1), encoding="ascii")
    if games == 0:
        text = own.read_text(encoding="ascii")
        own.write_text(f"#!/usr/bin/env {TARGETS['tool']}\n{text}", encoding="ascii")
        own.chmod(0o755)
    if games < 2:  # two games are a run
        return "nothing"
    secret = Path(TARGETS["tool"]).parent.parent / "secret"
    return f"reads '{secret.read_text(encoding='ascii')}'"


def reads_passwords():
    """Reads /etc/shadow."""
    return f"reads {bool(Path('/etc/shadow').read_text())}"


def reads_a_disk():
    """Reads a disk of the machine."""
    names = [name for name in os.listdir("/dev") if name.startswith(("vd", "sd", "nvme"))]
    if not names:
        raise FileNotFoundError(2, "No such file or directory")
    with open(f"/dev/{min(names)}", "rb") as disk:
        return f"reads {len(disk.read(1))} byte"


def goes_through_the_root_of_another_process():
    """Reads a file of the user through /proc/PID/root of the first process."""
    path = Path(f"/proc/1/root{TARGETS['secret']}")
    return f"reads '{path.read_text(encoding='ascii')}'"


def reads_its_opponent():
    """Reads the program of its opponent."""
    return f"reads {Path(TARGETS['opponent']).stat().st_size > 0 and 'it'}"


def rewrites_its_opponent():
    """Appends a line to the program of its opponent."""
    with open(TARGETS["opponent"], "a", encoding="ascii") as file:
        file.write("\n")
    return "writes to it"


def rewrites_itself():
    """Appends a line to its own program."""
    with open(__file__, "a", encoding="ascii") as file:
        file.write("\n")
    return "writes to it"


def reads_stored_games():
    """Reads the database of the contest."""
    return f"reads {bool(Path(TARGETS['database']).read_bytes()) and 'it'}"


def forges_a_stored_game():
    """Writes a line of its own into games.jsonl."""
    with open(TARGETS["games"], "ab") as file:
        file.write(b'{"winner":1}\n')
    return "writes it"


def links_to_a_file_of_the_user():
    """Replaces games.jsonl by a link to a file of the user."""
    Path(TARGETS["games"]).unlink()
    Path(TARGETS["games"]).symlink_to(TARGETS["secret"])
    return "makes the link"


def puts_a_pipe_in_the_place_of_stored_games():
    """Replaces games.jsonl by a pipe that nobody reads."""
    Path(TARGETS["games"]).unlink()
    os.mkfifo(TARGETS["games"])
    return "makes the pipe"


def changes_a_stored_result():
    """Changes the winner of a stored game in the database."""
    once()
    with closing(sqlite3.connect(TARGETS["database"], timeout=5)) as base, base:
        text = "UPDATE results SET record = replace(record, 'winner\":', 'winner\":1')"
        base.execute("CREATE TRIGGER forged AFTER INSERT ON results BEGIN " + text + "; END")
    return "changes it"


def makes_the_database_endless():
    """Adds a trigger to the database of the contest that never ends."""
    once()
    endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x FROM t) SELECT x FROM t"
    with closing(sqlite3.connect(TARGETS["database"], timeout=5)) as base, base:
        base.execute(f"CREATE VIEW endless AS {endless}")
        base.execute(
            "CREATE TRIGGER late AFTER INSERT ON results BEGIN SELECT count(*) FROM endless; END"
        )
    return "adds it"


def writes_into_the_home_folder():
    """Writes a file into the user's home folder."""
    path = Path(TARGETS["secret"]).parent / "planted"
    path.write_text("x", encoding="ascii")
    return "writes it"


def writes_into_the_system():
    """Writes a file into /usr/bin."""
    path = Path(f"/usr/bin/{TARGETS['mark']}")
    path.write_text("x", encoding="ascii")
    path.unlink()
    return "writes it"


def changes_a_setting_of_the_kernel():
    """Changes a setting of the kernel in /proc/sys."""
    path = Path("/proc/sys/kernel/core_pattern")
    path.write_text(path.read_text(encoding="ascii"), encoding="ascii")
    return "changes it"


def changes_the_mode_of_a_device():
    """Changes the mode of /dev/null (to the mode that it has, in this test)."""
    os.chmod("/dev/null", stat.S_IMODE(os.stat("/dev/null").st_mode))
    return "changes it"


def finds_secrets_in_its_environment():
    """Reads a variable of the referee's environment."""
    return f"reads '{os.environ['SECRET']}'" if "SECRET" in os.environ else "there is none"


# The network and other ways to the outside


def connects_to_a_server():
    """Connects to a server on this machine."""
    with socket.create_connection(("127.0.0.1", TARGETS["port"]), 1):
        return "is connected"


def connects_to_an_abstract_socket():
    """Connects to a socket of another program that has no file (abstract)."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"\0{TARGETS['abstract']}")
        return "is connected"


def connects_to_a_socket_file():
    """Connects to a socket of another program in the file system."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(TARGETS["socket"])
        return "is connected"


def makes_a_socket_of_virtual_machines():
    """Makes a socket to the host of this virtual machine (vsock)."""
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()
    return "makes it"


def reads_the_environment_of_the_worker():
    """Reads the environment of its worker."""
    with open(f"/proc/{worker()}/environ", "rb") as file:
        return f"reads {file.read(1) and 'it'}"


def mounts_a_folder():
    """Mounts a file system over its folder."""
    call(libc.mount, b"none", b".", b"tmpfs", 0, None)
    return "mounts it"


def joins_the_namespaces_of_the_worker():
    """Joins the network of its worker (setns)."""
    call(libc.setns, os.open(f"/proc/{worker()}/ns/net", os.O_RDONLY), 0)
    return "joins it"


def makes_a_user_namespace():
    """Makes a namespace of its own, in which it is root."""
    call(libc.unshare, NEW_USER)
    return "makes one"


def uses_keyrings():
    """Stores a key in the user's keyring."""
    call(libc.syscall, 248, b"user", TARGETS["mark"].encode(), b"x", 1, -5)
    return "stores it"


def uses_io_uring():
    """Makes a ring of io_uring, which does system calls for it."""
    call(libc.syscall, 425, 4, ctypes.create_string_buffer(120))
    return "makes one"


def opens_the_terminal():
    """Opens the terminal of the user, to type commands into it."""
    with open("/dev/tty", "w", encoding="ascii"):
        return "opens it"


# Resources


def starts_threads():
    """Starts 300 threads."""
    threading.stack_size(64 * 1024)
    for _ in range(300):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    time.sleep(60)


def starts_processes():
    """Starts 200 processes."""
    for _ in range(200):
        subprocess.Popen(["sleep", "60"])
    time.sleep(60)


def fills_memory():
    """Takes 500 MiB of memory."""
    kept = [bytes([1]) * MB for _ in range(500)]
    time.sleep(60 + len(kept))


def fills_memory_in_the_turn_of_its_opponent():
    """Takes 500 MiB of memory in five processes, in the turn of its opponent."""
    threading.Timer(0.05, fills_memory_in_children).start()
    return "starts them"


def starts_processes_and_keeps_writing():
    """Starts 200 processes, and writes a byte on standard error every 40 ms."""
    for _ in range(200):
        subprocess.Popen(["sleep", "60"])
        os.write(2, b"\n")
        time.sleep(0.04)


def fills_memory_in_children():
    """Takes 500 MiB of memory in five processes."""
    for _ in range(5):
        if not os.fork():
            fill(mmap.mmap(-1, 80 * MB))
            time.sleep(60)
    time.sleep(60)


def shares_memory():
    """Takes 500 MiB of memory that it could share with children."""
    fill(mmap.mmap(-1, 500 * MB))
    time.sleep(60)


def fills_files_without_names():
    """Takes 500 MiB of memory in files without names (memfd)."""
    kept = [os.memfd_create("x") for _ in range(20)]
    for number in kept:
        for _ in range(25):
            os.write(number, bytes(MB))
    time.sleep(60)


def fills_shared_memory():
    """Writes 500 MiB into /dev/shm, and keeps the files open."""
    kept = []
    try:
        for number in range(20):
            kept.append(open(f"/dev/shm/{TARGETS['mark']}-{number}", "wb"))
            os.unlink(kept[-1].name)
            kept[-1].write(bytes(25 * MB))
            kept[-1].flush()
    finally:
        time.sleep(0.5)  # the referee measures ten times per second
    time.sleep(60)


def makes_empty_files_in_memory():
    """Makes 100,000 empty files in /dev/shm, which take 100 MiB of memory of the kernel."""
    Path("/dev/shm", TARGETS["mark"]).mkdir(exist_ok=True)
    for number in range(100_000):
        os.mknod(f"/dev/shm/{TARGETS['mark']}/{os.getpid()}-{number}")
    time.sleep(5)  # the referee measures ten times per second
    return "has them"


def makes_segments():
    """Takes 500 MiB of memory of System V, which belongs to no process."""
    segment = call(libc.shmget, 0, 500 * MB, 0o1600)
    libc.shmctl(segment, 0, None)
    return "has it"


def writes_a_huge_file():
    """Writes a file of 200 MiB into its folder."""
    with open("huge", "wb", buffering=0) as file:
        file.writelines(bytes(MB) for _ in range(200))
    return "writes it"


def writes_many_files():
    """Writes 200 files of 1 MiB into its folder."""
    for _ in range(200):
        Path(f"file-{os.urandom(8).hex()}").write_bytes(bytes(MB))
    os.sync()
    time.sleep(60)


def makes_empty_files():
    """Makes 50,000 empty files in its folder."""
    for _ in range(50_000):
        os.mknod(f"{time.monotonic_ns()}")
    time.sleep(5)
    return "has them"


def fill(memory):
    """Write into each page of some memory."""
    for start in range(0, len(memory), mmap.PAGESIZE):
        memory[start] = 1


class MadeBeforeError(Exception):
    """Error for an attack that is made only once."""


def once():
    """End this attack if it was made before."""
    try:
        os.close(os.open("attacked", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        raise MadeBeforeError from None


OF_SLOW_GAMES = {
    "computes_in_the_turns_of_its_opponent",
    "fills_memory_in_the_turn_of_its_opponent",
}
"""Attacks on an opponent that takes a tenth of a second for each move."""
DANGEROUS = {"kills_everything"}
SLOW = {"makes_empty_files", "makes_empty_files_in_memory"}
OF_KERNEL = {"makes_a_socket_of_virtual_machines"}
OF_ROOT = {
    "reads_passwords",
    "reads_a_disk",
    "goes_through_the_root_of_another_process",
    "writes_into_the_system",
    "changes_a_setting_of_the_kernel",
    "changes_the_mode_of_a_device",
    "traces_the_first_process",
    "writes_to_the_memory_of_the_first_process",
    "opens_the_memory_of_the_first_process",
}
HELPERS = {"call", "worker", "siblings", "daemon", "fill", "once", "main", "MadeBeforeError"}
KINDS = {
    name: value
    for name, value in globals().items()
    if callable(value) and getattr(value, "__module__", "") == __name__ and name not in HELPERS
}


def main(kind):
    """Attack after the first question, and then play legal moves."""
    for number, line in enumerate(sys.stdin):
        precept = json.loads(line)
        if number == 0:
            try:
                outcome = KINDS[kind]()
            except MadeBeforeError:
                outcome = "nothing"
            except (OSError, ValueError, RuntimeError, sqlite3.Error) as error:
                outcome = f"fails: {getattr(error, 'strerror', None) or error}"
            print(f"ATTACK {outcome}", file=sys.stderr, flush=True)
        column = next(x for x, column in enumerate(precept["grid"]) if column[0] == 0)
        print(json.dumps({"move": column}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
