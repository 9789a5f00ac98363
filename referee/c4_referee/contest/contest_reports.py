"""The report at the end of a run of a contest: made from its outcome, and stored with its games."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from c4_protocol.records.reports import AccuracyReport, MatchEnded, Protection, TournamentEnded

from c4_referee.bots.spec import versions_of
from c4_referee.contest.contest import Contest, Outcome
from c4_referee.contest.match_report import match_report

if TYPE_CHECKING:
    from c4_referee.records.stats.sprt import SequentialTest


def match_ended_event(
    contest: Contest,
    outcome: Outcome,
    judged: AccuracyReport | None = None,
    test: "SequentialTest | None" = None,
    protection: Protection | None = None,
) -> MatchEnded:
    """Return the last event of a match, with its report (``match_report``)."""
    names = (contest.bots[0].name, contest.bots[1].name)
    report = match_report(
        names, outcome.tournament, outcome.seconds, test, judged, outcome.incidents
    )
    versions = versions_of(contest.players, outcome.without_core)
    return MatchEnded(replace(report, protection=protection, versions=versions))


def tournament_ended_event(
    contest: Contest,
    outcome: Outcome,
    judged: AccuracyReport | None = None,
    protection: Protection | None = None,
) -> TournamentEnded:
    """Return the last event of a tournament, with its report (``tournament_report``)."""
    from c4_referee.contest.tournament_report import tournament_report  # noqa: PLC0415 - slow

    identity = contest.identity or {}
    report = tournament_report(
        (identity["name"], identity["system"]),
        outcome.present,
        contest.pairs,
        outcome.tournament,
        outcome.names,
        outcome.seconds,
        judged,
        outcome.incidents,
    )
    versions = versions_of(contest.players, outcome.without_core)
    missing = dict(contest.missing)
    return TournamentEnded(
        replace(report, protection=protection, versions=versions, missing=missing)
    )


def save_last_event(
    contest: Contest,
    outcome: Outcome,
    out: str | Path | None,
    ended: MatchEnded | TournamentEnded,
) -> None:
    """Store the last event of a run with its games, if they are in a folder ``out``.

    Raises ``ArenaError`` if the database cannot be written.
    """
    if out is not None and outcome.contest is not None:
        from c4_referee.contest.contest_conditions import conditions_of  # noqa: PLC0415 - as below
        from c4_referee.records.storage.last_runs import save_run  # noqa: PLC0415 - only a folder needs it

        save_run(Path(out), outcome.contest, ended, conditions_of(contest))
