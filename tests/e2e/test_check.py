"""``c4-referee check`` with real bots."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bots import PATIENT
from commands import SCRIPTS
from effort import sampled

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("player", sampled(["strong", "needed"], ["needed"]))
def test_our_bot_keeps_every_rule(c4_referee, player):
    """Our bot follows every rule, including those that are advice. --json prints one object."""
    done = c4_referee("check", f"c4-bot --plays {player} --depth 4", "--json", *PATIENT)
    report = json.loads(done.stdout)
    assert done.stdout.count(b"\n") == 1
    assert [rule for rule in report["rules"] if not rule["passed"]] == []
    assert report["passed"]
    assert report["bot"] == f"c4-bot --plays {player} --depth 4"
    assert set(report["rules"][0]) == {"name", "passed", "seen", "fix", "advice", "elsewhere"}
    assert done.returncode == 0


def test_failures_say_what_was_seen_and_what_to_do(c4_referee, misbehaving):
    """A failure is shown in 80 columns with the bot's answer and how to fix it."""
    environment = {**os.environ, "COLUMNS": "80"}
    done = c4_referee("check", misbehaving("full_column"), *PATIENT, env=environment)
    shown = done.stdout.decode()
    assert "FAILED  it plays into full columns\n" in shown
    assert "to fix    choose among the columns that have room" in shown
    assert "answered  '{\"move\":0}'" in shown
    verdicts = shown.splitlines()[2:4]
    assert verdicts[0] == "NOT ready for this referee: 2 of 9 rules FAILED."
    assert verdicts[1].endswith("and other referees: 5 of 26 rules FAILED.")
    sentences = [line for line in shown.splitlines()[1:] if "grid" not in line]
    assert max(map(len, sentences)) <= 80
    assert done.returncode == 1


def test_bot_of_a_file_is_known_by_its_name(c4_referee, tmp_path, misbehaving):
    """--bots provides names and a bot's own time, --variant the variant. --all lists all rules."""
    table = f"[bots.mine]\ncommand = {json.dumps(misbehaving('good'))}\ntime_ms = 40000\n"
    (tmp_path / "bots.toml").write_text(table)
    done = c4_referee("check", "mine", "--bots", str(tmp_path / "bots.toml"), "--variant", "8x7",
                      "--all")  # fmt: skip
    assert done.stdout.startswith(b"mine: 8x7x4, 40000 ms a move\n")
    assert done.stdout.count(b"\nok ") >= 25
    assert done.returncode == 0


@pytest.mark.linux  # only on Linux can a process adopt orphans
def test_children_that_stay_are_found_and_ended(c4_referee, mark, misbehaving):
    """A bot whose children leave its session breaks a rule, and none of them is left."""
    done = c4_referee(
        "check", misbehaving("leaves_daemons"), "--json", *PATIENT, env=mark.environment
    )
    failed = {rule["name"]: rule for rule in json.loads(done.stdout)["rules"] if not rule["passed"]}
    assert "2 process(es)" in failed["ends when its input is closed after a game"]["seen"]
    assert done.returncode == 1
    assert mark.bearers() == set()


@pytest.mark.linux  # needs /proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_check_leaves_nobody(mark, number, misbehaving, wait_until):
    """Ctrl-C during a wait leaves no process and prints no traceback, with exit code 1."""
    command = [SCRIPTS / "c4-referee", "check", misbehaving("silent")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=mark.environment, **pipes) as check:
        assert wait_until(lambda: len(mark.bearers()) == 2)
        check.send_signal(number)
        _, complaints = check.communicate(timeout=300)
    assert complaints == b""
    assert check.returncode == 1
    assert mark.bearers() == set()


@pytest.fixture
def class_file(tmp_path, misbehaving):
    """Write a file of three bots: a good one, one with a mistake, one that needs arguments."""
    habits = ROOT / "tests" / "bots" / "habits" / "needs_flags.py"
    commands = {
        "good": misbehaving("good"),
        "wrong": misbehaving("full_column"),
        "flags": f"{sys.executable} -S {habits}",
    }
    tables = (
        f"[bots.{name}]\ncommand = {json.dumps(command)}\n" for name, command in commands.items()
    )
    (tmp_path / "bots.toml").write_text("".join(tables))
    return str(tmp_path / "bots.toml")


def test_whole_file_is_checked(c4_referee, class_file):
    """A check of a file shows a line for each bot, with the first thing to fix."""
    environment = {**os.environ, "COLUMNS": "120"}
    done = c4_referee("check", "--bots", class_file, *PATIENT, env=environment)
    rows = {line.split()[0]: line for line in done.stdout.decode().splitlines() if line.split()}
    assert rows["good"].split()[1:3] == ["ok", "ok"]
    assert rows["wrong"].split()[1:3] == ["FAILED", "FAILED"]
    assert rows["flags"].split()[1:3] == ["ok", "FAILED"]
    assert b"Ready for this referee: 2 of 3. Ready for other referees, too: 1 of 3." in done.stdout
    assert "5 of 26" in rows["wrong"]
    assert "choose among the columns that have room" in rows["wrong"]
    assert 'only "grid" is always there' in rows["flags"]
    assert f"c4-referee check --bots {class_file} --time-ms 60000 wrong\n" in done.stdout.decode()
    assert (done.returncode, done.stderr) == (1, b"")


def test_sandbox_is_required_for_each_bot_of_a_file(c4_referee, tmp_path):
    """``--sandbox require`` without bubblewrap refuses each bot of a file, also after ``--``."""
    file = tmp_path / "bots.toml"
    file.write_text('[bots.ours]\ncommand = "c4-bot --plays random"\n')
    options = ("--bots", str(file), "--sandbox", "require", "--json", "--")
    done = c4_referee("check", *options, env={**os.environ, "PATH": str(tmp_path)})
    (report,) = json.loads(done.stdout)
    assert "bubblewrap" in report["error"]
    assert done.returncode == 1


def test_names_of_any_kind_are_checked(c4_referee, tmp_path):
    """Names that look like options or like markup are treated as names everywhere."""
    names = ["--json", "it's", "[/x]"]
    tables = (f"[bots.{json.dumps(name)}]\ncommand = 'no-such-bot'\n" for name in names)
    (tmp_path / "my bots.toml").write_text("".join(tables))
    arguments = ["--bots", str(tmp_path / "my bots.toml")]
    reports = json.loads(c4_referee("check", *arguments, "--json").stdout)
    assert [report["bot"] for report in reports] == names
    assert all("there is no program" in report["error"] for report in reports)
    shown = c4_referee("check", *arguments, env={**os.environ, "COLUMNS": "40"}).stdout.decode()
    command = shown.splitlines()[-1]
    assert shlex.split(command) == ["c4-referee", "check", *arguments, "--", "--json"]
