"""Levels 1 to 9: what they never do, and what their moves depend on.

``tests/bot/test_twins.py`` compares what they overlook in Python and in C++.
"""

from random import Random

import pytest
from c4_bot.contract import Limits
from c4_bot.evaluate.sequences import Sequences
from c4_bot.player import registry
from c4_bot.search.human import Human, mixed
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD


def test_generator_is_splitmix64() -> None:
    """The numbers are those of splitmix64 with seed 0, as its authors publish them."""
    golden = 0x9E3779B97F4A7C15
    drawn = [mixed(golden * step % (1 << 64)) for step in range(3)]
    assert drawn == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


@pytest.mark.parametrize("name", ["level-8", "level-9"])
def test_high_levels_never_overlook_a_line_that_needs_one_move(name: str) -> None:
    """Levels 8 and 9 complete three in a row, and stop it, with every seed."""
    threat = position_from_moves("12121", STANDARD)
    three = position_from_moves("121212", STANDARD)
    for seed in range(30):
        player = registry.build_player(name, seed=seed)
        assert player.choose(threat, Limits(nodes=500)).cell == STANDARD.cell(0, 3)
        assert three.play(player.choose(three, Limits(nodes=500)).cell).is_won


def test_other_seeds_play_other_moves() -> None:
    """Answers with different seeds differ, and so do answers without a seed."""

    def cells(seeds: list[int] | list[None]) -> set[int]:
        players = [registry.build_player("level-1", seed=seed) for seed in seeds]
        return {player.choose(Position(STANDARD), Limits()).cell for player in players}

    assert len(cells([*range(60)])) > 2
    assert len(cells([None] * 200)) > 1


@pytest.mark.parametrize("name", ["overlooks_now", "overlooks_later", "noise", "nodes"])
def test_negative_parameters_are_refused(name: str) -> None:
    """A negative number is refused."""
    with pytest.raises(UsageError, match=f"{name} is 0 or more, not -1"):
        Human(Sequences(), **{name: -1})


@pytest.mark.parametrize("stops", [False, True], ids=["wins", "wins and stops"])
def test_a_child_beats_level_1(stops: bool) -> None:
    """A child that sees three in a row wins most games against level 1.

    It completes a line if it can; with ``stops``, it also stops a line. Otherwise it plays in the
    column with the most own stones on top. It moves first.
    """
    wins = 0
    for seed in range(300):
        level, draw = registry.build_player("level-1", seed=seed), Random(seed)
        position = Position(STANDARD)
        while not position.is_over:
            lines = position.winning_cells or (position.opponent_winning_cells if stops else 0)
            if position.player == 2:
                cell = level.choose(position, Limits()).cell
            elif lines:
                cell = lines.bit_length() - 1
            else:
                own = position.own
                cell = max(position.moves, key=lambda at: (_height(own, at), draw.random()))
            position = position.play(cell)
        wins += position.winner == 1
    assert wins > 165


def _height(own: int, cell: int) -> int:
    """Return the number of own stones directly below a cell."""
    return 1 + _height(own, cell - 1) if cell and own >> cell - 1 & 1 else 0
