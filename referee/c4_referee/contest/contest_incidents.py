"""Incidents of a contest: disturbances that no result shows."""

from collections.abc import Mapping, Sequence

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import Incidents

from c4_referee.bots.bot_files import FileStates, FileWatch, changes_in_words
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.suspects import suspects_of
from c4_referee.records.rounds import Player

MIN_ABSENCE_MS = 1000.0
"""Minimum time in which the referee did not run in the games of a bot, in milliseconds. Reports
leave out bots with less, because every busy machine has short absences."""


def incidents_of(
    ledger: Ledger,
    names: Mapping[Player, str],
    bots: Sequence[BotSpec],
    files: Sequence[FileStates],
) -> Incidents:
    """Return the incidents of a contest after a run.

    ``names`` are those of the players. ``files`` are the states of the bots' files at the start of
    this run, or empty if the files are on other machines.
    """
    games = ledger.tournament.results
    return Incidents(
        lost_games=len(ledger.lost),
        suspects=tuple(suspects_of(ledger.lost)),
        changed_files=_changed_files_by_bot(games, bots, files),
        pondered={names[player]: detail for player, detail in ledger.pondered.items()},
        starved=tuple(
            f"{fault.bot} in game {game}: {fault.detail}" for game, fault in ledger.starved.items()
        ),
        absent_ms=_absences_by_bot(games),
    )


def _changed_files_by_bot(
    games: Sequence[GameEnded], bots: Sequence[BotSpec], files: Sequence[FileStates]
) -> dict[str, str]:
    """Return what changed in the files of each bot that changed its files, by name.

    The records of games note changes that were found when a bot was started. ``files`` are the
    states at the start of this run, or empty if the files are on other machines.
    """
    notes = (note for game in games for note in game.notes)
    changed = {note.bot: note.detail for note in notes if note.fault == Fault.CHANGED_FILES}
    for bot, states in zip(bots, files, strict=False):
        if bot.name not in changed and (found := FileWatch(bot, states).find_changes()):
            changed[bot.name] = changes_in_words(found, bot)
    return changed


def _absences_by_bot(games: Sequence[GameEnded]) -> dict[str, float]:
    """Return how long the referee was absent in the games of each bot, in milliseconds.

    Bots with less than ``MIN_ABSENCE_MS`` are left out.
    """
    absent: dict[str, float] = {}
    for game in games:
        for bot in game.bots:
            absent[bot] = absent.get(bot, 0.0) + game.absent_ms
    return {bot: ms for bot, ms in absent.items() if ms >= MIN_ABSENCE_MS}
