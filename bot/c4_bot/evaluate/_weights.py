"""Files with the learned weights of a network.

A file begins with a line of JSON: the format, the variant, the shapes of the patterns, how the
weights were made, and the CRC-32 of the weights. The weights follow, compressed by zlib, as one
signed byte each, in the order of ``Patterns``.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path

import orjson
from c4_protocol.errors import UsageError, VariantError
from c4_protocol.variant import Variant

from c4_bot.evaluate._patterns import Patterns, Shape

FORMAT = "c4-network-1"


@dataclass(frozen=True)
class Weights:
    """Weights of patterns, as signed bytes, and a text that says how they were made."""

    patterns: Patterns
    values: bytes
    made: str


def read(path: Path) -> Weights:
    """Return the weights in a file; raise ``UsageError`` if it is damaged or cannot be read."""
    try:
        line, _, packed = path.read_bytes().partition(b"\n")
        header = orjson.loads(line)
        values = zlib.decompress(packed)
        shapes = tuple(Shape(*shape) for shape in header["shapes"])
        patterns = Patterns(Variant.parse(header["variant"]), shapes)
        known = header["format"] == FORMAT and header["crc32"] == zlib.crc32(values)
        if not known or patterns.size != len(values):
            raise ValueError
        return Weights(patterns, values, header["made"])
    except OSError as error:
        raise UsageError(f"cannot read the weights {path}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, VariantError, zlib.error):
        raise UsageError(f"the weights {path} are damaged") from None


def packed(weights: Weights) -> bytes:
    """Return the content of a file with these weights."""
    variant = weights.patterns.variant
    header = {
        "format": FORMAT,
        "variant": f"{variant.size}x{variant.connect}",
        "shapes": [list(shape) for shape in weights.patterns.shapes],
        "made": weights.made,
        "crc32": zlib.crc32(weights.values),
    }
    return orjson.dumps(header) + b"\n" + zlib.compress(weights.values, 9)
