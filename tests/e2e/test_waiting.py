"""Messages of commands that wait for standard input in a terminal."""

import pexpect
import pytest
from commands import SCRIPTS

WAITING = {
    ("c4-bot",): "c4-bot: waiting for precepts",
    ("c4-solve",): "c4-solve: waiting for positions, one per line, such as 4453; Ctrl-D ends\r\n",
    ("c4-solve", "--variant", "line8"): "such as d4d5; Ctrl-D ends\r\n",
}


@pytest.mark.parametrize("command", WAITING, ids=" ".join)
def test_command_in_a_terminal_says_what_it_waits_for(command):
    """A command in a terminal says what it waits for, and ends at Ctrl-D with exit code 0."""
    name, *arguments = command
    child = pexpect.spawn(str(SCRIPTS / name), arguments, encoding="utf-8", timeout=300)
    child.expect_exact(WAITING[command])
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_solver_of_a_file_does_not_wait(tmp_path):
    """The solver of a file shows only its answer in a terminal."""
    (tmp_path / "positions").write_text("32164625\n")
    child = pexpect.spawn(
        str(SCRIPTS / "c4-solve"), [str(tmp_path / "positions")], encoding="utf-8", timeout=300
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.before.startswith("32164625 11 ")
