"""Training of a network: plays games, learns from them, and stores everything in a folder.

The games are played by the function that the entry point ``c4_arena.training`` names. After every
few games (``TrainSettings.every``) one file, ``training.state``, is replaced: a line of JSON with
the settings and the learning curve, and then the weights. So a training that is killed continues
from there, and has the result of a training that was not interrupted.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import orjson
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.rules.variant import Variant
from pydantic import TypeAdapter

from c4_referee.system.safe_files import read_regular, replace_file
from c4_referee.tuning.arena import check_range, load_provider
from c4_referee.tuning.run_folder import locked_file

TRAINING_ENTRY_POINT = "c4_arena.training"
"""Group of the entry point: a class that trains a network in this process."""
STATE_FILE, CURVE_FILE = "training.state", "curve.jsonl"
GAMES_PER_BATCH = 32
"""Numbers of games are multiples of this number."""
MATCH_PAIRS, MATCH_NODES = 50, 1000
"""Pairs of games after each part of the training, and maximum number of nodes of a search."""


class TrainerInterface(Protocol):
    """Signature of the class that the entry point names."""

    def play(self, games: int) -> tuple[int, int, int, int, float, float]:
        """Play games and learn from them. ``games`` is a multiple of ``GAMES_PER_BATCH``.

        Returns the numbers of positions, of solved positions, of solved wins and losses, and of
        those judged correctly before they were learned. The last two numbers are the sums of the
        losses in nats, of all positions and of solved ones.
        """

    def play_match(self, pairs: int, nodes: int, seed: int) -> tuple[int, int, int]:
        """Return wins, draws and losses of the network against a fixed player.

        It plays ``pairs`` pairs of games. Each search visits at most ``nodes`` positions. ``seed``
        determines the openings.
        """

    def state(self) -> bytes:
        """Return everything that was learned."""

    def restore(self, state: bytes) -> None:
        """Continue from a ``state``."""

    def file(self, made: str) -> bytes:
        """Return the content of a file with the weights."""


@dataclass(frozen=True)
class TrainSettings:
    """Settings that decide the result of a training. Games are rounded up to ``GAMES_PER_BATCH``.

    ``variant`` is kept in its shortest form: ``9x7x4`` as ``9x7``. ``depth`` is in plies,
    ``solved`` in free cells. Raises ``UsageError`` for numbers out of range, and ``VariantError``
    for a text that is no variant.
    """

    variant: str
    seed: int = 0
    depth: int = 2
    solved: int = 22
    every: int = 12_800

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, (1 << 63) - 1)
        check_range("depth", self.depth, 1, 20)
        check_range("solved", self.solved, 0, 40)
        check_range("every", self.every, 1, 1 << 40)
        object.__setattr__(self, "every", rounded_up(self.every))
        object.__setattr__(self, "variant", _shortest_variant_text(self.variant))

    @property
    def command(self) -> str:
        """The options of ``c4-tune train`` that matter, except the number of games."""
        return (
            f"--variant {self.variant} --seed {self.seed} --depth {self.depth} "
            f"--solved {self.solved}"
        )


@dataclass(frozen=True)
class CurvePoint:
    """State of a network after a number of games.

    ``loss`` and ``solved_loss`` are the mean cross entropies in nats of the positions of the latest
    games, before they were learned: of all, and of solved ones. ``right`` is the share of solved
    wins and losses that the network judged correctly. ``wins``, ``draws`` and ``losses`` are of a
    match against the evaluator ``zugzwang``, with the same search and the same number of nodes.
    ``seconds`` is the time of all games so far on the wall clock, without the matches.
    """

    games: int
    loss: float
    solved_loss: float | None
    right: float | None
    wins: int
    draws: int
    losses: int
    seconds: float

    @property
    def score(self) -> float:
        """Points of the network in the match: 1 for a win, half a point for a draw, as a share."""
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)

    @property
    def is_possible(self) -> bool:
        """False for numbers that no training has stored."""
        outcomes = self.wins, self.draws, self.losses
        return self.games > 0 and min(outcomes) >= 0 and sum(outcomes) > 0


PointHandler = Callable[[CurvePoint], None]
"""Function that is called with every point of the curve."""


@dataclass(frozen=True)
class TrainedNetwork:
    """A training as it is stored: its settings and its curve, and the path of the weights."""

    settings: TrainSettings
    curve: list[CurvePoint]
    weights: str = ""


def _shortest_variant_text(text: str) -> str:
    """Return the shortest text for the same variant, if it is a board with gravity."""
    variant = Variant.parse(text)
    for sizes in (variant.size, f"{variant.size}x{variant.connect}"):
        if Variant.parse(sizes) == variant:
            return sizes
    return text


def rounded_up(games: int) -> int:
    """Return a number of games, rounded up to a multiple of ``GAMES_PER_BATCH``."""
    return -(-games // GAMES_PER_BATCH) * GAMES_PER_BATCH


def train(
    settings: TrainSettings, games: int, threads: int, folder: Path, watch: PointHandler
) -> TrainedNetwork:
    """Train a network up to a number of games, and return it.

    Raises ``UsageError`` for a folder that cannot be used or holds a training with other settings.
    """
    training = _load_trainer(settings, threads)
    with locked_file(folder, lambda: os.open(folder, os.O_RDONLY | os.O_DIRECTORY)):
        curve = _restore_training(folder, settings, training)
        for point in curve:
            watch(point)
        while not curve or curve[-1].games < rounded_up(games):
            curve.append(_next_point(training, settings, curve, rounded_up(games)))
            _store_training(folder, settings, curve, training)
            watch(curve[-1])
        variant = Variant.parse(settings.variant)
        path = folder / f"{variant.size}x{variant.connect}.network"
        made = f"c4-tune train {settings.command} --games {curve[-1].games}"
        replace_file(path, training.file(made))
    return TrainedNetwork(settings, curve, str(path))


def _next_point(
    training: TrainerInterface, settings: TrainSettings, curve: list[CurvePoint], end: int
) -> CurvePoint:
    """Play the next part of a training and then a match. No part goes beyond ``end`` games."""
    start = time.perf_counter()
    before = curve[-1].games if curve else 0
    part = min(settings.every - before % settings.every, end - before)
    positions, solved, decided, right, loss, solved_loss = training.play(part)
    seconds = time.perf_counter() - start + (curve[-1].seconds if curve else 0)
    outcomes = training.play_match(MATCH_PAIRS, MATCH_NODES, before + part)
    return CurvePoint(
        before + part,
        round(loss / max(positions, 1), 4),
        round(solved_loss / solved, 4) if solved else None,
        round(right / decided, 4) if decided else None,
        *outcomes,
        seconds=round(seconds, 3),
    )


def _load_trainer(settings: TrainSettings, threads: int) -> TrainerInterface:
    make: Callable[..., TrainerInterface] = load_provider(TRAINING_ENTRY_POINT)
    variant = Variant.parse(settings.variant)
    return make(variant, settings.seed, settings.depth, settings.solved, threads)


def _store_training(
    folder: Path, settings: TrainSettings, curve: list[CurvePoint], training: TrainerInterface
) -> None:
    header = orjson.dumps({"settings": settings, "curve": curve})
    replace_file(folder / STATE_FILE, header + b"\n" + training.state())
    lines = (orjson.dumps(point, option=orjson.OPT_APPEND_NEWLINE) for point in curve)
    replace_file(folder / CURVE_FILE, b"".join(lines))


def _restore_training(
    folder: Path, settings: TrainSettings, training: TrainerInterface
) -> list[CurvePoint]:
    """Restore a training from its folder, and return its curve: empty if nothing is stored."""
    try:
        line, _, state = read_regular(folder / STATE_FILE).partition(b"\n")
    except FileNotFoundError:
        return []
    stored = _parsed_state(folder, line)
    if stored.settings != settings:
        raise UsageError(
            f"--out {folder}: it holds a training with other settings "
            f"({stored.settings.command} --every {stored.settings.every}): name another folder, or "
            "use the settings of that training"
        )
    try:
        training.restore(state)
    except UsageError as error:
        raise UsageError(f"cannot use {folder / STATE_FILE}: {error}") from None
    return stored.curve


def read_training(folder: Path) -> TrainedNetwork:
    """Return the training in a folder, without its weights.

    Its curve has at least one point. Raises ``UsageError`` if there is no training.
    """
    try:
        return _parsed_state(folder, read_regular(folder / STATE_FILE).partition(b"\n")[0])
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from None


def _parsed_state(folder: Path, line: bytes) -> TrainedNetwork:
    with suppress(ArenaError, ValueError):
        stored = TypeAdapter(TrainedNetwork).validate_json(line)
        if stored.curve and all(point.is_possible for point in stored.curve):
            return stored
    raise UsageError(f"{folder / STATE_FILE} does not hold a training")
