"""Faults of the documents' players: present with ``faithful``, and repaired without it."""

import json
import tomllib
from pathlib import Path

import pytest
from c4_bot.contract import Limits
from c4_bot.player import registry
from c4_bot.player.player import Player
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

FOLDER = Path(registry.__file__).parent


def test_players_are_those_of_the_source(golden) -> None:
    """The file that the program reads has the content of ``players.toml``."""
    tables = tomllib.loads((FOLDER / "players.toml").read_text(encoding="utf-8"))
    golden(FOLDER / "players.json", json.dumps(tables, indent=1) + "\n")


def players(name: str) -> tuple[Player, Player]:
    """Return the faithful player, after its first answer, and the repaired player."""
    faithful = registry.build_player(name, {"faithful": True})
    faithful.choose(Position(), Limits(depth=1))
    return faithful, registry.build_player(name)


def column(player: Player, moves: str) -> int:
    """Return the column that a player chooses after some moves. Columns count from 1."""
    return (
        STANDARD.column_of(player.choose(position_from_moves(moves, STANDARD), Limits()).cell) + 1
    )


@pytest.mark.parametrize(
    ("name", "moves", "win"),
    [
        ("sequences", "514466", 3),  # three with two open ends: it can also win one move later
        ("windows", "426232", 5),  # the player counts more windows after the win
        ("needed", "6224233", 5),
    ],
)
def test_immediate_win_is_taken_only_by_ours(name: str, moves: str, win: int) -> None:
    """The repaired player takes an immediate win. The faithful player plays elsewhere."""
    faithful, ours = players(name)
    assert position_from_moves(moves + str(win), STANDARD).is_won
    assert column(ours, moves) == win
    assert column(faithful, moves) != win


def test_first_line_is_answered_with_the_centre() -> None:
    """The faithful player of document 004 ignores a threat in its first position.

    The repaired player stops the threat.
    """
    moves = "121212"[:-1]  # player 2 has to stop player 1 in column 1
    assert column(registry.build_player("needed", {"faithful": True}), moves) == 4
    assert column(registry.build_player("needed"), moves) == 1


def test_single_parameter_of_faithful_can_be_set() -> None:
    """Each parameter that ``faithful`` changes can be set alone, and overrides ``faithful``."""
    late = registry.build_player("sequences", {"sooner_wins": False})
    assert late.search == registry.build_player("sequences", {"faithful": True}).search
    both = registry.build_player("sequences", {"faithful": True, "sooner_wins": True})
    assert both.search == registry.build_player("sequences").search


def test_strength_of_a_level_is_shown() -> None:
    """The list of players shows the Elo of a level, and a text says what it is compared with."""
    elo = registry.player_specs()["level-3"].elo
    assert f"; Elo {elo}\n" in registry.list_of_players()
    assert f'"elo": {elo}' in registry.list_of_players_json()
    assert f"level-3 is about {round(elo, -1)} Elo" in registry.strength_in_words("level-3")
    assert registry.strength_in_words("needed") == ""
