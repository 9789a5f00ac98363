"""Lines of ``c4-solve --json``. ``c4_protocol.records.schema`` publishes their JSON Schema."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Solved:
    """The exact score of a position.

    `score` is for the player to move: 0 is a draw, a win is 1 plus the number of stones that the
    winner has left, and a loss is the negative of the opponent's win. With `--weak`, a win is 1 and
    a loss is -1. `nodes` is the number of positions visited, and `us` the time in microseconds.
    `best` lists the best moves: columns, counting from 1, cells such as `d4`, or the steal, `s`.
    `moves` is `null` if the line had a grid instead.
    """

    moves: str | None
    score: int
    nodes: int
    us: int
    best: list[int | str]
    scores: list[int | None] | None = None
    """With `--all`: a score for each column from the left, or `null` if the column is full."""
    steal: int | None = None
    """With `--all` in a game with the steal: its score, or `null` if it is not possible."""
    outcome: Literal["win", "draw", "loss"] | None = None
    """Result for the player to move. Only games without gravity have this and the next fields."""
    stones: int | None = None
    """Number of stones that the winner still needs."""
    exact: bool | None = None
    """True if fewer stones are proven not to be enough."""
    steps: int | None = None
    """Number of steps of the proof."""
    line: list[str] | None = None
    """The rest of a game in which the loser delays the loss as long as the proof allows."""
    explanation: "Explanation | None" = None
    """With `--explain`: why the best move is best, or what the move in the question does."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a move is best, or what a mistake allowed.

    `move` and `line` are named as `best`. `kind` is the kind of the reason, and `text` a sentence.
    `cells` are the cells that it speaks of: column and row, counting from 1, rows from the bottom.
    `line` are moves that show the reason. `better` explains a better move of a mistake.
    """

    move: int | str
    kind: str
    text: str
    cells: list[tuple[int, int]]
    line: list[int | str]
    better: "Explanation | None"


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer of `--serve` to a line that cannot be read or solved."""

    moves: str
    """The first characters of the moves in the line."""
    error: str
    """The reason, for people."""
