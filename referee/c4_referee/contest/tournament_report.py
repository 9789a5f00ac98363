"""The report of a tournament, computed from its games by a function without side effects."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from c4_protocol.records.reports import AccuracyReport, Incidents, TournamentReport

from c4_referee.contest.forfeits import forfeit_records
from c4_referee.contest.play.tournament import Tournament
from c4_referee.contest.schedule import system_of_stored
from c4_referee.records.rounds import Player
from c4_referee.records.stats.standings import contest_standings


def tournament_report(
    title: tuple[str, str],
    present: Collection[Player],
    pairs: int,
    tournament: Tournament,
    names: Mapping[Player, str],
    seconds: float,
    judged: AccuracyReport | None = None,
    incidents: Incidents = Incidents(),  # noqa: B008 - frozen
) -> TournamentReport:
    """Return the report of a tournament, complete or not.

    ``title`` is the name and the system of the tournament. ``present`` are the places of the
    bots that take part now. ``names`` maps the place of each bot in the archive to its name,
    including bots that have left. ``pairs`` is the number of pairs of games in a meeting.
    ``judged`` is the accuracy of the moves, if it was measured.
    """
    games, apart = tournament.results, tournament.apart
    system = system_of_stored(title[1])
    table = contest_standings(
        names,
        present,
        games,
        apart,
        tournament.progress,
        pairs,
        judged,
        by_share=system.by_share,
        first_is_tested=system.first_is_tested,
    )
    bots = [row.bot for row in table.bots]
    ordered = {bot: judged.bots[bot] for bot in bots if bot in judged.bots} if judged else {}
    faults = {names[player]: fault.fault for player, fault in tournament.gave_up.items()}
    return TournamentReport(
        name=title[0],
        system=title[1],
        rounds=tournament.rounds,
        scheduled=tournament.scheduled,
        seconds=round(seconds, 3),
        complete=tournament.is_complete,
        standings=table,
        accuracy=judged and replace(judged, bots=ordered),
        forfeits=forfeit_records(bots, [*games, *tournament.dropped.values()]),
        incidents=incidents,
        gave_up={row.bot: faults[row.bot] for row in table.bots if row.gave_up},
    )
