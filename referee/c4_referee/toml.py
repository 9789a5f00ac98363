"""TOML files of people's own: read, checked by pydantic, and what is wrong is one line."""

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from c4_protocol.errors import UsageError
from c4_protocol.messages import first_problem
from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)


def check_no_nul(*texts: str) -> None:
    """Raises ``ValueError`` for what the system takes neither as a path nor as an argument."""
    if any("\0" in text for text in texts):
        raise ValueError("there is a NUL in it")


def read_toml(path: str | Path, what: str) -> dict[str, Any]:
    """The document of a file, of ``what`` for people; raises ``UsageError``."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        hint = ": a text is put in quotes" if "Invalid value" in str(error) else ""
        raise UsageError(f"cannot read {what} of {path}: {error}{hint}") from None


def checked(model: type[Model], values: dict[str, Any], place: str, root: str = "") -> Model:
    """The model of these values.

    Raises ``UsageError``: the ``place``, the key that is wrong below ``root``, what was expected.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise UsageError(f"{place}: {_explained(error, model, root)}") from None


def _explained(error: ValidationError, model: type[BaseModel], root: str) -> str:
    """The first thing that is wrong: rather a key that is not known, and the one that is meant.

    What is missing is missing because of it, more often than not.
    """
    unknown = [one for one in error.errors(include_url=False) if one["type"] == "extra_forbidden"]
    if not unknown:
        return first_problem(error, root)
    key = str(unknown[0]["loc"][-1])
    near = get_close_matches(key, model.model_fields, 1)
    known = f"did you mean {near[0]}?" if near else f"there are {', '.join(model.model_fields)}"
    return f"{f'{root}.{key}'.lstrip('.')}: no such key: {known}"
