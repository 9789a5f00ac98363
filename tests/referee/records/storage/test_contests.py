"""A folder of games is read completely, without changing it, even while a referee plays there."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.variant import LINE8, STANDARD
from c4_referee.records.stats.solved import Reason, Solved
from c4_referee.records.storage.contests import read_contests
from c4_referee.records.storage.exact_values import OUR_SOLVER, save_solved
from c4_referee.records.storage.store import Entrant, Store
from kept import KEYS, archive, change, record

GOLDEN = Path(__file__).parents[3] / "golden" / "stored"
BOTS = [Entrant("a", '["true"]', "1"), Entrant("b", '["false", "x"]', "2")]


def commit(store: Store, contest: int, key, game) -> None:
    """Store a game."""
    store.issue(contest, key)
    store.commit(contest, key, orjson.dumps(game))


def in_seats(key, game):
    """Return a game with the bots of its key, unless it has other bots than ``record`` gives."""
    if (game.first, game.second) != ("a", "b"):
        return game
    return replace(game, first=BOTS[key.first].name, second=BOTS[key.second].name)


def store_games(folder: Path, *games, bots=BOTS) -> None:
    """Store a contest with these games."""
    with Store(folder / "arena.sqlite") as store:
        contest = store.enter("key", '{"name": "cup", "system": "swiss"}', bots)
        for key, game in zip(KEYS, games, strict=False):
            commit(store, contest, key, in_seats(key, game))


def test_contest_has_all_that_was_stored(tmp_path):
    """Bots, games, name and system of a contest are read, and no file is changed or left behind."""
    store_games(tmp_path, record(1, moves="44"), record(2, first="b", second="a"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (contest,) = read_contests(tmp_path)
    assert (contest.name, contest.system, contest.variant) == ("cup", "swiss", STANDARD)
    assert [(bot.name, bot.command, bot.withdrawn) for bot in contest.bots] == [
        ("a", ("true",), False),
        ("b", ("false", "x"), False),
    ]
    assert [(game.game, game.first, game.moves) for game in contest.games] == [
        (1, "a", "44"),
        (2, "b", ""),
    ]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_remarks_are_read_if_each_move_has_one(tmp_path):
    """Remarks are shown without control characters. If their number is wrong, none is."""
    times = {"moves": "44", "ms": [1.0, 2.0], "cpu_ms": [0.0, 0.0]}
    store_games(
        tmp_path,
        record(1, **times, remarks=["depth 3", "\x1b[2J"]),
        record(2, **times, remarks=["depth 3"]),
    )
    (contest,) = read_contests(tmp_path)
    assert [game.remarks for game in contest.games] == [["depth 3", "\\x1b[2J"], []]


@pytest.mark.parametrize("name", ["match", "tournament"])
def test_folder_of_version_0_2_is_read(tmp_path, name):
    """A folder of version 0.2.0 is read, and is not changed."""
    folder = tmp_path / name
    shutil.copytree(GOLDEN / name, folder)
    before = (folder / "arena.sqlite").read_bytes()
    (contest,) = read_contests(folder)
    assert [game.game for game in contest.games] == [1, 2, 3, 4]
    assert contest.last_run.report.complete
    assert contest.progress.is_complete
    assert (folder / "arena.sqlite").read_bytes() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_folder_that_cannot_be_written_is_read(tmp_path):
    """A user who may only read the folder can read its games."""
    store_games(tmp_path, record(1))
    for path in (tmp_path, *tmp_path.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for folder in tmp_path.parents:
        if folder.stat().st_uid == 0 and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    child = os.fork()
    if not child:
        os.setuid(65534)
        os._exit(len(read_contests(tmp_path)[0].games))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_bots_whose_names_look_equal_are_different(tmp_path):
    """A joiner and its escape are two names. Each bot keeps its fault and its standard error."""
    names = ("a\u200d", "a\\u200d")
    bots = [Entrant(name, '["true"]', name) for name in names]
    fault = FaultRecord(names[0], "late", "forfeit", 1, 1.0, 1.0, "slow")
    said = {names[0]: "one", names[1]: "two", "c\x1b": "three"}
    late = record(1, moves="4", winner=2, ending="forfeit", fault=fault, stderr=said)
    with Store(tmp_path / "arena.sqlite") as store:
        contest = store.enter("key", "{}", bots)
        commit(store, contest, KEYS[0], replace(late, first=names[0], second=names[1]))
    (contest,) = read_contests(tmp_path)
    shown = ["a\\u200d (2)", "a\\u200d"]
    assert [bot.name for bot in contest.bots] == shown
    (game,) = contest.games
    assert [game.first, game.second] == shown
    assert (game.fault.bot, game.stderr) == (shown[0], {shown[0]: "one", shown[1]: "two"})


def test_withdrawn_bot_has_a_name_of_its_own(tmp_path):
    """Games of a bot that was edited have another name than those of the present bot."""
    fault = FaultRecord("a", "late", "forfeit", 0, 1.0, 0.0, "late")
    store_games(
        tmp_path,
        record(1, winner=2, ending="forfeit", fault=fault, notes=[fault], stderr={"a": "so"}),
    )
    with Store(tmp_path / "arena.sqlite") as store:
        store.enter("key", "{}", [Entrant("a", "[]", "3"), BOTS[1]])
    (contest,) = read_contests(tmp_path)
    assert [(bot.name, bot.withdrawn) for bot in contest.bots] == [
        ("a (withdrawn)", True),
        ("b", False),
        ("a", False),
    ]
    (game,) = contest.games
    names = {game.first, game.fault.bot, game.notes[0].bot, *game.stderr}
    assert names == {"a (withdrawn)"}


@pytest.mark.parametrize("text", ["{}", "moves", '{"event": "game_ended"}', "\udcff"])
def test_damaged_result_is_left_out_and_named(tmp_path, text):
    """A record that was changed by hand is named by its row, and the others are read."""
    store_games(tmp_path, record(1), record(2), record(3, moves="49"))
    data = text.encode(errors="surrogateescape")
    change(tmp_path, "UPDATE results SET record = ? WHERE id = 1", (data,))
    (contest,) = read_contests(tmp_path)
    assert [game.game for game in contest.games] == [2]
    assert contest.damaged == (1, 3)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET first = 7",
        "UPDATE games SET second = 'x'",
        "DELETE FROM entrants WHERE place = 0",
        "DELETE FROM bots",
    ],
)
def test_game_of_an_unknown_bot_is_damaged(tmp_path, statement):
    """A game whose bots are not in the file any more is left out and named."""
    store_games(tmp_path, record(1))
    change(tmp_path, statement)
    (contest,) = read_contests(tmp_path)
    assert (contest.games, contest.damaged) == ((), (1,))


LOST = FaultRecord("b", "late", "forfeit", 1, 1.0, 0.0, "late")


@pytest.mark.parametrize(
    ("true", "forged"),
    [
        ({"moves": "1212121", "winner": 1, "ending": "line"}, {"winner": 2}),
        ({"moves": "1212121", "winner": 1, "ending": "line"}, {"winner": 0}),
        ({"moves": "1212121", "winner": 1, "ending": "line"}, {"ending": "full board"}),
        ({"moves": "1212121", "winner": 1, "ending": "line"}, {"moves": "121212"}),
        ({"moves": "1", "winner": 1, "ending": "forfeit", "fault": LOST}, {"winner": 2}),
        ({"moves": "1", "winner": 1, "ending": "forfeit", "fault": LOST}, {"fault": None}),
        ({"moves": "1", "winner": 1, "ending": "forfeit", "fault": LOST}, {"moves": "2121212"}),
        ({"moves": "1"}, {"winner": 1}),
        ({}, {"first": "b", "second": "a"}),
        ({}, {"stderr": {"a": "x" * (1 << 24)}}),
        ({}, {"game": 0}),
        ({}, {"game": -3}),
        ({}, {"game": 1e30}),
    ],
)
def test_result_that_does_not_follow_is_damaged(tmp_path, true, forged):
    """A result that its own moves, fault or bots contradict is left out and named."""
    store_games(tmp_path, record(1, **true))
    assert len(read_contests(tmp_path)[0].games) == 1
    text = orjson.dumps(record(1, **true | forged)).decode()
    change(tmp_path, "UPDATE results SET record = ?", (text,))
    (contest,) = read_contests(tmp_path)
    assert (contest.games, contest.damaged) == ((), (1,))


def test_texts_that_became_bytes_are_read(tmp_path):
    """Texts that another program wrote as bytes are texts."""
    store_games(tmp_path, record(1))
    change(tmp_path, "UPDATE events SET settings = CAST(settings AS BLOB), began = x'32'")
    change(tmp_path, "UPDATE bots SET name = CAST(name AS BLOB), command = x'5b5d'")
    (contest,) = read_contests(tmp_path)
    assert (contest.name, contest.began) == ("cup", "2")
    assert [(bot.name, bot.command) for bot in contest.bots] == [("a", ()), ("b", ())]


def test_texts_that_are_no_unicode_are_explained(tmp_path):
    """Bytes that are no text raise an error of one line."""
    store_games(tmp_path, record(1))
    change(tmp_path, "UPDATE bots SET name = x'ff' || id")
    with pytest.raises(ArenaError, match=r"cannot use .*UTF-8"):
        read_contests(tmp_path)


@pytest.mark.parametrize(
    "change_made",
    [
        "scores = 'x'", "scores = '7'", "scores = '[1,2]'",
        f"scores = '{[None] * 7}'".replace("None", "null"),
        "scores = '[0,0,0,0,0,0,\"x\"]'", "scores = '[0,0,0,0,0,0,true]'",
        "value = 'x'", "value = 99",
        "scores = '[99,0,0,0,0,0,0]'", "best = 'z9'",
        "reasons = 'x'", "reasons = '4'", "reasons = '[4]'", "reasons = '[[\"4\",\"a\",4]]'",
    ],
)  # fmt: skip
def test_damaged_values_are_left_out(tmp_path, change_made):
    """A solved position that was changed by hand, and is none any more, counts as not solved."""
    store_games(tmp_path, record(1))
    save_solved(tmp_path, OUR_SOLVER, STANDARD, {"1.0.2": Solved(1)})
    change(tmp_path, f"UPDATE solved SET {change_made}")
    assert read_contests(tmp_path)[0].solved == {}


def test_reasons_are_kept_with_values(tmp_path):
    """Sentences are stored with a position, are harmless, and stay if only its value is stored."""
    store_games(tmp_path, record(1))
    one, two = Reason("4", "Column 4 \x1bdraws.", "3"), Reason("5", "Column 5 loses.", "3")
    save_solved(tmp_path, OUR_SOLVER, STANDARD, {"1.0.2": Solved(4, (4,) * 7, "", (one, two))})
    for later in (Solved(4), Solved(4, (4,) * 7)):
        save_solved(tmp_path, OUR_SOLVER, STANDARD, {"1.0.2": later})
    solved = read_contests(tmp_path)[0].solved["1.0.2"]
    assert solved.reasons == (Reason("4", "Column 4 \\x1bdraws.", "3"), two)


def test_texts_of_a_changed_record_are_harmless(tmp_path):
    """Control characters that somebody wrote into a record by hand are escaped."""
    fault = FaultRecord("a", "late", "forfeit", 0, 1.0, 0.0, "\x1b[2J", "\u202e")
    store_games(tmp_path, record(1, fault=fault, stderr={"a": "\x07\n"}))
    (game,) = read_contests(tmp_path)[0].games
    assert (game.fault.detail, game.fault.line) == ("\\x1b[2J", "\\u202e")
    assert game.stderr == {"a": "\\x07\n"}


def test_values_belong_to_their_variant(tmp_path):
    """Contests are in order, each with the positions of its variant that our solver solved."""
    for variant in (STANDARD, LINE8):
        with archive(tmp_path, variant=variant):
            pass
    save_solved(tmp_path, OUR_SOLVER, LINE8, {"1.2.1": Solved(3, (), "d4")})
    save_solved(tmp_path, "another judge", STANDARD, {"1.2.1": Solved(5)})
    scores = (None, -1, 0, 1, 2, 3, 4)
    save_solved(tmp_path, OUR_SOLVER, STANDARD, {"1.0.2": Solved(4, scores)})
    found = [(one.number, one.variant, one.games, one.solved) for one in read_contests(tmp_path)]
    assert found == [
        (1, STANDARD, (), {"1.0.2": Solved(4, scores)}),
        (2, LINE8, (), {"1.2.1": Solved(3, (), "d4")}),
    ]


def test_folder_without_games_is_explained(tmp_path):
    """A folder without a database, and a folder that is not there, raise an error of one line."""
    with pytest.raises(UsageError, match=r"has no file arena\.sqlite"):
        read_contests(tmp_path)
    with pytest.raises(UsageError, match="no such file or folder"):
        read_contests(tmp_path / "absent")


def test_empty_file_holds_no_contest(tmp_path):
    """An empty database holds no contest."""
    (tmp_path / "arena.sqlite").touch()
    assert read_contests(tmp_path) == []
