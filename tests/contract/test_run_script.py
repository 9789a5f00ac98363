"""``examples/run.sh`` compiles a bot once, even if many processes start it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).parent.parent.parent / "examples" / "run.sh"
ECHO = "int puts(const char *); int main(int n, char **words) { return puts(words[n - 1]) < 0; }"

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="cc is not installed")


@pytest.fixture
def start(tmp_path):
    """Return a function that starts a program from its source, with its own cache."""
    source = tmp_path / "echo.c"

    def start(text=ECHO, cache=tmp_path / "cache", **environment):
        if not source.exists() or source.read_text() != text:
            source.write_text(text)
        return subprocess.Popen(
            ["sh", RUN, source, "--player", "1", "last words"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_CACHE_HOME": str(cache), **environment},
        )  # fmt: skip

    return start


def output_and_code(program):
    """Return what a program wrote to standard output and standard error, and its exit code."""
    return (*program.communicate(timeout=300), program.returncode)


def test_is_compiled_once(start, tmp_path):
    """A second start needs no compiler, and arguments arrive unchanged."""
    assert output_and_code(start()) == ("last words\n", "", 0)
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho asked >&2\nexit 1\n")
    compiler.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    assert output_and_code(start(PATH=path)) == ("last words\n", "", 0)
    assert output_and_code(start(ECHO + "\n", PATH=path)) == ("", "asked\n", 1)


def test_many_may_start_it_at_once(start, tmp_path):
    """Several processes that start at the same time all get a complete program."""
    programs = [start() for _ in range(6)]
    assert [output_and_code(program) for program in programs] == [("last words\n", "", 0)] * 6
    assert len(list((tmp_path / "cache" / "c4-bots").iterdir())) == 1


def test_needs_no_place_to_keep_it(start, tmp_path):
    """The script works if only /tmp can be written to, as in a sandbox."""
    assert output_and_code(start(cache="/dev/null", TMPDIR=str(tmp_path))) == (
        "last words\n",
        "",
        0,
    )


def test_errors_of_the_compiler_are_for_people(start, tmp_path):
    """Compiler errors go to standard error, and no incomplete program is stored."""
    output, errors, code = output_and_code(start("int main(void) { return }"))
    assert (output, code) == ("", 1)
    assert "error" in errors
    assert list((tmp_path / "cache" / "c4-bots").iterdir()) == []
