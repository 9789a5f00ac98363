"""What exact values say of moves: a value before the move, and one after it.

Values are for the player to move, 0 for a draw, 1 for a win with the winner's last stone, one more
for each stone kept, losses below 0 (``c4_protocol.messages.Info``): what a move gives away is the
value before it, plus that after it, which is the opponent's.

The interval of a share takes moves as if they were independent, which they are not quite: whoever
is lost can throw away nothing more, and the same positions come again. Measured on 1,100 games of
three pairs of bots, intervals from 2 to 40 of the games held the share of all in 92 to 99% of the
samples. To take whole games for observations instead makes them two to four times as wide.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from c4_protocol.events import GameEnded
from c4_protocol.reports import AccuracyRecord, MoveTally
from c4_protocol.variant import Variant

from c4_referee.stats.bounded import interval

TAIL = 0.025
"""What a 95% interval leaves out on either side."""
PHASES = 3


class JudgedGame(NamedTuple):
    """A game and the value of each of its positions, the first and the last too.

    ``None`` is one that is not known.
    """

    game: GameEnded
    values: Sequence[int | None]


class JudgedMove(NamedTuple):
    """A move that ``bot`` made in a seat, 0 for the first player.

    ``before`` and ``after`` are what the position was worth to its player; ``None`` is not known.
    """

    bot: str
    seat: int
    ply: int
    before: int | None
    after: int | None


def accuracy(
    bots: Sequence[str], games: Iterable[JudgedGame], variant: Variant
) -> dict[str, AccuracyRecord]:
    """How well each bot moved; moves that were made for it, as an opening, are none of its."""
    moves = [move for game in games for move in _moves(game, variant)]
    return {bot: _record([move for move in moves if move.bot == bot], variant) for bot in bots}


def plies(moves: str, variant: Variant) -> int:
    """How many moves a text has."""
    return len(moves if variant.gravity else moves.split())


def gaining_ply(values: Sequence[int | None]) -> int | None:
    """The ply of a move after which a player has more than before it, which no move can do.

    ``None`` if there is none: the values may be exact.
    """
    for ply, (before, after) in enumerate(pairwise(values)):
        if before is not None and after is not None and -after > before:
            return ply
    return None


def tally(moves: Iterable[JudgedMove]) -> MoveTally:
    """What judged moves were worth, counted."""
    pairs = [
        (move.before, move.after)
        for move in moves
        if move.before is not None and move.after is not None
    ]
    outcomes = Counter((_sign(before), _sign(after)) for before, after in pairs)
    return MoveTally(
        judged=len(pairs),
        kept=sum(outcomes[sign, sign] for sign in (-1, 0, 1)),
        best=sum(before == after for before, after in pairs),
        wins=sum(outcomes[1, sign] for sign in (-1, 0, 1)),
        wins_drawn=outcomes[1, 0],
        wins_lost=outcomes[1, -1],
        draws=sum(outcomes[0, sign] for sign in (-1, 0)),
        draws_lost=outcomes[0, -1],
        moves_lost=sum(before - after for before, after in pairs if _sign(before) == _sign(after)),
    )


def _moves(judged: JudgedGame, variant: Variant) -> Iterator[JudgedMove]:
    game, values = judged
    names = (game.first, game.second)
    for ply in range(plies(game.opening, variant), len(values) - 1):
        after = values[ply + 1]
        yield JudgedMove(
            names[ply % 2], ply % 2, ply, values[ply], None if after is None else -after
        )


def _record(moves: Sequence[JudgedMove], variant: Variant) -> AccuracyRecord:
    """The record of one bot's moves."""
    total = tally(moves)
    low, high = interval([total.judged - total.kept, total.kept], TAIL)
    first, second, third = (
        tally(move for move in moves if move.ply * PHASES // variant.cells == phase)
        for phase in range(PHASES)
    )
    return AccuracyRecord(
        moves=len(moves),
        share=round(total.kept / total.judged, 4) if total.judged else None,
        low=round(low, 4),
        high=round(high, 4),
        total=total,
        as_first=tally(move for move in moves if move.seat == 0),
        as_second=tally(move for move in moves if move.seat == 1),
        phases=(first, second, third),
    )


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
