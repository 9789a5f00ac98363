"""A bot that misbehaves in the way that its argument names: ``python misbehaving.py KIND``.

It imports nothing of the project, starts fast, and is used by the referee's tests. Each kind is a
function. Most of them play the leftmost free column until they misbehave. Kinds that only the check
finds are in ``sloppy.py``.
"""

import importlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path


def precepts():
    """Yield the precepts of standard input."""
    for line in sys.stdin:
        yield json.loads(line)


def leftmost(precept):
    """Return the leftmost column with room."""
    return next(x for x, column in enumerate(precept["grid"]) if column[0] == 0)


def say(text, end="\n"):
    """Write to standard output at once."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def stones(precept):
    """Return the stones of the board, as the numbers of their players."""
    return [cell for column in precept["grid"] for cell in column if cell]


def play(precept):
    """Answer with a legal move."""
    say(json.dumps({"move": leftmost(precept)}))


def always(text):
    """Return a bot that answers everything with the same text."""

    def bot():
        for _ in precepts():
            say(text)

    return bot


def good():
    """Plays without a mistake."""
    for precept in precepts():
        play(precept)


def exits_at_once():
    """Ends before it writes anything."""
    sys.stderr.write("loading...\nno such model: model.bin\n")
    sys.exit(3)


def exits_later():
    """Answers once, and ends before the next question."""
    play(next(precepts()))


def killed():
    """Is killed while it thinks."""
    next(precepts())
    os.kill(os.getpid(), signal.SIGKILL)


def silent():
    """Never answers."""
    for _ in precepts():
        time.sleep(600)


def silent_with_a_reason():
    """Says why on standard error, and never answers."""
    print("I play only chess", file=sys.stderr, flush=True)
    silent()


def falls_asleep():
    """Answers once, then never again."""
    play(next(precepts()))
    time.sleep(600)


def computes_for_ever():
    """Answers once, then computes without end."""
    play(next(precepts()))
    while True:
        pass


def floods_stderr_only():
    """Writes on standard error as fast as it can, and never answers."""
    next(precepts())
    while True:
        os.write(2, b"thinking " * 7282)


def dribbles():
    """Writes one byte at a time and never ends its line."""
    next(precepts())
    while True:
        say(" ", end="")
        say("{", end="")
        time.sleep(0.01)


def endless_line():
    """Writes one line as fast as it can."""
    next(precepts())
    while True:
        say("9" * 65536, end="")


def blank_lines():
    """Writes empty lines as fast as it can."""
    next(precepts())
    while True:
        say("\n" * 65536, end="")


def two_lines():
    """Writes two lines for each question, both in one write."""
    for precept in precepts():
        answer = json.dumps({"move": leftmost(precept)})
        say(f"{answer}\n{answer}")
        time.sleep(0.05)


def banner():
    """Writes a greeting before the first question."""
    say("Connect Four bot 1.0")
    good()


def closes_stdout():
    """Closes its standard output and runs on."""
    next(precepts())
    os.close(1)
    time.sleep(600)


def closes_stdin():
    """Closes its standard input after one question, answers it and runs on."""
    precept = next(precepts())
    os.close(0)
    play(precept)
    time.sleep(600)


def floods_stderr():
    """Plays well, and writes a megabyte on standard error for every move."""
    for precept in precepts():
        for _ in range(16):
            os.write(2, b"thinking " * 7282)
        play(precept)


def ignores_the_end():
    """Ignores the end of its input, and SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    good()
    while True:
        time.sleep(600)


def has_children():
    """Starts a child that outlives the game, and writes its process number into the file PIDS."""
    child = subprocess.Popen(["sleep", "600"])
    with Path(os.environ["PIDS"]).open("a", encoding="ascii") as pids:
        pids.write(f"{child.pid}\n")
    good()


def leaves_daemons():
    """Starts children that leave its session, one of them orphaned, and ends with the game."""
    daemon = "import os, time; os.setsid(); time.sleep(600)"
    orphan = f"import os; os.fork() and os._exit(0); {daemon}"
    for program in (daemon, orphan):
        subprocess.Popen([sys.executable, "-S", "-E", "-c", program], stdout=2)
    good()


def exits_under_a_daemon():
    """Ends, while a daemon that it has started keeps its pipes open."""
    next(precepts())
    subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", "import os, time; os.setsid(); time.sleep(600)"]
    )
    os._exit(7)


def writes_escapes():
    """Ends, and its last line on standard error would clear the terminal."""
    next(precepts())
    sys.stderr.write("\x1b[2Jgoodbye\n")
    sys.exit(1)


def exits_talking():
    """Closes its output, writes a lot on standard error, then ends."""
    next(precepts())
    os.close(1)
    os.write(2, b"so long\n" * 20_000)
    os._exit(7)


def answers_then_exits():
    """Writes an answer and is killed right after it."""
    play(next(precepts()))
    os.kill(os.getpid(), signal.SIGKILL)


def ponders():
    """Answers at once and computes while it waits. Writes its processor time before each answer."""
    while True:
        while not select.select([0], [], [], 0)[0]:
            pass
        line = sys.stdin.buffer.raw.readline()
        if not line:
            return
        sys.stderr.write(f"{time.process_time()}\n")
        play(json.loads(line))


def ponders_in_children():
    """Lets processes compute while it waits. At the end, writes their processor time."""
    children = []
    for _ in range(int([*sys.argv, "4"][2])):
        if (child := os.fork()) == 0:
            os.setsid()
            while True:
                pass
        children.append(child)
    for precept in precepts():
        send(signal.SIGSTOP, children)
        play(precept)
        send(signal.SIGCONT, children)
    send(signal.SIGKILL, children)
    for child in children:
        os.waitpid(child, 0)
    sys.stderr.write(f"{os.times().children_user}\n")


def send(number, children):
    """Send a signal to processes."""
    for child in children:
        os.kill(child, number)


def tidies_up():
    """Uses a processor for 15 ms after each answer, as the collector of a language does."""
    for precept in precepts():
        play(precept)
        until = time.process_time() + 0.015
        while time.process_time() < until:
            pass


def computes():
    """Computes for 30 ms before each answer."""
    for precept in precepts():
        until = time.process_time() + 0.03
        while time.process_time() < until:
            pass
        play(precept)


def hoards_while_waiting():
    """Takes 240 MiB of memory in four processes when it has answered."""
    play(next(precepts()))
    for _ in range(4):
        if not os.fork():
            hoard = bytes([1]) * (60 << 20)
            time.sleep(600 + len(hoard) % 2)
    time.sleep(600)


def thinks_slowly():
    """Takes a tenth of a second for every move."""
    for precept in precepts():
        time.sleep(0.1)
        play(precept)


def says_goodbye():
    """Writes much on standard error after its input has ended."""
    good()
    time.sleep(0.1)
    os.write(2, b"it was a pleasure\n" * 10_000)
    os.write(2, b"goodbye\n")


def holds_a_lock():
    """Refuses to start while another bot of this kind runs, and ends slowly."""
    lock = Path(os.environ["TARGET"])
    lock.touch(exist_ok=False)
    good()
    time.sleep(0.1)
    lock.unlink()


def starts_slowly():
    """Sleeps before it reads anything, then plays without a mistake."""
    time.sleep(0.6)
    good()


def stubborn_cheat():
    """Answers with an illegal move at once, and ignores SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in precepts():
        say('{"move":99}')
    while True:
        time.sleep(600)


def rightmost():
    """Plays the rightmost free column, without a look at wins or threats."""
    for precept in precepts():
        free = [x for x, column in enumerate(precept["grid"]) if column[0] == 0]
        say(json.dumps({"move": free[-1]}))


def hoards():
    """Take all available memory."""
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))


def memory_hog():
    """Uses more memory than it may, and ends with an error."""
    next(precepts())
    hoards()


def quiet_memory_hog():
    """Uses more memory than it may, and aborts without an error message."""
    next(precepts())
    try:
        hoards()
    except MemoryError:
        os.abort()


def fork_bomb():
    """Starts 200 child processes, and plays on."""
    for _ in range(200):
        if os.fork() == 0:
            os.close(1)
            time.sleep(600)
            os._exit(0)
    good()


def daemon_bomb():
    """Starts 200 daemons (processes in sessions of their own), and plays on."""
    for _ in range(200):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.close(1)
                time.sleep(600)
            os._exit(0)
        os.wait()
    good()


def cannot_fork():
    """Starts a child as a user who may have only one process."""
    next(precepts())
    if os.getuid() == 0:
        os.setuid(65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    os.fork()


def huge_file():
    """Writes a file that is larger than it may be."""
    next(precepts())
    with Path(os.environ["TARGET"]).open("wb", buffering=0) as target:
        target.writelines(bytes(1 << 20) for _ in range(100))


def huge_file_in_c():
    """Writes a file that is too large, like a C program that a signal then ends."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    huge_file()


def writes_outside():
    """Writes the file TARGET."""
    next(precepts())
    Path(os.environ["TARGET"]).write_text("was here\n", encoding="ascii")
    good()


def kills_its_worker():
    """Kills the process that has started it."""
    next(precepts())
    os.kill(os.getppid(), signal.SIGKILL)


KINDS = {
    "full_column": always('{"move":0}'),
    "column_7": always('{"move":7}'),
    "column_minus_1": always('{"move":-1}'),
    "half_a_column": always('{"move":3.5}'),
    "column_text": always('{"move":"3"}'),
    "column_null": always('{"move":null}'),
    "column_true": always('{"move":true}'),
    "column_list": always('{"move":[3]}'),
    "cell": always('{"move":[3,5]}'),
    "no_move": always('{"column":3}'),
    "bare_number": always("3"),
    "prose": always("I play in the middle"),
    "cut_off": always('{"move":'),
    "not_utf8": always('{"move":3,"info":"\udcff"}'),
}

if __name__ == "__main__":
    sys.stdout.reconfigure(errors="surrogateescape")
    kind = sys.argv[1]
    bot = {**globals(), **KINDS}.get(kind) or getattr(importlib.import_module("sloppy"), kind)
    bot()
