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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

SOURCES = Path(__file__).parents[1] / "bots" / "class"
SIMPLE = (SOURCES / "simple.py").read_text(encoding="utf-8")

RANKS = {
    "centre": "(2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty",
    "edges": "w - 9 * (2 * x + 1 - w) * (2 * x + 1 - w)",
    "left": "x * 9 - empty",
    "right": "(w - x) * 9 - empty",
    "low": "x - 9 * empty",
    "high": "x + 9 * empty - w",
    "scattered": "(5 * x + 9 * empty + w) % 7",
    "zigzag": "(3 * x + 9 * empty + w) % 5",
    "shifted": "(x + w - 2) % w * 9 - empty",
}
"""Ranks of columns by strategy, as expressions that nearly all languages have in common.

``x`` is a column, ``w`` the number of columns, and ``empty`` the number of its empty cells. A bot
plays the free column of the lowest rank. The bots in Python and Perl first look for a move that
makes or stops a line of four.
"""

HELPERS = {
    ".py": ("board.py", "%s\n", "from board import rank"),
    ".js": ("board.js", "%s\nmodule.exports = { rank };\n", 'const { rank } = require("./board");'),
    ".java": ("Board.java", "class Board {\n%s\n}\n", ""),
    ".c": ("board.c", "%s\n", "int rank(int x, int w, int empty);"),
    ".cpp": ("board.hpp", "%s\n", '#include "board.hpp"'),
    ".go": ("board.go", "package main\n\n%s\n", ""),
}
"""Helpers beside a program, by suffix: name, form, and what the program has instead."""

SNOOP, NEIGHBOUR_SECRET = "Mallory Quick", "SECRET-of-a-neighbour"
"""Name of the student whose bot reads what it can, and a text in a file of another student."""
COPIED = ("Amélie O'Connor-Dubois", "Jean-Luc d'Arcy")
"""Students whose programs are the same but for names, blanks and comments."""
TEXT_ONLY = "Elif Çelik"
"""Name of someone who handed in a text in Canvas and no program. She is no ``Student``."""


@dataclass(frozen=True)
class Link:
    """A symbolic link to a path."""

    target: str


Files = Mapping[str, bytes | Link]
"""Files of a submission by their paths in it."""
Texts = dict[str, str]
"""Text files of a submission by their paths in it."""


@dataclass(frozen=True)
class Student:
    """A student with a submission."""

    name: str
    number: int
    files: Files

    @property
    def folder(self) -> str:
        """The name of the student's folder in a plain folder."""
        return f"{self.name} {self.number}"


def bot(
    source: str, strategy: str = "centre", main: str = "", *, helper: bool = False, **others: str
) -> Texts:
    """Return a bot made from a file in ``SOURCES``. ``main`` is another path for its program.

    With ``helper``, its function ``rank`` is in a file of its own beside the program. ``others``
    are texts of other files: ``bot_toml`` is ``bot.toml``.
    """
    path = PurePosixPath(main or source)
    texts = {name.replace("_", "."): text for name, text in others.items()}
    default, wanted = RANKS["centre"], RANKS[strategy]
    if path.suffix == ".pl":
        default, wanted = (re.sub(r"\b(x|w|empty)\b", r"$\1", rank) for rank in (default, wanted))
    text = (SOURCES / source).read_text(encoding="utf-8").replace(default, wanted)
    if helper:
        pattern = rf"^(?:def .*\n.*\n)?.*{re.escape(wanted)}.*$"
        definition = re.findall(pattern, text, re.MULTILINE)[0]
        name, form, instead = HELPERS[path.suffix]
        texts[str(path.with_name(name))] = form % definition
        text = text.replace(definition, instead)
        if path.suffix == ".java":
            text = text.replace(" rank(", " Board.rank(")
    return {str(path): text} | texts


def encoded(texts: Mapping[str, str | bytes | Link]) -> Files:
    """Return files with their texts in UTF-8."""
    return {name: t.encode() if isinstance(t, str) else t for name, t in texts.items()}


def disguised(text: str) -> str:
    """Return a program with other names, blanks and comments."""
    for old, new in (("rank", "order"), ("wins", "four"), ("free", "open")):
        text = re.sub(rf"\b{old}\b", new, text)
    return text.replace("\n\n\n", "\n\n").replace("\nfor line", "\n# My own work.\nfor line")


AGENT, PLAY = 'command = "kaggle:agent.py"\n', 'command = "python3 play.py"\n'
COURSE = 'command = "python3 bot.py"\narguments = "course"\n'
CARGO = '[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n'
MAKE = "bot: bot.c board.c\n\t$(CC) -O2 -o bot bot.c board.c\n"
NODE = '{"main": "src/index.js", "scripts": {"start": "node src/index.js"}}\n'
SHELL = '#!/bin/sh\nexec perl "lib/connect four.pl" "$@"\n'


def working_bots() -> list[tuple[str, Texts]]:
    """Return the 27 bots that work, with the names of their students."""
    player = ('precept.get("player", 1)', 'int(sys.argv[sys.argv.index("--player") + 1])')
    left, right, windows = (
        bot("bot.py", name)["bot.py"] for name in ("left", "right", "scattered")
    )
    old = bot("bot.py", "high", "old_version.py")
    return [
        ("Amélie O'Connor-Dubois", {"bot.py": left}),
        ("Wei Zhang", {"random_bot.py": SIMPLE}),
        ("Nguyễn Thị Minh Khai", bot("bot.py", "low", "main.py", helper=True)),
        ("Łukasz Wiśniewski", bot("bot.py", "edges", "play.py", bot_toml=PLAY) | old),
        ("Дарья Соколова", bot("bot.py", "shifted", "мой бот/бот.py", helper=True)),
        ("Wei Zhang", {"bot.py": "\ufeff" + windows.replace("\n", "\r\n")}),
        ("María José Núñez", {"bot.py": right.replace(*player), "bot.toml": COURSE}),
        ("Ngũgĩ wa Kamau", bot("agent.py", bot_toml=AGENT, notes_txt=NEIGHBOUR_SECRET)),
        ("Jean-Luc d'Arcy", {"player.py": disguised(left)}),
        ("Søren Ødegård", bot("bot.js", "centre", "my bot.js")),
        ("山田 花子", bot("bot.js", "zigzag", "src/index.js", helper=True, package_json=NODE)),
        ("Anna Müller", bot("Bot.java", "left")),
        ("Jürgen Groß", bot("Bot.java", "low", helper=True)),
        ("Αλέξανδρος Παπάς", bot("Bot.java", "high", "Spielzüge größer/Bot.java", helper=True)),
        ("Tom Li", bot("bot.c", "right")),
        ("Fatima al-Zahra Haddad", bot("bot.c", "centre", helper=True, Makefile=MAKE)),
        ("김 서연", bot("bot.c", "edges", "bot.cpp")),
        ("İpek Şahin", bot("bot.c", "zigzag", "main.cpp", helper=True)),
        ("Dmytro Шевченко", bot("main.rs", "high")),
        ("Ana-Maria Ionescu", bot("main.rs", "shifted", "src/main.rs", Cargo_toml=CARGO)),
        ("Kwame Mensah", bot("main.go", "low")),
        ("Þóra Jónsdóttir", bot("main.go", "right", helper=True, go_mod="module bot\n\ngo 1.18\n")),
        ("محمد العلي", bot("Bot.cs", "shifted")),
        ("Priya Raman", bot("bot.rkt")),
        ("Siobhán Ní Bhriain", bot("bot.pl", "edges")),
        ("X Æ Lund", bot("bot.sh", "centre")),
        ("Zoltán Kovács", bot("bot.pl", "scattered", "lib/connect four.pl", run_sh=SHELL)),
    ]


def broken_bots(home: Path) -> dict[str, Mapping[str, str | bytes | Link]]:
    """Return the 12 bots that do not work, by what is wrong. ``home`` is the instructor's home."""
    forks = (
        "        while started < 500:\n            started += 1\n            if os.fork() == 0:\n"
        "                time.sleep(20)\n                os._exit(0)\n        grid ="
    )
    wrong = SIMPLE.replace('"move": move', '"move": move + 1')
    asks = SIMPLE.replace("        grid =", forks)
    links = encoded({"bot.py": SIMPLE, "passwd.txt": Link("/etc/passwd"), "home": Link(str(home))})
    outside = zipped(encoded({"../../../evil.py": "print('I am outside')\n", "bot.py": SIMPLE}))
    return {
        "does not compile": {"Bot.java": bot("Bot.java")["Bot.java"].replace(";", "", 1)},
        "waits for a person": {"bot.py": 'name = input("What is your name? ")\n' + SIMPLE},
        "two mains": {"attack.py": wrong, "defence.py": wrong},
        "endless loop": {"bot.py": "while True:\n    pass\n" + SIMPLE},
        "zip bomb": {"homework.zip": bomb()},
        "path outside": {"homework.zip": outside},
        "links to secrets": {
            "bot.tar.gz": tarred(links),
            "more.zip": zipped(links),
            "notes.txt": Link("/etc/passwd"),
        },
        "banner": {"bot.py": 'print("Welcome to Connect Four!", flush=True)\n' + SIMPLE},
        "counts from 1": {"bot.py": wrong},
        "nothing but a PDF": {"report.pdf": "%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\n%%EOF\n"},
        "missing module": {"bot.py": "import numpy_missing\n" + SIMPLE},
        "500 forks": {"bot.py": "import os\nimport time\n\nstarted = 0\n" + asks},
    }


OTHERS = (
    "Ben Carter", "Chloé Martin", "Ivan Horvat", "Lea Fischer", "Omar Farouk", "Nina Petrova",
    "Raj Patel", "Sara Lindqvist", "Tiago Sousa", "Uma Iyer", "Victor Hugo Lima", "Yuki Tanaka",
)  # fmt: skip
"""Names of the students whose bots do not work."""


def students(home: Path | None = None) -> list[Student]:
    """Return the 40 students. ``home`` is the instructor's home folder (default: the user's)."""
    home = home or Path.home()
    snoop = bot("snoop.py")["snoop.py"].replace("HOME_OF_THE_INSTRUCTOR", str(home))
    broken = broken_bots(home).values()
    rows = [*working_bots(), *zip(OTHERS, broken, strict=True), (SNOOP, {"bot.py": snoop})]
    return [
        Student(name, 2_310_401 + 17 * i, encoded(files)) for i, (name, files) in enumerate(rows)
    ]


def make_class(folder: Path, home: Path | None = None) -> list[Student]:
    """Write a folder for each student into a folder, and return the students."""
    made = students(home)
    for student in made:
        for name, content in student.files.items():
            path = folder / student.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Link):
                path.symlink_to(content.target)
            else:
                path.write_bytes(content)
    return made


def plant_secrets(home: Path, download: Path) -> list[str]:
    """Write secrets into a home folder and beside a download, and return all texts to look for."""
    names = (".ssh/id_rsa", "grades.csv", "class/class.toml", "class/students.csv")
    places = [*(home / name for name in names), download.parent / "solutions.txt"]
    secrets = [f"SECRET-{number}-in-{path.stem}" for number, path in enumerate(places)]
    for path, secret in zip(places, secrets, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {secret}\n", encoding="utf-8")
    return [*secrets, NEIGHBOUR_SECRET]


def zipped(files: Files) -> bytes:
    """Return a zip archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            entry, is_link = zipfile.ZipInfo(name), isinstance(content, Link)
            entry.create_system, entry.external_attr = 3, (0o120777 if is_link else 0o100644) << 16
            data = content.target if isinstance(content, Link) else content
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def tarred(files: Files) -> bytes:
    """Return a tar archive with gzip."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for name, content in files.items():
            entry, data = tarfile.TarInfo(name), b""
            if isinstance(content, Link):
                entry.type, entry.linkname = tarfile.SYMTYPE, content.target
            else:
                data, entry.size = content, len(content)
            archive.addfile(entry, io.BytesIO(data))
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


def attachments(student: Student) -> dict[str, bytes]:
    """Return what a student uploads file by file: a program with folders is one archive."""
    files = {name: data for name, data in student.files.items() if isinstance(data, bytes)}
    return {"bot.zip": zipped(files)} if any("/" in name for name in files) else files


def pack_moodle(students: Sequence[Student], target: Path) -> None:
    """Write the archive that Moodle hands out for an assignment.

    The last student also has a text that is no program. Links are left out, because Moodle stores
    none.
    """
    entries: dict[str, bytes] = {}
    for student in students:
        start = f"{student.name.replace('_', ' ')}_{student.number}_assignsubmission_"
        stored = {path: data for path, data in student.files.items() if isinstance(data, bytes)}
        entries |= {f"{start}file/{path}": data for path, data in stored.items()}
    entries[f"{start}onlinetext/onlinetext.html"] = b"<p>Here is my bot.</p>"
    target.write_bytes(zipped(entries))


def pack_canvas(students: Sequence[Student], target: Path) -> None:
    """Write the archive that Canvas hands out for an assignment.

    The first two students are late. The first of those who hand in only ``Bot.java`` did so twice.
    ``TEXT_ONLY`` handed in a text.
    """
    entries: dict[str, bytes] = {f"{canvas_name(TEXT_ONLY)}_99001_text.html": b"<p>Sorry!</p>"}
    again = next((student for student in students if [*student.files] == ["Bot.java"]), None)
    for student in students:
        late = "_LATE" if student in students[:2] else ""
        start = f"{canvas_name(student.name)}{late}_{student.number}"
        for name, data in attachments(student).items():
            shown = "Bot-1.java" if student is again else name
            entries[f"{start}_{878_001 + len(entries)}_{shown}"] = data
    target.write_bytes(zipped(entries))


def canvas_name(name: str) -> str:
    """Return the beginning of the names of a student's files: the last name, then the others."""
    *others, last = name.split()
    return re.sub(r"\W", "", "".join((last, *others))).lower()


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1])
    CLASS = make_class(FOLDER / "plain")
    pack_moodle(CLASS, FOLDER / "moodle.zip")
    pack_canvas(CLASS, FOLDER / "canvas.zip")
