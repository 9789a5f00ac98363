"""Other authors' bots under our referee, in every dialect."""

import json
import sys
from pathlib import Path

import pytest
from bots import FAST, LIGHT, PATIENT
from c4_protocol.rules.notation import cells_from_moves, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from effort import sampled
from transcripts import Talk

PROGRAMS = Path(__file__).parent.parent / "bots"
COMMANDS = {
    "c4engine": ("engine.py", "KIND", "LOG"),
    "ccfi": ("engine.py", "KIND", "LOG"),
    "codingame": ("codinger.py", "KIND", "LOG"),
    "moves": ("columns.py", "KIND", "{width}", "{height}", "LOG"),
    "riddles": ("settings.py", "KIND", "LOG"),
    "theaigames": ("settings.py", "KIND", "LOG"),
    "uci": ("cfour.py", "KIND", "LOG"),
}
"""Programs in ``tests/bots``. Each writes what it reads into a log."""
GAMES = {"codingame": "codingame", "moves": "12x5x3", "theaigames": "9x7", "riddles": "9x7"}
"""Games that are played in a dialect, if not the standard game."""


class Match:
    """Matches of another author's bot in a dialect against a bot that speaks jsonl."""

    def __init__(self, c4_referee, folder: Path) -> None:
        self._c4_referee, self.folder = c4_referee, folder
        self.log = folder / "log.txt"

    def run(self, dialect: str, kind: str, *arguments: str, **keys: object):
        """Run the command for a match of two games, with settings of the bot."""
        words = {"KIND": kind, "LOG": str(self.log)}
        script, *more = [words.get(word, word) for word in COMMANDS.get(dialect, ("engine.py",))]
        command = [sys.executable, "-S", "-E", str(PROGRAMS / script), *more]
        settings = {"command": command, "dialect": dialect, **keys}
        lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
        (self.folder / "bots.toml").write_text("\n".join(["[bots.theirs]", *lines]))
        options = [word for word in FAST if "--tc" not in arguments or word not in PATIENT]
        return self._c4_referee("match", "theirs", LIGHT, "--bots", "bots.toml", "--games", "2",
                                *options, *arguments, cwd=self.folder)  # fmt: skip

    def games(self, dialect: str, kind: str, *arguments: str, **keys: object) -> list[dict]:
        """Play the two games in the dialect's own variant, and return their records."""
        variant = ("--variant", GAMES.get(dialect, "standard"))
        done = self.run(dialect, kind, *variant, *arguments, "--events", "events.jsonl", **keys)
        assert done.returncode == 0, done.stderr
        events = map(json.loads, (self.folder / "events.jsonl").read_bytes().splitlines())
        return [event for event in events if event["event"] == "game_ended"]


@pytest.fixture
def match(c4_referee, tmp_path):
    """Return the matches of a bot in a new folder."""
    return Match(c4_referee, tmp_path)


def lines_of(dialect: str, games: list[dict], restart: str) -> list[str]:
    """Return all lines that a bot with 700 ms for a move reads in some games."""
    talk, lines = None, []
    for game in games:
        variant = Variant.parse(GAMES.get(dialect, "standard"))
        position, mover = Position(variant), 1
        if talk is None or restart == "game":
            talk = Talk(dialect)
        for cell in cells_from_moves(game["moves"], variant):
            if mover == (1 if game["first"] == "theirs" else 2):
                talk.ask(position, 700.0, 700.0)
                talk.read(talk.bot.write_move(wire_move(variant, cell)))
            position, mover = position.play(cell), 3 - mover
        if restart == "game" or game is games[-1]:
            lines += [*talk.sent.splitlines(), *talk.referee.farewell.splitlines()]
    return [line.decode() for line in lines]


@pytest.mark.parametrize(
    ("dialect", "kind", "restart"),
    [
        ("c4engine", "good", "game"),
        ("c4engine", "terse", "never"),
        ("ccfi", "good", "never"),
        ("codingame", "number", "game"),
        ("codingame", "talks", "game"),
        ("moves", "left", "game"),
        ("riddles", "good", "game"),
        ("theaigames", "good", "game"),
        ("uci", "good", "game"),
        ("uci", "good", "never"),
    ],
)
def test_bot_plays_both_seats_and_reads_the_lines_of_its_dialect(match, dialect, kind, restart):
    """A bot plays both seats to the end, and reads what the referee's end of its dialect writes."""
    games = match.games(dialect, kind, "--time-ms", "700", restart=restart)
    assert [(game["fault"], game["first"] == "theirs") for game in games] == [
        (None, True),
        (None, False),
    ]
    assert match.log.read_text(encoding="utf-8").splitlines() == lines_of(dialect, games, restart)


@pytest.mark.parametrize(
    ("dialect", "kind"), [("theaigames", "clumsy"), ("theaigames", "comments"), ("uci", "plain")]
)
def test_habits_that_the_dialect_allows_cost_nothing(match, dialect, kind):
    """Two mistakes in each turn, words after the column and an engine without options are good."""
    assert [game["fault"] for game in match.games(dialect, kind)] == [None, None]


FAULTS = [
    ("c4engine", "illegal", "illegal move"),
    ("c4engine", "words", "bad line"),
    ("c4engine", "nothing", "bad line"),
    ("c4engine", "twice", "more than one line"),
    ("c4engine", "silent", "late first answer"),
    ("c4engine", "chatters", "late first answer"),
    ("c4engine", "unready", "late first answer"),
    ("codingame", "thief", "illegal move"),
    ("codingame", "words", "bad line"),
    ("moves", "beside", "illegal move"),
    ("moves", "words", "bad line"),
    ("riddles", "clumsy", "illegal move"),
    ("riddles", "comments", "bad line"),
    ("theaigames", "passes", "bad line"),
    ("theaigames", "chatty", "more than one line"),
    ("theaigames", "dawdling", "late"),
    ("uci", "illegal", "illegal move"),
    ("uci", "null", "bad line"),
    ("uci", "unready", "late first answer"),
]
"""A bot that misbehaves in a dialect, and its fault."""
SAMPLE = [FAULTS[place] for place in (3, 7, 9, 11, 15, 17)]


@pytest.mark.parametrize(("dialect", "kind", "fault"), sampled(FAULTS, SAMPLE))
def test_bot_that_misbehaves_forfeits(match, dialect, kind, fault):
    """A bot that misbehaves forfeits for the same faults as a bot that speaks jsonl."""
    times = ("--time-ms", "60000", "--startup-ms", "1500" if "first" in fault else "60000")
    games = match.games(dialect, kind, *times, time_ms=500 if "late" in fault else 60_000)
    faults = {(game["fault"]["bot"], game["fault"]["fault"]) for game in games}
    assert faults == {("theirs", fault)}


def test_record_shows_the_last_mistake(match):
    """The record of the fault holds the last line of the bot and says that it was the third."""
    for game in match.games("theaigames", "illegal"):
        assert game["fault"]["line"] == "place_disc -2"
        assert game["fault"]["detail"].startswith("failure 3 in one turn: -2 would be column -1:")


def test_game_clock_is_sent_as_the_time_bank(match):
    """With a clock for the game, the bank goes down and each move adds the increment."""
    match.games("riddles", "good", "--tc", "60+1")
    lines = match.log.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["settings timebank 60000", "settings time_per_move 1000"]
    banks = [int(line.split()[-1]) for line in lines if line.startswith("action move ")]
    assert banks[0] == 60_000
    assert all(50_000 < bank < 60_000 + 1_000 * 42 for bank in banks)


@pytest.mark.parametrize(
    ("dialect", "arguments", "keys", "reason"),
    [
        ("c4engine", ["--variant", "8x7"], {}, "c4engine knows only the variant standard, not "),
        ("ccfi", ["--variant", "8x7"], {}, "ccfi knows only the variant standard, not "),
        ("uci", ["--variant", "line8"], {}, "uci knows only the variant standard, not "),
        ("theaigames", ["--variant", "7x6x5"], {}, "theaigames knows only four in a row with"),
        ("riddles", ["--variant", "codingame"], {}, "riddles knows only four in a row with"),
        ("codingame", [], {}, "codingame knows only the variant codingame, not standard"),
        ("codingame", ["--variant", "codingame"], {"restart": "never"},
         "codingame has no line that begins another game: leave out restart"),
        ("moves", ["--variant", "line8"], {}, "moves knows only games in which all moves are"),
        ("moves", ["--openings", "random:4"], {},
         "in moves, each game begins on the empty board, without openings such as 'random:4'"),
        ("console", [], {}, "no dialect 'console' for a referee: there are "),
    ],
)  # fmt: skip
def test_impossible_match_is_refused_in_one_line(match, dialect, arguments, keys, reason):
    """A match that the dialect cannot express is refused before bots start and files are stored."""
    done = match.run(dialect, "good", *arguments, "--out", "out", **keys)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert reason in done.stderr.decode()
    assert not match.log.exists()
    assert not (match.folder / "out").exists()
