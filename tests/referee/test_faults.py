"""Every fault is reached by a real child process, and told with its reason and its line."""

import pytest

from protocol.records import GameEnded
from protocol.variant import STANDARD
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.contestant import Contestant
from referee.faults import Fault
from referee.game import play
from referee.process import CLOSING_SECONDS

LATE = "no whole line within 1250 ms, start-up and grace included"
CASES = [
    ("exits_at_once", Fault.EXITED, 0, "with code 3; its last words: no such model", None),
    ("exits_later", Fault.EXITED, 2, "with code 0", None),
    ("killed", Fault.KILLED, 0, "signal 9", None),
    ("answers_then_exits", Fault.KILLED, 2, "signal 9", None),
    ("exits_under_a_daemon", Fault.EXITED, 0, "with code 7", None),
    ("exits_talking", Fault.EXITED, 0, "with code 7; its last words: so long", None),
    ("writes_escapes", Fault.EXITED, 0, "with code 1; its last words: \\x1b[2Jgoodbye", None),
    ("silent", Fault.LATE, 0, LATE, None),
    ("dribbles", Fault.LATE, 0, LATE, "{ { {"),
    ("blank_lines", Fault.LATE, 0, LATE, None),
    ("endless_line", Fault.LINE_TOO_LONG, 0, "the line is longer than 65536 bytes", "99999"),
    ("two_lines", Fault.UNASKED, 2, "there was output before the question", '{"move": 0}'),
    ("closes_stdout", Fault.CLOSED_OUTPUT, 0, "while still running", None),
    ("closes_stdin", Fault.CLOSED_INPUT, 2, "while still running", None),
    ("full_column", Fault.ILLEGAL_MOVE, 6, "column 0 is full", '{"move":0}'),
    ("column_7", Fault.ILLEGAL_MOVE, 0, "column 7 is not on the board (0 to 6)", '{"move":7}'),
    ("column_minus_1", Fault.ILLEGAL_MOVE, 0, "column -1 is not on the board", '{"move":-1}'),
    ("half_a_column", Fault.ILLEGAL_MOVE, 0, '"move" is neither a column nor', '{"move":3.5}'),
    ("column_text", Fault.ILLEGAL_MOVE, 0, '"move" is neither a column nor', '{"move":"3"}'),
    ("column_null", Fault.ILLEGAL_MOVE, 0, '"move" is neither a column nor', '{"move":null}'),
    ("column_true", Fault.ILLEGAL_MOVE, 0, '"move" is neither a column nor', '{"move":true}'),
    ("column_list", Fault.ILLEGAL_MOVE, 0, '"move" is neither a column nor', '{"move":[3]}'),
    ("cell", Fault.ILLEGAL_MOVE, 0, "move [3, 5] names a row", '{"move":[3,5]}'),
    ("no_move", Fault.BAD_LINE, 0, 'the answer has no "move"', '{"column":3}'),
    ("bare_number", Fault.BAD_LINE, 0, "a JSON number, not an object", "3"),
    ("prose", Fault.BAD_LINE, 0, "not JSON", "I play in the middle"),
    ("cut_off", Fault.BAD_LINE, 0, "not JSON", '{"move":'),
    ("not_utf8", Fault.BAD_LINE, 0, "not JSON", '{"move":3,"info":"\\xff"}'),
]


def game(first: BotSpec, second: BotSpec, move_ms: float = 200) -> GameEnded:
    """Plays one game and returns its record."""
    control = TimeControl(move_ms)
    with Contestant(first) as one, Contestant(second) as two:
        *_, end = play(1, STANDARD, (one, two), (control, control))
    assert isinstance(end, GameEnded)
    return end


@pytest.mark.parametrize(
    ("kind", "fault", "ply", "detail", "line"), CASES, ids=[case[0] for case in CASES]
)
def test_fault_forfeits_and_is_told(bot, monkeypatch, kind, fault, ply, detail, line):
    """The game is lost for the reason, at the ply and with the line that the bot deserves."""
    monkeypatch.setattr("referee.contestant.STARTUP_MS", 1000)
    end = game(bot(kind), bot("good"))
    assert (end.winner, end.ending, end.first) == (2, "forfeit", kind)
    assert (end.fault.bot, end.fault.fault, end.fault.ply) == (kind, fault.value, ply)
    assert end.fault.detail.startswith(detail)
    if line is None:
        assert end.fault.line is None
    else:
        assert end.fault.line.startswith(line)


def test_bot_that_cannot_start_forfeits(bot, tmp_path):
    """A program that is no program loses its game, and the referee lives on."""
    program = tmp_path / "program"
    program.write_bytes(b"\x00")
    program.chmod(0o755)
    end = game(bot("good"), bot("silent", command=[str(program)]))
    assert end.winner == 1
    assert end.fault.fault == Fault.FAILED_TO_START.value
    assert "Exec format error" in end.fault.detail


def test_greeting_forfeits(bot):
    """A line nobody asked for is a fault, whether it is found before the question or after."""
    end = game(bot("banner"), bot("good"))
    assert end.fault.fault in {Fault.UNASKED.value, Fault.BAD_LINE.value}
    assert end.fault.line.startswith("Connect Four bot 1.0")


def test_every_fault_is_reached():
    """No fault lacks a child process that commits it."""
    elsewhere = {Fault.FAILED_TO_START}
    assert {case[1] for case in CASES} | elsewhere == set(Fault)


def test_fault_is_timed_without_the_time_to_stop(bot):
    """The milliseconds are the bot's own: not those that it then took to end it."""
    end = game(bot("stubborn_cheat"), bot("good"))
    assert end.fault.fault == Fault.ILLEGAL_MOVE.value
    assert end.fault.ms < 1000 * CLOSING_SECONDS


def test_used_up_clock_loses(bot):
    """On a game clock the grace is given once: a clock at nothing has lost at the next question."""
    control = TimeControl.parse("0.00001")
    with Contestant(bot("good")) as one, Contestant(bot("good")) as two:
        *_, end = play(1, STANDARD, (one, two), (control, control))
    assert end.fault.fault == Fault.LATE.value
    assert end.fault.detail == "its clock is used up"


def test_start_up_is_not_charged_to_the_clock(bot):
    """A bot that takes longer to start than its clock allows still plays its game."""
    control = TimeControl.parse("0.3+0.1")
    slow = bot("starts_slowly")
    with Contestant(slow) as one, Contestant(bot("good")) as two:
        *_, end = play(1, STANDARD, (one, two), (control, control))
    assert end.fault is None


def test_late_answer_costs_the_game_in_time(bot, monkeypatch):
    """A hung bot is given up when its time and the grace are over, not a minute later."""
    monkeypatch.setattr("referee.contestant.STARTUP_MS", 0)
    end = game(bot("silent"), bot("good"))
    assert 200 <= end.fault.ms < 10_000


def test_talkative_bot_is_not_blocked(bot):
    """Megabytes on standard error neither block a bot nor cost it the game."""
    end = game(bot("floods_stderr"), bot("good"), move_ms=5000)
    assert end.fault is None
    assert end.ending == "line"
