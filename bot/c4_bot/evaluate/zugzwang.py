"""Threats, and who will have to play below one: zugzwang.

A threat is a free cell that completes a line. The cell below it is *critical*: a player who plays
there gives the opponent the threat, or gives up an own threat, because the opponent must block it.
So both players first fill the other cells, the *safe* cells. When these are full, the player to
move must play a critical cell. The number of safe cells says who this will be, on boards of every
size. The classical rules of odd and even threats (L. V. Allis, "A Knowledge-based Approach of
Connect-Four", 1988, chapter 3) are special cases.

This evaluator plays that ending by simple rules (``ending_result``), and adds open windows, threats
and the right to move. The fewer safe cells are left, the more the result of the ending counts,
because the players have less time to make other threats.

The weights are from logistic regressions of the results of fast games on 9x7, 8x7, 8x8, 7x6, 6x7,
5x8 and on 10x8 with lines of five. They differ little between these boards. 100 units are about
one unit of the logarithm of the odds of a win.
"""

from dataclasses import dataclass

from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import Variant, cells_of

from c4_bot.evaluate._open_windows import counts_in_words, worth_difference

ADDED_SAFE_CELLS = 3
"""Number that is added to the number of safe cells, so that the weight of the ending is finite."""


@dataclass(frozen=True)
class Zugzwang:
    """An evaluator that knows who will have to play below a threat.

    ``threat`` is the worth of a threat that is the lowest of both players in its column.
    ``zugzwang`` divided by the number of safe cells plus ``ADDED_SAFE_CELLS`` is the worth of a won
    ending. ``tempo`` is the worth of being to move. ``weights`` are for open windows: the last is
    for those that lack two stones, the one before it for those that lack three, and so on.

    In games without gravity nobody has to play below a threat, and every threat is worth
    ``threat``.
    """

    threat: int = 45
    zugzwang: int = 1900
    tempo: int = 25
    weights: tuple[int, ...] = (6, 19)

    unit = 20

    def evaluate(self, position: Position, player: int) -> int:
        """Return the score for ``player``, in units of a twentieth of a point."""
        score = self._score_of_player_to_move(position)
        return score if player == position.player else -score

    def explain(self, position: Position, player: int) -> str:
        """Return in words how many open windows both players have, and who wins the ending."""
        text = counts_in_words(position, player)
        if not position.variant.gravity:
            return text
        result, safe = ending_result(position.variant, position.occupied, *threats_of(position))
        if player != position.player:
            result = -result
        forced = {1: "the opponent", -1: "the player", 0: "nobody"}[result]
        return f"{text}; after {safe} safe cells {forced} has to play below a decisive threat"

    def _score_of_player_to_move(self, position: Position) -> int:
        """Return the score for the player to move."""
        variant = position.variant
        own, other = threats_of(position)
        counted = own | other
        score = worth_difference(position, position.player, (0, 0, *reversed(self.weights)))
        if variant.gravity:
            counted = lowest_cells_of_columns(counted, variant)
            result, safe = ending_result(variant, position.occupied, own, other)
            score += result * (self.zugzwang // (safe + ADDED_SAFE_CELLS))
        difference_of_threats = (own & counted).bit_count() - (other & counted).bit_count()
        return score + self.tempo + self.threat * difference_of_threats


def threats_of(position: Position) -> tuple[int, int]:
    """Return the free cells that complete a line: of the player to move, and of the opponent."""
    free = position.variant.board & ~position.occupied
    own, other = (
        completing_cells(stones, position.variant) for stones in (position.own, position.other)
    )
    return own & free, other & free


def spare_bits(variant: Variant) -> int:
    """Return the bits above the columns, which belong to no cell."""
    return variant.bottom << variant.height


def lowest_cells_of_columns(cells: int, variant: Variant) -> int:
    """Return the lowest of the cells in each column.

    The subtraction changes the lowest bit of each column and all bits below it. The spare bits
    keep it from reaching the next column.
    """
    return cells & ~((cells | spare_bits(variant)) - variant.bottom)


def ending_result(variant: Variant, occupied: int, own: int, other: int) -> tuple[int, int]:
    """Play the rest of a game in which nobody makes a new threat.

    ``own`` and ``other`` are the threats of the player to move and of the opponent. Returns the
    result for the player to move, 1, 0 or -1, and the number of safe cells.

    When all safe cells are full, a player who must move plays below an own threat if possible, and
    the opponent blocks. The cells above, up to the next critical cell, are then safe. Their number
    changes who must move next if it is odd, so such columns are preferred. A player with two
    threats above each other wins there. A player who can only play below threats of the opponent
    loses.
    """
    free = variant.board & ~occupied
    critical = (own | other) >> 1 & free
    ceiling = critical | spare_bits(variant)
    safe = (free & ~ceiling & (ceiling - variant.bottom)).bit_count()
    first, sign = lowest_cells_of_columns(critical, variant), -1 if safe % 2 else 1
    if sign < 0:
        own, other = other, own
    while first:
        choices = first & ~(other >> 1)
        if not choices:
            return -sign, safe
        if choices & own >> 2:
            return sign, safe
        ceiling = spare_bits(variant) | critical & ~(first | first << 1)
        ends = ceiling & ~(ceiling - variant.bottom)
        cell, end = _chosen_critical_cell(variant, choices, ends, own, other)
        first ^= 1 << cell | 1 << end & variant.board
        critical &= ~(3 << cell)
        if (end - cell) % 2:
            own, other, sign = other, own, -sign
    return 0, safe


def _chosen_critical_cell(
    variant: Variant, choices: int, ends: int, own: int, other: int
) -> tuple[int, int]:
    """Choose the critical cell with an own threat above it that a player fills.

    ``ends`` has a bit for each column, above the cell that the opponent's block takes: the next
    critical cell, or the spare bit. Returns the cell and its end. A cell is preferred if the number
    of cells between the block and its end is odd. Among these, the threats in the column decide, so
    that a mirrored position has the same score.
    """

    def preference(pair: tuple[int, int]) -> tuple[int, int, int]:
        cell, end = pair
        column = variant.columns[variant.column_of(cell)]
        return (end - cell) % 2, (own & column) >> cell, (other & column) >> cell

    pairs = ((cell, next(cells_of(ends & -1 << cell))) for cell in cells_of(choices))
    return max(pairs, key=preference)
