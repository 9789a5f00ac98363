"""``c4-referee class``: from the download of a course platform to a site and feedback."""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.errors import UsageError
from c4_protocol.program.parser import add_json
from c4_protocol.program.text import visible

from c4_referee.commands._options import add_address, check_server, count

if TYPE_CHECKING:
    import socket

    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.classroom.folder import Classroom
    from c4_referee.classroom.steps import Tell

STEPS = ("take-in", "compile", "check", "play", "publish")
EXAMPLES = """\
examples:
  c4-referee class moodle.zip
  c4-referee class submissions --out autumn
  c4-referee class --only check --json
  c4-referee class --replay 17
  c4-referee class --open --out autumn

Each run takes in what is new, compiles and checks it, plays the games, and
publishes a site and feedback in the folder. Run it again with a new download.
Exit code: 0 if the run was done, whatever the students did; 1 if it was
stopped; 2 for a mistake on the command line or in a file.
"""
DETAILS = """\
SUBMISSIONS is a folder with a folder, an archive or a file for each student,
or the archive of Moodle, Canvas, Blackboard, Brightspace or Gradescope as it
was downloaded, or a folder of cloned repositories. CLASS has these files:

  class.toml    settings, written at the first run; edit them as you like
  bots.toml     how each submission starts; your edits are kept
  python/       the Python of submissions, with the packages of class.toml
  submissions/  each version of each submission
  runs/         the games of each run
  site/         what everybody may see: begin with index.html
  feedback/     a folder for each student, grades.csv, and feedback.zip in the
                form that the platform takes back
  similar.txt   submissions that are nearly the same, for you alone

A file CLASS/students.csv with the list of the class gives the students names:
its headings say which columns have numbers, addresses, user names and names.
If a run was stopped, the same command continues it.

With --open, nothing is downloaded: students hand in on pages of their own, and
their bots play on a ladder, until Ctrl-C. links.csv has a secret link for each
student of students.csv; remove one, and a new one is made. The same command
goes on. The page of the first link, the instructor's, plays the final.
docs/class.md is a guide for instructors, docs/student.md for students.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "class",
        help="run the tournament of a class, from the submissions to the feedback",
        description="Take in the submissions of a class, play, and publish a site and feedback.",
        epilog=EXAMPLES,
        details=DETAILS,
        usual="--out --only --replay --open --forget --real-names --no-sandbox --json",
    )
    taken = "the download of a course platform, or a folder of submissions"
    parser.add_argument("submissions", nargs="?", type=Path, metavar="SUBMISSIONS", help=taken)
    out = {"default": Path("class"), "help": "the folder of the class (default: class)"}
    parser.add_argument("--out", type=Path, metavar="CLASS", **out)
    parser.add_argument("--only", choices=STEPS, help="do only this step")
    again = "play a game of the last run again; the first one counts, and both are kept"
    parser.add_argument("--replay", type=count, metavar="GAME", help=again)
    gone = "remove the data of a student, by the name or by the bot; games stay, without the name"
    parser.add_argument("--forget", metavar="NAME", help=gone)
    opens = "let students hand in on pages of their own, and play a ladder, until Ctrl-C"
    parser.add_argument("--open", action="store_true", help=opens)
    add_address(parser)
    names = "show names instead of aliases on the site"
    parser.add_argument("--real-names", action="store_true", help=names)
    alone = "compile and run submissions without the sandbox; they can do everything that you can"
    parser.add_argument("--no-sandbox", action="store_true", help=alone)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_protocol.terminal.console import SafeConsole
    from rich.text import Text

    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.classroom.folder import opened
    from c4_referee.classroom.forget import forget
    from c4_referee.classroom.steps import take_steps
    from c4_referee.report.texts import time_text

    _check(options)
    raise_on_signals()
    console = SafeConsole(highlight=False, quiet=options.json)

    def tell(step: str, line: str, seconds: float) -> None:
        """Print a line for a step of the run."""
        took = f" ({time_text(1000 * seconds)})" if seconds else ""
        console.print(Text(f"{step:<9}{line}").append(took, "dim"))

    began, sandboxed = time.monotonic(), not options.no_sandbox
    with (
        prepared_command(),
        opened(options.out, sandboxed=sandboxed, real_names=options.real_names) as room,
    ):
        if options.open:
            _open(room, options, tell)
        elif options.forget is not None:
            tell("forget", forget(room, options.forget), 0.0)
        elif options.replay is not None:
            _replay(room, options)
        else:
            take_steps(room, options.submissions, options.only, tell)
            _report(room, options, console, time.monotonic() - began)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raise ``UsageError`` for options that contradict each other, and if there is no sandbox."""
    from c4_referee.bots.contain.sandbox import why_no_sandbox

    others = [options.replay is not None, options.open, options.forget is not None]
    takes_in = options.only in {None, "take-in"} and not any(others)
    if sum(others) + bool(options.only) > 1:
        raise UsageError("say only one of --only, --replay, --open and --forget")
    if options.open:
        check_server()
    if takes_in and options.submissions is None:
        raise UsageError("name the submissions: a folder, or the archive of a course platform")
    if options.submissions is not None and not takes_in:
        raise UsageError(f"leave out {options.submissions}: nothing is taken in")
    if options.submissions is not None and not options.submissions.exists():
        raise UsageError(f"there is no file or folder {options.submissions}")
    if not options.no_sandbox and (reason := why_no_sandbox()):  # also in prepared_command
        raise UsageError(
            f"no sandbox for the programs of students: {reason}; install bubblewrap, see "
            "c4-referee doctor, or say --no-sandbox if you trust all of them"
        )


def _open(room: "Classroom", options: argparse.Namespace, tell: "Tell") -> None:
    """Take in what students hand in on a server, which is a fork of this process, and play."""
    from multiprocessing import get_context

    from c4_referee.classroom.open.links import LINKS_FILE
    from c4_referee.classroom.open.open_class import prepare_open, run_open
    from c4_referee.serve.server import address_of, listening

    prepare_open(room, tell)
    with listening(options.host, options.port) as listener:
        server = get_context("fork").Process(target=_serve, args=(room, listener, options.host))
        server.start()
        address = address_of(listener, options.host)
        tell("open", f"{address} for everybody; {room.folder / LINKS_FILE} has the links", 0.0)
        try:
            run_open(room, tell, server.is_alive)
        except KeyboardInterrupt:
            text = (
                "stopped; all that was handed in is kept, and the same command goes on from there"
            )
            raise KeyboardInterrupt(text) from None


def _serve(room: "Classroom", listener: "socket.socket", host: str) -> None:
    """Serve the pages of an open class, in a process of its own that ends with its parent."""
    from c4_referee.bots.contain.process_tree import die_with_parent
    from c4_referee.classroom.open.desk import ClassDesk
    from c4_referee.classroom.open.ladder import LADDER
    from c4_referee.classroom.open.public import PublicLadder
    from c4_referee.classroom.publish import SITE
    from c4_referee.serve.server import serve_hand_ins
    from c4_referee.serve.store import ShownClass, ShownRun, Store

    die_with_parent()
    os.setpgid(0, 0)  # Ctrl-C goes to the parent, which ends this process
    folder, names = room.folder.resolve(), room.shown_names
    public = PublicLadder(names)
    run = ShownRun(folder / LADDER, names, public.contest, public.message)
    shown = ShownClass(
        folder.name, folder / SITE, lambda: run if room.settings.site_games else None
    )
    serve_hand_ins(Store(list, [shown]), listener, host, ClassDesk(room))


def _report(
    room: "Classroom", options: argparse.Namespace, console: "SafeConsole", seconds: float
) -> None:
    """Print the students who are not ready, or a JSON object about all students."""
    from c4_referee.classroom.students_table import print_students, records

    if options.json:
        students, run = records(room), room.runs.last()
        last = {"run": run.name if run else None, "games": run.games if run else 0}
        print_json({"students": students, **last, "seconds": round(seconds, 3)})
    else:
        print_students(console, room.register.by_name)


def _replay(room: "Classroom", options: argparse.Namespace) -> None:
    """Play a game again, and print both results."""
    from c4_referee.classroom.play_again import play_again

    game, again, folder = play_again(room, options.replay)
    results = {1: "1-0", 2: "0-1", 0: "draw"}
    if options.json:
        print_json({"first": game, "again": again, "folder": folder})
        return
    for one, what in ((game, "counts"), (again, f"again, in {folder}")):
        fault = f" ({one.fault.bot}: {one.fault.detail})" if one.fault else ""
        line = f"{one.first} - {one.second}: {results.get(one.winner or 0)}{fault}, {what}"
        sys.stdout.write(visible(line) + "\n")
