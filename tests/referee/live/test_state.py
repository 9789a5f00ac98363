"""The state of a contest in progress, and its remarkable moments."""

from typing import Any

import orjson
import pytest
from c4_referee.live.state import MAX_SHOWN, LiveState
from kept import record

START = {"event": "contest_started", "contest": 1, "moves": "live"}
VARIANT = orjson.loads(orjson.dumps(record().variant))


def ended(number: int, first: str, second: str, winner: int = 1, **values: Any) -> dict[str, Any]:
    """Return the message of a game that ended."""
    game = record(number, first=first, second=second, winner=winner, ending="line")
    return orjson.loads(orjson.dumps(game)) | values


def progress(gave_up: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a message of progress."""
    return {"event": "progress", "done": 3, "scheduled": 9, "bound": "", "complete": False,
            "gave_up": list(gave_up)}  # fmt: skip


def state_of(*messages: dict[str, Any], bots: str = "abc") -> LiveState:
    """Return the state after the start of a contest and some messages."""
    state = LiveState()
    for message in (START | {"bots": list(bots), "earlier": [["a", "b", 2, 3]]}, *messages):
        state.take(message)
    return state


def test_points_count_earlier_games_but_not_those_of_bots_that_gave_up() -> None:
    """The table adds up games of earlier runs and of this run."""
    state = state_of(ended(3, "c", "a"), ended(4, "b", "c", 0), ended(5, "a", "b", ending="void"))
    assert state.table() == [("a", 1.5, 3), ("c", 1.5, 2), ("b", 1.0, 3)]
    state.take(progress(gave_up=("b",)))
    assert state.table() == [("c", 1.0, 1), ("a", 0.0, 1), ("b", 0.0, 0)]
    assert state.moments[-1].text == "b gives up: its games do not count."


def test_games_in_progress_have_their_moves() -> None:
    """A game has its moves until it ends, or until it is rolled back."""
    start = {"event": "game_started", "first": "a", "second": "b", "variant": VARIANT}
    state = state_of(
        start | {"game": 1, "opening": "44"},
        {"event": "move", "game": 1, "ply": 2, "move": 3},
        {"event": "remark", "game": 1, "ply": 2, "text": "good"},
        start | {"game": 2, "opening": ""},
        {"event": "move", "game": 9, "ply": 0, "move": 3},
    )
    (first, second) = state.snapshot()["games"]
    assert (first.opening, first.moves, first.remark, second.moves) == ("44", [3], "good", [])
    state.take({"event": "game_rolled_back", "game": 2})
    state.take(ended(1, "a", "b"))
    assert not state.games
    assert [game["game"] for game in state.results] == [1]


def test_start_that_comes_again_doubles_nothing() -> None:
    """The last results come again when results cease to count. Games in progress go on."""
    start = {"event": "game_started", "first": "a", "second": "b", "variant": VARIANT}
    again = START | {"bots": ["a", "b", "c"], "earlier": []}
    state = state_of(start | {"game": 1, "opening": ""}, *2 * [again, ended(2, "a", "b")])
    assert ([game["game"] for game in state.results], [*state.games]) == ([2], [1])
    assert [moment.text for moment in state.moments] == ["a leads now."]


FAULT = {"bot": "b", "fault": "late"}


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (ended(3, "a", "b", fault=FAULT, ending="forfeit"), "a wins, because b failed (late)."),
        (ended(3, "a", "b", 0, fault=FAULT, ending="void"), "Game 3 is void: b failed (late)."),
        (ended(3, "b", "c", 0, ending="full board"), "b and c fill the board: a draw."),
        (ended(3, "c", "a"), "c beats a, the leader."),
        ({"event": "game_rolled_back", "game": 3}, "Game 3 has no result, and is played again."),
    ],
)
def test_moment_is_told(message, told) -> None:
    """Each kind of remarkable event has its sentence."""
    assert state_of(message).moments[0].text == told


def test_leader_and_shortest_game_are_told_when_they_change() -> None:
    """A new leader and a shorter game are remarkable. An equal one is not."""
    games = [ended(1, "c", "b", moves="1122334"), ended(2, "c", "b", moves="1122334")]
    state = state_of(*games, ended(3, "c", "b", moves="11223344455"))
    assert [moment.text for moment in state.moments] == ["c leads now."]
    state.take(ended(4, "c", "b", moves="112233"))
    assert state.moments[-1].text == "c wins after 6 moves, the shortest game so far."
    assert state_of(ended(1, "a", "b"), bots="ab").leader is None  # a match has no leader


def test_only_the_last_results_are_kept() -> None:
    """However long the contest is, its state stays small."""
    state = state_of(*(ended(number, "a", "b") for number in range(1, 40)))
    assert [game["game"] for game in state.results] == list(range(40 - MAX_SHOWN, 40))
