"""UCI with the variant cfour on both sides of the pipe."""

import json
import re
import sys
from pathlib import Path

import pytest
from bots import FAST, LIGHT
from transcripts import replay

ENGINE = Path(__file__).parent.parent / "bots" / "cfour.py"
NEEDED = "c4-bot --plays needed --depth 2"
QUICK = ("--plays", "needed", "--depth", "3")

CUTECHESS = """
> uci
< id name c4-arena
< id author .+
< option name UCI_Variant type combo default cfour var cfour
< uciok
> setoption name UCI_Variant value cfour
> isready
< readyok
> ucinewgame
> isready
< readyok
> position startpos
> go wtime 60000 btime 60000 winc 500 binc 500
< bestmove P@d1
> position startpos moves P@d1 P@d2
> go wtime 59000 btime 60000 winc 500 binc 500
< bestmove P@[a-g][1-3]
> position startpos moves P@a1 P@b1 P@a2 P@b2 P@a3 P@b3
> go movetime 100
< bestmove P@a4
> isready
< readyok
> ucinewgame
> position fen 7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1 moves P@d1
> go movetime 100
< bestmove P@[a-g][12]
> position fen 7/7/7/p6/pP5/pP5[PPPPPPPPPPPPPPPPPPPpppppppppppppppppp] w - - 0 4
> go movetime 100
< bestmove P@a4
> position startpos moves P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4
> go movetime 100
< bestmove 0000
> go infinite
> stop
< bestmove 0000
> quit
"""
"""Lines of cutechess, and then of a person who tries the other commands."""

ANALYSIS = """
> uci
< id .+
< id .+
< option .+
< uciok
> position startpos moves P@a1 P@b1 P@a2 P@b2 P@a3 P@b3
> go infinite
< info depth \\d+ score (mate 1|cp -?\\d+) nodes \\d+ time \\d+ pv P@a4
> isready
< readyok
> stop
< bestmove P@a4
> quit
"""


@pytest.mark.parametrize(
    ("dialect", "end"), [((), "\n"), (("--dialect", "uci"), "\r\n")], ids=["LF", "CRLF"]
)
def test_lines_of_cutechess_are_answered(dialect, end):
    """The bot answers a game and other commands, with every kind of line ending."""
    replay([*dialect, *QUICK], CUTECHESS, end)


def test_infinite_search_is_answered_after_stop():
    """With --info, the search is described at once, and the move follows ``stop``."""
    replay(["--info", *QUICK], ANALYSIS)


@pytest.mark.parametrize(
    "first",
    [
        "position fen 7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2",
        "setoption name UCI_Variant value cfour",
    ],
)
def test_dialect_is_found_by_other_first_lines(first):
    """A driver that leaves out the handshake is understood, too."""
    replay(QUICK, f"> {first}\n> go movetime 100\n< bestmove P@[a-g][1-6]\n> quit")


def test_bad_lines_are_refused_and_the_next_is_answered(c4_bot):
    """Each bad line gets one line on standard error, and the next line is answered."""
    lines = ["uci", "perft 3", "position startpos moves P@d2", "go", "position startpos", "go"]
    done = c4_bot(*QUICK, stdin="\n".join(lines).encode())
    assert done.stdout.endswith(b"uciok\nbestmove P@d1\n")
    assert re.findall(rb"c4-bot: line (\d):", done.stderr) == [b"2", b"3", b"4"]
    assert done.returncode == 1


# Another author's engine under our referee.


def bots_file(folder, kind="good", **keys):
    """Write a file with the engine of ``tests/bots/cfour.py``.

    Returns the path of the file, and the path of the log in which the engine writes what it reads.
    """
    path, log = folder / "bots.toml", folder / "heard.txt"
    command = [sys.executable, "-S", "-E", str(ENGINE), kind, str(log)]
    settings = {"command": command, "dialect": "uci", **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    path.write_text("\n".join(["[bots.engine]", *lines]))
    return str(path), log


@pytest.mark.parametrize(("kind", "restart"), [("good", "never"), ("plain", "game")])
def test_engine_plays_both_colours_to_the_end(c4_referee, tmp_path, kind, restart):
    """An engine plays both colours against a bot that speaks jsonl, with openings."""
    bots, _ = bots_file(tmp_path, kind, restart=restart)
    done = c4_referee("match", "engine", LIGHT, "--bots", bots, "--games", "4", "--json", *FAST,
                      "--openings", "random:3")  # fmt: skip
    report = json.loads(done.stdout)
    assert (done.returncode, report["complete"], report["forfeits"]) == (0, True, {})
    assert report["first_bot_as_first"]["games"] == report["first_bot_as_second"]["games"] == 2


@pytest.mark.parametrize("restart", ["game", "never"])
def test_engine_hears_what_cutechess_says(c4_referee, tmp_path, restart):
    """An engine reads the handshake, ``ucinewgame`` before each game and the moves of the game."""
    bots, log = bots_file(tmp_path, time_ms=700, restart=restart)
    events = tmp_path / "events.jsonl"
    c4_referee("match", "engine", LIGHT, "--bots", bots, "--games", "2", *FAST,
               "--events", str(events))  # fmt: skip
    records = map(json.loads, events.read_bytes().splitlines())
    games = [record for record in records if record["event"] == "game_ended"]
    heard = iter(log.read_text(encoding="utf-8").splitlines())
    for number, game in enumerate(games):
        if restart == "game" or not number:
            assert next(heard) == "uci"
            assert next(heard) == "setoption name UCI_Variant value cfour"
        assert [next(heard), next(heard)] == ["ucinewgame", "isready"]
        names, heights = [], dict.fromkeys("1234567", 0)
        for column in game["moves"]:
            heights[column] += 1
            names.append(f" P@{'abcdefg'[int(column) - 1]}{heights[column]}")
        for ply in range(0 if game["first"] == "engine" else 1, len(names), 2):
            moves = f" moves{''.join(names[:ply])}" if ply else ""
            assert next(heard) == f"position startpos{moves}"
            assert next(heard) == "go movetime 700"
        if restart == "game":
            assert next(heard) == "quit"
    assert [*heard] == ([] if restart == "game" else ["quit"])


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("illegal", "illegal move"),
        ("null", "bad line"),
        ("unready", "late first answer"),
    ],
)
def test_engine_that_misbehaves_forfeits(c4_referee, tmp_path, kind, reason):
    """An engine that misbehaves forfeits for the same faults as a bot that speaks jsonl."""
    bots, _ = bots_file(tmp_path, kind)
    done = c4_referee("match", "engine", LIGHT, "--bots", bots, "--games", "2",
                      "--time-ms", "500", "--startup-ms", "1000", "--json", *FAST)  # fmt: skip
    report = json.loads(done.stdout)
    assert [*report["forfeits"].values()] == [{reason: 2}]
    assert (report["losses"], report["complete"]) == (2, True)


def test_same_players_play_the_same_games_in_uci_and_jsonl(c4_referee, tmp_path):
    """A player knows as much in UCI as in jsonl, with a clock and an opening, so it plays alike."""
    path = tmp_path / "bots.toml"
    path.write_text(f'[bots.other]\ncommand = "{NEEDED} --info"\ndialect = "uci"\n')
    played = []
    for bot in ("other", NEEDED):
        events = tmp_path / f"{len(played)}.jsonl"
        c4_referee("match", bot, f"{NEEDED} --seed 1", "--bots", str(path), *FAST, "--games", "2",
                   "--tc", "60+1", "--openings", "random:4", "--events", str(events))  # fmt: skip
        records = map(json.loads, events.read_bytes().splitlines())
        ended = [record for record in records if record["event"] == "game_ended"]
        assert not any(game["fault"] for game in ended)
        played.append([game["moves"] for game in ended])
    assert played[0] == played[1]
    assert len(played[0]) == 2


def test_other_games_are_refused_before_a_match(c4_referee, tmp_path):
    """A variant that cfour is not is refused in one line, before any bot starts."""
    bots, log = bots_file(tmp_path)
    done = c4_referee("match", NEEDED, "engine", "--bots", bots, "--variant", "8x7")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"bot 'engine': uci knows only the variant standard, not " in done.stderr
    assert not log.exists()
