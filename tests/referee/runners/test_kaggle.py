"""The runner of Kaggle agents, in this process and as a program."""

import io
import json
import subprocess

import pytest
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.records.messages import Clock
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import DIRECTIONS, Variant
from c4_referee.runners.kaggle import (
    MAX_LOG_LENGTH,
    AttributeDict,
    InvalidAnswer,
    LimitedLog,
    UnknownRules,
    ask_agent,
    column_of,
    observation_of,
    times_of,
)
from kaggle_agents import CASES, COMMAND, write_agent

EMPTY = RefereeEnd().write_precept(Position())


def run(path, stdin=EMPTY, cwd=None):
    """Run the agent in a file and return the finished process."""
    return subprocess.run(
        [*COMMAND, str(path)], input=stdin, capture_output=True, check=False, cwd=cwd
    )


def run_source(tmp_path, source, stdin=EMPTY):
    """Run an agent with this source and return the finished process."""
    (tmp_path / "agent.py").write_text(source)
    return run(tmp_path / "agent.py", stdin)


def precept(variant="standard", cells=(), time=None, **changes):
    """Return a decoded precept after moves in these cells."""
    position = Position(Variant.parse(variant))
    for cell in cells:
        position = position.play(cell)
    return json.loads(RefereeEnd().write_precept(position, time)) | changes


@pytest.mark.parametrize("name", CASES)
def test_agent_answers_the_empty_board(tmp_path, name):
    """An agent plays its column, or the runner ends with exit code 1 and says why."""
    done = run(write_agent(tmp_path, name))
    column = CASES[name][1]
    if done.returncode:
        assert (column, done.stdout) == (None, b"")
        assert done.stderr.strip()
    else:
        (move,) = json.loads(done.stdout).values()
        assert move == (column if column is not None else move)
        assert column is not None or not 0 <= move < 7


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("returns text", "the agent returned '3' of <class 'str'>: INVALID on Kaggle"),
        ("returns integer of numpy", "returned np.int64(3) of <class 'numpy.int64'>: INVALID"),
        ("returns true", "returned True of <class 'bool'>: INVALID on Kaggle"),
        ("returns None", "the agent returned None: Kaggle plays column 0"),
        ("fails", 'agent.py", line 2, in agent'),
        ("fails", "ZeroDivisionError: "),
        ("syntax", "SyntaxError"),
        ("nothing", "defines no function"),
        ("own process", "noise"),
    ],
)
def test_reasons_are_on_standard_error(tmp_path, name, words):
    """Standard error names the cause, and holds what the agent printed."""
    done = run(write_agent(tmp_path, name))
    errors = done.stderr.decode()
    assert done.returncode == (name not in {"returns None", "own process"})
    assert words in errors
    assert "kaggle.py" not in errors


def test_prints_are_limited(tmp_path):
    """An agent that prints without end for a move does not fill the pipe."""
    done = run(write_agent(tmp_path, "prints"))
    assert done.stderr == b"noise\n" + b"noise" * (MAX_LOG_LENGTH // 5)


def test_reason_is_written_after_the_limit_of_prints(tmp_path):
    """The reason is written even if the agent has printed as much as it may."""
    source = "def agent(obs):\n    print('x' * 99999)\n    raise ValueError('too deep')\n"
    assert run_source(tmp_path, source).stderr.endswith(b"ValueError: too deep\n")


def test_log_has_room_for_each_move():
    """Every move has its own limit."""
    file = io.TextIOWrapper(io.BytesIO())
    log = LimitedLog(file)
    assert log.write("x" * (MAX_LOG_LENGTH + 5)) == MAX_LOG_LENGTH + 5
    assert log.write("y") == 1
    log.clear()
    log.write("z")
    assert file.buffer.getvalue() == b"x" * MAX_LOG_LENGTH + b"z"  # it is written immediately


def test_agent_gets_nothing_on_standard_input(tmp_path):
    """An agent that reads standard input does not get precepts."""
    source = "import sys\ndef agent(obs):\n    return len(sys.stdin.read()) + obs.step\n"
    with_mark = b"\xef\xbb\xbf" + EMPTY.replace(b"\n", b"\r\n")
    done = run_source(tmp_path, source, EMPTY + b"\n" + with_mark + b":exit\nx\n")
    assert (done.stdout, done.stderr, done.returncode) == (b'{"move":0}\n' * 2, b"", 0)


def test_folder_of_the_runner_is_not_searched(tmp_path):
    """An agent that imports a module named like the runner's file does not find the runner."""
    source = "import kaggle\ndef agent(obs):\n    return 3\n"
    assert b"No module named 'kaggle'" in run_source(tmp_path, source).stderr
    (tmp_path / "kaggle.py").touch()
    assert run("agent.py", cwd=tmp_path).stdout == b'{"move":3}\n'


def test_missing_words_are_a_usage_error():
    """Without an agent the runner says how it is used."""
    done = subprocess.run(COMMAND, capture_output=True, check=False)
    assert (done.returncode, done.stderr[:6]) == (2, b"usage:")


def test_observation_is_row_by_row():
    """The board begins at the top left, and the mark is the player to move."""
    observation = observation_of(precept("3x2x3", (3,)))
    assert observation == {"step": 1, "board": [0, 0, 0, 0, 1, 0], "mark": 2}
    assert observation.board is observation["board"]
    observation.mark = 1
    assert observation["mark"] == 1


def test_player_may_be_missing():
    """As in other precepts, the player with fewer stones is to move."""
    grids = [[[0, 0], [0, 1]], [[0, 2], [0, 1]], [[0, 2], [0, 0]]]
    assert [observation_of({"grid": grid}).mark for grid in grids] == [2, 1, 1]


@pytest.mark.parametrize(
    ("time", "own_moves", "seconds"),
    [
        (None, 21, (2, 60)),
        (2000, 21, (2, 0)),
        (100.5, 21, (0.1005, 0)),
        (Clock(60_000), 21, (3, 57)),
        (Clock(60_000, 500), 10, (6.5, 53.5)),
        (Clock(60_000, 500), 1, (60, 0)),
        (Clock(60_000), 0, (60, 0)),
        (Clock(0), 5, (0, 0)),
    ],
)
def test_times_are_those_of_the_referee(time, own_moves, seconds):
    """A time for the move has no overage time; the times of a clock add up to its time."""
    assert times_of(precept(time=time), own_moves) == seconds


def test_clock_is_divided_among_own_moves():
    """After 2 of 20 stones, an agent has 9 moves left."""
    assert (
        ask_agent(lambda obs, config: config.actTimeout, precept("5x4x3", (0, 5), Clock(9000)), "")
        == 1
    )


def test_agent_sees_the_settings():
    """The configuration has Kaggle's names, with the times and sizes of this game."""
    seen = []
    agent = lambda obs, config: seen.append((obs, config)) or 1  # noqa: E731
    assert ask_agent(agent, precept("5x4x3", (0, 5), time=500), "a.py") == 1
    ((observation, configuration),) = seen
    assert (observation.remainingOverageTime, observation.step) == (0, 2)
    assert isinstance(configuration, AttributeDict)
    assert configuration == {
        "episodeSteps": 1000,
        "actTimeout": 0.5,
        "runTimeout": 1200,
        "columns": 5,
        "rows": 4,
        "inarow": 3,
        "agentTimeout": 0,
        "timeout": 0.5,
        "__raw_path__": "a.py",
    }


@pytest.mark.parametrize(
    "changes", [{"gravity": False}, {"steal": True}, {"directions": ["vertical", "diagonal"]}]
)
def test_other_rules_are_refused(changes):
    """A game that is not ConnectX is refused, as the agent cannot know its rules."""
    with pytest.raises(UnknownRules):
        ask_agent(lambda: 3, precept(**changes), "a.py")
    usual = {"gravity": True, "steal": False, "directions": DIRECTIONS}
    assert ask_agent(lambda: 3, precept(**usual), "a.py") == 3


def test_answer_that_fails_to_describe_itself_is_invalid():
    """An answer is invalid, too, if its description as a text fails."""

    class Strange:
        def __repr__(self):
            raise ValueError

    with pytest.raises(InvalidAnswer, match="Strange"):
        column_of(Strange())


def test_agent_that_interrupts_itself_is_an_error(tmp_path):
    """An agent that raises KeyboardInterrupt ends with exit code 1, not as if by a signal."""
    done = run_source(tmp_path, "def agent(seen, rules): raise KeyboardInterrupt\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.endswith(b"KeyboardInterrupt\n")
    assert b"c4_referee" not in done.stderr


def test_agent_may_replace_functions_of_modules(tmp_path):
    """An agent that replaces functions of the module json does not disturb the protocol."""
    source = "import json\njson.loads = json.dumps = None\n\ndef agent(seen): return 3\n"
    assert run_source(tmp_path, source).stdout == b'{"move":3}\n'
