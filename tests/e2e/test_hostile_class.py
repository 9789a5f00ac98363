"""Submissions that are made to hold up a class cost no more than their own limits."""

import io
import json
import subprocess
import tarfile
import zipfile

import pytest
from classes import SIMPLE
from commands import SCRIPTS
from views import needs_sandbox

# On a busy machine, the limits that are short here stop good submissions, too.
pytestmark = [pytest.mark.weekly, needs_sandbox]

SETTINGS = """\
time_ms = 200
minutes = 0.1
analysis_seconds = 0
compile_seconds = 2
check_seconds = 15
"""
SLOW_START = (
    "import time\ntime.sleep(9)\nimport sys\nfor line in sys.stdin: print('{\"move\": 0}')\n"
)
QUADRATIC = f'{SIMPLE}\n"""' + '\\"""' * 50_000 + "\\"
HOLES = "bot:\n\tfor i in $$(seq 2000); do truncate -s 250M h$$i; done; cp /bin/true bot\n"


def nested() -> bytes:
    """Return a small archive of archives with large files below ``.git``."""
    inner, outer = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w:gz") as archive:
        info = tarfile.TarInfo(".git/zeros")
        info.size = 63 << 20
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(200):
            archive.writestr(f"{number}.tgz", inner.getvalue())
    return outer.getvalue()


HOSTILE = {
    "nested": ("bot.zip", nested(), "unpacks to more than 64 MB"),
    "make": ("Makefile", b"bot:\n\tsleep 1000\n", "it ran for more than 2 s"),
    "holes": ("Makefile", HOLES.encode(), "no regular file, or too large"),
    "command": ("bot.toml", b'command = "' + b"x " * (1 << 20) + b'"', "larger than 16 KiB"),
    "text": ("bot.py", QUADRATIC.encode(), ""),
    "main": ("package.json", b'{"main": "a\\u0000b"}', "names no program"),
    "line\nbreak": ("Makefile", b"bot:\n\tfalse\n", "does not compile"),
    "start": ("bot.py", SLOW_START.encode(), "its check took more than 15 s"),
}
"""Submissions by student: a file, its content, and what the student is told."""


def test_hostile_submissions_do_not_hold_up_a_class(tmp_path):
    """Each is told why it is not ready, and the good ones play."""
    download, root = tmp_path / "download", tmp_path / "class"
    root.mkdir()
    (root / "class.toml").write_text(SETTINGS, encoding="utf-8")
    good = {f"good {n}": ("bot.py", f"{SIMPLE}\n# {n}\n".encode(), "") for n in range(3)}
    for name, (file, content, _) in (good | HOSTILE).items():
        (download / name).mkdir(parents=True)
        (download / name / file).write_bytes(content)
    command = [SCRIPTS / "c4-referee", "class", download, "--out", root, "--json"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    students = {each["name"]: each for each in json.loads(done.stdout)["students"]}
    assert all(students[name]["status"] == "ready" for name in good)
    for name, (_, _, told) in HOSTILE.items():
        assert told in students[name]["reason"], name
