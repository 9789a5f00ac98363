"""``c4-bot`` as real drivers use it."""

import json
import subprocess

import pytest
from commands import SCRIPTS

GOOD = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'
BROKEN = {
    "not JSON": b"hello",
    "number out of range": b'{"grid":[[0,0],[0,99999999999999999999999]]}',
    "board too large": b'{"grid":[' + b",".join([b"[0]"] * 65) + b"]}",
    "10 MB": b'{"grid":[[' + b"0," * 5_000_000 + b"0]]}",
    "10 MB without sense": b"9" * 10_000_000,
    "invalid UTF-8": b'{"grid":[[0,0],[0,0]],"note":"\xff\xfe"}',
    "nested too deep": b'{"grid":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "no gravity for needed": b'{"grid":[[0,0],[0,0]],"gravity":false}',
}
"""Lines that no transcript can show. ``tests/dialects/transcripts`` has the others."""


def moves(stdout: bytes) -> list[object]:
    """Return the moves of an output, which must consist of ``{"move":N}`` lines."""
    answers = [json.loads(line) for line in stdout.splitlines()]
    assert all(list(answer) == ["move"] for answer in answers)
    assert stdout == b"".join(b'{"move":%d}\n' % answer["move"] for answer in answers)
    return [answer["move"] for answer in answers]


def test_broken_lines_are_refused_and_the_next_is_answered(c4_bot):
    """Each broken line gets one line on standard error, and the next line is answered."""
    stdin = b"".join(line + b"\n" + GOOD for line in BROKEN.values())
    done = c4_bot("--plays", "needed", "--depth", "2", stdin=stdin)
    reasons = done.stderr.decode().splitlines()
    assert len(moves(done.stdout)) == len(BROKEN)
    assert len(reasons) == len(BROKEN)
    assert done.returncode == 1
    for number, reason in enumerate(reasons):
        assert reason.startswith(f"c4-bot: line {2 * number + 1}: ")
        assert len(reason) < 350


def test_answers_come_before_the_input_ends():
    """Each answer is flushed, so that a driver gets it before it sends the next line."""
    command = [SCRIPTS / "c4-bot", "--depth", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        for _ in range(3):
            bot.stdin.write(GOOD)
            bot.stdin.flush()
            assert json.loads(bot.stdout.readline())["move"] in range(4)
        bot.stdin.close()
        assert bot.wait() == 0


@pytest.mark.parametrize("budget", ['"time_ms":30', '"clock":{"remaining_ms":300}'])
@pytest.mark.parametrize("plays", ["strong", "needed"])
def test_a_budget_ends_a_hopeless_search(c4_bot, plays, budget):
    """A time limit in a precept ends a search that would take for ever."""
    precept = b'{"grid":%s,%s}\n' % (json.dumps([[0] * 8] * 8).encode(), budget.encode())
    arguments = ("--plays", plays, "--depth", "60", "--set", "centre_first=false")
    done = c4_bot(*arguments, stdin=precept, timeout=300)
    assert len(moves(done.stdout)) == 1


@pytest.mark.weekly
def test_time_is_used_where_it_is_given(c4_bot):
    """A time limit above the player's own second is used. Without a limit, the second is."""
    precept = b'{"grid":%s%s}\n'
    empty = json.dumps([[0] * 9] * 9).encode()
    stdin = precept % (empty, b"") + precept % (empty, b',"time_ms":1600')
    answers = c4_bot("--info", stdin=stdin).stdout.splitlines()
    own, given = (json.loads(answer)["info"]["ms"] for answer in answers)
    assert own > 500  # a busy machine makes both times longer, but never shorter
    assert given > 1000


def test_players_are_listed(c4_bot):
    """--list names every player. With --json it also has the data that scripts need."""
    names = [line.split()[0] for line in c4_bot("--list").stdout.decode().splitlines()]
    players = json.loads(c4_bot("--list", "--json").stdout)
    assert {"random", "needed", "strong", "perfect"} <= set(names)
    assert [player["name"] for player in players] == names
    keys = {"name", "summary", "source", "variants", "search", "evaluation", "parameters"}
    assert all(keys <= set(player) for player in players)


@pytest.mark.linux  # only Linux limits memory in this way
def test_too_little_memory_is_told_in_one_line():
    """Too little memory causes one line on standard error, no answer, and exit code 1."""
    script = f"ulimit -d 60000; exec {SCRIPTS}/c4-bot --time-ms 300"
    done = subprocess.run(["sh", "-c", script], input=GOOD, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"c4-bot: there is not enough memory to play\n"


def test_help_shows_examples_that_work(c4_bot):
    """The precept in --help is answered."""
    text = c4_bot("--help").stdout.decode()
    precept = text.partition("echo '")[2].partition("'")[0]
    assert len(moves(c4_bot("--depth", "3", stdin=precept.encode()).stdout)) == 1
