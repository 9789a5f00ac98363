"""The report at the end of a run of a contest: made from its outcome, and stored with its games."""

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from c4_protocol.records.reports import (
    AccuracyReport,
    MatchEnded,
    MatchReport,
    Protection,
    TournamentEnded,
    TournamentReport,
)

from c4_referee.bots.spec import versions_of
from c4_referee.contest.contest import Contest, Outcome
from c4_referee.contest.forfeits import forfeit_records
from c4_referee.contest.schedule import system_of_stored
from c4_referee.records.stats.elo import elo
from c4_referee.records.stats.observations import (
    bot_tally,
    distinct_games,
    forfeits,
    games_by_bot,
    games_that_count,
    pair_counts,
)

if TYPE_CHECKING:
    from c4_referee.records.stats.sprt import SequentialTest, UntilTest


def match_ended_event(
    contest: Contest,
    outcome: Outcome,
    judged: AccuracyReport | None = None,
    test: "SequentialTest | UntilTest | None" = None,
    protection: Protection | None = None,
) -> MatchEnded:
    """Return the last event of a match, with its report (``match_report``)."""
    bots = (contest.bots[0].name, contest.bots[1].name)
    versions = versions_of(contest.players, outcome.without_core)
    report = match_report(bots, outcome, test, judged)
    return MatchEnded(replace(report, protection=protection, versions=versions))


def match_report(
    bots: tuple[str, str],
    outcome: Outcome,
    test: "SequentialTest | UntilTest | None" = None,
    judged: AccuracyReport | None = None,
) -> MatchReport:
    """Return the report of a match between two bots, from the point of view of the first.

    ``test`` is the sequential test of the match, if there is one. It may have stopped the match
    early. ``judged`` is the accuracy of the moves, if it was measured. Void games do not count.
    """
    tournament = outcome.tournament
    games = [*games_that_count(tournament.results)]
    strength = elo(pair_counts(bots[0], games))
    # A match whose games are all void is not complete.
    is_played = tournament.done == tournament.scheduled and bool(games or not tournament.scheduled)
    return MatchReport(
        bots=bots,
        **asdict(bot_tally(bots[0], games)),
        first_bot_as_first=bot_tally(bots[0], [game for game in games if game.first == bots[0]]),
        first_bot_as_second=bot_tally(bots[0], [game for game in games if game.second == bots[0]]),
        distinct_games=len([*distinct_games(games)]),
        forfeits=forfeits(games),
        elo=round(strength.difference, 1),
        elo_low=round(strength.low, 1),
        elo_high=round(strength.high, 1),
        los=round(strength.superiority, 4),
        seconds=round(outcome.seconds, 3),
        complete=is_played or (test is not None and test.is_decided),
        accuracy=None if judged is None else {bot: judged.bots[bot].share for bot in bots},
        accuracy_report=judged,
        incidents=outcome.incidents,
        apart=games_by_bot(tournament.apart),
        **(test.in_report() if test else {}),
    )


def tournament_ended_event(
    contest: Contest,
    outcome: Outcome,
    judged: AccuracyReport | None = None,
    protection: Protection | None = None,
) -> TournamentEnded:
    """Return the last event of a tournament, with its report (``tournament_report``)."""
    identity, missing = contest.identity or {}, dict(contest.missing)
    title, anchor = (identity["name"], identity["system"]), identity.get("anchor")
    versions = versions_of(contest.players, outcome.without_core)
    report = tournament_report(title, contest.pairs, outcome, judged, anchor)
    return TournamentEnded(
        replace(report, protection=protection, versions=versions, missing=missing)
    )


def tournament_report(
    title: tuple[str, str],
    pairs: int,
    outcome: Outcome,
    judged: AccuracyReport | None = None,
    anchor: str | None = None,
) -> TournamentReport:
    """Return the report of a tournament, complete or not.

    ``title`` is the name and the system of the tournament. ``pairs`` is the number of pairs of
    games in a meeting. ``judged`` is the accuracy of the moves, if it was measured. ``anchor`` is a
    bot whose rating is 0.
    """
    from c4_referee.records.stats.standings import contest_standings  # noqa: PLC0415 - slow

    tournament, system = outcome.tournament, system_of_stored(title[1])
    table = contest_standings(
        outcome.names,
        outcome.present,
        tournament.results,
        tournament.apart,
        tournament.progress,
        pairs,
        judged,
        by_share=system.by_share,
        by_rating=system.ranked_by == "rating",
        first_is_tested=system.first_is_tested,
        anchor=anchor,
    )
    bots = [row.bot for row in table.bots]
    ordered = {bot: judged.bots[bot] for bot in bots if bot in judged.bots} if judged else {}
    faults = {outcome.names[player]: fault.fault for player, fault in tournament.gave_up.items()}
    return TournamentReport(
        name=title[0],
        system=title[1],
        rounds=tournament.rounds,
        scheduled=tournament.scheduled,
        seconds=round(outcome.seconds, 3),
        complete=tournament.is_complete,
        standings=table,
        accuracy=judged and replace(judged, bots=ordered),
        forfeits=forfeit_records(bots, [*tournament.results, *tournament.dropped.values()]),
        incidents=outcome.incidents,
        gave_up={row.bot: faults[row.bot] for row in table.bots if row.gave_up},
        goal=outcome.goal,
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
        from c4_referee.records.storage.contests import save_run  # noqa: PLC0415 - only a folder needs it

        save_run(Path(out), outcome.contest, ended, _conditions_of(contest))


def _conditions_of(contest: Contest) -> dict[str, str]:
    """Return the conditions of a contest that a reader of its results wants to know, by name."""
    from importlib.metadata import version  # noqa: PLC0415 - slow

    here = os.uname()
    own_times = [
        f"{bot.name} {bot.time_ms:g} ms" for bot in contest.bots if bot.time_ms is not None
    ]
    has_seed = contest.openings.startswith(("random", "balanced"))
    conditions = {
        "variant": str(contest.variant),
        "time": str(contest.control),
        "openings": contest.openings,
        "pairs of games in a meeting": str(contest.pairs),
        "games at the same time": (
            str(contest.concurrency) if contest.is_local else "as many as the cluster plays"
        ),
        "version of c4-arena": version("c4-arena"),
        "seed of the openings": str(contest.seed) if has_seed else "",
        "rounds": "" if contest.rounds is None else str(contest.rounds),
        "goal": "" if contest.goal is None else str(contest.goal),
        "judge": contest.judge.name if contest.judge else "",
        "own times": ", ".join(own_times),
        "machine": (
            f"{here.sysname} {here.machine}, {os.cpu_count()} processors"
            if contest.is_local
            else f"a cluster ({contest.executor})"
        ),
    }
    return {name: text for name, text in conditions.items() if text}
