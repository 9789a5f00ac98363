"""Wrong settings of a run: none of them spoils the runs after it."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.bots_file import BotsFile
from c4_referee.classroom.play import play, run_to_play
from c4_referee.classroom.runs import Runs
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register


def begin(folder, player="random", openings="none"):
    """Begin a run of two bots of the staff."""
    staff = dict.fromkeys(("one", "two"), f"c4-bot --plays {player}")
    settings = ClassSettings(staff=staff, openings=openings)
    register = Register(folder)
    return run_to_play(register, BotsFile(folder), settings, Runs(folder), sandboxed=False)


@pytest.mark.parametrize("openings", ["no-such-file", "random:99", "random:x"])
def test_run_with_wrong_openings_does_not_begin(tmp_path, openings):
    """A run keeps its settings, so it would fail in every night."""
    with pytest.raises(UsageError, match="openings"):
        begin(tmp_path, openings=openings)
    assert Runs(tmp_path).open_one() is None
    assert begin(tmp_path, openings="random:4") is not None


def test_run_that_cannot_be_played_says_what_to_remove(tmp_path):
    """Without this folder, the next command begins a new run with the corrected settings."""
    run = begin(tmp_path, player="nonsense")
    with pytest.raises(UsageError, match=rf"nonsense.* remove {tmp_path}/runs/{run.name},"):
        play(run, Runs(tmp_path))
