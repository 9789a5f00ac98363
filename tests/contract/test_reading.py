"""Files that other people can change are read through ``system.safe_files`` only.

Bots, students and people who pass on stored games can put a pipe, a device or an endless file in
the place of a file. Each call that opens, lists or describes a path is in ``ALLOWED``. Questions
such as ``is_file`` need no entry: they read nothing and do not wait.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

REFEREE = Path(__file__).parents[2] / "referee" / "c4_referee"
ROOMS = (
    "bots",
    "classroom",
    "contest",
    "records/formats",
    "records/storage",
    "report/site",
    "serve",
)
"""Folders of modules that touch files of other people."""
READERS = frozenset(
    {
        *("open", "open_code", "read_text", "read_bytes", "write_text", "write_bytes", "load"),
        *("FileIO", "ZipFile", "TarFile", "GzipFile", "BZ2File", "LZMAFile", "is_zipfile"),
        *("is_tarfile", "unpack_archive", "copy", "copy2", "copyfile", "copytree", "mmap"),
        *("stat", "lstat", "getsize", "getmtime", "samefile", "cmp", "fromfile", "run_path"),
        *("iterdir", "glob", "rglob", "iglob", "walk", "fwalk", "scandir", "listdir", "getline"),
    }
)
"""Names of functions that open, list or describe a path, in the standard library and in numpy."""
ALLOWED = {
    # Files of the kernel and of this package
    "bots/contain/cgroup.py": ".read_text folder.glob os.open os.walk own.glob",
    "bots/contain/mounts.py": ".glob",
    "bots/contain/process_tree.py": "open os.listdir",
    "bots/contain/sandbox.py": "os.scandir path.stat",
    "bots/contain/strays.py": "os.stat",
    "bots/contain/usage.py": ".read_text .read_bytes os.stat",
    "bots/examples.py": ".read_text",
    "bots/own.py": "prefix.glob",
    "report/site/environment.py": ".read_text",
    "classroom/submissions/scrub.py": ".iterdir",
    # Names in folders, and sizes and times of files
    "bots/bot_files.py": "os.scandir os.stat",
    "bots/contain/ignored.py": "os.scandir",
    "bots/contain/growth.py": "entry.stat os.scandir",
    "bots/contain/named.py": "folder.iterdir",
    "bots/contain/programs.py": ".glob",
    "bots/contain/stored_games.py": "os.scandir",
    "classroom/forget.py": "handed_in.glob",
    "classroom/prepare.py": "path.stat",
    "classroom/runs.py": "folder.glob",
    "classroom/submissions/handed.py": "folder.iterdir",
    "classroom/publish.py": "folder.iterdir",
    "classroom/submissions/mains.py": "folder.rglob",
    "classroom/submissions/no_program.py": "path.stat",
    "classroom/submissions/notebooks.py": "folder.rglob target.write_text",
    "classroom/submissions/similar.py": "folder.rglob path.stat",
    "classroom/submissions/start_rules.py": "folder.iterdir home.iterdir",
    "classroom/take_in.py": ".stat",
    "contest/live/follow.py": "path.stat",
    "records/storage/database.py": "journal.stat",
    "records/storage/kept.py": "folder.rglob home.iterdir path.lstat",
    "report/site/writer.py": ".iterdir",
    "serve/store.py": "folder.iterdir",
    # Archives in memory or in a file that ``safe_files`` has opened
    "bots/bot_folder.py": "entry.stat os.lstat os.walk gzip.GzipFile tarfile.open",
    "classroom/feedback_zip.py": "folder.rglob zipfile.ZipFile",
    "classroom/submissions/unpacking.py": "archive.stat folder.iterdir folder.rglob .iterdir "
    ".rglob gzip.open lzma.open packed.open tarfile.TarFile tarfile.open zipfile.ZipFile "
    "zipfile.is_zipfile",
    # New files, and copies of files that were unpacked, before any bot runs
    "classroom/submissions/compiling.py": "path.stat path.write_bytes shutil.copy2 shutil.copytree",
    "classroom/submissions/tree.py": "entry.open place.open place.stat source.lstat",
    "contest/cluster/link.py": ".open",
    # Files that are new, and a folder that only the server of a class writes
    "classroom/open/inbox.py": "inbox.glob os.listdir os.open path.open",
    # A game in memory
    "report/site/results.py": "copy.copy",
    # A descriptor that is open
    "records/storage/eventlog.py": "open path.lstat",
}
"""Calls by module, each with its variable. An entry that is not needed fails, too."""


def readers_in(text: str) -> Iterator[str]:
    """Yield the functions of ``READERS`` that a module calls or passes on, as it names them."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(attr=name) if name in READERS:
                yield ast.unparse(node) if isinstance(node.value, ast.Name) else f".{name}"
            case ast.Call(func=ast.Name(id=name)) if name in READERS:
                yield name
            case ast.ImportFrom(names=names):
                yield from (f"import {each.name}" for each in names if each.name in READERS)


def test_rooms_read_files_through_safe_files():
    """No module of these rooms opens, lists or describes a path in another way."""
    paths = [path for room in ROOMS for path in (REFEREE / room).rglob("*.py")]
    found = {
        path.relative_to(REFEREE).as_posix(): sorted({*readers_in(path.read_text("utf-8"))})
        for path in paths
    }
    allowed = {module: sorted(calls.split()) for module, calls in ALLOWED.items()}
    assert {module: calls for module, calls in found.items() if calls} == allowed


@pytest.mark.parametrize(
    "line",
    ["open(path)", "os.open(path, 0)", "path.read_text()", "Path(name).read_bytes()",
     "tomllib.load(file)", "zipfile.ZipFile(path)", "map(Path.stat, paths)", "[*folder.rglob('*')]",
     "path.iterdir()", "from os import open as opened", "shutil.copytree(a, b)"],
)  # fmt: skip
def test_call_that_reads_is_noticed(line):
    """Calls, functions that are passed on, and other names for a function are found."""
    assert [*readers_in(line)]
