"""``c4-referee watch``: a contest in progress in the terminal."""

import argparse
import sys
import time
from itertools import chain
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import UsageError

from c4_referee.commands._stored import Complaints, folder_of, stored_contests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.live.follow import Follower
    from c4_referee.live.state import LiveState, Message
    from c4_referee.storage.contests import StoredContest

EXAMPLES = """\
examples:
  c4-referee watch results       a contest that is played with --out results
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
        "folder", metavar="DIR", help="folder with the games of a contest; its last one is shown"
    )


def _run(options: argparse.Namespace) -> int:
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.live.follow import Follower
    from c4_referee.live.state import LiveState
    from c4_referee.report.rich_tables import print_standings
    from c4_referee.report.watching import headline
    from c4_referee.site.results import ContestResults

    folder = folder_of([options.folder])
    if folder is None:
        raise UsageError(f"{options.folder} is a file: name a folder that was written with --out")
    contest = _last_contest(folder)
    raise_on_signals()
    console, state = SafeConsole(highlight=False), LiveState()
    follower = Follower(folder, contest.number)
    _show_progress(console, contest.name, state, _messages(follower, state))
    console.print(headline(contest.name, state, is_running=follower.is_running), "", sep="\n")
    print_standings(console, ContestResults(_last_contest(folder)).standings)
    return 0


def _last_contest(folder: "Path") -> "StoredContest":
    return stored_contests([str(folder)], None, Complaints())[-1]


def _messages(follower: "Follower", state: "LiveState") -> "Iterator[list[Message]]":
    """Generate the new messages at each check, until no referee plays the contest."""
    while True:
        was_running, messages = follower.is_running, follower.poll()
        for message in messages:
            state.take(message)
        if not (was_running or follower.is_running):
            return
        yield messages


def _show_progress(
    console: "SafeConsole", name: str, state: "LiveState", steps: "Iterator[list[Message]]"
) -> None:
    """Show a contest until it ends or a key leaves, if it is in progress."""
    if (first := next(steps, None)) is None:
        return
    if console.is_terminal and sys.stdin.isatty():
        _watch_on_screen(console, name, state, chain([first], steps))
    else:
        _print_lines(console, chain([first], steps))


def _print_lines(console: "SafeConsole", steps: "Iterable[list[Message]]") -> None:
    """Print each result as a line of text."""
    from c4_referee.report.watching import result_line

    for messages in steps:
        for message in messages:
            if message["event"] == "game_ended":
                console.print(result_line(message), soft_wrap=True)
        time.sleep(POLL_SECONDS)


def _watch_on_screen(
    console: "SafeConsole", name: str, state: "LiveState", steps: "Iterable[list[Message]]"
) -> None:
    """Draw the contest until it ends or a key leaves."""
    from c4_protocol.terminal.keys import END_OF_INPUT, Keyboard

    from c4_referee.report.watching import screen

    with Keyboard(sys.stdin.fileno()) as keyboard, console.screen() as terminal:
        for _ in steps:
            terminal.update(screen(console, name, state))
            if keyboard.key(POLL_SECONDS) in {"q", "Q", END_OF_INPUT}:
                return
