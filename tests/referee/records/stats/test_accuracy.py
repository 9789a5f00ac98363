"""Moves are rated by the values of the positions before and after them."""

from dataclasses import astuple

from c4_protocol.records.reports import MoveTally
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_referee.records.stats.accuracy import (
    JudgedMove,
    accuracy,
    gaining_ply,
    tally_moves,
)
from c4_referee.records.stats.solved import GameAnalysis
from games import game_of as game
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.integers(-20, 20)


def made(before: int | None, after: int | None, ply: int = 0) -> JudgedMove:
    """Return a move of player a between two values, which are both for player a."""
    return JudgedMove("a", ply, before, after)


def test_each_kind_of_move_is_counted_as_what_it_is() -> None:
    """Lost wins and draws, longer wins, shorter losses, best and unknown moves are counted."""
    moves = [
        made(5, 5),  # a best move
        made(5, 2),  # wins three moves later
        made(5, 0),  # throws a win away, to a draw
        made(1, -3),  # throws a win away, to a loss
        made(0, 0),
        made(0, -1),  # throws a draw away
        made(-2, -2),
        made(-2, -6),  # loses four moves sooner
        made(None, 3),
        made(3, None),
    ]
    assert tally_moves(moves) == MoveTally(
        judged=8,
        kept=5,
        best=3,
        wins=4,
        wins_drawn=1,
        wins_lost=1,
        draws=2,
        draws_lost=1,
        moves_lost=7,
    )


@given(st.lists(st.tuples(st.none() | VALUES, st.none() | VALUES), max_size=42), st.integers(0, 9))
def test_counts_add_up(pairs: list[tuple[int | None, int | None]], opening: int) -> None:
    """The counts by colour and by phase add up to the total.

    A move either keeps the result or throws it away.
    """
    values = [before for before, _ in pairs] + [None]
    moves = "1" * len(pairs)
    record = game(moves, moves[:opening])
    found = accuracy(["a", "b"], [GameAnalysis(record, values)], STANDARD)
    assert found["a"].moves + found["b"].moves == max(0, len(pairs) - opening)
    assert found["a"].as_second.judged == found["b"].as_first.judged == 0
    for one in found.values():
        colours = [astuple(one.as_first), astuple(one.as_second)]
        phases = [astuple(phase) for phase in one.phases]
        for parts in (colours, phases):
            assert tuple(map(sum, zip(*parts, strict=True))) == astuple(one.total)
        assert one.total.judged <= one.moves
        assert one.total.best <= one.total.judged
        if gaining_ply(values) is None:
            thrown = one.total.wins_drawn + one.total.wins_lost + one.total.draws_lost
            assert one.total.kept + thrown == one.total.judged
            assert one.total.moves_lost >= 0
        if one.share is not None:
            assert 0 <= one.low <= one.share <= one.high <= 1


def test_phases_are_thirds_of_the_board() -> None:
    """On 7x6, the phases are plies 0 to 13, 14 to 27 and 28 to 41."""
    values = [0] * 43
    found = accuracy(["a", "b"], [GameAnalysis(game("1" * 42), values)], STANDARD)
    assert [phase.judged for phase in found["a"].phases] == [7, 7, 7]
    assert [phase.judged for phase in found["b"].phases] == [7, 7, 7]


def test_moves_of_the_opening_are_nobodys() -> None:
    """Moves of the opening do not count, in either notation."""
    for variant, moves, opening in ((STANDARD, "4453", "44"), (LINE8, "d4 d5 e4", "d4 d5")):
        values = [0] * (len(moves.split()) + 1) if variant is LINE8 else [0] * 5
        found = accuracy(["a", "b"], [GameAnalysis(game(moves, opening, variant), values)], variant)
        assert (found["a"].moves, found["b"].moves) == ((1, 1) if variant is STANDARD else (1, 0))


@given(st.lists(VALUES, min_size=1))
def test_a_move_that_gains_is_found(values: list[int]) -> None:
    """The gaining move is the first one after which its player's value is higher than before."""
    ply = gaining_ply(values)
    gaining = [n for n in range(len(values) - 1) if -values[n + 1] > values[n]]
    assert ply == (gaining[0] if gaining else None)


def test_last_ply_of_a_full_board_with_the_steal_is_in_a_phase() -> None:
    """The steal makes the longest game one ply longer. Its last ply belongs to the last third."""
    variant = Variant(3, 3, 4, steal=True)
    judged = GameAnalysis(game("1s23212331", variant=variant), [0] * 11)
    found = accuracy(["a", "b"], [judged], variant)
    assert sum(phase.judged for bot in found.values() for phase in bot.phases) == 10
