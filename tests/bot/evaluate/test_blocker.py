"""The player ``blocker``: the faults of its document, and their repairs."""

from random import Random

import pytest
from c4_bot import registry
from c4_bot.contract import WIN, Limits, is_proven, won
from c4_bot.evaluate.blocker import Blocker
from c4_bot.search._threats import (
    cells_making_a_threat,
    cells_making_two_threats,
    defences,
    live_cells,
    makers,
)
from c4_bot.search.last_iteration import LastIteration, _LastIterationRun
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import LINE8, STANDARD, Variant, cells_of
from effort import examples
from hypothesis import assume, given
from hypothesis import strategies as st

FREE = Variant(5, 4, 3, gravity=False)


def cell(name: str) -> int:
    """Return a cell by its name in the document: rows a to h from the top, columns 1 to 8."""
    return LINE8.cell(int(name[1]) - 1, LINE8.height - 1 - "abcdefgh".index(name[0]))


def after(moves: str) -> Position:
    """Return the position after moves such as ``d4 d5``."""
    position = Position(LINE8)
    for name in moves.split():
        position = position.play(cell(name))
    return position


def makers_against(position: Position) -> int:
    """Return the cells where the opponent could make two threats with one stone."""
    free = position.variant.board & ~position.occupied
    return cells_making_two_threats(makers(position.other, free, position.variant))


@pytest.mark.parametrize("opening", ["d4 d5 c4 e4", "d4 e5 c7", "c3 f6 d5"])
def test_minimizing_side_tries_its_own_best_first(opening):
    """Sorting by the own side's best moves finds the same score with fewer nodes.

    Otherwise the minimizing side sorts its moves like the maximizing side.
    """
    position, limits = after(opening), Limits(depth=4)
    found = {
        sorts: registry.build_player(
            "blocker", {"faithful": True, "sorts_for_mover": sorts}
        ).choose(position, limits)
        for sorts in (True, False)
    }
    assert found[True].score == found[False].score
    assert found[True].nodes < 0.8 * found[False].nodes


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
    """At the document's five plies, only the repaired player stops the open two."""
    position = after(moves)
    assert makers_against(position)

    def leaves_open_two(player) -> bool:
        following = position.play(player.choose(position, Limits(depth=5)).cell)
        return bool(makers_against(Position(LINE8, following.stones, position.player)))

    assert leaves_open_two(registry.build_player("blocker", {"faithful": True}))
    assert not leaves_open_two(registry.build_player("blocker"))


def test_open_two_of_its_own_is_used():
    """Only the repaired player knows a win with its second stone without a search."""
    position = after("d4 a1 d5 h8")
    found = registry.build_player("blocker").choose(position, Limits(depth=1))
    assert found.score == WIN - (position.ply + 3)
    faithful = registry.build_player("blocker", {"faithful": True}).choose(
        position, Limits(depth=1)
    )
    assert not is_proven(faithful.score)


def test_block_is_not_counted_twice():
    """With ``live_lines``, a second stone in a blocked line does not raise the evaluation."""
    moves = "d4 d5 c4 e4 c3 c2 c5 c6 b4"
    blocked, twice_blocked = after(moves), after(moves).play(cell("f4"))
    gain = {live: Blocker(centre=0, two=0, three=0, live_lines=live) for live in (True, False)}
    assert gain[False].evaluate(twice_blocked, 2) > gain[False].evaluate(blocked, 2)
    assert gain[True].evaluate(twice_blocked, 2) == gain[True].evaluate(blocked, 2)


def test_example_1_is_lost_by_the_third_answer():
    """The document's answer c2 to c3 loses.

    The faithful player plays it, the repaired one does not.
    """
    position = after("d4 d5 c4 e4 c3")
    assert registry.build_player("blocker", {"faithful": True}).choose(
        position, Limits(depth=5)
    ).cell == cell("c2")
    player = registry.build_player("blocker")
    refutation = player.choose(position.play(cell("c2")), Limits(depth=8))
    assert is_proven(refutation.score)
    assert refutation.score > 0
    answer = player.choose(position, Limits(depth=8))
    assert not is_proven(answer.score)


def test_blocks_do_not_outweigh_the_game():
    """The repaired player scores a lost position as lost. The faithful player scores it as good."""
    moves = "d5 e4 e5 f5 c5 b5 c4 b7 c3"
    lost = registry.build_player("blocker").choose(after(moves), Limits(depth=5))
    assert is_proven(lost.score)
    hopeful = registry.build_player("blocker", {"faithful": True}).choose(
        after(moves), Limits(depth=1)
    )
    assert hopeful.score > 0


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


@given(st.from_type(Position))
def test_live_cells_are_those_of_lines_to_be_made(position):
    """Live cells are the cells of all lines that hold stones of at most one player."""
    lines = [
        line for line in position.variant.lines if not all(line & own for own in position.stones)
    ]
    assert set(cells_of(live_cells(position))) == {c for line in lines for c in cells_of(line)}


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


def test_only_free_games_are_played():
    """Players know which variants they play."""
    assert registry.build_player("blocker").plays(FREE)
    assert not registry.build_player("blocker").plays(STANDARD)
    assert not registry.build_player("needed").plays(FREE)
