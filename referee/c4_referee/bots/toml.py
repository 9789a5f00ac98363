"""Functions that read TOML files of users and check them, with errors of one line."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.exit_codes import unencodable_text

from c4_referee.system.safe_files import MAX_WRITTEN_BYTES, read_file

ModelType = TypeVar("ModelType")
UNKNOWN_KEY_ERRORS = {"extra_forbidden", "unexpected_keyword_argument"}
"""Names of pydantic's error for a key that a model or a dataclass lacks."""


def check_system_texts(*texts: str) -> None:
    """Raise ``ValueError`` for a text that cannot be a path or an argument on this system."""
    if any("\0" in text for text in texts):
        raise ValueError("there is a NUL character in it")
    try:
        for text in texts:
            os.fsencode(text)
    except UnicodeEncodeError as error:
        raise ValueError(unencodable_text(error)) from None


def checked_text(text: str, parse: Callable[[str], object]) -> str:
    """Return the text if ``parse`` accepts it, or raise ``ValueError``.

    ``parse`` raises ``ArenaError`` for a text that it does not accept.
    """
    try:
        parse(text)
    except ArenaError as error:
        raise ValueError(str(error)) from None
    return text


def read_toml(path: str | Path, what: str) -> dict[str, Any]:
    """Return the content of a TOML file, or raise ``UsageError``, which calls it ``what``."""
    import tomllib  # noqa: PLC0415 - a worker does not need it

    try:
        data = read_file(path, MAX_WRITTEN_BYTES, may_be_stream=True)
        return tomllib.loads(data.decode("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"cannot read {what}: there is no file {path}") from None
    except OSError as error:
        raise UsageError(f"cannot read {what} of {path}: {error.strerror}") from None
    except RecursionError:
        raise UsageError(f"cannot read {what} of {path}: too many nested brackets") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read {what} of {path}: it is not UTF-8 text: {error}") from None
    except ValueError as error:
        hint = ": put a text in quotes" if "Invalid value" in str(error) else ""
        raise UsageError(f"cannot read {what} of {path}: {error}{hint}") from None


def checked_values(
    model: type[ModelType],
    values: dict[str, Any],
    source: str,
    root: str = "",
    hints: Mapping[str, str] = MappingProxyType({}),
) -> ModelType:
    """Return an instance of ``model`` with these values.

    ``hints`` has advice for wrong keys that users often write. Raises ``UsageError``, which names
    the ``source`` (a file or a bot), the wrong key below ``root``, and what was expected.
    """
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 - it takes 0.1 s

    try:
        return TypeAdapter(model).validate_python(values)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        unknown = [problem for problem in problems if problem["type"] in UNKNOWN_KEY_ERRORS]
        if not unknown:
            from c4_protocol.records.validation import first_problem  # noqa: PLC0415 - as above

            raise UsageError(f"{source}: {first_problem(error, root)}") from None
        # If a key is misspelt, it is unknown, and the right key is missing.
        from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

        key = str(unknown[0]["loc"][-1])
        fields = [name for name in get_type_hints(model) if not name.startswith("__")]
        hint = f"the keys are {', '.join(fields)}"
        if near := get_close_matches(key.lower(), [*hints, *fields], 1):
            hint = hints.get(near[0], f"did you mean {near[0]}?")
        place = f"{root}.{key}".lstrip(".")
        raise UsageError(f"{source}: {place}: no such key: {hint}") from None
