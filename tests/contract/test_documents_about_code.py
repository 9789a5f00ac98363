"""Files, folders, decorators and commands that documents name exist."""

import re
from functools import cache
from pathlib import Path
from pkgutil import iter_modules

import pytest
from c4_referee import commands

ROOT = Path(__file__).parents[2]
PAGES = (
    "ARCHITECTURE.md", "CONTRIBUTING.md", "bot/README.md", "bot/native/README.md",
    "protocol/README.md", "referee/README.md", "docs/rebuild.md",
)  # fmt: skip
PATH = re.compile(r"(?:\.\.\./)?([\w.-]+/[\w./-]*)")
MADE_LATER = ("build/", "c4-arena/", "feedback/", "runs/", "site/", ".venv/")
"""Beginnings of paths that a command or a run makes."""


@cache
def paths() -> str:
    """Return the paths of all files and folders here, each between slashes."""
    tops = ("bot", "referee", "protocol", "tests", "docs", "examples", ".ci", ".github")
    found = (path for top in tops for path in (ROOT / top).rglob("*"))
    return "".join(f"/{path.relative_to(ROOT)}/\n" for path in found)


@pytest.mark.parametrize("name", PAGES)
def test_files_and_decorators_are_there(name):
    """Each code span that is a path, or a decorator, names one of this project."""
    page = (ROOT / name).read_text(encoding="utf-8")
    for span in re.findall(r"`([^`\s]+)`", re.sub(r"```.*?```", "", page, flags=re.DOTALL)):
        path = PATH.fullmatch(span)
        if path and not path[1].startswith(MADE_LATER):
            assert f"/{path[1].rstrip('/')}/" in paths(), span
        if span.startswith("@"):
            sources = (ROOT / home for home in ("bot/c4_bot", "referee/c4_referee"))
            texts = (
                file.read_text(encoding="utf-8") for home in sources for file in home.rglob("*.py")
            )
            assert any(re.search(rf"^\s*{span}\b", text, re.MULTILINE) for text in texts), span


def test_table_of_the_referees_commands():
    """The table in the referee's README has each command, once."""
    page = (ROOT / "referee/README.md").read_text(encoding="utf-8")
    names = [module.name for module in iter_modules(commands.__path__)]
    public = sorted(name.rstrip("_") for name in names if not name.startswith("_"))
    assert sorted(re.findall(r"^\| `c4-referee (\w+)`", page, re.MULTILINE)) == public
