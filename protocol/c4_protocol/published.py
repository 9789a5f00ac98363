"""The published JSON Schemas, as files of the package. ``c4_protocol.schema`` makes them."""

from pathlib import Path

FOLDER = Path(__file__).parent / "schemas"


def schema_text(name: str) -> str:
    """Return the published schema with this name, such as ``precept``, with a line ending."""
    return (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
