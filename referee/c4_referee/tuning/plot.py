"""Lines, bands and dots of a plot, as SVG path data for the report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """The area of a plot, with x from 1 to ``last`` and y from 0 to ``top``.

    ``width`` and ``height`` are in SVG units. Values above ``top`` are drawn at the top.
    """

    last: int
    top: float
    width: float = 300.0
    height: float = 180.0

    def line(self, values: Sequence[float | None]) -> str:
        """Return the path of a line through values at x = 1, 2 and so on. ``None`` is a gap."""
        parts: list[str] = []
        pen = "M"
        for x, value in enumerate(values, 1):
            if value is not None:
                parts.append(pen + self._point(x, value))
            pen = "M" if value is None else "L"
        return "".join(parts)

    def band(self, low: Sequence[float], high: Sequence[float]) -> str:
        """Return the closed path between two lines."""
        points = [*enumerate(high, 1), *reversed([*enumerate(low, 1)])]
        return "M" + "L".join(self._point(*point) for point in points) + "Z"

    def dots(self, points: Iterable[Point]) -> str:
        """Return a path with one dot for each distinct point. The path needs round line caps."""
        return "".join(f"M{point}h0" for point in dict.fromkeys(self._point(*p) for p in points))

    @property
    def marks(self) -> list[tuple[float, float, str]]:
        """Labels of the scale at the left: x and y of each in SVG units, and its text."""
        values = (0, self.top / 2, self.top)
        return [(-4, round(self._y(value) + 4, 1), f"{value:g}") for value in values]

    def _point(self, x: float, y: float) -> str:
        across = (x - 1) / max(1, self.last - 1) * self.width
        return f"{across:.1f} {self._y(y):.1f}"

    def _y(self, value: float) -> float:
        return self.height * (1 - min(value, self.top) / self.top)
