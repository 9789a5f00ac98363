"""Every fault is committed by a real child process, and recorded with its reason and its line."""

import re
import resource
import runpy
import select
import sys
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.faults import Fault, Policy
from c4_referee.bots.contain.process import CLOSING_SECONDS, BotProcess
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.channel import Channel
from played import PATIENT, played
from waiting import wait_for

ROOT = Path(__file__).parent.parent.parent.parent.parent
MISBEHAVING = ROOT / "tests" / "bots" / "misbehaving.py"
OPEN_FILES = Path("/proc/self/fd")
CASES = [
    ("exits_at_once", Fault.EXITED, 0, None),
    ("exits_later", Fault.EXITED, 2, None),
    ("killed", Fault.KILLED, 0, None),
    ("answers_then_exits", Fault.KILLED, 2, None),
    ("exits_under_a_daemon", Fault.EXITED, 0, None),
    ("exits_talking", Fault.EXITED, 0, None),
    ("writes_escapes", Fault.EXITED, 0, None),
    ("silent", Fault.LATE_FIRST, 0, None),
    ("silent_with_a_reason", Fault.LATE_FIRST, 0, None),
    ("dribbles", Fault.LATE_FIRST, 0, "{ { {"),
    ("blank_lines", Fault.LATE_FIRST, 0, None),
    ("falls_asleep", Fault.LATE, 2, None),
    ("floods_stderr_only", Fault.STDERR_FLOOD, 0, None),
    ("endless_line", Fault.LINE_TOO_LONG, 0, "99999"),
    ("two_lines", Fault.MORE_LINES, 2, '{"move": 0}'),
    ("closes_stdout", Fault.CLOSED_OUTPUT, 0, None),
    ("closes_stdin", Fault.CLOSED_INPUT, 2, None),
    ("full_column", Fault.ILLEGAL_MOVE, 6, '{"move":0}'),
    ("column_7", Fault.ILLEGAL_MOVE, 0, '{"move":7}'),
    ("column_minus_1", Fault.ILLEGAL_MOVE, 0, '{"move":-1}'),
    ("half_a_column", Fault.ILLEGAL_MOVE, 0, '{"move":3.5}'),
    ("column_text", Fault.ILLEGAL_MOVE, 0, '{"move":"3"}'),
    ("column_null", Fault.ILLEGAL_MOVE, 0, '{"move":null}'),
    ("column_true", Fault.ILLEGAL_MOVE, 0, '{"move":true}'),
    ("column_list", Fault.ILLEGAL_MOVE, 0, '{"move":[3]}'),
    ("cell", Fault.ILLEGAL_MOVE, 0, '{"move":[3,5]}'),
    ("no_move", Fault.BAD_LINE, 0, '{"column":3}'),
    ("bare_number", Fault.BAD_LINE, 0, "3"),
    ("prose", Fault.BAD_LINE, 0, "I play in the middle"),
    ("cut_off", Fault.BAD_LINE, 0, '{"move":'),
    ("not_utf8", Fault.BAD_LINE, 0, '{"move":3,"info":"\\xff"}'),
]
"""Kinds of bots, their faults with the number of moves before them, and the lines in the records.
docs/faults.md has the details."""
LIMITED = [
    ("memory_hog", {"memory_mb": 200}, Fault.OUT_OF_MEMORY),
    ("quiet_memory_hog", {"memory_mb": 800}, Fault.OUT_OF_MEMORY),
    ("huge_file", {"file_mb": 1}, Fault.WROTE_OUTSIDE),
    ("fork_bomb", {}, Fault.TOO_MANY_PROCESSES),
    ("daemon_bomb", {}, Fault.TOO_MANY_PROCESSES),
]
"""Kinds of bots that exceed a limit, with the keys of their tables."""


OTHERS = {
    Fault.FAILED_TO_START: "is not a program that the system can start",
    Fault.UNASKED: "writes a line before the first question",
    Fault.CLOCK_USED_UP: "has used all the time of its clock for the game",
    Fault.IGNORED_THE_END: "does not end when its input is closed",
    Fault.NO_ROOM: "cannot be started, because the machine has no room for another process",
    Fault.WROTE_TOO_MUCH: "writes more to files than it may write in all",
    Fault.WITHDRAWN: "no longer takes part when the tournament is resumed",
    Fault.LOST_WORKERS: "is, with `--strict`, the only bot in all games whose worker process "
    "ended, hung or wrote a wrong record",
    Fault.PONDERED: "thinks in its opponent's turns, in 5 of those in which it is watched, unless "
    "`freeze` is set; it is halted there ([details](tournament.md#other-peoples-programs))",
    Fault.STARVED: "is late, had a processor for at most half of its time, and its opponent used "
    "one for a tenth of this time; in the second try, it is late",
    Fault.MISUSED: "is `c4-bot`, and ends with exit code 2 before its first answer: an option is "
    "wrong, or its player does not play the variant",
    Fault.CHANGED_FILES: "changes its program, or a file of its `folder`, while the contest runs",
}
"""Faults that need special games, and their causes."""


LATE = {
    Fault.LATE: TimeControl(200, startup_ms=60_000),
    Fault.LATE_FIRST: TimeControl(200, startup_ms=1000),
}
"""Times of bots that are late, by their faults. All other bots have as much time as they need."""


class WaitingChannel(Channel):
    """Channel whose deadlines pass when the bot has done what a test waits for."""

    def __init__(self, awaited: Callable[[Channel], object], process: BotProcess) -> None:
        super().__init__(process)
        self._awaited = awaited

    def receive(self, deadline: float) -> bytes:
        """Return the next line, or raise ``DeadlinePassed`` if there is none."""
        assert wait_for(lambda: self._awaited(self))
        self._awaited = bool  # once is enough
        return super().receive(time.monotonic() - 1)


def waiting_for(line: str) -> Callable[[BotProcess], Channel]:
    """Return a function that makes channels, which wait for a text of the bot."""
    return partial(WaitingChannel, lambda channel: line.encode() in channel.pending_output())


def channels_of(kind: str, fault: Fault, line: str | None) -> Callable[[BotProcess], Channel]:
    """Return a function that makes channels to this kind of bot."""
    if kind == "exits_under_a_daemon":  # which keeps its pipes open
        return partial(WaitingChannel, lambda channel: channel._process.wait(0) is not None)
    return waiting_for(line) if fault in LATE and line else Channel


def game(first: BotSpec, second: BotSpec, fault: Fault | None = None) -> GameEnded:
    """Play one game in which the first bot may have to be late. Return its record."""
    return played(first, second, LATE.get(fault, PATIENT), other=PATIENT)


@pytest.mark.parametrize(("kind", "fault", "ply", "line"), CASES, ids=[case[0] for case in CASES])
def test_fault_forfeits_and_is_told(bot, kind, fault, ply, line):
    """A fault forfeits the game, and is recorded with its ply and the bot's line."""
    late, connect = LATE.get(fault, PATIENT), channels_of(kind, fault, line)
    end = played(bot(kind), bot("good"), late, other=PATIENT, connect=connect)
    assert (end.winner, end.ending, end.first) == (2, "forfeit", kind)
    assert (end.fault.bot, end.fault.fault, end.fault.ply) == (kind, fault.value, ply)
    assert end.fault.line == line if line is None else end.fault.line.startswith(line)


@pytest.mark.parametrize("kind", ["blank_lines", "endless_line", "floods_stderr_only"])
def test_floods_take_no_memory(bot, kind):
    """The referee stores little of a flood of output."""
    tracemalloc.start()
    try:
        game(bot(kind), bot("good"), Fault.LATE_FIRST)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20


@pytest.mark.linux
def test_machine_without_room_is_nobodys_fault(bot):
    """If the machine cannot open more files, the game is void and may be played again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(OPEN_FILES.iterdir())), hard))
    try:
        end = game(bot("good"), bot("good"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (end.winner, end.ending) == (0, "void")
    assert (end.fault.fault, end.fault.policy) == (Fault.NO_ROOM.value, "retry")


def test_bot_that_cannot_start_forfeits(bot, tmp_path):
    """A bot that is not a program forfeits, and the referee continues."""
    program = tmp_path / "program"
    program.write_bytes(b"\x00")
    program.chmod(0o755)
    end = game(bot("good"), bot("silent", command=[str(program)]))
    assert end.winner == 1
    assert end.fault.fault == Fault.FAILED_TO_START.value
    assert "Exec format error" in end.fault.detail
    assert "#!/usr/bin/env python3" in end.fault.detail


def test_greeting_forfeits(bot):
    """A line before the first question forfeits the game."""

    def connect(process: BotProcess) -> Channel:
        """Wait for the greeting, and return a channel."""
        assert select.select([process.stdout], [], [], 60)[0]
        return Channel(process)

    end = played(bot("banner"), bot("good"), connect=connect)
    assert (end.winner, end.fault.fault, end.fault.ply) == (2, Fault.UNASKED.value, 0)
    assert end.fault.line.startswith("Connect Four bot 1.0")


def test_every_fault_is_reached():
    """Every fault has a bot in one of the tables, or is in ``OTHERS``."""
    assert {case[1] for case in CASES} | {case[2] for case in LIMITED} | set(OTHERS) == set(Fault)


def test_fault_is_timed_without_the_time_to_stop(bot):
    """The time of a fault does not include the time to stop the bot."""
    start = time.monotonic()
    end = game(bot("stubborn_cheat"), bot("good"))
    whole = time.monotonic() - start
    assert end.fault.fault == Fault.ILLEGAL_MOVE.value
    assert end.fault.ms / 1000 < whole - CLOSING_SECONDS


def test_used_up_clock_loses(bot):
    """A bot whose clock is at 0 loses at the next question, because grace is not extra time."""
    end = played(bot("good"), bot("good"), TimeControl.parse("0.00001"))
    assert end.fault.fault == Fault.CLOCK_USED_UP.value
    assert end.fault.detail == "its clock had nothing left"


def test_thinking_beyond_the_clock_loses(bot):
    """A bot that never answers loses as soon as its clock is used up."""
    end = played(bot("falls_asleep"), bot("good"), TimeControl.parse("0.3"))
    assert end.fault.fault == Fault.CLOCK_USED_UP.value
    assert end.fault.detail == "no whole line within 320 ms, grace included"


CHATTY = [
    ("uci", "input(); print('uciok')", "", "uciok"),
    ("uci", "input(); print('uciok'); print('info depth')", "", "info depth"),
    ("uci", "input(); print('uciok\\nbestm', end='')", "", "bestm"),
    (
        "theaigames",
        "[*map(input, ('',) * 10)]; print('place_disc 9')",
        "; it had to answer again: 9 would be column 10: moves are 0 to 6, columns 1 to 7",
        "place_disc 9",
    ),
]
"""Dialects, programs that write lines but no move, and what the fault says about these lines."""


@pytest.mark.parametrize(("dialect", "program", "detail", "line"), CHATTY)
def test_lines_without_a_move_are_not_silence(bot, dialect, program, detail, line):
    """The fault of a bot that wrote lines, but no move, does not say that nothing came."""
    script = f"{program}; import sys, time; sys.stdout.flush(); time.sleep(60)"
    spec = BotSpec("chatty", (sys.executable, "-S", "-E", "-c", script), dialect=dialect)
    end = played(spec, bot("good"), LATE[Fault.LATE_FIRST], connect=waiting_for(line))
    assert end.fault.fault == Fault.LATE_FIRST.value
    assert end.fault.detail == f"no move within 1220 ms, start-up and grace included{detail}"
    assert end.fault.line == line


def test_first_move_may_have_a_time_of_its_own(bot):
    """``first_ms`` is the time for the first answer. The bot makes no other move here."""
    control = TimeControl(100, first_ms=60_000, startup_ms=0)
    end = played(bot("starts_slowly"), bot("good"), control, Variant(1, 2), PATIENT)
    assert (end.fault, len(end.moves)) == (None, 2)


@pytest.mark.linux
def test_processor_time_tells_a_slow_bot_from_a_busy_machine(bot):
    """Processor time distinguishes a late bot that sleeps from one that computes."""
    asleep = game(bot("falls_asleep"), bot("good"), Fault.LATE).fault
    at_work = game(bot("computes_for_ever"), bot("good"), Fault.LATE).fault
    assert asleep.fault == at_work.fault == Fault.LATE.value
    assert asleep.cpu_ms < at_work.cpu_ms
    assert asleep.cpu_ms < asleep.ms


def test_bot_that_ignores_the_end_keeps_its_win(bot):
    """A fault after the end of a game is noted, and does not change the result."""
    end = game(bot("ignores_the_end"), bot("good"))
    assert (end.winner, end.ending, end.fault) == (1, "line", None)
    (note,) = [note for note in end.notes if note.bot != "good"]
    assert (note.bot, note.fault) == ("ignores_the_end", Fault.IGNORED_THE_END.value)
    assert note.policy == "note"


def test_words_on_standard_error_are_kept_with_the_game(bot):
    """A game's record has the standard error of each bot that wrote any, without the middle.

    Megabytes neither block the bot nor lose it the game.
    """
    end = game(bot("floods_stderr"), bot("good"))
    assert (end.ending, end.fault) == ("line", None)
    assert list(end.stderr) == ["floods_stderr"]
    said = end.stderr["floods_stderr"]
    assert said.startswith("thinking thinking")
    assert said.endswith("thinking ")
    assert "bytes ...]" in said
    assert len(said) < 10_000


def test_start_up_is_not_charged_to_the_clock(bot):
    """A bot may take longer to start than its clock allows."""
    control = TimeControl.parse("0.3+0.1")
    assert played(bot("starts_slowly"), bot("good"), control, Variant(1, 2)).fault is None


ROWS = [
    *((kind, fault, {}) for kind, fault, *_ in CASES),
    *((kind, fault, settings) for kind, settings, fault in LIMITED),
]
INTRODUCTION = """\
# What bots do wrong, and what happens then

A bot with a fault of the first table loses the game. With `too many processes`, it is barred: it
loses its other games, too. The report shows the words of the last column, the game, the number of
moves before the fault, the time since the question, the processor time that the bot used in it, and
the beginning of its line. (The time for a move was 200 ms, with 20 ms of grace, and 1 s more for
the first answer.) [How to write a bot](PROTOCOL.md#what-loses-a-game) has a shorter list.

If a bot ends before its first move in a game, and its opponent has not moved yet, the referee asks
the opponent for a move. If it cannot start either, the game is void: it counts for neither bot. A
bot whose program cannot be run at all is barred, but loses only to opponents that have shown that
they can start. It keeps the games that it won before.

`pytest tests/referee/bots/contain/test_faults.py --refresh-golden` plays these games, and writes
this page.

| A bot that ... | Fault | The report says |
| --- | --- | --- |
"""
OTHERS_INTRODUCTION = """
These faults are possible, too:

| A bot that ... | Fault | What happens |
| --- | --- | --- |
"""


@pytest.mark.weekly
def test_table_of_faults_is_as_documented(bot, adopting, golden, tmp_path):
    """docs/faults.md shows what happens now, with a row for each kind of bot."""
    text, lines = INTRODUCTION, {case[0]: case[3] for case in CASES}
    rows = defaultdict[str, list[str]](list)
    for kind, fault, settings in ROWS:
        spec = bot(kind, env={"TARGET": str(tmp_path / "target")}, **settings)
        late, connect = LATE.get(fault, PATIENT), channels_of(kind, fault, lines.get(kind))
        end = played(spec, bot("good"), late, other=PATIENT, connect=connect)
        assert (end.winner, end.fault.fault) == (2, fault.value)
        barred = fault is Fault.TOO_MANY_PROCESSES
        assert fault.policy is (Policy.BAR if barred else Policy.FORFEIT)
        detail = re.sub("it has [0-9]+ processes", "it has 200 processes", end.fault.detail)
        rows[f"{end.fault.fault} | `{detail}`"].append(described(kind))
    for cells, kinds in rows.items():
        text += f"| {';<br>'.join(kinds)} | {cells} |\n"
    text += OTHERS_INTRODUCTION
    for fault, cause in OTHERS.items():
        text += f"| {cause} | {fault.value} | {CONSEQUENCES[fault.policy]} |\n"
    golden(ROOT / "docs" / "faults.md", text)


CONSEQUENCES = {
    Policy.FORFEIT: "loses the game",
    Policy.BAR: "loses the game and its other games",
    Policy.RETRY: "the game is played again",
    Policy.NOTE: "the result stays as it is",
    Policy.STOP: "the match or tournament ends with exit code 2",
}


def described(kind: str) -> str:
    """Return what a kind of bot does, from its docstring or its only answer."""
    module = runpy.run_path(str(MISBEHAVING))
    if kind in module["KINDS"]:
        (answer,) = (cell.cell_contents for cell in module["KINDS"][kind].__closure__)
        return f"always answers `{ascii(answer)[1:-1]}`"
    text = " ".join(module[kind].__doc__.split()).rstrip(".")
    return text[0].lower() + text[1:]
