"""Bots and fixtures for tests work in other people's projects."""

import json
import os
import signal
import subprocess
import sys

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.testing.players import MISBEHAVIOURS, misbehaving, scripted
from played import played

QUESTION = b'{"grid":[[0,0],[0,0]],"height":2,"player":1,"width":2}\n'
OUTSIDERS = """
import subprocess


def ask(bot, question):
    return subprocess.run(bot.command, input=question, capture_output=True, timeout=300)


def test_script(scripted_bot):
    done = ask(scripted_bot([3, 4], name="mine"), b"one\\ntwo\\n")
    assert done.stdout.split() == [b'{"move":', b"3}", b'{"move":', b"4}"]


def test_misbehaviour(misbehaving_bot):
    assert ask(misbehaving_bot("exits"), b"one\\n").returncode == 3


def test_that_fails(scripted_bot):
    assert ask(scripted_bot([3]), b"one\\n").stdout == b"no such answer"
"""


def run(bot, *questions: bytes) -> subprocess.CompletedProcess[bytes]:
    """Send questions to a bot and close its input. Return the finished process."""
    return subprocess.run(bot.command, input=b"".join(questions), capture_output=True, check=False)


def ended(
    first, second, variant: Variant, move_ms: float = 600_000.0, startup_ms: float = 10_000.0
) -> GameEnded:
    """Return the record of a game between two bots, usually without a limit that matters."""
    control = TimeControl(move_ms=move_ms, startup_ms=startup_ms)
    return played(first, second, control, variant)


def test_plugin_comes_with_the_package(tmp_path):
    """Pytest finds the fixtures in any folder without configuration."""
    (tmp_path / "test_mine.py").write_text(OUTSIDERS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 failed, 2 passed" in done.stdout
    assert "FAILED test_mine.py::test_that_fails" in done.stdout


def test_plugin_imports_nothing_of_weight():
    """A run of pytest that uses none of the fixtures does not import our libraries."""
    program = "import sys, c4_referee.testing.plugin; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    heavy = {"pydantic", "orjson", "rich", "c4_referee.bots.spec"}
    assert "c4_referee.testing.plugin" in done.stdout.split()
    assert not heavy & set(done.stdout.split())


def test_scripted_game_goes_as_written():
    """Two scripted bots play a game as their scripts say."""
    record = ended(scripted([0, 0], name="a"), scripted([1, 1], name="b"), Variant(3, 2, 2))
    assert (record.moves, record.winner, record.ending) == ("121", 1, "line")


def test_lines_are_written_as_they_are():
    """A text is written as a line, a greeting comes first, and lone surrogates are bytes."""
    done = run(scripted(["any text", "\udcff"], greeting="hello\n"), QUESTION, QUESTION)
    assert done.stdout == b"hello\nany text\n\xff\n"


def test_actions_are_done_in_their_order():
    """The actions of an answer are done in order: write, complain, wait, exit."""
    actions = {"say": '{"mo', "complain": "hm", "wait": 0.01, "exit": 5, "move": 0}
    done = run(scripted([actions]), QUESTION, QUESTION)
    assert (done.stdout, done.stderr, done.returncode) == (b'{"mo', b"hm\n", 5)


def test_expected_questions_are_answered():
    """Questions that the script expects are answered."""
    done = run(scripted([0, 1], expecting=[QUESTION.decode()]), QUESTION, b"anything\n")
    assert [json.loads(line)["move"] for line in done.stdout.splitlines()] == [0, 1]
    assert done.returncode == 0


def test_other_question_ends_the_bot():
    """An unexpected question ends the bot, which writes both questions to standard error."""
    done = run(scripted([0], expecting=["this"]), b"that\n")
    assert (done.stdout, done.returncode) == (b"", 1)
    assert done.stderr == b"question 1 is that, not this\n"


def test_question_beyond_the_script_ends_the_bot():
    """A question beyond the script ends the bot with a message."""
    done = run(scripted([0]), QUESTION, QUESTION)
    assert (done.stdout, done.returncode) == (b'{"move": 0}\n', 1)
    assert done.stderr == b"question 2, but the script has 1 answers\n"


def test_signal_is_sent():
    """A scripted bot ends by the signal of its script."""
    assert run(misbehaving("killed"), QUESTION).returncode == -signal.SIGKILL


@pytest.mark.parametrize("kind", sorted(MISBEHAVIOURS))
def test_every_misbehaviour_forfeits(kind):
    """Each kind of misbehaving bot forfeits its first game against a good bot."""
    good = scripted([1, 1, 1], name="good")
    record = ended(misbehaving(kind), good, Variant(3, 3, 3), 100, 1500)
    assert (record.ending, record.winner) == ("forfeit", 2)


def test_unknown_misbehaviour_is_refused():
    """An unknown kind is refused with a list of the existing kinds."""
    with pytest.raises(UsageError, match=r"no misbehaviour 'rude': there are .*silent"):
        misbehaving("rude")


def test_settings_reach_the_spec():
    """All keys of a table [bots.NAME] can be set."""
    bot = misbehaving("silent", name="sphinx", time_ms=50, env={"HOME": os.devnull})
    assert (bot.name, bot.time_ms, bot.env) == ("sphinx", 50, {"HOME": os.devnull})
