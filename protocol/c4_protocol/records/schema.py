"""JSON Schemas of messages, events and reports, for programs in other languages.

``pytest --refresh-golden tests/protocol/records`` writes them to ``schemas/*.schema.json``.

In the schemas of messages (``precept``, ``move``, ``solution``) a field is required if a reader
needs it. In the schemas of events and reports every field is required, because all of them are
always written.
"""

import json
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import WithDefaultSchema

from c4_protocol.records.events import (
    ContestProgress,
    ContestStarted,
    GameEvent,
    GameRolledBack,
)
from c4_protocol.records.messages import Move, Precept
from c4_protocol.records.reports import (
    MatchEnded,
    MatchReport,
    Standings,
    TournamentEnded,
    TournamentReport,
)
from c4_protocol.records.solutions import Refused, Solved

SCHEMA_FOLDER = Path(__file__).parents[1] / "schemas"
LINE_END_IN_PARAGRAPH = re.compile(r"(?<!\n)\n(?!\n)")
_EVENT_TYPE = Annotated[
    ContestStarted | GameEvent | GameRolledBack | ContestProgress | MatchEnded | TournamentEnded,
    Field(
        discriminator="event",
        title="Event",
        description="A line that a contest writes. Its key `event` names the kind of event. "
        "`--events` writes games with a result, `live.jsonl` games in progress.",
    ),
]
_SOLUTION_TYPE = Annotated[
    Solved | Refused,
    Field(title="Solution", description="A line that `c4-solve --json` writes."),
]
_MESSAGE_TYPES: dict[str, Any] = {"precept": Precept, "move": Move, "solution": _SOLUTION_TYPE}
_WRITTEN_TYPES: dict[str, Any] = {
    "event": _EVENT_TYPE,
    "match_report": MatchReport,
    "standings": Standings,
    "tournament_report": TournamentReport,
}


class _ReadSchema(GenerateJsonSchema):
    """Generator of schemas without titles that only repeat the names of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Return false: the name of a field is its title."""
        return False


class _WrittenSchema(_ReadSchema):
    """Generator of schemas in which fields with defaults are required too."""

    def field_is_required(self, field: object, total: bool) -> bool:
        """Return true."""
        return True

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        """Return the schema without the default, which no reader needs."""
        return self.generate_inner(schema["schema"])


def generated_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by name, generated from the code."""
    read = {
        name: TypeAdapter(message).json_schema(schema_generator=_ReadSchema)
        for name, message in _MESSAGE_TYPES.items()
    }
    written = {
        name: TypeAdapter(record).json_schema(schema_generator=_WrittenSchema, mode="serialization")
        for name, record in _WRITTEN_TYPES.items()
    }
    return {
        name: {"$schema": _ReadSchema.schema_dialect} | _with_unwrapped_text(schema)
        for name, schema in (read | written).items()
    }


def _with_unwrapped_text(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with each paragraph of its descriptions on one line."""

    def unwrap_description(value: dict[str, Any]) -> dict[str, Any]:
        if isinstance(text := value.get("description"), str):
            value["description"] = LINE_END_IN_PARAGRAPH.sub(" ", text)
        return value

    unwrapped: dict[str, Any] = json.loads(json.dumps(schema), object_hook=unwrap_description)
    return unwrapped


def expected_files() -> dict[Path, str]:
    """Return the paths of the files and the texts that they should contain."""
    return {
        SCHEMA_FOLDER / f"{name}.schema.json": json.dumps(schema, indent=2) + "\n"
        for name, schema in generated_schemas().items()
    }
