"""Steps through a game: the position that each key shows, and the screen of a terminal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from c4_protocol.rules.notation import cell_named
from c4_protocol.rules.position import Position, seat_at
from c4_protocol.terminal.paragraphs import Paragraph, fitted_lines, paragraph
from rich.console import Console
from rich.text import Text

from c4_referee.records.stats.solved import Change, GameAnalysis
from c4_referee.report.terminal.replay import (
    LEGEND,
    any_board,
    change_lines,
    headline,
    move_words,
    player_text,
    remark,
)

HELP = "arrows, home, end | d next ? or ?? | r refutation | b better line | q quit"
SHORT_LEGEND = "The value of a column: + wins, 0 draws, - loses."


@dataclass(frozen=True)
class Step:
    """A position of a game, or of a variation of it.

    ``ply`` is the number of moves of the game before it. ``variation`` has the names of moves that
    were not made. The first ``shown`` of them are on the board. ``shown`` is 0 only if there is no
    variation.
    """

    analysis: GameAnalysis
    ply: int
    variation: tuple[str, ...] = ()
    shown: int = 0

    def press(self, key: str) -> "Step":
        """Return the position that a key shows. A key without meaning shows the same position."""
        move = MOVES.get(key)
        return self if move is None else move(self)

    def previous(self) -> "Step":
        """Return the position before this one, in the variation or in the game."""
        if self.shown > 1:
            return replace(self, shown=self.shown - 1)
        return Step(self.analysis, self.ply if self.shown else max(self.ply - 1, 0))

    def next(self) -> "Step":
        """Return the position after this one, if there is one."""
        if self.shown:
            return replace(self, shown=min(self.shown + 1, len(self.variation)))
        return Step(self.analysis, min(self.ply + 1, self.analysis.game.plies))

    def next_change(self) -> "Step":
        """Return the position after the next move that changed the result.

        After the last of these moves, the first one follows again.
        """
        plies = [change.ply + 1 for change in self.analysis.changes]
        after = [ply for ply in plies if ply > self.ply] or plies
        return Step(self.analysis, after[0]) if after else self

    def play_refutation(self) -> "Step":
        """Return the first position of the refutation, or the next position of a variation."""
        return self._play(self.ply, self.change.refutation if self.change else ())

    def play_better_line(self) -> "Step":
        """Return the first position of the better line, or the next position of a variation."""
        return self._play(self.ply - 1, self.change.better_line if self.change else ())

    def _play(self, ply: int, names: tuple[str, ...]) -> "Step":
        """Return the position after the next move of a variation, which begins after ``ply``."""
        if self.shown:
            return self.next()
        return Step(self.analysis, ply, names, 1) if names else self

    @property
    def change(self) -> Change | None:
        """Change that the last move of the game made, or ``None``."""
        return self.analysis.change_at(self.ply - 1)

    def board(self) -> tuple[Position, int | None]:
        """Return the position, and the cell of its last move."""
        game = self.analysis.game
        position, last = game.positions[self.ply], game.last_cell(self.ply)
        for name in self.variation[: self.shown]:
            last = cell_named(position, name)
            position = position.play(last)
        return position, last


MOVES: dict[str, Callable[[Step], Step]] = {
    "left": Step.previous,
    "right": Step.next,
    " ": Step.next,
    "home": lambda step: Step(step.analysis, 0),
    "end": lambda step: Step(step.analysis, step.analysis.game.plies),
    "d": Step.next_change,
    "r": Step.play_refutation,
    "b": Step.play_better_line,
}
"""Action of each key, by the name of the key in ``program.keys``."""


def step_page(step: Step, width: int | None) -> Iterator[Paragraph]:
    """Yield a position: its board, its last move, and the change that this move made."""
    position, last = step.board()
    scores = () if step.shown else step.analysis.scores[step.ply]
    if not scores and any(step.analysis.scores):
        yield paragraph("")  # the row of the values, so that the board stays where it is
    yield from any_board(step.analysis, position, last, scores, width)
    if step.shown:
        text = Text(f"Variation after {step.ply} of {step.analysis.game.plies} moves:")
        for number, name in enumerate(step.variation):
            text.append(" ").append(name, "bold" if number < step.shown else "dim")
        yield Paragraph(text)
        return
    yield Paragraph(move_words(step.analysis, step.ply) if step.ply else Text("The game begins."))
    if said := remark(step.analysis, step.ply - 1) if step.ply else "":
        yield paragraph(said, 2, "dim")
    if step.change:
        yield from change_lines(step.change)
    if step.ply < step.analysis.game.plies:
        value = step.analysis.values[step.ply]
        text = player_text(step.analysis.game, seat_at(step.ply)).append(" is to move")
        yield Paragraph(text if value is None else text.append(f" and {_outcome(value)}"))


def _outcome(value: int) -> str:
    if value == 0:
        return "can draw"
    return f"can win ({value:+d})" if value > 0 else f"loses ({value:+d})"


def screen(console: Console, step: Step) -> Text:
    """Return the whole screen of a terminal: players, board, last move, and help at the bottom.

    The title takes one line, so that the board does not jump.
    """
    width, height = console.size
    title = Text(" ").join(part.text for part in headline(step.analysis.game))
    first_line = next(fitted_lines(console, [Paragraph(title)], width))
    top = [first_line, Text(), *fitted_lines(console, step_page(step, width), width)]
    if any(step.analysis.scores):
        top += fitted_lines(console, [paragraph(SHORT_LEGEND, style="dim")], width)
    bottom = [*fitted_lines(console, [paragraph(HELP, style="reverse")], width)]
    room = max(height - len(bottom), 0)
    blank = [Text()] * (room - len(top))
    return Text("\n").join([*top[:room], *blank, *bottom][:height])


def all_steps(analysis: GameAnalysis, width: int | None) -> Iterator[Paragraph]:
    """Yield all positions of a game one after another, for a reader without keys."""
    yield from headline(analysis.game)
    for ply in range(analysis.game.plies + 1):
        yield paragraph("")
        yield from step_page(Step(analysis, ply), width)
    if any(analysis.scores):
        yield paragraph("")
        yield paragraph(LEGEND, style="dim")
