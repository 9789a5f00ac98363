"""Explanations of moves are true: each is checked by plain play and by exact scores."""

from collections.abc import Iterator
from random import Random

import pytest
from c4_bot.reasons.explanation import Explained, Knowledge, explain_move, explain_search
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, Variant
from cores import needs_core
from effort import THOROUGH
from reasons import Scores, faults_of, scores_of, sign

BOARDS = {
    "7x6": Variant(),
    "7x5": Variant(7, 5),
    "6x5": Variant(6, 5),
    "5x5": Variant(5, 5),
    "4x4": Variant(4, 4),
    "5x4x3": Variant(5, 4, 3),
    "5x4 with steal": Variant(5, 4, steal=True),
    "4x4x3 free": Variant(4, 4, 3, gravity=False),
    "line8": LINE8,
}
SCORED_FROM = {"7x5": 12, "6x5": 6, "4x4x3 free": 4, "line8": LINE8.cells}
"""Number of stones from which positions are solved. With fewer stones it takes long."""
GAMES = 80 if THOROUGH else 6
"""Games on each board and with each share of random moves."""
SHARES = {"random": 1, "slipping": 0.3, "perfect": 0}
"""Shares of random moves. The other moves are best."""


def cases(name: str, share: float, games: int = GAMES) -> Iterator[tuple[Position, int, Scores]]:
    """Yield positions of games, each with a move and the exact scores of all moves."""
    for number in range(games):
        draw, position = Random(f"{name} {share} {number}"), Position(BOARDS[name])
        while not position.is_over:
            is_scored = position.ply >= SCORED_FROM.get(name, 0)
            scores = scores_of(position) if is_scored else {}
            moves = position.moves
            yield position, draw.choice(moves), scores
            if scores and draw.random() >= share:
                moves = [move for move in moves if scores[move] == max(scores.values())]
            position = position.play(draw.choice(moves))


def explained(position: Position, cell: int, scores: Scores) -> Explained:
    """Return the explanation of a move by scores of moves, which may be some or none."""
    return explain_move(position, cell, Knowledge.of_scores(position, scores), scores_of)


@needs_core
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", BOARDS)
def test_explanations_are_true(name, share):
    """Whatever an explanation says holds if the position is played on."""
    for position, cell, scores in cases(name, SHARES[share]):
        found = explained(position, cell, scores)
        assert not faults_of(found, scores), (position, found.text)


@needs_core
@pytest.mark.parametrize("name", BOARDS)
def test_explanations_are_true_if_scores_are_missing(name):
    """Explanations by some of the scores, by outcomes without distances, and by none are true."""
    draw = Random(name)
    for position, cell, scores in cases(name, SHARES["slipping"]):
        some = {move: score for move, score in scores.items() if draw.random() < 0.6}
        best = max(map(sign, scores.values()), default=None)
        for found in (
            explain_search(position, cell, 5, ""),
            explained(position, cell, some),
            explain_move(position, cell, Knowledge(scores, best, is_exact=False), scores_of),
            explain_move(position, cell, Knowledge({}, best)),
        ):
            assert not faults_of(found, scores, is_informed=False), (position, found.text)
