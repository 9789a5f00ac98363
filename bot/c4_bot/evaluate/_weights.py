"""Files with the learned weights of a network.

A file begins with a line of JSON: the format, the variant, the shapes of the patterns, how the
weights were made, and the CRC-32 of the weights. The weights follow, compressed by zlib, as one
signed byte each, in the order of ``Patterns``.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path

import orjson
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.variant import Variant

from c4_bot.evaluate._patterns import Patterns, Shape

FORMAT_NAME = "c4-network-1"


@dataclass(frozen=True)
class Weights:
    """Weights of patterns, as signed bytes, and a text that says how they were made."""

    patterns: Patterns
    values: bytes
    made: str


def read(path: Path) -> Weights:
    """Return the weights in a file; raise ``UsageError`` if it is damaged or cannot be read."""
    try:
        return _parsed_weights(path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the weights {path}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, VariantError, zlib.error):
        raise UsageError(f"the weights {path} are damaged") from None


def _parsed_weights(content: bytes) -> Weights:
    """Return the weights in a file's content. If they are damaged, raise one of many errors."""
    line, _, rest = content.partition(b"\n")
    header = orjson.loads(line)
    values = zlib.decompress(rest)
    variant = Variant.parse(header["variant"])
    shapes = tuple(Shape(*shape) for shape in header["shapes"])
    if not all(_fits_on_board(shape, variant) for shape in shapes):
        raise ValueError
    patterns = Patterns(variant, shapes)
    fits = header["format"] == FORMAT_NAME and patterns.size == len(values)
    if not fits or header["crc32"] != zlib.crc32(values):
        raise ValueError
    return Weights(patterns, values, header["made"])


def _fits_on_board(shape: Shape, variant: Variant) -> bool:
    """Return whether a shape fits on the board. Another one may have more weights than memory."""
    has_width = 1 <= shape.columns <= variant.width
    top = shape.rows + shape.slope * (shape.columns - 1)
    return has_width and shape.rows >= 1 and shape.slope >= 0 and top <= variant.height


def packed(weights: Weights) -> bytes:
    """Return the content of a file with these weights."""
    variant = weights.patterns.variant
    header = {
        "format": FORMAT_NAME,
        "variant": f"{variant.size}x{variant.connect}",
        "shapes": [list(shape) for shape in weights.patterns.shapes],
        "made": weights.made,
        "crc32": zlib.crc32(weights.values),
    }
    return orjson.dumps(header) + b"\n" + zlib.compress(weights.values, 9)
