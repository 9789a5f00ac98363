"""What a bot tells about its move: as data for ``--info``, as a sentence for ``--verbose``."""

from bot.contract import WIN, Evaluator, Result, is_proven
from protocol.messages import Info
from protocol.notation import cell_name, win_score, wire_move
from protocol.position import Position

FORCED = 1_000_000
"""The score shown for a win or loss that is forced, while its distance is not yet proven."""


def info(position: Position, result: Result, evaluator: Evaluator | None, ms: float) -> Info:
    """The ``info`` of an answer that took ``ms`` milliseconds."""
    return Info(
        score=shown_score(position, result, evaluator),
        exact=result.exact,
        depth=result.depth,
        nodes=result.nodes,
        ms=round(ms, 3),
        pv=[wire_move(position.variant, cell) for cell in result.line],
        reason=reason(position, result),
    )


def story(position: Position, result: Result, evaluator: Evaluator | None, ms: float) -> str:
    """The same in one line; columns count from 1."""
    score = shown_score(position, result, evaluator)
    line = " ".join(cell_name(position.variant, cell) for cell in result.line)
    return (
        f"player {position.player} at ply {position.ply}: score {score:g}, depth "
        f"{result.depth}, {result.nodes} nodes, {ms:.1f} ms, expecting {line} (columns from 1); "
        f"{reason(position, result)}"
    )


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


def _end(position: Position, score: int) -> str:
    if not score:
        return "a draw"
    moves = (WIN - abs(score) - position.ply + 1) // 2
    return f"{'wins' if score > 0 else 'loses'} in {moves} move{'s' if moves > 1 else ''}"


def shown_score(position: Position, result: Result, evaluator: Evaluator | None) -> float:
    """A score as ``protocol.messages.Info`` defines it."""
    score = result.score
    sign = 1 if score > 0 else -1
    if result.exact:
        return sign * win_score(position.variant, WIN - abs(score)) if score else 0
    if is_proven(score):
        return sign * FORCED
    return score if evaluator is None else round(score / evaluator.unit, 3)
