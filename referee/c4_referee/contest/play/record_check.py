"""Checks of a game's record before the record counts.

A worker runs bots of other people, so its records cannot be trusted. A record counts only if it
belongs to the game that was issued, if its moves are legal, and if its result follows from the
moves and the fault.
"""

from typing import Any

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import is_visible
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.records.fields import quick_reader
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import Variant

from c4_referee.bots.contain.faults import FAULTS_FOUND_BY_REFEREE, Fault, Policy
from c4_referee.contest.play.remarks import MAX_REMARK_LENGTH
from c4_referee.records.storage.result_lines import check_result


class RecordRefused(ArenaError):
    """Error for a record that does not belong to the issued game, or that contradicts itself."""


def checked_record(
    event: dict[str, Any], names: tuple[str, str], opening: str, variant: Variant
) -> GameEnded:
    """Return the record from a decoded event, or raise ``RecordRefused``.

    ``names`` are the names of the bots in seats 1 and 2.
    """
    record = _record_or_none(event)
    if record is None:
        raise RecordRefused("a key is missing or unknown, or a value in it has a wrong type")
    try:
        expected = (*names, opening, VariantRecord.of(variant))
        if (record.first, record.second, record.opening, record.variant) != expected:
            raise RecordRefused("another game than the one that was issued")
        _check_course(record)
        _check_ending(record)
        _check_texts(record)
    except (ValueError, ArenaError) as error:
        raise RecordRefused(f"the record of a game is wrong: {error}") from None
    return record


_record_or_none = quick_reader(GameEnded)


def _check_course(record: GameEnded) -> None:
    """Raise ``ArenaError`` if no game can have the moves, or not these times and remarks."""
    opening = cells_from_moves(record.opening, record.rules) if record.opening else []
    if [*record.cells[: len(opening)]] != opening:
        raise RecordRefused("it does not begin with the opening")
    for times in (record.ms, record.cpu_ms):
        if len(times) != len(record.cells) - len(opening) or min(times, default=0) < 0:
            raise RecordRefused("there is not one time for each move")
    if len(record.remarks) not in {0, len(record.ms)}:
        raise RecordRefused("there is not one remark for each move")


def _check_ending(record: GameEnded) -> None:
    """Raise an error if ending and winner do not follow from the moves and possible faults."""
    for fault in record.faults:
        kind = Fault(fault.fault)
        is_allowed = fault.policy in {kind.policy.value, Policy.VOID.value}
        if fault.bot not in record.bots or not is_allowed or kind in FAULTS_FOUND_BY_REFEREE:
            raise RecordRefused(f"{fault.bot} cannot have the fault {fault.fault} ({fault.policy})")
    if record.fault is None:
        endings = {"line", "full board"}
    elif record.fault.policy in {Policy.FORFEIT.value, Policy.BAR.value}:
        endings = {"forfeit"}
    else:
        endings = {"void"}
    if record.ending not in endings:
        raise RecordRefused(f"{record.ending} does not follow")
    check_result(record)


def _check_texts(record: GameEnded) -> None:
    """Raise ``RecordRefused`` if a text in the record could control a terminal."""
    lines = [line for fault in record.faults for line in (fault.detail, fault.line or "")]
    lines += record.remarks
    are_visible = all(map(is_visible, lines)) and all(
        is_visible(text, keep="\n\t") for text in record.stderr.values()
    )
    if not are_visible or not record.stderr.keys() <= {*record.bots}:
        raise RecordRefused("a text in it was not made harmless")
    if any(len(remark) > MAX_REMARK_LENGTH for remark in record.remarks):
        raise RecordRefused("a remark is too long")
