"""Games that ``c4-bot`` played without its native core are not taken for games with it."""

import os
from dataclasses import replace
from importlib.metadata import version

import pytest
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import Variant
from c4_referee.bots.own import WITHOUT_CORE
from c4_referee.contest.judging.judge import OUR_JUDGE, Judge
from cores import needs_core

pytestmark = [pytest.mark.linux, needs_core]

NUMBER = version("c4-arena")
PLAYER, OTHER = "c4-bot --plays needed --depth 1", "c4-bot --plays windows --depth 1"
FILE = f"""
name = "t"
system = "round-robin"
variant = "5x4"
[bots.bot]
command = "{PLAYER}"
[bots.other]
command = "{OTHER}"
"""


@pytest.fixture
def no_core(tmp_path):
    """Return environment variables with which no Python finds the native core."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['c4_bot._core'] = None\n")
    return {"PYTHONPATH": str(tmp_path)}


@pytest.fixture
def version_lines(c4_referee, tmp_path):
    """Return a function that runs the command and returns its lines about versions."""

    def run(*words, **variables):
        done = c4_referee(*words, cwd=tmp_path, env=os.environ | {"COLUMNS": "200"} | variables)
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.decode().splitlines() if line.startswith("Version")]

    return run


def test_match_and_rating_say_that_the_core_was_missing(version_lines, no_core):
    """The match says it, and so do a later run with the core and a rating."""
    match = ("match", PLAYER, OTHER, "--variant", "5x4", "--no-accuracy", "--no-sandbox")
    first = version_lines(*match, "--out", "out", **no_core)
    assert first == [f"Version {NUMBER} of c4-bot, {WITHOUT_CORE}: {PLAYER}, {OTHER}"]
    assert version_lines(*match, "--out", "out") == first
    assert version_lines("rate", "out") == first


@pytest.mark.slow
def test_tournament_and_page_say_that_the_core_was_missing(version_lines, no_core, tmp_path):
    """The tournament says it, and so does the page that is made later."""
    (tmp_path / "t.toml").write_text(FILE)
    first = version_lines("tournament", "t.toml", "--no-sandbox", "--out", "out", **no_core)
    assert first == [f"Version {NUMBER} of c4-bot, {WITHOUT_CORE}: bot, other"]
    version_lines("report", "out", "--analysis-seconds", "0")
    page = (tmp_path / "out" / "site" / "index.html").read_text("utf-8")
    assert page.count(f"{NUMBER} {WITHOUT_CORE}") == 2


@pytest.mark.parametrize("has_core", [True, False])
def test_judge_says_whether_it_has_the_core(no_core, has_core):
    """The version of a judge that has answered says whether it lacked its core."""
    spec = replace(OUR_JUDGE, sandbox=False, env={} if has_core else no_core)
    with Judge(spec) as judge:
        assert judge.value(position_from_moves("1122", Variant(4, 4))) is not None
        assert judge.version == (NUMBER if has_core else f"{NUMBER} {WITHOUT_CORE}")
