"""A champion judged by others than those it was bred among: a match, and the solver."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from c4_protocol.errors import ArenaError, UsageError
from c4_protocol.variant import STANDARD

from c4_referee.contest.openings import find_openings
from c4_referee.schedule import MOST
from c4_referee.stats.elo import elo
from c4_referee.stats.sprt import SequentialTest, Sprt, Verdict
from c4_referee.tuning.arena import Arena, Contestant, Game
from c4_referee.tuning.genetic import Weights

BATCH = 50
"""Openings between two looks at the test."""
SHALLOWEST, DEEPEST = 8, 30
"""Plies of the positions that the solver judges: earlier ones take it long, later ones are few."""


@dataclass(frozen=True)
class MatchResult:
    """Games of the first player against the second, each opening with both colours.

    ``llr`` and ``verdict`` are those of the sequential test, where there is one.
    """

    wins: int
    draws: int
    losses: int
    elo: float
    elo_low: float
    elo_high: float
    llr: float | None
    verdict: Verdict | None


def play_match(
    arena: Arena,
    one: Contestant,
    other: Contestant,
    openings: Sequence[str],
    about: Sprt | None = None,
) -> MatchResult:
    """A match over the openings, which ends sooner where a test is asked for and decides."""
    pairs, games = [0] * 5, Counter[int]()
    test = SequentialTest(about, "") if about else None
    for start in range(0, len(openings), BATCH):
        for scores in _pairs(arena, one, other, openings[start : start + BATCH]):
            games.update(scores)
            pairs[sum(scores)] += 1
            if test:
                test.add(sum(scores))
        if test and test.is_decided:
            break
    strength = elo(pairs)
    return MatchResult(
        wins=games[2],
        draws=games[1],
        losses=games[0],
        elo=strength.difference,
        elo_low=strength.low,
        elo_high=strength.high,
        llr=test.llr if test else None,
        verdict=test.verdict if test else None,
    )


def _pairs(
    arena: Arena, one: Contestant, other: Contestant, openings: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """What the first player scores in both games of each opening: 2, 1 or 0."""
    there = [Game(one, other, opening) for opening in openings]
    back = [Game(other, one, opening) for opening in openings]
    played, _ = arena.play(there + back)
    for first, second in zip(played[: len(there)], played[len(there) :], strict=True):
        yield (1, 2, 0)[first.winner], (1, 0, 2)[second.winner]


@dataclass(frozen=True)
class Agreement:
    """In how many positions a player picks a move that is best, or keeps the result at least."""

    positions: int
    best: int
    keeping: int


@dataclass(frozen=True)
class Truth:
    """A position, as moves, and the exact score of every column (``None`` where it is full)."""

    moves: str
    scores: list[int | None]


def solved(count: int, seed: int) -> list[Truth]:
    """Random positions of 7x6, as ``c4-solve`` scores them: it is asked over a pipe.

    Only those where the choice matters: where not all moves lead to the same result.
    """
    lengths = range(SHALLOWEST, DEEPEST + 1)
    shares = Counter(islice(cycle(lengths), count))
    lines = [
        moves
        for plies, share in shares.items()
        for moves in find_openings(f"random:{plies}", STANDARD, share, seed)
    ]
    command = [str(Path(sys.executable).with_name("c4-solve")), "--all", "--json"]
    text = "".join(line + "\n" for line in lines)
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ArenaError(f"c4-solve did not answer: {error}") from None
    found = [json.loads(line) for line in done.stdout.splitlines()]
    truths = [Truth(one["moves"], one["scores"]) for one in found]
    return [truth for truth in truths if len(_results(truth)) > 1]


def _results(truth: Truth) -> set[int]:
    return {_sign(score) for score in truth.scores if score is not None}


def agreement(arena: Arena, player: Contestant, truths: Sequence[Truth]) -> Agreement:
    """How often the player's move is the solver's."""
    played, _ = arena.play([Game(player, player, truth.moves) for truth in truths])
    best = keeping = 0
    for truth, game in zip(truths, played, strict=True):
        column = int(game.moves[len(truth.moves)]) - 1
        most = max(score for score in truth.scores if score is not None)
        chosen = truth.scores[column]
        assert chosen is not None
        best += chosen == most
        keeping += _sign(chosen) == _sign(most)
    return Agreement(len(truths), best, keeping)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


@dataclass(frozen=True)
class Judgement:
    """What a champion is worth beside another player."""

    champion: Weights
    other: Weights
    match: MatchResult
    champion_agrees: Agreement | None
    other_agrees: Agreement | None


def judge(
    arena: Arena,
    champion: Weights,
    other: Weights,
    *,
    about: Sprt,
    pairs: int,
    plies: int,
    positions: int,
    seed: int,
) -> Judgement:
    """A match of up to so many ``pairs`` from openings of ``plies`` moves, and the solver's word.

    Raises ``UsageError`` for numbers that make no match.
    """
    if not 1 <= pairs <= MOST:
        raise UsageError(f"--pairs: 1 to {MOST} openings, not {pairs}")
    if not 0 <= positions <= MOST:
        raise UsageError(f"--positions: 0 to {MOST}, not {positions}")
    openings = find_openings(f"random:{plies}", STANDARD, pairs, seed)
    result = play_match(arena, champion, other, openings, about)
    truths = solved(positions, seed) if positions else []
    agree = [agreement(arena, one, truths) if truths else None for one in (champion, other)]
    return Judgement(champion, other, result, *agree)
