"""Shares of the reasons of moves, and how many are false.

Two groups of games are played on 7x6: games of levels against each other, and games of best moves,
chosen at random among equals. All start with a few random moves, which are not counted. Mistakes
are moves of weak levels that give away a win or a draw. ``tests/shared/reasons.py`` checks every
explanation by plain play and by exact scores.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from _shared import show
from c4_bot.contract import Limits
from c4_bot.player import registry
from c4_bot.player.player import Player
from c4_bot.reasons.explanation import Knowledge, explain_move
from c4_protocol.rules.position import Position

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))
from reasons import Scores, faults_of, scores_of, sign

LEVELS = range(1, 10)
WEAK = range(1, 6)
"""Levels whose mistakes are counted."""
NODES = 20_000
"""Maximum number of nodes of a level's search, so that a game takes less than a second."""
MAX_OPENING = 6
"""Maximum number of random moves at the start."""
GROUPS = ("levels", "perfect games", "mistakes")
MOVES, CHECKED, FALSE = "all moves", "checked", "false"

Tally = Counter[tuple[str, str]]
"""Numbers of moves by group and kind."""


def opening(draw: random.Random) -> Position:
    """Return a position after a few random moves that end no game."""
    position = Position()
    for _ in range(draw.randint(0, MAX_OPENING)):
        after = position.play(draw.choice(position.moves))
        position = position if after.is_over else after
    return position


def best_move(position: Position, scores: Scores, draw: random.Random) -> int:
    """Return one of the best moves."""
    best = max(scores.values())
    return draw.choice([cell for cell in position.moves if scores[cell] == best])


def tally_move(position: Position, cell: int, groups: list[str], tally: Tally) -> None:
    """Explain a move, check the explanation, and count it in each of its groups."""
    scores = scores_of(position)
    found = explain_move(position, cell, Knowledge.of_scores(position, scores), scores_of)
    faults = faults_of(found, scores)
    for text in faults:
        print(f"{position}: {text}", file=sys.stderr)
    kind = found.reason.kind
    tally.update((group, name) for group in groups for name in (kind, MOVES))
    tally.update({(CHECKED, kind): 1, (FALSE, kind): bool(faults)})
    tally.update({(CHECKED, MOVES): 1, (FALSE, MOVES): bool(faults)})


def level_game(players: dict[int, Player], draw: random.Random, tally: Tally) -> None:
    """Play a game of two levels, and count its moves."""
    seats, position = draw.choices(LEVELS, k=2), opening(draw)
    while not position.is_over:
        level, scores = seats[position.player - 1], scores_of(position)
        cell = players[level].choose(position, Limits(nodes=NODES)).cell
        is_mistake = sign(scores[cell]) < sign(max(scores.values()))
        groups = ["levels", *(["mistakes"] if is_mistake and level in WEAK else [])]
        tally_move(position, cell, groups, tally)
        position = position.play(cell)


def perfect_game(draw: random.Random, tally: Tally) -> None:
    """Play a game of best moves, and count its moves."""
    position = opening(draw)
    while not position.is_over:
        cell = best_move(position, scores_of(position), draw)
        tally_move(position, cell, ["perfect games"], tally)
        position = position.play(cell)


def rows_of(tally: Tally) -> Iterator[tuple[object, ...]]:
    """Yield a row for each kind, most frequent first, then the shares of moves with a reason."""

    def row(title: str, part: Counter[str]) -> tuple[object, ...]:
        return (title, *(100 * part[name] / max(1, tally[name, MOVES]) for name in GROUPS))

    kinds = {kind for _, kind in tally if kind != MOVES}
    for kind in sorted(kinds, key=lambda kind: -tally[CHECKED, kind]):
        share = row(kind, Counter({group: tally[group, kind] for group in GROUPS}))
        yield (*share, tally[CHECKED, kind], tally[FALSE, kind])
    for title, left in (("a reason", {"values"}), ("a reason, not lost", {"values", "lost"})):
        part = Counter({group: sum(tally[group, k] for k in kinds - left) for group in GROUPS})
        yield (*row(title, part), tally[CHECKED, MOVES], tally[FALSE, MOVES])


def main(games: int = 100) -> None:
    """Play this number of games of levels and of perfect games, and count the reasons of moves."""
    tally: Tally = Counter()
    for number in range(games):
        draw = random.Random(number)
        players = {n: registry.build_player(f"level-{n}", seed=number) for n in LEVELS}
        level_game(players, draw, tally)
        perfect_game(draw, tally)
    numbers = ", ".join(f"{tally[name, MOVES]} {name}" for name in GROUPS)
    columns = dict.fromkeys(GROUPS, ".1f") | {CHECKED: "d", FALSE: "d"}
    show(f"reasons of moves in %, {numbers}", {"kind": ""} | columns, rows_of(tally))
