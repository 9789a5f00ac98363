"""Contract of every registered player, in every kind of game that it plays."""

import random
import sys
import time
from collections.abc import Iterator
from functools import cache
from types import FrameType
from typing import Any

import orjson
import pytest
from c4_bot.contract import Limits
from c4_bot.play.session import Session
from c4_bot.player import registry
from c4_bot.player.player import GAME_KINDS
from c4_protocol.program.errors import VariantError
from c4_protocol.rules.notation import grid_of
from c4_protocol.rules.position import Position, has_line
from c4_protocol.rules.variant import DIRECTIONS, LINE8, MAX_SIDE, STANDARD, Variant
from effort import sampled

VARIANTS = (
    STANDARD,
    LINE8,
    Variant(8, 7),
    Variant(9, 7, 5),
    Variant(4, 4, 3),
    Variant(1, 1),
    Variant(2, 9),
    Variant(12, 12),  # more than 128 bits: too large for the native core
    Variant(5, 4, 3, gravity=False),
    Variant(6, 5, 4, directions=("diagonal",)),
    Variant(12, 11, gravity=False),
)
LIMITS = Limits(depth=2, nodes=200)
FREE = Variant(7, 6, gravity=False)
PAIRS = [
    pytest.param(name, variant, id=f"{name}-{variant}")
    for name in registry.player_specs()
    for variant in VARIANTS
    if registry.build_player(name).plays(variant)
]

LINES_PER_MS = 10_000
"""Lines of Python in a millisecond of ``CountedClock``: about as many as a fast machine executes
without a tracer."""


class CountedClock:
    """A clock that counts executed lines of Python, so that it is the same on every machine."""

    def __init__(self) -> None:
        self.lines = 0

    def monotonic(self) -> float:
        """Return the time in seconds."""
        return self.lines / LINES_PER_MS / 1000

    def count(self, _: FrameType, event: str, __: object) -> Any:
        """Count a line; this is a trace function (see ``sys.settrace``)."""
        self.lines += event == "line"
        return self.count


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountedClock]:
    """Replace the clock by one that counts lines."""
    counted, before = CountedClock(), sys.gettrace()
    monkeypatch.setattr(time, "monotonic", counted.monotonic)
    sys.settrace(counted.count)
    yield counted
    sys.settrace(before)


def draws_lots(name: str) -> bool:
    """Return whether a player makes mistakes that depend on its seed."""
    return "seed" in registry.player_specs()[name].all_parameters()


def usual_game(name: str) -> Variant:
    """Return the standard board, without gravity if the player needs this."""
    return STANDARD if registry.build_player(name).plays(STANDARD) else FREE


def game(name: str, variant: Variant, seed: int) -> list[int]:
    """Play a game against random moves and return all moves. Fail on an illegal move."""
    draw, player = random.Random(seed), registry.build_player(name, seed=seed)
    position, cells = Position(variant), []
    while not position.is_over:
        ours = position.player == 1
        cell = player.choose(position, LIMITS).cell if ours else draw.choice(position.moves)
        assert cell in position.moves
        position = position.play(cell)
        cells.append(cell)
    return cells


@pytest.mark.parametrize(("name", "variant"), PAIRS)
def test_moves_are_legal_and_repeat_with_the_seed(name, variant):
    """A player makes legal moves in a whole game, and the same moves with the same seed."""
    assert game(name, variant, 1) == game(name, variant, 1)


@pytest.mark.parametrize(("name", "variant"), PAIRS)
def test_move_comes_however_tight_the_limits(name, variant):
    """A player returns a legal move even without time, or with a single node."""
    position = Position(variant)
    for limits in (Limits(nodes=1), Limits(deadline=0.0)):
        assert registry.build_player(name).choose(position, limits).cell in position.moves


@pytest.mark.parametrize(("name", "variant"), PAIRS)
def test_the_clock_is_obeyed(name, variant):
    """A search that would take days stops at its deadline."""
    position, limits = Position(variant), Limits(deadline=time.monotonic() + 0.03)
    assert registry.build_player(name).choose(position, limits).cell in position.moves


@cache
def scattered(variant: Variant) -> Position:
    """Return a position in which a third of the cells are taken at random, without a line."""
    draw, position = random.Random(1), Position(variant)
    while position.ply < variant.cells // 3:
        child = position.play(draw.choice(position.moves))
        position = position if has_line(child.other, variant) else child
    return position


@pytest.mark.parametrize("connect", sampled([4, MAX_SIDE], [MAX_SIDE]))
@pytest.mark.parametrize(
    ("name", "gravity"),
    [
        pytest.param(name, gravity, id=f"{name}-{'gravity' if gravity else 'free'}")
        for name in registry.player_specs()
        for gravity in (True, False)
        if registry.build_player(name).plays(Variant(gravity=gravity))
    ],
)
def test_answers_are_in_time_on_the_largest_board(name, gravity, connect, request):
    """On the largest board, a player looks at the clock often enough to answer in time."""
    position = scattered(Variant(MAX_SIDE, MAX_SIDE, connect, gravity))
    rules = {"connect": connect, "gravity": gravity, "directions": DIRECTIONS}
    line = orjson.dumps({"grid": grid_of(position), "time_ms": 30, **rules})
    session = Session(registry.build_player(name), show_info=True)
    clock = request.getfixturevalue("clock")
    before = clock.lines
    assert b"move" in session.answer(line)
    assert clock.lines - before < 30 * LINES_PER_MS


@pytest.mark.parametrize("name", registry.player_specs())
def test_nothing_is_carried_over(name):
    """A player's answer does not depend on earlier questions."""
    empty = Position(usual_game(name))
    position = empty.play(21).play(14)
    fresh = registry.build_player(name, seed=1)
    used = registry.build_player(name, seed=1)
    expected = fresh.choose(position, LIMITS)
    if name == "random":  # the seed fixes only the whole sequence of random choices
        assert used.choose(position, LIMITS) == expected
        return
    for other in (empty, position.play(22), position.mirrored()):
        used.choose(other, LIMITS)
    assert used.choose(position, LIMITS) == expected


@pytest.mark.parametrize("name", registry.player_specs())
def test_other_games_are_refused(name):
    """A player refuses games that it does not play, and says which games it plays."""
    player = registry.build_player(name)
    kind = GAME_KINDS[registry.player_specs()[name].variants]
    for variant in (STANDARD, LINE8):
        if not player.plays(variant):
            with pytest.raises(VariantError, match=kind):
                player.choose(Position(variant), LIMITS)


@pytest.mark.parametrize("name", [name for name in registry.player_specs() if not draws_lots(name)])
@pytest.mark.parametrize("first", sampled([3, 9], [9]))
def test_win_in_one_is_taken_and_threat_is_blocked(name, first):
    """A player completes its own three in a row, and stops three in a row of the opponent."""
    variant = usual_game(name)
    bottom = [variant.cell(x, 0) for x in range(7)]
    three = sum(1 << cell for cell in bottom[:3])
    above = sum(1 << cell + 1 for cell in bottom[:3])
    player = registry.build_player(name)
    attack = Position(variant, (three, above), 1)
    assert player.choose(attack, Limits(depth=first)).cell == bottom[3]
    two = above & ~(1 << bottom[0] + 1)
    defence = Position(variant, (three, two), 2)
    assert player.choose(defence, Limits(depth=first)).cell == bottom[3]


@pytest.mark.parametrize("name", registry.player_specs())
def test_every_player_tells_its_source(name):
    """Every player has a summary, a source, and parameters that can be set."""
    spec = registry.player_specs()[name]
    assert spec.summary
    assert spec.source.endswith(".txt") or spec.source == "c4-arena"
    assert set(spec.parameters) <= set(spec.all_parameters())
