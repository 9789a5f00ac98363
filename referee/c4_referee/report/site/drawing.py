"""Style and files of the pictures for papers.

Matplotlib draws them. It is an optional dependency (``pip install 'c4-arena[plots]'``) and is
imported only when a picture is drawn. Each picture is written as SVG, with text that remains text,
and as PNG with 300 dots per inch. The same data give the same files.
"""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.program.errors import UsageError

from c4_referee.system.safe_files import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MISSING = "pictures need matplotlib: pip install 'c4-arena[plots]'"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Colours that people with colour blindness can distinguish (Okabe and Ito 2008)."""
GREY = "#767676"
WIDTH = 6.0
"""Width of a picture in inches."""
FOLDER = "plots"
"""Name of the folder of pictures."""
STYLE: dict[str, Any] = {
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.size": 9,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "savefig.dpi": 300,
    "svg.fonttype": "none",
    "svg.hashsalt": "c4-arena",
    "text.parse_math": False,
}

File = tuple[str, bytes]
"""Name or path of a file, and its contents."""


def check_installed() -> None:
    """Raise ``UsageError`` if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise UsageError(MISSING)


@contextmanager
def drawing(width: float, height: float) -> Iterator["Figure"]:
    """Context manager for a new picture with our style. ``width`` and ``height`` are in inches.

    Raises ``UsageError`` if matplotlib is not installed.
    """
    check_installed()
    from matplotlib import style  # noqa: PLC0415 - optional, and takes half a second
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional

    # The default style is listed first, because the user may have a style of their own.
    with style.context(["default", STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from")  # names in any script
        yield Figure((width, height))


def picture_files(figure: "Figure", name: str) -> Iterator[File]:
    """Generate ``name.svg`` and ``name.png`` of a picture, without dates."""
    for kind, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {"Software": None})):
        data = BytesIO()
        figure.savefig(data, format=kind, metadata=metadata)
        yield f"{name}.{kind}", data.getvalue()


def write_pictures(folder: Path, pictures: Iterable[File]) -> None:
    """Write pictures into the folder ``plots`` in ``folder``."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for name, data in pictures:
        replace_file(folder / FOLDER / name, data)
