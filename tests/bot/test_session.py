"""The loop of a bot: which dialect is spoken, what ends it, and what the exit code tells."""

import os
import threading

import pytest
from c4_bot.contract import Limits
from c4_bot.registry import build
from c4_bot.session import Session
from c4_protocol.dialects import bot_end, bot_end_for, c4engine, console, jsonl
from c4_protocol.errors import VariantError

PRECEPT = b'{"grid":[[0,0],[0,0]]}\n'


def serve(said: bytes, dialect: str | None = None, plays: str = "random") -> tuple[int, bytes]:
    """The exit code and the output of a session that is told all that."""
    session = Session(
        build(plays), bot_end(dialect) if dialect else None, Limits(depth=2), time_ms=50
    )
    source, into = os.pipe()
    out, sink = os.pipe()
    heard = []
    reader = threading.Thread(target=lambda: heard.extend(iter(lambda: os.read(out, 1 << 16), b"")))
    reader.start()
    os.write(into, said)
    os.close(into)
    try:
        code = session.run(source, sink)
    finally:
        os.close(sink)  # else the reader would wait for ever, and the test run with it
        reader.join()
        os.close(out)
        os.close(source)
    return code, b"".join(heard)


@pytest.mark.parametrize(
    ("line", "module"),
    [
        (b'{"grid":[[0]]}', jsonl),
        (b'{"grid":[[0,', jsonl),
        (b":exit", jsonl),
        (b"hello", jsonl),
        (b"[1,2,3]", jsonl),
        (b"3", jsonl),
        (b"gopher", jsonl),
        (b"names", jsonl),
        (b"player", jsonl),
        (b"NAME", jsonl),
        (b"name", c4engine),
        (b"name AI 0", c4engine),
        (b"isready AI 0", c4engine),
        (b"position startpos", c4engine),
        (b"go\tftime 3", c4engine),
        (b"perft 3", c4engine),
        (b"quit", c4engine),
    ],
)
def test_first_line_tells_the_dialect(line, module):
    """What no other dialect begins with is the home dialect's, sense or nonsense."""
    assert type(bot_end_for(line)) is module.BotEnd


def test_dialect_does_not_change_on_the_way():
    """A line of another dialect is a bad line of this one."""
    code, said = serve(b"isready\n" + PRECEPT + b"isready\n")
    assert (code, said) == (1, b"readyok\nreadyok\n")
    code, said = serve(PRECEPT + b"isready\n" + PRECEPT)
    assert code == 1
    assert said.count(b'{"move":') == 2
    assert b"readyok" not in said


def test_broken_first_line_is_the_home_dialects(capfd):
    """It is refused as such, and the next line is answered."""
    code, said = serve(b'{"grid":[[0,\n' + PRECEPT)
    assert code == 1
    assert said.count(b"\n") == 1
    assert capfd.readouterr().err.startswith("c4-bot: line 1: not JSON: ")


@pytest.mark.parametrize(
    ("said", "dialect", "answers"),
    [
        (b":exit\n" + PRECEPT, None, b""),
        (b"isready\nquit\nisready\n", None, b"readyok\nquitting\n"),
        (b"isready\n", "c4engine", b"readyok\n"),
        (b"", None, b""),
        (b"", "jsonl", b""),
    ],
)
def test_conversation_ends_by_a_word_or_with_the_input(said, dialect, answers):
    """Nothing is read after the last word, and either is a good end."""
    assert serve(said, dialect) == (0, answers)


def test_input_that_ends_too_early_is_told():
    """A game at the console that is not over, from before its first entry on."""
    for said in (b"", b"5\n", b"5\no\nd4\n"):
        code, words = serve(said, "console")
        assert code == 1
        assert words.startswith(console.ASK_TIME.encode())
        assert words.endswith(b"\nThe input has ended before the game.\n")


def test_perft_is_counted():
    """By whatever counts fastest."""
    assert serve(b"position startpos \nperft 5\nperft 0\n") == (0, b"perft 5 19608\nperft 0 1\n")


def test_player_of_another_game_is_refused_at_once():
    """Before anybody has typed anything."""
    with pytest.raises(VariantError, match="plays only games in which stones fall"):
        serve(b"5\no\nd4\n", "console", plays="needed")


def test_no_player_is_asked_about_a_game_that_is_won():
    """Where a line of every length is complete, any legal move is the answer."""

    class Refusing:
        """A player that must not be asked."""

        evaluator = None

        def bounded(self, limits: Limits) -> Limits:
            raise AssertionError

    session = Session(Refusing())
    said = session.answer(b'{"grid":[%s]}' % b",".join([b"[0,0,2,1]"] * 52))
    assert said.startswith(b'{"move":')
