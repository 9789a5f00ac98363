"""A stored game as text: its board, its moves, and the moves that changed its result."""

from collections.abc import Iterator, Mapping

from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.rules.notation import STEAL_NAME
from c4_protocol.rules.position import Position, seat_at
from c4_protocol.terminal.board import (
    MARKED_ROOM,
    SIGNS,
    STYLES,
    board_page,
    room_for_scores,
    room_for_width,
    score_text,
)
from c4_protocol.terminal.paragraphs import Paragraph, paragraph
from rich.text import Text

from c4_referee.records.formats import RESULTS_BY_WINNER
from c4_referee.records.stats.solved import (
    Change,
    ColumnScores,
    GameAnalysis,
    outcome_of,
    score_of_steal,
)

DECISIVE_STYLE = "bold white on red"
"""Style of the decisive move. Nothing else on a page is coloured as a warning."""
GAP = 2
"""Number of characters between two columns of moves."""
LOST = {
    (1, 0): "threw away the win: now a draw",
    (1, -1): "threw away the win: now a loss",
    (0, -1): "threw away the draw",
}
"""Effect of a move in words, by the signs of the values before and after it."""
LEGEND = (
    "Above the columns is the value of a move there: + wins, 0 draws, - loses. "
    "The number is 1 plus the stones that the winner will have left."
)

CONDITIONS = ("variant", "time", "openings")
"""Conditions of a contest that matter for a single game."""


def game_page(
    analysis: GameAnalysis, conditions: Mapping[str, str], width: int | None
) -> Iterator[Paragraph]:
    """Yield a whole game: its result, last board, decisive move, moves and faults.

    ``conditions`` describe how the game was played, as in ``storage.contests.RunSummary``. Raises
    ``ArenaError`` for moves that the rules forbid.
    """
    game = analysis.game
    yield from headline(game)
    known = {name: conditions[name] for name in CONDITIONS if name in conditions}
    texts = {"variant": str(game.rules)} | known
    if game.opening:
        texts["opening"] = game.opening
    yield paragraph("; ".join(f"{name}: {text}" for name, text in texts.items()), style="dim")
    yield paragraph("")
    yield from board(analysis, game.plies, width)
    if game.cells and room(analysis, width) >= MARKED_ROOM:
        line = ", [ ] the line" if game.last.winner else ""
        yield paragraph(f"( ) is the last move{line}.", style="dim")
    yield from _decisive_part(analysis, width)
    yield paragraph("")
    yield from _move_list(analysis, width)
    if game.faults:
        yield paragraph("")
        yield from faults_part(game)


def headline(game: GameEnded) -> Iterator[Paragraph]:
    """Yield the number, the players and the result of a game."""
    title = Text(f"Game {game.game}: ").append_text(player_text(game, 1))
    yield Paragraph(title.append(" against ").append_text(player_text(game, 2)))
    yield paragraph(result_words(game), style="bold")


def player_text(game: GameEnded, seat: int) -> Text:
    """Return the name of a player and the sign of its stones."""
    return Text(f"{game.bots[seat - 1]} ({SIGNS[seat - 1]})", STYLES[seat - 1])


def result_words(game: GameEnded) -> str:
    """Return the result of a game and its reason."""
    if game.ending == "void":
        return "void: the game does not count"
    score = RESULTS_BY_WINNER[game.winner]
    because = f": {game.fault.bot} forfeits, {game.fault.fault}" if game.fault else ""
    if game.ending == "ended early":
        because = " (ended early, reason not stored)"
    if not game.winner:
        return f"{score}: a draw{because or ', the board is full'}"
    return f"{score}: {game.winning_bot} wins{because or f' with {game.variant.connect} in a row'}"


def room(analysis: GameAnalysis, width: int | None) -> int:
    """Return the width of a cell, which is that of all boards of the game."""
    return room_for_width(analysis.game.rules, width, room_for_scores(analysis.scores))


def board(analysis: GameAnalysis, ply: int, width: int | None) -> Iterator[Paragraph]:
    """Yield the board after ``ply`` moves, with the values of the columns where they are known."""
    game = analysis.game
    return any_board(
        analysis, game.positions[ply], game.last_cell(ply), analysis.scores[ply], width
    )


def any_board(
    analysis: GameAnalysis,
    position: Position,
    last: int | None,
    scores: ColumnScores,
    width: int | None,
) -> Iterator[Paragraph]:
    """Yield a board whose cells are as wide as on all boards of the game."""
    yield from board_page(position, room(analysis, width), last, scores)
    if scores and position.can_steal:
        yield paragraph(f"{STEAL_NAME} (the steal): {score_text(score_of_steal(scores)).strip()}")


def change_words(change: Change) -> str:
    """Return in words what a move threw away, and the moves that were better."""
    lost = LOST[outcome_of(change.before), outcome_of(change.after)]
    if not change.better:
        return lost
    kept = "wins" if change.before > 0 else "draws"
    one = kept if len(change.better) == 1 else kept.removesuffix("s")
    return f"{lost}; best: {' or '.join(change.better)} ({one})"


def _decisive_part(analysis: GameAnalysis, width: int | None) -> Iterator[Paragraph]:
    """Yield the board before the decisive move, what the move did, and its refutation."""
    game, change = analysis.game, analysis.decisive
    if change is None:
        is_known = None not in analysis.values and game.plies > game.start
        if is_known and game.fault is None:
            yield paragraph("")
            yield paragraph("No move of the bots changed the result.")
        return
    yield paragraph("")
    yield paragraph("The decisive move", style="bold")
    yield from board(analysis, change.ply, width)
    yield Paragraph(move_words(analysis, change.ply + 1))
    yield from change_lines(change)
    if analysis.scores[change.ply]:
        yield paragraph(LEGEND, style="dim")


def change_lines(change: Change) -> Iterator[Paragraph]:
    """Yield the reason of a change, the refutation and the better line, where they are known."""
    if change.reason:
        yield paragraph(change.reason, 2)
    if change.refutation:
        yield paragraph(f"refutation: {' '.join(change.refutation)}", 2)
    if change.better_line:
        yield paragraph(f"better line: {' '.join(change.better_line)}", 2)


def move_words(analysis: GameAnalysis, number: int) -> Text:
    """Return the move with this number, who made it, and what it changed.

    If the reason of the change is known, ``change_lines`` says what it changed.
    """
    ply = number - 1
    text = Text(f"Move {number} of {analysis.game.plies}: ")
    text.append_text(player_text(analysis.game, seat_at(ply)))
    text.append(" plays ").append_text(_marked_name(analysis, ply))
    change = analysis.change_at(ply)
    return text.append(f": {change_words(change)}") if change and not change.reason else text


def _marked_name(analysis: GameAnalysis, ply: int) -> Text:
    """Return the name of a move, with its mark if it changed the result."""
    change = analysis.change_at(ply)
    if change is None:
        return Text(analysis.game.move_names[ply])
    style = DECISIVE_STYLE if change is analysis.decisive else "bold"
    return Text(analysis.game.move_names[ply] + mark(change), style)


def mark(change: Change) -> str:
    """Return ``??`` for a move that lost the game, and ``?`` for one that gave away a win."""
    return "??" if change.after < 0 else "?"


def _move_list(analysis: GameAnalysis, width: int | None) -> Iterator[Paragraph]:
    """Yield the moves in two columns, or in one if two do not fit. Notes are below their row."""
    if not analysis.game.cells:
        yield paragraph("No move was made.")
        return
    how = "columns from 1" if analysis.game.rules.gravity else "rows are letters, columns from 1"
    how += f", {STEAL_NAME} steals the first stone" if analysis.game.rules.steal else ""
    yield paragraph(f"Moves ({how})", style="bold")
    count = analysis.game.plies
    cells = [_move_cell(analysis, ply) for ply in range(count)]
    room = max(cell.cell_len for cell in cells)
    columns = 2 if width is None or 2 * room + GAP <= width else 1
    for ply in range(0, count, columns):
        row = Text()
        for cell in cells[ply : ply + columns]:
            row.append(" " * (room + GAP - len(cell)) if row else "").append_text(cell)
        yield Paragraph(row)
        for one in range(ply, min(ply + columns, count)):
            yield from notes(analysis, one)


def _move_cell(analysis: GameAnalysis, ply: int) -> Text:
    """Return the number of a move, its name and its time, or ``opening`` for a referee's move."""
    digits = len(str(analysis.game.plies))
    longest = max(map(len, analysis.game.move_names)) + 2
    text = Text(f"{ply + 1:>{digits}}. ").append_text(_marked_name(analysis, ply))
    text.append(" " * (digits + 2 + longest - len(text)))
    place, time = ply - analysis.game.start, "opening"
    if place >= 0:
        ms = analysis.game.ms[place:][:1]  # a damaged record may have too few times
        time = f"{ms[0]:.0f} ms" if ms else ""
    return text.append(f" {time:>8}", "dim")


def notes(analysis: GameAnalysis, ply: int) -> Iterator[Paragraph]:
    """Yield the change that the move after ``ply`` moves made, and the bot's remark on it."""
    change, own = analysis.change_at(ply), f"{SIGNS[ply % 2]} {analysis.game.move_names[ply]}"
    if change is not None:
        yield paragraph(f"{own}{mark(change)} {change_words(change)}", 4)
    if said := remark(analysis, ply):
        yield paragraph(f"{own}: {said}", 4, "dim")


def remark(analysis: GameAnalysis, ply: int) -> str:
    """Return the bot's remark on the move after ``ply`` moves, or an empty text."""
    place = ply - analysis.game.start
    return analysis.game.remarks[place] if 0 <= place < len(analysis.game.remarks) else ""


def faults_part(game: GameEnded) -> Iterator[Paragraph]:
    """Yield all faults, and the standard error of the bots that committed them."""
    yield paragraph("Faults", style="bold")
    for fault in game.faults:
        yield from fault_lines(fault)
    for bot in dict.fromkeys(fault.bot for fault in game.faults):
        text = game.stderr.get(bot, "").rstrip()
        if text:
            yield paragraph(f"Standard error of {bot}:")
            for line in text.split("\n"):
                yield paragraph(line, 2)
        elif bot in game.stderr:
            yield paragraph(f"{bot} wrote nothing to standard error.")


def fault_lines(fault: FaultRecord) -> Iterator[Paragraph]:
    """Yield a fault with its move, its bot and its details, and the line that the bot wrote."""
    when = f" after {fault.ms:.0f} ms" if fault.ms else ""  # a file may not say the time
    what = f"{fault.fault}{when} ({fault.policy}): {fault.detail}"
    yield paragraph(f"move {fault.ply + 1}, {fault.bot}: {what}")
    if fault.line is not None:
        yield paragraph(f"it wrote '{fault.line}'", 2)
