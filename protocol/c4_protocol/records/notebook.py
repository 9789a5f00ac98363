"""HTML of records for notebooks.

Packages that can show records provide functions through entry points. So this package does not
need them, and a record shows itself as text if none is installed.
"""

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Literal, cast

ENTRY_POINT_GROUP = "c4_arena.notebook"
"""Group of the entry points. Each is a function that takes a record and returns HTML."""
RecordKind = Literal["game", "match", "tournament", "standings"]
"""Name of an entry point: the kind of record that it shows."""


def find_providers(kind: RecordKind) -> Iterable[EntryPoint]:
    """Return the installed entry points for a kind of record."""
    return entry_points(group=ENTRY_POINT_GROUP, name=kind)


def notebook_html(
    kind: RecordKind,
    record: object,
    find: Callable[[RecordKind], Iterable[EntryPoint]] = find_providers,
) -> str | None:
    """Return a record as HTML, or ``None`` if no installed package can show it."""
    for provider in find(kind):
        return cast(str, provider.load()(record))
    return None
