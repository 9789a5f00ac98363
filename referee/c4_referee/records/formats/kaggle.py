"""Replays of Kaggle's ConnectX: a JSON document for each game, as ``env.toJSON()`` returns it.

A file holds one document, which may have several lines, or one document on each line. The names are
the ``TeamNames`` of a downloaded episode. A replay of a game that was played at home has no names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import orjson
from c4_protocol.program.errors import ArenaError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from pydantic import TypeAdapter, ValidationError

from c4_referee.records.formats import (
    DEFAULT_PLAYER_NAMES,
    NO_RESULT,
    RESULTS_BY_WINNER,
    NumberedLines,
    StoredGame,
    UnreadableLine,
)
from c4_referee.records.formats.game_moves import played_game

CONNECTX_NAME = re.compile(rb'"name"\s*:\s*"connectx"')
FAULTS_BY_STATUS = {"INVALID": "illegal move", "TIMEOUT": "time forfeit", "ERROR": "error"}
"""Faults by the status of an agent that the environment has stopped."""
MAX_DOCUMENT_BYTES = 1 << 26
"""Maximum length of a document of several lines, in bytes. A longer one is not read."""


@dataclass(frozen=True)
class Configuration:
    """The size of the board and the length of a line."""

    columns: int = 7
    rows: int = 6
    inarow: int = 4


@dataclass(frozen=True)
class AgentState:
    """State of an agent after a step, with the action that led to it."""

    status: str
    action: Any = None
    reward: float | None = None


@dataclass(frozen=True)
class Info:
    """Facts about an episode that was downloaded."""

    TeamNames: tuple[str, str] = DEFAULT_PLAYER_NAMES


@dataclass(frozen=True)
class Replay:
    """The parts of a document that a game needs. ``steps`` begin with the empty board."""

    steps: list[tuple[AgentState, AgentState]]
    configuration: Configuration = field(default_factory=Configuration)
    info: Info = field(default_factory=Info)


REPLAY_ADAPTER = TypeAdapter(Replay)


def recognises(start: bytes) -> bool:
    """Return whether a file begins like a JSON object with the name of the environment."""
    return start.lstrip().startswith(b"{") and CONNECTX_NAME.search(start) is not None


def read(lines: NumberedLines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the game of each document."""
    for number, document in _documents(lines):
        if document is None:
            reason = f"the document is longer than {MAX_DOCUMENT_BYTES} bytes"
            yield UnreadableLine(number, reason)
            continue
        try:
            yield _game_of_document(orjson.loads(document))
        except orjson.JSONDecodeError as error:
            reason = f"not JSON (character {error.colno})"
            yield UnreadableLine(number + error.lineno - 1, reason)
        except (ValueError, ArenaError) as error:
            yield UnreadableLine(number, str(error))


def _documents(lines: NumberedLines) -> Iterator[tuple[int, bytes | None]]:
    """Generate the documents with the numbers of their first lines; ``None`` for one too long.

    If the first line is a whole document, each line is one. Otherwise the file is one document.
    """
    filled = ((number, line) for number, line in lines if line.strip())
    for number, line in filled:
        if _is_whole_document(line):
            yield number, line
            yield from filled
        else:
            yield number, _joined_lines(number, line, filled)


def _is_whole_document(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def _joined_lines(began: int, first: bytes, lines: NumberedLines) -> bytes | None:
    """Return all lines as one document, or ``None`` if it is too long.

    ``began`` is the number of its first line. Blank lines are put back, so that an error names the
    right line of the file.
    """
    document = bytearray(first)
    for number, line in lines:
        if len(document) <= MAX_DOCUMENT_BYTES:
            document += b"\n" * (number - began) + line
            began = number
    return bytes(document) if len(document) <= MAX_DOCUMENT_BYTES else None


def _game_of_document(document: object) -> StoredGame:
    """Return the game of a document; raise ``ValueError`` or ``ArenaError`` if it has none."""
    try:
        replay = REPLAY_ADAPTER.validate_python(document)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        place = ".".join(map(str, wrong["loc"])) or "the document"
        raise ValueError(f"{place}: {wrong['msg']}") from None
    rules = replay.configuration
    position = Position(Variant(rules.columns, rules.rows, rules.inarow))
    cells: list[int] = []
    for _, states in pairwise(replay.steps):
        mover = states[position.player - 1]
        if mover.status in FAULTS_BY_STATUS:
            break
        if position.is_over:
            raise ValueError(f"step {len(cells) + 1} comes after the end of the game")
        if type(mover.action) is not int:
            raise ValueError(f"step {len(cells) + 1} has no column")
        cells.append(position.check(mover.action))
        position = position.play(cells[-1])
    claimed, fault = _result_and_fault(replay)
    return played_game(replay.info.TeamNames, position, cells, claimed, fault)


def _result_and_fault(replay: Replay) -> tuple[str, str]:
    """Return the result of a replay and the fault of the loser, each empty if it has none."""
    last = replay.steps[-1] if replay.steps else ()
    faults = [FAULTS_BY_STATUS.get(state.status, "") for state in last]
    if any(faults):
        return NO_RESULT if all(faults) else RESULTS_BY_WINNER[2 if faults[0] else 1], "".join(
            faults
        )
    rewards = [state.reward for state in last if state.status == "DONE"]
    if len(rewards) != len(DEFAULT_PLAYER_NAMES) or None in rewards:
        return "", ""
    first, second = (reward or 0 for reward in rewards)
    return RESULTS_BY_WINNER[(second > first) * 2 or int(first > second)], ""
