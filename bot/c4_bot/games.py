"""Whole games between players of this package, many at a time: for breeding and measuring them.

``play_games`` is the entry point ``bot`` of the group ``c4_arena.games``: names, numbers and move
strings go in, tuples of them come out, so that a caller need not import this package.

``play`` is what a game is. Players that search to a fixed depth play it in the core
(``bot/native/games.hpp``): there alpha-beta finds the move that the full search would choose, and
visits fewer positions for it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from c4_protocol.notation import cells_from_moves, moves_text
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD, Variant

from c4_bot import registry
from c4_bot.contract import Limits
from c4_bot.native import MAX_BITS, Twin, available, sizes
from c4_bot.player import Player

Entrant = tuple[str, Mapping[str, Any]]
"""A player's name, and the parameters in which it differs."""
Fixture = tuple[int, int, str]
"""Who plays first and who second, by their places in a list, and the moves made for them."""
Manner = tuple[str, tuple[int, ...], bool, int, int, bool]
"""How a player chooses, as ``_core.play_games`` takes it."""

PREFERENCE = {"minimax": -1, "negamax": 1}
"""Which of equal moves a search takes: 1 the highest cell, -1 the lowest."""


class Played(NamedTuple):
    """A game: all its moves, the winner (1, 2, or 0 for a draw), the positions visited for it."""

    moves: str
    winner: int
    positions: int


def play_games(
    entrants: Sequence[Entrant],
    fixtures: Sequence[Fixture],
    variant: Variant = STANDARD,
    threads: int = 1,
) -> list[Played]:
    """Each game of ``fixtures``, in their order; ``threads`` of them at once in the core.

    Raises ``UsageError`` for players that are not there and parameters that they do not have,
    ``VariantError`` for games that they do not play, and ``NotationError`` or ``IllegalMove`` for
    openings that are none.
    """
    players = [registry.build(name, parameters) for name, parameters in entrants]
    for player in players:
        player.check_plays(variant)
    games = [(one, other, cells_from_moves(moves, variant)) for one, other, moves in fixtures]
    manners = [_manner(player, variant) for player in players]
    native = [manner for manner in manners if manner]
    if len(native) < len(players) or not available():
        return [play(players[one], players[other], cells, variant) for one, other, cells in games]
    from c4_bot import _core  # noqa: PLC0415 - it may not be there

    played = _core.play_games(native, games, sizes(variant), threads)
    return [Played(moves_text(variant, cells), *rest) for cells, *rest in played]


def play(
    first: Player, second: Player, opening: Sequence[int] = (), variant: Variant = STANDARD
) -> Played:
    """The game of two players from an opening, the cells of some moves.

    Each looks as deep as it does where nobody sets it a limit.
    """
    position, cells, nodes = Position(variant), list(opening), 0
    for cell in opening:
        position = position.play(cell)
    while not position.is_over:
        found = (first, second)[position.player - 1].choose(position, Limits())
        cells.append(found.cell)
        nodes += found.nodes
        position = position.play(found.cell)
    return Played(moves_text(variant, cells), position.winner, nodes)


def _manner(player: Player, variant: Variant) -> Manner | None:
    """How the core has to choose for a player; nothing if it cannot."""
    twin = player.search
    if not isinstance(twin, Twin) or twin.spec.search not in PREFERENCE or variant.bits > MAX_BITS:
        return None
    sooner_wins, ends_at_wins = (*twin.spec.parameters, True)[:2]
    if player.depth is None or player.centre_on_first_line or not ends_at_wins:
        return None
    preference = PREFERENCE[twin.spec.search]
    return (
        twin.spec.evaluator,
        tuple(twin.spec.weights),
        bool(sooner_wins),
        preference,
        player.depth,
        player.centre_first,
    )
