"""One game in the forms in which other programs record it, for tests of the formats."""

import json
from collections.abc import Callable, Iterator, Sequence

from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.rules.notation import grid_of, moves_text, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

RESULTS = ("1/2-1/2", "1-0", "0-1")
FILES = "abcdefghijklmnopqrstuvwxyz"


def positions(variant: Variant, cells: Sequence[int]) -> Iterator[Position]:
    """Generate the positions of a game, from the empty board to the last."""
    position = Position(variant)
    yield position
    for cell in cells:
        position = position.play(cell)
        yield position


def columns(variant: Variant, cells: Sequence[int]) -> list[int]:
    """Return the columns of moves, from 0."""
    return [variant.column_of(cell) for cell in cells]


def last(variant: Variant, cells: Sequence[int]) -> Position:
    """Return the last position of a game."""
    return [*positions(variant, cells)][-1]


def cutechess_pgn(variant: Variant, cells: Sequence[int]) -> str:
    """Return a game as cutechess writes it, with an evaluation and a time for each move."""
    position = last(variant, cells)
    result = RESULTS[position.winner] if position.is_over else "*"
    name = "cfour" if str(variant) == "standard" else str(variant)
    tags = {"White": "a", "Black": "b", "Result": result, "Variant": name, "PlyCount": len(cells)}
    words = []
    for ply, cell in enumerate(cells):
        number = "" if ply % 2 else f"{ply // 2 + 1}. "
        square = f"{FILES[variant.column_of(cell)]}{variant.row_of(cell) + 1}"
        words.append(f"{number}P@{square} {{+0.00/{ply + 1} 1.5s}}")
    heading = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
    return f"{heading}\n{' '.join(words)} {result}\n\n"


def table(variant: Variant, cells: Sequence[int]) -> str:
    """Return a game as a table of moves."""
    return f"first,second,variant,moves\na,b,{variant},{moves_text(variant, cells)}\n"


def move_lines(variant: Variant, cells: Sequence[int]) -> str:
    """Return a game as a line of moves."""
    return f"{moves_text(variant, cells)}\n"


def kaggle_replay(variant: Variant, cells: Sequence[int], indent: int | None = None) -> str:
    """Return a game as Kaggle's environment writes it."""
    steps = []
    played = [*positions(variant, cells)]
    for ply, position in enumerate(played):
        rows = [*zip(*grid_of(position), strict=True)]
        winner = position.winner
        is_done = position.is_over
        states = []
        for seat in (1, 2):
            moved = ply and played[ply - 1].player == seat
            status = "ACTIVE" if position.player == seat else "INACTIVE"
            state = {
                "action": variant.column_of(cells[ply - 1]) if moved else 0,
                "reward": (1 if winner == seat else -1) if winner else 0,
                "info": {},
                "observation": {"remainingOverageTime": 60, "mark": seat},
                "status": "DONE" if is_done else status,
            }
            states.append(state)
        states[0]["observation"]["board"] = [cell for row in rows for cell in row]
        steps.append(states)
    rules = {"columns": variant.width, "rows": variant.height, "inarow": variant.connect}
    document = {
        "id": "0",
        "name": "connectx",
        "configuration": rules | {"actTimeout": 2},
        "info": {"TeamNames": ["a", "b"]},
        "steps": steps,
        "rewards": [state["reward"] for state in steps[-1]],
        "statuses": [state["status"] for state in steps[-1]],
    }
    return json.dumps(document, indent=indent) + "\n"


def pipe_lines(variant: Variant, cells: Sequence[int], seats: Sequence[int] = (1, 2)) -> str:
    """Return the lines between a driver and the bots in some seats."""
    text = ""
    for ply, position in enumerate(positions(variant, cells)):
        if ply < len(cells) and position.player in seats:
            text += RefereeEnd().write_precept(position).decode()
            text += json.dumps({"move": wire_move(variant, cells[ply])}) + "\n"
    return text


def printed_boards(variant: Variant, cells: Sequence[int], signs: str, separator: str) -> str:
    """Return a game as boards that a driver prints."""
    text = "Connect Four\n"
    for position in positions(variant, cells):
        for row in zip(*grid_of(position), strict=True):
            line = separator.join(signs[cell] for cell in row)
            text += f"{separator}{line}{separator}\n"
        text += f"\nPlayer {position.player} to move\n"
    return text + (f"Player {position.winner} wins!\n" if position.winner else "")


WRITERS: dict[str, list[Callable[[Variant, Sequence[int]], str]]] = {
    "pgn": [cutechess_pgn],
    "delimited": [table],
    "moves": [move_lines],
    "kaggle": [kaggle_replay, lambda *game: kaggle_replay(*game, indent=2)],
    "driver": [
        pipe_lines,
        lambda *game: printed_boards(*game, "012", " "),
        lambda *game: printed_boards(*game, ".XO", ""),
        lambda *game: printed_boards(*game, " xo", "|"),
        lambda *game: printed_boards(*game, "-RY", " "),
        lambda *game: printed_boards(*game, "_XO", " | "),
        lambda *game: printed_boards(*game, "012", ", ").replace("Player", ">> player"),
    ],
}
"""Writers of a game in each format of other programs."""
