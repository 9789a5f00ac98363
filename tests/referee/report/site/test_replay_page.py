"""The page of a game: its data, its texts, and its size."""

import json
import re
from dataclasses import replace

import pytest
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import LINE8, STANDARD
from c4_referee.records.stats.solved import Change, GameAnalysis
from c4_referee.report.site.replay_page import game_page, single_file
from games import game_of

MOVES = "315366176623116216312432757344455754"
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script> -->",
    "\x1b[31m\x00\r\n",
    "left\u202eright\u2066",
    "\ud800",
    "long " * 2000,
]
FAULT = FaultRecord("two", "illegal move", "forfeit", 5, 12.0, 1.0, "column 7 is full", "move 7")


def ended(moves="", variant=STANDARD, **changes):
    """Return the record of a game that was played to the end of these moves."""
    position, cells = replay(moves, variant)
    result = {"winner": position.winner, "ending": "line" if position.winner else "full board"}
    usual = {"game": 3, "first": "one", "second": "two", "ms": [1.2345] * len(cells)} | result
    return game_of(moves, variant=variant, **usual | changes)


def data_of(page):
    """Return the data that the script of a page reads."""
    (text,) = re.findall(r'id="replay">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def test_page_uses_the_board():
    """If the site has a board for the game, the data have its address."""
    game, other = ended("1122334"), ended("d4 d5 e4", LINE8)
    page = game_page(GameAnalysis.unknown(game), board=True, root="../../")
    assert data_of(page)["b"] == "../../board/"
    game, other = map(GameAnalysis.unknown, (game, other))
    for page in (game_page(game), single_file(game), game_page(other, board=True)):
        assert "b" not in data_of(page)


def test_pages_are_small_and_a_single_file_is_complete():
    """10,000 pages take less than 20 MB. One file has style, script and data, and no links."""
    game, line = ended(MOVES, ms=[34.5 + i for i in range(36)]), tuple("1234567" * 4)
    changes = tuple(Change(ply, 2, -3, ("3",), line, line) for ply in (8, 15))
    analysis = GameAnalysis(game, (2,) * 37, ((*range(-3, 4),),) * 36 + ((),), changes)
    assert len(game_page(GameAnalysis.unknown(game)).encode()) <= 1800
    assert len(game_page(analysis).encode()) <= 6000
    page = single_file(analysis)
    assert len(page.encode()) < 66_000
    assert ("<style>" in page, " src=" in page, "<link" in page) == (True, False, False)
    assert page.count("</script>") == 2
    assert data_of(page)["m"] == MOVES


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("render", [game_page, single_file])
def test_texts_of_other_people_are_only_texts(text, render):
    """Names, remarks and faults of any kind do not change the structure of the page."""
    fault = replace(FAULT, bot=text, detail=text, line=text)
    game = ended(
        "4", first=text, second=text, remarks=[text], winner=1, ending="forfeit", fault=fault
    )
    usual = ended("4", winner=1, ending="forfeit", fault=FAULT)
    page, harmless = (render(GameAnalysis.unknown(each)) for each in (game, usual))
    assert page.count("<") == harmless.count("<")
    data = data_of(page)
    assert data["p"][0] == data["say"][0] == data["f"]["line"]
    assert data["p"][0].isprintable()
    page.encode()


def test_huge_times_of_a_changed_record_stay_numbers():
    """A time that somebody wrote into a record by hand, however long, is a number on the page."""
    game = GameAnalysis.unknown(ended("44", ms=[1e30, 12.34]))
    assert data_of(game_page(game))["ms"] == [1e30, 12.3]
