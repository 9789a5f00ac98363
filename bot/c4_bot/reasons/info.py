"""Descriptions of a player's move: as data for ``--info``, as lines of text for ``--verbose``."""

from collections.abc import Iterable, Iterator

from c4_protocol.records.messages import Info
from c4_protocol.rules.notation import COLUMN_NAMES, wire_move, wire_name
from c4_protocol.rules.position import Position

from c4_bot.contract import Evaluator, Result, Scored, is_proven, shown_score
from c4_bot.reasons.explanation import Explained, Knowledge, explain_move, explain_search
from c4_bot.solve.score import score_from_search


def info(
    position: Position,
    result: Result,
    scores: Iterable[Scored],
    evaluator: Evaluator | None,
    ms: float,
) -> Info:
    """Return the ``info`` of an answer that took ``ms`` milliseconds.

    ``scores`` holds the moves whose scores are known.
    """
    variant = position.variant
    best_first = sorted(scores, key=lambda scored: scored.score, reverse=True)
    return Info(
        score=float(shown_score(position, result.score, result.exact, evaluator)),
        exact=result.exact,
        depth=result.depth,
        nodes=result.nodes,
        ms=round(ms, 3),
        pv=[wire_move(variant, cell) for cell in result.line],
        reason=explain_result(position, result, best_first).text,
        scores=tuple(
            (wire_move(variant, cell), float(shown_score(position, score, exact, evaluator)))
            for cell, score, exact in best_first
        ),
        sees=sees(position, evaluator),
    )


def lines_for_people(position: Position, seen: Info) -> Iterator[str]:
    """Yield an ``info`` as lines of text. A line that names moves explains how they are named."""
    line, naming = " ".join(map(wire_name, seen.pv)), _explanation_of_move_names(position)
    yield (
        f"player {position.player} at ply {position.ply}: score {seen.score:g}, depth "
        f"{seen.depth}, {seen.nodes} nodes, {seen.ms:.1f} ms, expecting {line} ({naming}); "
        f"{seen.reason}"
    )
    if seen.scores:
        scores = ", ".join(f"{wire_name(move)} {score:+g}" for move, score in seen.scores)
        yield f"moves and their scores: {scores} ({naming})"
    if seen.sees:
        yield f"sees {seen.sees}"


def _explanation_of_move_names(position: Position) -> str:
    """Return an explanation of the names of moves: columns, or cells in games without gravity."""
    variant = position.variant
    if not variant.gravity:
        return "cells: row letter from the top; column counting from 1"
    last = COLUMN_NAMES[variant.width - 1]
    after_9 = f"; a to {last} follow 9" if variant.width > 9 else ""
    steal = "; s steals the first stone" if position.steal_is_ahead else ""
    return f"columns counting from 1{after_9}{steal}"


def sees(position: Position, evaluator: Evaluator | None) -> str:
    """Return what the evaluator's ``explain`` says to the player to move; empty without it."""
    explain = getattr(evaluator, "explain", None)
    return str(explain(position, position.player)) if explain else ""


def explain_result(position: Position, result: Result, scores: Iterable[Scored]) -> Explained:
    """Return the explanation of a move, from the rules and from scores that a search has proven."""
    own = Scored(result.cell, result.score, result.exact and not result.reason)
    known = {
        cell: score_from_search(position.variant, score)
        for cell, score, exact in (*scores, own)
        if exact
    }
    if result.cell in known:
        return explain_move(position, result.cell, Knowledge.of_scores(position, known))
    if is_proven(result.score):
        sign = 1 if result.score > 0 else -1
        vague = Knowledge({result.cell: sign}, sign if sign > 0 else None, is_exact=False)
        return explain_move(position, result.cell, vague)
    note = result.reason or ("" if result.depth else "no time to search")
    return explain_search(position, result.cell, result.depth, note)
