"""Run a benchmark, or list all of them.

    python tests/bench/run.py
    python tests/bench/run.py NAME [ARGUMENT ...]
    python tests/bench/run.py --against PYTHON [--rounds N] NAME [ARGUMENT ...]

With --against, the same program also runs under another Python, for example that of a virtual
environment with another version of the project. Both take turns. The tables then show ratios: each
figure of this Python divided by that of the other one, as the median over the rounds. README.md in
this folder has the last figures.
"""

import argparse
import ast
import inspect
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import _shared

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("[!_]*.py") if path.name != Path(__file__).name)

Shown = dict[str, Any]
"""A table as ``_shared.show`` prints it in JSON."""


def description(name: str) -> str:
    """Return the docstring of a benchmark, without importing it."""
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse(text)) or ""


def listing() -> str:
    """Return the names of all benchmarks with their summaries, one on each line."""
    width = max(map(len, NAMES))
    return "".join(f"{name:{width}}  {description(name).splitlines()[0]}\n" for name in NAMES)


def parser_of(name: str, main: Callable[..., object]) -> argparse.ArgumentParser:
    """Return the parser of a benchmark's arguments, made from the signature of its ``main``.

    Keyword-only parameters become options. The others become positional arguments.
    """
    parser = argparse.ArgumentParser(
        prog=f"run.py {name}",
        description=f"{description(name)}\n\n{main.__doc__}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for one in inspect.signature(main).parameters.values():
        if one.kind is one.VAR_POSITIONAL:
            parser.add_argument(one.name, nargs="*", type=one.annotation)
        elif one.kind is not one.KEYWORD_ONLY:
            optional = {} if one.default is one.empty else {"nargs": "?", "default": one.default}
            parser.add_argument(one.name, type=one.annotation, **optional)
        elif one.annotation is bool:
            parser.add_argument(f"--{one.name.replace('_', '-')}", action="store_true")
        else:
            option = f"--{one.name.replace('_', '-')}"
            parser.add_argument(option, type=one.annotation, default=one.default)
    return parser


def run(name: str, words: Sequence[str]) -> int:
    """Run a benchmark with the arguments of its command line, and return its exit code."""
    main = import_module(name).main
    given = vars(parser_of(name, main).parse_args(words))
    ordered: list[object] = []
    for one in inspect.signature(main).parameters.values():
        if one.kind is one.VAR_POSITIONAL:
            ordered += given.pop(one.name)
        elif one.kind is not one.KEYWORD_ONLY:
            ordered.append(given.pop(one.name))
    return main(*ordered, **given) or 0


def tables_of(python: str, name: str, words: Sequence[str]) -> list[Shown]:
    """Run a benchmark under another interpreter, and return the tables that it shows."""
    command = [python, __file__, "--json", name, *words]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in lines.splitlines() if line.startswith('{"title"')]


def compare(python: str, rounds: int, name: str, words: Sequence[str]) -> None:
    """Run a benchmark under this interpreter and under another in turns, and show the ratios."""
    runs = [
        [tables_of(each, name, words) for each in (sys.executable, python)] for _ in range(rounds)
    ]
    here, there = zip(*runs, strict=True)
    for ours, theirs in zip(zip(*here, strict=True), zip(*there, strict=True), strict=True):
        columns = {title: form and ".3f" for title, form in ours[0]["columns"].items()}
        one, two = (
            [
                list(zip(*row, strict=True))
                for row in zip(*(each["rows"] for each in tables), strict=True)
            ]
            for tables in (ours, theirs)
        )
        rows = ([*map(_ratio, *cells)] for cells in zip(one, two, strict=True))
        _shared.show(f"here over there, {rounds} rounds: {ours[0]['title']}", columns, rows)


def _ratio(cells: tuple[Any, ...], others: tuple[Any, ...]) -> object:
    """Return the median ratio of two cells.

    A text is returned unchanged. ``None`` is returned if there is no number or a divisor is 0.
    """
    if isinstance(cells[0], str):
        return cells[0]
    if None in (*cells, *others) or 0 in others:
        return None
    return statistics.median(cell / other for cell, other in zip(cells, others, strict=True))


def main() -> int:
    """Run what the command line asks for, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print tables as lines of JSON")
    parser.add_argument("--against", metavar="PYTHON", help="another interpreter to compare with")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5")
    parser.add_argument("name", nargs="?", choices=NAMES, metavar="NAME")
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    options = parser.parse_args()
    _shared.as_json = options.json
    if options.name is None:
        print(listing(), end="")
        return 0
    if options.against:
        compare(options.against, options.rounds, options.name, options.words)
        return 0
    return run(options.name, options.words)


if __name__ == "__main__":
    sys.exit(main())
