#!/usr/bin/env python3
"""Check that the version, the changelog and the tag agree, and print the section of this version.

``.ci/check_release.py v0.2.0`` checks a tag. Without a tag, the section may still be "Unreleased",
and what ``docs/release.md`` tells a maintainer to fill in may still be missing.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

HEADING = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (.+)\n", re.MULTILINE)
QUOTED = re.compile(r"^<!-- lines of (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A page, and the lines that it gets on the day of the first release, in ``docs/release.md``."""


def numbers(version: str) -> list[int]:
    """Return the numbers of a version, so that versions can be compared."""
    return [int(part) for part in version.split(".")]


def is_date(text: str) -> bool:
    """Return whether a text is a day such as 2026-11-22."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def sections(changelog: str) -> list[tuple[str, str, str]]:
    """Return the version, the date and the text of each section, in the order of the file."""
    _, *parts = HEADING.split(changelog)
    return [(parts[i], parts[i + 1], parts[i + 2].strip()) for i in range(0, len(parts), 3)]


def problems_of_text(name: str, text: str) -> Iterator[str]:
    """Return a line if a section, or a heading in it, has no text."""
    if not text or re.search(r"^### .*\s*(?=^###|\Z)", text, re.MULTILINE):
        yield f"CHANGELOG.md: the section {name}, or a heading in it, is empty"


def problems(version: str, changelog: str, tag: str | None) -> Iterator[str]:
    """Return one line for everything that must be changed before this version is released."""
    if tag not in {None, f"v{version}"}:
        yield f"the tag is {tag}, but the version in pyproject.toml is {version}"
    found = sections(changelog)
    if len(found) < changelog.count("\n## "):
        yield "CHANGELOG.md: a heading does not have the form '## [1.2.3] - 2026-11-22'"
    if not found or found[0][0] != version:
        yield f"CHANGELOG.md: the first section must be '## [{version}] - YYYY-MM-DD'"
    for index, (name, day, text) in enumerate(found):
        if not is_date(day) and (index or tag or day != "Unreleased"):
            yield f"CHANGELOG.md: the section {name} needs a date instead of '{day}'"
        yield from problems_of_text(name, text)
    for (newer, *_), (older, *_) in pairwise(found):
        if numbers(newer) <= numbers(older):
            yield f"CHANGELOG.md: {newer} stands before {older}, but the newest comes first"


def missing_parts(settings: str) -> Iterator[str]:
    """Return one line for everything that ``docs/release.md`` tells a maintainer to fill in."""
    if "OWNER" in settings:
        yield "pyproject.toml: replace OWNER by the account that owns the repository"
    quoted = QUOTED.findall(Path("docs/release.md").read_text(encoding="utf-8"))
    for page in sorted({"README.md", "docs/front.md"} - {page for page, _ in quoted}):
        yield f"docs/release.md quotes no lines of {page}"
    for page, lines in quoted:
        present = Path(page).read_text(encoding="utf-8").splitlines()
        for line in lines.splitlines():
            if line not in present:
                yield f"{page} lacks a line that docs/release.md quotes: {line}"


def main() -> int:
    """Print the problems to standard error, or the section of the version to standard output."""
    settings = Path("pyproject.toml").read_text(encoding="utf-8")
    changelog = Path("CHANGELOG.md").read_text(encoding="utf-8")
    tag = sys.argv[1] if sys.argv[1:] else None
    found = [*problems(tomllib.loads(settings)["project"]["version"], changelog, tag)]
    found += missing_parts(settings) if tag else ()
    print(*found or [sections(changelog)[0][2]], sep="\n", file=sys.stderr if found else sys.stdout)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
