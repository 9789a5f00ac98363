"""The JSON Schema of everything that is said or written down, for readers in other languages.

``python -m c4_protocol.schema`` writes ``c4_protocol/schemas/*.schema.json``; with ``--check`` it
compares them instead, and fails where they differ.

A reader's schema (``precept``, ``move``) asks for what must be there. A writer's schema
(``event``, ``match_report``, ``standings``) promises every field: records are always written whole.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import WithDefaultSchema

from c4_protocol.events import Event
from c4_protocol.messages import Move, Precept
from c4_protocol.reports import MatchReport, Standings, TournamentReport

FOLDER = Path(__file__).parent / "schemas"
_EVENT = Annotated[
    Event,
    Field(
        discriminator="event",
        title="Event",
        description="One line of a game record; its kind is under `event`.",
    ),
]
_MESSAGES: dict[str, Any] = {"precept": Precept, "move": Move}
_RECORDS: dict[str, Any] = {
    "event": _EVENT,
    "match_report": MatchReport,
    "standings": Standings,
    "tournament_report": TournamentReport,
}


class _Read(GenerateJsonSchema):
    """Without titles that only repeat the names of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Never: the name of a field is its title."""
        return False


class _Written(_Read):
    """Fields with defaults are written too."""

    def field_is_required(self, field: object, total: bool) -> bool:
        """Always."""
        return True

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        """Without the default, which no reader needs."""
        return self.generate_inner(schema["schema"])


def schemas() -> dict[str, dict[str, Any]]:
    """The schemas by name, as the code has them."""
    read = {
        name: TypeAdapter(message).json_schema(schema_generator=_Read)
        for name, message in _MESSAGES.items()
    }
    written = {
        name: TypeAdapter(record).json_schema(schema_generator=_Written, mode="serialization")
        for name, record in _RECORDS.items()
    }
    return {
        name: {"$schema": _Read.schema_dialect} | schema
        for name, schema in (read | written).items()
    }


def texts() -> dict[Path, str]:
    """What the files hold, by where they are."""
    return {
        FOLDER / f"{name}.schema.json": json.dumps(schema, indent=2) + "\n"
        for name, schema in schemas().items()
    }


def stale() -> list[Path]:
    """The files that do not hold what the code says."""
    return [
        path
        for path, text in texts().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m c4_protocol.schema", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if files differ")
    check = parser.parse_args(argv).check
    found = stale()
    for path in found:
        if not check:
            path.write_text(texts()[path], encoding="utf-8")
        sys.stderr.write(f"{path.name} {'is not what the code says' if check else 'written'}\n")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
