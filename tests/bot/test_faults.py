"""The faults of the documents' players: there with ``faithful``, and repaired without."""

import pytest
from c4_bot import registry
from c4_bot.contract import Limits
from c4_bot.player import Player
from c4_protocol.notation import position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD


def players(name: str) -> tuple[Player, Player]:
    """The player as its document has it, past its first line, and ours."""
    faithful = registry.build(name, {"faithful": True})
    faithful.choose(Position(), Limits(depth=1))
    return faithful, registry.build(name)


def column(player: Player, moves: str) -> int:
    """The column, from 1, that a player chooses after these moves."""
    return (
        STANDARD.column_of(player.choose(position_from_moves(moves, STANDARD), Limits()).cell) + 1
    )


@pytest.mark.parametrize(
    ("name", "moves", "win"),
    [
        ("sequences", "514466", 3),  # three open on both sides: it wins next time as well
        ("windows", "426232", 5),  # after the win come more windows to be counted
        ("needed", "6224233", 5),
    ],
)
def test_a_win_at_once_is_put_off(name: str, moves: str, win: int) -> None:
    """The document's program has a win at once and plays elsewhere; ours takes it."""
    faithful, ours = players(name)
    assert position_from_moves(moves + str(win), STANDARD).is_won
    assert column(ours, moves) == win
    assert column(faithful, moves) != win


def test_the_first_line_is_answered_with_the_centre() -> None:
    """The program of document 004 lets its opponent win if that is the first it hears of a game."""
    moves = "121212"[:-1]  # player 2 has to stop player 1 in column 1
    assert column(registry.build("needed", {"faithful": True}), moves) == 4
    assert column(registry.build("needed"), moves) == 1


def test_only_the_first_line_is() -> None:
    """After that it thinks, also about an empty board."""
    faithful, _ = players("needed")
    assert column(faithful, "12121") == 1


def test_the_centre_of_a_full_column_is_none() -> None:
    """Where the middle column is full, the first line is answered with the next best."""
    player = registry.build("needed", {"faithful": True})
    assert column(player, "444444") in (3, 5)


def test_a_repair_can_be_taken_back_alone() -> None:
    """``faithful`` sets what can also be set by itself, and the user has the last word."""
    late = registry.build("sequences", {"sooner_wins": False})
    assert late.search == registry.build("sequences", {"faithful": True}).search
    both = registry.build("sequences", {"faithful": True, "sooner_wins": True})
    assert both.search == registry.build("sequences").search


@pytest.mark.parametrize("name", ["sequences", "windows", "needed"])
def test_what_a_fault_leaves_open_is_not_called_exact(name: str) -> None:
    """At the end of a game ours proves its scores; with the fault they are not what they count."""
    position = position_from_moves("243641127463452617621746242167773331", STANDARD)
    faithful, ours = players(name)
    for player, proves in ((faithful, False), (ours, True)):
        result = player.choose(position, Limits(depth=42))
        assert result.exact is proves
        assert any(scored.exact for scored in result.scores) is proves
