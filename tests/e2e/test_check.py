"""``c4-referee check`` with real bots."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(sys.executable).parent
ROOT = Path(__file__).parent.parent.parent
PATIENT = ("--time-ms", "5000")


@pytest.mark.parametrize("player", ["strong", "needed"])
def test_our_bot_keeps_every_rule(c4_referee, player):
    """Advice included, told as one JSON object and nothing else."""
    done = c4_referee("check", f"c4-bot --plays {player} --depth 4", "--json", *PATIENT)
    report = json.loads(done.stdout)
    assert done.stdout.count(b"\n") == 1
    assert [rule for rule in report["rules"] if not rule["passed"]] == []
    assert report["passed"]
    assert report["bot"] == f"c4-bot --plays {player} --depth 4"
    assert set(report["rules"][0]) == {"name", "passed", "seen", "fix", "advice"}
    assert done.returncode == 0


def test_smallest_bot_is_safe(c4_referee):
    """The example that newcomers copy fails nothing, whatever its lots are."""
    bot = f"{sys.executable} {ROOT / 'examples' / 'minimal.py'}"
    done = c4_referee("check", bot, *PATIENT)
    assert b"FAILED" not in done.stdout
    assert b"safe to enter." in done.stdout
    assert (done.returncode, done.stderr) == (0, b"")


def test_failures_say_what_was_seen_and_what_to_do(c4_referee, misbehaving):
    """On 80 columns, with the bot's own line spelled out, and exit code 1."""
    environment = {**os.environ, "COLUMNS": "80"}
    done = c4_referee("check", misbehaving("full_column"), *PATIENT, env=environment)
    shown = done.stdout.decode()
    assert "FAILED  finds the last free column: it answered '{\"move\":0}': column 0 is" in shown
    assert "to fix: choose from the line alone" in shown
    assert "FAILED: not safe to enter yet." in shown
    assert max(len(line) for line in shown.splitlines()[1:]) <= 80
    assert done.returncode == 1


def test_same_failure_is_told_once(c4_referee, misbehaving):
    """A bot with a banner fails nearly every rule, for one reason that is spelled out once."""
    done = c4_referee("check", misbehaving("banner"), *PATIENT)
    assert done.stdout.count(b"to fix: print one line like") < 4
    assert done.stdout.count(b": the same again\n") > 15
    assert done.returncode == 1


def test_bot_of_a_file_is_known_by_its_name(c4_referee, tmp_path, misbehaving):
    """--bots gives names; a bot's own time counts, and the variant is the one asked for."""
    table = f"[bots.mine]\ncommand = {json.dumps(misbehaving('good'))}\ntime_ms = 4000\n"
    (tmp_path / "bots.toml").write_text(table)
    done = c4_referee("check", "mine", "--bots", str(tmp_path / "bots.toml"), "--variant", "8x7")
    assert done.stdout.startswith(b"mine: 8x7x4, 4000 ms a move\n")
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["no-such-bot"], b"there is no program 'no-such-bot'"),
        (["sh", "--variant", "round"], b"no variant 'round'"),
        (["sh", "--bots", "no-such-file"], b"cannot read the bots"),
        (["sh", "--time-ms", "0"], b"milliseconds, more than 0"),
        ([], b"required: BOT"),
    ],
)
def test_mistakes_of_the_user(c4_referee, arguments, reason):
    """Each is told in a line, with exit code 2 and nothing on standard output."""
    done = c4_referee("check", *arguments)
    assert reason in done.stderr
    assert b"Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans over")
def test_children_that_stay_are_found_and_ended(c4_referee, mark, misbehaving):
    """A bot whose children slip away breaks the rule about its end; none of them is left."""
    done = c4_referee(
        "check", misbehaving("leaves_daemons"), "--json", *PATIENT, env=mark.environment
    )
    failed = {rule["name"]: rule for rule in json.loads(done.stdout)["rules"] if not rule["passed"]}
    assert "2 process(es)" in failed["ends when its input is closed after a game"]["seen"]
    assert done.returncode == 1
    assert mark.bearers() == set()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_check_leaves_nobody(mark, number, misbehaving, wait_until):
    """Ctrl-C in the midst of a wait: no traceback, no process, exit code 1."""
    command = [SCRIPTS / "c4-referee", "check", misbehaving("silent")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=mark.environment, **pipes) as check:
        assert wait_until(lambda: len(mark.bearers()) == 2)
        check.send_signal(number)
        _, complaints = check.communicate(timeout=60)
    assert complaints == b""
    assert check.returncode == 1
    assert mark.bearers() == set()
