"""CodinGame's protocol on both sides of the pipe, in games with the steal."""

import json
import sys
from pathlib import Path

import pytest
from bots import FAST, LIGHT
from transcripts import replay

ROOT = Path(__file__).parent.parent.parent
PLATFORM_BOT = Path(__file__).parent.parent / "bots" / "codinger.py"
NEEDED = "c4-bot --plays needed --depth 2"
QUICK = ("--plays", "needed", "--depth", "3")
EMPTY = "> .........\n"
COLUMNS = "".join(f"> {column}\n" for column in range(9))

AS_FIRST = f"""
> 0 1
> 0
{EMPTY * 7}
> 9
{COLUMNS}
> -1
< [0-8]
> 2
{EMPTY * 6}
> ....1....
> 9
{COLUMNS}
> -2
< [0-8]
"""
"""Two turns of the first player, whose stone is stolen."""

AS_SECOND = f"""
> 1 0
> 1
{EMPTY * 6}
> ....0....
> 10
{COLUMNS}
> -2
> 4
< (STEAL|[0-8])
"""
"""The first turn of the second player."""

WIN = f"""
> 0 1
> 6
{EMPTY * 4}
> 0...1....
> 0...1....
> 0...1....
> 9
{COLUMNS}
> 4
< 0
"""
"""A turn in which the first player wins."""

FULL = f"""
> 1 0
> 7
{"> 0........ > 1........ > 0........ > 1........ > 0........ > 1........ > 0........"}
> 8
{COLUMNS.removeprefix("> 0")}
> 0
< [1-8]
""".replace(" >", chr(10) + ">")
"""A turn in which a column is full."""


@pytest.mark.parametrize("transcript", [AS_FIRST, AS_SECOND, FULL], ids=["first", "second", "full"])
def test_turns_of_codingame_are_answered(transcript):
    """The bot answers each turn with one line, in both seats."""
    replay(QUICK, transcript)


def test_message_follows_the_column():
    """With --info, the answer has a message."""
    replay(
        ["--dialect", "codingame", "--info", *QUICK],
        WIN.replace("< 0", r"< 0 score .+, depth \d+, \d+ nodes"),
    )


def test_bad_turn_gets_one_line_and_the_next_is_answered(c4_bot):
    """After a damaged turn, the bot waits for the next one."""
    lines = [line[2:] for line in WIN.splitlines() if line.startswith(">")]
    damaged = [line.replace("0...1....", "0...2....") for line in lines]
    done = c4_bot(*QUICK, stdin="\n".join([*damaged, *lines[1:]]).encode())
    assert done.stdout == b"0\n"
    assert done.stderr.startswith(b"c4-bot: line 7: '0...2....' is not a number\n")
    assert done.returncode == 1


# Somebody else's bot under our referee.


def bots_file(folder, kind, **keys):
    """Write a file with the bot of ``tests/bots/codinger.py``.

    Returns the path of the file, and the path of the log in which the bot writes what it reads.
    """
    path, log = folder / "bots.toml", folder / "heard.txt"
    command = [sys.executable, "-S", "-E", str(PLATFORM_BOT), kind, str(log)]
    settings = {"command": command, "dialect": "codingame", **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    ours = f'[bots.ours]\ncommand = "{NEEDED}"\ndialect = "codingame"'
    path.write_text("\n".join(["[bots.theirs]", *lines, ours]))
    return str(path), log


def play(c4_referee, folder, *arguments):
    """Play a match in the variant codingame; return the records of its games."""
    events = folder / "events.jsonl"
    events.unlink(missing_ok=True)  # a match appends to it
    done = c4_referee("match", *arguments, "--variant", "codingame", *FAST, "--events", str(events))
    assert done.returncode == 0, done.stderr
    records = map(json.loads, events.read_bytes().splitlines())
    return [record for record in records if record["event"] == "game_ended"]


@pytest.mark.parametrize("kind", ["number", "talks"])
def test_bot_plays_both_seats_with_steals(c4_referee, tmp_path, kind):
    """A bot that steals in either form, or writes messages, plays against one that speaks jsonl."""
    bots, _ = bots_file(tmp_path, kind)
    for game in play(c4_referee, tmp_path, "theirs", LIGHT, "--bots", bots):
        assert game["fault"] is None
        steals = game["second"] == "theirs" and kind != "talks"
        assert (game["moves"][1] == "s") or not steals


def test_bot_hears_what_codingame_says(c4_referee, tmp_path):
    """A bot reads the turns of a game in which it moves first, and of one in which it steals."""
    bots, log = bots_file(tmp_path, "steals")
    games = play(c4_referee, tmp_path, "theirs", LIGHT, "--bots", bots, "--games", "2")
    heard = log.read_text().splitlines()
    moves = next(game["moves"] for game in games if game["second"] == "theirs")
    first, second = heard[heard.index("0 1") :], heard[heard.index("1 0") :]
    assert first[:9] == ["0 1", "0", *["........."] * 7]
    assert first[9:21] == ["9", *map(str, range(9)), "-1", "2"]
    opened = int(moves[0]) - 1
    bottom = "." * opened + "0" + "." * (8 - opened)
    assert second[:9] == ["1 0", "1", *["........."] * 6, bottom]
    assert second[9:22] == ["10", *map(str, range(9)), "-2", str(opened), "3"]
    assert moves[1] == "s"


@pytest.mark.parametrize(("kind", "reason"), [("thief", "illegal move"), ("words", "bad line")])
def test_bot_that_misbehaves_forfeits(c4_referee, tmp_path, kind, reason):
    """An impossible steal is an illegal move, and a word is a bad line."""
    bots, _ = bots_file(tmp_path, kind)
    for game in play(c4_referee, tmp_path, "theirs", LIGHT, "--bots", bots):
        assert (game["fault"]["bot"], game["fault"]["fault"]) == ("theirs", reason)


def test_our_bot_plays_theirs_in_the_same_dialect(c4_referee, tmp_path):
    """Our bot and another author's meet in the dialect, from openings of two moves."""
    bots, _ = bots_file(tmp_path, "talks")
    games = play(c4_referee, tmp_path, "ours", "theirs", "--bots", bots, "--openings", "random:2")
    assert [game["fault"] for game in games] == [None, None]


def test_our_bot_steals_in_this_dialect_and_in_jsonl(c4_referee, tmp_path):
    """The same player plays the same games in both dialects, and steals the first stone."""
    path, command = tmp_path / "bots.toml", 'command = "c4-bot --plays random --seed 5"'
    path.write_text(f'[bots.here]\n{command}\ndialect = "codingame"\n[bots.there]\n{command}\n')
    played = [
        [game["moves"] for game in play(c4_referee, tmp_path, bot, NEEDED, "--bots", str(path))]
        for bot in ("here", "there")
    ]
    assert sorted(played[0]) == sorted(played[1])
    assert any(moves[1] == "s" for moves in played[0])


def test_bot_that_is_kept_for_all_games_is_refused(c4_referee, tmp_path):
    """No line begins another game, so the bot cannot be kept."""
    bots, _ = bots_file(tmp_path, "talks", restart="never")
    done = c4_referee("match", "theirs", NEEDED, "--bots", bots, "--variant", "codingame")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"codingame has no line that begins another game: leave out restart" in done.stderr


def test_standard_game_is_refused_before_a_match(c4_referee, tmp_path):
    """The dialect describes one game, which has to be chosen."""
    bots, log = bots_file(tmp_path, "talks")
    done = c4_referee("match", "theirs", NEEDED, "--bots", bots)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"codingame knows only the variant codingame, not standard" in done.stderr
    assert not log.exists()


def test_end_in_the_middle_of_a_turn_gets_one_line(c4_bot):
    """A turn that never ends is reported, gets no answer, and is an error for the shell."""
    done = c4_bot(*QUICK, stdin=b"0 1\n0\n.........\n")
    assert (done.stdout, done.returncode) == (b"", 1)
    assert done.stderr == b"c4-bot: line 3: the input ends before the end of a turn\n"
