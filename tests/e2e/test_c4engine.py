"""The dialect of the "go command" on both sides of the pipe."""

import json
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from bots import FAST, LIGHT
from c4_protocol.position import Position

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = Path(sys.executable).parent
ENGINE = Path(__file__).parent.parent / "bots" / "engine.py"
NEEDED = "c4-bot --plays needed --depth 2"


# Our bot, driven as by the real coordinator.


class Coordinator:
    """A driver that sends one line at a time and waits where the real coordinator waits."""

    def __init__(self, bot: subprocess.Popen) -> None:
        self.bot = bot

    def say(self, line: str) -> None:
        """Write a line."""
        self.bot.stdin.write(f"{line}\n".encode())
        self.bot.stdin.flush()

    def ask(self, line: str) -> str:
        """Write a line and read one."""
        self.say(line)
        return self.bot.stdout.readline().decode()

    def best_move(self, moves: str, clocks: str = "ftime 120000 stime 120000") -> int:
        """Return the column that the bot plays after some moves."""
        self.say(f"position startpos {moves}")
        answer = self.ask(f"go {clocks}")
        assert re.fullmatch(r"bestmove [0-6] -?\d+\n", answer)
        return int(answer.split()[1])


@contextmanager
def coordinated(*arguments: str):
    """Start our bot with arguments and yield its coordinator.

    At the end the bot must exit after ``quit``, without further output.
    """
    command = [SCRIPTS / "c4-bot", *arguments]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as bot:
        coordinator = Coordinator(bot)
        yield coordinator
        assert coordinator.ask("quit") == "quitting\n"
        assert bot.wait(30) == 0
        assert (bot.stdout.read(), bot.stderr.read()) == (b"", b"")


@pytest.mark.parametrize("dialect", [(), ("--dialect", "auto"), ("--dialect", "c4engine")])
@pytest.mark.parametrize("plays", ["perfect", "random"])
def test_game_is_played_as_the_real_coordinator_does(dialect, plays):
    """The bot plays a whole game against itself, and answers one question after its end."""
    with coordinated(*dialect, "--plays", plays, "--time-ms", "30") as coordinator:
        assert coordinator.ask("name AI 0") == "c4arena-c0000000\n"
        assert coordinator.ask("isready AI 0") == "readyok\n"
        position, moves = Position(), ""
        while not position.is_over:
            column = coordinator.best_move(moves)
            position, moves = position.play(position.check(column)), f"{moves}{column}"
        assert coordinator.best_move(moves) == 0


def test_real_launch_arguments_are_taken():
    """The bot accepts the real coordinator's arguments and finds the dialect by the first line."""
    with coordinated("-classpath"[1:], ".", "Interface", "--depth", "2") as coordinator:
        assert coordinator.ask("name") == "c4arena-c0000000\n"
        assert coordinator.best_move("") == 3


def test_win_in_one_is_taken_by_either_player():
    """Both players take a win in one move. The moves show who is to move."""
    with coordinated("--depth", "3") as coordinator:
        assert coordinator.best_move("313131") == 3
        assert coordinator.best_move("2313136") == 3


def test_own_clock_is_obeyed():
    """A search that would take for ever obeys the own clock, and ignores the opponent's."""
    player = ("--plays", "strong", "--depth", "42", "--set", "share=0")
    with coordinated(*player, "--set", "centre_first=false") as coordinator:
        coordinator.best_move("", "ftime 400 stime 86400000")
        coordinator.best_move("3", "ftime 86400000 stime 400")
        coordinator.best_move("33", "ftime 0 stime 86400000")
        coordinator.best_move("33", "ftime -20 stime 86400000")


def test_info_comes_before_the_move_if_asked_for():
    """With --info, each value is written in its own line before the move."""
    with coordinated("--info", "--depth", "4") as coordinator:
        coordinator.say("position startpos ")
        said = [coordinator.ask("go ftime 120000 stime 120000")]
        while not said[-1].startswith("bestmove"):
            said.append(coordinator.bot.stdout.readline().decode())
    words = [line.split(maxsplit=2)[:2] for line in said[:-1]]
    assert words == [["info", word] for word in ("depth", "nodes", "score", "string")]


def test_perft_gives_the_published_values():
    """``perft`` gives the published counts from the empty board, with the root."""
    published = [1, 8, 57, 400, 2801, 19608, 137257, 960793]
    with coordinated() as coordinator:
        for depth, nodes in enumerate(published):
            assert coordinator.ask(f"perft {depth}") == f"perft {depth} {nodes}\n"


def test_perft_that_would_take_too_long_is_refused(c4_bot):
    """A depth at which too many positions would be counted gets one line, and no answer."""
    done = c4_bot(stdin=b"perft 30\nperft 2\n")
    assert (done.stdout, done.returncode) == (b"perft 2 57\n", 1)
    assert done.stderr.startswith(b"c4-bot: line 1: perft 30: there may be more than ")
    assert done.stderr.count(b"\n") == 1


def test_bad_lines_are_refused_and_the_next_is_answered(c4_bot):
    """Each bad line gets one line on standard error, and the next line is answered."""
    lines = ["isready", "uci", "position startpos 9", "go", "position startpos 3", "go", "quit"]
    done = c4_bot("--depth", "2", stdin="\r\n".join(lines).encode())
    assert re.fullmatch(rb"readyok\nbestmove [0-6] -?\d+\nquitting\n", done.stdout)
    reasons = done.stderr.decode().splitlines()
    assert [reason[:16] for reason in reasons] == [f"c4-bot: line {n}: "[:16] for n in (2, 3, 4)]
    assert done.returncode == 1


# Another author's engine under our referee.


def bots_file(folder, kind="good", **keys):
    """Write a file of bots with the engine of ``tests/bots/engine.py``.

    Returns the path of the file, and the path of the log in which the engine writes what it reads.
    """
    path, log = folder / "bots.toml", folder / "heard.txt"
    command = [sys.executable, "-S", "-E", str(ENGINE), kind, str(log)]
    settings = {"command": command, "dialect": "c4engine", **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    path.write_text("\n".join(["[bots.engine]", *lines]))
    return str(path), log


@pytest.mark.parametrize("kind", ["good", "terse"])
@pytest.mark.parametrize("restart", ["game", "never"])
def test_engine_plays_both_colours_to_the_end(c4_referee, tmp_path, kind, restart):
    """An engine that writes extra lines plays both colours against a bot that speaks jsonl."""
    bots, _ = bots_file(tmp_path, kind, restart=restart)
    done = c4_referee("match", "engine", LIGHT, "--bots", bots, "--games", "4", "--json", *FAST)
    report = json.loads(done.stdout)
    assert (done.returncode, report["complete"], report["forfeits"]) == (0, True, {})
    assert report["first_bot_as_first"]["games"] == report["first_bot_as_second"]["games"] == 2


def test_engine_hears_what_the_real_coordinator_says(c4_referee, tmp_path):
    """An engine reads the handshake, each position with both clocks, and ``quit`` at the end."""
    bots, log = bots_file(tmp_path, time_ms=700)
    events = tmp_path / "events.jsonl"
    c4_referee("match", "engine", LIGHT, "--bots", bots, "--games", "2", *FAST,
               "--tc", "60+1", "--events", str(events))  # fmt: skip
    games = [
        event
        for event in map(json.loads, events.read_bytes().splitlines())
        if event["event"] == "game_ended"
    ]
    heard = iter(log.read_text(encoding="utf-8").splitlines())
    for game in sorted(games, key=lambda game: game["game"]):
        assert [next(heard), next(heard)] == ["name AI 0", "isready AI 0"]
        moves = "".join(str(int(name) - 1) for name in game["moves"])
        is_first = game["first"] == "engine"
        for ply in range(0 if is_first else 1, len(moves), 2):
            assert next(heard) == f"position startpos {moves[:ply]}"
            first, second = re.fullmatch(r"go ftime (\d+) stime (\d+)", next(heard)).groups()
            own, other = (first, second) if is_first else (second, first)
            assert own == "700"
            assert 50_000 < int(other) < 75_000
        assert next(heard) == "quit"
    assert next(heard, None) is None


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("illegal", "illegal move"),
        ("full", "illegal move"),
        ("words", "bad line"),
        ("nothing", "bad line"),
        ("twice", "more than one line"),
        ("silent", "late first answer"),
        ("chatters", "late first answer"),
        ("unready", "late first answer"),
    ],
)
def test_engine_that_misbehaves_forfeits(c4_referee, tmp_path, kind, reason):
    """An engine that misbehaves forfeits for the same faults as a bot that speaks jsonl."""
    bots, _ = bots_file(tmp_path, kind)
    fills_the_middle = f"sh {ROOT / 'examples' / 'centre.sh'}"
    other = fills_the_middle if kind == "full" else LIGHT
    done = c4_referee("match", "engine", other, "--bots", bots, "--games", "2",
                      "--time-ms", "500", "--startup-ms", "1500", "--json", *FAST)  # fmt: skip
    report = json.loads(done.stdout)
    (reasons,) = report["forfeits"].values()
    assert set(reasons) == {reason}
    assert report["losses"] == 2
    assert report["complete"]


def test_our_bots_meet_over_both_dialects(c4_referee, tmp_path):
    """The same player, once in each dialect, gets the same information about the game."""
    path = tmp_path / "bots.toml"
    path.write_text(f'[bots.other]\ncommand = "{NEEDED} --info"\ndialect = "c4engine"\n')
    done = c4_referee("match", "other", NEEDED, "--bots", str(path), "--games", "2", "--json")
    report = json.loads(done.stdout)
    assert (report["complete"], report["forfeits"]) == (True, {})
    assert (report["wins"] == report["losses"]) or report["draws"] == 2


@pytest.mark.parametrize("variant", ["8x7", "7x6x5", "line8"])
def test_other_games_are_refused_before_a_match(c4_referee, tmp_path, variant):
    """Variants that the dialect cannot describe are refused in one line, before any bot starts."""
    bots, log = bots_file(tmp_path)
    done = c4_referee("match", NEEDED, "engine", "--bots", bots, "--variant", variant,
                      "--out", str(tmp_path / "out"))  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.decode().startswith(
        "c4-referee: bot 'engine': c4engine knows only the variant standard, not "
    )
    assert done.stderr.count(b"\n") == 1
    assert not log.exists()
    assert not (tmp_path / "out").exists()


def test_console_is_no_dialect_for_a_referee(c4_referee, tmp_path):
    """The dialect console is refused for a referee, with a list of possible dialects."""
    bots, _ = bots_file(tmp_path, dialect="console")
    done = c4_referee("match", NEEDED, "engine", "--bots", bots)
    assert done.returncode == 2
    assert b"no dialect 'console' for a referee: there are c4engine, " in done.stderr
