"""Contests without texts of bots: what everybody may see, and what a student may see.

A bot can write secrets of its author, and its command line and its errors can name files of this
machine. Only the texts that are listed here are shown, and those of the student's own bot. Results,
moves, times and kinds of faults stay.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.records.reports import MatchReport, TournamentReport

from c4_referee.contest.live.file import LEFT_OUT
from c4_referee.contest.live.state import Message
from c4_referee.contest.play.ledger import NOT_PLAYED_DETAIL
from c4_referee.records.storage.contests import RunSummary, StoredBot, StoredContest
from c4_referee.records.storage.result_lines import with_names

Scrub = Callable[[str], str]
HIDDEN_DETAIL = "its author reads more about it"
"""Detail of a fault of somebody else's bot."""
IDENTITY = ("name", "system", "pairs", "control", "controls", "anchor")
"""Keys of a contest's identity that are shown."""
CONDITIONS = (
    "variant", "time", "openings", "pairs of games in a meeting", "seed of the openings", "rounds",
    "version of c4-arena",
)  # fmt: skip
"""Conditions of a run that are shown. A text with a path is not."""

EVENTS = "contest_started", "game_started", "move", "game_rolled_back", "game_ended", "progress"
"""Messages of a contest in progress that are shown."""
NAMES = "bots", "earlier", "first", "second", "bot", "gave_up"
"""Keys of messages that have names of bots."""


def for_everybody(contest: StoredContest, names: Mapping[str, str]) -> StoredContest:
    """Return a contest without any text of a bot, its command line or its errors.

    ``names`` has the real names that are shown, by alias.
    """
    contest = for_student(contest, None)
    bots = tuple(replace(bot, name=names.get(bot.name, bot.name)) for bot in contest.bots)
    games, apart = (
        tuple(with_names(game, *(names.get(bot, bot) for bot in game.bots)) for game in games)
        for games in (contest.games, contest.apart)
    )
    return replace(contest, bots=bots, games=games, apart=apart)


def message_for_everybody(message: Message, names: Mapping[str, str]) -> Message | None:
    """Return a message of a contest in progress that everybody may see, or ``None``."""
    if message["event"] not in EVENTS:
        return None

    def renamed(value: Any) -> Any:  # noqa: ANN401 - a part of a message
        if isinstance(value, list):
            return [*map(renamed, value)]
        return names.get(value, value) if isinstance(value, str) else value

    shown = {key: renamed(message[key]) if key in NAMES else message[key] for key in message}
    if fault := message.get("fault"):
        shown["fault"] = {"bot": renamed(fault["bot"]), "fault": fault["fault"]}
    return shown | (LEFT_OUT if message["event"] == "game_ended" else {})


def for_student(contest: StoredContest, bot: str | None, scrub: Scrub = str) -> StoredContest:
    """Return a contest with the texts of ``bot`` (its name in reports), and of no other bot.

    ``scrub`` removes from each of these texts what the student must not see, such as paths of this
    machine.
    """
    return replace(
        contest,
        identity={key: value for key, value in contest.identity.items() if key in IDENTITY},
        bots=tuple(StoredBot(each.name, (), "", each.withdrawn) for each in contest.bots),
        games=tuple(_game(game, bot, scrub) for game in contest.games),
        apart=tuple(_game(game, bot, scrub) for game in contest.apart),
        last_run=contest.last_run and _run(contest.last_run),
    )


def _game(game: GameEnded, own: str | None, scrub: Scrub) -> GameEnded:
    """Return a game with the texts of one of its bots, or of none."""
    remarks = [
        scrub(remark) if game.mover(ply) == own else ""
        for ply, remark in enumerate(game.remarks, game.start)
    ]
    return replace(
        game,
        fault=game.fault and _fault(game.fault, own, scrub),
        notes=[_fault(note, own, scrub) for note in game.notes],
        stderr={bot: scrub(text) for bot, text in game.stderr.items() if bot == own},
        remarks=remarks if any(remarks) else [],
    )


def _fault(fault: FaultRecord, own: str | None, scrub: Scrub) -> FaultRecord:
    """Return a fault. That of another bot says only its kind, and whether the game was played."""
    if fault.bot == own:
        return replace(fault, detail=scrub(fault.detail), line=fault.line and scrub(fault.line))
    is_unplayed = fault.detail.startswith(NOT_PLAYED_DETAIL)
    return replace(fault, detail=NOT_PLAYED_DETAIL if is_unplayed else HIDDEN_DETAIL, line=None)


def _run(run: RunSummary) -> RunSummary | None:
    """Return a run without what its report tells about programs and about this machine.

    The runs of a class are tournaments. The result is ``None`` for a match.
    """
    full = run.report
    if isinstance(full, MatchReport):
        return None
    numbers = (full.rounds, full.scheduled, full.seconds, full.complete)
    report = TournamentReport(
        full.name, full.system, *numbers, full.standings, None, {}, full.protection
    )
    conditions = {
        name: text
        for name, text in run.conditions.items()
        if name in CONDITIONS and "/" not in text
    }
    return RunSummary(run.ended, report, conditions)
