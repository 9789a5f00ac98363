"""``c4-referee serve``: pages of contests, stored and in progress, and games against bots."""

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.program.errors import UsageError

from c4_referee.commands._options import add_address, check_server

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_referee.serve.store import ShownRun, Store

EXAMPLES = """\
examples:
  c4-referee serve results                   http://127.0.0.1:8000/
  c4-referee serve                           what is kept without --out
  c4-referee serve results --bots bots.toml  also plays against people
  c4-referee serve class                     the run of a class, live
  c4-referee serve class --host 0.0.0.0      everybody in the network sees it

Ctrl-C ends the server. Exit code: 0; 2 for a mistake on the command line.
"""
DETAILS = """\
DIR is a folder of --out, a folder that holds some, or the folder of a class.
Of a class, the run in progress and the files in its folder site are shown, as
students may see them. Without DIR, matches that were played without --out are
shown, and games of people against bots.

The server changes no contest, and takes nothing in (c4-referee class --open
does). Visitors play
against c4-bot and the bots of --bots, which run in the sandbox and with the
limits of contests. On another address than 127.0.0.1, they need the link that
is printed at the start, unless --open-play is given.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "serve",
        help="show contests, also in progress, in a browser",
        description="Show contests in a browser, and let people play against bots.",
        epilog=EXAMPLES,
        details=DETAILS,
        usual="--host --port --bots --open-play",
    )
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        metavar="DIR",
        help="folder of --out, folder that holds some, or folder of a class",
    )
    add_address(parser)
    parser.add_argument(
        "--bots", type=Path, metavar="FILE", help="file with bots to play against, in TOML"
    )
    parser.add_argument(
        "--open-play", action="store_true", help="let everybody start bots who sees the pages"
    )


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    check_server()
    from c4_referee.bots.contain.cgroup import control_groups
    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.bots.find import find_bots, read_bots
    from c4_referee.report.protection import protection_of, warn_unprotected
    from c4_referee.serve.server import serve
    from c4_referee.serve.visitors_games import Games

    store = _store(options.folders)
    specs = read_bots(str(options.bots)) if options.bots else {}
    bots = find_bots([*specs], specs)  # raises an error if one cannot be started
    warn_unprotected(protection_of(bots), None)
    games = Games({bot.name: bot for bot in bots})
    with prepared_command(), control_groups():
        serve(store, options.host, options.port, games, open_play=options.open_play)
    return 0


def _store(named: "Sequence[Path]") -> "Store":
    """Return what the server shows. Raises ``UsageError`` for a folder that does not exist."""
    from c4_referee.classroom.publish import SITE
    from c4_referee.classroom.runs import RUNS
    from c4_referee.classroom.settings import SETTINGS_FILE
    from c4_referee.records.storage.kept import PLAYED, kept_folders
    from c4_referee.serve.store import ShownClass, Store

    shown, classes = list[Path](), list[Path]()
    for given in named:
        if not given.is_dir():
            why = "it is no folder" if given.exists() else "there is no such folder"
            raise UsageError(f"cannot show {given}: {why}: name a folder of --out, or one above it")
        folder = given.resolve()
        above = [each for each in (folder, *folder.parents) if (each / SETTINGS_FILE).is_file()]
        if not above:
            shown.append(folder)
        elif folder == above[0] or folder.is_relative_to(above[0] / RUNS):
            classes.append(above[0])
        else:
            raise UsageError(
                f"cannot show {given}: only the site and the runs of a class are shown: {above[0]}"
            )
    return Store(
        lambda: shown if named else [*kept_folders(), *kept_folders(PLAYED)],
        [
            ShownClass(each.name, each / SITE, partial(_shown_run, each))
            for each in dict.fromkeys(classes)
        ],
    )


def _shown_run(folder: Path) -> "ShownRun | None":
    """Return the run of a class that is shown: no more of it than the site of the class shows."""
    from c4_referee.classroom.pages.privacy import for_everybody, message_for_everybody
    from c4_referee.classroom.runs import RUNS, newest_run
    from c4_referee.classroom.settings import read_settings
    from c4_referee.serve.store import ShownRun

    run = newest_run(folder)
    if run is None or run.names is None or not read_settings(folder).site_games:
        return None
    return ShownRun(
        folder / RUNS / run.name,
        run.names,
        partial(for_everybody, names=run.names),
        partial(message_for_everybody, names=run.names),
    )
