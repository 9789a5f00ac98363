"""The reports of a match and of a tournament on a terminal, and what their numbers mean."""

from collections.abc import Iterable, Mapping, Sequence

from c4_protocol.records.events import GameEnded
from c4_protocol.records.report_text import goal_lines, points_text
from c4_protocol.records.reports import (
    AccuracyReport,
    ForfeitRecord,
    MatchReport,
    Tally,
    TournamentReport,
)
from rich.bar import Bar
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from c4_referee.contest.forfeits import forfeit_records
from c4_referee.records.stats.observations import pairs
from c4_referee.report.incidents import print_incidents
from c4_referee.report.terminal.accuracy import print_accuracy
from c4_referee.report.terminal.bot_tables import NumberColumn, print_bots
from c4_referee.report.terminal.standings_tables import print_standings
from c4_referee.report.texts import counted, results_text
from c4_referee.report.verdict import bot_that_forfeited_all, elo_text, verdict, worst_move_text

BAR_WIDTH = 20
"""Width of the bar that shows all points, in characters."""
EXPLANATIONS = {
    "distinct": "Games of the same bots with the same moves in the same seats count once.",
    "Elo": "Difference in strength. A bot with 100 points more gets 64% of the points.",
    "95%": "The interval contains the true value in at least 95 of 100 matches. After few games it "
    "is wide. If it does not contain 0, it is settled which bot is better.",
    "likelihood": "How likely it is that the bot is stronger.",
    "rating": "Strength in Elo points. The mean of all bots is 0.",
    "as first": "Results of the games in which the bot moved first: won, drawn, lost.",
    "judged": "Moves whose exact values the judge knows.",
    "kept": "Moves that kept the best outcome, with the 95% interval of their share.",
    "best": "Moves for which there was no better one.",
    "wins thrown": "Won positions that became drawn or lost.",
    "draws thrown": "Drawn positions that became lost.",
    "moves lost": "Number of moves by which wins came later, or losses sooner.",
    "kept by thirds": "Share kept in each third of the moves that fill the board.",
    "column": "Lines of bots count columns from 0. All else counts moves and columns from 1.",
}
"""Words of reports and what they mean, for ``--explain``."""


def print_match(console: Console, report: MatchReport, games: Sequence[GameEnded]) -> None:
    """Print the verdict first, then points, forfeits, worst moves, numbers and versions.

    If one bot forfeited all games, there is neither an Elo difference nor an accuracy.
    """
    sentence = verdict(report, games)
    console.print(Text(sentence if report.complete else f"INCOMPLETE. {sentence}", style="bold"))
    console.print(_points_table(report), "")
    print_forfeits(console, forfeit_records(report.bots, games))
    print_incidents(console, report.incidents)
    judged, is_played = report.accuracy_report, not bot_that_forfeited_all(games)
    records = [judged.bots[bot] for bot in report.bots if bot in judged.bots] if judged else []
    worst = [worst_move_text(record.worst, games) for record in records if record.worst]
    if worst:
        console.print(Text("\n".join([*worst, ""])))
    _print_results(console, report)
    if judged is not None and is_played:
        print_accuracy(console, judged)
    console.print(_summary_text(report, sum(1 for _ in pairs(games)), is_played=is_played))
    for sprt in report.sequential_tests:
        decision = "undecided" if sprt.verdict == "undecided" else f"{sprt.verdict} accepted"
        console.print(
            f"Sequential test of {sprt.elo0:g} and {sprt.elo1:g} Elo: {decision} "
            f"(LLR {sprt.llr:+.2f}, bounds {sprt.lower:+.2f} and {sprt.upper:+.2f})"
        )
    print_versions(console, report.versions.items(), judged)


def print_tournament(console: Console, report: TournamentReport) -> None:
    """Print a tournament's standings, forfeits, incidents, accuracy and versions."""
    title = Text(report.name, style="bold").append(
        f"  {report.system}, {report.standings.games + report.standings.void} of "
        f"{report.scheduled} games, {report.seconds:.1f} s"
    )
    console.print(title if report.complete else Text("INCOMPLETE. ").append_text(title))
    console.print()
    print_standings(console, report.standings)
    console.print()
    if report.goal is not None:
        console.print(Text("\n".join([*goal_lines(report.goal), ""])))
    print_forfeits(console, report.forfeits)
    for bot, fault in report.gave_up.items():
        console.print(Text(f"{bot} gave up, so its games do not count: {fault} in its first games"))
    for why in report.missing.values():
        console.print(Text(f"The tournament went on without a bot: {why}"))
    print_incidents(console, report.incidents)
    if report.accuracy is not None:
        print_accuracy(console, report.accuracy)
    print_versions(console, report.versions.items(), report.accuracy)


def print_versions(
    console: Console, versions: Iterable[tuple[str, str]], judged: AccuracyReport | None = None
) -> None:
    """Print a line for each known version, with the bots and the judge that have it.

    ``versions`` are pairs of a bot and its version, which says so if it had no native core.
    """
    used = [*dict.fromkeys(versions)]
    if judged is not None and judged.judge_version is not None:
        used.append((f"{judged.judge} (judge)", judged.judge_version))
    for version in dict.fromkeys(version for _, version in used):
        names = ", ".join(name for name, own in used if own == version)
        number, _, core = version.partition(" ")
        program = f"c4-bot, {core}" if core else "c4-bot"
        console.print(Text(f"Version {number} of {program}: {names}"))


def _points_table(report: MatchReport) -> Table:
    """Return a table with the points of each bot and a bar for their share."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    points = (report.wins + report.draws / 2, report.losses + report.draws / 2)
    for bot, own in zip(report.bots, points, strict=True):
        bar = Bar(max(report.games, 1), 0, own, width=BAR_WIDTH)
        table.add_row(Text(bot), f"{points_text(own)} of {report.games}", bar)
    return table


def _print_results(console: Console, report: MatchReport) -> None:
    """Print a table with one row for each bot."""
    own = Tally(report.games, report.wins, report.draws, report.losses)
    parts = (own, report.first_bot_as_first, report.first_bot_as_second)
    other, as_second, as_first = (
        Tally(part.games, part.losses, part.draws, part.wins) for part in parts
    )
    rows = (_bot_cells(report, 0, *parts), _bot_cells(report, 1, other, as_first, as_second))
    titles = ("won", "drawn", "lost", "forfeits", "as first", "as second")
    columns = [NumberColumn(title, cells) for title, *cells in zip(titles, *rows, strict=True)]
    print_bots(console, report.bots, columns)


def _bot_cells(
    report: MatchReport, seat: int, own: Tally, as_first: Tally, as_second: Tally
) -> list[str]:
    forfeits = sum(report.forfeits.get(report.bots[seat], {}).values())
    numbers = (own.wins, own.draws, own.losses, forfeits)
    results = (results_text(part.wins, part.draws, part.losses) for part in (as_first, as_second))
    return [*map(str, numbers), *results]


def _summary_text(report: MatchReport, pairs: int, *, is_played: bool) -> Text:
    lines = [
        f"{counted(report.games, 'game')}, {report.distinct_games} distinct, "
        f"in {report.seconds:.1f} s"
    ]
    if is_played:
        lines.append(
            elo_text(report.bots, report.elo, report.elo_low, report.elo_high)
            if pairs
            else "No pair of games in which each bot goes first once: the Elo difference is unknown"
        )
    if report.apart:
        lines.append(
            f"{sum(report.apart.values()) // 2} stored games do not count: fewer were wanted"
        )
    return Text("\n".join(lines))


def print_forfeits(console: Console, forfeits: Mapping[str, Sequence[ForfeitRecord]]) -> None:
    """Print each bot's reasons for forfeits, each with the number of games and an example."""
    if not forfeits:
        return
    console.print("Forfeits, with an example of each")
    for bot, records in forfeits.items():
        console.print(Padding(Text(bot), (0, 0, 0, 2), expand=False))
        for record in records:
            console.print(Padding(Text(_counted_reason(record)), (0, 0, 0, 4), expand=False))
    console.print()


def _counted_reason(record: ForfeitRecord) -> str:
    """Return a reason, the number of games that it decided, and an example."""
    parts = [(record.void, "void"), (record.unplayed, "not played")]
    details = ", ".join(f"{count} {what}" for count, what in parts if count)
    text = f"{record.fault}: {counted(record.games, 'game')}" + (f" ({details})" if details else "")
    if record.games > record.unplayed:
        quoted = "" if record.line is None else f"; it wrote '{record.line}'"
        text += f"; game {record.game}, move {record.ply + 1}: {record.detail}{quoted}"
    return text


def print_explanation(console: Console) -> None:
    """Print what the numbers of reports of matches and tournaments mean."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for word, meaning in EXPLANATIONS.items():
        table.add_row(word, meaning)
    console.print("\nWhat the numbers mean (docs/statistics.md says how they are computed)", table)
