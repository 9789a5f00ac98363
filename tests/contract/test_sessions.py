r"""Sessions of commands in ``sessions.txt``: arguments, files, input, both outputs and exit code.

Each session begins with its title, ``== TITLE``. A title that begins with "slow" gives the session
this mark. The sign at the beginning of a line says what
follows:

- ``@ NAME``: the lines with ``|`` after it are a file of this name
- ``$ COMMAND``: the command line
- ``< LINE``: a line of standard input, with escapes of Python such as ``\xff``. A line
  with ``\c`` at its end has no line ending.
- ``> LINE``: a line of standard output
- ``! LINE``: a line of standard error
- ``= CODE``: the exit code, if it is not 0

The lines of an output are all that the command writes. ``...`` in them stands for any text, and
alone for any number of lines. A session can have several commands.
"""

import re
import shlex
import sys
from pathlib import Path

import pytest

TEXT = Path(__file__).with_name("sessions.txt").read_text(encoding="utf-8")
SESSIONS = dict(re.findall(r"^== ([^\n]*)\n(.*?)(?=^== |\Z)", TEXT, re.DOTALL | re.MULTILINE))
COMMAND = re.compile(r"^\$ (.*)\n((?:[<>!=] ?.*\n)*)", re.MULTILINE)
FILE = re.compile(r"^@ (.*)\n((?:\| ?.*\n)*)", re.MULTILINE)


def lines(text: str, sign: str) -> str:
    """Return the lines with a sign, without it."""
    found = re.findall(rf"^{re.escape(sign)}(?: (.*))?$", text, re.MULTILINE)
    return "".join(f"{line}\n" for line in found)


def check_output(output: bytes, expected: str) -> None:
    """Check that an output has exactly the expected lines.

    It does not control a terminal, and no line ends in blanks.
    """
    pattern = "".join(
        r"(?:.*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n"
        for line in expected.splitlines()
    )
    text = output.decode()
    assert [line for line in text.split("\n") if not line.replace("\t", "").isprintable()] == []
    assert not re.search(r" $", text, re.MULTILINE)
    is_expected = re.fullmatch(pattern, text) is not None
    assert is_expected, f"{text}\nis not\n{expected}"


@pytest.mark.parametrize(
    "title",
    [pytest.param(one, marks=pytest.mark.slow if one[:4] == "slow" else ()) for one in SESSIONS],
)
def test_session(run_command, tmp_path, title):
    """Each command of a session writes the outputs that are shown, with the exit code."""
    if sys.platform == "win32" and "$ c4-referee" in SESSIONS[title]:
        pytest.skip("the referee needs another system")
    for name, content in FILE.findall(SESSIONS[title]):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(lines(content, "|"), encoding="utf-8")
    for command, said in COMMAND.findall(SESSIONS[title]):
        stdin = (
            lines(said, "<")
            .replace("\\c\n", "")
            .encode()
            .decode("unicode_escape")
            .encode("latin-1")
        )
        done = run_command(*shlex.split(command), stdin=stdin, cwd=tmp_path)
        check_output(done.stdout, lines(said, ">"))
        check_output(done.stderr, lines(said, "!"))
        assert done.returncode == int(lines(said, "=") or 0)
