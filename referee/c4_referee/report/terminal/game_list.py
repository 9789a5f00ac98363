"""Lists of games and of matches as lines of text.

On a terminal, names are cut so that a list fits. If it is too narrow for that, each game or match
has lines of its own.
"""

from collections.abc import Iterable, Iterator, Sequence

from c4_protocol.records.events import GameEnded
from c4_protocol.records.report_text import points_text
from c4_protocol.terminal.paragraphs import Paragraph
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from c4_referee.records.formats import RESULTS_BY_WINNER
from c4_referee.records.stats.analysis import last_change
from c4_referee.records.stats.observations import bot_tally
from c4_referee.records.stats.solved import SolvedPositions, outcome_of
from c4_referee.records.storage.contests import StoredContest
from c4_referee.report.terminal.games_played import games_of

OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}
"""Outcomes of positions in words, by the signs of their values."""
LEAST_NAME_WIDTH = 12
"""Minimum width of a column of names, in characters, if a name is longer."""
GAP = 2
MAX_ANALYSED = 5000
"""Maximum number of games in a list with decisive moves, which take most of its time."""
GAMES = ("game", "first", "second", "result", "moves", "decided at move")
MATCHES = ("match", "first bot", "second bot", "score", "games")
"""Headings of the lists. Columns 1 and 2 are names, which may be cut."""


def game_list(
    games: Sequence[GameEnded], solved: SolvedPositions, width: int | None
) -> Iterator[Paragraph]:
    """Yield lines for each game, with its fault, or its decisive move as ``solved`` shows it.

    If there are more than ``MAX_ANALYSED`` games, decisive moves are left out.
    """
    known = solved if len(games) <= MAX_ANALYSED else None
    yield from _list(GAMES, [_game_cells(game, known) for game in games], width)


def match_list(
    matches: Iterable[tuple[str, StoredContest]], width: int | None
) -> Iterator[Paragraph]:
    """Yield lines for each match, which has a name: its bots, points, and number of games."""
    yield from _list(MATCHES, [_match_cells(*match) for match in matches], width)


def _game_cells(game: GameEnded, solved: SolvedPositions | None) -> tuple[str, ...]:
    result = "void" if game.ending == "void" else RESULTS_BY_WINNER[game.winner]
    decided = "ended early" if game.ending == "ended early" else ""
    if game.fault is not None:
        decided = f"{game.fault.ply + 1}: {game.fault.fault}"
    elif solved is not None and (change := last_change(game, solved)):
        before, after = (OUTCOMES[outcome_of(value)] for value in change[1:])
        decided = f"{change[0] + 1}: {before}, then {after}"
    moves = f"{game.plies}"
    return f"{game.game}", game.first, game.second, result, moves, decided


def _match_cells(name: str, match: StoredContest) -> tuple[str, ...]:
    bots = [bot.name for bot in match.bots][:2]
    tallies = [bot_tally(bot, match.games) for bot in bots]
    score = " : ".join(points_text(tally.wins + tally.draws / 2) for tally in tallies)
    scheduled = None if match.progress.is_complete else match.progress.scheduled
    return name, *bots, score, games_of(len(match.games), scheduled, "")


def _list(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int | None
) -> Iterator[Paragraph]:
    """Yield a line for each row, or several in a narrow terminal."""
    widths = [max(map(cell_len, column)) for column in zip(headings, *rows, strict=True)]
    if width is not None:
        room = width - sum(widths) + widths[1] + widths[2] - GAP * (len(headings) - 1)
        if room < sum(min(longest, LEAST_NAME_WIDTH) for longest in widths[1:3]):
            for row in rows:
                yield Paragraph(Text(f"{headings[0]} {row[0]}", style="bold"))
                rest = zip(headings[1:], row[1:], strict=True)
                text = ", ".join(f"{title} {cell}" for title, cell in rest if cell)
                yield Paragraph(Text(text), 2)
            return
        longest = max(room - min(widths[1:3]), room // 2)
        widths[1:3] = [min(each, longest) for each in widths[1:3]]
    for row in (headings, *rows):
        cells = (_padded(cell, size) for cell, size in zip(row, widths, strict=True))
        line = (" " * GAP).join(cells).rstrip()
        yield Paragraph(Text(line, style="bold" if row is headings else ""))


def _padded(text: str, width: int) -> str:
    """Return a text in ``width`` characters. The middle of a longer text is left out."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    end = width // 2
    start = set_cell_size(text, width - end - 1)
    return f"{start}\N{HORIZONTAL ELLIPSIS}{set_cell_size(text[::-1], end)[::-1]}"
