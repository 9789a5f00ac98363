"""The steal, for players whose searches do not know it.

Only the second move of a game can be the steal (``variant.STEAL``), so most searches do
not know it. This module asks them about positions of the game without the steal, and derives from
their results what to do in the game with it.

**The second move.** The board has one stone, of player 1. Let ``s`` be the score of the position
for player 2 in the game without the steal. After the steal, the stone belongs to player 2, and
player 1 is to move. Before and after the steal, the player to move has no stone, and the opponent
has this one. Only the numbers of the players are exchanged, and the rules are the same for both. So
the position after the steal is worth ``s`` to player 1, and the steal is worth ``-s`` to player 2,
who steals if ``s`` is negative. The position is worth the maximum of ``s`` and ``-s``, which is
``abs(s)``. Scores count the stones on the board, and the steal adds none.

**The first move.** A first stone is worth ``-abs(s)`` to player 1, where ``s`` is the score of the
position after it. So the best first stone is the one with the smallest ``abs(s)``.

**All other positions** are those of the game without the steal.
"""

import time
from dataclasses import replace

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL

from c4_bot.contract import Limits, Result, Scored, Search, first_moves


def choose(search: Search, position: Position, limits: Limits) -> Result:
    """Return the move of a search, which may be the steal if the game has it.

    A search whose attribute ``plays_steal`` is true is asked about the position itself.
    """
    if not position.variant.steal or getattr(search, "plays_steal", False):
        return search.search(position, limits)
    if position.can_steal:
        return _result_with_steal(search.search(position.without_steal, limits))
    if position.steal_is_ahead:
        return _best_first_move(search, position, limits)
    return search.search(position.without_steal, limits)


def move_scores(
    search: Search, position: Position, result: Result, limits: Limits
) -> tuple[Scored, ...]:
    """Return the moves whose scores are known, with their scores.

    If ``result`` holds no scores, the search finds them within ``limits``, if it can. It does not
    find the scores of first moves of a game with the steal.
    """
    ask = getattr(search, "move_scores", None)
    if result.scores or not ask or (position.steal_is_ahead and not position.occupied):
        return result.scores
    scores = tuple(ask(position.without_steal, limits))
    if not (position.can_steal and result.exact):
        return scores
    sign = 1 if result.cell == STEAL else -1
    return *scores, Scored(STEAL, sign * result.score, exact=True)


def _result_with_steal(result: Result) -> Result:
    """Return the result for a position in which the steal is possible.

    ``result`` is the result for this position without the steal. If all moves lose, its move may
    not be the best, but then its ``scores`` contain the best.
    """
    best = max((scored.score for scored in result.scores), default=result.score)
    exact = result.exact and all(scored.exact for scored in result.scores)
    scores = (*result.scores, Scored(STEAL, -best, exact)) if result.scores else ()
    if result.score >= 0:
        return replace(result, scores=scores)
    line = (STEAL, *result.line)
    return Result(STEAL, -best, exact, result.depth + 1, result.nodes, line, scores=scores)


def _best_first_move(search: Search, position: Position, limits: Limits) -> Result:
    """Return the first move that is worth least to the opponent, who may steal its stone.

    One of two mirror images is searched. Each search gets the same part of the limits, and one ply
    less than the depth.
    """
    start, nodes, tried = time.monotonic(), 0, []
    cells = first_moves(position)
    for number, cell in enumerate(cells, 1):
        part = limits.unused_part(number / len(cells), start, nodes)
        if part.depth is not None:
            part = replace(part, depth=max(1, part.depth - 1))
        result = _result_with_steal(search.search(position.play(cell).without_steal, part))
        nodes += result.nodes
        depth = result.depth + 1 if _found_score(result) else 0
        line = (cell, *result.line)
        tried.append(Result(cell, -result.score, result.exact, depth, line=line))
        if tried[-1].exact and not tried[-1].score:  # no first move is worth more than a draw
            break
    best = max(tried, key=lambda one: (_found_score(one), one.score))
    exact = best.exact and (best.score == 0 or all(one.exact for one in tried))
    scores = _scores_of_both_halves(position, tried) if len(tried) == len(cells) else ()
    return replace(best, exact=exact, nodes=nodes, scores=scores)


def _found_score(result: Result) -> bool:
    """Return whether a search found the score of its result."""
    return result.exact or result.depth > 0


def _scores_of_both_halves(position: Position, tried: list[Result]) -> tuple[Scored, ...]:
    """Return the scores of all first moves, or none if a search had no time."""
    if not all(map(_found_score, tried)):
        return ()
    variant = position.variant
    scores = {}
    for one in tried:
        image = variant.cell(variant.width - 1 - variant.column_of(one.cell), 0)
        for cell in (one.cell, image):
            scores[cell] = Scored(cell, one.score, one.exact)
    return tuple(scores.values())
