"""Hand-ins to an open class: the form that a browser sends, and a class with some students."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from c4_referee.classroom.folder import Classroom, opened
from c4_referee.classroom.open import inbox
from c4_referee.classroom.open.links import enlist_class

BOT = """\
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": [x for x in range(7) if grid[x][0] == 0][%s]}), flush=True)
"""
"""Bot in Python that plays the free column with an index."""
LINE = "----c4\r\n"
FORM = {"Content_Type": "multipart/form-data; boundary=--c4", "Sec_Fetch_Site": "same-origin"}
"""Headers of a form."""


def form(*files: tuple[str, bytes], **fields: str) -> bytes:
    """Return the body of a form with files, and with other fields."""
    parts = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()
        for name, value in fields.items()
    ]
    for name, data in files:
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n'
        parts.append(f"{head}Content-Type: text/x-python\r\n\r\n".encode() + data)
    return b"".join(LINE.encode() + part + b"\r\n" for part in parts) + b"----c4--\r\n"


@contextmanager
def open_room(
    folder: Path, *names: str, settings: str = "", listed: str = ""
) -> Iterator[Classroom]:
    """Yield an open class with students of these names, or with a list of the class."""
    if not (folder / "students.csv").exists():
        (folder / "class.toml").write_text(f'{settings}\nopenings = "random:6"\n', encoding="utf-8")
        rows = listed or "Name,Email\n" + "".join(f"{name},{name}@x.org\n" for name in names)
        (folder / "students.csv").write_text(rows, encoding="utf-8")
    with opened(folder, sandboxed=False) as room:
        enlist_class(room)
        inbox.prepare(folder)
        yield room


def alias_of(room: Classroom, name: str) -> str:
    """Return the alias of a student's bot."""
    return next(each.alias for each in room.register.students if each.name == name)


def hand_in(room: Classroom, alias: str, *files: tuple[str, bytes], **keys: object) -> None:
    """Hand in files for a bot, as the server does."""
    values = {"alias": alias, "time": "2026-11-23 10:00", "names": [name for name, _ in files]}
    inbox.put(room.folder, inbox.HandIn(**values | keys), [data for _, data in files])
