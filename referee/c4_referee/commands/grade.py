"""``c4-referee grade``: gives a bot points by a rubric."""

import argparse
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.parser import add_json

from c4_referee.commands._options import (
    add_options,
    add_sandbox,
    chosen_bots,
    demanded,
    known_bots,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from c4_referee.classroom.grading.points import Grade
    from c4_referee.classroom.grading.rubric import Rubric

FORMATS = {
    "gradescope": "results.json of Gradescope",
    "junit": "JUnit XML, which GitLab and others show",
    "classroom50": "result.json of Classroom 50",
}
"""What each format is. The names are options, and functions of ``grading.writers``."""
EXAMPLES = """\
examples:
  c4-referee grade "python3 my_bot.py" --rubric examples/rubric.toml
  c4-referee grade four.zip --rubric rubric.toml --gradescope results.json
  c4-referee grade . --rubric rubric.toml --junit grade.xml --json

BOT is a command line, a name in the --bots file, or a submission: a folder, an
archive, or a file that is no program. A submission is unpacked and compiled.
Exit code: 0 if the bot was graded, whatever its points; 1 if that failed; 2
for a mistake on the command line or in the rubric.
"""
DETAILS = """\
The rubric is a TOML file with a table [[goal]] for each goal. Its keys, with
their defaults, are points, name (the goal in words), partial (true) and type:
  check, no-fault
  wins       against, wins, games (10)
  score      against, share, games (10)
  strength   against, share, games (10); a random player gets no points
  accuracy   share
Above the goals are time_ms (1000), opening_moves (4) and variant (standard).
examples/rubric.toml explains all keys.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    grade = commands.add_parser(
        "grade",
        help="give a bot points by a rubric, for a course",
        description="Check a bot, let it play, and give it points by a rubric, with reasons.",
        epilog=EXAMPLES,
        details=DETAILS,
        usual="--rubric --gradescope --junit --classroom50 --seed --bots --no-sandbox --json",
    )
    grade.add_argument(
        "bot", metavar="BOT", help="a command line, a name in the --bots file, or a submission"
    )
    rubric = "TOML file with the goals and their points; examples/rubric.toml explains the keys"
    grade.add_argument("--rubric", required=True, metavar="FILE", help=rubric)
    for name, what in FORMATS.items():
        grade.add_argument(f"--{name}", type=_output, metavar="FILE", help=f"write FILE: {what}")
    seed = "seed of openings and opponents (default: 0); a bot's own random choices remain"
    grade.add_argument("--seed", type=int, default=0, metavar="N", help=seed)
    add_options(grade, "--bots", "--arguments", "--dialect")
    add_sandbox(grade)
    add_json(grade)


def _output(text: str) -> Path:
    """Return the path of a file to write. Grading takes minutes, so mistakes are found first."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        reason = "it is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        raise argparse.ArgumentTypeError(f"cannot write {path}: {reason}")
    return path


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.bots.contain.cgroup import control_groups
    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.bots.spec import BotSpec
    from c4_referee.classroom.grading import writers
    from c4_referee.classroom.grading.rubric import read_rubric
    from c4_referee.system.safe_files import is_stream, open_stream, replace_file

    rubric = read_rubric(options.rubric)
    # This tries the sandbox. In prepared_command, bubblewrap's processes would be adopted.
    sandboxed = BotSpec("any", ("any",), **demanded(options)).is_sandboxed
    raise_on_signals()
    status = SafeConsole(stderr=True).status("starting the bot")
    with prepared_command(), control_groups(), status:
        grade = _graded(options, rubric, sandboxed, status.update)
    for name in FORMATS:
        if path := getattr(options, name):
            data = getattr(writers, name)(grade).encode()
            if is_stream(path):
                with open_stream(path) as stream:
                    stream.write(data)
            else:
                replace_file(path, data)
    if options.json:
        totals = {"points": round(grade.points, 2), "max_points": grade.max_points}
        print_json({**totals, **asdict(grade)})
    else:
        writers.print_grade(SafeConsole(highlight=False), grade)
    return 0


def _graded(
    options: argparse.Namespace, rubric: "Rubric", sandboxed: bool, on_step: "Callable[[str], None]"
) -> "Grade":
    """Return the grade of a bot, or of a submission, which is unpacked in a temporary folder."""
    from c4_referee.classroom.environment import make_environment
    from c4_referee.classroom.grading.grade import failed_grade, grade
    from c4_referee.classroom.prepare import is_submission, prepared
    from c4_referee.classroom.settings import SETTINGS_FILE, ClassSettings, read_settings
    from c4_referee.classroom.submissions.start import failure_text
    from c4_referee.report.protection import protection_of, warn_unprotected

    text, known = options.bot, known_bots(options)
    with TemporaryDirectory(prefix="c4-grade-", ignore_cleanup_errors=True) as folder:
        if text not in known and is_submission(text):
            path, home = Path(text), Path(options.rubric).parent
            has_class = (home / SETTINGS_FILE).exists()
            settings = read_settings(home) if has_class else ClassSettings()
            python = make_environment(home, settings, Path(folder))
            text = path.resolve().name or "submission"
            try:
                bot = prepared(path, text, Path(folder), python, settings, sandboxed=sandboxed)
                known = {text: bot}
            except Exception as error:
                place = Path(folder, "build")
                return failed_grade(text, rubric, failure_text(error), place, options.seed)
        (bot,) = chosen_bots([text], known, options)
        warn_unprotected(protection_of([bot]), options.sandbox)
        return grade(bot, rubric, options.seed, on_step)
