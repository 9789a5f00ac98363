"""Bots of dialects other than jsonl. Each breaks a rule of the check.

``python clumsy.py KIND``. The kinds are the classes below. They import nothing of the project.
"""

import os
import re
import sys
import time

HEIGHT = 6


class Good:
    """An engine of the dialect c4engine. It plays the first column that is not full."""

    def run(self):
        """Answer commands until ``quit`` or the end of the input."""
        while (line := self.read()) and not line.startswith(b"quit"):
            command, *words = line.decode().split() or [""]
            getattr(self, command, self.ignore)(words)

    def read(self):
        """Return the next line."""
        return sys.stdin.buffer.readline()

    def say(self, text):
        """Write a line at once."""
        os.write(1, f"{text}\n".encode())

    def ignore(self, words):
        """Do nothing."""

    def isready(self, words):
        """Say that the engine is ready."""
        self.say("readyok")

    def position(self, words):
        """Remember the moves."""
        self.moves = "".join(words[1:])

    def free(self):
        """Return the first column that is not full."""
        return next(column for column in range(7) if self.moves.count(f"{column}") < HEIGHT)

    def go(self, words):
        """Write the move."""
        self.say(f"bestmove {self.free()} 0")


class Silent(Good):
    """An engine of the dialect ccfi: it writes nothing before ``go``."""

    isready = Good.ignore

    def position(self, words):
        """Remember the full columns, as if all their moves were known."""
        top = re.sub("[1-7]", lambda free: "." * int(free[0]), words[0].split("/")[-1])
        self.moves = "".join(f"{x}" * HEIGHT for x, cell in enumerate(top) if cell in "xo")


class Unflushed(Good):
    """Leaves its lines in a buffer."""

    def say(self, text):
        """Write a line into the buffer."""
        print(text)


class FromOne(Good):
    """Counts columns from 1."""

    def free(self):
        """Return the number of the first column that is not full, counting from 1."""
        return super().free() + 1


class Mirrored(Good):
    """Counts columns from the right."""

    def free(self):
        """Return the first column that is not full, counting from the right."""
        return 6 - super().free()


class Full(Good):
    """Always plays in the first column."""

    def free(self):
        """Return the first column."""
        return 0


class Words(Good):
    """Answers with a word."""

    def free(self):
        """Return a word."""
        return "left"


class Again(Good):
    """Writes its answer a second time, a little later."""

    def go(self, words):
        """Write the move twice."""
        super().go(words)
        time.sleep(0.1)
        super().go(words)


class Twice(Good):
    """Writes its answer twice, so that both lines arrive together."""

    def go(self, words):
        """Write the move twice in one write."""
        answer = f"bestmove {self.free()} 0"
        self.say(f"{answer}\n{answer}")


class LineFeeds(Good):
    """Ends if a line ends in CR LF."""

    def read(self):
        """Return the next line."""
        line = super().read()
        if line.endswith(b"\r\n"):
            sys.exit("a strange character")
        return line


class Halves(Good):
    """Treats everything in the pipe as whole lines."""

    def run(self):
        """Answer commands."""
        while data := os.read(0, 65536):
            for line in data.decode().splitlines():
                command, *words = line.split()
                if command not in {"name", "isready", "position", "go", "quit"}:
                    sys.exit(f"no command {command}")
                getattr(self, command, self.ignore)(words)


class Impatient(Good):
    """Plays again if the next command does not come soon after an answer."""

    def go(self, words):
        """Write the move, and then another one."""
        super().go(words)
        time.sleep(0.2)
        self.say("bestmove 9 0")


class Opener(Good):
    """Ends if it does not make the first move of the game."""

    def position(self, words):
        """Remember the moves."""
        super().position(words)
        if len(self.moves) % 2:
            sys.exit("not my turn")


class FromTheStart(Good):
    """Remembers the moves, and ends if a game begins with an opening or if it is another one."""

    moves = ""

    def position(self, words):
        """Remember the moves."""
        before = self.moves
        super().position(words)
        if not self.moves.startswith(before) or len(self.moves) > len(before) + 2:
            sys.exit("what has happened?")


class Chatty(Good):
    """Writes much to standard error."""

    def go(self, words):
        """Write the move and much text."""
        os.write(2, b"thinking\n" * 10_000)
        super().go(words)


class Stays(Good):
    """Does not end."""

    def run(self):
        """Answer commands, and wait."""
        super().run()
        time.sleep(3600)


class Slow(Good):
    """Is slow when many stones are down."""

    def go(self, words):
        """Wait, and write the move."""
        time.sleep(0.04 * len(self.moves))
        super().go(words)


class Robbed(Good):
    """A bot of codingame, which ends after the steal."""

    def run(self):
        """Answer turns of 13 lines and the actions."""
        self.read()
        while self.read():
            for _ in range(7):
                self.read()
            actions = [int(self.read()) for _ in range(int(self.read()))]
            if int(self.read()) == -2:
                sys.exit("who took my stone?")
            self.say(actions[0])


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
