"""Fields of dataclasses, declared once for pydantic and for a reader that does not need pydantic.

A dataclass gives the type of each field, and in ``Annotated`` its bounds (``Constraint``) and other
checks (``Checked``). Pydantic makes the published schemas and the texts of errors from this.
``quick_reader`` makes a reader from the same declaration, because importing pydantic takes 0.1 s.
This is longer than everything else at the start of a bot.

The quick reader never accepts a value that pydantic refuses. It may refuse an unusual value that
pydantic accepts, for example a tuple instead of a list. So a caller that gets ``None`` asks
pydantic.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial
from itertools import chain, islice
from math import nextafter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

RecordType = TypeVar("RecordType")
ValueSequence = Sequence[Any]
ValuesReader = Callable[[ValueSequence], ValueSequence]
"""Function that returns values of one annotation as a record holds them, or raises ``ValueError``.

It takes many values, because the cells of a grid are checked faster together than one by one."""
MAX_CACHED_VALUES = 32
"""Maximum number of cached values of a field."""


class Constraint:
    """Bounds of a value, named as in pydantic's core schemas (``ge``, ``le``, ``max_length``, ...).

    ``kind`` is the type to check instead of the annotated type.
    """

    def __init__(self, kind: type | None = None, **bounds: float) -> None:
        self.kind = kind
        self._bounds = bounds

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> dict[str, Any]:  # noqa: ANN401 - pydantic's types
        """Return pydantic's schema of the value, with the bounds."""
        return {**handler(self.kind or source), **self._bounds}

    def with_check(self, read: ValuesReader) -> ValuesReader:
        """Return a reader that also checks the bounds."""
        minimum, maximum, is_length = self._range_of_values()

        def read_bounded(values: ValueSequence) -> ValueSequence:
            values = read(values)
            for size in {*map(len, values)} if is_length else {*values}:
                if not minimum <= size <= maximum:
                    raise ValueError
            return values

        return read_bounded

    def _range_of_values(self) -> tuple[float, float, bool]:
        """Return the least and the greatest value, and whether they are those of a length."""
        bounds, infinity = self._bounds, float("inf")
        maximum = infinity if bounds.get("allow_inf_nan", True) else sys.float_info.max
        if "gt" in bounds:
            bounds = bounds | {"ge": nextafter(bounds["gt"], infinity)}
        if "lt" in bounds:
            bounds = bounds | {"le": nextafter(bounds["lt"], -infinity)}
        is_length = any(name.endswith("_length") for name in bounds)
        names = ("min_length", "max_length") if is_length else ("ge", "le")
        return bounds.get(names[0], -infinity), bounds.get(names[1], maximum), is_length


class Checked:
    """Function that checks a value after its type was checked, or before that (``before``).

    It returns the value or a replacement, and raises ``ValueError`` for a wrong value.
    """

    def __init__(self, function: Callable[[Any], Any], *, before: bool = False) -> None:
        self._function = function
        self._before = before

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:  # noqa: ANN401 - pydantic's types
        """Return pydantic's schema of the value, with the check."""
        from pydantic_core import core_schema  # noqa: PLC0415 - slow

        if self._before:
            return core_schema.no_info_before_validator_function(self._function, handler(source))
        return core_schema.no_info_after_validator_function(self._function, handler(source))

    def with_check(self, read: ValuesReader) -> ValuesReader:
        """Return a reader that also calls the function."""
        if self._before:
            return lambda values: read([*map(self._function, values)])
        return lambda values: [*map(self._function, read(values))]


def quick_reader(record: type[RecordType]) -> Callable[[Mapping[str, Any]], RecordType | None]:
    """Return a function that makes an instance of a dataclass from a decoded JSON object.

    It returns ``None`` if a value is wrong or unusual, or if a required key is missing. It also
    returns ``None`` for an unknown key, unless ``__pydantic_config__`` says that these are ignored.
    """
    read = _record_reader(record)

    def read_or_none(value: Mapping[str, Any]) -> RecordType | None:
        try:
            return read(value)
        except (KeyError, OverflowError, TypeError, ValueError):
            return None

    return read_or_none


def _record_reader(record: type[RecordType]) -> Callable[[Mapping[str, Any]], RecordType]:
    """Return a function that makes a record, and raises an error for a wrong or unusual object.

    A missing or unhashable value is a ``TypeError``, an unknown key is a ``KeyError``.
    """
    readers = {field.name: _value_reader(field.type) for field in fields(record)}  # type: ignore[arg-type]
    is_known = readers.__contains__
    ignores_unknown = getattr(record, "__pydantic_config__", {}).get("extra") == "ignore"

    def read(value: Mapping[str, Any]) -> RecordType:
        names = filter(is_known, value) if ignores_unknown else value
        return record(**{name: readers[name](value[name]) for name in names})

    return read


def _value_reader(hint: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - annotations have no common type
    """Return a reader of one value. Numbers and texts are cached, because they often repeat.

    Therefore -0.0 may be read as 0.0, which is equal.
    """
    read = _values_reader(hint)

    def read_value(value: Any) -> Any:  # noqa: ANN401 - as above
        return read((value,))[0]

    return lru_cache(MAX_CACHED_VALUES, typed=True)(read_value) if _is_scalar(hint) else read_value


def _is_scalar(hint: Any) -> bool:  # noqa: ANN401 - as above
    if get_origin(hint) is Annotated:
        return _is_scalar(get_args(hint)[0])
    if get_origin(hint) in {Union, UnionType}:
        return all(map(_is_scalar, get_args(hint)))
    return get_origin(hint) is Literal or hint in {bool, int, float, str, NoneType}


def _values_reader(hint: Any) -> ValuesReader:  # noqa: ANN401 - as above
    """Return the reader of values with an annotation."""
    kind = get_origin(hint) or hint
    if kind in _READERS:
        return _READERS[kind](*get_args(hint))
    if is_dataclass(kind):
        read_record = _record_reader(kind)  # type: ignore[arg-type]
        return lambda values: [*map(read_record, _checked_types({dict}, values))]
    return partial(_checked_types, {kind})


def _checked_types(types: set[type], values: ValueSequence) -> ValueSequence:
    """Return the values. Raise ``ValueError`` if the type of one is not among ``types``.

    A derived type is not accepted either. Therefore ``true`` is not a number.
    """
    if not types.issuperset(map(type, values)):
        raise ValueError
    return values


def _float_reader() -> ValuesReader:
    return lambda values: [*map(float, _checked_types({int, float}, values))]


def _annotated_reader(annotated: Any, *checks: Constraint | Checked) -> ValuesReader:  # noqa: ANN401 - as above
    kinds = [check.kind for check in checks if isinstance(check, Constraint) and check.kind]
    read = _values_reader((*kinds, annotated)[0])
    for check in checks:
        read = check.with_check(read)
    return read


def _choice_reader(*choices: str) -> ValuesReader:
    known = {*choices}

    def read(values: ValueSequence) -> ValueSequence:
        if not known.issuperset(_checked_types({str}, values)):
            raise ValueError
        return values

    return read


def _optional_reader(annotated: Any, _: None) -> ValuesReader:  # noqa: ANN401 - as above
    read_others = _values_reader(annotated)

    def read(values: ValueSequence) -> ValueSequence:
        if None not in values:
            return read_others(values)
        return [value if value is None else read_others((value,))[0] for value in values]

    return read


def _list_reader(kind: type, item: Any, *_: Any) -> ValuesReader:  # noqa: ANN401 - as above
    read_items = _values_reader(item)

    def read(values: ValueSequence) -> ValueSequence:
        items = [*chain.from_iterable(_checked_types({list, kind}, values))]
        read_all = read_items(items)
        if read_all is items and kind is list:
            return values
        rest = iter(read_all)
        return [kind(islice(rest, len(value))) for value in values]

    return read


def _table_reader(key: Any, value: Any) -> ValuesReader:  # noqa: ANN401 - as above
    read_keys, read_values = _values_reader(key), _values_reader(value)

    def read(values: ValueSequence) -> ValueSequence:
        return [
            dict(zip(read_keys([*table]), read_values([*table.values()]), strict=True))
            for table in _checked_types({dict}, values)
        ]

    return read


_READERS: dict[Any, Callable[..., ValuesReader]] = {
    Annotated: _annotated_reader,
    Literal: _choice_reader,
    Union: _optional_reader,
    UnionType: _optional_reader,
    dict: _table_reader,
    float: _float_reader,
    list: partial(_list_reader, list),
    tuple: partial(_list_reader, tuple),
}
"""Functions that make a reader from the arguments of an annotation, by its kind."""
