"""The fourth step of a run: the games are played, as one stored contest."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.rules.variant import Variant

from c4_referee.bots.contain.cgroup import control_groups
from c4_referee.bots.find import find_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.bots_file import BotsFile
from c4_referee.classroom.entries import Row
from c4_referee.classroom.plan import Pace, Plan, plan_run
from c4_referee.classroom.runs import CONTEST_FILE, Run, Runs
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register
from c4_referee.classroom.tables import bots_toml, spec_for
from c4_referee.contest.contest import Contest
from c4_referee.contest.contest_file import read_tournament
from c4_referee.contest.contest_reports import save_last_event, tournament_ended_event
from c4_referee.contest.executor import LOCAL_EXECUTOR, default_concurrency
from c4_referee.contest.openings import Openings
from c4_referee.records.storage.contests import StoredContest, read_contests
from c4_referee.records.storage.database import DATABASE_FILE
from c4_referee.records.storage.meant import meant
from c4_referee.report.protection import protection_of
from c4_referee.report.site.results import ContestResults
from c4_referee.report.terminal.live_standings import LiveStandings
from c4_referee.report.texts import counted, time_text
from c4_referee.system.safe_files import read_regular, replace_file

MIN_BOTS = 2
STAFF_PACE = Pace(0.15, 0.05)
"""Pace of our own bots, which are not checked, in seconds."""


def run_to_play(
    register: Register,
    bots: BotsFile,
    settings: ClassSettings,
    runs: Runs,
    *,
    sandboxed: bool,
    finished: Run | None = None,
) -> Run | None:
    """Return the run that is not over, or begin a new one, with conditions that stay.

    The new run is one of the bots that are ready and of the staff. Return ``None`` if these are too
    few, and the run ``finished`` if a new one would have the same bots and conditions.
    """
    if run := runs.open_one():
        return run
    playing = [(each, it) for each in register.students if (it := each.playing_version)]
    specs = [
        spec_for(register, bots, student, version, sandboxed=sandboxed)
        for student, version in playing
    ]
    staff = staff_of(settings, [spec.name for spec in specs])
    # Every opening counts as balanced, because the plan needs only their number.
    variant = Variant.parse(settings.variant)
    openings = Openings(settings.openings, variant, settings.seed, judge=lambda _: 0)
    if len(specs) + len(staff) < MIN_BOTS:
        return None
    paces = [Pace(each.start_ms / 1000, each.answer_ms / 1000) for _, each in playing]
    paces += [STAFF_PACE] * len(staff)
    plan = plan_run(settings, paces, default_concurrency(LOCAL_EXECUTOR), openings.start)
    run = Run(
        name=runs.new_name(),
        versions={student.alias: student.playing for student, _ in playing},
        plan=_words(plan, len(specs) + len(staff)),
        anchor=staff[0].name if staff else None,
    )
    fixed = {} if run.anchor is None else {"anchor": run.anchor}
    file = bots_toml([*staff, *specs], **_conditions(settings, plan), **fixed)
    if finished and read_regular(runs.folder_of(finished) / CONTEST_FILE) == file:
        return finished
    runs.folder_of(run).mkdir(exist_ok=True)
    replace_file(runs.folder_of(run) / CONTEST_FILE, file)
    runs.save(run)
    return run


def staff_of(settings: ClassSettings, taken: list[str]) -> list[BotSpec]:
    """Return the bots of the staff. Raises ``UsageError`` if one cannot be started."""
    found = find_bots([*settings.staff.values()], {})
    named = [replace(bot, name=name) for bot, name in zip(found, settings.staff, strict=True)]
    for bot in named:
        if bot.name in taken:
            raise UsageError(f"class.toml: staff.{bot.name} is the alias of a student: rename it")
    return named


def _conditions(settings: ClassSettings, plan: Plan) -> dict[str, object]:
    keys = {"pairs", "time_ms", "variant", "openings", "seed", "give_up", "name"}
    conditions = settings.model_dump(include=keys) | {"system": plan.system, "accuracy": False}
    return conditions if plan.rounds is None else conditions | {"rounds": plan.rounds}


def _words(plan: Plan, bots: int) -> str:
    rounds = f"{counted(plan.rounds, 'round')} of " if plan.rounds else ""
    games = f"{'at least ' if plan.may_grow else ''}{counted(plan.games, 'game')}"
    return (
        f"{counted(bots, 'bot')}, {rounds}{plan.system}, {games}, "
        f"about {time_text(1000 * plan.seconds)}"
    )


def play(run: Run, runs: Runs) -> str:
    """Play the games of a run that have no result yet, and return a line for people.

    Raises ``KeyboardInterrupt`` after Ctrl-C; then the run is not over.
    """
    folder = runs.folder_of(run)
    with _way_out(folder):
        contest = contest_of(run, runs)
    protection = protection_of(contest.players)
    with (
        _way_out(folder),
        LiveStandings(contest.missing) as progress,
        control_groups() as controllers,
    ):
        protection = protection and replace(protection, control_groups=controllers)
        outcome = contest.play(out=folder, progress=progress)
    if outcome.was_interrupted:
        raise KeyboardInterrupt
    ended = tournament_ended_event(contest, outcome, None, protection)
    save_last_event(contest, outcome, folder, ended)
    run.games, run.is_over = len(outcome.games), True
    run.rows = tuple(_rows(run, stored(run, runs)))
    runs.save(run)
    return f"{counted(run.games, 'game')} of {counted(len(contest.bots), 'bot')} in runs/{run.name}"


@contextmanager
def _way_out(folder: Path) -> Iterator[None]:
    """Add to an error of a run that has begun how to get rid of this run and its settings."""
    try:
        yield
    except ArenaError as error:
        raise UsageError(
            f"{str(error).rstrip('.')}; if a setting of the class is the reason, correct it and "
            f"remove {folder}, because a run keeps the settings with which it began"
        ) from None


def contest_of(run: Run, runs: Runs) -> Contest:
    """Return the contest of a run."""
    folder = runs.folder_of(run)
    return read_tournament(folder / CONTEST_FILE, out=str(folder)).contest()


def games_played(run: Run, runs: Runs) -> str:
    """Return in words how many games of a run have a result."""
    folder = runs.folder_of(run)
    found = read_contests(folder) if (folder / DATABASE_FILE).is_file() else []
    games = "no game"
    if found:
        contest = meant(found)
        games = f"{len(contest.games)} of {contest.progress.scheduled} games"
    return f"with {games} of runs/{run.name} played"


def stored(run: Run, runs: Runs) -> StoredContest:
    """Return the games of a run as they are stored."""
    return meant(read_contests(runs.folder_of(run)))


def _rows(run: Run, contest: StoredContest) -> Iterator[Row]:
    """Generate the standings of a run."""
    results = ContestResults(contest)
    for row in results.standings.bots:
        yield Row(
            row.bot,
            run.versions.get(row.bot),
            row.rank,
            row.points,
            row.games,
            row.rating,
            row.rating_low,
            row.rating_high,
            row.los,
            row.gave_up,
            results.places[row.bot] + 1,
        )
