"""Players of the lower levels: the share of their slips, and the wins that they never miss."""

from random import Random

import pytest
from c4_bot import registry
from c4_bot.contract import Limits
from c4_bot.evaluate.sequences import Sequences
from c4_bot.search.slipping import Slipping
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

THREAT = position_from_moves("12121", STANDARD)
"""Position in which player 1 wins in column 1 unless player 2 stops it."""


@pytest.mark.parametrize("slips", [0, 30, 100])
def test_as_many_slips_as_were_asked_for(slips: int) -> None:
    """The share of random moves is about as large as the setting asks for."""
    search = Slipping(Sequences(), slips, seed=1)
    reasons = [search.search(THREAT, Limits(depth=1)).reason for _ in range(1000)]
    assert abs(reasons.count("a slip") - 10 * slips) < 60


def test_slips_are_legal_and_of_every_kind() -> None:
    """Every legal move occurs among the slips."""
    search = Slipping(Sequences(), 100, seed=1)
    found = {search.search(THREAT, Limits(depth=1)).cell for _ in range(200)}
    assert found == set(THREAT.moves)


@pytest.mark.parametrize("slips", [-1, 101])
def test_impossible_slips_are_refused(slips: int) -> None:
    """Slips outside of 0 to 100 are refused."""
    with pytest.raises(UsageError, match="0 to 100"):
        Slipping(Sequences(), slips)


@pytest.mark.parametrize("level", range(1, 11))
def test_every_level_takes_a_win_at_once(level: int) -> None:
    """Every level completes a line at once if it can."""
    player = registry.build_player(f"level-{level}", seed=level)
    can_win = THREAT.play(THREAT.moves[0])
    for _ in range(50):
        assert can_win.play(player.choose(can_win, Limits(nodes=500)).cell).is_won


def test_a_child_can_beat_level_1() -> None:
    """A child with a simple plan wins at least every fifth game against level 1.

    The plan is to fill columns: it completes a line if it can, blocks nothing, and otherwise plays
    in the column with the most own stones on top.
    """
    games = [_child_wins(seed) for seed in range(200)]
    assert sum(games) > 40


def _child_wins(seed: int) -> bool:
    """Return whether a child that fills columns and moves first wins against level 1."""
    level, draw = registry.build_player("level-1", seed=seed), Random(seed)
    position = Position(STANDARD)
    while not position.is_over:
        if position.player == 1:
            position = position.play(_childs_move(position, draw))
        else:
            position = position.play(level.choose(position, Limits()).cell)
    return position.winner == 1


def _childs_move(position: Position, draw: Random) -> int:
    wins = [cell for cell in position.moves if position.play(cell).is_won]
    return (
        wins[0] if wins else max(position.moves, key=lambda cell: _own_below(position, cell, draw))
    )


def _own_below(position: Position, cell: int, draw: Random) -> tuple[int, float]:
    """Return the number of own stones directly below a cell, and a random number for ties."""
    count, below = 0, cell - 1
    while below >= 0 and position.own >> below & 1:
        count, below = count + 1, below - 1
    return count, draw.random()
