"""Terminals with a screen, in which programs draw."""

import io
import os
import re
import termios

import pexpect
from commands import SCRIPTS


class Screen:
    """A terminal of 24 lines with a screen, in which a program plays."""

    def __init__(self, program: str, *words: str, columns: int = 80, **environment: str) -> None:
        env = {
            name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}
        }
        self.child = pexpect.spawn(
            str(SCRIPTS / program), [*words], encoding="utf-8", timeout=300,
            dimensions=(24, columns), env={**env, "TERM": "xterm-256color", **environment},
        )  # fmt: skip
        self.log = self.child.logfile_read = io.StringIO()
        self.settings = termios.tcgetattr(self.child.child_fd)

    def press(self, keys: str, expected: str) -> str:
        """Press keys, and return what is drawn until the expected text."""
        self.child.send(keys)
        self.child.expect(expected)
        return self.child.before + self.child.after

    def end(self, code: int) -> str:
        """Wait for the end. The terminal is then as it was before. Return the last output."""
        self.child.expect(pexpect.EOF)
        assert termios.tcgetattr(self.child.child_fd) == self.settings
        assert re.findall(r"\x1b\[\?1049([hl])", self.log.getvalue()) in (["h", "l"], [])
        self.child.close()
        assert self.child.exitstatus == code
        assert "Traceback" not in self.log.getvalue()
        return self.child.before
