"""``c4-referee show``: a stored game in the terminal, or a list of the games."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import UsageError

from c4_referee.commands._options import add_options, add_sandbox, count, named_bot
from c4_referee.commands._stored_contests import Complaints, add_stored, folder_of, stored_contest

if TYPE_CHECKING:
    from c4_protocol.records.events import GameEnded
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.records.stats.solved import GameAnalysis
    from c4_referee.records.storage.contests import StoredContest

EXAMPLES = """\
examples:
  c4-referee show --last                     the games of the last match
  c4-referee show results --bot mine --result lost
  c4-referee show results 17                 game 17 of the folder results
  c4-referee show results 17 --step          step through it with keys
  c4-referee show games.pgn 3                game 3 of a file
  c4-referee show results 17 --ask 9         ask the bot for its move 9 again

X moves first, O second. ? marks a move that turned a win into a draw, and ?? a
move that turned a win or a draw into a loss. The last of these moves is the
decisive move, unless a fault decided the game. Its board shows the value of
each column: + wins, 0 draws, and - loses. A larger number means a sooner end:
it is 1 plus the stones that the winner has not played by then. The refutation
is the best play after such a move.

Exit code: 0 if all was shown; 1 if not, for example if games were left out; 2
for a mistake on the command line or a damaged folder.
"""
DETAILS = """\
keys of --step:
  right, space   next move
  left           previous move
  home, end      first and last position
  d              next move with ? or ??
  r              play its refutation
  b              play the better line
  q              quit
"""

RESULTS = ("lost", "drawn", "won")
DEFAULT_SECONDS = 5.0
RESIZE_SECONDS = 0.2
"""Time in seconds between two checks of the size of the terminal."""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    show = commands.add_parser(
        "show",
        help="list stored games, or show one in the terminal",
        description="List the games of a folder or file, or show one of them and the moves that\n"
        "changed its result.",
        epilog=EXAMPLES,
        details=DETAILS,
        usual="--last --ask --bot --result --fault --step",
    )
    show.add_argument(
        "source",
        nargs="?",
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
        "the only game, or a list if there are several)",
    )
    add_options(show, "--last")
    show.add_argument(
        "--bot", metavar="NAME", help="list only games of this bot; a part of its name is enough"
    )
    show.add_argument(
        "--result",
        choices=RESULTS,
        help="list only games with this result for --bot, or for the bot that moved first",
    )
    show.add_argument(
        "--fault",
        nargs="?",
        const="",
        metavar="TEXT",
        help="list only games that a fault decided, if TEXT is given one whose name contains it",
    )
    show.add_argument(
        "--ask",
        type=count,
        metavar="N",
        help="start the bot that made move N of the game, ask it the same question again, and show "
        "its answer, its time and its standard error",
    )
    add_options(show, "--bots", "--arguments", "--dialect")
    add_sandbox(show)
    show.add_argument(
        "--step",
        action="store_true",
        help="step through the game with keys (--help-all lists them); if input or output is no "
        "terminal, print every position",
    )
    add_stored(show, DEFAULT_SECONDS)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    source, number = _chosen(options)
    contest = stored_contest([source], options.contest, complaints := Complaints())
    if options.bot is not None:
        options.bot = named_bot(options.bot, [bot.name for bot in contest.bots])
    raise_on_signals()
    games = [game for game in contest.all_games if _is_wanted(game, options)]
    if number is None and len(games) != 1:
        if options.ask is not None:
            raise UsageError("--ask asks for a move of one game: name the game by its number")
        _list(contest, games)
        return 1 if complaints else 0
    game = contest.game(number) if number is not None else games[0]
    if options.ask is not None:
        from c4_referee.commands._ask_again import ask_again

        return ask_again(contest, game, options.ask, options)
    return _show_game(contest, game, folder_of([source]), options)


def _chosen(options: argparse.Namespace) -> "tuple[str, int | None]":
    """Return the folder or file, and the number of the game. With --last, a number stands alone."""
    if not options.last:
        if options.source is None:
            raise UsageError("name a folder or a file, or the last match with --last")
        return options.source, options.game
    if options.game is not None:
        raise UsageError(f"--last is the last match: leave out {options.source}")
    from c4_referee.records.storage.kept import last_folder

    try:
        number = None if options.source is None else count(options.source)
    except (ValueError, argparse.ArgumentTypeError):
        raise UsageError(f"--last {options.source}: name a game by its number") from None
    return str(last_folder()), number


def _is_wanted(game: "GameEnded", options: argparse.Namespace) -> bool:
    """Return whether a game passes ``--bot``, ``--result`` and ``--fault``."""
    from c4_referee.records.stats.observations import half_points

    bot = options.bot or game.first
    if bot not in game.bots:
        return False
    if options.result and RESULTS.index(options.result) != half_points(bot, game):
        return False
    fault = game.fault.fault if game.fault else None
    return options.fault is None or (fault is not None and options.fault in fault)


def _list(contest: "StoredContest", games: "list[GameEnded]") -> None:
    from c4_protocol.terminal.console import SafeConsole
    from c4_protocol.terminal.paragraphs import print_paragraphs, width_of_output

    from c4_referee.report.terminal.game_list import MAX_ANALYSED, game_list

    if not games:
        bots = ", ".join(bot.name for bot in contest.bots)
        raise UsageError(f"no game is chosen: there are {len(contest.all_games)} games of {bots}")
    console = SafeConsole(highlight=False)
    width = width_of_output(console)
    print_paragraphs(console, game_list(games, contest.solved, width), width)
    if len(games) > MAX_ANALYSED:
        shown = f"decisive moves are shown for at most {MAX_ANALYSED} games"
        sys.stderr.write(f"{shown}: choose games with --bot, --result or --fault\n")


def _show_game(
    contest: "StoredContest", game: "GameEnded", folder: Path | None, options: argparse.Namespace
) -> int:
    """Show a game, in steps or as a whole. Keys choose the steps if they can be read."""
    from c4_protocol.terminal.console import SafeConsole
    from c4_protocol.terminal.paragraphs import print_paragraphs, width_of_output

    from c4_referee.contest.exact_values import solve_more_positions
    from c4_referee.records.stats.analysis import analyse
    from c4_referee.report.terminal.progress import JudgingProgress
    from c4_referee.report.terminal.replay import game_page
    from c4_referee.report.terminal.stepping import all_steps

    bar = JudgingProgress("solving")
    found = solve_more_positions(folder, contest, [game], options.analysis_seconds, bar)
    if found.solving is not None and found.solving.ended == "interrupt":
        raise KeyboardInterrupt
    analysis = analyse(game, found.contest.solved)
    console = SafeConsole(
        highlight=False, color_system=None if os.environ.get("NO_COLOR") else "auto"
    )
    has_keys = sys.stdin is not None and sys.stdin.isatty()
    if options.step and has_keys and sys.stdout.isatty() and not console.is_dumb_terminal:
        _step_through(console, analysis)
        return 0
    width = width_of_output(console)
    if options.step:
        page = all_steps(analysis, width)
    else:
        page = game_page(analysis, contest.conditions, width)
    print_paragraphs(console, page, width)
    return 0


def _step_through(console: "SafeConsole", analysis: "GameAnalysis") -> None:
    """Show a position and let keys choose the next one, until the user quits."""
    from c4_protocol.terminal.keys import END_OF_INPUT, Keyboard

    from c4_referee.report.terminal.stepping import Step, screen

    step, drawn = Step(analysis, 0), None
    with Keyboard(sys.stdin.fileno()) as keyboard, console.screen() as terminal:
        key: str | None = ""
        while key not in {"q", "Q", END_OF_INPUT}:
            step = step.press(key) if key else step
            if drawn != (step, console.size):
                drawn = step, console.size
                terminal.update(screen(console, step))
            key = keyboard.key(RESIZE_SECONDS)
