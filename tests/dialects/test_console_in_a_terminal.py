"""4-in-a-Line at the console: in a terminal, and in a pipe."""

import re
import sys
from pathlib import Path

import pexpect
import pytest
from effort import pairs

BOT = str(Path(sys.executable).parent / "c4-bot")
CONSOLE = ("--dialect", "console", "--time-ms", "40", "--seed", "5")
OPPONENTS_MOVES = ["d4 c4 c3 c5 b4 a4", "d5 e5 c5 c4 c3 c6", "d4 d3 d2 c4 c5 c6 c3"]
"""Opponents' moves in the three games of seed document 003_042b791f4f409f5b.txt, its appendix."""

CELLS = [f"{row}{column}" for row in "hgfedcba" for column in range(1, 9)]
ASK_MOVE, ASK_SIDE, ASK_TIME = r"next move: ", r"\(p/o\): ", r"\(1 to 30\): "
OVER = r"(?:Player|Opponent) wins\.|A draw\."


class Terminal:
    """A terminal in which a person plays the moves of the appendix."""

    def __init__(self, *arguments: str) -> None:
        self.child = pexpect.spawn(BOT, [*CONSOLE, *arguments], encoding="utf-8", timeout=60)

    def start(self, seconds: str, side: str) -> None:
        """Answer the first two questions."""
        self.child.expect(ASK_TIME)
        self.child.sendline(seconds)
        self.child.expect(ASK_SIDE)
        self.child.sendline(side)

    def wait(self) -> bool:
        """Wait for the next question or the end. Return whether the program asks for a move."""
        return self.child.expect([ASK_MOVE, OVER]) == 0

    def play(self, wanted: list[str]) -> str:
        """Play the wanted moves, then any cells, until the game ends. Return the last screen."""
        waiting = iter([*wanted, *CELLS])
        while self.wait():
            self.child.sendline(next(waiting))
        screen = self.child.before + self.child.after
        self.child.expect(pexpect.EOF)
        self.child.close()
        return screen.replace("\r\n", "\n")


def board(screen: str) -> list[str]:
    """Return the eight rows of the last board on a screen."""
    rows = re.findall(r"^([A-H]) ((?:[-XO] ?){8})", screen, re.MULTILINE)[-8:]
    assert [name for name, _ in rows] == [*"ABCDEFGH"]
    return [cells.replace(" ", "") for _, cells in rows]


def log(screen: str) -> list[str]:
    """Return the moves of the last log on a screen in order, with the result at the end."""
    _, _, last = screen.rpartition(" vs. ")
    return [
        word for pair in re.findall(r" \d+\. (.+)$", last, re.MULTILINE) for word in pair.split()
    ]


@pytest.mark.parametrize(
    ("moves", "player"), pairs(OPPONENTS_MOVES, ["strong o", "strong p", "random o", "random p"])
)
def test_opponents_of_the_document_are_played(moves, player):
    """A game from the document is played from either side, with a board that matches the log."""
    plays, side = player.split()
    terminal = Terminal("--plays", plays)
    terminal.start("1", side)
    screen = terminal.play(moves.split())
    *played, ending = log(screen)
    assert ending in {"wins", "draw"}
    stones = board(screen)
    for number, name in enumerate(played):
        assert stones["abcdefgh".index(name[0])][int(name[1]) - 1] == "XO"[number % 2]
    assert sum(row.count("-") for row in stones) == 64 - len(played)
    assert len(set(played)) == len(played)
    first, second = ("Opponent", "Player") if side == "o" else ("Player", "Opponent")
    assert f"{first} vs. {second}\n" in screen
    if ending == "wins":
        winner = (first, second)[(len(played) - 1) % 2]
        assert screen.endswith(f"{winner} wins.")
    assert terminal.child.exitstatus == 0


def test_pipe_is_as_good_as_a_terminal(c4_bot):
    """All entries can come through a pipe. Entries after the end of the game are ignored."""
    entries = ["31", "1", "x", "o", *OPPONENTS_MOVES[1].split(), *CELLS, *CELLS]
    done = c4_bot(*CONSOLE, "--plays", "strong", stdin="\n".join(entries).encode())
    text = done.stdout.decode()
    assert log(text)[-1] == "wins"
    assert text.endswith(" wins.\n")
    assert (done.stderr, done.returncode) == (b"", 0)
    shown = re.findall(r"^Player's move is: ([a-h][1-8])$", text, re.MULTILINE)
    assert shown == log(text)[1::2][: len(shown)]


def test_player_of_another_game_is_refused_before_any_question(c4_bot):
    """A player of another game is refused in one line, before the first question."""
    done = c4_bot("--dialect", "console", "--plays", "needed", stdin=b"5\no\nd4\n")
    assert done.stdout == b""
    assert (
        done.stderr
        == b"c4-bot: player 'needed' plays only games with gravity, in which stones fall\n"
    )
    assert done.returncode == 2
