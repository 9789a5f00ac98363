"""What a bot tells about its move: as data for ``--info``, as a sentence for ``--verbose``."""

from collections.abc import Iterable, Iterator

from c4_protocol.messages import Info
from c4_protocol.notation import COLUMN_NAMES, win_score, wire_move, wire_name
from c4_protocol.position import Position

from c4_bot.contract import WIN, Evaluator, Result, Scored, is_proven

FORCED = 1_000_000
"""The score shown for a win or loss that is forced, while its distance is not yet proven."""


def info(
    position: Position,
    result: Result,
    scores: Iterable[Scored],
    evaluator: Evaluator | None,
    ms: float,
) -> Info:
    """The ``info`` of an answer that took ``ms`` milliseconds, with what is known of each move."""
    variant = position.variant
    best_first = sorted(scores, key=lambda scored: scored.score, reverse=True)
    return Info(
        score=shown_score(position, result.score, result.exact, evaluator),
        exact=result.exact,
        depth=result.depth,
        nodes=result.nodes,
        ms=round(ms, 3),
        pv=[wire_move(variant, cell) for cell in result.line],
        reason=reason(position, result) + _purpose(position, result.cell),
        scores=[
            (wire_move(variant, cell), shown_score(position, score, exact, evaluator))
            for cell, score, exact in best_first
        ],
        sees=sees(position, evaluator),
    )


def story(position: Position, told: Info) -> Iterator[str]:
    """Yield the same as lines for people; each line that names moves says how they are named."""
    line, naming = " ".join(wire_name(move) for move in told.pv), _naming(position)
    yield (
        f"player {position.player} at ply {position.ply}: score {told.score:g}, depth "
        f"{told.depth}, {told.nodes} nodes, {told.ms:.1f} ms, expecting {line} ({naming}); "
        f"{told.reason}"
    )
    if told.scores:
        scores = ", ".join(f"{wire_name(move)} {score:+g}" for move, score in told.scores)
        yield f"moves and their scores: {scores} ({naming})"
    if told.sees:
        yield f"sees {told.sees}"


def _naming(position: Position) -> str:
    """Return how moves are named: by columns, or where stones do not fall by cells."""
    variant = position.variant
    if not variant.gravity:
        return "cells: row letter from the top; column counting from 1"
    last = COLUMN_NAMES[variant.width - 1]
    return "columns counting from 1" + (f"; a to {last} follow 9" if variant.width > 9 else "")


def sees(position: Position, evaluator: Evaluator | None) -> str:
    """What the evaluator counts for the player to move, if it can tell."""
    tell = getattr(evaluator, "explain", None)
    return str(tell(position, position.player)) if tell else ""


def reason(position: Position, result: Result) -> str:
    """Why this move, and how the game ends if that is proven; an end is so many own moves away."""
    if result.exact:
        return f"{result.reason or 'proven'}: {_end(position, result.score)}"
    if is_proven(result.score):
        end = "wins" if result.score > 0 else "loses"
        return f"{end}, but how soon is not proven"
    if not result.depth:
        return result.reason or "no time to search"
    return f"{result.reason or 'not proven'}: depth {result.depth}"


def _purpose(position: Position, cell: int) -> str:
    """What a move does that anybody can see on the board."""
    if position.winning_cells >> cell & 1:
        return "; completes a line"
    if position.opponent_winning_cells >> cell & 1:
        return "; stops a line of the opponent"
    return ""


def _end(position: Position, score: int) -> str:
    if not score:
        return "a draw"
    moves = (WIN - abs(score) - position.ply + 1) // 2
    return f"{'wins' if score > 0 else 'loses'} in {moves} move{'s' if moves > 1 else ''}"


def shown_score(position: Position, score: int, exact: bool, evaluator: Evaluator | None) -> float:
    """A score as ``c4_protocol.messages.Info`` defines it."""
    sign = 1 if score > 0 else -1
    if exact:
        return sign * win_score(position.variant, WIN - abs(score)) if score else 0
    if is_proven(score):
        return sign * FORCED
    return score if evaluator is None else round(score / evaluator.unit, 3)
