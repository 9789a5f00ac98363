"""What bots did wrong, on a terminal: a line a game."""

from collections.abc import Sequence

from c4_protocol.records import GameEnded
from rich.console import Console
from rich.text import Text

MOST_SHOWN = 5
MOST_KINDS = 20


def print_faults(console: Console, games: Sequence[GameEnded]) -> None:
    """The first forfeits, and how many more there are."""
    faults = [game for game in games if game.fault]
    for game in faults[:MOST_SHOWN]:
        console.print(_line(game))
    if len(faults) > MOST_SHOWN:
        console.print(f"... and {len(faults) - MOST_SHOWN} more games forfeited")


def print_kinds_of_faults(console: Console, games: Sequence[GameEnded]) -> None:
    """The first forfeit of each bot for each reason."""
    kinds: dict[tuple[str, str], GameEnded] = {}
    for game in games:
        if game.fault:
            kinds.setdefault((game.fault.bot, game.fault.fault), game)
    for game in [*kinds.values()][:MOST_KINDS]:
        console.print(_line(game))


def _line(game: GameEnded) -> Text:
    fault = game.fault
    assert fault is not None
    wrote = f"; it wrote {fault.line!r}" if fault.line is not None else ""
    return Text(
        f"game {game.game}, ply {fault.ply}: {fault.bot} forfeits, {fault.fault} "
        f"after {fault.ms:.0f} ms: {fault.detail}{wrote}"
    )
