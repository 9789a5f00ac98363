"""The last step of a run: the site for everybody, and feedback for each student."""

from collections.abc import Set
from contextlib import suppress
from itertools import chain
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.accounts import account_of
from c4_referee.classroom.entries import Account
from c4_referee.classroom.feedback_zip import feedback_zip
from c4_referee.classroom.folder import GRADES_FILE, ZIP_FILE, Classroom
from c4_referee.classroom.grades import grades_csv
from c4_referee.classroom.pages.class_site import class_pages
from c4_referee.classroom.pages.feedback import feedback_files
from c4_referee.classroom.pages.privacy import for_everybody, for_student
from c4_referee.classroom.play import stored
from c4_referee.classroom.runs import RUNS, Run
from c4_referee.classroom.submissions.similar import similar_groups
from c4_referee.classroom.submissions.start import failure_text
from c4_referee.classroom.tables import scrubber
from c4_referee.contest.exact_values import solve_more_positions
from c4_referee.records.storage.contests import StoredContest
from c4_referee.report.site.environment import STATIC_FILES, static_text
from c4_referee.report.site.pages import site_pages
from c4_referee.report.site.results import ContestResults
from c4_referee.report.site.writer import MARKER, SiteFolder, remove_site
from c4_referee.report.terminal.bar import Bar
from c4_referee.report.terminal.progress import JudgingProgress
from c4_referee.report.texts import counted
from c4_referee.system.safe_files import replace_file

SITE, FEEDBACK = "site", "feedback"
SIMILAR_FILE = "similar.txt"
"""Name of the file, for the instructor alone, with the submissions that are nearly the same."""

NO_FEEDBACK = "The feedback could not be written."


def publish(room: Classroom) -> str:
    """Write the site, the feedback and the grades, and return a line for people."""
    run = room.runs.last()
    contest = _solved(room, run) if run else None
    with SiteFolder(room.folder / SITE) as site:  # the pages of runs are in it
        if run and contest and room.settings.site_games:
            _write_run(room, run, contest)
        _write_site(room, site)
    accounts, failures = _write_feedback(room, contest)
    for student in room.register.students:
        if student.latest != student.told:  # the feedback about it is written now
            student.told, student.told_in = student.latest, run.name if run else ""
    room.register.save()
    grades = grades_csv(room, accounts)
    replace_file(room.folder / FEEDBACK / GRADES_FILE, grades.encode("utf-8-sig"))
    groups = write_similar(room)
    similar = f"; {SIMILAR_FILE} has {counted(groups, 'group')} of submissions" if groups else ""
    students = counted(len(accounts), "student")
    return f"{SITE}/index.html and {FEEDBACK}/ for {students}{similar}{failures}"


def _solved(room: Classroom, run: Run) -> StoredContest:
    """Return the games of a run, with more positions solved."""
    contest, folder = stored(run, room.runs), room.runs.folder_of(run)
    games = ContestResults(contest).games_by_importance
    seconds, bar = room.settings.analysis_seconds, JudgingProgress("solving")
    return solve_more_positions(folder, contest, games, seconds, bar).contest


def _write_run(room: Classroom, run: Run, contest: StoredContest) -> None:
    """Write the pages of the last run, and of earlier runs without pages or with other names."""
    for each in room.runs.all():
        folder = room.folder / SITE / RUNS / each.name
        has_pages = each.names == room.shown_names and (folder / "index.html").is_file()
        if each.is_over and (each.name == run.name or not has_pages):
            games = contest if each.name == run.name else stored(each, room.runs)
            with SiteFolder(folder) as pages:
                for name, text in site_pages([for_everybody(games, room.shown_names)]):
                    pages.write(name, text)
            each.names = room.shown_names
            room.runs.save(each)


def _write_site(room: Classroom, site: SiteFolder) -> None:
    """Write the pages about all runs."""
    over = [run for run in room.runs.all() if run.is_over]
    shown = over if room.settings.site_games else []
    folders = {run.name: f"{RUNS}/{run.name}/index.html" for run in shown}
    named = [run.with_names(room.shown_names) for run in over]
    static = ((name, static_text(name)) for name in STATIC_FILES)
    for name, text in chain(static, class_pages(room.settings.name, named, folders)):
        site.write(name, text)


def _write_feedback(
    room: Classroom, contest: StoredContest | None
) -> tuple[dict[str, Account], str]:
    """Write a folder of feedback for each student, and the file that the platform takes back.

    Return the accounts of all students, and a text about feedback that could not be written.
    """
    (room.folder / FEEDBACK).mkdir(exist_ok=True)
    students, accounts = room.register.students, dict[str, Account]()
    runs = [each for each in room.runs.all() if each.is_over]
    results, names = ContestResults(contest) if contest else None, room.folder_names
    folders, failures = {}, ""
    with Bar("writing", threaded=False) as bar:
        for number, student in enumerate(students):
            bar.move(number, len(students))
            accounts[student.alias] = Account(student.alias, NO_FEEDBACK, "not")
            folder = room.folder / FEEDBACK / names[student.alias]
            version, shown = student.version, None
            try:
                account = account_of(student, room.register, room.settings, runs)
                if results and version:  # the feedback has no paths of this machine
                    scrub = scrubber(room.register, student, version)
                    own = for_student(results.contest, student.alias, scrub)
                    shown = results.with_texts_of(own)
                with SiteFolder(folder) as pages:
                    for name, text in feedback_files(account, shown):
                        pages.write(name, text)
            except UsageError:  # a folder of the instructor cannot be written
                raise
            except Exception as error:
                failures += f"; no feedback for {student.alias}: {failure_text(error)}"
                continue
            accounts[student.alias], folders[student.returned] = account, folder
    _remove_former(room.folder / FEEDBACK, {*names.values()})
    if any(folders):  # Gradescope takes nothing back
        data = feedback_zip(room.register.class_of.platform, folders)
        replace_file(room.folder / FEEDBACK / ZIP_FILE, data)
    return accounts, failures


def _remove_former(folder: Path, names: Set[str]) -> None:
    """Remove the feedback under other names, such as that of a group that was smaller."""
    for path in folder.iterdir():
        if path.name not in names and (path / MARKER).is_file():
            with suppress(UsageError):  # it is no site, and not ours
                remove_site(path)


def write_similar(room: Classroom) -> int:
    """Write which submissions are nearly the same. Return the number of groups."""
    names, register = room.folder_names, room.register
    folders = {
        names[student.alias]: register.place(student, version) / "files"
        for student in register.by_name
        if (version := student.version) and not version.refused
    }
    groups = similar_groups(folders)
    lines = [
        f"{len(names)} with {'the same sources' if is_whole else 'a part in common'} ({files}): "
        f"{', '.join(names)}\n"
        for names, files, is_whole in groups
    ]
    replace_file(room.folder / SIMILAR_FILE, "".join(lines).encode())
    return len(groups)
