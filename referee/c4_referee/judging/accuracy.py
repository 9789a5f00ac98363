"""Measurement of how accurately bots moved, with exact values of the positions of their games.

``accuracy_of`` asks a judge for the values. ``accuracy_from_solved`` takes values that are known.
"""

import random
import time
from collections.abc import Callable, Sequence
from typing import Literal

from c4_protocol.errors import JudgeError
from c4_protocol.events import GameEnded
from c4_protocol.notation import cells_from_moves
from c4_protocol.reports import AccuracyRecord, AccuracyReport
from c4_protocol.variant import Variant

from c4_referee.bots.own import version_of
from c4_referee.judging.judge import Judge
from c4_referee.stats.accuracy import JudgedGame, accuracy, gaining_ply, plies
from c4_referee.stats.analysis import known_values, positions_of
from c4_referee.stats.observations import counting, distinct_games
from c4_referee.stats.solved import SolvedPositions

Progress = Callable[[int, int], None]
"""Function that is called with the number of games judged so far and the number of games to
judge."""


class TimeUp(Exception):
    """Error that ends judging, because the time for it has passed."""


def accuracy_of(
    games: Sequence[GameEnded],
    variant: Variant,
    judge: Judge,
    seconds: float,
    progress: Progress = lambda _done, _games: None,
) -> AccuracyReport:
    """Return how accurately the bots of some games moved.

    Different games that count (``stats.observations``) are judged one after another until
    ``seconds`` have passed or Ctrl-C is pressed. Their order is random, with a fixed seed. A game
    that is judged only in part does not count. Otherwise late positions would have too much weight,
    because judging begins with them. Raises ``JudgeError`` if the judge fails.
    """
    distinct = _games_to_judge(games, variant)
    random.Random(0).shuffle(distinct)
    until = time.monotonic() + seconds
    judged: list[JudgedGame] = []
    ended: Literal["time", "interrupt"] | None = None
    try:
        for game in distinct:
            progress(len(judged), len(distinct))
            judged.append(_judge_game(game, variant, judge, until))
    except TimeUp:
        ended = "time"
    except KeyboardInterrupt:
        ended = "interrupt"
    unjudged = distinct[len(judged) :]
    records = _records(games, judged, unjudged, variant)
    return AccuracyReport(judge.name, len(distinct), len(judged), ended, records, judge.version)


def accuracy_from_solved(
    games: Sequence[GameEnded], variant: Variant, solved: SolvedPositions, judge: str
) -> AccuracyReport:
    """Return how accurately the bots of some games moved, by values that are already known.

    A game is judged if the values of all its positions after the opening are known. If others are
    left, the report says that the time for judging was over. ``judge`` is the command line of the
    program that has found the values.
    """
    distinct = _games_to_judge(games, variant)
    judged, unjudged = [], []
    for game in distinct:
        values = known_values(game, solved)
        if None in values[plies(game.opening, variant) :]:
            unjudged.append(game)
        else:
            judged.append(JudgedGame(game, values))
    ended: Literal["time"] | None = "time" if unjudged else None
    records = _records(games, judged, unjudged, variant)
    version = version_of(judge.partition(" ")[0])
    return AccuracyReport(judge, len(distinct), len(judged), ended, records, version)


def _games_to_judge(games: Sequence[GameEnded], variant: Variant) -> list[GameEnded]:
    """Return the different games that count and in which bots made moves."""
    return [game for game in distinct_games(counting(games)) if _has_moves(game, variant)]


def _records(
    games: Sequence[GameEnded],
    judged: Sequence[JudgedGame],
    unjudged: Sequence[GameEnded],
    variant: Variant,
) -> dict[str, AccuracyRecord]:
    """Return the accuracy of each bot in ``games``, with the number of all its moves."""
    bots = dict.fromkeys(bot for game in games for bot in (game.first, game.second))
    unknown = [_unjudged(game, variant) for game in unjudged]
    return accuracy([*bots], [*judged, *unknown], variant)


def _has_moves(game: GameEnded, variant: Variant) -> bool:
    """Return whether the bots made any moves after the opening."""
    return plies(game.moves, variant) > plies(game.opening, variant)


def _judge_game(game: GameEnded, variant: Variant, judge: Judge, until: float) -> JudgedGame:
    """Return a game with the values of its positions after the opening.

    The judge is asked about the last position first, because a solver can use the results of later
    positions for earlier ones. Raises ``TimeUp`` if the time ``until`` has passed, and
    ``JudgeError`` if the judge fails or contradicts itself.
    """
    positions = [*positions_of(cells_from_moves(game.moves, variant), variant)]
    values: list[int | None] = [None] * len(positions)
    for ply in range(len(positions) - 1, plies(game.opening, variant) - 1, -1):
        if time.monotonic() > until:
            raise TimeUp
        values[ply] = judge.value(positions[ply])
    _check_agree(judge, game, values)
    return JudgedGame(game, values)


def _check_agree(judge: Judge, game: GameEnded, values: Sequence[int | None]) -> None:
    """Raise ``JudgeError`` if values contradict each other, so that not all can be exact."""
    ply = gaining_ply(values)
    if ply is not None:
        raise JudgeError(
            f"judge '{judge.name}' contradicts itself: after {ply} moves of {game.moves} it has "
            f"{values[ply]}, but {values[ply + 1]} for the other player after the next"
        )


def _unjudged(game: GameEnded, variant: Variant) -> JudgedGame:
    """Return a game without the value of any position."""
    return JudgedGame(game, [None] * (plies(game.moves, variant) + 1))
