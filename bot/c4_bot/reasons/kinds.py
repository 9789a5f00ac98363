"""The kinds of reasons, and the search for the reason of a move.

``docs/reasons.md`` defines each kind. The first definition that holds gives the reason, from what
happens next to what happens at the end of the game. A reason is a fact that follows from the rules,
and from outcomes that are known to be exact. Its twin is ``bot/native/reasons/kinds.hpp``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from c4_protocol.rules.position import Position, completing_cells, has_line, other_seat
from c4_protocol.rules.variant import cells_of

from c4_bot.reasons.forced import forced_win, last_moves, safe_moves
from c4_bot.reasons.parity import answers_above_hold, decisive_threats


class Reason(NamedTuple):
    """A kind of reason, the cells that it speaks of, as a bitboard, and moves that show it."""

    kind: str
    cells: int = 0
    line: tuple[int, ...] = ()


VALUES = Reason("values")
"""The reason of moves that the rules and the known outcomes do not explain."""


@dataclass(frozen=True)
class Move:
    """A legal move in a game that is not over, and what is known of it.

    ``best`` is the outcome of the position for the player to move, and ``own`` is the outcome of
    this move: 1 for a win, 0 for a draw, -1 for a loss, ``None`` if it is unknown. ``answers`` are
    answers of the opponent that are known to keep this outcome, as a bitboard.
    """

    before: Position
    cell: int
    best: int | None = None
    own: int | None = None
    answers: int = 0

    @property
    def keeps(self) -> bool | None:
        """Whether the move keeps the best outcome; ``None`` if this is unknown."""
        if self.own == 1 or self.best == -1:
            return True
        return None if self.own is None or self.best is None else self.own == self.best

    @cached_property
    def after(self) -> Position:
        """The position after the move."""
        return self.before.play(self.cell)

    @cached_property
    def threats(self) -> int:
        """The free cells that complete a line of the opponent, before the move."""
        before = self.before
        return completing_cells(before.other, before.variant) & ~before.occupied

    @cached_property
    def wins(self) -> int:
        """The free cells that complete a line of the player, after the move."""
        after = self.after
        return completing_cells(after.other, after.variant) & ~after.occupied

    @cached_property
    def refutation(self) -> tuple[int, ...]:
        """The shortest forced win of the opponent after the move; ``()`` if none is found."""
        return forced_win(self.after)


ALLOWED_KINDS = frozenset(
    [
        "threat",
        "leave",
        "averts",
        "averts-force",
        "prepares",
        "prepares-force",
        "last-line",
        "dead-draw",
        "holds",
        "later-threat",
        "denies",
    ]
)
"""Kinds of answers that explain a mistake."""
Rule = Callable[[Move], Reason | None]


def reason_of(move: Move) -> Reason:
    """Return the reason of a move: the first kind whose definition holds."""
    if move.before.steal_is_ahead:
        return Reason("lost") if move.best == -1 else VALUES
    return next((reason for rule in RULES if (reason := rule(move))), VALUES)


def _wins(move: Move) -> Reason | None:
    if not move.before.winning_cells >> move.cell & 1:
        return None
    return Reason("wins", _lines_through(move.after.other, move.cell, move.before))


def _line_next(move: Move) -> Reason | None:
    """Return the reason if the opponent would complete a line with the next move."""
    before, played = move.before, 1 << move.cell
    stops = before.opponent_winning_cells
    if before.winning_cells or not stops:
        return None
    if not safe_moves(before):
        return Reason("cannot-stop", stops if stops & (stops - 1) else stops | stops << 1)
    if stops != played:
        return None
    return Reason("stops", _lines_through(before.other | played, move.cell, before))


def _few_moves(move: Move) -> Reason | None:
    """Return the reason if at most one move is possible, or does not lose at once."""
    before, played = move.before, 1 << move.cell
    moves, safe = before.playable, safe_moves(before)
    if before.winning_cells or before.opponent_winning_cells:
        return None
    if moves == played:
        return Reason("only-move")
    above = (move.threats >> 1 & moves) << 1 if before.variant.gravity else 0
    if not safe:
        return Reason("zugzwang", above)
    return Reason("only-safe", above) if safe == played else None


def _refuted(move: Move) -> Reason | None:
    """Return the reason if the move is a mistake, or loses by force."""
    line = move.refutation if move.keeps is not True else ()
    if len(line) == 1:
        wins = move.after.winning_cells
        kept = wins & move.before.opponent_winning_cells
        cells = kept or wins
        return Reason("leaves" if kept else "gives", cells, (next(cells_of(cells)),))
    if line:
        answer = Move(move.after, line[0])
        return _allowing(_two_threats(answer) or _forced_win(answer) or VALUES, line[0])
    return _mistake(move) if move.keeps is False else None


def _allowing(reason: Reason, answer: int) -> Reason:
    """Return the reason of a mistake that allows an answer with this reason."""
    line = reason.line if answer in reason.line[:1] else (answer, *reason.line)
    return Reason(f"allows-{reason.kind}", reason.cells, line)


def _mistake(move: Move) -> Reason:
    """Return the reason of a move that gives away a better outcome, but loses to no attack.

    If nothing else explains it, this is what the first good answer does that has a reason.
    """
    for answer in move.after.moves:
        if traps := decisive_threats(move.after.play(answer)):
            return _allowing(Reason("parity", traps), answer)
    own = completing_cells(move.before.own, move.before.variant) & move.before.variant.board
    above = own & 1 << move.cell + 1 if move.before.variant.gravity else 0
    if above:
        return Reason("gives-up", above)
    outcome = None if move.own is None else -move.own
    for answer in (cell for cell in move.after.moves if move.answers >> cell & 1):
        reason = reason_of(Move(move.after, answer, outcome, outcome))
        if reason.kind in ALLOWED_KINDS:
            return _allowing(reason, answer)
    return VALUES


def _two_threats(move: Move) -> Reason | None:
    """Return the reason if the player completes a line next, whatever the opponent does.

    A player who can complete a line now makes no threats with another move: they may exist already.
    """
    after = move.after
    is_later = move.before.winning_cells or after.winning_cells or after.is_full
    if is_later or safe_moves(after):
        return None
    line, playable = (move.cell, *last_moves(after)), after.playable
    now = move.wins & playable
    if now & (now - 1):
        return Reason("two-threats", now, line)
    if now:
        return Reason("stacked-threats", now | now << 1, line)
    return Reason("no-answer", (move.wins >> 1 & playable) << 1, line)


def _forced_win(move: Move) -> Reason | None:
    after = move.after
    answers = safe_moves(after)
    if after.winning_cells or not answers or answers & (answers - 1):
        return None
    answer = answers.bit_length() - 1
    line = forced_win(after.play(answer))
    return Reason("forced-win", 1 << line[-1], (move.cell, answer, *line)) if line else None


def _lost(move: Move) -> Reason | None:
    return Reason("lost") if move.best == -1 else None


def _parity(move: Move) -> Reason | None:
    traps = decisive_threats(move.after)
    return Reason("parity", traps) if traps else None


def _threat(move: Move) -> Reason | None:
    """Return the reason if the move makes a threat that the opponent has to fill or leave."""
    new, playable = _new_wins(move), move.after.playable
    if new & playable:
        return Reason("threat", new & playable)
    left = new & playable << 1 if move.before.variant.gravity else 0
    return Reason("leave", left) if left else None


def _averts(move: Move) -> Reason | None:
    """Return the reason if the opponent would win by force if the player could pass."""
    return _after_pass(move.before, "averts")


def _after_pass(position: Position, kind: str) -> Reason | None:
    """Return the reason if the player who is not to move would win by force after a pass.

    If the win is longer than two threats at once, ``-force`` is added to the kind.
    """
    passed = Position(position.variant, position.stones, other_seat(position.player))
    line = forced_win(passed)
    if len(line) < 3:
        return None
    threats = passed.play(line[0]).opponent_winning_cells
    suffix = "" if len(line) == 3 and threats & (threats - 1) else "-force"
    return Reason(f"{kind}{suffix}", 1 << line[0], line)


def _ends_lines(move: Move) -> Reason | None:
    """Return the reason if a player has no line left to complete."""
    before, after, variant = move.before, move.after, move.before.variant
    free = variant.board & ~after.occupied
    if has_line(after.own | free, variant):
        return None
    if not has_line(after.other | free, variant):
        return Reason("dead-draw")
    is_last = has_line(before.other | free | 1 << move.cell, variant)
    return Reason("last-line") if is_last else None


def _holds(move: Move) -> Reason | None:
    return Reason("holds") if move.own == 0 and answers_above_hold(move.after) else None


def _later_threat(move: Move) -> Reason | None:
    new = _new_wins(move)
    return Reason("later-threat", new) if new else None


def _denies(move: Move) -> Reason | None:
    """Return the reason if a stone of the opponent on the cell would have made a threat."""
    before, variant = move.before, move.before.variant
    theirs = completing_cells(before.other | 1 << move.cell, variant) & ~move.after.occupied
    new = theirs & ~completing_cells(before.other, variant)
    return Reason("denies", new) if new else None


def _prepares(move: Move) -> Reason | None:
    """Return the reason if the player would win by force if the opponent passed now."""
    return _after_pass(move.after, "prepares")


def _only_defence(move: Move) -> Reason | None:
    """Return the reason if the opponent wins by force after every other move."""
    others = [cell for cell in move.before.moves if cell != move.cell]
    if all(forced_win(move.before.play(cell)) for cell in others):
        return Reason("only-defence")
    return None


def _if_kept(rule: Rule) -> Rule:
    """Return a rule that praises only moves that are known to keep the best outcome.

    It praises no move of a player who can complete a line instead.
    """
    return lambda move: rule(move) if move.keeps and not move.before.winning_cells else None


RULES: tuple[Rule, ...] = (
    _wins,
    _line_next,
    _few_moves,
    _two_threats,
    _forced_win,
    _refuted,
    _lost,
    _parity,
    *map(
        _if_kept,
        (_threat, _averts, _prepares, _only_defence, _ends_lines, _holds, _later_threat, _denies),
    ),
)
"""The rules, in the order in which they are tried."""


def _new_wins(move: Move) -> int:
    """Return the free cells that complete a line only since the move."""
    before = move.before
    return move.wins & ~completing_cells(before.own, before.variant)


def _lines_through(stones: int, cell: int, position: Position) -> int:
    """Return the cells of all lines in ``stones`` that contain a cell."""
    variant, cells = position.variant, 0
    for line in variant.lines:
        if line >> cell & 1 and line & stones == line:
            cells |= line
    return cells
