"""The example bots and contests: where they are, what there is, and which files belong together.

A wheel has them in the package ``c4_referee``, and an editable installation uses the folder of the
checkout. ``README.md`` there lists all of them in tables: each row is an example of one or several
files. Files name each other, and the command to try, by paths that begin with ``examples/``.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from c4_protocol.program.errors import UsageError

FOLDER = "examples"
"""Name of the folder with the examples, with which the paths in their files begin."""
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
LINK = re.compile(r"\]\(([^)]*)\)")
PATH = re.compile(rf"\b{FOLDER}/([\w./]*\w)")
SHOWN = 3
"""Number of columns that the list shows. The files themselves say how they are started."""
COMMAND = re.compile(rf"^\W*(c4-referee .*\b{FOLDER}/.*)$", re.MULTILINE)


def example_folder() -> Path:
    """Return the folder with the examples of this installation."""
    installed = Path(__file__).parents[1] / FOLDER
    return installed if installed.is_dir() else Path(__file__).parents[3] / FOLDER


def example_tables() -> list[list[list[str]]]:
    """Return the tables of the examples: lists of rows, which are lists of cells in Markdown."""
    text = (example_folder() / "README.md").read_text(encoding="utf-8")
    return [
        [
            [cell.strip() for cell in line.split("|")[1:-1]]
            for line in table[0].splitlines()
            if not line.startswith("| ---")
        ]
        for table in TABLE.finditer(text)
    ]


def readable_cells(row: list[str]) -> list[str]:
    """Return up to three cells of a row without Markdown. The paths of the files have lines."""
    files, *rest = row[:SHOWN]
    paths = "\n".join(LINK.findall(files)) or files
    return [paths, *(re.sub(r"`|\[|\]\([^)]*\)", "", cell) for cell in rest)]


def example_names() -> list[str]:
    """Return the paths of all examples, without their suffixes."""
    return [str(PurePosixPath(path).with_suffix("")) for paths in _rows() for path in paths]


def files_of_example(name: str | None) -> dict[str, str]:
    """Return the texts of the files of an example, and of those that they name, by their paths.

    The files that were asked for are first. The name may be a path, with or without its suffix and
    its folder, or a folder. ``None`` is all examples. Raises ``UsageError`` for a wrong name.
    """
    wanted = name and name.removeprefix(f"{FOLDER}/").rstrip("/")
    chosen = [paths for paths in _rows() if wanted is None or wanted in _names(paths)]
    if not chosen:
        from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

        near = get_close_matches(str(wanted), sorted(set().union(*map(_names, _rows()))), 1)
        hint = f"did you mean {near[0]}?" if near else "c4-referee example lists all"
        raise UsageError(f"no example {name!r}; {hint}")
    asked = [path for paths in chosen for path in paths]
    texts: dict[str, str] = {}
    todo = list(asked)
    for path in todo:  # the list grows
        if path not in texts:
            texts[path] = (example_folder() / path).read_text(encoding="utf-8")
            if path in asked or path.endswith(".toml"):  # a contest needs the bots that it names
                todo += PATH.findall(texts[path])
    return texts


def command_to_try(texts: Iterable[str]) -> str:
    """Return the first command of the referee that one of the texts names, or ""."""
    return next((found[1] for found in map(COMMAND.search, texts) if found), "")


def _rows() -> Iterator[list[str]]:
    for table in example_tables():
        yield from filter(None, (LINK.findall(row[0]) for row in table))


def _names(paths: list[str]) -> set[str]:
    """Return all names by which the files of a row can be asked for."""
    files = [PurePosixPath(path) for path in paths]
    whole = {path for file in files for path in (file, file.with_suffix(""), file.parent)}
    return {*map(str, whole), *(name for file in files for name in (file.name, file.stem))}
