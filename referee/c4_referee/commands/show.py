"""``c4-referee show``: a stored game in the terminal."""

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import raise_on_signals

from c4_referee.commands._arguments import count
from c4_referee.commands._stored import Complaints, add_stored, folder_of, stored_contest

if TYPE_CHECKING:
    from c4_referee.report.console import SafeConsole
    from c4_referee.report.replay import Replay

EXAMPLES = """\
examples:
  c4-referee show results 17                 game 17 of the folder results
  c4-referee show results 17 --step          step through it with keys
  c4-referee show results 17 | less          plain text
  c4-referee show games.pgn 3                game 3 of a file
  c4-referee show replay.json                the only game of a file

X moves first, O second. ? marks a move that turned a win into a draw, and ?? a
move that turned a win or a draw into a loss. The last of these moves is the
decisive move. Its board shows the value of each column: + wins, 0 draws, and
- loses. The number is 1 plus the stones that the winner will have left. The
refutation is best play after such a move.

keys of --step:
  right, space   next move
  left           previous move
  home, end      first and last position
  d              next move with ? or ??
  r              play its refutation
  b              play the better line
  q              quit

Exit code: 0 if the game was shown; 1 if not, for example after Ctrl-C; 2 for a
mistake on the command line or a damaged folder.
"""

DEFAULT_SECONDS = 5.0
RESIZE_SECONDS = 0.2
"""Time in seconds between two checks of the size of the terminal."""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    show = commands.add_parser(
        "show",
        help="show a stored game in the terminal",
        description="Show a stored game, and the moves that changed its result.",
        epilog=EXAMPLES,
    )
    show.set_defaults(run=_run)
    show.add_argument(
        "source",
        metavar="DIR|FILE",
        help="a folder written with --out, or a file with games in any format that c4-referee rate "
        "reads, or - for standard input",
    )
    show.add_argument(
        "game",
        type=count,
        nargs="?",
        metavar="GAME",
        help="the number of the game, as in reports; in a file, games are counted from 1 (default: "
        "the only game)",
    )
    show.add_argument(
        "--step",
        action="store_true",
        help="step through the game with keys (see below); if input or output is no terminal, "
        "print every position",
    )
    add_stored(show, DEFAULT_SECONDS, "the last one")


def _run(options: argparse.Namespace) -> int:
    from c4_referee.commands._values import solve_further
    from c4_referee.report.replay import Replay
    from c4_referee.stats.analysis import analyse

    contest = stored_contest([options.source], options.contest, Complaints())
    game = contest.game(options.game)
    raise_on_signals()
    folder = folder_of([options.source])
    found = solve_further(folder, contest, [game], options.analysis_seconds)
    if found.solving is not None and found.solving.ended == "interrupt":
        raise KeyboardInterrupt
    analysis = analyse(game, found.contest.solved)
    _show(Replay.of(game, analysis, contest.conditions), options.step)
    return 0


def _show(replay: "Replay", steps: bool) -> None:
    """Show a game, in steps or as a whole."""
    from c4_referee.report.console import SafeConsole
    from c4_referee.report.paragraphs import print_paragraphs
    from c4_referee.report.replay import game_page
    from c4_referee.report.stepping import all_steps

    console = SafeConsole(
        highlight=False, color_system=None if os.environ.get("NO_COLOR") else "auto"
    )
    if steps and _is_interactive(console):
        _step_through(console, replay)
        return
    width = console.width if sys.stdout.isatty() else None
    page = all_steps(replay, width) if steps else game_page(replay, width)
    print_paragraphs(console, page, width)


def _is_interactive(console: "SafeConsole") -> bool:
    """Return whether keys can be read and the screen can be drawn again."""
    has_keys = sys.stdin is not None and sys.stdin.isatty()
    return has_keys and sys.stdout.isatty() and not console.is_dumb_terminal


def _step_through(console: "SafeConsole", replay: "Replay") -> None:
    """Show a position and let keys choose the next one, until the user quits."""
    from c4_referee.report.keys import END_OF_INPUT, Keyboard
    from c4_referee.report.stepping import Step, screen

    step, drawn = Step(replay, 0), None
    with Keyboard(sys.stdin.fileno()) as keyboard, console.screen() as terminal:
        key: str | None = ""
        while key not in {"q", "Q", END_OF_INPUT}:
            step = step.press(key) if key else step
            if drawn != (step, console.size):
                drawn = step, console.size
                terminal.update(screen(console, step))
            key = keyboard.key(RESIZE_SECONDS)
