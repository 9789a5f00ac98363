"""A class of 40 students for tests: 27 bots that work, 12 that do not, and one that reads secrets.

    python tests/shared/classes.py FOLDER

writes the class into FOLDER: a plain folder ``plain``, and the archives ``moodle.zip`` and
``canvas.zip``, as the two platforms would hand them out.
"""

import io
import re
import struct
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from random import Random
from typing import Literal

SOURCES = Path(__file__).parents[1] / "bots" / "class"
SIMPLE = (SOURCES / "simple.py").read_text(encoding="utf-8")

RANKS = {
    "centre": "(2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty",
    "edges": "9 - (2 * x + 1 - w) * (2 * x + 1 - w)",
    "left": "x * 9 - empty",
    "right": "(w - x) * 9 - empty",
    "low": "x - 9 * empty",
    "high": "x + 9 * empty - w",
    "scattered": "(5 * x + 3 * empty + w) % 7",
    "zigzag": "(3 * x + empty + w) % 5",
    "shifted": "(x + w - 2) % w * 9 - empty",
}
"""Ranks of columns by strategy, as expressions that nearly all languages have in common.

``x`` is a column, ``w`` the number of columns, and ``empty`` the number of its empty cells. A bot
plays the free column of the lowest rank. The bots in Python, JavaScript and Perl first look for a
move that makes or stops a line of four.
"""

LANGUAGES = {
    ".py": "Python", ".js": "JavaScript", ".java": "Java", ".c": "C", ".cpp": "C++", ".rs": "Rust",
    ".go": "Go", ".cs": "C#", ".rkt": "Racket", ".pl": "Perl", ".sh": "shell",
}  # fmt: skip
"""Languages by the suffix of their files."""

HELPERS = {
    ".py": ("board.py", "%s\n", "from board import rank"),
    ".js": ("board.js", "%s\nmodule.exports = { rank };\n", 'const { rank } = require("./board");'),
    ".java": ("Board.java", "class Board {\n%s\n}\n", ""),
    ".c": ("board.c", "%s\n", "int rank(int x, int w, int empty);"),
    ".cpp": ("board.hpp", "%s\n", '#include "board.hpp"'),
    ".go": ("board.go", "package main\n\n%s\n", ""),
    ".cs": ("Board.cs", "static class Board\n{\n%s\n}\n", ""),
    ".pl": ("Board.pm", "%s\n1;\n", 'use FindBin;\nrequire "$FindBin::Bin/Board.pm";'),
}
"""Helpers beside a program, by suffix: name, form, and what the program has instead."""

COPIED = ("Amélie O'Connor-Dubois", "Jean-Luc d'Arcy")
"""Students whose programs are the same but for names, blanks and comments."""
SNOOP, NEIGHBOUR_SECRET = "Mallory Quick", "SECRET-of-a-neighbour"
"""Name of the student whose bot reads what it can, and a text in a file of another student."""
TEXT_ONLY = "Elif Çelik"
"""Name of someone who handed in a text in Canvas and no program. She is no ``Student``."""

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Link:
    """A symbolic link to a path."""

    target: str


Files = Mapping[str, bytes | Link]
"""Files of a submission by their paths in it."""


@dataclass(frozen=True)
class Student:
    """A student with a submission. ``broken`` is "" or a key of ``broken_bots``."""

    name: str
    number: int
    files: Files
    broken: str = ""

    @property
    def language(self) -> str:
        """The language of the first source file, or "" if there is none."""
        suffixes = (PurePosixPath(name).suffix for name in self.files)
        return next((LANGUAGES[suffix] for suffix in suffixes if suffix in LANGUAGES), "")

    @property
    def folder(self) -> str:
        """The name of the student's folder in a plain folder."""
        return f"{self.name} {self.number}"


def bot(source: str, strategy: str = "centre", main: str = "", *, helper: bool = False) -> Files:
    """Return a bot made from a file in ``SOURCES``. ``main`` is another path for its program.

    With ``helper``, its function ``rank`` is in a file of its own beside the program.
    """
    path = PurePosixPath(main or source)
    text = (SOURCES / source).read_text(encoding="utf-8")
    default, wanted = (in_language(RANKS[name], path.suffix) for name in ("centre", strategy))
    text = text.replace(default, wanted)
    if not helper:
        return {str(path): text.encode()}
    definition = re.search(rf"^(def .*\n.*\n)?.*{re.escape(wanted)}.*$", text, re.MULTILINE)
    assert definition
    name, form, instead = HELPERS[path.suffix]
    text = text.replace(definition[0], instead)
    if path.suffix in {".java", ".cs"}:
        text = text.replace(" rank(", " Board.rank(")
    return {
        str(path): text.encode(),
        str(path.with_name(name)): (form % definition[0]).encode(),
    }


def in_language(expression: str, suffix: str) -> str:
    """Return an expression with the names of a language's variables."""
    return re.sub(r"\b(x|w|empty)\b", r"$\1", expression) if suffix == ".pl" else expression


def with_texts(files: Files, **texts: str) -> Files:
    """Return files and more of them: ``bot_toml`` becomes ``bot.toml``."""
    return {**files, **{name.replace("_", "."): text.encode() for name, text in texts.items()}}


def changed_text(files: Files, change: Callable[[str], str]) -> Files:
    """Return files with other texts. Only source files are changed."""
    return {
        name: change(content.decode()).encode()
        if isinstance(content, bytes) and PurePosixPath(name).suffix in LANGUAGES
        else content
        for name, content in files.items()
    }


def copied(text: str) -> str:
    """Return a program with other names, blanks and comments."""
    for old, new in (("rank", "order"), ("wins", "four"), ("free", "open")):
        text = re.sub(rf"\b{old}\b", new, text)
    return text.replace("\n\n\n", "\n\n").replace(
        "for line", "# This is all my own work.\nfor line"
    )


def working_bots() -> dict[str, Files]:
    """Return the 27 bots that work, by labels that say what is special."""
    course = 'command = "python3 bot.py"\narguments = "course"\n'
    given = 'int(sys.argv[sys.argv.index("--player") + 1])'
    windows = bot("bot.py", "scattered")["bot.py"]
    assert isinstance(windows, bytes)
    return {
        "python": bot("bot.py", "left"),
        "python random": {"random_bot.py": SIMPLE.encode()},
        "python two files": bot("bot.py", "low", "main.py", helper=True),
        "python bot.toml": with_texts(
            {**bot("bot.py", "edges", "play.py"), **bot("bot.py", "high", "old_version.py")},
            bot_toml='command = "python3 play.py"\n',
        ),
        "python folder": bot("bot.py", "shifted", "мой бот/бот.py", helper=True),
        "python from windows": {"bot.py": BOM + windows.replace(b"\n", b"\r\n")},
        "python course": with_texts(
            changed_text(
                bot("bot.py", "right"), lambda text: text.replace('precept.get("player", 1)', given)
            ),
            bot_toml=course,
        ),
        "python agent": with_texts(
            bot("agent.py"), bot_toml='command = "kaggle:agent.py"\n', notes_txt=NEIGHBOUR_SECRET
        ),
        "python copy": changed_text(bot("bot.py", "left", "player.py"), copied),
        "javascript": bot("bot.js", "centre", "my bot.js"),
        "javascript package": with_texts(
            bot("bot.js", "zigzag", "src/index.js", helper=True),
            package_json='{"name": "bot", "main": "src/index.js", '
            '"scripts": {"start": "node src/index.js"}}\n',
        ),
        "java": bot("Bot.java", "left"),
        "java two files": bot("Bot.java", "low", helper=True),
        "java folder": bot("Bot.java", "scattered", "Spielzüge größer/Bot.java", helper=True),
        "c": bot("bot.c", "right"),
        "c makefile": with_texts(
            bot("bot.c", "centre", helper=True),
            Makefile="bot: bot.c board.c\n\t$(CC) -O2 -o bot bot.c board.c\n",
        ),
        "c++": bot("bot.cpp", "edges"),
        "c++ two files": bot("bot.cpp", "zigzag", helper=True),
        "rust": bot("main.rs", "high"),
        "rust cargo": with_texts(
            bot("main.rs", "shifted", "src/main.rs"),
            Cargo_toml='[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n',
        ),
        "go": bot("main.go", "low"),
        "go module": with_texts(
            bot("main.go", "right", helper=True), go_mod="module bot\n\ngo 1.18\n"
        ),
        "c#": bot("Bot.cs", "shifted"),
        "racket": bot("bot.rkt"),
        "perl": bot("bot.pl", "edges"),
        "shell": bot("bot.sh", "centre"),
        "run.sh": with_texts(
            bot("bot.pl", "centre", "lib/connect four.pl", helper=True),
            run_sh='#!/bin/sh\nexec perl "lib/connect four.pl" "$@"\n',
        ),
    }


def broken_bots(home: Path) -> dict[str, Files]:
    """Return the 12 bots that do not work, by what is wrong. ``home`` is the instructor's home."""
    forks = (
        "        while started < 500:\n            started += 1\n            if os.fork() == 0:\n"
        "                time.sleep(20)\n                os._exit(0)\n        grid ="
    )
    links = {"passwd.txt": Link("/etc/passwd"), "home": Link(str(home))}
    simple = {"bot.py": SIMPLE.encode()}
    archives = {"bot.tar.gz": tarred({**simple, **links}), "more.zip": zipped({**simple, **links})}
    evil = {"../../../evil.py": b"print('I am outside')\n"}
    return {
        "does not compile": changed_text(bot("Bot.java"), lambda text: text.replace(";", "", 1)),
        "waits for a person": python('name = input("What is your name? ")\n'),
        "two mains": {
            **bot("bot.py", "centre", "attack.py"),
            **bot("bot.py", "zigzag", "defence.py"),
        },
        "endless loop": python("while True:\n    pass\n"),
        "zip bomb": {"homework.zip": bomb()},
        "path outside": {"homework.zip": zipped({**evil, **simple})},
        "links to secrets": {**archives, "notes.txt": Link("/etc/passwd")},
        "banner": python('print("Welcome to Connect Four!", flush=True)\n'),
        "counts from 1": python("", '"move": move', '"move": move + 1'),
        "nothing but a PDF": {
            "report.pdf": b"%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\n%%EOF\n"
        },
        "missing module": python("import numpy_missing\n"),
        "500 forks": python("import os\nimport time\n\nstarted = 0\n", "        grid =", forks),
    }


def python(beginning: str, old: str = "", new: str = "") -> Files:
    """Return the simple bot with lines at its beginning, and with a text replaced."""
    return {"bot.py": (beginning + (SIMPLE.replace(old, new) if old else SIMPLE)).encode()}


NAMES = (
    "Amélie O'Connor-Dubois", "Wei Zhang", "Nguyễn Thị Minh Khai", "Łukasz Wiśniewski",
    "Дарья Соколова", "Wei Zhang", "María José Núñez", "Ngũgĩ wa Kamau", "Jean-Luc d'Arcy",
    "Søren Ødegård", "山田 花子", "Anna Müller", "Jürgen Groß", "Αλέξανδρος Παπάς", "Tom Li",
    "Fatima al-Zahra Haddad", "김 서연", "İpek Şahin", "Dmytro Шевченко", "Ana-Maria Ionescu",
    "Kwame Mensah", "Þóra Jónsdóttir", "محمد العلي", "Priya Raman", "Siobhán Ní Bhriain",
    "X Æ Lund", "Zoltán Kovács", "Ben Carter", "Chloé Martin", "Ivan Horvat", "Lea Fischer",
    "Omar Farouk", "Nina Petrova", "Raj Patel", "Sara Lindqvist", "Tiago Sousa", "Uma Iyer",
    "Victor Hugo Lima", "Yuki Tanaka", SNOOP,
)  # fmt: skip
"""Names of the students: 27 whose bots work, 12 whose bots do not, and the one who reads."""


def students(home: Path | None = None) -> list[Student]:
    """Return the 40 students. ``home`` is the instructor's home folder (default: the user's)."""
    home = home or Path.home()
    snoop = (SOURCES / "snoop.py").read_text(encoding="utf-8")
    broken = broken_bots(home)
    submissions = [
        *working_bots().values(),
        *broken.values(),
        {"bot.py": snoop.replace("HOME_OF_THE_INSTRUCTOR", str(home)).encode()},
    ]
    kinds = [""] * 27 + [*broken, ""]
    numbers = range(2_310_401, 2_320_000, 17)
    return [Student(*row) for row in zip(NAMES, numbers, submissions, kinds, strict=False)]


def make_class(
    folder: Path, languages: Collection[str] | None = None, home: Path | None = None
) -> list[Student]:
    """Write a folder for each student into a folder, and return the students.

    With ``languages`` (values of ``LANGUAGES``) only students who use them are there, and those
    whose submission is not a program.
    """
    chosen = [
        student
        for student in students(home)
        if languages is None or student.language in {*languages, ""}
    ]
    write_class(chosen, folder)
    return chosen


def write_class(students: Sequence[Student], folder: Path) -> None:
    """Write a folder for each student into a folder."""
    for student in students:
        for name, content in student.files.items():
            path = folder / student.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Link):
                path.symlink_to(content.target)
            else:
                path.write_bytes(content)


def plant_secrets(home: Path, download: Path) -> list[str]:
    """Write secrets into a home folder and beside a download, and return all texts to look for."""
    places = [
        home / ".ssh" / "id_rsa",
        home / "grades.csv",
        home / "class" / "class.toml",
        home / "class" / "students.csv",
        download.parent / "solutions.txt",
    ]
    secrets = [f"SECRET-{number}-in-{path.stem}" for number, path in enumerate(places)]
    for path, secret in zip(places, secrets, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {secret}\n", encoding="utf-8")
    return [*secrets, NEIGHBOUR_SECRET]


def second_night(students: Sequence[Student]) -> list[Student]:
    """Return the class a day later: 3 changed, one of them broken by it; 2 new, 1 missing."""
    new = {"Zoë Brännström": bot("bot.py", "zigzag"), "Emeka O'Brien": bot("bot.sh", "left")}
    return another_night(students, new)


def third_night(students: Sequence[Student]) -> list[Student]:
    """Return the class of the second night a day later, with as many changes."""
    new = {"Rosa Díaz-Peña": bot("bot.pl", "low"), "Noor de Vries": bot("bot.py", "high")}
    return another_night(students, new)


def another_night(students: Sequence[Student], new: Mapping[str, Files]) -> list[Student]:
    """Return students of whom three hand in something else and one is missing, and new ones."""
    working = [student for student in students if not student.broken and student.name != SNOOP]
    first, second, third, missing = Random(len(students)).sample(working, 4)
    later = {
        first.number: replace(first, files=changed_text(first.files, another_strategy)),
        second.number: replace(second, files=changed_text(second.files, another_strategy)),
        third.number: broken_by_change(third),
    }
    number = max(student.number for student in students) + 1
    return [
        *(later.get(student.number, student) for student in students if student is not missing),
        *(Student(name, number + i, files) for i, (name, files) in enumerate(new.items())),
    ]


def another_strategy(text: str) -> str:
    """Return a program that prefers other columns, or that has one more line if it has no rank."""
    for suffix in (".py", ".pl"):
        ranks = [in_language(rank, suffix) for rank in RANKS.values()]
        for i, rank in enumerate(ranks):
            if rank in text:
                return text.replace(rank, ranks[i - 1])
    return text + "\n"


def broken_by_change(student: Student) -> Student:
    """Return a student whose program cannot be compiled, or ends at its start, in any language."""
    files = changed_text(student.files, lambda text: "(((\n" + text)
    return replace(student, files=files, broken="does not compile")


class OldName(zipfile.ZipInfo):
    """An entry of a zip archive with its name in code page 437, if that has all its letters."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802 - zipfile calls it
        try:
            return self.filename.encode("cp437"), self.flag_bits & ~0x800
        except UnicodeEncodeError:
            return self.filename.encode(), self.flag_bits | 0x800


def zipped(files: Files, encoding: str = "utf-8") -> bytes:
    """Return a zip archive. Names are in UTF-8, or with ``cp437`` in this code page if possible."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = (OldName if encoding == "cp437" else zipfile.ZipInfo)(name)
            is_link = isinstance(content, Link)
            entry.create_system, entry.external_attr = 3, (0o120777 if is_link else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content.target if isinstance(content, Link) else content)
    return target.getvalue()


def tarred(files: Files) -> bytes:
    """Return a tar archive with gzip."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            if isinstance(content, Link):
                entry.type, entry.linkname = tarfile.SYMTYPE, content.target
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return target.getvalue()


@cache
def bomb() -> bytes:
    """Return a zip archive of 3 MB with a file of 3 GiB of zeros.

    The compressed form of 16 MiB is repeated, because compressing all of them takes long. So this
    writes the records of the archive itself.
    """
    zeros, times, name, check = bytes(2**24), 192, b"zeros.bin", 0
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = (packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)) * times + packer.flush()
    for _ in range(times):
        check = zlib.crc32(zeros, check)
    sizes = check, len(data), len(zeros) * times, len(name), 0
    entry = struct.pack("<5H3L2H", 20, 0, zipfile.ZIP_DEFLATED, 0, 33, *sizes)
    local = b"PK\3\4" + entry + name
    central = b"PK\1\2\x14\0" + entry + bytes(14) + name
    end = struct.pack("<4H2LH", 0, 0, 1, 1, len(central), len(local) + len(data), 0)
    return local + data + central + b"PK\5\6" + end


def attachments(student: Student, encoding: str = "utf-8") -> dict[str, bytes]:
    """Return what a student uploads file by file: a program with folders is one archive."""
    files = {name: data for name, data in student.files.items() if isinstance(data, bytes)}
    if any("/" in name for name in files):
        return {"bot.zip": zipped(files, encoding)}
    return files


Layout = Literal["folder", "old folder", "flat", "blind"]


def pack_moodle(
    students: Sequence[Student], target: Path, layout: Layout = "folder", encoding: str = "utf-8"
) -> None:
    """Write the archive that Moodle hands out for an assignment.

    The last student also has a text that is no program. Links are left out, because Moodle stores
    none. With ``flat``, programs with folders are archives.
    """
    entries: dict[str, bytes] = {}
    for student in students:
        name = "Participant" if layout == "blind" else student.name.replace("_", " ")
        files = student.files if layout != "flat" else attachments(student, encoding)
        between = {"flat": "_", "old folder": "_/"}.get(layout, "/")
        start = f"{name}_{student.number}_assignsubmission_"
        entries |= {
            f"{start}file{between}{path}": data
            for path, data in files.items()
            if isinstance(data, bytes)
        }
    entries[f"{start}onlinetext{between}onlinetext.html"] = b"<p>Here is my bot.</p>"
    target.write_bytes(zipped(entries, encoding))


def pack_canvas(students: Sequence[Student], target: Path, encoding: str = "utf-8") -> None:
    """Write the archive that Canvas hands out for an assignment.

    The first two students are late. The first of those who hand in only ``Bot.java`` did so twice.
    ``TEXT_ONLY`` handed in a text.
    """
    entries: dict[str, bytes] = {f"{canvas_name(TEXT_ONLY)}_99001_text.html": b"<p>Sorry!</p>"}
    late = students[:2]
    again = next((student for student in students if [*student.files] == ["Bot.java"]), None)
    for student in students:
        mark = "_LATE" if student in late else ""
        start = f"{canvas_name(student.name)}{mark}_{student.number}"
        for name, data in attachments(student, encoding).items():
            shown = "Bot-1.java" if student is again else name
            entries[f"{start}_{878_001 + len(entries)}_{shown}"] = data
    target.write_bytes(zipped(entries, encoding))


def canvas_name(name: str) -> str:
    """Return the beginning of the names of a student's files: the last name, then the others."""
    *others, last = name.split()
    return re.sub(r"\W", "", "".join((last, *others))).lower()


def main() -> None:
    """Write the class into the folder that the command line names."""
    folder = Path(sys.argv[1])
    chosen = make_class(folder / "plain")
    pack_moodle(chosen, folder / "moodle.zip")
    pack_canvas(chosen, folder / "canvas.zip")


if __name__ == "__main__":
    main()
