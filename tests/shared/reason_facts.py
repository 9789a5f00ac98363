"""Facts about moves, decided by plain play: whether the reason of a move holds.

Nothing here uses the code that finds reasons. Positions are played on. ``reasons.py`` reads the
sentences, and compares them with exact scores.
"""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from c4_bot.reasons.kinds import Reason
from c4_protocol.rules.notation import COLUMN_NAMES, cell_named
from c4_protocol.rules.position import Position, other_seat
from c4_protocol.rules.variant import STEAL, cells_of

Scores = Mapping[int, int]
"""Exact scores of all legal moves, by cell. It is empty if they are unknown."""

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
PLAYOUTS = 3
"""Games that are played against a strategy, in which the opponent plays at random."""


def sign(score: int) -> int:
    """Return the outcome of a score: 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def passed(position: Position) -> Position:
    """Return the same stones with the other player to move."""
    return Position(position.variant, position.stones, other_seat(position.player))


def winning(position: Position) -> set[int]:
    """Return the moves that complete a line."""
    return {cell for cell in position.moves if position.play(cell).is_won}


def loses_at_once(position: Position, cell: int) -> bool:
    """Return whether the opponent can complete a line after a move that completes none."""
    after = position.play(cell)
    return not after.is_won and bool(winning(after))


def all_lose(position: Position) -> bool:
    """Return whether the game goes on and every move loses at once."""
    return not position.is_full and all(loses_at_once(position, cell) for cell in position.moves)


def completes(position: Position, cell: int) -> bool:
    """Return whether a stone of the player to move on a free cell, played or not, makes a line."""
    return not position.occupied >> cell & 1 and position.play(cell).is_won


def is_forced_win(position: Position, line: tuple[int, ...]) -> bool:
    """Return whether a line wins, and each answer in it is the only safe one, the last unsafe."""
    for number, cell in enumerate(line):
        if cell not in position.moves:
            return False
        if number % 2:
            answers = {cell for cell in position.moves if not loses_at_once(position, cell)}
            if answers - {cell} or (not answers and number != len(line) - 2):
                return False
        position = position.play(cell)
        if position.is_over:
            return number == len(line) - 1 and number % 2 == 0 and position.is_won
    return False


@dataclass(frozen=True)
class Claim:
    """A reason of a move, and the values in its sentence by the names of groups."""

    before: Position
    cell: int
    reason: Reason
    said: Mapping[str, str | None]
    scores: Scores = field(default_factory=dict)

    @cached_property
    def after(self) -> Position:
        """The position after the move."""
        return self.before.play(self.cell)

    @cached_property
    def cells(self) -> set[int]:
        """The cells that the reason speaks of."""
        return {*cells_of(self.reason.cells)}

    @property
    def outcome(self) -> int | None:
        """The outcome of the move; ``None`` if it is unknown."""
        return sign(self.scores[self.cell]) if self.scores else None

    def has_outcome(self, outcome: int) -> bool:
        """Return whether the move has this outcome, or its outcome is unknown."""
        return self.outcome in (outcome, None)

    def moves(self, text: str) -> set[int]:
        """Return the moves that a text names, of the position before the move."""
        return self.places(text, self.before)

    def places(self, text: str, position: Position | None = None) -> set[int]:
        """Return the cells that a text names. A column alone is where the next stone falls."""
        found = {self.cell + 1} if "the cell above it" in text else set()
        if "the steal" in text:
            found.add(STEAL)
        variant = self.before.variant
        for row, column in re.findall(r"row (\d+) of column (\w)", text):
            found.add(variant.cell(COLUMN_NAMES.index(column), int(row) - 1))
        for name in re.findall(r"cell (\w\d+)", text):
            found.add(cell_named(Position(variant), name))
        alone = re.sub(r"row \d+ of column \w+", "", text)
        for names in re.findall(r"columns? (\w+(?:(?:, | and | or )\w\b)*)", alone):
            columns = {COLUMN_NAMES.index(name) for name in re.findall(r"\b\w\b", names)}
            moves = (position or self.after).moves
            found |= {cell for cell in moves if cell >= 0 and variant.column_of(cell) in columns}
        return found


def _fact_wins(claim: Claim) -> bool:
    return claim.cell in winning(claim.before) and _are_lines(claim, claim.after.other)


def _are_lines(claim: Claim, stones: int) -> bool:
    """Return whether the cells are those of the lines through the move that some stones fill."""
    lines = [line for line in claim.before.variant.lines if line >> claim.cell & 1]
    union = 0
    for line in lines:
        union |= line if line & stones == line else 0
    return claim.reason.cells == union != 0


def _fact_stops(claim: Claim) -> bool:
    before, stones = claim.before, claim.before.other | 1 << claim.cell
    others = [cell for cell in before.moves if cell != claim.cell]
    return (
        not winning(before)
        and claim.cell in winning(passed(before))
        and _are_lines(claim, stones)
        and not loses_at_once(before, claim.cell)
        and all(loses_at_once(before, cell) for cell in others)
    )


def _fact_cannot_stop(claim: Claim) -> bool:
    theirs = passed(claim.before)
    return (
        all_lose(claim.before)
        and bool(winning(theirs))
        and all(completes(theirs, cell) for cell in claim.cells)
        and all(
            winning(claim.before.play(cell)) & claim.cells - {cell} for cell in claim.before.moves
        )
        and _number(claim.said["number"]) == len(claim.cells)
    )


def _number(text: str | None) -> int:
    return int(text) if text and text.isdigit() else NUMBERS.index(text or "")


def _fact_zugzwang(claim: Claim) -> bool:
    return (
        all_lose(claim.before)
        and not winning(passed(claim.before))
        and _are_above_moves(claim, passed(claim.before))
    )


def _are_above_moves(claim: Claim, position: Position) -> bool:
    """Return whether the cells complete lines of the player to move, above what can be played."""
    below = {cell - 1 for cell in claim.cells}
    return below <= set(position.moves) and all(completes(position, c) for c in claim.cells)


def _fact_only_safe(claim: Claim) -> bool:
    before = claim.before
    safe = [cell for cell in before.moves if not loses_at_once(before, cell)]
    are_quiet = not winning(passed(before)) and not winning(before)
    return safe == [claim.cell] and are_quiet and _are_above_moves(claim, passed(before))


def _makes_threats(claim: Claim, cells: set[int]) -> bool:
    """Return whether each answer loses at once on one of some cells, and the move causes this."""
    after = claim.after
    return (
        not winning(after)
        and not winning(claim.before)
        and len(cells) > 1
        and all(completes(passed(after), cell) for cell in cells)
        and all(winning(after.play(cell)) & cells for cell in after.moves)
        and is_forced_win(claim.before, claim.reason.line)
        and claim.has_outcome(1)
    )


def _fact_two_threats(claim: Claim) -> bool:
    now = winning(passed(claim.after))
    is_counted = _number(claim.said["number"]) == len(claim.cells)
    return is_counted and claim.cells == now and _makes_threats(claim, now)


def _fact_stacked_threats(claim: Claim) -> bool:
    now = winning(passed(claim.after))
    low = claim.places(claim.said["column"] or "")
    return low == now and len(now) == 1 and _makes_threats(claim, now | {cell + 1 for cell in low})


def _fact_no_answer(claim: Claim) -> bool:
    return (
        all_lose(claim.after)
        and is_forced_win(claim.before, claim.reason.line)
        and _are_above_moves(claim, passed(claim.after))
        and claim.has_outcome(1)
    )


def _fact_forced_win(claim: Claim) -> bool:
    position, line = claim.before, []
    for name in (claim.said["line"] or "").split():
        line.append(cell_named(position, name))
        position = position.play(line[-1])
    return (
        claim.reason.line == tuple(line)
        and line[0] == claim.cell
        and int(claim.said["moves"] or 0) == (len(line) + 1) // 2
        and is_forced_win(claim.before, claim.reason.line)
        and claim.has_outcome(1)
    )


def _fact_leaves(claim: Claim) -> bool:
    return _fact_gives(claim) and claim.cells <= winning(passed(claim.before))


def _fact_gives(claim: Claim) -> bool:
    is_shown = len(claim.reason.line) == 1 and claim.cells >= {*claim.reason.line}
    return is_shown and claim.cells <= winning(claim.after)


def _fact_gives_up(claim: Claim) -> bool:
    return (
        claim.cells == {claim.cell + 1}
        and claim.cells <= set(claim.after.moves)
        and completes(passed(claim.after), claim.cell + 1)
        and completes(claim.before, claim.cell + 1)
    )


def _fact_parity(claim: Claim) -> bool:
    variant, cells = claim.before.variant, claim.cells
    parities = {"even" if variant.row_of(cell) % 2 else "odd" for cell in cells}
    return (
        bool(cells)
        and (len(cells) == 1) == (claim.said["parity"] is not None)
        and claim.said["parity"] in (*parities, None)
        and all(completes(passed(claim.after), cell) for cell in cells)
        and not cells & set(claim.after.moves)
        and all(_follower_wins(claim.after, cells, seed) for seed in range(PLAYOUTS))
        and claim.has_outcome(1)
    )


def _follower_wins(position: Position, traps: set[int], seed: int) -> bool:
    """Return whether the player not to move wins by following up, as Allis describes it.

    With seed 0, the opponent does not play below a trap while another move is possible.
    """
    variant, draw, follower = position.variant, random.Random(seed), other_seat(position.player)
    lower = [trap for trap in traps if (variant.height - 1 - variant.row_of(trap)) % 2]
    special = variant.column_of(lower[0]) if lower else None
    while not position.is_over:
        later = [cell for cell in position.moves if cell + 1 not in traps]
        cell = draw.choice(later if later and not seed else position.moves)
        position = position.play(cell)
        if position.is_over:
            break
        wins, column = winning(position), variant.column_of(cell)
        position = position.play(min(wins) if wins else _follow_up(position, column, special))
    return position.winner == follower


def _free_in(position: Position, column: int) -> int:
    """Return the number of free cells of a column."""
    variant = position.variant
    return (variant.columns[column] & ~position.occupied).bit_count()


def _follow_up(position: Position, column: int, special: int | None) -> int:
    """Return the answer to a move in a column: on top if this leaves an even number of free cells.

    Otherwise it is in another column with an odd number of them. In the ``special`` column, that of
    a lower trap, odd numbers stay odd. The follower makes this number odd when no other column is.
    """
    cells = {position.variant.column_of(cell): cell for cell in position.moves}
    is_odd = _free_in(position, column) % 2 == 1
    if is_odd != (column == special):
        return cells[column]
    odd = [cells[one] for one in cells if _free_in(position, one) % 2]
    others = [cell for cell in odd if cell not in (cells.get(column), cells.get(special))]
    return others[0] if others else cells[special]


def _keeps(claim: Claim) -> bool:
    """Return whether the move keeps the best outcome, which is a win or a draw."""
    return not claim.scores or claim.outcome == sign(max(claim.scores.values())) >= 0


def _is_new_threat(claim: Claim) -> bool:
    """Return whether the player completes a line in the named cells only since the move."""
    return bool(claim.cells) and all(
        completes(passed(claim.after), cell) and not completes(claim.before, cell)
        for cell in claim.cells
    )


def _fact_threat(claim: Claim) -> bool:
    others = set(claim.after.moves) - claim.cells
    must_fill = all(loses_at_once(claim.after, cell) for cell in others)
    return _keeps(claim) and _is_new_threat(claim) and len(claim.cells) == 1 and must_fill


def _fact_leave(claim: Claim) -> bool:
    below = {cell - 1 for cell in claim.cells}
    is_kept_away = below <= set(claim.after.moves) and all(
        loses_at_once(claim.after, cell) for cell in below
    )
    return _keeps(claim) and _is_new_threat(claim) and is_kept_away


def _fact_later_threat(claim: Claim) -> bool:
    return _keeps(claim) and _is_new_threat(claim)


def _fact_averts_force(claim: Claim) -> bool:
    theirs, line = passed(claim.before), claim.reason.line
    first = claim.said.get("first")
    named = claim.moves(first) if first else {claim.cell if "there" in claim.said else line[0]}
    return (
        _keeps(claim)
        and named == {line[0]}
        and len(line) > 2
        and is_forced_win(theirs, line)
        and not is_forced_win(claim.after, line)
    )


def _fact_averts(claim: Claim) -> bool:
    first = claim.reason.line[0]
    threats = winning(passed(passed(claim.before).play(first)))
    is_stopped = first not in claim.after.moves or not all_lose(claim.after.play(first))
    return len(threats) > 1 and is_stopped and _fact_averts_force(claim)


def _fact_prepares_force(claim: Claim) -> bool:
    """Return whether the player wins by force with the line if the opponent passes."""
    position, line = passed(claim.after), claim.reason.line
    names = claim.said.get("line")
    for name, cell in zip(names.split(), line, strict=True) if names else ():
        if cell_named(position, name) != cell:
            return False
        position = position.play(cell)
    return _keeps(claim) and len(line) > 2 and is_forced_win(passed(claim.after), line)


def _fact_prepares(claim: Claim) -> bool:
    first = claim.reason.line[0]
    is_named = claim.places(claim.said["first"] or "") == {first}
    threats = winning(passed(passed(claim.after).play(first)))
    return is_named and len(threats) > 1 and _fact_prepares_force(claim)


def _fact_only_defence(claim: Claim) -> bool:
    others = [score for cell, score in claim.scores.items() if cell != claim.cell]
    return _keeps(claim) and max(others, default=-1) < 0


def _open_to(position: Position, other: bool) -> bool:
    """Return whether a player could complete a line with all free cells."""
    free = position.variant.board & ~position.occupied
    stones = position.other if other else position.own
    return any(not line & ~(stones | free) for line in position.variant.lines)


def _fact_last_line(claim: Claim) -> bool:
    was_open, is_open = _open_to(claim.before, True), _open_to(claim.after, False)
    return _keeps(claim) and was_open and not is_open


def _fact_dead_draw(claim: Claim) -> bool:
    is_open = _open_to(claim.after, True) or _open_to(claim.after, False)
    return not is_open and claim.has_outcome(0)


def _fact_holds(claim: Claim) -> bool:
    after = claim.after
    are_even = all(_free_in(after, column) % 2 == 0 for column in range(after.variant.width))
    lost = after.player
    return are_even and all(_played_above(after, seed) != lost for seed in range(PLAYOUTS))


def _played_above(position: Position, seed: int) -> int:
    """Return the winner if one player moves at random, and the other always plays on top."""
    draw = random.Random(seed)
    while not position.is_over:
        cell = draw.choice(position.moves)
        position = position.play(cell)
        if not position.is_over:
            position = position.play(cell + 1)
    return position.winner


def _fact_denies(claim: Claim) -> bool:
    theirs = passed(claim.before)
    return _keeps(claim) and all(
        completes(passed(theirs.play(claim.cell)), cell) and not completes(theirs, cell)
        for cell in claim.cells
    )


def _fact_only_move(claim: Claim) -> bool:
    """Return whether the move is the only legal one."""
    return claim.before.moves == [claim.cell]


FACTS: dict[str, Callable[[Claim], bool]] = {
    name.removeprefix("_fact_").replace("_", "-"): function
    for name, function in [*globals().items()]
    if name.startswith("_fact_")
}
"""Functions that return whether a reason holds, by kind, which is in their names."""
