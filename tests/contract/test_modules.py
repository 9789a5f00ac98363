"""Tests reach every module, without a list of modules that is kept by hand."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("c4_bot.evaluate", "c4_bot.search", "c4_protocol.dialects", "c4_referee.records.formats",
           "c4_referee.contest.schedule")  # fmt: skip
"""Folders whose modules the program finds by itself. The contract tests run each public one."""
MODULES = {
    ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for folder in ROOT.glob("*/c4_*")
    for path in folder.rglob("*.py")
}
"""Paths of all modules by name."""


def mentioned(path: Path) -> Iterator[str]:
    """Yield the names that a file imports, and the words of its texts."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (module, *(f"{module}.{alias.name}" for alias in names))
            case ast.Constant(value=str(text)):
                yield from text.split()


def test_every_module_is_reached_from_a_test():
    """A test imports each module or names it in a text, or a module that is reached imports it."""
    known = {name for path in ROOT.glob("tests/**/*.py") for name in mentioned(path)}
    reached = {
        name
        for name in MODULES
        for folder, _, stem in [name.rpartition(".")]
        if {name, stem.rstrip("_"), stem.replace("_", "-")} & known
        or (folder in FOLDERS and not stem.startswith("_"))
    }
    todo = [*reached]
    while todo:
        name = todo.pop()
        words = {name.rpartition(".")[0], *mentioned(MODULES[name])}
        found = ((words | {f"{name}.{word}" for word in words}) & {*MODULES}) - reached
        reached |= found
        todo += found
    assert {name for name in {*MODULES} - reached if not name.endswith("__main__")} == set()
