"""``c4_referee.play_match`` as its caller sees it: report, errors, and no side effects."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from bots import LIGHT
from c4_protocol import ArenaError, Board, UsageError, VariantError
from c4_protocol.records.reports import Protection
from c4_protocol.rules.variant import LINE8
from c4_referee import BotSpec, MatchReport, play_match
from c4_referee.bots.contain.process_tree import children_of

CENTRE = f"sh {Path(__file__).parent.parent.parent / 'examples' / 'centre.sh'}"
GET_CHILD_SUBREAPER = 37
"""Option of prctl(2), from linux/prctl.h."""


def is_subreaper() -> bool:
    """Return whether this process adopts orphans."""
    value = ctypes.c_int()
    ctypes.CDLL(None).prctl(GET_CHILD_SUBREAPER, ctypes.byref(value), 0, 0, 0)
    return bool(value.value)


def test_report_is_that_of_the_first_bot():
    """The report counts the first bot's results, and ``on_game`` is called with every game."""
    told = []
    report = play_match(
        "c4-bot --plays needed --depth 6",
        LIGHT,
        games=4,
        seconds=60,
        concurrency=2,
        on_game=told.append,
    )
    assert isinstance(report, MatchReport)
    assert (report.games, report.wins, report.complete) == (4, 4, True)
    assert report.elo_low < report.elo < report.elo_high
    assert report.forfeits == {}
    assert len(told) == 4
    assert all(Board.from_moves(game.moves).winner == game.winner for game in told)
    assert [game.first for game in told].count("light.py") == 2


def test_variants_specs_and_openings_are_taken(scripted_bot):
    """Variants, bot specifications and openings are accepted as on the command line."""
    bots = [
        scripted_bot([{"move": [0, row]}, {"move": [1, row]}], name=name)
        for name, row in (("a", 3), ("b", 5))
    ]
    for variant in ("line8", LINE8):
        report = play_match(*bots, games=1, variant=variant, seconds=60)
        sandboxed = [bot.name for bot in bots if bot.is_sandboxed]
        assert report.protection == Protection(sandboxed, [])
        assert report.forfeits == {"a": {"exited": 1}}
    told = []
    play_match(CENTRE, CENTRE, openings="random:2", seed=3, on_game=told.append)
    assert [len(game.opening) for game in told] == [2, 2]


def test_kept_match_goes_on(tmp_path):
    """A folder stores the games, and the next call plays only the missing ones."""
    told = []
    for games in (2, 4):
        report = play_match(
            CENTRE, LIGHT, games=games, seconds=60, out=str(tmp_path / "kept"), on_game=told.append
        )
        assert report.games == games
    assert len(told) == 4


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({"first": "c4-bot --level 11"}, UsageError, "'11' is not possible"),
        ({"second": "c4-bot --plays blocker"}, UsageError, "plays only games without gravity"),
        ({"first": "no-such-bot"}, UsageError, "no-such-bot"),
        (
            {"first": BotSpec(name="a", command="sh a.sh", time_ms=-1.0)},
            UsageError,
            "bot 'a': time_ms: input should be greater than 0",
        ),
        ({"first": "sh -c 'unclosed"}, UsageError, "unclosed"),
        ({"games": 0}, UsageError, "games is a whole number from 1 to"),
        ({"first": BotSpec("a" * 201, ("sh",))}, UsageError, "it has 201 characters"),
        ({"concurrency": 0}, UsageError, "concurrency is a whole number from 1 to"),
        ({"seconds": 0}, UsageError, "more than 0 seconds, not 0"),
        ({"first": "a\0b"}, UsageError, "there is a NUL character in it"),
        ({"variant": "8x"}, VariantError, "8x"),
        ({"games": 3, "openings": "random:2"}, UsageError, "3 games"),
        ({"openings": "no/such/file"}, UsageError, "no/such/file"),
        (
            {"first": BotSpec("mine", "sh a.sh"), "second": BotSpec("mine", "sh b.sh")},
            UsageError,
            "two different bots are named 'mine'",
        ),
    ],
)
def test_mistake_is_refused_in_one_line(arguments, error, reason):
    """Each mistake raises its own exception, which says in one line what is wrong.

    ``test_public_arguments.py`` has values of other types.
    """
    with pytest.raises(error, match=reason) as caught:
        play_match(**{"first": CENTRE, "second": LIGHT} | arguments)
    assert isinstance(caught.value, ArenaError)
    assert "\n" not in str(caught.value)


@pytest.mark.linux
def test_caller_is_left_as_it_was():
    """A match leaves no child, and does not change the caller's own child and signal handlers."""
    before = children_of(os.getpid())
    with subprocess.Popen(["sleep", "600"]) as own:
        handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
        subreaper = is_subreaper()
        play_match(CENTRE, LIGHT, seconds=60)
        assert own.poll() is None
        assert children_of(os.getpid()) == before | {own.pid}
        assert handlers == {number: signal.getsignal(number) for number in signal.valid_signals()}
        assert is_subreaper() == subreaper
        own.kill()


def test_error_of_the_caller_ends_the_match():
    """An exception of ``on_game`` is raised by ``play_match``, and no process is left."""
    before = children_of(os.getpid())

    def fail(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play_match(CENTRE, LIGHT, games=1000, seconds=60, on_game=fail)
    assert children_of(os.getpid()) == before


def test_matches_in_threads():
    """Two threads can play matches at the same time, although only the main one gets signals."""
    reports = []
    threads = [
        threading.Thread(target=lambda: reports.append(play_match(CENTRE, LIGHT, seconds=60)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.games for report in reports] == [2, 2]


def test_typed_program_needs_no_main_guard():
    """Lines that are typed into Python can play a match. They run only once."""
    program = "from c4_referee import play_match\nprint('once')\n"
    program += f"print(play_match({CENTRE!r}, {LIGHT!r}, seconds=60).games)\n"
    done = subprocess.run(
        [sys.executable, "-i", "-q"], input=program, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["once", "2"]


@pytest.mark.linux
def test_interrupt_is_raised_and_ends_all_bots(mark, wait_until):
    """Ctrl-C raises ``KeyboardInterrupt``, and then no process of the match is left."""
    program = f"""
import signal
from c4_referee import play_match
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
print("go", flush=True)
try:
    bot = {sys.executable!r} + " -c 'import time; time.sleep(600)'"
    play_match(bot, {LIGHT!r}, seconds=600, concurrency=2)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=mark.environment,
    ) as caller:  # fmt: skip
        assert caller.stdout.readline() == b"go\n"
        # The caller, two workers and their bots: Python ignores signals in its callbacks of a fork.
        assert wait_until(lambda: len(mark.bearers()) == 7)
        caller.send_signal(signal.SIGINT)
        assert caller.stdout.readline() == b"interrupted\n"
        assert mark.bearers() == {caller.pid}
        caller.communicate(b"\n")
