"""Remarks: texts for people, made from what an answer says besides its move."""

import sys
from typing import Any

import orjson
import pytest
from c4_bot.reasons.sentences import effect_of
from c4_protocol.dialects import referee_end
from c4_protocol.dialects.c4engine import BotEnd as CourseBot
from c4_protocol.dialects.jsonl import BotEnd
from c4_protocol.program.text import is_visible
from c4_protocol.records.codec import DEFAULT_MAX_LINE_BYTES
from c4_protocol.records.messages import Info, Reply
from c4_protocol.rules.notation import position_from_moves, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.contest.play.remarks import (
    MAX_REMARK_LENGTH,
    MAX_TOTAL_LENGTH,
    remark_of_answer,
    remarks_for_record,
)
from effort import examples
from hypothesis import assume, given
from hypothesis import strategies as st

TALKER = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": int(sys.argv[1]), "info": {"reason": sys.argv[2]}}), flush=True)
"""
START, FREE = Position(STANDARD), Position(LINE8)
INFO = Info(score=0.3, exact=False, depth=14, nodes=900, ms=5.0, pv=[3, 3, 2])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=20,
)  # fmt: skip
KEYS = ("score", "exact", "depth", "nodes", "ms", "pv", "reason", "scores", "sees", "other")


def said(position: Position = START, **info: Any) -> str:
    """Return the remark on an answer with this ``info``."""
    return remark_of_answer(orjson.dumps({"move": 3, "info": info}), position)


def test_bare_answer_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A usual answer is not parsed a second time, which would make games slower."""
    monkeypatch.delattr("c4_referee.contest.play.remarks.orjson.loads")
    for move, position in ((3, START), ((3, 4), FREE)):
        assert remark_of_answer(BotEnd().write_move(move).strip(), position) == ""


@pytest.mark.parametrize(
    ("info", "text"),
    [
        ({"depth": 14, "score": 0.3}, "depth 14, score +0.3"),
        ({"depth": 14}, "depth 14"),
        ({"score": -2}, "score -2"),
        ({"score": 1_000_000, "exact": False}, "a forced win"),
        ({"score": -1_000_000.0}, "a forced loss"),
        ({"score": 0, "exact": True, "depth": 42}, "depth 42, a draw"),
        ({"score": 19, "exact": True}, "wins in 3 moves"),
        ({"score": 22, "exact": True}, "score +22"),
        ({"score": 1.5, "exact": True}, "score +1.5"),
        ({"score": 1, "exact": 1}, "score +1"),
        ({"reason": "only \n move"}, "only move"),
        ({"depth": 1, "reason": "depth 14"}, "depth 1; depth 14"),
        ({"depth": 14, "reason": "not proven: depth 14"}, "not proven: depth 14"),
        ({"pv": [3, 0, 6]}, "expects 4 1 7"),
        ({"depth": 2, "reason": "why", "pv": [3, 3]}, "depth 2; why; expects 4 4"),
        ({"pv": [3, 7], "depth": 1}, "depth 1"),
        ({"pv": [[3, 3]], "depth": 1}, "depth 1"),
        ({"pv": [True], "depth": True}, '{"info":{"pv":[true],"depth":true}}'),
        ({"speed": 9}, '{"info":{"speed":9}}'),
    ],
)
def test_info_becomes_words(info: dict[str, Any], text: str) -> None:
    """Values that the protocol defines become words; other values are shown as they are."""
    assert said(**info) == text


@pytest.mark.parametrize(
    ("variant", "moves", "info", "text"),
    [
        (LINE8, "", {"pv": [[3, 4], [0, 0]]}, "expects e4 a1"),
        (LINE8, "", {"pv": [[8, 0]]}, '{"info":{"pv":[[8,0]]}}'),
        (CODINGAME, "5", {"pv": [-2, 4]}, "expects s 5"),
        (CODINGAME.without_steal, "5", {"pv": [-2, 4]}, '{"info":{"pv":[-2,4]}}'),
        (CODINGAME, "", {"pv": [4, -2]}, "expects 5 s"),
        (CODINGAME, "5", {"pv": [-1], "depth": 1}, "depth 1"),
        (CODINGAME, "5", {"score": 3, "exact": True}, "score +3"),
        (CODINGAME, "", {"score": -3, "exact": True}, "score -3"),
        (CODINGAME, "5s", {"score": 0, "exact": True}, "a draw"),
        (CODINGAME, "5s", {"score": 1, "exact": True}, "wins in 31 moves"),
    ],
)
def test_cells_and_the_steal_are_named(
    variant: Variant, moves: str, info: dict[str, Any], text: str
) -> None:
    """Cells and the steal are named. Before it, a score does not say how many moves are left."""
    assert said(position_from_moves(moves, variant), **info) == text


@given(st.from_type(Variant), st.data())
def test_proven_end_is_counted_as_our_bot_counts_it(variant: Variant, data: st.DataObject) -> None:
    """The moves until the end are those of the player to move, as in our bot's reasons."""
    moves = data.draw(st.integers(0, min(variant.cells - 1, 6)))
    position = Position(variant)
    for _ in range(moves):
        if position.is_over:
            return
        position = position.play(position.moves[0])
    end = data.draw(st.integers(position.ply + 1, variant.cells))
    sign = 1 if (end - position.ply) % 2 else -1
    score = sign * win_score(variant, end)
    assume(not position.play(position.moves[0]).is_over)
    assume(sign < 0 or end > position.ply + 1)  # the move below does not complete a line
    words = effect_of(position, position.moves[0], score)
    assert said(position, score=score, exact=True) == words


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b'{"move":3}', ""),
        (b'{ "move" : 3 }', ""),
        (b'{"move":[3, 4]}', ""),
        (b'{"move":3,"move":4}', ""),
        (b'{"move":3,"info":null}', ""),
        (b'{"info":{},"move":3}', ""),
        (b'{"move":3,"comment":""}', ""),
        (b'{"move":3,"info":{"reason":"","pv":[]}}', ""),
        (b"bestmove 3", ""),
        (b"bestmove  3  ", ""),
        (b'{"move":3,"comment":"hello"}', '{"comment":"hello"}'),
        (b'{"move":3,"info":"hello"}', '{"info":"hello"}'),
        (b'{"move":3,"info":[1,2]}', '{"info":[1,2]}'),
        (b'{"move":3,"a":"\\u001b[2J\\u202e"}', '{"a":"\\u001b[2J\\u202e"}'),
        (b"bestmove 3 12", "score 12"),
        (b"bestmove 3 -4", "score -4"),
        (b"bestmove 3 \x1b[2J \xff", "\\x1b[2J \\xff"),
        (b"bestmove 3 I win soon", "I win soon"),
    ],
)
def test_other_text_is_shown_as_it_is(line: bytes, text: str) -> None:
    """Contents that the protocol does not define are shown, without control characters.

    An answer that holds nothing besides its move, or only empty values, says nothing.
    """
    assert remark_of_answer(line, START) == text


def test_answers_of_our_bot_in_both_dialects() -> None:
    """The remark on an answer of our bot has its score, and with ``--info`` more."""
    assert remark_of_answer(BotEnd().write_move(3, INFO).strip(), START) == (
        "depth 14, score +0.3; expects 4 4 3"
    )
    assert remark_of_answer(CourseBot().write_move(3, None, 12).strip(), START) == "score 12"


@pytest.mark.parametrize(
    "line",
    [
        b'{"move":3,"info":{"reason":"' + b"x" * 10**6 + b'"}}',
        b'{"move":3,"info":{"pv":[' + b"3," * 10**5 + b"3]}}",
        b'{"move":3,"a":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"move":3,"a":"' + "\u202e".encode() * 1000 + b'"}',
        b"bestmove 3 " + b"9" * 10**5,
        b"bestmove 3 " + b"\x00" * 10**5,
    ],
)
def test_huge_answer_has_a_short_remark(line: bytes) -> None:
    """A long or deeply nested answer gives a remark of bounded length."""
    text = remark_of_answer(line, START)
    assert 0 < len(text) <= MAX_REMARK_LENGTH
    assert is_visible(text)


@given(st.dictionaries(st.sampled_from(KEYS), JSON) | JSON, st.dictionaries(st.text(), JSON))
@examples(500)
def test_any_json_gives_a_short_visible_text(info: object, more: dict[str, Any]) -> None:
    """Whatever an accepted answer holds, its remark is visible and short."""
    for position, move in ((position_from_moves("4453", STANDARD), 3), (FREE, [3, 4])):
        line = orjson.dumps(more | {"info": info, "move": move})
        referee_end("jsonl").read_move(line)
        text = remark_of_answer(line, position)
        assert is_visible(text)
        assert len(text) <= MAX_REMARK_LENGTH


@given(st.binary())
@examples(500)
def test_any_words_give_a_short_visible_text(words: bytes) -> None:
    """Whatever an accepted line of the course's protocol holds, its remark is visible and short."""
    line = b"bestmove 3 " + words
    end = referee_end("c4engine")
    end.write_precept(START)
    assert isinstance(end.read_move(b"readyok"), Reply)
    assert end.read_move(line) == 3
    text = remark_of_answer(line, START)
    assert is_visible(text)
    assert len(text) <= MAX_REMARK_LENGTH


def test_remarks_of_a_record_fit_in_a_line() -> None:
    """Remarks are kept up to a total length, and none is kept if nothing was said."""
    assert remarks_for_record(["", ""]) == []
    assert remarks_for_record(["a", ""]) == ["a", ""]
    kept = remarks_for_record(["\U0001f600" * MAX_REMARK_LENGTH] * 2704)
    assert len(kept) == 2704
    assert sum(map(len, kept)) == MAX_TOTAL_LENGTH
    assert len(orjson.dumps(kept)) < DEFAULT_MAX_LINE_BYTES


@pytest.mark.parametrize("reason", ["\u202ewhy", ""])
def test_record_of_a_game_has_the_remarks(reason: str) -> None:
    """The record has the remarks on all moves after the opening, and the memory has none."""
    records: list[dict[str, Any]] = []
    bots = [
        BotSpec(name=number, command=(sys.executable, "-c", TALKER, number, words))
        for number, words in (("3", reason), ("2", ""))
    ]
    outcome = Contest.match(*bots, 2, control=TimeControl()).play(
        [lambda line: records.append(orjson.loads(line))]
    )
    ended = [record for record in records if record["event"] == "game_ended"]
    shown = "\\u202ewhy" if reason else ""
    assert [record["remarks"] for record in ended] == (
        [[shown, ""] * 3 + [shown], ["", shown] * 3 + [""]] if reason else [[], []]
    )
    assert [game.remarks for game in outcome.games] == [[], []]
