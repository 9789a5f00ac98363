"""The class of the tests: its bots work as they should, and its archives hold what they should.

Bots that start quickly and one bot of each compiled language play games. In thorough tests all do.
"""

import io
import json
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath

import orjson
import pytest
from bots import LIGHT
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.find import find_bots, read_bots
from classes import (
    BOM,
    COPIED,
    LANGUAGES,
    NAMES,
    SNOOP,
    Link,
    Student,
    attachments,
    bomb,
    make_class,
    pack_canvas,
    pack_moodle,
    plant_secrets,
    second_night,
    students,
    third_night,
    write_class,
)
from effort import sampled
from languages import go_without
from played import played

CLASS = students(Path("/home/instructor"))
WORKING = [student for student in CLASS if not student.broken and student.name != SNOOP]
BROKEN = {student.broken: student for student in CLASS if student.broken}
QUICK = {"Python", "JavaScript", "C", "Perl", "shell"}
ONE_EACH = [*{student.language: student for student in reversed(WORKING)}.values()]
SAMPLE = [student for student in WORKING if student.language in QUICK or student in ONE_EACH]
CLOCK = TimeControl.parse("60+1")

COMPILED = {
    ".c": "cc -o bot *.c", ".cpp": "c++ -o bot *.cpp", ".rs": "rustc -o bot *.rs",
    ".go": "go build -o bot *.go", ".cs": "mcs -out:bot.exe *.cs",
    ".java": "javac -J-XX:TieredStopAtLevel=1 *.java",
}  # fmt: skip
STARTED = {
    ".py": ["python3"], ".js": ["node"], ".rkt": ["racket"], ".pl": ["perl"], ".sh": ["sh"],
}  # fmt: skip
RUN = {".java": ["java", "-XX:+UseSerialGC", "Bot"], ".cs": ["mono", "bot.exe"]}
BUILT = {
    "run.sh": ("", ["sh", "run.sh"]),
    "Makefile": ("make", ["./bot"]),
    "Cargo.toml": ("cargo build --offline", ["target/debug/bot"]),
}
"""How a submission with such a file is compiled and started."""


def compiled(student: Student, folder: Path) -> dict[str, object]:
    """Write and compile a submission. Return its table for a file of bots."""
    write_class([student], folder)
    home = folder / student.folder
    if "bot.toml" in student.files:
        return {**tomllib.loads((home / "bot.toml").read_text()), "cwd": str(home)}
    main = next(PurePosixPath(name) for name in student.files if PurePosixPath(name).suffix)
    program = [*STARTED.get(main.suffix, ()), main.name]
    way = (COMPILED.get(main.suffix, ""), RUN.get(main.suffix) or program)
    if main.suffix in {".c", ".cpp", ".rs", ".go"}:
        way = (COMPILED[main.suffix], ["./bot"])
    own = next((BUILT[name] for name in BUILT if name in student.files), None)
    compile_line, command = own or way
    home = home if own else home / main.parent
    for line in filter(None, (compile_line, " ".join(command))):
        program = line.split()[0]
        if "/" not in program and "." not in program and not shutil.which(program):
            go_without(program)
    subprocess.run(["sh", "-c", compile_line], cwd=home, check=True, capture_output=True)
    return {"command": command, "cwd": str(home)}


def said(kind: str, folder: Path, *lines: bytes) -> subprocess.CompletedProcess[bytes]:
    """Return what a bot in Python that does not work writes after lines."""
    write_class([BROKEN[kind]], folder)
    home = folder / BROKEN[kind].folder
    return subprocess.run(
        ["python3", "bot.py"], cwd=home, input=b"".join(lines), capture_output=True, check=False
    )


def precept(free: int, **keys: object) -> bytes:
    """Return a precept in which one column is free."""
    grid = [[1, 2, 1, 2, 1, 2] if x != free else [0, 0, 0, 0, 0, 1] for x in range(7)]
    return orjson.dumps({"grid": grid, **keys}) + b"\n"


def names_in(archive: Path | bytes) -> list[str]:
    """Return the names of the entries of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive) as opened:
        return opened.namelist()


def test_class_has_27_bots_that_work_12_that_do_not_and_one_that_reads():
    """There are 40 students with numbers of their own, in at least nine languages."""
    assert (len(CLASS), len(WORKING), len(BROKEN)) == (40, 27, 12)
    assert len({student.number for student in CLASS}) == 40
    assert {student.language for student in WORKING} == {*LANGUAGES.values()}
    assert max(Counter(NAMES).values()) == 2
    contents = [tuple(student.files.values()) for student in CLASS]
    assert len({*contents}) == 40


@pytest.mark.parametrize("student", sampled(WORKING, SAMPLE), ids=lambda student: student.name)
def test_working_bot_plays_whole_games(student, tmp_path):
    """Each working bot plays a game in each seat without a fault."""
    table = compiled(student, tmp_path)
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items()]
    (tmp_path / "bots.toml").write_text("\n".join(["[bots.one]", *lines]), encoding="utf-8")
    bots = find_bots(["one", LIGHT], read_bots(str(tmp_path / "bots.toml")))
    for pair in (bots, bots[::-1]):
        ended = played(*pair, CLOCK)
        assert ended.fault is None, ended
        assert len(ended.moves) >= 7


def test_copy_differs_in_names_and_comments_only():
    """Two students hand in one program, but the texts are not equal."""
    one, other = (next(iter(s.files.values())) for s in WORKING if s.name in COPIED)
    assert one != other
    assert one.count(b"(") == other.count(b"(")
    assert b"def rank" in one
    assert b"def order" in other


def test_file_from_windows_has_a_byte_order_mark_and_its_line_ends():
    """One program begins with a byte order mark, and all its lines end in CR LF."""
    (text,) = (s.files["bot.py"] for s in WORKING if s.files.get("bot.py", b"").startswith(BOM))
    assert text.count(b"\n") == text.count(b"\r\n") > 20


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
    done = said(kind, tmp_path, precept(6))
    assert done.stdout == answer
    assert message in done.stderr


def test_broken_java_class_does_not_compile(tmp_path):
    """The compiler refuses the program."""
    if not shutil.which("javac"):
        go_without("javac")
    with pytest.raises(subprocess.CalledProcessError, match="javac"):
        compiled(BROKEN["does not compile"], tmp_path)


def test_bomb_unpacks_to_3_gib():
    """An archive of about 3 MB has a file of 3 GiB, whose beginning can be read."""
    with zipfile.ZipFile(io.BytesIO(bomb())) as archive:
        (entry,) = archive.infolist()
        assert entry.file_size == 3 * 2**30
        assert archive.open(entry).read(2**25) == bytes(2**25)
    assert 2_000_000 < len(bomb()) < 4_000_000


def test_archives_lead_outside():
    """An entry has a path out of the folder, and links lead to secrets."""
    assert "../../../evil.py" in names_in(BROKEN["path outside"].files["homework.zip"])
    files = BROKEN["links to secrets"].files
    assert files["notes.txt"] == Link("/etc/passwd")
    with tarfile.open(fileobj=io.BytesIO(files["bot.tar.gz"])) as archive:
        links = {entry.linkname for entry in archive if entry.issym()}
    assert links == {"/etc/passwd", "/home/instructor"}
    with zipfile.ZipFile(io.BytesIO(files["more.zip"])) as archive:
        modes = {entry.filename: entry.external_attr >> 28 for entry in archive.infolist()}
    assert modes == {"bot.py": 0o10, "passwd.txt": 0o12, "home": 0o12}


def test_snoop_tells_what_it_reads(tmp_path):
    """Without a sandbox the bot that reads finds all secrets, and tells them in all its ways."""
    home, download = tmp_path / "home", tmp_path / "class" / "download"
    everyone = make_class(download, ["Python"], home)
    secrets = plant_secrets(home, download)
    (snoop,) = (download / student.folder for student in everyone if student.name == SNOOP)
    eleven = [[0, 0, 0, 0, 2, 1]] * 5 + [[0, 0, 0, 0, 0, 1], [0] * 6]
    late = orjson.dumps({"grid": eleven, "player": 2, "time_ms": 1000})
    lines = precept(6, player=1), late
    command = ["python3", "bot.py"]
    done = subprocess.run(
        command, cwd=snoop, input=b"".join(lines), capture_output=True, check=False
    )
    legal, illegal = map(orjson.loads, done.stdout.splitlines())
    assert legal["move"] == 6
    told = legal["info"], illegal["move"], done.stderr.decode(), (snoop / "loot.txt").read_text()
    for text in told:
        assert not [secret for secret in secrets if secret not in text]


def test_languages_choose_students(tmp_path):
    """Without other languages only their students are missing."""
    chosen = make_class(tmp_path, ["Python", "shell"])
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
    """Names of all students, what they handed in, and a text are in the archive."""
    pack_moodle(CLASS, tmp_path / "moodle.zip", layout)
    names = names_in(tmp_path / "moodle.zip")
    assert name in names
    assert len({entry.split("_")[1] for entry in names}) == 40
    assert sum("_assignsubmission_onlinetext" in entry for entry in names) == 1


def test_old_code_page_is_used_where_it_has_the_letters(tmp_path):
    """Names are in code page 437 without the flag for UTF-8, or in UTF-8 with it."""
    pack_moodle(CLASS, tmp_path / "moodle.zip", encoding="cp437")
    content = (tmp_path / "moodle.zip").read_bytes()
    assert "Anna Müller".encode("cp437") in content
    assert "Anna Müller".encode() not in content
    assert "Дарья Соколова".encode() in content
    assert any(name.startswith("Anna Müller_") for name in names_in(tmp_path / "moodle.zip"))


def test_canvas_archive_has_the_names_of_canvas(tmp_path):
    """Names are flat. Two students are late, one handed in twice, and one handed in a text."""
    pack_canvas(CLASS, tmp_path / "canvas.zip")
    names = names_in(tmp_path / "canvas.zip")
    assert not any("/" in name for name in names)
    assert sum("_LATE_" in name for name in names) == 2
    assert [name for name in names if "_2310588_" in name] == [
        "mülleranna_2310588_878019_Bot-1.java"
    ]
    assert [name for name in names if name.endswith("_text.html")] == ["çelikelif_99001_text.html"]
    expected = sum(len(attachments(student)) for student in CLASS)
    assert len(names) == expected + 1


def test_nights_change_three_add_two_and_lose_one():
    """Each night three students hand in something else, one of them something broken."""
    before = CLASS
    for night in (second_night, third_night):
        after = {student.number: student for student in night(before)}
        known = {student.number: student for student in before}
        both = known.keys() & after.keys()
        changed = [after[number] for number in both if after[number] != known[number]]
        assert (len(changed), len(after.keys() - both), len(known.keys() - both)) == (3, 2, 1)
        assert [student.broken for student in changed if student.broken] == ["does not compile"]
        before = [*after.values()]
