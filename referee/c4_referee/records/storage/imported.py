"""Games of files as contests, in the form in which a folder of ``--out`` is read.

In: games of ``c4_referee.records.formats``. Out: ``StoredContest``, one for each variant. What a
file does not say stays empty: commands and files of bots, times, standard error, the time of the
contest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import numbered_names, visible
from c4_protocol.records.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.rules.notation import move_names

from c4_referee.records.formats import Forfeit, StoredGame
from c4_referee.records.formats.game_moves import EndingName, checked_game
from c4_referee.records.rounds import Progress
from c4_referee.records.stats.observations import games_by_bot
from c4_referee.records.storage.contests import StoredBot, StoredContest
from c4_referee.records.storage.game_files import (
    ChooseFunction,
    ComplainFunction,
    only_meant,
    read_results,
)

SYSTEM_NAME = "games from files"
UNKNOWN_FAULT = "unknown reason"
"""Fault of a bot that forfeited a game, if its file names no fault."""
DEFAULT_FAULT_DETAIL = "the file of the game says no more"
TIME_PATTERN = re.compile(r"\b(\d{1,9}(?:\.\d{1,9})?)s\b")
"""Time of a move in a remark such as ``+0.35/12 1.2s``, in seconds."""


def imported_contests(name: str, games: Iterable[GameEnded]) -> list[StoredContest]:
    """Return the contests of games: one for each variant, in the order of their first games.

    ``name`` is the name of each contest. The numbers of the games differ.
    """
    by_variant: dict[VariantRecord, list[GameEnded]] = {}
    for game in games:
        by_variant.setdefault(game.variant, []).append(game)
    identity = {"name": name, "system": SYSTEM_NAME}
    return [
        StoredContest(
            number,
            record.variant(),
            identity,
            "",
            tuple(StoredBot(bot, (), "") for bot in games_by_bot(played)),
            tuple(played),
            progress=Progress(len(played), is_complete=True),
        )
        for number, (record, played) in enumerate(by_variant.items(), 1)
    ]


def imported_games(
    sources: Sequence[str],
    complain: ComplainFunction,
    refuse: Callable[[int, str], None],
    choose: ChooseFunction = only_meant,
) -> Iterator[GameEnded]:
    """Generate the games of files (``read_results``), with their numbers in all files together.

    ``refuse`` is called with the number of each game that cannot be shown, and why.
    """
    for number, game in enumerate(
        with_two_names(read_results(sources, complain, choose=choose)), 1
    ):
        try:
            yield imported_game(number, game)
        except (ValueError, ArenaError) as error:
            refuse(number, str(error))


def with_two_names(games: Sequence[StoredGame]) -> list[StoredGame]:
    """Return the games with two names in each.

    If ``a`` plays against itself, seat 2 is ``a (2)``, or ``a (3)`` if a bot has this name.
    """
    taken = {name for game in games for name in (game.first, game.second)}
    twins: dict[str, str] = {}
    for name in dict.fromkeys(game.first for game in games if game.first == game.second):
        twins[name] = next(each for each in numbered_names(name) if each not in taken)
        taken.add(twins[name])
    return [
        replace(game, second=twins[game.first]) if game.first == game.second else game
        for game in games
    ]


def imported_game(number: int, game: StoredGame) -> GameEnded:
    """Return the record of a game from a file.

    Raises ``ValueError`` or ``ArenaError`` if the file does not list the moves, and the errors of
    ``checked_game``.
    """
    if game.moves is None:
        raise ValueError("the file does not list the moves of the game")
    variant, opening, moves, _, cells, ending = checked_game(game, game.moves)
    made = len(cells) - len(move_names(opening, variant))
    matches = [TIME_PATTERN.search(remark) for remark in game.remarks]
    times = game.ms or [1000 * float(time[1]) for time in matches if time]
    return GameEnded(
        game=number,
        first=game.first,
        second=game.second,
        moves=moves,
        ms=[*times] if len(times) == made else [],
        cpu_ms=[],
        winner=game.winner,
        ending=ending,
        fault=_fault_of_game(game, ending, len(cells)),
        notes=[],
        stderr={},
        variant=VariantRecord.of(variant),
        opening=opening,
        remarks=[*map(visible, game.remarks)] if len(game.remarks) == made else [],
    )


def _fault_of_game(
    game: StoredGame, ending: EndingName, number_of_moves: int
) -> FaultRecord | None:
    """Return the fault of the loser of a forfeited game, or the fault that made a game void."""
    fault = game.fault
    if ending == "forfeit":
        loser = (game.second, game.first)[game.winner - 1]
        fault = replace(fault or Forfeit(loser, UNKNOWN_FAULT), bot=loser)
    elif ending != "void" or fault is None:
        return None
    ply = number_of_moves if fault.ply is None else max(0, min(fault.ply, number_of_moves))
    detail = visible(fault.detail) or DEFAULT_FAULT_DETAIL
    return FaultRecord(fault.bot, fault.fault, ending, ply, 0.0, 0.0, detail)
