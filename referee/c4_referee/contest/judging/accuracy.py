"""Measurement of how accurately bots moved, with exact values of the positions of their games.

``accuracy_of`` asks a judge for the values. ``accuracy_from_solved`` takes values that are known.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Literal

from c4_protocol.program.errors import JudgeError
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import AccuracyReport, WorstMove
from c4_protocol.rules.notation import cell_name
from c4_protocol.rules.variant import Variant

from c4_referee.bots.own import version_of
from c4_referee.contest.judging.judge import Judge
from c4_referee.contest.judging.values import ProgressFunction, TimeLimit
from c4_referee.records.stats.accuracy import accuracy, gaining_ply
from c4_referee.records.stats.analysis import KnownPositions, changing_plies, values_around
from c4_referee.records.stats.observations import distinct_games, games_that_count
from c4_referee.records.stats.solved import GameAnalysis, SolvedPositions, outcome_of


def accuracy_of(
    games: Sequence[GameEnded],
    variant: Variant,
    judge: Judge,
    seconds: float,
    progress: ProgressFunction = lambda _done, _games: None,
) -> AccuracyReport:
    """Return how accurately the bots of some games moved.

    Different games that count (``stats.observations``) are judged one after another until
    ``seconds`` have passed or Ctrl-C is pressed. Their order is random, with a fixed seed. A game
    that is judged only in part does not count. Otherwise late positions would have too much weight,
    because judging begins with them. Raises ``JudgeError`` if the judge fails.
    """
    distinct = _games_to_judge(games)
    random.Random(0).shuffle(distinct)
    judged: list[GameAnalysis] = []
    with TimeLimit(seconds) as limit:
        for game in distinct:
            progress(len(judged), len(distinct))
            judged.append(_judge_game(game, judge, limit))
    if limit.ended != "interrupt":
        with TimeLimit(seconds) as limit_of_worst:  # the judge keeps the values of better moves
            for worst, ply in _worst_changes(judged):
                position = worst.game.positions[ply]
                for cell in position.moves:
                    limit_of_worst.check()
                    judge.value(position.play(cell))
    unjudged = distinct[len(judged) :]
    program = judge.name, judge.version
    known = judge.values.known
    return _report(games, variant, program, judged, unjudged, limit.ended, known)


def accuracy_from_solved(
    games: Sequence[GameEnded], variant: Variant, solved: SolvedPositions, judge: str
) -> AccuracyReport:
    """Return how accurately the bots of some games moved, by values that are already known.

    A game is judged if the values of all its positions after the opening are known. If others are
    left, the report says that the time for judging was over. ``judge`` is the command line of the
    program that has found the values.
    """
    judged, unjudged = [], []
    for game in _games_to_judge(games):
        values, _ = KnownPositions(solved).along(game)
        if None in values[game.start :]:
            unjudged.append(game)
        else:
            judged.append(GameAnalysis(game, values))
    program = judge, version_of(judge.partition(" ")[0])
    return _report(games, variant, program, judged, unjudged, "time" if unjudged else None, solved)


def _games_to_judge(games: Sequence[GameEnded]) -> list[GameEnded]:
    """Return the different games that count and in which bots made moves."""
    return [game for game in distinct_games(games_that_count(games)) if game.plies > game.start]


def _report(
    games: Sequence[GameEnded],
    variant: Variant,
    judge: tuple[str, str | None],
    judged: Sequence[GameAnalysis],
    unjudged: Sequence[GameEnded],
    ended: Literal["time", "interrupt"] | None,
    solved: SolvedPositions,
) -> AccuracyReport:
    """Return the accuracy of each bot in ``games``, with the number of all its moves.

    ``judge`` is the name of the judge, and its version if it is our own command. Better moves than
    the worst are those that ``solved`` shows.
    """
    bots = dict.fromkeys(bot for game in games for bot in game.bots)
    unknown = map(GameAnalysis.unknown, unjudged)
    records = accuracy([*bots], [*judged, *unknown], variant)
    name, version = judge
    worst_moves = [_worst_move(*change, solved) for change in _worst_changes(judged)]
    for worst in worst_moves:
        records[worst.bot] = replace(records[worst.bot], worst=worst)
    worst_of_all = worst_moves[0] if worst_moves else None
    return AccuracyReport(
        name, len(judged) + len(unjudged), len(judged), ended, records, version, worst_of_all
    )


def _worst_changes(judged: Sequence[GameAnalysis]) -> list[tuple[GameAnalysis, int]]:
    """Return the game and the ply of the costliest move of each bot, the costliest of all first.

    First it counts that the move is the last one that changed the result of its game: it decided
    it. Then the game counts, because a lost one cost most, then the bot with the fewest wins,
    because people ask why a bot lost. Then the results and the scores decide. Games that a fault
    decided do not count.
    """
    wins = Counter(each.game.winning_bot for each in judged)
    costs: dict[str, tuple[tuple[bool, bool, int, int, int], GameAnalysis, int]] = {}
    for each in judged:
        plies = [] if each.game.fault else [*changing_plies(each.game, each.values)]
        for ply in plies:
            before, after = values_around(each.values, ply)
            bot, turn = each.game.mover(ply), outcome_of(before) - outcome_of(after)
            has_lost = each.game.winner != 0
            cost = (ply == plies[-1], has_lost, -wins[bot], turn, before - after)
            if bot not in costs or cost > costs[bot][0]:
                costs[bot] = cost, each, ply
    ordered = sorted(costs.values(), key=itemgetter(0), reverse=True)
    return [(game, ply) for _, game, ply in ordered]


def _worst_move(judged: GameAnalysis, ply: int, solved: SolvedPositions) -> WorstMove:
    game, (before, after) = judged.game, values_around(judged.values, ply)
    better = KnownPositions(solved).best_moves(game.positions[ply], before)
    return WorstMove(
        game=game.game,
        bot=game.mover(ply),
        number=ply + 1,
        move=game.move_names[ply],
        before=before,
        after=after,
        better=tuple(cell_name(game.rules, cell) for cell in sorted(better)),
    )


def _judge_game(game: GameEnded, judge: Judge, limit: TimeLimit) -> GameAnalysis:
    """Return a game with the values of its positions after the opening.

    The judge is asked about the last position first, because a solver can use the results of later
    positions for earlier ones. Raises ``TimeUp`` if the time is up, and ``JudgeError`` if
    the judge fails or contradicts itself.
    """
    values: list[int | None] = [None] * len(game.positions)
    for ply in reversed(range(game.start, len(values))):
        limit.check()
        values[ply] = judge.value(game.positions[ply])
    gain = gaining_ply(values)
    if gain is not None:
        raise JudgeError(
            f"judge '{judge.name}' contradicts itself: after {gain} moves of {game.moves} it has "
            f"{values[gain]}, but {values[gain + 1]} for the other player after the next"
        )
    return GameAnalysis(game, values)
