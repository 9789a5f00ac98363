"""``c4-referee watch``: a contest in progress in the terminal."""

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import UsageError

from c4_referee.commands._arguments import count
from c4_referee.commands._stored import Complaints, add_last, folder_of, stored_contest

if TYPE_CHECKING:
    from pathlib import Path

    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.live.state import Message

EXAMPLES = """\
examples:
  c4-referee watch results       a contest that is played with --out results
  c4-referee watch --last        the last match that was played without --out
  c4-referee watch results > results.txt

On a terminal, the boards of the games in progress, the leaders and the last
results are shown until the contest ends; q or Ctrl-C leaves. Elsewhere, each
result is a line of text. At the end, the standings are printed.

Exit code: 0; 1 after Ctrl-C; 2 for a mistake on the command line.
"""
POLL_SECONDS = 0.25


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    watch = commands.add_parser(
        "watch",
        help="watch a contest in progress",
        description="Watch a contest in progress in the terminal, or show how it ended.",
        epilog=EXAMPLES,
    )
    watch.set_defaults(run=_run)
    watch.add_argument(
        "folder", nargs="?", metavar="DIR", help="folder with the games of a contest"
    )
    watch.add_argument(
        "--contest",
        type=count,
        metavar="K",
        help="choose contest number K of DIR (default: the last one)",
    )
    add_last(watch)


def _run(options: argparse.Namespace) -> int:
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.report.rich_tables import print_standings
    from c4_referee.storage.kept import last_folder

    if options.last == (options.folder is not None):
        raise UsageError("name a folder, or the last match with --last")
    folder = last_folder() if options.last else folder_of([options.folder])
    if folder is None:
        raise UsageError(f"{options.folder} is a file: name a folder that was written with --out")
    contest = stored_contest([str(folder)], options.contest, Complaints())
    raise_on_signals()
    console = SafeConsole(highlight=False)
    watching = _Watching(console, folder, contest.number, contest.name)
    watching.run()
    print_standings(console, watching.standings.of_all_games)
    return 0


class _Watching:
    """A contest that is shown until it ends or the user leaves."""

    def __init__(self, console: "SafeConsole", folder: "Path", number: int, name: str) -> None:
        from c4_referee.live.follow import Follower
        from c4_referee.live.state import LiveState
        from c4_referee.site.results import PresentStandings

        self._console, self._name = console, name
        self._follower, self._state = Follower(folder, number), LiveState()
        self.standings = PresentStandings(folder, number)

    def run(self) -> None:
        """Show the contest until no referee plays it."""
        from c4_referee.report.watching import headline

        messages = self._take()
        if self._follower.is_running:
            if self._console.is_terminal and sys.stdin.isatty():
                self._watch_on_screen()
            else:
                self._print_lines(messages)
        title = headline(self._name, self._state, is_running=self._follower.is_running)
        self._console.print(title)
        self._console.print()

    def _take(self) -> "list[Message]":
        messages = self._follower.poll()
        for message in messages:
            self._state.take(message)
        return messages

    def _print_lines(self, messages: "list[Message]") -> None:
        """Print each result as a line of text."""
        from c4_referee.report.watching import result_line

        while self._follower.is_running:
            for message in messages:
                if message["event"] == "game_ended":
                    self._console.print(result_line(message), soft_wrap=True)
            time.sleep(POLL_SECONDS)
            messages = self._take()

    def _watch_on_screen(self) -> None:
        """Draw the contest until it ends or a key leaves."""
        from c4_protocol.terminal.keys import END_OF_INPUT, Keyboard

        from c4_referee.report.watching import screen

        key: str | None = None
        with Keyboard(sys.stdin.fileno()) as keyboard, self._console.screen() as terminal:
            while self._follower.is_running and key not in {"q", "Q", END_OF_INPUT}:
                standings = self.standings.present(self._state.done)
                terminal.update(screen(self._console, self._name, self._state, standings))
                key = keyboard.key(POLL_SECONDS)
                self._take()
