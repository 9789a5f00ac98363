"""Every example of a dialect plays without a fault, and answers what its own platform sends."""

import shlex
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.find import find_bots, read_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.play.game import play
from c4_referee.contest.play.jobs import Job
from effort import one_in
from languages import ROOT, command, go_without, missing
from transcripts import each, replay

FOLDER = ROOT / "examples" / "dialects"
PROGRAMS = sorted(path for path in FOLDER.iterdir() if path.suffix != ".toml")
BOTS = {
    name: (spec, variant, str(file))
    for variant in ("standard", "codingame")
    for file in [FOLDER / f"{variant}.toml"]
    for name, spec in read_bots(str(file)).items()
    if spec.dialect != dialects.DEFAULT_DIALECT
}
"""Bots with a dialect of their own by name: the spec, the variant, and the file with its table."""
CLOCK = TimeControl.parse("2+0.02")
"""A clock that is much longer than a bot needs, so that it is in time on a busy machine."""


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Start bots in the root of the repository, and compile them outside the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def program_of(name: str) -> Path:
    """Return the file of a bot; skip the test if its language is not installed."""
    path = next(ROOT / word for word in BOTS[name][0].command if word.startswith("examples/d"))
    if needed := missing(path):
        go_without(needed)
    return path


def test_every_program_is_a_bot():
    """Each program in the folder is a bot of one of its files."""
    assert sorted(map(program_of, BOTS)) == PROGRAMS


@pytest.mark.parametrize("name", one_in(2, BOTS))
def test_plays_without_a_fault(name):
    """The example never forfeits a game against random moves, and wins most games."""
    program_of(name)
    spec, variant, _ = BOTS[name]
    won = 0
    with Contestant(spec) as bot, Contestant(random_player()) as other:
        for seat in (1, 2, 1, 2):
            first, second = (bot, other) if seat == 1 else (other, bot)
            *_, ended = play(Job(1, 0, 1), Variant.parse(variant), (first, second), (CLOCK, CLOCK))
            assert isinstance(ended, GameEnded)
            assert (ended.fault, ended.notes) == (None, [])
            won += ended.winner == seat
    assert won >= 2


def random_player() -> BotSpec:
    """Return the random baseline. It keeps running, because it is not what is tested."""
    (spec,) = find_bots(["c4-bot --plays random --seed 1"], {}, restart="never")
    return spec


@pytest.mark.weekly
@pytest.mark.parametrize("name", BOTS)
def test_follows_all_rules(c4_referee, name):
    """The example keeps all rules of ``c4-referee check``."""
    program_of(name)
    _, _, file = BOTS[name]
    done = c4_referee("check", name, "--bots", file, "--time-ms", "2000", "--no-sandbox")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@each(*(path.name for path in PROGRAMS))
def test_answers_what_the_platform_sends(transcript, end):
    """The example answers the lines of its platform, and takes or stops a win."""
    (program,) = transcript.who
    replay(transcript, end, shlex.split(command(FOLDER / program)))
