"""Games of visitors against bots: moves, refusals, ends, limits, and what is stored."""

import json
import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import orjson
import pytest
from c4_referee.bots.contain.process_tree import children_of
from c4_referee.records.storage.contests import read_contests
from c4_referee.serve import visitors_games
from c4_referee.serve.store import Store
from c4_referee.serve.visitors_games import Games
from played import PATIENT
from served import ask, served, stream
from waiting import wait_for


class Visitor:
    """Visitor of a server, who begins games and plays the first column that has room."""

    def __init__(self, port: int, name: str = "v", source: str = "127.0.0.1") -> None:
        self._port, self._name, self._source = port, name, source

    def post(self, path: str, body: object):
        """Send JSON as a page of the server does."""
        headers = {"sec_fetch_site": "same-origin", "cookie": f"c4_visitor={self._name}"}
        data = orjson.dumps(body)
        return ask(self._port, f"/play/{path}", "POST", data, self._source, **headers)

    def begin(self, bot: str = "good", **choice: object):
        """Ask for a game."""
        return self.post("games", {"bot": bot, "variant": "5x4", "seat": 1} | choice)

    def id_of_new_game(self, bot: str = "good", **choice: object) -> str:
        """Begin a game, and return its id."""
        answer = self.begin(bot, **choice)
        assert answer.status == 201, answer.text
        return json.loads(answer.text)["id"]

    def move(self, game: str, ply: int, move: object) -> int:
        """Make a move, and return the status of the answer."""
        return self.post(f"games/{game}/moves", {"ply": ply, "move": move}).status

    def play(self, game: str) -> dict:
        """Play a game to its end, and return the last event."""
        path, heights = f"/play/games/{game}/events", [0] * 5
        with stream(self._port, path) as messages:
            for event in _events(messages):
                if event["event"] in {"game_ended", "gone"}:
                    return event
                if event["event"] == "move":
                    heights[event["move"]] += 1
                if event["event"] == "turn":
                    column = next((x for x, height in enumerate(heights) if height < 4), 0)
                    self.move(game, sum(heights), column)
        raise AssertionError("the stream has no end")


def _events(messages: Iterator[tuple[str, dict]]) -> Iterator[dict]:
    for _, message in messages:
        if message["event"] != "snapshot":
            yield message


@pytest.fixture
def own(bot, tmp_path, monkeypatch):
    """Return the games of a server with some bots, and an empty state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kinds = ("good", "rightmost", "exits_later", "exits_talking", "falls_asleep", "silent")
    return Games({kind: bot(kind) for kind in kinds}, control=PATIENT)


@pytest.fixture
def port(own):
    """Serve the games, and yield the port. All games have ended afterwards."""
    with served(Store(list, []), more=own.routes()) as port:
        yield port
        own.end("the test has ended")
        assert wait_for(lambda: not own.running)


@pytest.mark.parametrize("seat", [1, 2])
def test_whole_game_is_stored(port, tmp_path, seat):
    """The last event says who has won. The game can be replayed, downloaded, and is stored."""
    visitor = Visitor(port)
    game = visitor.id_of_new_game("rightmost", seat=seat, name=" Ada  L. ")
    end = visitor.play(game)
    assert end["event"] == "game_ended"
    assert re.fullmatch(r"You (win|lose): 4 in a row after \d+ moves.", end["text"])
    record = json.loads(ask(port, f"/play/games/{game}/game.jsonl").text)
    assert {record["first"], record["second"]} == {"Ada L.", "rightmost"}
    for page in ("", "replay.html", "game.html"):
        assert "Ada L." in ask(port, f"/play/games/{game}/{page}").text
    (folder,) = (tmp_path / "c4-arena" / "played").iterdir()
    assert read_contests(folder)[0].games[0].moves == record["moves"]


@pytest.mark.parametrize("shown", [False, True])
def test_bot_that_crashes_loses(own, port, shown):
    """The fault is that of a report. Standard error is shown only if the server says so."""
    own.shows_stderr = shown
    visitor = Visitor(port)
    game = visitor.id_of_new_game("exits_talking")
    end = visitor.play(game)
    assert "exits_talking failed at move 2" in end["text"]
    files = [ask(port, f"/play/games/{game}/{page}").text for page in ("replay.html", "game.jsonl")]
    for text in (end["stderr"], end["text"], *files):
        assert ("so long" in text) == shown


def test_moves_at_the_wrong_time_are_refused(port):
    """A second click, a move of the bot's, and a move for another position change nothing."""
    visitor = Visitor(port)
    game = visitor.id_of_new_game("falls_asleep")
    with stream(port, f"/play/games/{game}/events") as messages:
        events = _events(messages)
        assert [next(events)["event"] for _ in range(2)] == ["game_started", "turn"]
        assert visitor.move(game, 1, 0) == 409
        assert visitor.move(game, 0, 9) == 422
        assert visitor.move(game, 0, [1, 1]) == 422
        assert [visitor.move(game, 0, 0), visitor.move(game, 0, 0)] == [204, 409]
        assert [next(events)["ply"] for _ in range(2)] == [0, 1]


@pytest.mark.parametrize(
    ("choice", "status"),
    [
        ([], 400),
        ({"bot": "nobody", "seat": 1}, 422),
        ({"bot": "good", "seat": [], "variant": "5x4"}, 422),
        ({"bot": "good", "seat": 1, "variant": "0x0"}, 422),
        ({"bot": "good", "seat": 1, "variant": "5x4", "name": 3}, 422),
    ],
)
def test_wrong_choice_is_refused(port, choice, status):
    """A wrong choice gets a reason in one line."""
    answer = Visitor(port).post("games", choice)
    assert answer.status == status
    assert len(answer.text.splitlines()) == 1


@pytest.mark.parametrize("path", ["", "events", "replay.html", "game.html", "game.jsonl"])
def test_unknown_game_has_no_pages(port, path):
    """A guessed address is not found."""
    assert ask(port, f"/play/games/guessed/{path}").status == 404


def test_number_of_games_is_bounded(own, port, monkeypatch):
    """A visitor has one game at a time, and all together have a few."""
    own._at_once = 2
    first = Visitor(port, "0").id_of_new_game()
    assert Visitor(port, "1", "127.0.0.2").begin().status == 201
    refused = Visitor(port, "2").begin()
    assert (refused.status, refused.getheader("retry-after")) == (503, "30")
    Visitor(port, "0").begin()
    with stream(port, f"/play/games/{first}/events") as messages:
        assert "you began another one" in [*_events(messages)][-1]["text"]


def test_several_cookies_leave_a_place_to_others(port):
    """A visitor who sends another cookie with each request does not take all places."""
    assert [Visitor(port, str(each)).begin().status for each in range(5)] == [201] * 3 + [503] * 2
    assert Visitor(port, "a", "127.0.0.2").begin().status == 201
    assert Visitor(port, "b", "127.0.0.3").begin().status == 503


def test_addresses_of_one_network_count_as_one():
    """A visitor with IPv6 can choose among many addresses."""
    hosts = (
        "2001:db8::1",
        "2001:db8::9:2",
        "2001:db8:0:1::1",
        "fe80::1%eth0",
        "10.0.0.1",
        "10.0.0.2",
    )
    requests = [SimpleNamespace(client=SimpleNamespace(host=host)) for host in hosts]
    found = [visitors_games._network(request) for request in requests]
    assert (found[0] == found[1], len({*found})) == (True, 5)


def test_game_ends_when_its_visitor_leaves(own, port, monkeypatch):
    """The bot is stopped soon after the last window was closed."""
    game = Visitor(port).id_of_new_game()
    with stream(port, f"/play/games/{game}/events") as messages:
        next(messages)
        monkeypatch.setattr(visitors_games, "ABSENT_SECONDS", 0.3)
        time.sleep(0.9)
        assert own.running, "a window shows it"
    assert wait_for(lambda: not own.running)
    assert ask(port, f"/play/games/{game}/replay.html").status == 404


def test_person_who_does_not_move_is_gone(own, port, monkeypatch):
    """A game in which nobody moves ends."""
    game = Visitor(port).id_of_new_game()
    with stream(port, f"/play/games/{game}/events") as messages:
        next(messages)
        monkeypatch.setattr(visitors_games, "IDLE_SECONDS", 0.3)
        assert "you made no move" in [*_events(messages)][-1]["text"]


@pytest.mark.weekly
def test_fifty_visitors_walk_away(own, port, monkeypatch):
    """Never more than four bots run, and no process is left."""
    monkeypatch.setattr(visitors_games, "ABSENT_SECONDS", 1.0)
    most = 0

    def visit(number: int) -> bool:
        nonlocal most
        visitor, until = Visitor(port, str(number)), time.monotonic() + 120
        while (status := visitor.begin("silent", seat=2).status) == 503:
            assert time.monotonic() < until
            most = max(most, len(children_of(os.getpid())))
            time.sleep(0.2)
        return status == 201

    with ThreadPoolExecutor(50) as threads:
        assert all(threads.map(visit, range(50)))
    assert wait_for(lambda: not own.running)
    assert 0 < most <= 4
    assert not children_of(os.getpid())
