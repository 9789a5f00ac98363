"""Keys of a terminal are read one by one, and the terminal is as before afterwards."""

import os
import pty
import termios

import pytest
from c4_protocol.terminal.keys import END_OF_INPUT, Keyboard


@pytest.fixture
def terminal():
    """Return the descriptors of both ends of a terminal: the person's and the program's."""
    person, program = pty.openpty()
    yield person, program
    for descriptor in (person, program):
        try:
            os.close(descriptor)
        except OSError:
            continue


def test_keys_have_names(terminal):
    """Special keys have names in both modes of a terminal, and other keys are characters."""
    person, program = terminal
    with Keyboard(program) as keyboard:
        os.write(person, b"\x1b[D\x1bOC\x1b[H\x1b[4~ q\x1b[5~d")
        keys = [keyboard.key(5) for _ in range(8)]
    assert keys == ["left", "right", "home", "end", " ", "q", "\x1b[5~", "d"]


def test_escape_is_a_key_of_its_own(terminal):
    """The key Escape is read when no sequence follows it."""
    person, program = terminal
    with Keyboard(program) as keyboard:
        os.write(person, b"\x1b")
        assert keyboard.key(5) == "\x1b"


def test_nothing_is_waited_for_no_longer_than_asked(terminal):
    """Without a key, the answer is ``None``."""
    with Keyboard(terminal[1]) as keyboard:
        assert keyboard.key(0) is None


@pytest.mark.parametrize("error", [None, KeyboardInterrupt, ValueError])
def test_terminal_is_restored(terminal, error):
    """The settings of the terminal are as before, also after an exception."""
    before = termios.tcgetattr(terminal[1])
    try:
        with Keyboard(terminal[1]):
            assert termios.tcgetattr(terminal[1]) != before
            if error:
                raise error
    except (KeyboardInterrupt, ValueError):
        pass
    assert termios.tcgetattr(terminal[1]) == before


def test_closed_terminal_is_the_end_of_input():
    """A program that cannot read any more gets the key for the end."""
    person, program = pty.openpty()
    with Keyboard(program) as keyboard:
        settings = termios.tcgetattr(program)
        settings[3] |= termios.ICANON  # only then does a terminal know an end of input
        termios.tcsetattr(program, termios.TCSANOW, settings)
        os.write(person, b"\x04")
        assert keyboard.key(5) == END_OF_INPUT
    os.close(person)
    os.close(program)
