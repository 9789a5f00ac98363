"""Faults on a bot's page: all of them, with the means to reproduce them."""

import json
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.variant import LINE8, STANDARD
from c4_referee.contest.play.ledger import NOT_PLAYED_DETAIL
from c4_referee.report.site.bot_page import MAX_SHOWN_FAULTS, faults_of, reproducing_command
from contests import random_game

ECHO = shlex.join((sys.executable, "-c", "print(input())", "$(touch hurt); 'x'"))


@pytest.mark.parametrize("variant", [STANDARD, LINE8], ids=str)
def test_command_asks_the_same_question(variant, tmp_path):
    """The command of a fault, run by a shell, sends the position before the fault."""
    game = random_game(3, "a", "b", variant, plies=5)
    command = reproducing_command(ECHO, game, 5)
    asked = subprocess.run(command, shell=True, capture_output=True, check=True, cwd=tmp_path)
    precept = json.loads(asked.stdout)
    assert sum(cell > 0 for column in precept["grid"] for cell in column) == 5
    assert precept["player"] == 2
    assert not [*tmp_path.iterdir()]


def test_damaged_moves_have_no_command():
    """A game whose moves are impossible has no command."""
    assert reproducing_command(ECHO, replace(random_game(1, "a", "b"), moves="9"), 1) == ""


def test_faults_are_grouped():
    """Faults are grouped by kind, the most frequent first; those of the opponent are left out."""
    lost = [random_game(n, "a", "b", plies=4) for n in range(1, MAX_SHOWN_FAULTS + 4)]
    notes = FaultRecord("a", "changed its files", "note", 0, 0.0, 0.0, "x.py")
    unplayed = FaultRecord(
        "a", "failed to start", "bar", 0, 0.0, 0.0, f"{NOT_PLAYED_DETAIL}, as before"
    )
    other = random_game(90, "b", "a", plies=4)
    noted = replace(other, game=91, notes=[notes], fault=None)
    barred = replace(other, game=92, moves="", fault=unplayed, stderr={})
    kinds = {kind.fault: kind for kind in faults_of("a", [*lost, other, noted, barred], ECHO)}
    assert [*kinds] == ["bad line", "changed its files", "failed to start"]
    assert kinds["bad line"].number == MAX_SHOWN_FAULTS + 3
    assert len(kinds["bad line"].shown) == MAX_SHOWN_FAULTS
    assert kinds["bad line"].more == [
        MAX_SHOWN_FAULTS + 1,
        MAX_SHOWN_FAULTS + 2,
        MAX_SHOWN_FAULTS + 3,
    ]
    assert kinds["bad line"].shown[0][0] == lost[0]
    assert kinds["failed to start"].unplayed == 1
    assert kinds["failed to start"].shown == []
