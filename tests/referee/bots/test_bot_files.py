"""A bot that changes its files is noticed, and a bot that only runs is not."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from c4_protocol.rules.variant import Variant
from c4_referee.bots import bot_files as files
from c4_referee.bots.bot_files import FileWatch, changes_in_words, entries_in, states_of
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.faults import Fault, Policy
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.contest.play.jobs import WorkerSettings

REWRITER = """
import json, sys
from pathlib import Path
changes = json.loads(sys.argv[1])
for line in sys.stdin:
    free = [x for x, column in enumerate(json.loads(line)["grid"]) if not column[0]]
    print(json.dumps({"move": free[0]}), flush=True)
own, count = Path(__file__), Path("count")
game = int(count.read_text()) if count.exists() else 1
count.write_text(str(game + 1))
if game in changes:
    own.write_text(own.read_text().replace("=", "=", 1) + f"# {game}\\n")
"""
"""A bot that changes its program at the end of some games. It counts its games in a file."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a program, an inner folder and a cache."""
    (tmp_path / "data").mkdir()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "bot.py").write_bytes(b"one")
    (tmp_path / "data" / "weights").write_bytes(b"1,2,3")
    return tmp_path


def watch(folder: Path) -> FileWatch:
    """Return a watch of a bot whose files are in a folder."""
    bot = BotSpec(name="a", command=("cat", "bot.py"), folder=str(folder))
    return FileWatch(bot, states_of(bot))


def rewrite(path: Path, content: bytes) -> None:
    """Write a file, with times that differ from those of a file that was written before."""
    later = path.stat().st_mtime_ns + 10**9 if path.exists() else 0
    path.write_bytes(content)
    if later:
        os.utime(path, ns=(later, later))


CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "nothing": (lambda _: None, []),
    "same content": (lambda path: rewrite(path / "bot.py", b"one"), []),
    "touched": (lambda path: os.utime(path / "bot.py", (1, 1)), []),
    "cache": (lambda path: (path / "__pycache__" / "bot.pyc").write_bytes(b"x"), []),
    "empty folder": (lambda path: (path / "new").mkdir(), ["new"]),
    "program": (lambda path: (path / "bot.py").chmod(0o755), ["bot.py"]),
    "same size": (lambda path: rewrite(path / "bot.py", b"two"), ["bot.py"]),
    "other size": (lambda path: rewrite(path / "bot.py", b"three"), ["bot.py"]),
    "inner file": (lambda path: rewrite(path / "data" / "weights", b"4"), ["data/weights"]),
    "new file": (lambda path: (path / "data" / "new").write_bytes(b""), ["data/new"]),
    "removed file": (lambda path: (path / "data" / "weights").unlink(), ["data/weights"]),
    "link": (lambda path: (path / ".git").symlink_to("data"), [".git"]),
    "pipe": (
        lambda path: ((path / "bot.py").unlink(), os.mkfifo(path / "bot.py")), ["bot.py"],
    ),
    "strange name": (
        lambda path: Path(os.fsdecode(bytes(path) + b"/\xff\x1b[2J")).write_bytes(b"x"),
        ["\\\\udcff\\x1b[2J"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), CHANGES.values(), ids=CHANGES)
def test_changes_of_content_are_found(folder, monkeypatch, change, expected):
    """A file whose content differs is found once. Times alone and caches do not count."""
    monkeypatch.setattr(files, "MIN_WALK_SECONDS", 0.0)
    monkeypatch.setattr(files, "MAX_WALK_SHARE", float("inf"))
    watched = watch(folder)
    change(folder)
    bot = BotSpec(name="a", command=("cat", "bot.py"), folder=str(folder))
    assert [changes_in_words([path], bot) for path in watched.find_changes()] == expected
    assert watched.find_changes() == []


def test_change_back_is_another_change(folder):
    """After a change, the new content is what later content is compared with."""
    watched = watch(folder)
    for content in (b"two", b"one"):
        rewrite(folder / "bot.py", content)
        assert watched.find_changes() == [str(folder / "bot.py")]


def test_link_out_of_the_folder_is_not_followed(folder):
    """A new target is a change, whether it exists or not, and a change of the target is none."""
    secret, link = folder.parent / "secret", folder / "bot.py"
    secret.write_bytes(b"one")
    watched = watch(folder)
    for target in (secret, folder.parent / "missing", secret):
        link.unlink()
        link.symlink_to(target)
        assert watched.find_changes() == [str(link)]
    rewrite(secret, b"two")
    assert watched.find_changes() == []


def test_folder_is_not_read_at_every_start(folder):
    """Files that the command names are always compared, others in the folder only sometimes."""
    watched = watch(folder)
    assert watched.find_changes() == []
    rewrite(folder / "data" / "weights", b"4,5,6")
    assert watched.find_changes() == []
    rewrite(folder / "bot.py", b"two")
    assert watched.find_changes() == [str(folder / "bot.py")]


def test_file_that_is_too_large_to_read_counts_as_changed(folder, monkeypatch):
    """Beyond a number of bytes, contents are not compared, so a bot cannot delay the contest."""
    monkeypatch.setattr(files, "MAX_READ_BYTES", 2)
    watched = watch(folder)
    assert watched.find_changes() == []
    rewrite(folder / "bot.py", b"one")
    assert watched.find_changes() == [str(folder / "bot.py")]


@pytest.mark.timeout(300)
def test_file_that_becomes_a_pipe_while_it_is_read_does_not_block(tmp_path):
    """A bot may replace a file by a pipe after its status was read."""
    os.mkfifo(tmp_path / "pipe")
    assert not files._digest_of_content(str(tmp_path / "pipe"), "status of a file", 5)


def test_description_names_the_first_files():
    """A description is short and printable, however many files changed."""
    bot = BotSpec(name="a", command=("cat",), folder="some/folder/")
    paths = ["some/folder/a", "/else/b", "some/folder/" + "c" * 500, "d", "e"]
    assert changes_in_words(paths, bot) == f"a, /else/b, ...{'c' * 60}, 2 more"


def test_deep_folders_are_read(tmp_path):
    """Folders that are nested deeper than Python's recursion limit are read."""
    nest = "for i in $(seq 1200); do mkdir a; cd a; done"
    subprocess.run(["sh", "-c", nest], cwd=tmp_path, check=True)
    try:
        assert len([*entries_in(tmp_path)]) == 1200
    finally:  # pytest cannot remove it
        subprocess.run(["rm", "-rf", "a"], cwd=tmp_path, check=True)


def test_states_survive_the_way_to_a_worker(folder):
    """Workers receive the states of the files, whatever the names of the files are."""
    Path(os.fsdecode(bytes(folder) + b"/\xff")).write_bytes(b"x")
    bot = BotSpec(name="a", command=("cat", "bot.py"), folder=str(folder))
    settings = WorkerSettings(Variant(7, 6), (bot,), (TimeControl(),), files=(states_of(bot),))
    read = WorkerSettings.from_line(settings.to_line())
    assert read.files == settings.files
    assert FileWatch(bot, dict(read.files[0])).find_changes() == []


@pytest.mark.parametrize(("changes", "noted"), [([], []), ([1, 2, 4], [2, 3])])
def test_bot_that_rewrites_itself_is_noted_and_keeps_its_results(tmp_path, bot, changes, noted):
    """The game in which a changed bot was started has a note. The last change is found at the end.

    The file in which it counts its games is not its own: its command does not name it.
    """
    (tmp_path / "rewriter.py").write_text(REWRITER, encoding="utf-8")
    command = (sys.executable, "-S", "-E", "rewriter.py", orjson.dumps(changes).decode())
    rewriter = BotSpec(name="rewriter", command=command, cwd=str(tmp_path))
    control = TimeControl(move_ms=5000.0)
    contest = Contest.match(rewriter, bot("good"), 4, variant=Variant.parse("4x4"), control=control)
    outcome = contest.play()
    assert [game.game for game in outcome.games if game.notes] == noted
    for note in (note for game in outcome.games for note in game.notes):
        assert (note.bot, note.fault) == ("rewriter", Fault.CHANGED_FILES.value)
        assert (note.policy, note.detail) == (Policy.NOTE.value, "rewriter.py")
    assert all(game.fault is None for game in outcome.games)
    found = {"rewriter": "rewriter.py"} if changes else {}
    assert outcome.incidents.changed_files == found
