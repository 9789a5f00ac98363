"""Explanations of moves: the reason with its sentence, from scores that are known to be true."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, cells_of

from c4_bot.native import MAX_BITS, core, halves, is_core_available, sizes, stones
from c4_bot.reasons import sentences
from c4_bot.reasons.kinds import ALLOWED_KINDS, VALUES, Move, Reason, reason_of
from c4_bot.solve.score import sign_of

KEEPING = ALLOWED_KINDS | {"only-defence"}
"""Kinds that do not say by themselves what the move keeps."""
LEADING = frozenset(
    ["threat", "leave", "later-threat", "two-threats", "stacked-threats", "no-answer", "parity"]
)
"""Kinds of moves in best play after a mistake that explain the mistake."""
MAX_LINE = 7
"""Maximum number of moves of best play after a mistake."""
Solve = Callable[[Position], Mapping[int, int]]
"""A function that returns the exact scores of the moves of a position, by cell."""
TAKING = frozenset(["allows-averts", "allows-averts-force", "allows-denies"])
"""Kinds of mistakes that explain something only if the better move is on the cell of the answer."""


@dataclass(frozen=True)
class Knowledge:
    """True scores of moves of a position, by cell, counted as in solvers.

    ``best`` is the outcome of the position: 1, 0 or -1, or ``None`` if it is unknown. ``is_exact``
    is false if a win or a loss may come sooner than the scores say.
    """

    scores: Mapping[int, int] = field(default_factory=dict)
    best: int | None = None
    is_exact: bool = True

    @classmethod
    def of_scores(cls, position: Position, scores: Mapping[int, int]) -> "Knowledge":
        """Return what exact scores of some moves, or of all, show."""
        most = max(map(sign_of, scores.values()), default=None)
        is_known = len(scores) == len(position.moves) or most == 1
        return cls(scores, most if is_known else None)

    def outcome(self, cell: int) -> int | None:
        """Return the outcome of a move, or ``None`` if it is unknown."""
        return sign_of(self.scores[cell]) if cell in self.scores else None


@dataclass(frozen=True)
class Explained:
    """An explanation of a move in a position. ``better`` explains a better move of a mistake."""

    position: Position
    cell: int
    reason: Reason
    text: str
    better: "Explained | None" = None


def explain_move(
    position: Position,
    cell: int,
    known: Knowledge,
    solve: Solve | None = None,
) -> Explained:
    """Return the explanation of a legal move in a game that is not over.

    ``solve`` returns the exact scores of all moves of a position; it is asked about the position
    after a mistake.
    """
    own = known.outcome(cell)
    if own is not None and known.best is not None and own < known.best:
        return _explain_mistake(position, cell, known, solve)
    reason = find_reason(Move(position, cell, known.best, own))
    text = _predicate(position, cell, reason, known)
    if reason.kind in KEEPING and own is not None and own >= 0:
        outcome = sentences.outcome_name(own)
        text = _sentence("keeps", position, cell, outcome=outcome, reason=text)
    else:
        text = _sentence("plain", position, cell, reason=text)
    return Explained(position, cell, reason, text)


def explain_search(position: Position, cell: int, depth: int, note: str) -> Explained:
    """Return the explanation of a move whose score is not proven.

    ``note`` says how it was chosen, if not by a complete search to ``depth`` plies.
    """
    reason = find_reason(Move(position, cell))
    if reason.kind != VALUES.kind:
        text = _sentence(
            "plain", position, cell, reason=sentences.predicate(position, cell, reason)
        )
    elif note:
        text = _sentence("note", position, cell, note=note)
    else:
        text = _sentence("plain", position, cell, reason=sentences.searched_in_words(depth))
    return Explained(position, cell, reason if reason != VALUES else Reason("searched"), text)


def _explain_mistake(
    position: Position, cell: int, known: Knowledge, solve: Solve | None
) -> Explained:
    """Return the explanation of a move that gives away a better outcome."""
    own = known.outcome(cell)
    assert own is not None
    assert known.best is not None
    after = position.play(cell)
    scores = {} if solve is None or after.is_over else solve(after)
    answers = sum(
        1 << answer
        for answer, score in scores.items()
        if sign_of(score) == -own and answer != STEAL
    )
    reason = find_reason(Move(position, cell, known.best, own, answers))
    better = _better_move(position, known, reason)
    if better is None:  # without gravity, perhaps no best move was found in time
        score, is_exact = known.scores[cell], known.is_exact
        effect = sentences.effect_of(position, cell, score, is_exact=is_exact)
        return Explained(position, cell, VALUES, _sentence("plain", position, cell, reason=effect))
    if reason.kind in TAKING and reason.line[0] != better.cell:
        reason = VALUES
    if reason == VALUES and better.reason == VALUES and solve is not None:
        reason = _reason_in_best_play(after, solve)
    values = {
        "before": sentences.outcome_name(known.best),
        "after": sentences.outcome_name(own),
        "better": sentences.move_name(position.variant, better.cell),
        "better_reason": _predicate(position, better.cell, better.reason, known, is_short=True),
    }
    if reason != VALUES:
        frame, values["reason"] = "mistake", sentences.predicate(position, cell, reason)
    elif better.reason != VALUES:
        frame, reason = "bare mistake", Reason("misses", *better.reason[1:])
    else:
        frame = "far mistake"
    return Explained(position, cell, reason, _sentence(frame, position, cell, **values), better)


def refusal(explained: Explained, known: Knowledge) -> str:
    """Return what a mistake gives away, in a sentence that names no move that keeps the outcome.

    The sentence gives the reason of the mistake if this names no such move. The outcomes of the
    mistake and of the position must be known.
    """
    position, cell, reason = explained.position, explained.cell, explained.reason
    own = known.outcome(cell)
    assert own is not None
    assert known.best is not None
    before, after = sentences.outcome_name(known.best), sentences.outcome_name(own)
    kept = {move for move in position.moves if known.outcome(move) == known.best}
    if _names_column(position, reason, kept) or reason.kind in {VALUES.kind, "misses"}:
        return _sentence("bare refusal", position, cell, before=before, after=after)
    text = sentences.predicate(position, cell, reason)
    return _sentence("refusal", position, cell, before=before, after=after, reason=text)


def _names_column(position: Position, reason: Reason, moves: Iterable[int]) -> bool:
    """Return whether the sentence of a reason names the column of one of these moves."""
    names_all = any(word in reason.kind for word in ("force", "prepares", sentences.LEADS))
    line = reason.line if names_all else reason.line[:1]
    column_of = position.variant.column_of
    named = {column_of(cell) for cell in (*cells_of(reason.cells), *line)}
    return not named.isdisjoint(map(column_of, moves))


def _reason_in_best_play(position: Position, solve: Solve) -> Reason:
    """Return the reason of the first of the opponent's moves that has one, if both play their best.

    ``position`` is the position after the mistake. Of several best moves, the most central one is
    played. The line of the reason ends with the move that has it.
    """
    line: list[int] = []
    while len(line) < MAX_LINE and not position.is_over:
        scores = solve(position)
        if len(scores) < len(position.moves):
            return VALUES
        best = max(position.moves, key=lambda cell: scores[cell])
        outcome, is_answer = sign_of(scores[best]), len(line) % 2 == 0
        line.append(best)
        if is_answer and outcome >= 0:
            reason = find_reason(Move(position, best, outcome, outcome))
            if reason.kind in LEADING:
                return Reason(f"{sentences.LEADS}{reason.kind}", reason.cells, tuple(line))
        position = position.play(best)
    return VALUES


def _better_move(position: Position, known: Knowledge, reason: Reason) -> Explained | None:
    """Return the best move that has a reason, or else the best move.

    If the mistake leaves the cell of a better move to the opponent, return this move.
    """
    kept = [cell for cell in position.moves if known.outcome(cell) == known.best]
    kept.sort(key=lambda cell: -known.scores[cell])
    explained = [explain_move(position, cell, known) for cell in kept]
    taken = [one for one in explained if reason.kind in TAKING and one.cell == reason.line[0]]
    with_reason = [one for one in explained if one.reason != VALUES]
    return next(iter(taken + with_reason + explained), None)


def _predicate(
    position: Position, cell: int, reason: Reason, known: Knowledge, *, is_short: bool = False
) -> str:
    """Return what a move does. If ``is_short`` is true, do not speak of other moves."""
    if reason.kind == "lost":
        return sentences.lost_in_words(position, cell, known.scores if known.is_exact else {})
    if reason != VALUES:
        return sentences.predicate(position, cell, reason)
    if is_short and cell in known.scores:
        return sentences.keeps_in_words(known.scores[cell])
    return sentences.effect(position, cell, known.scores, is_exact=known.is_exact)


def _sentence(frame: str, position: Position, cell: int, **values: str) -> str:
    return sentences.sentence(frame, move=sentences.move_name(position.variant, cell), **values)


def find_reason(move: Move) -> Reason:
    """Return the result of ``reason_of``.

    It comes from the core, unless the board is too large or the steal is ahead.
    """
    before = move.before
    variant = before.variant
    if variant.bits > MAX_BITS or before.steal_is_ahead or not is_core_available():
        return reason_of(move)
    known = move.best, move.own, halves(move.answers)
    kind, (low, high), line = core.reason(sizes(variant), stones(before), move.cell, *known)
    return Reason(kind, low | high << 64, tuple(line))
