"""Records of games as the database holds them: read, checked, and with the names in reports."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import orjson
from c4_protocol.records.events import FaultRecord, GameEnded

from c4_referee.records.rounds import Player

if TYPE_CHECKING:
    from pydantic import TypeAdapter


MAX_JSON_BYTES = 1 << 24
"""Maximum size of stored JSON in bytes. It takes thirty times as much memory when it is read."""


def decoded_json(json: str | bytes) -> Any:  # noqa: ANN401 - it may be anything
    """Return what stored JSON says; raise ``ValueError`` if it is no JSON or too long."""
    if len(json) > MAX_JSON_BYTES:
        raise ValueError
    return orjson.loads(json)


def stored_game(record: bytes, bots: tuple[str | None, str | None] | None = None) -> GameEnded:
    """Return the game of a stored record, whose moves and result follow the rules.

    Raises ``ValueError`` or ``ArenaError`` if the record is not that of a game, or not one of the
    ``bots`` that its row names, or is too long.
    """
    if len(record) > MAX_JSON_BYTES:
        raise ValueError
    game: GameEnded = json_reader(GameEnded).validate_json(record)
    if game.winner not in {0, 1, 2} or b"\n" in record or (bots and game.bots != bots):
        raise ValueError
    check_result(game)
    return game


def check_result(game: GameEnded) -> None:
    """Raise ``ValueError`` if ending and winner do not follow from the moves and the fault.

    Raises the errors of ``notation.replay`` if the moves are not those of a game.
    """
    last = game.last
    if game.ending == "void":
        follows = game.winner == 0
    elif game.ending == "forfeit":
        winners = {game.second: 1, game.first: 2}
        loser = game.fault and game.fault.bot
        follows = game.winner == winners.get(loser or "") and not last.is_over
    else:
        ending = "line" if last.winner else "full board"
        follows = last.is_over and (game.ending, game.winner) == (ending, last.winner)
    if not follows:
        raise ValueError(f"{game.ending}, won by {game.winner}, does not follow")


@cache
def json_reader(kind: Any) -> "TypeAdapter[Any]":  # noqa: ANN401 - a type, or a union of types
    """Return what checks the types in stored JSON. It is imported only for a folder with games."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - slow

    return TypeAdapter(kind)


def distinct_report_names(
    own_names: Mapping[Player, str], present: Collection[Player]
) -> dict[Player, str]:
    """Return a different name for each entrant.

    A removed entrant is ``name (withdrawn)``, or ``name (withdrawn 2)`` if another entrant has this
    name, and so on. This ending is only for people: the roster says whether an entrant takes part.
    """
    taken = {own_names[player] for player in present}
    shown = {name: _withdrawn_names(name) for name in own_names.values()}
    names = {}
    for player, name in own_names.items():
        names[player] = name
        if player not in present:
            names[player] = next(each for each in shown[name] if each not in taken)
            taken.add(names[player])
    return names


def _withdrawn_names(name: str) -> Iterator[str]:
    """Generate names of removed entrants with this name."""
    yield f"{name} (withdrawn)"
    yield from (f"{name} (withdrawn {number})" for number in count(2))


def with_names(game: GameEnded, first: str, second: str) -> GameEnded:
    """Return a game whose bots have these names, in seat 1 and seat 2, in all parts of it."""
    if game.bots == (first, second):
        return game

    def renamed(fault: FaultRecord) -> FaultRecord:
        return replace(fault, bot=first if fault.bot == game.first else second)

    names = {game.second: second, game.first: first}
    return replace(
        game,
        first=first,
        second=second,
        fault=game.fault and renamed(game.fault),
        notes=[*map(renamed, game.notes)],
        stderr={names.get(bot, bot): text for bot, text in game.stderr.items()},
    )
