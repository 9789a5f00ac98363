"""Players as agents for kaggle-environments, without the library.

``observation_of`` and ``configuration_of`` are those of our runner of agents.
``tests/platforms/test_kaggle_agents.py`` compares them with the library.
"""

import time

import pytest
from c4_bot.adapters.kaggle import Agent, position_of
from c4_bot.contract import Result
from c4_protocol.program.errors import ImpossiblePosition, VariantError
from c4_protocol.rules.notation import grid_of, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.runners.kaggle import configuration_of, observation_of
from hypothesis import given
from hypothesis import strategies as st


def shown(position, seconds=60.0):
    """Return the observation and the configuration of a position."""
    connect = position.variant.connect
    precept = {"grid": grid_of(position), "player": position.player, "connect": connect}
    return observation_of(precept), configuration_of(precept, seconds, 60)


@given(position=st.from_type(Position))
def test_observation_holds_the_position(position):
    """The player to move, the size of the board and the length of a line are read."""
    rules = position.variant
    plain = Variant(rules.width, rules.height, rules.connect)
    position = Position(plain, position.stones, position.player)
    if rules.gravity and not position.is_over:
        assert position_of(*shown(position)) == position


@pytest.mark.parametrize("convert", [dict, lambda given: given], ids=["dict", "attributes"])
def test_agent_answers_with_a_column(convert):
    """The column counts from 0 and is a plain int, whether the arguments have attributes or not."""
    agent = Agent("needed", depth=2)
    column = agent(*map(convert, shown(position_from_moves("121212", STANDARD))))
    assert (column, type(column)) == (0, int)
    wide = position_from_moves("99a9a9", Variant(11, 7))
    assert agent(*map(convert, shown(wide))) == 8


def test_agent_keeps_a_part_of_the_time(monkeypatch):
    """The deadline is four fifths of ``actTimeout``, or ``seconds`` if this is less."""
    deadlines = []

    def choose(position, limits):
        deadlines.append(limits.deadline)
        return Result(position.moves[0])

    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    for agent in (Agent("needed"), Agent("needed", seconds=0.5)):
        monkeypatch.setattr(agent._player, "choose", choose)
        agent(*shown(Position(), 2))
    assert deadlines == pytest.approx([101.6, 100.5])


def test_position_in_which_the_agent_is_not_to_move_is_refused():
    """The mark must be to move, and the game must not be over."""
    observation, configuration = shown(position_from_moves("1", STANDARD))
    with pytest.raises(ImpossiblePosition):
        Agent()({**observation, "mark": 1}, configuration)
    with pytest.raises(ImpossiblePosition):
        Agent()(*shown(position_from_moves("1212121", STANDARD)))


def test_game_that_no_player_knows_is_refused():
    """Kaggle allows one in a row; our players do not."""
    observation, configuration = shown(Position())
    with pytest.raises(VariantError):
        Agent()(observation, {**configuration, "inarow": 1})
