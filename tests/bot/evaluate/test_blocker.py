"""The player ``blocker``: the faults of its document, and their repairs."""

from random import Random

import pytest
from c4_bot.contract import Limits, won
from c4_bot.evaluate.blocker import Blocker
from c4_bot.player import registry
from c4_bot.search._threats import (
    cells_making_a_threat,
    cells_making_two_threats,
    defences,
    live_cells,
    makers,
)
from c4_bot.search.last_iteration import LastIteration, _LastIterationRun
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import LINE8, Variant, cells_of
from effort import examples
from hypothesis import assume, given
from hypothesis import strategies as st

FREE = Variant(5, 4, 3, gravity=False)


def makers_against(position: Position) -> int:
    """Return the cells where the opponent could make two threats with one stone."""
    free = position.variant.board & ~position.occupied
    return cells_making_two_threats(makers(position.other, free, position.variant))


@pytest.mark.parametrize(
    "moves",
    [
        "d4 d5 d3 d6 d2 d1 c4 e4 c5",  # example 3 of the document, before b4
        "c4 f4 e6 d3 c3 f5 f3",
        "e6 c4 f5 d4 e4 f4 f3",
        "c5 e5 e3 d5 f3 e4 e6",
        "c6 d5 d4 f5 f3 d6 c5",
    ],
)
def test_open_two_is_stopped_in_time(moves):
    """At the document's five plies, only the repaired player stops the open two.

    Rows of the document are columns here.
    """
    position = position_from_moves(moves, LINE8)
    assert makers_against(position)

    def leaves_open_two(player) -> bool:
        following = position.play(player.choose(position, Limits(depth=5)).cell)
        return bool(makers_against(Position(LINE8, following.stones, position.player)))

    assert leaves_open_two(registry.build_player("blocker", {"faithful": True}))
    assert not leaves_open_two(registry.build_player("blocker"))


free_positions = st.from_type(Position).filter(lambda position: not position.variant.gravity)


def threats_after(position: Position, stones: int, stone: int) -> int:
    """Return the number of free cells that complete a line of ``stones`` after one more stone."""
    free = position.variant.board & ~position.occupied & ~(1 << stone)
    return (completing_cells(stones | 1 << stone, position.variant) & free).bit_count()


@given(free_positions)
def test_makers_make_threats(position):
    """The makers are the stones that make one threat, make two, or prevent two."""
    variant, free = position.variant, position.playable
    assume(not completing_cells(position.own, variant) & free)
    found = makers(position.own, free, variant)
    made = {stone: threats_after(position, position.own, stone) for stone in cells_of(free)}
    assert set(cells_of(cells_making_a_threat(found))) == {
        stone for stone, count in made.items() if count
    }
    assert set(cells_of(cells_making_two_threats(found))) == {
        stone for stone, count in made.items() if count > 1
    }
    if cells_making_two_threats(found):
        assert set(cells_of(defences(found))) == {
            stone for stone in made if not double_threats(stopped(position, stone))
        }


def stopped(position: Position, stone: int) -> Position:
    """Return the position after the opponent of the player to move has played a stone."""
    return Position(position.variant, (position.own, position.other | 1 << stone), 1)


def double_threats(position: Position) -> list[int]:
    """Return the moves that make two threats, found by trying all moves."""
    return [stone for stone in position.moves if threats_after(position, position.own, stone) > 1]


@given(free_positions)
@examples(500)
def test_moves_left_out_lose_or_are_useless(position):
    """A move that is left out does not prevent two threats, or cannot affect any open line."""
    variant, free = position.variant, position.playable
    for stones in position.stones:
        assume(not completing_cells(stones, variant) & free)
    run = _LastIterationRun(LastIteration(Blocker()), Limits(), position.player)
    cells, rest = run._cells_to_try(position)
    for stone in cells_of(free & ~cells):
        child = position.play(stone)
        if rest == -won(position.ply + 4):
            assert double_threats(child)
            assert not threats_after(position, position.own, stone)
        else:
            assert not live_cells(position) >> stone & 1


@given(st.integers(0, 1 << 32))
def test_no_good_move_is_left_out(seed):
    """A search that leaves moves out finds the result of a full search in small endgames."""
    position = endgame(seed)
    wins = Blocker(centre=0, block=1000, four=1, three=0, two=0)
    sees = LastIteration(wins).search(position, Limits())
    plain = LastIteration(wins, sees_threats=False).search(position, Limits())
    assert sees.exact
    assert (sees.score > 0) - (sees.score < 0) == (plain.score > 0) - (plain.score < 0)


def endgame(seed: int) -> Position:
    """Return a position on 5x4 cells with seven free cells and no winner."""
    draw, position = Random(seed), Position(FREE)
    while position.ply < FREE.cells - 7:
        following = position.play(draw.choice(position.moves))
        position = Position(FREE) if following.is_over else following
    return position


@pytest.mark.parametrize("name", ["centre", "block", "four", "three", "two"])
def test_weights_beyond_the_maximum_are_refused(name):
    """A weight so large that evaluations could reach proven scores is refused."""
    with pytest.raises(UsageError, match=f"{name} is at most 1048576"):
        registry.build_player("blocker", {name: 1 << 21})
