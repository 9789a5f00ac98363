"""Compares the weights of a champion with other weights, and its moves with the solver's."""

import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import orjson
from c4_protocol.program.errors import ArenaError
from c4_protocol.rules.variant import STANDARD

from c4_referee.bots.own import with_own_command
from c4_referee.contest.openings import find_openings
from c4_referee.contest.schedule import MAX_ROUNDS_OR_PAIRS
from c4_referee.records.stats.elo import elo
from c4_referee.records.stats.solved import outcome_of
from c4_referee.records.stats.sprt import SequentialTest, Sprt, SprtVerdict
from c4_referee.tuning.arena import Arena, TuningGame, TuningPlayer, check_range
from c4_referee.tuning.optimizers import Weights

OPENINGS_IN_BATCH = 50
"""Number of openings that are played between two checks of the sequential test."""
MIN_OPENING_PLIES, MAX_OPENING_PLIES = 8, 30
"""Range of the number of stones in positions that are solved.

Positions with fewer stones take long to solve, and few games reach positions with more stones.
"""


@dataclass(frozen=True)
class PairsResult:
    """Results of two players who played each opening in both seats.

    ``wins``, ``draws``, ``losses`` and ``elo`` are from the point of view of the first player.
    ``elo`` is the difference in Elo points, with the 95% interval ``elo_low`` to ``elo_high``.
    ``llr`` is the log-likelihood ratio of the sequential test and ``verdict`` its decision.
    """

    wins: int
    draws: int
    losses: int
    elo: float
    elo_low: float
    elo_high: float
    llr: float
    verdict: SprtVerdict


def play_pairs(
    arena: Arena, one: TuningPlayer, other: TuningPlayer, openings: Sequence[str], sprt: Sprt
) -> PairsResult:
    """Play each opening twice, with seats exchanged. Stop when the test ``sprt`` has decided."""
    pairs, games, test = [0] * 5, Counter[int](), SequentialTest(sprt, "")
    for start in range(0, len(openings), OPENINGS_IN_BATCH):
        for scores in _pair_scores(arena, one, other, openings[start : start + OPENINGS_IN_BATCH]):
            games.update(scores)
            pairs[sum(scores)] += 1
            test.add(sum(scores))
        if test.is_decided:
            break
    difference, low, high, _ = elo(pairs)
    return PairsResult(games[2], games[1], games[0], difference, low, high, test.llr, test.verdict)


def _pair_scores(
    arena: Arena, one: TuningPlayer, other: TuningPlayer, openings: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Generate the half points (2, 1 or 0) of ``one`` in the two games of each opening."""
    as_first = [TuningGame(one, other, opening) for opening in openings]
    as_second = [TuningGame(other, one, opening) for opening in openings]
    results, _ = arena.play(as_first + as_second)
    for first, second in zip(results[: len(openings)], results[len(openings) :], strict=True):
        yield (1, 2, 0)[first.winner], (1, 0, 2)[second.winner]


@dataclass(frozen=True)
class Agreement:
    """Agreement of a player's moves with the solver, as numbers of positions.

    In ``best`` of all ``positions`` the player chose a move with the highest score. In ``keeping``
    positions its move kept the best possible outcome: win, draw or loss.
    """

    positions: int
    best: int
    keeping: int


SolvedPosition = tuple[str, list[int | None]]
"""A position as text of its moves, and the exact score of each column, ``None`` for a full one."""


def solve_positions(count: int, seed: int) -> list[SolvedPosition]:
    """Solve ``count`` random positions of 7x6 with ``c4-solve``.

    Return only the positions in which moves lead to different outcomes. Raises ``ArenaError`` if
    ``c4-solve`` fails.
    """
    shares = Counter(islice(cycle(range(MIN_OPENING_PLIES, MAX_OPENING_PLIES + 1)), count))
    lines = [
        f"{moves}\n"
        for plies, share in shares.items()
        for moves in find_openings(f"random:{plies}", STANDARD, share, seed)
    ]
    command = with_own_command(("c4-solve", "--all", "--json"))
    try:
        done = subprocess.run(
            command, input="".join(lines), capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise ArenaError(f"c4-solve did not answer: {error}") from None
    return [
        (answer["moves"], answer["scores"])
        for answer in map(orjson.loads, done.stdout.splitlines())
        if len({outcome_of(score) for score in answer["scores"] if score is not None}) > 1
    ]


def measure_agreement(
    arena: Arena, player: TuningPlayer, positions: Sequence[SolvedPosition]
) -> Agreement:
    """Ask ``player`` for its move in all positions, and count best moves and kept outcomes."""
    results, _ = arena.play([TuningGame(player, player, moves) for moves, _ in positions])
    best = keeping = 0
    for (moves, scores), result in zip(positions, results, strict=True):
        highest = max(score for score in scores if score is not None)
        chosen = scores[int(result.moves[len(moves)]) - 1]
        assert chosen is not None
        best += chosen == highest
        keeping += outcome_of(chosen) == outcome_of(highest)
    return Agreement(len(positions), best, keeping)


@dataclass(frozen=True)
class Comparison:
    """Comparison of a champion with other weights, as ``c4-tune judge --json`` prints it."""

    champion: Weights
    other: Weights
    match: PairsResult
    champion_agrees: Agreement | None
    other_agrees: Agreement | None


def compare(
    arena: Arena,
    champion: Weights,
    other: Weights,
    *,
    sprt: Sprt,
    pairs: int,
    plies: int,
    positions: int,
    seed: int,
) -> Comparison:
    """Compare ``champion`` with ``other`` in games and in solved positions.

    Up to ``pairs`` random openings of ``plies`` moves are played. The games stop earlier if the
    test ``sprt`` decides. ``positions`` is the number of random positions to solve, 0 for none.
    Raises ``UsageError`` for impossible numbers.
    """
    check_range("pairs", pairs, 1, MAX_ROUNDS_OR_PAIRS, " openings")
    check_range("positions", positions, 0, MAX_ROUNDS_OR_PAIRS)
    openings = find_openings(f"random:{plies}", STANDARD, pairs, seed)
    match = play_pairs(arena, champion, other, openings, sprt)
    solved = solve_positions(positions, seed) if positions else []
    agreements = [
        measure_agreement(arena, player, solved) if solved else None for player in (champion, other)
    ]
    return Comparison(champion, other, match, *agreements)
