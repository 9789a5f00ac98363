"""Values of many kinds, to pass to public functions as arguments that may be wrong."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
from c4_protocol import Board, Variant


class Index:
    """A number of another library: Python accepts it as an index."""

    def __index__(self) -> int:
        return 3


class Unprintable:
    """An object whose ``repr`` fails."""

    def __repr__(self) -> str:
        raise RuntimeError


def _endless_list() -> list[object]:
    """Return a list that contains itself."""
    endless: list[object] = []
    endless.append(endless)
    return endless


VALUES: Mapping[str, object] = {
    **{repr(number): number for number in (None, True, 0, 1, 3, -2, 10**30, 1.5, 1j)},
    **{repr(text): text for text in ("", "x", "3", "\0", "\ud800", "a\nb", b"\xff", "line8")},
    **{repr(value): value for value in ([], [1, 2], (3, 3), {}, {"grid": []}, {1}, range(3))},
    **{f"{value}": value for value in (float("nan"), float("inf"), Fraction(1, 2), Decimal(1))},
    "huge number": 10**5000,
    "long text": "4" * 10_000,
    "class": int,
    "path": Path("x"),
    "variant": Variant(),
    "board": Board(),
    "bytearray": bytearray(b"x"),
    "index": Index(),
    "list of indexes": [[Index()]],
    "unprintable": Unprintable(),
    "endless list": _endless_list(),
    "mixed list": [[0, 0], [0, "x"]],
    "numpy integer": np.int64(3),
    "numpy float": np.float32(0.5),
    "numpy boolean": np.True_,
    "array without shape": np.array(3),
    "cell as an array": np.array([3, 3]),
    "grid as an array": np.zeros((7, 6), int),
    "array of fractions": np.zeros((7, 6)),
    "array of texts": np.array(["a"]),
}
"""The values, by names for the output of tests."""
