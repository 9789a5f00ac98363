"""Players that answer positions with columns, for the libraries of other projects."""

import subprocess
import sys

import pytest
from c4_bot.adapters.column_player import ColumnPlayer
from c4_protocol.board import Board
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, Variant


def test_player_answers_with_a_column():
    """The column counts from 0, on boards of any size."""
    assert ColumnPlayer().column(position_from_moves("121212", Variant())) == 0
    wide = Board.from_moves("99a9a9", "11x7").position
    assert ColumnPlayer("needed").column(wide) == 8


@pytest.mark.parametrize(
    "arguments",
    [{"player": "nobody"}, {"depth": 0}, {"seconds": -1}, {"seconds": "one"}, {"player": 3}],
)
def test_mistakes_are_found_before_a_game(arguments):
    """Unknown players and impossible limits are refused when the player is made."""
    with pytest.raises(UsageError):
        ColumnPlayer(**arguments)


def test_game_that_the_player_does_not_play_is_refused():
    """A player for games with gravity refuses others."""
    with pytest.raises(VariantError):
        ColumnPlayer("needed").column(Position(LINE8))


@pytest.mark.parametrize("module", ["column_player", "planes", "pettingzoo", "kaggle"])
def test_no_foreign_library_is_imported(module):
    """Only the modules for OpenSpiel and Gymnasium import a library that may be missing."""
    code = f"import sys, c4_bot.adapters.{module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert not {"pettingzoo", "gymnasium", "pyspiel", "open_spiel", "kaggle_environments"} & set(
        done.stdout.decode().split()
    )
