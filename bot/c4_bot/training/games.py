"""Games between players of this package, many at the same time, to breed and to measure players.

``play_games`` is the entry point ``bot`` of the group ``c4_arena.games``. It takes names, numbers
and move strings, and returns tuples of them. So a caller does not have to import this package.

``self_play`` is the specification: it defines the moves of a game. Players that search to a fixed
depth play in the core (``bot/native/games.hpp``). The core uses alpha-beta: it chooses the same
moves as ``self_play``, but visits fewer positions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from c4_protocol.rules.notation import cells_from_moves, moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

from c4_bot.contract import Limits
from c4_bot.native import MAX_BITS, Parameters, Twin, core, is_core_available, sizes
from c4_bot.player import registry
from c4_bot.player.player import Player

Setup = tuple[str, Mapping[str, Any]]
"""Name of a player, and the parameters to change."""
Fixture = tuple[int, int, str]
"""Indices of the first and the second player in a list of setups, and the opening moves."""
CorePlayer = tuple[str, Parameters, bool, int, int, bool]
"""A player in the form that ``core.play_games`` takes."""

PREFERENCE_OF_TIES = {"minimax": -1, "negamax": 1}
"""Choice of each search among equal moves: 1 for the highest cell, -1 for the lowest."""


class SelfPlayGame(NamedTuple):
    """A finished game: its moves, its winner (0 for a draw) and the number of positions visited.

    ``moves`` is a move string that begins with the opening.
    """

    moves: str
    winner: int
    positions: int


def play_games(
    setups: Sequence[Setup],
    fixtures: Sequence[Fixture],
    variant: Variant = STANDARD,
    threads: int = 1,
) -> list[SelfPlayGame]:
    """Play the games of ``fixtures`` and return them in this order.

    The core plays ``threads`` games at the same time. Raises ``UsageError`` for unknown players and
    unknown parameters, ``VariantError`` for a game that a player does not play, and
    ``NotationError`` or ``IllegalMove`` for an opening that cannot be played.
    """
    players = [registry.build_player(name, parameters) for name, parameters in setups]
    for player in players:
        player.check_plays(variant)
    games = [(first, second, cells_from_moves(moves, variant)) for first, second, moves in fixtures]
    core_players = [_player_for_core(player, variant) for player in players]
    native = [core_player for core_player in core_players if core_player]
    if len(native) < len(players) or variant.steal or not is_core_available():
        return [
            self_play(players[first], players[second], cells, variant)
            for first, second, cells in games
        ]
    played = core.play_games(native, games, sizes(variant), threads)
    return [SelfPlayGame(moves_text(variant, cells), *rest) for cells, *rest in played]


def self_play(
    first: Player, second: Player, opening: Sequence[int] = (), variant: Variant = STANDARD
) -> SelfPlayGame:
    """Play a game of two players after an opening, and return the game.

    ``opening`` is a sequence of cells. Each player searches to its own depth.
    """
    position, cells, nodes = Position(variant), list(opening), 0
    for cell in opening:
        position = position.play(cell)
    while not position.is_over:
        result = (first, second)[position.player - 1].choose(position, Limits())
        cells.append(result.cell)
        nodes += result.nodes
        position = position.play(result.cell)
    return SelfPlayGame(moves_text(variant, cells), position.winner, nodes)


def _player_for_core(player: Player, variant: Variant) -> CorePlayer | None:
    """Return a player in the form that the core takes; ``None`` if the core cannot play it."""
    twin = player.search
    if (
        not isinstance(twin, Twin)
        or twin.spec.search not in PREFERENCE_OF_TIES
        or variant.bits > MAX_BITS
    ):
        return None
    search, parameters, evaluator, weights = twin.spec
    [sooner_wins] = parameters["sooner_wins"]
    [ends_at_wins] = parameters.get("ends_at_wins", (True,))
    if player.depth is None or player.centre_on_first_line or not ends_at_wins:
        return None
    preference = PREFERENCE_OF_TIES[search]
    return evaluator, weights, bool(sooner_wins), preference, player.depth, player.centre_first
