"""What does not belong to a bot in its folder has no effect on later games."""

import subprocess
import sys

import pytest
from c4_protocol.rules.variant import Variant
from c4_referee.bots.contain.mounts import Sandbox
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from played import PATIENT
from views import needs_sandbox, output_of, write

BOT = """
import importlib.util, json, os, sys
import engine
assert os.path.exists(engine.__cached__)
for line in sys.stdin:
    free = [x for x, column in enumerate(json.loads(line)["grid"]) if not column[0]]
    print(json.dumps({"move": free[engine.END]}))
    sys.stdout.flush()
try:
    status, code = os.stat("engine.py"), compile("END = -1", "engine.py", "exec")
    external, cached = importlib._bootstrap_external, importlib.util.cache_from_source("engine.py")
    exec(sys.argv[1])
except OSError:
    pass
"""
"""A bot that plays at the end that its engine says, and attacks after each game."""
ENGINE = """
import os
END = -1 if any(map(os.path.exists, ("{0}/x", "sub/{0}/x"))) else 0
"""
ATTACKS = {
    "nothing": "",
    "compiled": "header = int(status.st_mtime), status.st_size\n"
    "open(cached, 'wb').write(external._code_to_timestamp_pyc(code, *header))",
    "git": "os.makedirs('.git', exist_ok=True); open('.git/x', 'w').close()",
    "inner": "os.makedirs('sub/__pycache__'); open('sub/__pycache__/x', 'w').close()",
}


@needs_sandbox
@pytest.mark.parametrize("attack", ATTACKS)
def test_files_that_do_not_belong_to_a_bot_have_no_effect(tmp_path, bot, attack):
    """A bot plays as before in later games and in the next run, and is not said to have changed."""
    folder = tmp_path / "bot"
    write(folder / "bot.py", BOT)
    write(folder / "engine.py", ENGINE.format("__pycache__" if attack == "inner" else ".git"))
    (folder / "sub").mkdir()
    run_by_hand = (sys.executable, "-c", "import engine")
    if attack in {"compiled", "git"}:
        (folder / ".git").mkdir()
        subprocess.run(run_by_hand, cwd=folder, check=True)
    python = (sys.executable, "bot.py", ATTACKS[attack])
    spec = BotSpec("it", python, folder=str(folder), sandbox=True)
    for games in (2, 4):
        contest = Contest.match(spec, bot("good"), games, variant=Variant(4, 4), control=PATIENT)
        outcome = contest.play(out=tmp_path / "out")
        assert len(outcome.games) == games
        assert {game.fault for game in outcome.games} == {None}
        assert {game.moves[0] for game in outcome.games if game.bots[0] == "it"} == {"1"}
        assert outcome.incidents.changed_files == {}
        if attack == "nothing":
            subprocess.run(run_by_hand, cwd=folder, check=True)


@needs_sandbox
def test_packages_in_the_folder_are_read_only(tmp_path):
    """A virtual environment keeps its compiled files, and a new folder does not become one."""
    for place in ("in/env/pyvenv.cfg", "vendor/x.dist-info/RECORD", "new/x.dist-info/x"):
        write(tmp_path / place, "")
    for name in ("in/env", "vendor", "new"):
        write(tmp_path / name / "__pycache__" / "x", name)
    sandbox = Sandbox(store=str(tmp_path / "none"))
    files = " ".join(f"{name}/__pycache__/x" for name in ("in/env", "vendor", "new"))
    script = f"cat {files}; rm {files}; touch new/y; mv in y"
    out, error = output_of(("sh", "-c", script), str(tmp_path), sandbox)
    assert out == "in/envvendor"
    assert error.count("Read-only file system") == 2
    assert error.count("Device or resource busy") == 1  # another one would be in its place
    assert (tmp_path / "new" / "y").exists()
