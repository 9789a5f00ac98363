"""Turning points of games on the page are those that the solver finds."""

import json
from itertools import cycle
from random import Random

from c4_bot.contract import Limits
from c4_bot.player.registry import build_player
from c4_bot.solve.score import sign_of
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from cores import needs_core
from effort import THOROUGH
from reasons import scores_of
from scripted import run_node

GAMES = 100 if THOROUGH else 3
MISTAKES = 0.3
"""Share of the moves that are random."""
MOST = 3
"""Number of turning points that the page shows at most."""
Turn = tuple[int, int, list[int]]


def game_with_mistakes(seed: int) -> list[int]:
    """Return the moves of a game of two levels that sometimes play a random move."""
    draw, position, cells = Random(seed), Position(), []
    levels = [build_player(f"level-{draw.randint(4, 8)}", seed=seed) for _ in range(2)]
    while not position.is_over:
        is_random = draw.random() < MISTAKES
        best = levels[position.player - 1].choose(position, Limits(nodes=2000)).cell
        cells.append(draw.choice(position.moves) if is_random else best)
        position = position.play(cells[-1])
    return cells


def mistakes(cells: list[int], side: int | str) -> list[Turn]:
    """Return how much each mistake gave away, its number, and the moves that keep the result."""
    position, found = Position(), []
    for number, cell in enumerate(cells, 1):
        outcomes = {move: sign_of(score) for move, score in scores_of(position).items()}
        best = max(outcomes.values())
        if outcomes[cell] < best and side in ("both", position.player):
            kept = sorted(move for move, outcome in outcomes.items() if outcome == best)
            found.append((best - outcomes[cell], number, kept))
        position = position.play(cell)
    return found


def worst(found: list[Turn]) -> list[tuple[int, list[int]]]:
    """Return the number and the right moves of the turning points that the page shows."""
    return sorted((number, kept) for _, number, kept in sorted(found)[-MOST:])


@needs_core
def test_turning_points_are_those_of_the_solver():
    """The worst mistakes are found. Exactly the moves that keep the result are accepted."""
    games = [game_with_mistakes(seed) for seed in range(GAMES)]
    cases = list(zip(games, cycle([1, 2, "both"]), strict=False))
    asked = [(moves_text(STANDARD, cells), side) for cells, side in cases]
    answers = json.loads(run_node("turns.js", stdin=json.dumps(asked)))
    found = [mistakes(*case) for case in cases]
    shown = [[(number, sorted(kept)) for number, kept in turns] for turns in answers]
    assert shown == [worst(turns) for turns in found]
    assert any(len(turns) > MOST for turns in found)
