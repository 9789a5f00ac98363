"""Replays of Kaggle's ConnectX: what is read, and what is reported."""

import json

import pytest
from c4_protocol.rules.notation import cells_from_moves
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.formats import Forfeit, StoredGame, UnreadableLine, kaggle
from other_records import kaggle_replay
from result_files import read

MOVES = "1212121"


def document(moves: str = MOVES, variant: Variant = STANDARD) -> dict:
    """Return the replay of a game."""
    return json.loads(kaggle_replay(variant, cells_from_moves(moves, variant)))


def stopped(status: str, action: object = 9) -> dict:
    """Return the replay of a game in which the second agent is stopped after the first move."""
    replay = document("4")
    states = [
        {"status": "DONE", "action": 0, "reward": 0},
        {"status": status, "action": action, "reward": None},
    ]
    return replay | {"steps": [*replay["steps"], states]}


@pytest.mark.parametrize("indent", [None, 2])
def test_document_is_a_game(tmp_path, indent):
    """A document of one line or of many lines is one game."""
    text = json.dumps(document(), indent=indent)
    assert read(tmp_path, text) == [StoredGame("a", "b", 1, MOVES)]


def test_each_line_can_be_a_document(tmp_path):
    """A file can have a document on each line. A damaged line does not hide the others."""
    line = json.dumps(document())
    *games, bad = read(tmp_path, f"{line}\n{line[:500]}\n\n{line}\n")
    assert games == [StoredGame("a", "b", 1, MOVES)] * 2
    assert bad.number == 2
    assert bad.reason.startswith("not JSON")


@pytest.mark.parametrize(
    ("status", "fault"),
    [("INVALID", "illegal move"), ("TIMEOUT", "time forfeit"), ("ERROR", "error")],
)
def test_stopped_agent_forfeits(tmp_path, status, fault):
    """An agent that was stopped has lost. Its action is no move."""
    (game,) = read(tmp_path, json.dumps(stopped(status, None)))
    assert game == StoredGame("a", "b", 1, "4", "forfeit", Forfeit("b", fault))


def test_game_without_an_end_is_void(tmp_path):
    """A game is void if both agents were stopped, or if the replay is not complete."""
    both = stopped("ERROR")
    both["steps"][-1][0]["status"] = "ERROR"
    for replay in (both, document("445"), document("")):
        (game,) = read(tmp_path, json.dumps(replay))
        assert game.ending == "void"


def test_names_and_board_are_optional(tmp_path):
    """Without team names, the agents are called first and second. The board is 7x6 by default."""
    replay = document()
    del replay["info"], replay["configuration"]
    assert read(tmp_path, json.dumps(replay)) == [StoredGame("first", "second", 1, MOVES)]
    (game,) = read(tmp_path, json.dumps(document("3142434", Variant(5, 5, 3))))
    assert game.variant == "5x5x3"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"steps": 3}, "steps: Input should be a valid list"),
        ({"steps": [[{"status": "DONE"}]]}, "steps.0.1: Field required"),
        ({"configuration": {"columns": 99}}, "a board is 1 to 52"),
        ({"configuration": {"columns": 1}}, "column 1 is not on the board"),
        ({"configuration": {"inarow": 2}}, "step 4 comes after the end of the game"),
        ({"info": {"TeamNames": ["a"]}}, "info.TeamNames.1: Field required"),
    ],
)
def test_wrong_documents_are_reported(tmp_path, change, reason):
    """A document that is no game is reported in one line."""
    (bad,) = read(tmp_path, json.dumps(document() | change))
    assert bad.number == 1
    assert reason in bad.reason


def test_result_that_the_moves_do_not_give_is_reported(tmp_path):
    """Rewards that contradict the moves are an error."""
    replay = document()
    for state in replay["steps"][-1]:
        state["reward"] = -state["reward"]
    assert read(tmp_path, json.dumps(replay)) == [
        UnreadableLine(1, "the result is 0-1, but the moves give 1-0")
    ]


def test_damaged_document_is_one_line(tmp_path, monkeypatch):
    """A damaged or very long document of many lines is reported once, in the right line."""
    text = json.dumps(document(), indent=2)
    lines = text.split("\n")
    lines[9] = "?"
    (bad,) = read(tmp_path, "\n\n" + "\n".join(lines))
    assert bad.number == 12
    assert bad.reason.startswith("not JSON")
    monkeypatch.setattr(kaggle, "MAX_DOCUMENT_BYTES", 1000)
    assert read(tmp_path, text) == [UnreadableLine(1, "the document is longer than 1000 bytes")]


def test_action_that_is_no_column_is_reported(tmp_path):
    """An action that is no whole number is an error, and so is a column that does not exist."""
    for action in (None, True, 3.0, "3", 7, -2):
        replay = document()
        replay["steps"][1][0]["action"] = action
        (bad,) = read(tmp_path, json.dumps(replay))
        assert "column" in bad.reason
