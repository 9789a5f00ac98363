"""``c4-bot --play``: lines in a plain terminal and in a pipe, and keys on a screen."""

import os
import re
import signal
import sys
import termios
import time
from pathlib import Path

import pexpect
import pytest
from screens import Screen

BOT = str(Path(sys.executable).parent / "c4-bot")
EASY = ("--plays", "random", "--seed", "3")
PROMPT = r"Your move, [XO] \(column 1 to \d+\): "
AGAIN = r"Play again\? \(yes, no or undo\): "


def terminal(*arguments: str, **environment: str) -> pexpect.spawn:
    """Start ``c4-bot --play`` in its own terminal, which has no screen."""
    variables = {**os.environ, "TERM": "dumb", **environment}
    return pexpect.spawn(
        BOT, ["--play", *arguments], encoding="utf-8", timeout=300, env=variables, echo=False
    )


def ended(child: pexpect.spawn) -> tuple[int | None, str]:
    """Wait for the end of a program. Return its exit code and its last output."""
    child.expect(pexpect.EOF)
    said = child.before
    child.close()
    return child.exitstatus, said


def play_to_the_end(child: pexpect.spawn, entries: list[str]) -> str:
    """Type the entries at the prompts until the game ends. Return the last board and the result."""
    waiting = iter(entries)
    while child.expect([PROMPT, AGAIN]) == 0:
        child.sendline(next(waiting))
    return child.before.replace("\r\n", "\n")


def test_person_wins_in_a_terminal():
    """A person can win in a terminal. The line is marked, and the exit code is 0."""
    child = terminal(*EASY, NO_COLOR="1")
    last = play_to_the_end(child, list("1111222233334444555566667777") * 2)
    assert last.count("[X]") >= 4
    assert "You win!\n" in last
    child.sendline("no")
    assert ended(child)[0] == 0


def test_arrow_keys_edit_the_line():
    """Arrow keys move the cursor: they are not printed, and do not become a part of the entry."""
    child = terminal(*EASY, NO_COLOR="1")
    child.expect(PROMPT)
    child.sendline("4\x1b[D\x1b[C\x1b[A")
    child.expect("c4-bot plays column")
    assert "^[[" not in child.before
    child.sendline("quit")
    assert ended(child)[0] == 0


@pytest.mark.parametrize("key", ["sendeof", "sendintr"])
def test_control_keys_end_it_at_the_prompt(key):
    """Ctrl-D and Ctrl-C at the prompt end the game with exit code 0 and without a traceback.

    The key is repeated: Python's ``input`` does not see a signal that comes after it has written
    the prompt and before it waits for keys.
    """
    child = terminal(*EASY)
    child.expect(PROMPT)
    getattr(child, key)()
    while child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=20):
        getattr(child, key)()
    child.close()
    assert child.exitstatus == 0
    assert "Traceback" not in child.before
    assert child.before.endswith("\n")


def test_interrupt_ends_it_while_the_player_thinks():
    """Ctrl-C ends the game while the player searches."""
    child = terminal("--plays", "strong", "--time-ms", "3600000", "--depth", "60")
    child.expect(PROMPT)
    child.sendline("4")
    child.expect("is thinking")
    child.sendintr()
    code, said = ended(child)
    assert (code, "Traceback" in said) == (0, False)


@pytest.fixture
def screen():
    """Return the screen of a game against an easy player."""
    made = Screen("c4-bot", "--play", *EASY)
    made.press("", "Your move, X")
    yield made
    made.child.close(force=True)


def test_whole_game_is_played_with_keys(screen):
    """A game is played with keys to its end, and a move is taken back."""
    for _ in range(42):
        screen.child.send("\n")
        if screen.child.expect([r"Your move, X", r"n new game"]):
            break
    assert re.search(r"You win!|c4-bot wins\.|a draw\.", screen.child.before)
    screen.press("u", "Your last move is taken back")
    screen.press("?", "Left and right choose a column")
    screen.press("n", "The game is not over yet")
    screen.child.send("q")
    screen.end(0)


def test_values_hint_and_reasons_are_shown(screen):
    """Keys show the values of all columns, the best move, and what a mistake allowed."""
    assert screen.press("v", "\\+1 ")
    screen.press("h", "Column 4 wins in 21 moves")
    screen.press("r", "Mistakes are explained")
    screen.press("1", "Column 1 turns a win into a loss")
    screen.child.send("\x04")
    assert "Moves: 1" in screen.end(0)


def test_screen_follows_the_size_and_the_cursor_finds_room(screen):
    """A narrow screen has two lines of keys; a full column is refused and left by the cursor."""
    screen.child.setwinsize(24, 60)
    screen.child.expect(r"s save\S* *\r?\n\S*n new")
    screen.child.setwinsize(9, 20)
    screen.child.expect("The board needs")
    screen.child.setwinsize(24, 80)
    screen.press("\x1b[D", "<")
    screen.child.send("q")
    screen.end(0)


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, True), pytest.param({"NO_COLOR": "1"}, False, marks=pytest.mark.weekly)],
)
def test_colours_are_for_terminals_that_want_them(environment, coloured):
    """With NO_COLOR, stones are letters without colours."""
    screen = Screen("c4-bot", "--play", *EASY, "--player", "2", **environment)
    screen.press("", "Your move, O")
    assert bool(re.search(r"\x1b\[[0-9;]*3[13]m", screen.log.getvalue())) == coloured
    screen.child.send("q")
    screen.end(0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_restores_the_terminal_while_the_bot_thinks(number):
    """A signal ends the game while the bot thinks, and restores the terminal."""
    slow = ("--plays", "strong", "--time-ms", "3600000", "--depth", "60")
    screen = Screen("c4-bot", "--play", *slow, "--player", "2")
    screen.press("", "is thinking")
    screen.child.kill(number)
    screen.end(1)


@pytest.mark.weekly
@pytest.mark.parametrize("tenths", range(12))
def test_control_c_at_any_moment_restores_the_terminal(tenths):
    """Ctrl-C ends the game at any moment of its start, and restores the terminal."""
    screen = Screen("c4-bot", "--play", *EASY)
    time.sleep(tenths / 10)
    screen.child.kill(signal.SIGINT)
    screen.child.expect(pexpect.EOF)
    assert termios.tcgetattr(screen.child.child_fd) == screen.settings
    assert "Traceback" not in screen.log.getvalue()


@pytest.mark.weekly
@pytest.mark.linux
def test_no_process_is_left_when_the_program_is_killed(screen):
    """The processes that think end when the program is killed."""
    pid = screen.child.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert len(children) == 2
    screen.child.kill(signal.SIGKILL)
    lines = [Path(f"/proc/{child}/cmdline") for child in children]
    deadline = time.monotonic() + 10
    while any(line.exists() and line.read_bytes() for line in lines):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_nobody_reads_what_is_shown():
    """A reader that closes the pipe causes no traceback."""
    child = pexpect.spawn(
        "/bin/sh",
        ["-c", f"yes 4 | {BOT} --play --plays random | head -n 1"],
        encoding="utf-8",
        timeout=300,
    )
    said = ended(child)[1]
    assert "Traceback" not in said
    assert "Exception ignored" not in said
