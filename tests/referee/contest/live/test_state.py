"""The state of a contest in progress, its remarkable moments, and how a terminal shows it."""

import io
from pathlib import Path

import orjson
from c4_protocol.terminal.console import SafeConsole
from c4_referee.contest.live.state import MAX_SHOWN, LiveState
from c4_referee.report.terminal.watching import headline, result_line, screen

MESSAGES = Path(__file__).parents[3] / "golden" / "live.jsonl"


def screen_text(state: LiveState, width: int) -> str:
    """Return the screen of a terminal with 40 lines."""
    console = SafeConsole(file=io.StringIO(), width=width, height=40, highlight=False)
    console.print(screen(console, "Cup", state))
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())


def test_contest_in_progress_is_shown_as_before(golden) -> None:
    """After each message, the points, the moments and the result are those of the golden file.

    The messages have earlier games, bots that give up, void games, and a start that comes again.
    """
    state, text = LiveState(), ""
    for message in map(orjson.loads, MESSAGES.read_bytes().splitlines()):
        moments = [moment.text for moment in state.take(message)]
        text += f"{message['event']} {message.get('game', '')}: {moments} {state.table()}\n"
        if message["event"] == "game_ended":
            text += f"{result_line(message)}\n"
        if message["event"] in {"contest_started", "progress", "unknown"}:
            texts = (headline("Cup", state, is_running=running).plain for running in (True, False))
            text += "\n".join([*texts, *(screen_text(state, width) for width in (50, 90))])
            text += f"{orjson.dumps(state.snapshot()).decode()}\n".replace("},", "},\n")
    golden("live.txt", text)


def test_only_the_last_results_are_kept() -> None:
    """However long the contest is, its state stays small."""
    state = LiveState()
    for message in map(orjson.loads, 9 * MESSAGES.read_bytes().splitlines()):
        state.take(message)
        assert max(len(state.results), len(state.moments)) <= MAX_SHOWN
