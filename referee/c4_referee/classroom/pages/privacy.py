"""Contests without texts of bots: what everybody may see, and what a student may see.

A bot can write secrets of its author, and its command line and its errors can name files of this
machine. All such texts are taken out, except those of the student's own bot. Results, moves, times
and kinds of faults stay.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.records.reports import Incidents, MatchReport
from c4_protocol.rules.position import seat_at

from c4_referee.play.ledger import NOT_PLAYED_DETAIL
from c4_referee.stats.accuracy import number_of_moves
from c4_referee.stats.analysis import variant_of
from c4_referee.storage.contests import StoredContest
from c4_referee.storage.last_runs import RunSummary

Scrub = Callable[[str], str]
HIDDEN_DETAIL = "only its author is told more"
"""Detail of a fault of somebody else's bot."""
SOURCES = ("none", "random:", "balanced:")
"""Beginnings of sources of openings. Any other source is the path of a file."""
IDENTITY = ("name", "system", "pairs", "seed", "variant", "control", "controls", "openings")
"""Keys of a contest's identity that hold no text of a bot."""
CONDITIONS = (
    "variant", "time", "openings", "pairs of games in a meeting", "seed of the openings", "rounds",
    "own times", "version of c4-arena",
)  # fmt: skip
"""Conditions of a run that describe neither this machine nor the program of a bot."""


def for_everybody(contest: StoredContest) -> StoredContest:
    """Return a contest without any text of a bot, its command line or its errors."""
    return _without_texts(contest, None, str)


def for_student(
    contest: StoredContest, bot: str, scrub: Callable[[str], str] = str
) -> StoredContest:
    """Return a contest with the texts of ``bot`` (its name in reports), and of no other bot.

    ``scrub`` removes from each of these texts what the student must not see, such as paths of this
    machine.
    """
    return _without_texts(contest, bot, scrub)


def _without_texts(contest: StoredContest, own: str | None, scrub: Scrub) -> StoredContest:
    return replace(
        contest,
        identity=_without_paths({key: contest.identity[key] for key in _kept_keys(contest)}),
        bots=tuple(
            replace(
                bot,
                command=tuple(map(scrub, bot.command)) if bot.name == own else (),
                fingerprint="",
                own_name=bot.name,
            )
            for bot in contest.bots
        ),
        games=tuple(_game(game, own, scrub) for game in contest.games),
        apart=tuple(_game(game, own, scrub) for game in contest.apart),
        last_run=contest.last_run and _run(contest.last_run),
    )


def _kept_keys(contest: StoredContest) -> list[str]:
    return [key for key in IDENTITY if key in contest.identity]


def _without_paths(texts: dict[str, Any]) -> dict[str, Any]:
    """Return an identity or conditions in which no source of openings is a path."""
    is_path = not str(texts.get("openings", "none")).startswith(SOURCES)
    return texts | {"openings": "those of a file"} if is_path else texts


def _game(game: GameEnded, own: str | None, scrub: Scrub) -> GameEnded:
    """Return a game with the texts of one of its bots, or of none."""
    start = number_of_moves(game.opening, variant_of(game.variant))
    remarks = [
        scrub(remark) if (game.first, game.second)[seat_at(ply) - 1] == own else ""
        for ply, remark in enumerate(game.remarks, start)
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
        line = None if fault.line is None else scrub(fault.line)
        return replace(fault, detail=scrub(fault.detail), line=line)
    is_unplayed = fault.detail.startswith(NOT_PLAYED_DETAIL)
    return replace(fault, detail=NOT_PLAYED_DETAIL if is_unplayed else HIDDEN_DETAIL, line=None)


def _run(run: RunSummary) -> RunSummary | None:
    """Return a run without what its report tells about programs and about this machine.

    The runs of a class are tournaments. The result is ``None`` for a match.
    """
    if isinstance(run.report, MatchReport):
        return None
    judged = run.report.accuracy
    name = "c4-bot" if judged and judged.judge_version else "a judge"
    report = replace(
        run.report,
        accuracy=judged and replace(judged, judge=name),
        incidents=Incidents(),
        versions={},
        forfeits={},
        missing={},
    )
    conditions = {name: text for name, text in run.conditions.items() if name in CONDITIONS}
    return replace(run, conditions=_without_paths(conditions), report=report)
