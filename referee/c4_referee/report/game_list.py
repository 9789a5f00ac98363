"""The games of a contest as lines of text: number, players, result, length, fault, worst move."""

from collections.abc import Iterable, Iterator

from c4_protocol.records.events import GameEnded
from rich.text import Text

from c4_referee.formats import RESULTS_BY_WINNER
from c4_referee.report.paragraphs import Paragraph
from c4_referee.stats.accuracy import number_of_moves
from c4_referee.stats.analysis import analyse
from c4_referee.stats.solved import SolvedPositions, outcome_of

OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}
"""Outcomes of positions in words, by the signs of their values."""
NAME_WIDTH = 22
"""Maximum width of a name, in characters. Longer names are cut."""
HEADINGS = ("game", "first", "second", "result", "moves", "fault", "decisive move")


def game_list(games: Iterable[GameEnded], solved: SolvedPositions) -> Iterator[Paragraph]:
    """Yield a line for each game, with its decisive move as far as ``solved`` shows it."""
    rows = [HEADINGS, *(_cells(game, solved) for game in games)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield Paragraph(Text("  ".join(cells).rstrip(), style="bold" if row is HEADINGS else ""))


def _cells(game: GameEnded, solved: SolvedPositions) -> tuple[str, ...]:
    variant = game.variant.variant()
    result = "void" if game.ending == "void" else RESULTS_BY_WINNER[game.winner]
    fault = game.fault.fault if game.fault else ""
    change = analyse(game, solved).decisive
    move = ""
    if change is not None:
        before, after = (OUTCOMES[outcome_of(value)] for value in (change.before, change.after))
        move = f"{change.ply + 1}: {before}, then {after}"
    moves = f"{number_of_moves(game.moves, variant)}"
    names = map(_shortened, (game.first, game.second))
    return f"{game.game}", *names, result, moves, fault, move


def _shortened(name: str) -> str:
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}\N{HORIZONTAL ELLIPSIS}"
