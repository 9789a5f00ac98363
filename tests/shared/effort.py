"""How much is tested: a sample, or everything with ``ARENA_TESTS=thorough`` in the environment."""

import os
from collections.abc import Collection, Iterable, Sequence

import pytest
from hypothesis import settings

THOROUGH = os.environ.get("ARENA_TESTS") == "thorough"
"""True if the environment asks for thorough tests, as ``.ci/weekly`` does."""
PART, FEWEST = 10, 5
"""One example in ``PART`` is tried if tests are not thorough, but at least ``FEWEST``."""


def examples(number: int) -> settings:
    """Return the hypothesis settings of a test with ``number`` examples in thorough tests."""
    part = number if THOROUGH else max(number // PART, FEWEST)
    return settings(max_examples=min(number, part), deadline=None)


def sampled(values: Iterable[object], sample: Collection[object]) -> list[object]:
    """Return values for ``parametrize``. Only thorough tests try those outside of the sample."""
    values = list(values)
    assert all(value in values for value in sample)
    return [value if value in sample else _weekly(value) for value in values]


def one_in(part: int, values: Iterable[object]) -> list[object]:
    """Return values for ``parametrize``. The sample has the first of each ``part`` values."""
    return [_weekly(value) if i % part else value for i, value in enumerate(values)]


def pairs(rows: Sequence[object], columns: Sequence[object]) -> list[object]:
    """Return all pairs for ``parametrize``. A sample has each row and each column at least once."""
    size = max(len(rows), len(columns))
    sample = {(rows[i % len(rows)], columns[i % len(columns)]) for i in range(size)}
    return sampled(((row, column) for row in rows for column in columns), sample)


def _weekly(value: object) -> object:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.weekly)
