"""A tool runs with limits, and its end and its output are known."""

import pytest
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.contain.tool import run_tool
from submitted import SANDBOXED
from views import needs_sandbox

PATH = "/usr/bin:/bin"


def shell(folder, script, sandbox=None, **limits):
    """Run a script of the shell as a tool."""
    env = {"PATH": PATH} if sandbox is None else {}
    return run_tool(["sh", "-c", script], folder, sandbox, ResourceLimits(**limits), 60, env)


@pytest.mark.parametrize("sandboxed", SANDBOXED)
@pytest.mark.parametrize(("end", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", -9)])
def test_output_and_exit_code_are_known(tmp_path, end, code, sandboxed):
    """Both outputs are kept, also the last words, and the exit code or the signal."""
    sandbox = Sandbox(PATH) if sandboxed else None
    done = shell(tmp_path, f"pwd; echo wrong >&2; {end}", sandbox)
    assert sorted(done.output.split()) == [str(tmp_path), "wrong"]
    assert (done.code, done.why_stopped) == (code, "")


def test_tool_with_closed_outputs_is_waited_for(tmp_path):
    """A tool that closes its outputs runs to its end."""
    done = shell(tmp_path, "exec >&- 2>&-; i=0; while [ $i -lt 9999 ]; do i=$((i+1)); done; exit 4")
    assert (done.code, done.output) == (4, "")


@needs_sandbox
def test_limit_that_ended_a_tool_is_named(tmp_path):
    """A tool that may not write outside of its folder fails, and the reason is told."""
    done = shell(tmp_path, "echo x >/usr/x || exit 1", Sandbox(PATH))
    assert done.why_stopped == "wrote outside its folder"


def test_growth_before_the_end_counts(tmp_path):
    """A tool that ends before the next check of limits may not have written too much either."""
    done = shell(tmp_path, "head -c 30000000 /dev/zero >big", written_mb=16)
    assert "16" in done.why_stopped
