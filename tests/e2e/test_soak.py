"""A referee that is killed repeatedly loses no game and plays none twice.

The test is short: 16 games and 2 kills, or 120 games and 9 kills if tests are thorough.
``SOAK=2000,100`` in the environment, or ``python tests/bench/run.py soak``, makes it long.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from effort import THOROUGH

RUN = Path(__file__).parent.parent / "bench" / "run.py"


@pytest.mark.weekly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("contest", ["match", "tournament"])
def test_killed_referee_forgets_nothing(contest):
    """Each game is stored once, and no process, open file or memory leaks."""
    games, kills = os.environ.get("SOAK", "120,9" if THOROUGH else "16,2").split(",")
    command = [sys.executable, RUN, "soak", games, kills, "--contest", contest]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    outcome = json.loads(done.stdout)
    assert outcome["problems"] == []
    assert (outcome["games"], outcome["kills"]) == (int(games), int(kills))
