"""The accuracy that ``c4-referee match`` reports, and the judge that it asks."""

import json
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from bots import LIGHT
from c4_referee.bots.contain.process_tree import descendants_of
from commands import SCRIPTS
from effort import sampled


def test_accuracy_tells_who_moved_better(c4_referee):
    """The accuracy of all moves shows which of two bots plays better."""
    done = c4_referee("match", "c4-bot --depth 8", LIGHT, "--games", "6", "--time-ms", "60000",
                      "--openings", "random:4", "--json", "--judge-seconds", "600")  # fmt: skip
    report = json.loads(done.stdout)
    strong, weak = (report["accuracy_report"]["bots"][bot] for bot in report["bots"])
    assert report["accuracy"] == {"c4-bot --depth 8": strong["share"], "light.py": weak["share"]}
    for bot in (strong, weak):
        assert bot["moves"] == bot["total"]["judged"] > 10
    assert report["accuracy_report"]["ended"] is None
    assert strong["total"]["best"] / strong["moves"] > weak["total"]["best"] / weak["moves"]
    assert strong["low"] > weak["low"]
    assert done.stderr == b""


def test_stored_values_are_not_computed_again(c4_referee, tmp_path):
    """A judge is not asked again about a position whose value is stored with the games."""
    asked, judge = tmp_path / "asked", tmp_path / "judge.sh"
    solver = f"{SCRIPTS / 'c4-bot'} --plays perfect --set score_only=true --info"
    judge.write_text(f"tee -a '{asked}' | {solver}\n")
    command = ("match", LIGHT, "c4-bot --plays random", "--out", str(tmp_path / "results"),
               "--judge", f"sh {judge}", "--judge-seconds", "600", "--json")  # fmt: skip
    first = json.loads(c4_referee(*command).stdout)
    questions = asked.read_bytes()
    assert questions
    again = json.loads(c4_referee(*command).stdout)
    assert again["accuracy_report"] == first["accuracy_report"]
    assert asked.read_bytes() == questions


@pytest.mark.parametrize(
    "kind", sampled(["dies", "lies", "without_info", "rubbish"], ["dies", "lies"])
)
def test_a_judge_that_is_none_harms_no_result(c4_referee, kind):
    """A useless judge causes one line on standard error, no accuracy, and no other change."""
    judges = Path(__file__).parent.parent / "bots" / "judges.py"
    done = c4_referee("match", LIGHT, LIGHT, "--json", "--judge",
                      f"{sys.executable} {judges} {kind}")  # fmt: skip
    report = json.loads(done.stdout)
    assert report["complete"]
    assert report["games"] == 2
    assert report["accuracy"] is report["accuracy_report"] is None
    assert done.stderr.startswith(b"c4-referee: no accuracy: judge '")
    assert done.stderr.count(b"\n") == 1
    assert done.returncode == 0


def is_judge(pid):
    """Return whether a process runs ``judges.py`` as a slow judge."""
    with suppress(OSError):
        return b"judges.py\0slow" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@pytest.mark.linux
def test_ctrl_c_ends_the_judging(mark, wait_until, tmp_path):
    """Ctrl-C while games are judged ends the judge, and the report still comes."""
    judges = Path(__file__).parent.parent / "bots" / "judges.py"
    command = [SCRIPTS / "c4-referee", "match", LIGHT, LIGHT, "--json", "--out", str(tmp_path),
               "--judge", f"{sys.executable} {judges} slow"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=mark.environment) as referee:  # fmt: skip
        assert wait_until(lambda: any(map(is_judge, descendants_of(referee.pid))))
        referee.send_signal(signal.SIGINT)
        out, err = referee.communicate(timeout=300)
    report = json.loads(out)
    assert report["complete"]
    assert report["accuracy_report"]["ended"] == "interrupt"
    assert err == b""
    assert referee.returncode == 0
    assert not mark.bearers()
