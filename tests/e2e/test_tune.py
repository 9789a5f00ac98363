"""``c4-tune`` as its users run it."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from c4_bot.native import core
from cores import needs_training
from effort import sampled
from waiting import wait_for

C4_TUNE = Path(sys.executable).parent / "c4-tune"
KEYS = {"rounds", "winners", "games", "distinct_games", "stopped_by", "seconds"}
SMALL = ("--depth", "1", "--population", "6")


@pytest.fixture
def tune(run_command):
    """Return a function that runs ``c4-tune`` with arguments."""
    return partial(run_command, "c4-tune")


def result(done):
    """Return the JSON object without the time."""
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) >= KEYS
    return {name: value for name, value in found.items() if name != "seconds"}


def test_json_has_the_agreed_keys(tune) -> None:
    """The output is one JSON object, the same with any number of threads."""
    found = result(tune("evolve", "--rounds", "5", *SMALL, "--json", "--concurrency", "1"))
    assert found["rounds"] == 5
    assert found["stopped_by"] == "rounds"
    assert found["games"] == 5 * 30
    assert 0 < found["distinct_games"] <= found["games"]
    assert len(found["winners"]) == 4
    assert all(0 <= weight <= 99 for winner in found["winners"] for weight in winner)
    assert result(tune("evolve", "--rounds", "5", *SMALL, "--json", "--concurrency", "3")) == found


@pytest.mark.parametrize("moment", sampled([0.0, 0.1, 0.3, 1.0], [0.1]))
def test_killed_run_continues(tune, tmp_path, moment) -> None:
    """A run that is killed and resumed has the result of an uninterrupted run."""
    run = ("evolve", "--rounds", "60", "--depth", "5", "--population", "12", "--json")
    command = [C4_TUNE, *run, "--out", tmp_path / "cut"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        rounds = tmp_path / "cut" / "rounds.jsonl"
        assert wait_for(lambda: rounds.exists() and rounds.stat().st_size)
        time.sleep(moment)
        os.kill(child.pid, signal.SIGKILL)
    resumed = result(tune(*run, "--out", str(tmp_path / "cut")))
    assert resumed == result(tune(*run, "--out", str(tmp_path / "whole")))


def test_run_is_printed_for_people(tune, tmp_path) -> None:
    """A run prints its winners as options of c4-bot, which can be played, and writes a report."""
    done = tune("evolve", "--rounds", "3", *SMALL, "--out", str(tmp_path))
    assert done.returncode == 0
    assert done.stderr == b""
    best = json.loads((tmp_path / "result.json").read_text())["winners"][0]
    words = "--plays sequences --depth 1 --weights " + ",".join(map(str, best))
    assert words in " ".join(done.stdout.decode().split())
    assert (tmp_path / "report.html").exists()
    bot = [C4_TUNE.with_name("c4-bot"), *words.split()]
    answer = subprocess.run(bot, input=b'{"grid":[[0,0],[0,0]]}\n', capture_output=True, check=True)
    assert answer.stdout.startswith(b'{"move":')


def test_experiment_stands_beside_the_paper(tune, tmp_path) -> None:
    """An experiment shows the paper's row and ours for each length, and can be resumed."""
    run = ("experiment", "--runs", "1", *SMALL, "--out", str(tmp_path))
    done = tune(*run)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert sum(line.split()[:1] == ["paper"] for line in text.splitlines()) == 4
    assert "78.1±22.9" in text
    assert "All runs together:" in text
    assert (tmp_path / "report.html").read_text().count('<svg class="spark"') == 4
    assert (tmp_path / "04-300-rounds" / "report.html").exists()
    again = json.loads(tune(*run, "--json").stdout)
    assert [row["rounds"] for row in again["rows"]] == [50, 100, 200, 300, 0]
    assert {verdict for row in again["rows"] for verdict in row["verdicts"]} <= {
        "agrees",
        "differs",
        "undecided",
    }
    assert [one["games"] for one in again["runs"]] == [30 * n for n in (50, 100, 200, 300)]


def test_interrupted_run_says_how_to_continue(tmp_path) -> None:
    """Ctrl-C causes one line that says how to continue, and exit code 1."""
    command = [C4_TUNE, "evolve", "--rounds", "100000", *SMALL, "--out", tmp_path / "run"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        assert wait_for((tmp_path / "run" / "rounds.jsonl").exists)
        child.send_signal(signal.SIGINT)
        _, error = child.communicate(timeout=300)
    assert child.returncode == 1
    assert error.count(b"\n") == 1
    assert b"if --out was given, the same command continues the run" in error


def test_champion_is_judged(tune) -> None:
    """``judge`` shows a match, its test and the agreement with the solver, as text and as JSON."""
    run = ("judge", "9,1,0", "--depth", "1", "--pairs", "60", "--positions", "23")
    done = tune(*run)
    assert done.returncode == 0, done.stderr
    assert b"9,1,0 against 1,3,6" in done.stdout
    found = json.loads(tune(*run, "--json").stdout)
    assert found["match"]["verdict"] == "H0"
    assert 0 <= found["champion_agrees"]["best"] <= found["champion_agrees"]["positions"]


@needs_training
def test_training_is_continued_after_a_kill(tune, tmp_path) -> None:
    """A training that is killed and continued has the weights of an uninterrupted training."""
    run = ("train", "--variant", "5x5", "--solved", "8", "--every", "64", "--games", "320")
    command = [C4_TUNE, *run, "--out", tmp_path / "cut"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        assert wait_for((tmp_path / "cut" / "training.state").exists)
        os.kill(child.pid, signal.SIGKILL)
    found = []
    for name in ("cut", "whole"):
        done = tune(*run, "--out", str(tmp_path / name), "--json")
        assert done.returncode == 0, done.stderr
        points = json.loads(done.stdout)["curve"]
        assert [point["games"] for point in points] == [64, 128, 192, 256, 320]
        found.append([point | {"seconds": 0} for point in points])
        assert (tmp_path / name / "report.html").exists()
    assert found[0] == found[1]
    weights = [(tmp_path / name / "5x5x4.network").read_bytes() for name in ("cut", "whole")]
    assert weights[0] == weights[1]


@pytest.mark.skipif(hasattr(core, "Trainer"), reason="the core has the training")
def test_missing_training_is_explained(tune, tmp_path) -> None:
    """A core without the training is an error of one line that says how to install it."""
    done = tune("train", "--variant", "5x5", "--out", str(tmp_path / "net"))
    assert done.returncode == 2
    assert done.stderr.endswith(b"pip install . -C cmake.define.TRAINING=ON\n")
    assert done.stderr.count(b"\n") == 1
