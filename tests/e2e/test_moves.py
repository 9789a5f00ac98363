"""The dialect of bare columns on both sides of the pipe."""

import json
import sys
from pathlib import Path

import pytest
from bots import FAST, LIGHT
from transcripts import replay

OTHER_BOT = Path(__file__).parent.parent / "bots" / "columns.py"
NEEDED = "c4-bot --plays needed --depth 2"
QUICK = ("--plays", "needed", "--depth", "3")

AS_FIRST = """
> go!
< 3
> 0
< [0-6]
> 0
< [0-6]
> go!
< 3
"""
"""A game of the bot that moves first, and the start of another one."""

AS_SECOND = """
> 6
< [0-5]
> 6
< [0-5]
>
> 6
< 6
"""
"""A game in which the bot has to stop the opponent's column of three; one line is blank."""

LOST = """
> 0
< [0-6]
> 1
< [0-6]
"""


@pytest.mark.parametrize(
    ("dialect", "transcript", "end"),
    [((), AS_FIRST, "\n"), ((), LOST, "\r\n"), (("--dialect", "moves"), AS_SECOND, "\r\n")],
    ids=["first", "lost", "second"],
)
def test_columns_are_answered(dialect, transcript, end):
    """The bot answers each column with its own, in both seats and with every line ending."""
    replay([*dialect, *QUICK], transcript, end)


@pytest.mark.parametrize("dialect", [(), ("--dialect", "moves")])
def test_board_comes_from_the_command_line(dialect):
    """The flags say how large the board is, with and without the name of the dialect."""
    sides = ("--width", "12", "--height", "3", "--connect", "3")
    replay([*dialect, *sides, *QUICK], "> 11\n< \\d+\n> 9\n< 10")


def test_wrong_board_is_refused_with_the_dialect_only(c4_bot, course_precept):
    """A wrong flag is an error only with ``--dialect moves``: drivers may append anything."""
    done = c4_bot("--dialect", "moves", "--width", "wide", stdin=b"go!\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"c4-bot: --width wide: say a whole number of cells\n"
    done = c4_bot("--width", "wide", *QUICK, stdin=course_precept)
    assert (done.returncode, done.stderr) == (0, b"")


def test_wrong_columns_are_refused_and_the_next_is_answered(c4_bot):
    """Each wrong line gets one line on standard error, and the game goes on as it was."""
    done = c4_bot(*QUICK, stdin=b"go!\n7\nthree\n-1\n3\n")
    assert done.stdout.splitlines()[0] == b"3"
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr.decode().splitlines() == [
        "c4-bot: line 2: column 7 is not on the board (0 to 6)",
        "c4-bot: line 3: 'three' is not a number",
        "c4-bot: line 4: column -1 is not on the board (0 to 6)",
    ]
    assert done.returncode == 1


# Somebody else's bot under our referee.


def bots_file(folder, kind="left", **keys):
    """Write a file with the bot of ``tests/bots/columns.py``, and ours in the same dialect.

    Returns the path of the file, and the path of the log in which the bot writes what it reads.
    """
    path, log = folder / "bots.toml", folder / "heard.txt"
    script = [sys.executable, "-S", "-E", str(OTHER_BOT), kind]
    settings = {"command": [*script, "{width}", "{height}", str(log)], "dialect": "moves", **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    flags = "--width {width} --height {height} --connect {connect}"
    ours = f'[bots.ours]\ncommand = "{NEEDED} {flags}"\ndialect = "moves"'
    path.write_text("\n".join(["[bots.theirs]", *lines, ours]))
    return str(path), log


def play(c4_referee, folder, *arguments):
    """Play a match; return the records of its games."""
    events = folder / "events.jsonl"
    events.unlink(missing_ok=True)  # a match appends to it
    done = c4_referee("match", *arguments, *FAST, "--events", str(events))
    assert done.returncode == 0, done.stderr
    records = map(json.loads, events.read_bytes().splitlines())
    return [record for record in records if record["event"] == "game_ended"]


def test_bot_plays_both_seats_on_any_board(c4_referee, tmp_path):
    """A bot that reads only columns plays bots that speak jsonl and moves on any board."""
    bots, _ = bots_file(tmp_path)
    for other in (LIGHT, "ours"):
        games = play(c4_referee, tmp_path, "theirs", other, "--bots", bots, "--variant", "12x5x3")
        assert [game["fault"] for game in games] == [None, None]


def test_bot_hears_the_columns_of_its_opponent(c4_referee, tmp_path):
    """A bot reads ``go!`` if it moves first, and then its opponent's columns, from 0."""
    bots, log = bots_file(tmp_path, "right")
    games = play(c4_referee, tmp_path, "theirs", LIGHT, "--bots", bots)
    heard = log.read_text().splitlines()
    for game in games:
        columns = [str(int(name) - 1) for name in game["moves"]]
        seen = ["go!", *columns[1::2]] if game["first"] == "theirs" else columns[::2]
        asked = (len(columns) + (game["first"] == "theirs")) // 2
        assert heard[:asked] == seen[:asked]
        del heard[:asked]
    assert not heard


@pytest.mark.parametrize(("kind", "reason"), [("beside", "illegal move"), ("words", "bad line")])
def test_bot_that_misbehaves_forfeits(c4_referee, tmp_path, kind, reason):
    """A column beside the board is an illegal move, and a word is a bad line."""
    bots, _ = bots_file(tmp_path, kind)
    for game in play(c4_referee, tmp_path, "theirs", LIGHT, "--bots", bots):
        assert (game["fault"]["bot"], game["fault"]["fault"]) == ("theirs", reason)


@pytest.mark.parametrize(
    ("keys", "arguments", "reason"),
    [
        (
            {},
            ["--openings", "random:4"],
            "bot 'theirs': in moves, each game begins on the empty board, without openings such as "
            "'random:4': set openings to none",
        ),
        ({}, ["--variant", "line8"], "bot 'theirs': moves knows only games in which all moves are"),
        (
            {"restart": "never"},
            [],
            'restart = "never" keeps a bot for several games, but moves has no line that begins',
        ),
    ],
    ids=["openings", "line8", "restart"],
)
def test_impossible_match_is_refused_in_one_line(c4_referee, tmp_path, keys, arguments, reason):
    """A match that the dialect cannot express is refused before bots start and files are stored."""
    bots, log = bots_file(tmp_path, **keys)
    out = tmp_path / "out"
    done = c4_referee("match", LIGHT, "theirs", "--bots", bots, *arguments, "--out", str(out))
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert reason in done.stderr.decode()
    assert not log.exists()
    assert not out.exists()


def test_tournament_with_openings_is_refused_in_one_line(c4_referee, tmp_path):
    """A tournament file with openings is refused, too. Without openings, it is played."""
    bots, log = bots_file(tmp_path)
    text = f"""
name = "columns"
system = "round-robin"
openings = "random:2"
{Path(bots).read_text()}
"""
    path = tmp_path / "tournament.toml"
    path.write_text(text)
    done = c4_referee("tournament", str(path))
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"bot 'theirs': in moves, each game begins on the empty board" in done.stderr
    assert not log.exists()
    path.write_text(text.replace("random:2", "none"))
    done = c4_referee("tournament", str(path), "--json")
    assert (done.returncode, json.loads(done.stdout)["complete"]) == (0, True)
