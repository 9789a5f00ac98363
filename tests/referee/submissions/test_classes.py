"""The class of the tests: its bots work as they should, and its archives hold what they should.

Bots that start quickly and one bot of each compiled language play games. In thorough tests all do.
"""

import io
import json
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import classes
import orjson
import pytest
from bots import LIGHT
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.find import find_bots, read_bots
from effort import sampled
from languages import go_without
from played import played

pytestmark = pytest.mark.weekly  # the class itself is tested, not the program

CLASS = classes.students(Path("/home/instructor"))
SNOOP = CLASS[-1]
WORKING = [student for student in CLASS[:-1] if not student.broken]
BROKEN = {student.broken: student.files for student in CLASS if student.broken}
ONE_EACH = [*{student.language: student for student in reversed(WORKING)}.values()]
QUICK = {"Python", "JavaScript", "Perl", "shell"}
CLOCK = TimeControl.parse("60+1")

STARTS = {
    "run.sh": "sh run.sh", "Makefile": "make >&2 && ./bot", "Cargo.toml": "cargo run -q --offline",
    ".py": 'python3 "$0"', ".js": 'node "$0"', ".pl": 'perl "$0"', ".sh": 'sh "$0"',
    ".rkt": 'racket "$0"', ".java": "javac *.java && java Bot", ".c": "cc -o bot *.c && ./bot",
    ".cpp": "c++ -o bot *.cpp && ./bot", ".rs": "rustc -o bot *.rs && ./bot",
    ".go": "go build -o bot *.go && ./bot", ".cs": "mcs -out:bot.exe *.cs && mono bot.exe",
}  # fmt: skip
"""Shell lines that compile and start a bot, by a file or by the suffix of the program ``$0``."""


def described(student: classes.Student, folder: Path) -> str:
    """Write a submission, and return its table of a file of bots."""
    classes.write_class([student], folder)
    home, main = folder / student.folder, PurePosixPath(next(iter(student.files)))
    if "bot.toml" in student.files:
        keys = tomllib.loads((home / "bot.toml").read_text())
    else:
        own = next((name for name in STARTS if name in student.files), None)
        line = STARTS[own or main.suffix]
        missing = [word for word in re.findall(r"(?:^|&& )(\w\S*)", line) if not shutil.which(word)]
        if missing:
            go_without(missing[0])
        home = home if own else home / main.parent
        keys = {"command": ["sh", "-c", line, main.name]}
    lines = (f"{key} = {json.dumps(value)}" for key, value in {**keys, "cwd": str(home)}.items())
    return "\n".join(["[bots.one]", *lines])


def names_in(archive: Path | bytes) -> list[str]:
    """Return the names of the entries of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive) as opened:
        return opened.namelist()


def asked(files: classes.Files, folder: Path, *precepts: object) -> subprocess.CompletedProcess:
    """Return what the program ``bot.py`` of a submission writes when it is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_bytes(files["bot.py"])
    lines = b"".join(orjson.dumps(precept) + b"\n" for precept in precepts)
    command = ["python3", "bot.py"]
    return subprocess.run(command, cwd=folder, input=lines, capture_output=True, check=False)


def test_class_has_27_bots_that_work_12_that_do_not_and_one_that_reads():
    """There are 40 different submissions, in more than nine languages. Two names are the same."""
    assert (len(WORKING), len(BROKEN), SNOOP.name) == (27, 12, classes.SNOOP)
    assert len({student.number for student in CLASS}) == 40
    assert len({tuple(student.files.values()) for student in CLASS}) == 40
    assert len({student.name for student in CLASS}) == 39
    assert {student.language for student in WORKING} == {*classes.LANGUAGES.values()}


SAMPLE = [student for student in WORKING if student.language in QUICK or student in ONE_EACH]


@pytest.mark.parametrize("student", sampled(WORKING, SAMPLE), ids=lambda student: student.name)
def test_working_bot_plays_whole_games(student, tmp_path):
    """Each working bot plays a game in each seat without a fault."""
    (tmp_path / "bots.toml").write_text(described(student, tmp_path), encoding="utf-8")
    bots = find_bots(["one", LIGHT], read_bots(str(tmp_path / "bots.toml")))
    for pair in (bots, bots[::-1]):
        ended = played(*pair, CLOCK)
        assert ended.fault is None
        assert len(ended.moves) >= 7


FREE = [[0, 0, 0, 0, 0, 1] if x == 6 else [1, 2, 1, 2, 1, 2] for x in range(7)]
"""A board on which only the last column is free."""


@pytest.mark.parametrize(
    ("kind", "answer", "message"),
    [
        ("waits for a person", b"What is your name? ", b""),
        ("banner", b'Welcome to Connect Four!\n{"move": 6}\n', b""),
        ("counts from 1", b'{"move": 7}\n', b""),
        ("missing module", b"", b"numpy_missing"),
    ],
)
def test_broken_bot_is_broken(kind, answer, message, tmp_path):
    """Bots in Python make their mistake when they are asked."""
    done = asked(BROKEN[kind], tmp_path, {"grid": FREE})
    assert done.stdout == answer
    assert message in done.stderr


def test_bomb_unpacks_to_3_gib():
    """An archive of about 3 MB has a file of 3 GiB, whose beginning can be read."""
    with zipfile.ZipFile(io.BytesIO(classes.bomb())) as archive:
        (entry,) = archive.infolist()
        assert entry.file_size == 3 * 2**30
        assert archive.open(entry).read(2**25) == bytes(2**25)
    assert 2_000_000 < len(classes.bomb()) < 4_000_000


def test_archives_lead_outside():
    """An entry has a path out of the folder, and links lead to secrets."""
    assert "../../../evil.py" in names_in(BROKEN["path outside"]["homework.zip"])
    files = BROKEN["links to secrets"]
    assert files["notes.txt"] == classes.Link("/etc/passwd")
    with tarfile.open(fileobj=io.BytesIO(files["bot.tar.gz"])) as archive:
        links = {entry.linkname for entry in archive if entry.issym()}
    assert links == {"/etc/passwd", "/home/instructor"}
    with zipfile.ZipFile(io.BytesIO(files["more.zip"])) as archive:
        links = {archive.read(e).decode() for e in archive.infolist() if e.external_attr >> 29 == 5}
    assert links == {"/etc/passwd", "/home/instructor"}


def test_snoop_tells_what_it_reads(tmp_path):
    """Without a sandbox it finds all secrets, and writes them wherever somebody may read them."""
    home, download = tmp_path / "home", tmp_path / "class" / "download"
    snoop = classes.make_class(download, ["Python"], home)[-1]
    secrets = classes.plant_secrets(home, download)
    late = [[0, 0, 0, 0, 2, 1]] * 5 + [[0, 0, 0, 0, 0, 1], [0] * 6]
    precepts = {"grid": FREE}, {"grid": late, "player": 2, "time_ms": 1000}
    done = asked(snoop.files, download / snoop.folder, *precepts)
    legal, illegal = map(orjson.loads, done.stdout.splitlines())
    assert legal["move"] == 6
    stored = (download / snoop.folder / "loot.txt").read_text(encoding="utf-8")
    for told in (legal["info"], illegal["move"], done.stderr.decode(), stored):
        assert not [secret for secret in secrets if secret not in told]


def test_languages_choose_students(tmp_path):
    """Without other languages only their students are missing."""
    chosen = classes.make_class(tmp_path, ["Python", "shell"])
    assert {student.language for student in chosen} == {"Python", "shell", ""}
    assert {path.name for path in tmp_path.iterdir()} == {student.folder for student in chosen}


@pytest.mark.parametrize(
    ("layout", "name"),
    [
        ("folder", "Дарья Соколова_2310469_assignsubmission_file/мой бот/бот.py"),
        ("old folder", "Дарья Соколова_2310469_assignsubmission_file_/мой бот/бот.py"),
        ("flat", "Дарья Соколова_2310469_assignsubmission_file_bot.zip"),
        ("blind", "Participant_2310469_assignsubmission_file/мой бот/бот.py"),
    ],
)
def test_moodle_archive_has_the_names_of_moodle(layout, name, tmp_path):
    """The files of all students are in the archive, and a text."""
    classes.pack_moodle(CLASS, tmp_path / "moodle.zip", layout)
    names = names_in(tmp_path / "moodle.zip")
    assert name in names
    assert len({entry.split("_")[1] for entry in names}) == 40
    assert sum("_assignsubmission_onlinetext" in entry for entry in names) == 1


def test_old_code_page_is_used_where_it_has_the_letters(tmp_path):
    """Names are in code page 437 without the flag for UTF-8, or in UTF-8 with it."""
    classes.pack_moodle(CLASS, tmp_path / "moodle.zip", encoding="cp437")
    content = (tmp_path / "moodle.zip").read_bytes()
    assert "Anna Müller".encode("cp437") in content
    assert "Anna Müller".encode() not in content
    assert "Дарья Соколова".encode() in content


def test_canvas_archive_has_the_names_of_canvas(tmp_path):
    """Names are flat. Two students are late, one handed in twice, and one handed in a text."""
    classes.pack_canvas(CLASS, tmp_path / "canvas.zip")
    names = names_in(tmp_path / "canvas.zip")
    assert not any("/" in name for name in names)
    assert sum("_LATE_" in name for name in names) == 2
    assert "oconnorduboisamélie_LATE_2310401_878002_bot.py" in names
    assert "mülleranna_2310588_878019_Bot-1.java" in names
    assert "çelikelif_99001_text.html" in names
    assert len({name.replace("_LATE", "").split("_")[1] for name in names}) == 41


def test_nights_change_three_add_two_and_lose_one():
    """Each night three students hand in something else, one of them something broken."""
    before = CLASS
    for night in (classes.second_night, classes.third_night):
        known, after = ({s.number: s for s in people} for people in (before, night(before)))
        both = known.keys() & after.keys()
        changed = [after[number] for number in both if after[number] != known[number]]
        assert (len(changed), len(after.keys() - both), len(known.keys() - both)) == (3, 2, 1)
        assert [student.broken for student in changed if student.broken] == ["does not compile"]
        before = [*after.values()]
