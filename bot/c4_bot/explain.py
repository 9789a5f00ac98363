"""Explanations of a move: as data for ``--info``, as lines of text for ``--verbose``."""

from collections.abc import Iterable, Iterator

from c4_protocol.records.messages import Info
from c4_protocol.rules.notation import COLUMN_NAMES, win_score, wire_move, wire_name
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL

from c4_bot.contract import WIN, Evaluator, Result, Scored, is_proven

SHOWN_FORCED_WIN = 1_000_000
"""Score shown for a forced win whose length is not proven. A forced loss has the negative score."""


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
        reason=reason(position, result) + _purpose_in_words(position, result.cell),
        scores=tuple(
            (wire_move(variant, cell), float(shown_score(position, score, exact, evaluator)))
            for cell, score, exact in best_first
        ),
        sees=sees(position, evaluator),
    )


def lines_for_people(position: Position, seen: Info) -> Iterator[str]:
    """Yield an ``info`` as lines of text. A line that names moves explains how they are named."""
    line, naming = (
        " ".join(wire_name(move) for move in seen.pv),
        _explanation_of_move_names(position),
    )
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


def reason(position: Position, result: Result) -> str:
    """Return the reason for the move, and how the game ends if that is proven.

    The distance to the end of the game is counted in moves of the player to move.
    """
    if result.exact:
        return f"{result.reason or 'proven'}: {_outcome_in_words(position, result)}"
    if is_proven(result.score):
        end = "wins" if result.score > 0 else "loses"
        return f"{end}, but how soon is not proven"
    if not result.depth:
        return result.reason or "no time to search"
    return f"{result.reason or 'not proven'}: depth {result.depth}"


def _purpose_in_words(position: Position, cell: int) -> str:
    """Return a note if the move completes or stops a line; otherwise return an empty text."""
    if cell == STEAL:
        return ""
    if position.winning_cells >> cell & 1:
        return "; completes a line"
    if position.opponent_winning_cells >> cell & 1:
        return "; stops a line of the opponent"
    return ""


def _outcome_in_words(position: Position, result: Result) -> str:
    """Return a proven outcome in words, with the number of own moves until the game ends."""
    if not result.score:
        return "a draw"
    moves = (WIN - abs(result.score) - position.ply + 1) // 2
    moves += result.cell == STEAL  # a move that adds no stone
    return f"{'wins' if result.score > 0 else 'loses'} in {moves} move{'s' if moves > 1 else ''}"


def shown_score(position: Position, score: int, exact: bool, evaluator: Evaluator | None) -> float:
    """Return a score as ``c4_protocol.records.messages.Info`` defines it."""
    sign = 1 if score > 0 else -1
    if exact:
        return sign * win_score(position.variant, WIN - abs(score)) if score else 0
    if is_proven(score):
        return sign * SHOWN_FORCED_WIN
    return score if evaluator is None else round(score / evaluator.unit, 3)
