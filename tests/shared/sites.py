"""Links of a folder of pages."""

import re
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

PLY = re.compile("[0-9]+([rb][0-9]+)?")
"""Pattern of a fragment that the script of a game page understands."""


@dataclass
class Page(HTMLParser):
    """Addresses, names of places, texts and elements of a page."""

    addresses: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)
    elements: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Keep the addresses and names of an element."""
        self.elements.append(tag)
        for name, value in attributes:
            assert not name.startswith("on"), f"an inline handler: {name}"
            if name in {"href", "src"}:
                self.addresses.append(value or "")
            if name == "id":
                self.places.add(value or "")

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.texts.append(data)


@cache
def read_page(path: Path) -> Page:
    """Return the page in a file."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def broken_links(site: Path) -> list[str]:
    """Return all links of a site that lead nowhere, or out of it."""
    read_page.cache_clear()
    return [
        f"{path.relative_to(site)}: {address}"
        for path in sorted(site.rglob("*.html"))
        for address in read_page(path).addresses
        if not _leads_somewhere(site, path, address)
    ]


def _leads_somewhere(site: Path, path: Path, address: str) -> bool:
    if address.startswith("data:"):  # the page itself contains what it shows
        return True
    name, _, place = address.partition("#")
    target = (path.parent / name).resolve() if name else path
    if ":" in name or not target.is_relative_to(site.resolve()) or not target.is_file():
        return False
    is_ply = target.parent.name == "games" and PLY.fullmatch(place) is not None
    return not place or is_ply or place in read_page(target).places
