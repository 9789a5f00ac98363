"""``c4-referee match`` with real bots."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from referee.process import descendants_of

SCRIPTS = Path(sys.executable).parent
ROOT = Path(__file__).parent.parent.parent
RANDOM = "c4-bot --plays random"
NEEDED = "c4-bot --plays needed --depth 4"
KEYS = {
    "bots", "games", "wins", "draws", "losses", "first_bot_as_first", "first_bot_as_second",
    "distinct_games", "forfeits", "elo", "elo_low", "elo_high", "los", "sprt", "accuracy",
    "accuracy_report", "seconds", "complete",
}  # fmt: skip


def test_report_adds_up(c4_referee):
    """--json prints one object with the agreed keys, and its numbers agree with each other."""
    done = c4_referee("match", NEEDED, RANDOM, "--games", "6", "--json")
    report = json.loads(done.stdout)
    assert done.stdout.count(b"\n") == 1
    assert set(report) == KEYS
    assert report["complete"]
    assert done.returncode == 0
    assert report["games"] == report["wins"] + report["draws"] + report["losses"] == 6
    first, second = report["first_bot_as_first"], report["first_bot_as_second"]
    assert first["games"] == second["games"] == 3
    for key in ("wins", "draws", "losses"):
        assert first[key] + second[key] == report[key]
    assert report["elo_low"] <= report["elo"] <= report["elo_high"]
    assert 1 <= report["distinct_games"] <= 6
    assert report["forfeits"] == {}
    assert report["sprt"] is None
    assert set(report["accuracy"]) == set(report["accuracy_report"]["bots"]) == {NEEDED, RANDOM}


def test_needed_beats_random(c4_referee):
    """The player of the document beats the naive one, going first and second."""
    done = c4_referee("match", NEEDED, RANDOM, "--games", "10", "--json", "--no-accuracy")
    report = json.loads(done.stdout)
    assert report["losses"] == 0
    assert report["wins"] >= 9


def test_equal_games_are_counted_once(c4_referee):
    """Two deterministic bots have two games to play, one each way, however many are played."""
    done = c4_referee("match", "c4-bot --plays needed --depth 2", "c4-bot --plays needed --depth 1",
                      "--games", "6", "--json")  # fmt: skip
    report = json.loads(done.stdout)
    assert (report["games"], report["distinct_games"]) == (6, 2)


def test_sequential_test_ends_the_match(c4_referee):
    """--sprt stops as soon as it is decided: long before all games, and that is a whole job."""
    done = c4_referee("match", NEEDED, RANDOM, "--openings", "random:4", "--sprt", "0,300",
                      "--json", "--no-accuracy")  # fmt: skip
    report = json.loads(done.stdout)
    assert set(report["sprt"]) == {"llr", "lower", "upper", "verdict"}
    assert report["sprt"]["verdict"] == "H1"
    assert report["sprt"]["llr"] >= report["sprt"]["upper"] == 2.9444
    assert 10 < report["games"] < 60
    assert report["complete"]
    assert done.returncode == 0


def test_sequential_test_is_shown(c4_referee, misbehaving):
    """People are told the verdict: the weaker bot is not found stronger."""
    done = c4_referee("match", misbehaving("column_7"), RANDOM, "--openings", "random:4",
                      "--sprt", "0,300,0.1,0.1")  # fmt: skip
    assert "Sequential test: H0 accepted" in " ".join(done.stdout.decode().split())
    assert done.returncode == 0


def test_same_bot_twice_is_told_apart(c4_referee):
    """A bot against itself plays under two names."""
    done = c4_referee("match", RANDOM, RANDOM, "--games", "2", "--json")
    assert json.loads(done.stdout)["bots"] == [RANDOM, f"{RANDOM} (2)"]


def test_shell_script_plays_a_whole_match(c4_referee):
    """A bot without any language but the shell plays every game to its end."""
    done = c4_referee("match", "sh examples/centre.sh", NEEDED, "--games", "4", "--json", cwd=ROOT)
    report = json.loads(done.stdout)
    assert report["complete"]
    assert report["forfeits"] == {}


def test_forfeits_are_counted_by_reason(c4_referee, misbehaving):
    """A bot that plays a column that is not there loses every game for that reason."""
    bad = misbehaving("column_7")
    done = c4_referee("match", RANDOM, bad, "--games", "4", "--json")
    report = json.loads(done.stdout)
    assert report["wins"] == 4
    assert report["forfeits"] == {bad: {"illegal move": 4}}
    assert done.returncode == 0


def test_table_shows_result_and_offending_line(c4_referee, misbehaving):
    """Without --json people get a table, and each forfeit with its line."""
    bad = misbehaving("prose")
    settings = {"env": os.environ | {"COLUMNS": "200"}}
    done = c4_referee("match", RANDOM, bad, "--games", "2", **settings)
    text = done.stdout.decode()
    assert "bad line" in text
    assert "'I play in the middle'" in text
    assert "game 1, ply 1" in text
    assert "game 2, ply 0" in text
    assert "Elo difference" in text


def test_last_game_is_drawn(c4_referee):
    """People see where the last game ended: 4x4 stones, and who won."""
    done = c4_referee("match", RANDOM, RANDOM, "--games", "1", "--variant", "4x4")
    text = done.stdout.decode()
    board = [line.split() for line in text.splitlines() if set(line.split()) <= {"X", "O", "."}]
    assert [len(row) for row in board if row] == [4, 4, 4, 4]
    assert "wins (line)" in text or "a draw (full board)" in text


def test_every_event_is_told(c4_referee, tmp_path):
    """--events writes all that happens, --out the games; the report agrees with both."""
    events = tmp_path / "events.jsonl"
    done = c4_referee("match", NEEDED, RANDOM, "--games", "3", "--json",
                      "--events", str(events), "--out", str(tmp_path / "out"))  # fmt: skip
    told = [json.loads(line) for line in events.read_bytes().splitlines()]
    games = [json.loads(line) for line in (tmp_path / "out/games.jsonl").read_bytes().splitlines()]
    kinds = [event["event"] for event in told]
    assert kinds.count("game_started") == kinds.count("game_ended") == len(games) == 3
    assert kinds[-1] == "match_ended"
    assert told[-1]["report"] == json.loads(done.stdout)
    for game in games:
        moves = [
            event for event in told if event["event"] == "move" and event["game"] == game["game"]
        ]
        assert "".join(str(event["move"] + 1) for event in moves) == game["moves"]
        assert [event["ply"] for event in moves] == list(range(len(moves)))
        assert len(game["ms"]) == len(moves)


def test_events_on_standard_output(c4_referee):
    """With --events - standard output is events alone; the table goes to standard error."""
    done = c4_referee("match", RANDOM, RANDOM, "--games", "1", "--events", "-")
    assert all("event" in json.loads(line) for line in done.stdout.splitlines())
    assert b"Elo difference" in done.stderr


@pytest.mark.parametrize("variant", ["8x7", "9x7x5", "4x4x3"])
def test_variants_are_played(c4_referee, variant):
    """Other boards and line lengths are played to the end."""
    done = c4_referee("match", RANDOM, "c4-bot --depth 3", "--games", "2", "--json",
                      "--variant", variant)  # fmt: skip
    report = json.loads(done.stdout)
    assert report["complete"]
    assert report["forfeits"] == {}


def test_free_placement_is_played(c4_referee):
    """4-in-a-Line on 8x8: moves are cells, as messages and in the record."""
    done = c4_referee("match", RANDOM, "c4-bot --depth 1", "--games", "2", "--variant", "line8",
                      "--events", "-")  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    moves = [event["move"] for event in events if event["event"] == "move"]
    assert moves
    assert all(len(move) == 2 for move in moves)
    assert events[-1]["report"]["forfeits"] == {}


def test_game_clock_is_kept(c4_referee):
    """With --tc the bots are told their clocks, and a bot that never moves loses on time."""
    done = c4_referee("match", "c4-bot", RANDOM, "--games", "2", "--tc", "1+0.02", "--json")
    assert json.loads(done.stdout)["forfeits"] == {}


def test_bots_by_name(c4_referee):
    """Names of --bots are found, and bots that live on play many games in one process."""
    done = c4_referee("match", "centre", "random", "--bots", "examples/class.toml",
                      "--games", "4", "--json", cwd=ROOT)  # fmt: skip
    report = json.loads(done.stdout)
    assert report["bots"] == ["centre", "random"]
    assert report["complete"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("match", RANDOM), "the following arguments are required: BOT"),
        (("match", RANDOM, "no-such-program"), "there is no program 'no-such-program'"),
        (("match", RANDOM, ""), "there is no command"),
        (("match", RANDOM, RANDOM, "--json", "--events", "-"), "leave out --json"),
        ((), "no command"),
        (("match", RANDOM, "'unclosed"), "No closing quotation"),
        (("match", RANDOM, RANDOM, "--games", "0"), "argument --games: at least 1"),
        (("match", RANDOM, RANDOM, "--sprt", "5,0"), "argument --sprt: elo0 is less than elo1"),
        (("match", RANDOM, RANDOM, "--sprt", "5"), "argument --sprt: say elo0,elo1[,alpha,beta]"),
        (("match", RANDOM, RANDOM, "--variant", "round"), "no variant 'round'"),
        (("match", RANDOM, RANDOM, "--variant", "0x6"), "a board is 1 to 52 wide and high"),
        (("match", RANDOM, RANDOM, "--tc", "soon"), "no time control 'soon'"),
        (("match", RANDOM, RANDOM, "--tc", "1", "--time-ms", "9"), "not allowed with"),
        (
            ("match", RANDOM, RANDOM, "--tc", "1", "--first-ms", "9"),
            "--first-ms goes with --time-ms",
        ),
        (("match", RANDOM, RANDOM, "--bots", "/no/such/file"), "cannot read the bots of"),
        (("match", RANDOM, RANDOM, "--out", "/dev/null/x"), "cannot write /dev/null/x"),
        (("tourney",), "invalid choice: 'tourney'"),
    ],
)
def test_mistakes_on_the_command_line_are_told_in_one_line(c4_referee, arguments, reason):
    """A user's mistake is one line that says what is wrong, and exit code 2."""
    done = c4_referee(*arguments)
    last = done.stderr.decode().splitlines()[-1]
    assert done.returncode == 2
    assert reason in last
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[bots.a", "cannot read the bots of"),
        ("bots = 3", "'bots' is no table"),
        ("[bots]\na = 3", "bots.a is no table"),
        ("[bots.a]\ndialect = 'jsonl'", "bots.a.command: field required"),
        ("[bots.a]\ncommand = 'x'\nname = 'b'", "bots.a.name: the name is that of the table"),
        ('[bots.a]\ncommand = "x\\u0000"', "bots.a.command: there is a NUL in it"),
        ("[bots.a]\ncommand = 'x'\nenv = {'a=b' = 'c'}", "bots.a.env: a variable's"),
        ("[bots.a]\ncommand = 'x'\ncwd = '/no/where'", "there is no folder '/no/where'"),
        ("[bots.a]\ncommand = ''", "bots.a.command"),
        ("[bots.a]\ncommand = 'x'\ndialect = 'morse'", "bots.a.dialect: no dialect"),
        ("[bots.a]\ncommand = 'x'\nrestart = 'often'", "bots.a.restart: input should be"),
        ("[bots.a]\ncommand = 'x'\ncolour = 'red'", "bots.a.colour: no such key"),
        ("[bots.a]\ncommand = 'x'\ntime_ms = 0", "bots.a.time_ms: input should be greater"),
    ],
)
def test_broken_bots_file_is_told_by_its_key(c4_referee, tmp_path, text, reason):
    """Every mistake in a file of bots names the key."""
    bots = tmp_path / "bots.toml"
    bots.write_text(text)
    done = c4_referee("match", "a", RANDOM, "--bots", str(bots))
    assert done.returncode == 2
    assert reason in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_match_leaves_nobody_behind(number, misbehaving, wait_until):
    """Ctrl-C and the like end a match early: a report, exit code 1, and no child left."""
    slow = misbehaving("silent")
    command = [SCRIPTS / "c4-referee", "match", slow, slow, "--time-ms", "50000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as referee:
        assert wait_until(lambda: len(descendants_of(referee.pid)) == 6)  # two workers, four bots
        children = descendants_of(referee.pid)
        referee.send_signal(number)
        out, err = referee.communicate(timeout=30)
    assert referee.returncode == 1
    assert json.loads(out)["complete"] is False
    assert err == b""
    assert wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.4, 0.6, 0.8, 1.0])
def test_interrupt_at_any_moment_is_quiet(delay, mark, misbehaving, wait_until):
    """Also while the referee and its workers start: no traceback, and nobody left."""
    stubborn = misbehaving("ignores_the_end")
    command = [SCRIPTS / "c4-referee", "match", stubborn, stubborn, "--games", "50"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                          env=mark.environment) as referee:  # fmt: skip
        time.sleep(delay)
        referee.send_signal(signal.SIGINT)
        _, err = referee.communicate(timeout=30)
    if delay > 0.1:  # before that, Python itself is still starting
        assert b"Traceback" not in err
    assert wait_until(lambda: not mark.bearers())


def test_sigterm_ends_a_match_that_a_shell_put_in_the_background(misbehaving):
    """A shell starts background jobs with Ctrl-C ignored; SIGTERM must end them all the same."""
    slow = misbehaving("silent")
    referee = f"{SCRIPTS / 'c4-referee'} match '{slow}' '{slow}' --time-ms 50000 --json"
    done = subprocess.run(
        ["sh", "-c", f"{referee} & P=$!; sleep 1.5; kill $P; wait $P; echo $?"],
        capture_output=True, check=False, timeout=40,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == b"1"


def test_killed_referee_leaves_nobody_behind(mark, misbehaving, wait_until):
    """Kill -9 of the referee: workers notice, end their stubborn bots, and end."""
    slow = misbehaving("silent")
    command = [SCRIPTS / "c4-referee", "match", slow, misbehaving("ignores_the_end"),
               "--time-ms", "50000"]  # fmt: skip
    with subprocess.Popen(command, env=mark.environment) as referee:
        assert wait_until(lambda: len(descendants_of(referee.pid)) == 6)
        referee.kill()
    assert wait_until(lambda: not mark.bearers())


def test_machine_without_room_leaves_games_unplayed(misbehaving):
    """With too few files to open nobody loses: games are tried again, then left; it says so."""
    good = misbehaving("good")
    referee = f"{SCRIPTS / 'c4-referee'} match '{good}' '{good}' --concurrency 1 --events -"
    done = subprocess.run(
        ["sh", "-c", f"ulimit -n 11; exec {referee}"], capture_output=True, check=False
    )
    assert done.returncode == 1
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {event["event"] for event in events} == {"game_started", "match_ended"}
    report = events[-1]["report"]
    assert (report["complete"], report["games"], report["forfeits"]) == (False, 0, {})


def test_daemons_of_bots_end_with_their_game(c4_referee, mark, misbehaving):
    """Children that left their session, or lost their parent, are gone after the match."""
    bot = misbehaving("leaves_daemons")
    done = c4_referee("match", bot, bot, "--games", "4", "--json", env=mark.environment)
    assert json.loads(done.stdout)["complete"]
    assert not mark.bearers()


@pytest.mark.parametrize("redirection", ["| true", "> /dev/full", "--events /dev/full"])
def test_results_that_cannot_be_written_are_told_in_one_line(redirection):
    """A closed pipe or a full disk: one line that says so, and a bad exit code."""
    command = f"{SCRIPTS / 'c4-referee'} match '{RANDOM}' '{RANDOM}' --games 1 --json {redirection}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"c4-referee: [Errno ")


def test_killed_worker_costs_no_game(misbehaving):
    """A worker killed in the midst of a game: the game is played again, each game counts once."""
    bots = (misbehaving("good"), misbehaving("good"))
    command = [SCRIPTS / "c4-referee", "match", *bots, "--games", "100", "--events", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as referee:
        assert referee.stdout.readline()
        for _ in range(3):
            time.sleep(0.1)
            workers = Path(f"/proc/{referee.pid}/task/{referee.pid}/children").read_text().split()
            os.kill(int(workers[0]), signal.SIGKILL)  # the oldest
        out, _ = referee.communicate(timeout=60)
    *events, end = [json.loads(line) for line in out.splitlines()]
    ended = [event["game"] for event in events if event["event"] == "game_ended"]
    assert sorted(ended) == list(range(1, 101))
    assert end["report"]["complete"]
    assert end["report"]["games"] == 100


def test_openings_are_played_with_both_colours(c4_referee, tmp_path):
    """Each opening begins two games, which bots are told of as positions like any other."""
    path = tmp_path / "openings.txt"
    path.write_text("4453\n1234\n")
    events = tmp_path / "events.jsonl"
    done = c4_referee(
        "match", "c4-bot --plays random --seed 1", "c4-bot --plays needed --depth 2",
        "--games", "4", "--openings", str(path), "--json", "--events", str(events),
    )  # fmt: skip
    assert json.loads(done.stdout)["games"] == 4
    records = [json.loads(line) for line in events.read_text().splitlines()]
    ended = [record for record in records if record["event"] == "game_ended"]
    found = sorted((game["opening"], game["first"]) for game in ended)
    assert [opening for opening, _ in found] == ["1234", "1234", "4453", "4453"]
    assert len(set(found)) == 4
    for game in ended:
        assert game["moves"].startswith(game["opening"])
        assert len(game["ms"]) == len(game["moves"]) - 4


def test_openings_without_a_pair_are_refused(c4_referee):
    """With an odd number of games one bot would have the better of an opening."""
    done = c4_referee("match", RANDOM, "c4-bot", "--games", "3", "--openings", "random:2")
    assert done.returncode == 2
    assert b"3 games are odd" in done.stderr


def test_accuracy_tells_who_moved_better(c4_referee):
    """Every move of ten games is judged: it is clear which bot throws its games away."""
    done = c4_referee("match", "c4-bot --depth 8", RANDOM, "--games", "6", "--time-ms", "200",
                      "--openings", "random:4", "--json", "--judge-seconds", "60")  # fmt: skip
    report = json.loads(done.stdout)
    strong, weak = (report["accuracy_report"]["bots"][bot] for bot in report["bots"])
    assert report["accuracy"] == {"c4-bot --depth 8": strong["share"], RANDOM: weak["share"]}
    for bot in (strong, weak):
        assert bot["moves"] == bot["total"]["judged"] > 10
    assert report["accuracy_report"]["ended"] is None
    assert strong["total"]["best"] / strong["moves"] > weak["total"]["best"] / weak["moves"]
    assert strong["low"] > weak["low"]
    assert done.stderr == b""


def test_accuracy_is_shown(c4_referee):
    """People get a table, and are told how much was judged."""
    done = c4_referee("match", NEEDED, RANDOM)
    text = " ".join(done.stdout.decode().split())
    assert "c4-bot --plays perfect judged" in text
    assert "in 2 of 2 different games." in text


@pytest.mark.parametrize(
    "arguments", [("--no-accuracy",), ("--variant", "6x5"), ("--variant", "line8")]
)
def test_accuracy_is_not_asked_for(c4_referee, arguments):
    """Not wanted, or of a game that our judge does not know: null."""
    done = c4_referee("match", RANDOM, RANDOM, "--json", *arguments)
    report = json.loads(done.stdout)
    assert report["accuracy"] is report["accuracy_report"] is None
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_judge_by_name_judges_other_boards(c4_referee, tmp_path):
    """--judge takes a name of --bots; with it any board has an accuracy."""
    bots = tmp_path / "bots.toml"
    bots.write_text(
        "[bots.wise]\ncommand = 'c4-bot --plays perfect --set score_only=true --info'\n"
    )
    done = c4_referee("match", RANDOM, RANDOM, "--variant", "5x4", "--json", "--judge", "wise",
                      "--bots", str(bots), "--openings", "balanced:2")  # fmt: skip
    report = json.loads(done.stdout)
    assert report["accuracy_report"]["judge"] == "wise"
    assert report["accuracy_report"]["judged_games"] == 2


@pytest.mark.parametrize("kind", ["dies", "lies", "without_info", "rubbish"])
def test_a_judge_that_is_none_harms_no_result(c4_referee, kind):
    """One line to people, no accuracy; the match is what it was."""
    judges = Path(__file__).parent.parent / "bots" / "judges.py"
    done = c4_referee("match", RANDOM, RANDOM, "--json", "--judge",
                      f"{sys.executable} {judges} {kind}")  # fmt: skip
    report = json.loads(done.stdout)
    assert report["complete"]
    assert report["games"] == 2
    assert report["accuracy"] is report["accuracy_report"] is None
    assert done.stderr.startswith(b"c4-referee: no accuracy: judge '")
    assert done.stderr.count(b"\n") == 1
    assert done.returncode == 0


def is_judge(pid):
    """Whether a process runs ``judges.py``."""
    with suppress(OSError):
        return b"judges.py\0slow" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def test_ctrl_c_ends_the_judging(mark, wait_until, tmp_path):
    """The report comes all the same, and the judge goes."""
    judges = Path(__file__).parent.parent / "bots" / "judges.py"
    command = [SCRIPTS / "c4-referee", "match", RANDOM, RANDOM, "--json", "--out", str(tmp_path),
               "--judge", f"{sys.executable} {judges} slow"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=mark.environment) as referee:  # fmt: skip
        assert wait_until(lambda: any(map(is_judge, descendants_of(referee.pid))))
        referee.send_signal(signal.SIGINT)
        out, err = referee.communicate(timeout=30)
    report = json.loads(out)
    assert report["complete"]
    assert report["accuracy_report"]["ended"] == "interrupt"
    assert err == b""
    assert referee.returncode == 0
    assert not mark.bearers()


def test_balanced_openings_are_draws(c4_referee, c4_solve, tmp_path):
    """--openings balanced:N: each is one, says the solver."""
    done = c4_referee("match", RANDOM, RANDOM, "--games", "8", "--openings", "balanced:5",
                      "--no-accuracy", "--events", "-")  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    found = {event["opening"] for event in events if event["event"] == "game_ended"}
    assert len(found) == 4
    solved = c4_solve(stdin="".join(f"{moves}\n" for moves in found).encode()).stdout
    assert [line.split()[1] for line in solved.splitlines()] == [b"0"] * 4
