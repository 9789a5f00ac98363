"""Openings: moves that are made for both players, so that games between the same two differ.

Each is a move string of ``protocol.notation`` after which nobody has won, and nobody can at once.
Every source gives each opening once; mirror images count as the same.
"""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from protocol.errors import ArenaError, UsageError
from protocol.notation import moves_text, position_from_moves
from protocol.position import Position, completing_cells
from protocol.variant import Variant

TRIES = 1000
"""Random openings in a row that are known already before it is said that there are no others."""


def find_openings(spec: str, variant: Variant, count: int, seed: int = 0) -> list[str]:
    """``count`` openings, all different, of a source.

    ``random:N`` are N random moves each, the same ones for the same ``seed``; anything else is a
    file with a move string a line, used in its order. Raises ``UsageError`` for a source that
    cannot be read or has fewer.
    """
    source = _random(spec, variant, seed) if spec.startswith("random:") else _read(spec, variant)
    found = list(islice(source, count))
    if len(found) < count:
        raise UsageError(
            f"openings '{spec}': there are {len(found)} different ones, which make "
            f"{2 * len(found)} games, not {2 * count}"
        )
    return found


def _random(spec: str, variant: Variant, seed: int) -> Iterator[str]:
    plies = spec.removeprefix("random:")
    if not plies.isascii() or not plies.isdigit() or not 0 < int(plies) < variant.cells:
        raise UsageError(f"openings '{spec}': say random:N, N plies from 1 to {variant.cells - 1}")
    draw = random.Random(seed)
    known: set[frozenset[tuple[int, int]]] = set()
    tries = 0
    while tries < TRIES:
        cells = _random_moves(variant, int(plies), draw)
        position = _after(variant, cells)
        tries += 1
        if position is not None and (mirrored := _either_way(position)) not in known:
            known.add(mirrored)
            tries = 0
            yield moves_text(variant, cells)


def _random_moves(variant: Variant, plies: int, draw: random.Random) -> list[int]:
    position = Position(variant)
    cells: list[int] = []
    while len(cells) < plies and not position.is_over:
        cells.append(draw.choice(position.moves))
        position = position.play(cells[-1])
    return cells


def _after(variant: Variant, cells: list[int]) -> Position | None:
    """The position after some moves, if it is one to begin a game with."""
    position = Position(variant)
    for cell in cells:
        position = position.play(cell)
    return None if position.is_over or _can_win(position) else position


def _can_win(position: Position) -> bool:
    """Whether who is to move can complete a line at once."""
    return bool(completing_cells(position.own, position.variant) & position.playable)


def _either_way(position: Position) -> frozenset[tuple[int, int]]:
    """The same for a position and its mirror image."""
    return frozenset((position.stones, position.mirrored().stones))


def _read(path: str, variant: Variant) -> Iterator[str]:
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"openings '{path}': no source random:N, and no file: {error}") from None
    known: dict[frozenset[tuple[int, int]], int] = {}
    for number, line in enumerate(lines, 1):
        moves = line.partition("#")[0].strip()
        if moves:
            position = _position(f"{path}, line {number}", moves, variant)
            before = known.setdefault(_either_way(position), number)
            if before != number:
                raise UsageError(f"{path}, line {number}: the same opening as in line {before}")
            yield moves


def _position(place: str, moves: str, variant: Variant) -> Position:
    """The position of a line; raises ``UsageError`` where no game can begin."""
    try:
        position = position_from_moves(moves, variant)
    except ArenaError as error:
        raise UsageError(f"{place}: {error}") from None
    if position.is_over or _can_win(position):
        raise UsageError(f"{place}: after {moves} the game is over, or won at once")
    return position
