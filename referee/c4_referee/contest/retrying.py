"""Positions of a bot's stored games, asked again of another bot: tests made of its own games.

``positions_to_ask`` chooses the positions: those in which the bot gave away a result, and as many
in which it could have done so, but did not. ``answers`` asks the other bot, in a new process for
each position. ``game_with`` makes a game of an answer, so that its move is solved and explained
like any other. ``compared`` says which of the two moves is wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import cell_name, moves_text

from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.contain.faults import Foul
from c4_referee.bots.contain.forks import in_forks
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.judging.values import ProgressFunction
from c4_referee.records.stats.analysis import KnownPositions, analyse, score_in
from c4_referee.records.stats.observations import distinct_games
from c4_referee.records.stats.solved import SolvedPositions, outcome_of, position_key

FORFEIT_COST = (3, 0)
"""Cost of a fault: more results than a win that becomes a loss."""


class Asked(NamedTuple):
    """A position of a game, after ``ply`` moves, and whether the bot kept the result there."""

    game: GameEnded
    ply: int
    was_right: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """Comparison of two moves in a position: before move ``number`` of a game.

    ``played`` is the name of the move in the game, and ``answer`` that of the other bot, or
    ``None`` after a fault. ``cost`` is that of the answer (``Change.cost``), and ``reason`` says
    why it is wrong. ``verdict`` is "still wrong", "better", "newly wrong", "still right", or
    "unknown" if the position after the answer is not solved.
    """

    game: int
    number: int
    verdict: str
    played: str
    answer: str | None
    cost: tuple[int, int] = (0, 0)
    reason: str = ""


def positions_to_ask(
    games: Sequence[GameEnded], bot: str, solved: SolvedPositions
) -> tuple[list[Asked], int]:
    """Return the positions of ``bot`` to ask, and the number of its moves that cannot be judged.

    The same position is asked once. The positions in which the bot was right are evenly spread over
    all in which another move would have given away the result.
    """
    known, wrong, right, unknown = KnownPositions(solved), dict[str, Asked](), dict[str, Asked](), 0
    for game in distinct_games(game for game in games if bot in game.bots):
        analysis = analyse(game, solved)
        for ply in range(game.start, game.plies):
            position, value = game.positions[ply], analysis.values[ply]
            if game.mover(ply) != bot:
                continue
            if value is None or analysis.values[ply + 1] is None:
                unknown += 1
                continue
            is_wrong, scores = analysis.change_at(ply) is not None, known.scores(position)
            others = [score_in(scores, position, cell) for cell in position.moves if scores]
            lowest = min((outcome_of(score) for score in others if score is not None), default=-1)
            if is_wrong or lowest < outcome_of(value):
                chosen = wrong if is_wrong else right
                chosen.setdefault(position_key(position), Asked(game, ply, not is_wrong))
    good = [asked for key, asked in right.items() if key not in wrong]
    count = min(len(wrong), len(good))
    return [*wrong.values(), *(good[i * len(good) // count] for i in range(count))], unknown


def answers(
    bot: BotSpec, control: TimeControl, asked: Sequence[Asked], progress: ProgressFunction
) -> list[int | str]:
    """Return for each position the cell of a bot's answer, or the fault that it committed.

    Several positions are asked at the same time. Each is like the first of a game: a bot has the
    time to start up, and all the time of a game clock.
    """
    found: dict[int, int | str] = {}

    def keep(index: int, answer: int | str | Exception) -> None:
        if isinstance(answer, Exception):
            raise answer
        found[index] = answer
        progress(len(found), len(asked))

    in_forks(partial(_answer, bot, control, asked), range(len(asked)), keep)
    return [found[index] for index in range(len(asked))]


def _answer(bot: BotSpec, control: TimeControl, asked: Sequence[Asked], index: int) -> int | str:
    game, ply, _ = asked[index]
    position, clock, other = game.positions[ply], PlayerClock(control), PlayerClock(control)
    values = CommandValues(position.player, position.variant, clock.budget_ms)
    with Contestant(bot) as contestant:
        try:
            contestant.start(values)
            return contestant.ask(position, clock, other).cell
        except Foul as foul:
            return str(foul)


def game_with(asked: Asked, cell: int) -> GameEnded:
    """Return a game that ends with another move in a position. All moves before are its opening."""
    game, before = asked.game, asked.game.cells[: asked.ply]
    moves, opening = moves_text(game.rules, (*before, cell)), moves_text(game.rules, before)
    return replace(game, moves=moves, opening=opening)


def compared(asked: Asked, answer: int | str, solved: SolvedPositions) -> Compared:
    """Return the comparison of an answer with the move of the game. A fault is a wrong answer."""
    game, ply, was_right = asked
    compare = partial(Compared, game.game, ply + 1, played=game.move_names[ply])
    wrong = "newly wrong" if was_right else "still wrong"
    if isinstance(answer, str):
        return compare(wrong, answer=None, cost=FORFEIT_COST, reason=answer)
    name, analysis = cell_name(game.rules, answer), analyse(game_with(asked, answer), solved)
    if None in analysis.values[ply:]:
        return compare("unknown", answer=name)
    if change := analysis.change_at(ply):
        return compare(wrong, answer=name, cost=change.cost, reason=change.reason)
    return compare("still right" if was_right else "better", answer=name)
