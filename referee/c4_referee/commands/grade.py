"""``c4-referee grade``: gives a bot points by a rubric."""

import argparse
from contextlib import ExitStack
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.errors import UsageError
from c4_protocol.program.parser import add_json

from c4_referee.commands._arguments import (
    add_arguments,
    add_bots,
    add_dialect,
    add_sandbox,
    chosen_bots,
    known_bots,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from c4_referee.grading.points import Grade
    from c4_referee.grading.rubric import Rubric

FORMATS = {
    "gradescope": "results.json of Gradescope",
    "junit": "JUnit XML, which GitLab and others show",
    "classroom50": "result.json of Classroom 50",
}
"""What each format is. The names are options, and modules of ``grading.writers``."""
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
The rubric is a TOML file with a table [[goal]] for each line. All goals have:

  type      one of the words below
  points    the points for reaching the goal
  name      what students read (default: the goal in words)
  partial   true (default): a bot that does not reach the goal gets points in
            proportion, as each goal says. false: all points or none

type = "check"     It follows all rules of c4-referee check for this referee.
                   In proportion: to the rules that it follows.
type = "wins"      It wins at least WINS of GAMES games (default: 10) against
                   AGAINST. In proportion: to its wins.
type = "score"     It gets at least SHARE (default: 0.5) of the points of GAMES
                   games (default: 10) against AGAINST; a draw is half a point.
                   In proportion: to its points.
type = "accuracy"  At least SHARE of its moves keep the result of best play, in
                   the games of all goals. In proportion: to the accuracy.
type = "no-fault"  It loses no game by a fault. In proportion: to the games
                   without a fault.

The keys in capitals are written small. SHARE is from 0 to 1. GAMES is even,
because each opening is played with both colours. AGAINST is random, level-1 to
level-10, or a command line. Goals with the same AGAINST share their games.

Above the goals: time_ms (milliseconds for a move, default 1000), opening_moves
(random moves at the start of each game, default 4; 0 for dialects whose games
begin on the empty board), variant (default standard) and judge_seconds (the
maximum time for the accuracy, default 120).

A bot that follows no rule of the check gets no points. A bot that loses 3
games in a row by the same fault plays no more; the games left count as lost.
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
    grade.set_defaults(run=_run)
    grade.add_argument(
        "bot", metavar="BOT", help="a command line, a name in the --bots file, or a submission"
    )
    grade.add_argument(
        "--rubric",
        required=True,
        metavar="FILE",
        help="TOML file with the goals and their points; examples/rubric.toml is one, and "
        "--help-all explains it",
    )
    for name, what in FORMATS.items():
        grade.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"write FILE: {what}")
    grade.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of openings and opponents (default: 0); a bot's own random choices remain",
    )
    add_bots(grade)
    add_arguments(grade)
    add_dialect(grade)
    add_sandbox(grade)
    add_json(grade)


def _run(options: argparse.Namespace) -> int:
    from c4_referee.contain.process_tree import kill_children
    from c4_referee.contain.strays import prepare_command
    from c4_referee.grading.rubric import read_rubric
    from c4_referee.report.console import SafeConsole

    rubric = read_rubric(options.rubric)
    _files(options)
    sandboxed = _is_sandboxed(options)  # after prepare_command, its processes would be adopted
    raise_on_signals()
    prepare_command()
    try:
        with SafeConsole(stderr=True).status("starting the bot") as status:
            grade = _graded(options, rubric, sandboxed, status.update)
    finally:
        kill_children()
    _write(options, grade)
    return 0


def _is_sandboxed(options: argparse.Namespace) -> bool:
    """Return whether a submission is compiled and run in the sandbox."""
    from c4_referee.bots.spec import is_sandbox_turned_off
    from c4_referee.contain.sandbox import why_no_sandbox

    if options.sandbox in {"no", "require"}:
        return bool(options.sandbox == "require")
    return (options.sandbox == "auto" or not is_sandbox_turned_off()) and why_no_sandbox() is None


def _graded(
    options: argparse.Namespace, rubric: "Rubric", sandboxed: bool, on_step: "Callable[[str], None]"
) -> "Grade":
    from c4_referee.contain.cgroup import control_groups
    from c4_referee.grading.grade import failed_grade, grade
    from c4_referee.grading.submission import is_submission, name_of, prepared
    from c4_referee.report.protection import protection_of, warn_unprotected

    text, known = options.bot, known_bots(options)
    with ExitStack() as stack:
        stack.enter_context(control_groups())
        if text not in known and is_submission(text):
            place = TemporaryDirectory(prefix="c4-grade-", ignore_cleanup_errors=True)
            folder, path = stack.enter_context(place), Path(text)
            spec = prepared(path, Path(folder), sandboxed=sandboxed)
            if isinstance(spec, str):
                return failed_grade(name_of(path), rubric, spec, options.seed, folders=[folder])
            text, known = spec.name, {spec.name: spec}
        (bot,) = chosen_bots([text], known, options)
        warn_unprotected(protection_of([bot]), options.sandbox)
        return grade(bot, rubric, options.seed, on_step)


def _files(options: argparse.Namespace) -> list[tuple[str, Path]]:
    """Return the formats that are wanted, each with its file.

    Raises ``UsageError`` if a file has no place. Grading takes minutes, so this is found out first.
    """
    files = [(name, path) for name in FORMATS if (path := getattr(options, name))]
    for _, path in files:
        if not path.parent.is_dir() or path.is_dir():
            reason = "it is a folder" if path.is_dir() else f"there is no folder {path.parent}"
            raise UsageError(f"cannot write {path}: {reason}")
    return files


def _write(options: argparse.Namespace, grade: "Grade") -> None:
    """Write the files of all formats that are wanted, and print the grade."""
    from c4_referee.grading.terminal import print_grade
    from c4_referee.report.console import SafeConsole
    from c4_referee.storage.safe_files import is_stream, open_stream, replace_file

    for name, path in _files(options):
        data = import_module(f"c4_referee.grading.writers.{name}").text(grade).encode()
        if is_stream(path):
            with open_stream(path) as stream:
                stream.write(data)
        else:
            replace_file(path, data)
    if options.json:
        totals = {"points": round(grade.points, 2), "max_points": grade.max_points}
        print_json({**totals, **asdict(grade)})
    else:
        print_grade(SafeConsole(highlight=False), grade)
