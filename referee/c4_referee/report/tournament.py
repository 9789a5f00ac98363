"""The report of a tournament, computed from its games by a function without side effects."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from c4_protocol.events import GameEnded
from c4_protocol.reports import AccuracyReport, Incidents, Standings, TournamentReport

from c4_referee.play.tournament import Tournament
from c4_referee.report.faults import forfeit_records
from c4_referee.report.standings import standings
from c4_referee.schedule import Player


def tournament_report(
    title: tuple[str, str],
    entrants: Sequence[str],
    pairs: int,
    tournament: Tournament,
    names: Mapping[Player, str],
    seconds: float,
    judged: AccuracyReport | None = None,
    incidents: Incidents = Incidents(),  # noqa: B008 - frozen
) -> TournamentReport:
    """Return the report of a tournament, complete or not.

    ``title`` is the name and the system of the tournament. ``entrants`` are the names of the
    bots that are now in its file. ``names`` maps the place of each bot in the archive to its name,
    including bots that have left. A bot that has left is reported if it has games or byes, or is in
    the ranking. ``pairs`` is the number of pairs of games in a meeting. A bye gives the points of a
    meeting in which all games are won. ``judged`` is the accuracy of the moves, if it was measured.
    """
    games = tournament.results
    byes = {names[player]: 2.0 * pairs * n for player, n in tournament.byes.items()}
    ranking = [names[player] for player in tournament.ranking or ()]
    reported = {*entrants, *_players(games), *byes, *ranking}
    present = [name for name in names.values() if name in reported]
    table = _mark_withdrawn(standings(present, games, byes, ranking, _shares(judged)), entrants)
    bots = [row.bot for row in table.bots]
    return TournamentReport(
        name=title[0],
        system=title[1],
        rounds=tournament.rounds,
        scheduled=tournament.scheduled,
        seconds=round(seconds, 3),
        complete=tournament.is_complete,
        standings=table,
        accuracy=judged and _in_order(judged, bots),
        forfeits=forfeit_records(bots, games),
        incidents=incidents,
    )


def _mark_withdrawn(table: Standings, entrants: Sequence[str]) -> Standings:
    """Return the standings, with ``withdrawn`` true for all bots except the entrants."""
    rows = (replace(row, withdrawn=row.bot not in entrants) for row in table.bots)
    return replace(table, bots=tuple(rows))


def _players(games: Sequence[GameEnded]) -> set[str]:
    """Return the names of the bots that have games."""
    return {name for game in games for name in (game.first, game.second)}


def _shares(judged: AccuracyReport | None) -> dict[str, float]:
    """Return the share of moves that kept the outcome, for all bots whose share is known."""
    bots = judged.bots if judged is not None else {}
    return {bot: record.share for bot, record in bots.items() if record.share is not None}


def _in_order(judged: AccuracyReport, bots: Sequence[str]) -> AccuracyReport:
    """Return the report with its bots in the order of ``bots``."""
    known = {bot: judged.bots[bot] for bot in bots if bot in judged.bots}
    return replace(judged, bots=known)
