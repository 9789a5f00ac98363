"""Games of people against bots: their folders and names."""

import orjson
import pytest
from c4_protocol.rules.variant import STANDARD
from c4_referee.records.storage import kept
from c4_referee.records.storage.contests import read_contests
from c4_referee.records.storage.kept import person_name, save_game
from kept import SPECS, record

BOT = SPECS[1]


@pytest.fixture(autouse=True)
def _state(tmp_path, monkeypatch):
    """Use an empty state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.mark.parametrize("opening", ["", "44"])
def test_game_is_stored_apart_from_matches(opening):
    """A folder like those of ``--out`` holds the game. It is no kept match."""
    game = record(
        1,
        first="b",
        second="you",
        moves="44",
        opening=opening,
        ms=[1.0] * (2 - len(opening)),
        cpu_ms=[0.0] * (2 - len(opening)),
    )
    folder = save_game(BOT, "you", STANDARD, 2, orjson.dumps(game))
    contest = read_contests(folder)[0]
    assert [*contest.games] == [game]
    assert contest.progress.is_complete
    assert contest.name == "b against you"
    assert not kept.kept_folders()


def test_oldest_games_are_removed(monkeypatch):
    """Games of people have a limit of their own."""
    monkeypatch.setitem(kept.MAX_FOLDERS, kept.PLAYED, 2)
    line = orjson.dumps(record(1, first="you", second="b"))
    first, *others = (save_game(BOT, "you", STANDARD, 1, line) for _ in range(3))
    assert not first.exists()
    assert all(folder.exists() for folder in others)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "guest"),
        (" a \n b ", "a b"),
        ("b", "b (person)"),
        ("\x1b[1m", "\\x1b[1m"),
        ("x" * 99, "x" * 40),
    ],
)
def test_name_of_a_person_is_harmless(text, name):
    """Control characters are escaped, long names are cut, and no name is the bot's."""
    assert person_name(text, BOT) == name
