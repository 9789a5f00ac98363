"""The result of grading a bot: what ``grade.py`` makes, and what ``writers`` and pages read."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GradedLine:
    """Points for one line of a rubric.

    ``name`` says what is wanted, and differs from the names of all other lines. ``reason`` is a
    sentence that says what was found, and ``passed`` is true for full points.
    """

    name: str
    points: float
    max_points: float
    passed: bool
    reason: str


@dataclass(frozen=True)
class Grade:
    """Points for a bot, line by line. The same ``seed`` gives the same games.

    ``margin`` is the larger half of the 95% interval of the points, for a bot whose moves vary. It
    is 0 for a bot that plays the same games again: its points are exact.
    """

    bot: str
    lines: tuple[GradedLine, ...]
    seed: int = 0
    seconds: float = 0.0
    margin: float = 0.0

    @property
    def points(self) -> float:
        """Sum of the points of all lines."""
        return sum(line.points for line in self.lines)

    @property
    def total(self) -> str:
        """The points and their margin as a text, such as ``70 ± 9.5``."""
        return f"{self.points:g}{f' ± {self.margin:g}' if self.margin else ''}"

    @property
    def max_points(self) -> float:
        """Sum of the maximum points of all lines."""
        return sum(line.max_points for line in self.lines)
