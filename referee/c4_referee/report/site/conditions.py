"""Conditions of a stored contest, in words for its pages."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from c4_protocol.records.reports import MatchReport, TournamentReport
from c4_protocol.rules.variant import Variant

from c4_referee.report.incidents import incident_lines
from c4_referee.report.protection import protection_text
from c4_referee.report.site.results import ContestResults
from c4_referee.report.texts import counted, time_text


def conditions(results: ContestResults) -> list[tuple[str, str]]:
    """Return how a contest was played: pairs of a heading and a text."""
    contest = results.contest
    own = dict(_own_conditions(results))
    stored = {
        name[:1].upper() + name[1:]: text for name, text in contest.conditions.items() if text
    }
    more = {name: text for name, text in stored.items() if name not in {*own, "Variant"}}
    return [*(own | more).items()]


def _own_conditions(results: ContestResults) -> Iterator[tuple[str, str]]:
    """Generate the conditions in the games, the identity of the contest and the last report."""
    contest, table = results.contest, results.standings
    yield "System", contest.system
    yield "Game", variant_text(contest.variant)
    games = [counted(table.games, "game"), f"{table.distinct_games:,} different"]
    if table.void:
        games.append(f"{table.void:,} more void")
    yield "Games", ", ".join(games)
    controls = contest.identity.get("controls") or [contest.identity.get("control")]
    times = dict.fromkeys(_control_text(each) for each in controls if isinstance(each, dict))
    if time := "; ".join(filter(None, times)):
        yield "Time", time
    if openings := contest.identity.get("openings"):
        yield "Openings", str(openings)
    if contest.began:
        yield "Began", f"{contest.began} UTC"
    if (judged := results.accuracy_report) is not None:
        judge = " ".join(filter(None, (judged.judge, judged.judge_version)))
        yield "Judge", f"{judge}, {judged.judged_games:,} of {judged.games:,} different games"
    if contest.last_run is not None:
        yield "Last run ended", f"{contest.last_run.ended} UTC"
        yield from _report_conditions(contest.last_run.report)


def _report_conditions(report: MatchReport | TournamentReport) -> Iterator[tuple[str, str]]:
    """Generate the conditions in the report of a run."""
    if isinstance(report, MatchReport):
        better, likelihood = max(
            zip(report.bots, (report.los, 1 - report.los), strict=True), key=itemgetter(1)
        )
        yield "Likelihood of superiority", f"{likelihood:.1%} that {better} is stronger"
        for test in report.sequential_tests:
            bounds = f"between {test.lower:g} and {test.upper:g}"
            name = f"Sequential test of {test.elo0:g} and {test.elo1:g} Elo"
            yield name, f"{test.verdict} (log-likelihood ratio {test.llr:g}, {bounds})"
    if report.protection is not None:
        yield "Protection", protection_text(report.protection)
    if report.versions:
        listed = (f"{bot} {version}" for bot, version in report.versions.items())
        yield "Versions of c4-bot", ", ".join(listed)
    for line in incident_lines(report.incidents):
        yield "Incident", line


def variant_text(variant: Variant) -> str:
    """Return a variant in words."""
    words = [f"{variant.width} columns, {variant.height} rows, {variant.connect} in a row"]
    if not variant.gravity:
        words.append("free placement")
    if variant.steal:
        words.append("player 2 may steal the first stone")
    return f"{variant}: {', '.join(words)}"


def _control_text(control: dict[str, Any]) -> str:
    """Return a time control in words."""
    if control.get("main_ms") is not None:
        text = f"{time_text(control['main_ms'])} for a game"
        added = control.get("increment_ms")
        return f"{text}, {time_text(added)} more after each move" if added else text
    if control.get("move_ms") is not None:
        return f"{time_text(control['move_ms'])} for a move"
    return ""
