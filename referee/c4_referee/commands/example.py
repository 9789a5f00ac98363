"""``c4-referee example``: writes the example bots and contests, which are in every installation."""

import argparse
import shlex
from pathlib import Path
from typing import Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import UsageError

from c4_referee.bots.examples import (
    FOLDER,
    command_to_try,
    example_tables,
    files_of_example,
    readable_cells,
)

EPILOG = """\
examples:
  c4-referee example               lists the examples
  c4-referee example minimal       writes examples/minimal.py
  c4-referee example evening       writes a tournament and its bots
  c4-referee example --out bots    writes all examples to the folder bots

Files that already have this content stay as they are. A file with other
content is never replaced.

Exit code: 0 if the files are there; 1 if it was interrupted; 2 for a wrong
name or a file that cannot be written.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    example = commands.add_parser(
        "example",
        help="list the example bots and contests, or write them to a folder",
        description="List the example bots and contests, or write one of them with all files that\n"
        "it needs, and show the command to try next.",
        epilog=EPILOG,
    )
    example.add_argument(
        "example", metavar="NAME", nargs="?", help="name from the list, or a folder in it"
    )
    example.add_argument(
        "--out",
        metavar="DIR",
        help="folder for the files, which their commands then name (default with NAME: examples); "
        "without NAME, all examples are written",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.example is None and options.out is None:
        _print_list()
        return 0
    folder = FOLDER if options.out is None else _checked_folder(options.out)
    texts = files_of_example(options.example)
    command = command_to_try(texts.values())
    moved = {Path(folder, path): _moved(text, folder) for path, text in texts.items()}
    raise_on_signals()
    _write_files(moved)
    print(*moved, sep="\n")
    if command:
        print(f"\nTry it:\n  {_moved(command, folder)}")
    return 0


def _checked_folder(text: str) -> str:
    """Return the folder without a slash at its end, if command lines can name it as it is."""
    folder = text.rstrip("/")
    if shlex.quote(folder) != folder:
        raise UsageError(
            f"--out: {text!r} is not possible: the examples name their folder in commands, "
            "so say one without blanks and other special characters"
        )
    return folder


def _moved(text: str, folder: str) -> str:
    """Return a text in which commands name another folder of examples."""
    return text.replace(f"{FOLDER}/", f"{folder}/")


def _write_files(files: dict[Path, str]) -> None:
    """Write files, each completely or not at all. Scripts with an interpreter become executable.

    Raises ``UsageError``, before anything is written, if a file with another content is there.
    """
    from c4_referee.system.safe_files import replace_file

    try:
        for path in [path for path, text in files.items() if _is_missing(path, text.encode())]:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, files[path].encode())
            if files[path].startswith("#!"):
                path.chmod(path.stat().st_mode | 0o111)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None


def _is_missing(path: Path, data: bytes) -> bool:
    from c4_referee.system.safe_files import read_regular

    try:
        is_same = read_regular(path) == data
    except FileNotFoundError:
        return True
    if not is_same:
        raise UsageError(
            f"{path} differs from the example: rename it, or say another folder with --out"
        )
    return False


def _print_list() -> None:
    from c4_protocol.terminal.console import SafeConsole
    from rich.table import Table

    console = SafeConsole(highlight=False)
    for head, *rows in example_tables():
        table = Table(*readable_cells(head), box=None, pad_edge=False, header_style="bold")
        for row in rows:
            table.add_row(*readable_cells(row))
        console.print(table, "")
    console.print("c4-referee example NAME writes one of them, with all files that it needs.")
