"""Checks of messages by pydantic, with errors that are one line."""

from functools import cache

from pydantic import TypeAdapter, ValidationError

from c4_protocol.program.errors import ProtocolError
from c4_protocol.records.messages import Precept


def check_precept(line: bytes) -> Precept:
    """Return the precept of a line of JSON; raise ``ProtocolError`` with the first problem."""
    try:
        return _precept_adapter().validate_json(line)
    except ValidationError as error:
        raise ProtocolError(first_problem(error)) from None


@cache
def _precept_adapter() -> TypeAdapter[Precept]:
    return TypeAdapter(Precept)


def first_problem(error: ValidationError, root: str = "") -> str:
    """Return one line: the path and text of the first error, and the number of other errors.

    The path is ``root``, followed by the keys and indexes that lead to the wrong value.
    """
    first, *more = error.errors(include_url=False)
    place = root + "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
    )
    problem = first["msg"].removeprefix("Value error, ")  # pydantic puts it before our own messages
    text = f"{place.lstrip('.')}: {problem[0].lower()}{problem[1:]}".removeprefix(": ")
    return text + (f" (and {len(more)} more)" if more else "")
