"""Every relative link in a document leads to a file, and to a heading where it names one."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "bot/**/*.md", "referee/**/*.md", "protocol/**/*.md")
    for path in ROOT.glob(pattern)
)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([\w.-]+(?:/[\w.-]+)+\.(?:py|md|toml|hpp|cpp|json|html|jinja))`")
PARTS = ("", "bot", "bot/native", "referee", "protocol")
"""Folders from which a document may write a path."""


def links(path: Path) -> list[str]:
    """Return the targets of the links of a document, without those to other sites."""
    text = CODE.sub("", path.read_text(encoding="utf-8"))
    return [target for target in LINK.findall(text) if ":" not in target]


def anchors(path: Path) -> set[str]:
    """Return the names by which links can lead to the headings of a document."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def named(path: Path) -> str:
    """Return the path of a document below the root of the project."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_lead_somewhere(path):
    """No link leads to a file or a heading that does not exist."""
    for target in links(path):
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), f"{named(path)}: there is no {target}"
        if anchor:
            assert anchor in anchors(found), f"{named(path)}: no heading for {target}"


@pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS if path.name != "CHANGELOG.md"], ids=named
)
def test_source_files_that_are_named_exist(path):
    """A path of a source file in the text is that of a file of the project."""
    for name in SOURCE.findall(path.read_text(encoding="utf-8")):
        places = [path.parent, *(ROOT / part for part in PARTS)]
        assert any((place / name).exists() for place in places), f"{named(path)}: no {name}"


def test_links_are_found():
    """The tests above look at documents and links at all."""
    assert {"README.md", "docs/PROTOCOL.md", "bot/README.md"} <= set(map(named, DOCUMENTS))
    assert len(links(ROOT / "docs" / "PROTOCOL.md")) > 10
