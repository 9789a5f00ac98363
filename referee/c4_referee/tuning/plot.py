"""Lines, bands and dots as the path data of SVG: just what the report draws."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """A plot so many units wide and high, of x from 1 to ``last`` and y from 0 to ``top``.

    What lies above is drawn at the top.
    """

    last: int
    top: float
    width: float = 300.0
    height: float = 180.0

    def line(self, values: Sequence[float | None]) -> str:
        """The path of values at x = 1, 2, ...; a value that is not there leaves a gap."""
        parts: list[str] = []
        pen = "M"
        for x, value in enumerate(values, 1):
            if value is not None:
                parts.append(pen + self._place(x, value))
            pen = "M" if value is None else "L"
        return "".join(parts)

    def band(self, low: Sequence[float], high: Sequence[float]) -> str:
        """The closed path between two lines."""
        back = [(x, value) for x, value in enumerate(low, 1)][::-1]
        there = [(x, value) for x, value in enumerate(high, 1)]
        return "M" + "L".join(self._place(*point) for point in there + back) + "Z"

    def dots(self, points: Iterable[Point]) -> str:
        """A path that is nothing but dots, where line ends are round; each place once."""
        return "".join(f"M{place}h0" for place in dict.fromkeys(self._place(*p) for p in points))

    @property
    def marks(self) -> list[tuple[float, float, str]]:
        """Places for a scale at the left: x, y and what is written there."""
        values = (0, self.top / 2, self.top)
        return [(-4, round(self._y(value) + 4, 1), f"{value:g}") for value in values]

    def _place(self, x: float, y: float) -> str:
        across = (x - 1) / max(1, self.last - 1) * self.width
        return f"{across:.1f} {self._y(y):.1f}"

    def _y(self, value: float) -> float:
        return self.height * (1 - min(value, self.top) / self.top)
