"""Checks explanations of moves by plain play and by exact scores.

Nothing here uses the code that finds reasons, or the templates of the sentences: positions are
played on, and the sentence is read. ``faults_of`` returns what is wrong.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from c4_bot.book import book_of
from c4_bot.reasons.explanation import Explained
from c4_bot.reasons.kinds import Reason
from c4_bot.solve.steal import solver_of
from c4_protocol.rules.notation import COLUMN_NAMES, cell_named, win_score
from c4_protocol.rules.position import Position, other_seat
from c4_protocol.rules.variant import STEAL, Variant, cells_of

Scores = Mapping[int, int]
"""Exact scores of all legal moves, by cell. It is empty if they are unknown."""

PLACE = r"(?:row \d+ of column \w+|columns? [\w, ]+?|cell \w+|the cell above it|the steal)"
PLACES = rf"(?P<cells>{PLACE}(?:(?:, | and | or ){PLACE})*)"
REPLY = rf"(?P<reply>{PLACE})"
MOVES = r"(?P<moves>\d+) moves?"
SENTENCES = {
    "wins": r"completes (?P<connect>\d+) in a row",
    "stops": r"stops (?P<connect>\d+) in a row",
    "cannot-stop": rf"cannot stop (?P<number>\w+) lines of the other side at once, in {PLACES}",
    "only-move": r"is the only possible move",
    "zugzwang": r"lets the other side complete a line, as every other move does",
    "only-safe": r"is the only move that does not let the other side complete a line at once",
    "two-threats": rf"makes (?P<number>\w+) threats at once, in {PLACES}",
    "stacked-threats": rf"makes two threats in (?P<column>{PLACE}), one above the other",
    "no-answer": r"leaves the other side only moves that lose at once",
    "forced-win": rf"wins by force in {MOVES}, with at most one answer to each: (?P<line>[\w ]+)",
    "leaves": rf"leaves (?P<connect>\d+) in a row to the other side, in {PLACES}",
    "gives": rf"lets the other side complete (?P<connect>\d+) in a row in {PLACES}",
    "gives-up": rf"gives up the threat in {PLACES}, because the other side can now fill it",
    "parity": "wins in the end, when the other side has to play below "
    rf"(?:the (?P<parity>odd|even) threat|a threat) in {PLACES}",
    "threat": rf"makes a threat in {PLACES} that has to be filled",
    "leave": rf"makes a threat in {PLACES} and keeps the other side from playing below it",
    "averts": "stops the other side from making two threats at once "
    rf"(?:(?P<there>there)|with (?P<first>{PLACE}))",
    "averts-force": "stops a win by force that the other side would begin "
    rf"(?:(?P<there>there)|with (?P<first>{PLACE}))",
    "only-defence": "is the only move after which the other side does not win by force",
    "last-line": "takes the last line that the other side could complete",
    "dead-draw": "leaves no line that either side could complete",
    "holds": "lets every move be answered above it, which stops all lines of the other side",
    "later-threat": rf"makes a threat in {PLACES}",
    "denies": rf"takes the cell from which the other side would make a threat in {PLACES}",
    "allows-averts": "gives the other side time to prevent two threats at once, "
    rf"with {REPLY}",
    "allows-averts-force": rf"gives the other side time to prevent a win by force, with {REPLY}",
    "allows-denies": rf"leaves {REPLY} to the other side, which prevents a threat in {PLACES}",
    "lost": "loses, as every other move does"
    rf"|loses in {MOVES}(?P<latest>, as late as possible)?"
    rf"(?:, as every move loses; (?P<later>{PLACE}) lasts longest, (?P<most>\d+) moves?)?",
    "searched": r"is best after \d+ (?:ply|plies), not proven",
}
"""Each kind's sentence, without the name of the move. Groups are what is claimed."""
ALLOWS = rf"allows {REPLY}, which (?P<inner>.+)"
VALUES = re.compile(
    rf"(?:(?P<result>wins|loses) in {MOVES}|(?P<draw>keeps the draw|draws)"
    r"|(?P<vague>wins|loses), but how soon is not proven|(?P<unknown>has no proven value))"
    r"(?:(?P<alone>, and no other move does)|(?P<all>, as every other move does)"
    r"|; every other move (?P<too>wins), too|; (?P<others>.+))?"
)
FRAME = re.compile(
    rf"(?P<move>{PLACE}) (?:keeps the (?P<kept>win|draw): it (?P<keeping>[^;]+)"
    r"|turns a (?P<before>win|draw) into a (?P<after>draw|loss)(?:: it (?P<mistake>[^;]+))?"
    rf"; (?P<better>{PLACE}) (?P<better_reason>.+)|(?P<plain>.+))\.",
    re.IGNORECASE,
)
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
OUTCOMES = {"win": 1, "draw": 0, "loss": -1}
MAX_PLAYED = 30
"""Maximum number of cells of a board on which games are played on to count their moves."""
PLAYOUTS = 3
"""Games that are played against a strategy, in which the opponent plays at random."""


@cache
def _solver(variant: Variant):
    return solver_of(variant, 64, book_of(variant))


@cache
def scores_of(position: Position) -> dict[int, int]:
    """Return the exact scores of all moves in a game that is not over."""
    solved = dict(_solver(position.variant).move_scores(position))
    assert all(one.exact for one in solved.values())
    return {cell: one.low for cell, one in solved.items()}


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


def _wins(claim: Claim) -> bool:
    return claim.cell in winning(claim.before) and _are_lines(claim, claim.after.other)


def _are_lines(claim: Claim, stones: int) -> bool:
    """Return whether the cells are those of the lines through the move that some stones fill."""
    lines = [line for line in claim.before.variant.lines if line >> claim.cell & 1]
    union = 0
    for line in lines:
        union |= line if line & stones == line else 0
    return claim.reason.cells == union != 0


def _stops(claim: Claim) -> bool:
    before, stones = claim.before, claim.before.other | 1 << claim.cell
    others = [cell for cell in before.moves if cell != claim.cell]
    return (
        not winning(before)
        and claim.cell in winning(passed(before))
        and _are_lines(claim, stones)
        and not loses_at_once(before, claim.cell)
        and all(loses_at_once(before, cell) for cell in others)
    )


def _cannot_stop(claim: Claim) -> bool:
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


def _zugzwang(claim: Claim) -> bool:
    return (
        all_lose(claim.before)
        and not winning(passed(claim.before))
        and _are_above_moves(claim, passed(claim.before))
    )


def _are_above_moves(claim: Claim, position: Position) -> bool:
    """Return whether the cells complete lines of the player to move, above what can be played."""
    below = {cell - 1 for cell in claim.cells}
    return below <= set(position.moves) and all(completes(position, c) for c in claim.cells)


def _only_safe(claim: Claim) -> bool:
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


def _two_threats(claim: Claim) -> bool:
    now = winning(passed(claim.after))
    is_counted = _number(claim.said["number"]) == len(claim.cells)
    return is_counted and claim.cells == now and _makes_threats(claim, now)


def _stacked_threats(claim: Claim) -> bool:
    now = winning(passed(claim.after))
    low = claim.places(claim.said["column"] or "")
    return low == now and len(now) == 1 and _makes_threats(claim, now | {cell + 1 for cell in low})


def _no_answer(claim: Claim) -> bool:
    return (
        all_lose(claim.after)
        and is_forced_win(claim.before, claim.reason.line)
        and _are_above_moves(claim, passed(claim.after))
        and claim.has_outcome(1)
    )


def _forced_win(claim: Claim) -> bool:
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


def _leaves(claim: Claim) -> bool:
    return _gives(claim) and claim.cells <= winning(passed(claim.before))


def _gives(claim: Claim) -> bool:
    is_shown = len(claim.reason.line) == 1 and claim.cells >= {*claim.reason.line}
    return is_shown and claim.cells <= winning(claim.after)


def _gives_up(claim: Claim) -> bool:
    return (
        claim.cells == {claim.cell + 1}
        and claim.cells <= set(claim.after.moves)
        and completes(passed(claim.after), claim.cell + 1)
        and completes(claim.before, claim.cell + 1)
    )


def _parity(claim: Claim) -> bool:
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


def _threat(claim: Claim) -> bool:
    others = set(claim.after.moves) - claim.cells
    must_fill = all(loses_at_once(claim.after, cell) for cell in others)
    return _keeps(claim) and _is_new_threat(claim) and len(claim.cells) == 1 and must_fill


def _leave(claim: Claim) -> bool:
    below = {cell - 1 for cell in claim.cells}
    is_kept_away = below <= set(claim.after.moves) and all(
        loses_at_once(claim.after, cell) for cell in below
    )
    return _keeps(claim) and _is_new_threat(claim) and is_kept_away


def _later_threat(claim: Claim) -> bool:
    return _keeps(claim) and _is_new_threat(claim)


def _averts_force(claim: Claim) -> bool:
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


def _averts(claim: Claim) -> bool:
    first = claim.reason.line[0]
    threats = winning(passed(passed(claim.before).play(first)))
    is_stopped = first not in claim.after.moves or not all_lose(claim.after.play(first))
    return len(threats) > 1 and is_stopped and _averts_force(claim)


def _only_defence(claim: Claim) -> bool:
    others = [score for cell, score in claim.scores.items() if cell != claim.cell]
    return _keeps(claim) and max(others, default=-1) < 0


def _open_to(position: Position, other: bool) -> bool:
    """Return whether a player could complete a line with all free cells."""
    free = position.variant.board & ~position.occupied
    stones = position.other if other else position.own
    return any(not line & ~(stones | free) for line in position.variant.lines)


def _last_line(claim: Claim) -> bool:
    was_open, is_open = _open_to(claim.before, True), _open_to(claim.after, False)
    return _keeps(claim) and was_open and not is_open


def _dead_draw(claim: Claim) -> bool:
    is_open = _open_to(claim.after, True) or _open_to(claim.after, False)
    return not is_open and claim.has_outcome(0)


def _holds(claim: Claim) -> bool:
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


def _denies(claim: Claim) -> bool:
    theirs = passed(claim.before)
    return _keeps(claim) and all(
        completes(passed(theirs.play(claim.cell)), cell) and not completes(theirs, cell)
        for cell in claim.cells
    )


def _allows(claim: Claim) -> bool:
    """Return whether an answer is good and has the reason that the sentence says."""
    answer, inner = claim.reason.line[0], claim.reason.kind.removeprefix("allows-")
    if claim.places(claim.said["reply"] or "") != {answer} or answer not in claim.after.moves:
        return False
    line = claim.reason.line[len(claim.reason.line) % 2 == 0 :]
    reason = Reason(inner, claim.reason.cells, line)
    scores = scores_of(claim.after) if claim.scores else {}
    if scores and sign(scores[answer]) != -sign(claim.scores[claim.cell]):
        return False
    if "inner" in claim.said:
        return not faults_of_predicate(claim.after, answer, reason, claim.said["inner"], scores)
    return CHECKS[inner](Claim(claim.after, answer, reason, {}, scores))


def moves_to_end(position: Position, cell: int) -> int:
    """Return the number of moves that the winner still makes, from a move on, with best play."""
    score, variant = scores_of(position)[cell], position.variant
    plies = 0
    if variant.cells > MAX_PLAYED and not variant.steal:
        first = position.ply + 1 + (score < 0)
        ends = range(first, variant.cells + 1, 2)
        plies = next(ply for ply in ends if win_score(variant, ply) == abs(score)) - position.ply
        return (plies + 1) // 2
    while True:
        position, plies = position.play(cell), plies + 1
        if position.is_over:
            return (plies + 1) // 2
        cell = max(position.moves, key=scores_of(position).__getitem__)


def _lost(claim: Claim) -> bool:
    said, scores = claim.said, claim.scores
    if not said["moves"]:
        return not scores or max(scores.values()) < 0
    is_right = int(said["moves"]) == moves_to_end(claim.before, claim.cell)
    best = max(scores.values())
    if said["later"]:
        (later,) = claim.moves(said["later"])
        is_right &= int(said["most"] or 0) == moves_to_end(claim.before, later)
        is_right &= scores[later] == best > scores[claim.cell]
    return best < 0 and is_right and bool(said["latest"]) == (scores[claim.cell] == best)


def _values(claim: Claim) -> bool:
    """Return whether what the sentence says of scores is true."""
    said, scores = claim.said, claim.scores
    if said["unknown"] or not scores:
        return bool(said["unknown"])
    own = (
        OUTCOMES["draw"] if said["draw"] else 1 if "wins" in (said["result"], said["vague"]) else -1
    )
    others = {cell: sign(score) for cell, score in scores.items() if cell != claim.cell}
    is_best = said["draw"] != "keeps the draw" or max(scores.values()) == 0
    is_right = claim.outcome == own and is_best
    if said["moves"]:
        is_right &= int(said["moves"]) == moves_to_end(claim.before, claim.cell)
    if said["alone"]:
        is_right &= own not in others.values()
    if said["all"]:
        is_right &= own == 0 and {*others.values()} == {0}
    if said["too"]:
        is_right &= {*others.values()} == {1}
    return is_right and (not said["others"] or _others(claim, said["others"], own))


def _others(claim: Claim, text: str, own: int) -> bool:
    """Return whether a text lists all moves with another outcome, with their outcomes."""
    listed: dict[int, int] = {}
    for names, verb in re.findall(r"(?:^|and )(.+?) (draws?|loses?)\b", text):
        cells = claim.moves(names)
        assert verb.endswith("s") == (len(cells) == 1) or verb == "lose", text
        listed |= dict.fromkeys(cells, 0 if verb.startswith("draw") else -1)
    scores = claim.scores
    return listed == {c: sign(s) for c, s in scores.items() if sign(s) != own and c != claim.cell}


CHECKS: dict[str, Callable[[Claim], bool]] = {
    "wins": _wins,
    "stops": _stops,
    "cannot-stop": _cannot_stop,
    "only-move": lambda claim: claim.before.moves == [claim.cell],
    "zugzwang": _zugzwang,
    "only-safe": _only_safe,
    "two-threats": _two_threats,
    "stacked-threats": _stacked_threats,
    "no-answer": _no_answer,
    "forced-win": _forced_win,
    "leaves": _leaves,
    "gives": _gives,
    "gives-up": _gives_up,
    "parity": _parity,
    "threat": _threat,
    "leave": _leave,
    "averts": _averts,
    "averts-force": _averts_force,
    "only-defence": _only_defence,
    "last-line": _last_line,
    "dead-draw": _dead_draw,
    "holds": _holds,
    "later-threat": _later_threat,
    "denies": _denies,
    "lost": _lost,
    "values": _values,
    "searched": lambda claim: True,
}
"""Functions that return whether a reason and its sentence are true."""


def faults_of_predicate(
    position: Position, cell: int, reason: Reason, text: str, scores: Scores
) -> list[str]:
    """Return what is wrong with a reason of a move and its sentence, without the move's name."""
    is_allowed = reason.kind.startswith("allows-")
    pattern = VALUES if reason.kind == "values" else SENTENCES.get(reason.kind, ALLOWS)
    match = re.fullmatch(pattern, text)
    if match is None or not (is_allowed or reason.kind in CHECKS):
        return [f"{reason.kind}: a sentence that cannot be read: {text}"]
    claim = Claim(position, cell, reason, match.groupdict(), scores)
    check = _allows if is_allowed else CHECKS[reason.kind]
    connect, named = claim.said.get("connect"), claim.said.get("cells")
    if connect and int(connect) != position.variant.connect:
        return [f"{reason.kind}: {text}: lines are not so long"]
    seen = position if reason.kind == "cannot-stop" else claim.after
    if named and claim.places(named, seen) != claim.cells:
        return [f"{reason.kind}: {text}: its cells are {claim.cells}"]
    return [] if check(claim) else [f"{reason.kind} is false: {text} {reason}"]


def faults_of(explained: Explained, scores: Scores, *, is_informed: bool = True) -> list[str]:
    """Return what is wrong with an explanation, in words.

    ``scores`` are exact, or empty. ``is_informed`` is false if the explanation knew fewer scores.
    """
    position, cell, reason = explained.position, explained.cell, explained.reason
    match = FRAME.fullmatch(explained.text)
    if match is None:
        return [f"a sentence that cannot be read: {explained.text}"]
    said, (best, own) = match.groupdict(), _outcomes(scores, cell)
    naming = Claim(position, cell, reason, {})
    faults = [] if naming.moves(said["move"].lower()) == {cell} else ["another move is named"]
    if said["kept"] and scores and not best == own == OUTCOMES[said["kept"]]:
        faults.append(f"it does not keep a {said['kept']}")
    if not said["before"]:
        if is_informed and own != best:
            faults.append(f"a mistake is not called one: {explained.text}")
        text = said["keeping"] or said["plain"]
        return faults + faults_of_predicate(position, cell, reason, text, scores)
    return [*faults, *_faults_of_mistake(explained, said, scores)]


def _outcomes(scores: Scores, cell: int) -> tuple[int, int]:
    return (sign(max(scores.values())), sign(scores[cell])) if scores else (0, 0)


def _faults_of_mistake(
    explained: Explained, said: Mapping[str, str], scores: Scores
) -> Iterator[str]:
    position, cell, reason = explained.position, explained.cell, explained.reason
    better = explained.better
    assert better is not None
    if _outcomes(scores, cell) != (OUTCOMES[said["before"]], OUTCOMES[said["after"]]):
        yield f"the outcomes are others: {explained.text}"
    if Claim(position, cell, reason, {}).moves(said["better"]) != {better.cell}:
        yield f"another move is better: {explained.text}"
    if _outcomes(scores, better.cell)[1] != OUTCOMES[said["before"]]:
        yield f"the better move is not better: {explained.text}"
    text, words = said["better_reason"], better.reason
    yield from faults_of_predicate(position, better.cell, words, text, scores)
    yield from faults_of(better, scores)
    if said["mistake"]:
        yield from faults_of_predicate(position, cell, reason, said["mistake"], scores)
    elif reason.kind not in ("misses", "values") or (reason.kind == "misses") == (
        better.reason.kind == "values"
    ):
        yield f"{reason.kind} has no words: {explained.text}"
