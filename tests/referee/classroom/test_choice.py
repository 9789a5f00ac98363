"""Of several ways to start a submission, the first that passes the check plays."""

from pathlib import Path

import pytest
from c4_referee.classroom import choice
from c4_referee.classroom.choice import chosen_start, fault_of
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.submissions.compiling import Compiled, spec_of
from c4_referee.classroom.submissions.start import Start, Unclear
from classes import SIMPLE

FINE, BROKEN = Compiled(True, "", 0.1), Compiled(False, "x.c:1: error: no semicolon\n", 0.1)
MADE = Start("", ("./c4-program",), "Makefile")
ONE, TWO = (Start("C", (f"./{name}",), f"main program {name}.c", main=f"{name}.c") for name in "12")
TOOL = Start("", ("./setup",), "executable file setup")


@pytest.fixture
def choose(monkeypatch):
    """Return a function that chooses among starts, which a function compiles. Some have faults."""

    def run(starts, compiled, faults=()):
        commands = [start.command for start in faults]
        fakes = {
            "working_copy": lambda *_: None,
            "find_starts": lambda *_: starts,
            "compile_copy": lambda start, *_, **__: compiled(start),
            "fault_of": lambda spec, _: "it answers nothing" if spec.command in commands else "",
        }
        for name, fake in fakes.items():
            monkeypatch.setattr(choice, name, fake)
        return chosen_start(Path(), "/usr", ClassSettings(), sandboxed=False)

    return run


@pytest.mark.parametrize(
    ("starts", "broken", "faults", "chosen", "note"),
    [
        ([ONE], [], [ONE], ONE, ""),
        ([MADE, ONE], [], [MADE, ONE], MADE, ""),
        ([MADE, ONE], [MADE], [], ONE, "Makefile failed"),
        ([ONE, TWO], [], [], ONE, "2.c could, too"),
        ([ONE, TWO], [], [ONE], TWO, "1.c failed"),
        ([ONE, TOOL], [ONE], [], TOOL, "1.c failed"),
        ([ONE, TOOL], [ONE], [TOOL], ONE, ""),
    ],
)
def test_first_start_that_passes_is_chosen(choose, starts, broken, faults, chosen, note):
    """A build file needs no check but a compiler's; if nothing passes, the first one is kept."""
    compiled = []

    def compile_one(start):
        compiled.append(start)
        return BROKEN if start in broken else FINE

    found, done = choose(starts, compile_one, faults)
    assert (found.command, found.note) == (chosen.command, note)
    assert done is (BROKEN if chosen in broken else FINE)
    assert compiled[-1] == chosen  # so that the copy is that of the start


def test_main_programs_that_all_fail_are_unclear(choose):
    """If no main program passes, all of them are named, with what is wrong."""
    compiled = {ONE: BROKEN, TWO: FINE, TOOL: FINE}.__getitem__
    with pytest.raises(Unclear) as raised:
        choose([ONE, TWO, TOOL], compiled, [TWO, TOOL])
    assert raised.value.mains == ("1.c", "2.c")
    text = (
        "none plays: 1.c: it does not compile: x.c:1: error: no semicolon; 2.c: it answers nothing"
    )
    assert str(raised.value).endswith(text)


@pytest.mark.weekly
def test_check_tells_which_program_plays(tmp_path):
    """A program that plays has no fault, and one that ends at once has one.

    It is weekly because two whole checks take seconds.
    """
    faults = []
    for name, text in {"bot": SIMPLE, "setup": "print('done')\n"}.items():
        (tmp_path / f"{name}.py").write_text(text)
        spec = spec_of(
            Start("", ("python3", f"{name}.py"), ""), name, tmp_path, "/usr", sandboxed=False
        )
        faults.append(fault_of(spec, ClassSettings(time_ms=60_000)))
    assert faults[0] == ""
    assert "done" in faults[1]
