"""``c4-referee check`` with real bots of dialects other than jsonl."""

import json
import os
import sys
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.rules.variant import STANDARD
from effort import sampled

pytestmark = pytest.mark.slow

BOTS = Path(__file__).parent.parent / "bots"
PATIENT = ("--time-ms", "60000")
BAD = [
    ("engine.py twice", "c4engine", "'bestmove 3 0' before it was asked", "for a move once"),
    ("settings.py passes", "theaigames", "not place_disc COLUMN", 'such as "place_disc 3"'),
    ("settings.py comments", "riddles", "not place_disc COLUMN", "and nothing else"),
    ("codinger.py thief", "codingame", "only the first move of player 2", "a column that has room"),
    ("cfour.py illegal", "uci", "where a stone falls to P@d1", "column 1, the leftmost, is a"),
    (
        "engine.py unready",
        "c4engine",
        'no line "readyok" within ',
        'answer "isready" with "readyok"',
    ),
    ("columns.py words 7 6", "moves", "'middle' is not a number", 'such as "3"'),
]
"""A bot, its dialect, what is seen, and what to do."""


def command(bot: str) -> str:
    """Return the command line of a bot in ``tests/bots``."""
    return f"{sys.executable} -S -E {BOTS / bot}"


OTHERS = [name for name in dialects.referee_names() if name != "jsonl"]


@pytest.mark.parametrize("dialect", sampled(OTHERS, ["codingame"]))
def test_our_bot_keeps_every_rule(c4_referee, dialect):
    """Our bot follows every rule, including those that are advice, in the game of its dialect."""
    variant = dialects.referee_end(dialect).variant or STANDARD
    bot = f"c4-bot --depth 4 --dialect {dialect}"
    settings = ("--dialect", dialect, "--variant", str(variant), *PATIENT)
    done = c4_referee("check", bot, "--json", *settings)
    report = json.loads(done.stdout)
    assert [rule for rule in report["rules"] if not rule["passed"]] == []
    names = {rule["name"] for rule in report["rules"]}
    assert {f"plays a whole game as player {player}" for player in (1, 2)} <= names
    assert ("continues after its first stone was stolen" in names) == variant.steal


def test_dialect_of_a_command_line_is_an_option(c4_referee):
    """--dialect names the dialect of a bot that is a command line. The first line shows it."""
    done = c4_referee("check", command("columns.py left 7 6"), "--dialect", "moves", *PATIENT)
    assert done.stdout.splitlines()[0].endswith(b"standard, 60000 ms a move, dialect moves")
    assert b"\nReady for other referees of moves: " in done.stdout
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("bot", "dialect", "seen", "fix"), sampled(BAD, BAD[1:4:2]))
def test_failure_is_described_in_words_of_the_dialect(c4_referee, bot, dialect, seen, fix):
    """All failures of a bot have one cause, with advice that is true in its dialect."""
    time_ms = "300" if "unready" in bot else "60000"
    done = c4_referee("check", command(bot), "--dialect", dialect, "--json", "--time-ms", time_ms)
    report = json.loads(done.stdout)
    (cause,) = [cause for cause in report["causes"] if not cause["advice"]]
    assert seen in cause["seen"]
    assert fix in cause["fix"]
    assert "JSON" not in cause["fix"]
    assert (report["passed"], done.returncode) == (False, 1)


def test_failure_is_shown_on_one_page(c4_referee):
    """A failure is shown in 80 columns, with the columns named as in answers."""
    environment = {**os.environ, "COLUMNS": "80"}
    bot = ("check", command("cfour.py illegal"), "--dialect", "uci", *PATIENT)
    shown = c4_referee(*bot, env=environment).stdout.decode()
    assert "answered 'bestmove P@d6': P@d6 is column 4, where a stone falls to\n" in shown
    assert "a b c d e f g  moves; with room: a, b, c, d, e, f, g\n" in shown
    assert "1 2 3 4 5 6 7  columns of people" in shown
    assert "to see it again:\nprintf '%s\\n' uci 'setoption name UCI_Variant value cfour'" in shown
    assert len(shown.splitlines()) < 24


def test_dialect_is_found_if_the_bot_does_not_answer_json(c4_referee):
    """A bot that ignores JSON is checked in its own dialect, and the user learns its name."""
    dialect, bot = "riddles", command("settings.py good")  # it starts fast
    done = c4_referee("check", bot, "--time-ms", "2000")
    shown = done.stdout.decode()
    assert f"It answers in the dialect {dialect}:\n  {bot}\n" in shown
    assert f'  dialect = "{dialect}"\n' in shown
    assert f"For bots on the command line, say --dialect {dialect}.\n" in shown
    assert f'Ready for this referee with dialect = "{dialect}": it follows all ' in shown
    assert done.returncode == 0


def test_match_names_the_dialect_of_command_lines(c4_referee, tmp_path):
    """--dialect is for the bots of a match that are command lines; tables have their own."""
    (tmp_path / "bots.toml").write_text(
        f"[bots.engine]\ncommand = {json.dumps(command('engine.py good'))}\ndialect = 'c4engine'\n"
    )
    done = c4_referee("match", command("cfour.py good"), "engine", "--dialect", "uci", "--json",
                      "--bots", str(tmp_path / "bots.toml"), "--games", "2", "--no-accuracy",
                      *PATIENT)  # fmt: skip
    report = json.loads(done.stdout)
    assert (done.returncode, report["complete"], report["forfeits"]) == (0, True, {})
