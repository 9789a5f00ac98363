"""The reason of a move, from the native core if it can find it."""

from c4_bot.native import MAX_BITS, core, halves, is_core_available, sizes, stones
from c4_bot.reasons.kinds import Move, Reason, reason_of


def find_reason(move: Move) -> Reason:
    """Return the result of ``reason_of``.

    It comes from the core, unless the board is too large or the steal is ahead.
    """
    before = move.before
    variant = before.variant
    if variant.bits > MAX_BITS or before.steal_is_ahead or not is_core_available():
        return reason_of(move)
    known = move.best, move.own, halves(move.answers)
    kind, (low, high), line = core.reason(sizes(variant), stones(before), move.cell, *known)
    return Reason(kind, low | high << 64, tuple(line))
