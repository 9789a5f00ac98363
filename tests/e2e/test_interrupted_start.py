"""Ctrl-C while a command starts ends it without a traceback, whatever it is importing."""

import signal
import subprocess
import sys

import pytest
from effort import one_in

PROGRAM = """
import os, signal, sys
from {module} import main

class Interrupter:
    def find_spec(self, name, *_):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
sys.exit(main({arguments!r}))
"""
"""A program like an installed command, with Ctrl-C at the import of a module."""
MATCH = ("match", "c4-bot --plays random", "c4-bot --plays random", "--no-accuracy")
EARLY = ("argparse", "c4_protocol.program.errors")
STARTS = {
    "c4_bot.cli": [((), (*EARLY, "c4_bot.play.session", "c4_bot.search"))],
    "c4_bot.c4_solve": [((), (*EARLY, "orjson", "c4_bot.solve.answers", "c4_bot.book"))],
    "c4_referee.cli": [
        (MATCH, (*EARLY, "c4_protocol.records.events", "c4_referee.contest.contest")),
        (
            ("tournament", "nosuch.toml"),
            (*EARLY, "pydantic", "c4_referee.report.terminal.standings_tables"),
        ),
        (("check", "c4-bot"), (*EARLY, "rich.console", "c4_referee.check.rules")),
        (("grade", "c4-bot", "--rubric", "nosuch.toml"), (*EARLY, "pydantic")),
        (("rate", "nosuch.csv"), (*EARLY, "c4_referee.records.storage.game_files")),
        (("--help",), EARLY),
    ],
    "c4_referee.tuning.cli": [(("judge", "1,3,6"), (*EARLY, "c4_referee.tuning.comparison"))],
}
CASES = [
    (module, arguments, name)
    for module, starts in STARTS.items()
    for arguments, names in starts
    for name in names
]


@pytest.mark.parametrize(("module", "arguments", "name"), one_in(3, CASES))
def test_interrupt_during_an_import_ends_the_command(module, arguments, name):
    """The command ends by the signal, and writes nothing."""
    program = PROGRAM.format(module=module, arguments=arguments, name=name)
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], input=b"4453\n", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")
