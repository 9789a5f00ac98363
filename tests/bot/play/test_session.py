"""The loop of a bot: its dialect, its end and its exit code."""

import os

import orjson
import pytest
from c4_bot.contract import SHOWN_FORCED_WIN, Limits, Result
from c4_bot.play.clock import BUSY_DELAY_MS
from c4_bot.play.session import Session
from c4_bot.player.player import Player
from c4_bot.player.registry import build_player
from c4_protocol.dialects import bot_end, console
from c4_protocol.rules.notation import grid_of, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8
from cores import needs_core

PRECEPT = b'{"grid":[[0,0],[0,0]]}\n'


def serve(text: bytes, dialect: str | None = None, plays: str = "random") -> tuple[int, bytes]:
    """Run a session with some input. Return its exit code and its output."""
    session = Session(
        build_player(plays), bot_end(dialect) if dialect else None, Limits(depth=2), time_ms=50
    )
    (source, into), (out, sink) = os.pipe(), os.pipe()
    os.write(into, text)
    os.close(into)
    try:
        code = session.run(source, sink)  # its answers are shorter than the buffer of the pipe
    finally:
        os.close(sink)
        os.close(source)
    with os.fdopen(out, "rb") as answers:
        return code, answers.read()


def test_dialect_does_not_change():
    """A line of another dialect than the first line's is refused."""
    code, output = serve(b"isready\n" + PRECEPT + b"isready\n")
    assert (code, output) == (1, b"readyok\nreadyok\n")
    code, output = serve(PRECEPT + b"isready\n" + PRECEPT)
    assert code == 1
    assert output.count(b'{"move":') == 2
    assert b"readyok" not in output


def test_broken_first_line_belongs_to_the_default_dialect(capfd):
    """A broken first line is refused, and the next line is answered in the default dialect."""
    code, output = serve(b'{"grid":[[0,\n' + PRECEPT)
    assert code == 1
    assert output.count(b"\n") == 1
    assert capfd.readouterr().err.startswith("c4-bot: line 1: not JSON")


@pytest.mark.parametrize(
    ("text", "dialect", "answers"),
    [
        (b":exit\n" + PRECEPT, None, b""),
        (b"isready\nquit\nisready\n", None, b"readyok\nquitting\n"),
        (b"isready\n", "c4engine", b"readyok\n"),
        (b"", None, b""),
        (b"", "jsonl", b""),
    ],
)
def test_conversation_ends_with_the_last_command_or_the_input(text, dialect, answers):
    """Nothing is read after the last command. The exit code is 0 there and at the end of input."""
    assert serve(text, dialect) == (0, answers)


def test_input_that_ends_too_early_is_an_error():
    """A console game whose input ends too early prints an error, and the exit code is 1."""
    for text in (b"", b"5\n", b"5\no\nd4\n"):
        code, output = serve(text, "console")
        assert code == 1
        assert output.startswith(console.TIME_PROMPT.encode())
        assert output.endswith(b"\nThe input has ended before the game.\n")


def test_no_player_is_asked_about_a_game_that_is_won():
    """If lines of all lengths are complete, a legal move is answered without asking the player."""

    class Refusing:
        """A player that fails if it is asked."""

        evaluator = None

        def bounded(self, limits: Limits) -> Limits:
            raise AssertionError

    session = Session(Refusing())
    answer = session.answer(b'{"grid":[%s]}' % b",".join([b"[0,0,2,1]"] * 52))
    assert answer.startswith(b'{"move":')


@pytest.mark.parametrize(
    ("delay_ms", "threads"), [(0.0, 4), (BUSY_DELAY_MS, 4), (BUSY_DELAY_MS + 1, 1)]
)
def test_one_thread_searches_while_other_processes_are_busy(delay_ms, threads):
    """On a busy machine, a search has one thread, because each thread may have to wait."""
    seen = []

    class Watching(Player):
        """A player that remembers its limits."""

        def choose(self, position: Position, limits: Limits) -> Result:
            seen.append(limits.threads)
            return super().choose(position, limits)

    session = Session(Watching("watching", build_player("random").search), limits=Limits(threads=4))
    session.reserve.delay_ms = delay_ms
    session.answer(PRECEPT)
    assert seen == [threads]


@needs_core
def test_a_proven_win_is_announced_at_the_next_move_without_time():
    """A player that has announced a win announces it again if the next question leaves no time."""
    session, info = Session(build_player("perfect", {"time_ms": None}), show_info=True), []
    position, rules = position_from_moves("d4 d5 c4 e4", LINE8), {"gravity": False}
    rules["directions"] = LINE8.directions
    for time in ({}, {"time_ms": 0}):
        precept = {"grid": grid_of(position), "player": 1, **rules, **time}
        answer = orjson.loads(session.answer(orjson.dumps(precept)))
        info.append(answer["info"])
        position = position.play(position.check(*answer["move"]))
        position = position.play(position.moves[0])
    assert info[0]["reason"].startswith("Cell c5 (move [4, 2]) keeps the win: ")
    assert (info[1]["score"], info[1]["exact"]) == (SHOWN_FORCED_WIN, False)
