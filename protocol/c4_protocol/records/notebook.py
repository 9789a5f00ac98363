"""HTML of records for notebooks.

Packages that can show records provide functions through entry points. So this package does not
need them, and a record shows itself as text if none is installed.
"""

from importlib.metadata import entry_points
from typing import Literal, cast

ENTRY_POINT_GROUP = "c4_arena.notebook"
"""Group of the entry points. Each is a function that takes a record and returns HTML."""
RecordKind = Literal["game", "match", "tournament", "standings"]
"""Name of an entry point: the kind of record that it shows."""


def notebook_html(kind: RecordKind, record: object) -> str | None:
    """Return a record as HTML, or ``None`` if no installed package can show it."""
    for provider in entry_points(group=ENTRY_POINT_GROUP, name=kind):
        return cast(str, provider.load()(record))
    return None
