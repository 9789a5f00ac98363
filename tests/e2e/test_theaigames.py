"""The dialects theaigames and riddles on both sides of the pipe."""

import json
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from bots import FAST, LIGHT
from c4_protocol.notation import position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import Variant

SCRIPTS = Path(sys.executable).parent
SETTINGS_BOT = Path(__file__).parent.parent / "bots" / "settings.py"
NEEDED = "c4-bot --plays needed --depth 2"
BANK, MS_PER_MOVE = 10_000, 500
BOTH = pytest.mark.parametrize("dialect", ["theaigames", "riddles"])


def settings_for(dialect, player, variant, bank=BANK, ms_per_move=MS_PER_MOVE):
    """Return the settings that a platform sends to player 1 or 2."""
    lines = [f"timebank {bank}", f"time_per_move {ms_per_move}"]
    if dialect == "theaigames":
        lines += ["player_names player1,player2", f"your_bot player{player}",
                  f"your_botid {player}", f"field_columns {variant.width}",
                  f"field_rows {variant.height}"]  # fmt: skip
    else:
        lines += ["player_names player0,player1", f"your_bot player{player - 1}",
                  f"your_botid {player - 1}", f"field_width {variant.width}",
                  f"field_height {variant.height}"]  # fmt: skip
    return [f"settings {line}" for line in lines]


def field_update(dialect, position):
    """Return the line with the field of a position."""
    variant, (first, second) = position.variant, position.stones
    marks, row_end = ("012", ";") if dialect == "theaigames" else (".01", ",")
    rows = []
    for y in reversed(range(variant.height)):
        cells = [variant.cell(x, y) for x in range(variant.width)]
        rows.append(",".join(marks[(first >> c & 1) + 2 * (second >> c & 1)] for c in cells))
    return f"update game field {row_end.join(rows)}"


def round_update(dialect, ply):
    """Return the line with the round at a ply, counting from 0."""
    return f"update game round {ply + 1 if dialect == 'theaigames' else ply // 2 + 1}"


# Our bot, driven as by the engines.


class Engine:
    """An engine that sends the lines of a platform to one bot and keeps its time bank."""

    def __init__(self, bot, dialect, player, variant):
        self.bot, self.dialect, self.bank = bot, dialect, BANK
        self.send(*settings_for(dialect, player, variant))

    def send(self, *lines):
        """Write lines."""
        self.bot.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.bot.stdin.flush()

    def show(self, position):
        """Send the round and the field."""
        self.send(round_update(self.dialect, position.ply), field_update(self.dialect, position))

    def ask(self, position):
        """Send a question and return the column that the bot plays."""
        asked = time.monotonic()
        self.show(position)
        self.send(f"action move {self.bank}")
        answer = self.bot.stdout.readline().decode()
        used = int((time.monotonic() - asked) * 1000)
        self.bank = min(max(self.bank - used, 0) + MS_PER_MOVE, BANK)
        assert re.fullmatch(r"place_disc [0-9]+\n", answer)
        if self.dialect == "theaigames":
            column = int(answer.split()[1])
            self.send(field_update(self.dialect, position.play(position.check(column))))
        return int(answer.split()[1])


@contextmanager
def engine(dialect, *arguments, player=1, variant=Variant()):  # noqa: B008 - it is immutable
    """Start our bot with arguments and yield its engine.

    At the end the bot must exit when its input closes, without further output.
    """
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([SCRIPTS / "c4-bot", *arguments], **pipes) as bot:
        yield Engine(bot, dialect, player, variant)
        assert bot.communicate() == (b"", b"")
        assert bot.returncode == 0


@BOTH
@pytest.mark.parametrize(
    ("option", "variant"), [((), Variant(8, 7)), (("--dialect",), Variant(5, 4))]
)
def test_game_is_played_as_the_engine_does(dialect, option, variant):
    """Two bots play a whole game. The loser reads the last field, and nobody answers it."""
    arguments = (*option, dialect) if option else ()
    limits = ("--plays", "needed", "--depth", "3")
    with (
        engine(dialect, *arguments, *limits, player=1, variant=variant) as first,
        engine(dialect, *arguments, *limits, player=2, variant=variant) as second,
    ):
        position = Position(variant)
        while not position.is_over:
            mover = first if position.player == 1 else second
            position = position.play(position.check(mover.ask(position)))
        (first if position.player == 1 else second).show(position)


@BOTH
def test_same_question_is_answered_again(dialect):
    """After a failure, the field and the action are sent again, and answered again."""
    with engine(dialect, "--plays", "needed", "--depth", "3") as driver:
        position = position_from_moves("", Variant())
        assert driver.ask(position) == driver.ask(position) == 3


@BOTH
@pytest.mark.parametrize("player", [1, 2])
def test_win_in_one_is_taken_by_either_player(dialect, player):
    """Both players take a win in one move. The settings say who the bot is."""
    moves = "414141" if player == 1 else "7141412"
    with engine(dialect, "--depth", "3", player=player) as driver:
        assert driver.ask(position_from_moves(moves, Variant())) == (3 if player == 1 else 0)


@BOTH
def test_time_bank_is_obeyed(dialect):
    """A search that would take for ever ends before the bank is empty."""
    slow = ("--plays", "strong", "--depth", "42", "--set", "share=0", "--set", "centre_first=false")
    with engine(dialect, *slow) as driver:
        for driver.bank in (600, 0):
            driver.ask(Position())


@BOTH
def test_question_after_the_end_is_answered(dialect):
    """An action on a won board gets a column that is not full, and the bot keeps running."""
    with engine(dialect, "--plays", "needed", "--depth", "2", player=2) as driver:
        won = position_from_moves("1717171", Variant())
        assert won.is_over
        assert driver.ask(won) == driver.ask(position_from_moves("4", Variant())) == 3


@BOTH
def test_line_ends_and_blank_lines_do_not_matter(c4_bot, dialect):
    """Lines may end in CRLF, and blank lines between them are skipped."""
    position = position_from_moves("44", Variant())
    lines = [*settings_for(dialect, 1, Variant()), round_update(dialect, 2),
             field_update(dialect, position), "action move 500", ""]  # fmt: skip
    done = c4_bot("--depth", "3", stdin="\r\n\r\n".join(lines).encode())
    assert re.fullmatch(rb"place_disc [0-6]\n", done.stdout)
    assert (done.stderr, done.returncode) == (b"", 0)


@BOTH
def test_flood_of_updates_gets_one_answer(c4_bot, dialect):
    """Many updates without an action get no answer. The last field counts."""
    full = position_from_moves("444444", Variant())
    flood = [round_update(dialect, 6), field_update(dialect, full)] * 5_000
    lines = [*settings_for(dialect, 1, Variant()), *flood, "update game clock 3",
             "settings colour red", field_update(dialect, Position()), "action move 500", *flood,
             ""]  # fmt: skip
    done = c4_bot("--plays", "needed", "--depth", "2", stdin="\n".join(lines).encode())
    assert (done.stdout, done.stderr, done.returncode) == (b"place_disc 3\n", b"", 0)


@BOTH
def test_half_lines_are_waited_for(dialect):
    """A line that arrives in parts is read as one line."""
    with engine(dialect, "--plays", "needed", "--depth", "2") as driver:
        text = f"{field_update(dialect, Position())}\naction move 500\n".encode()
        for start, end in pairwise([0, 9, 40, len(text) - 5, len(text) - 1, len(text)]):
            driver.bot.stdin.write(text[start:end])
            driver.bot.stdin.flush()
            time.sleep(0.02)
        assert driver.bot.stdout.readline() == b"place_disc 3\n"


def test_bad_lines_are_refused_and_the_next_is_answered(c4_bot):
    """Each bad line gets one line on standard error, and the next question is answered."""
    lines = ["settings your_botid 1", "hello", "update game field 9", "action move 500",
             field_update("theaigames", Position()), "action move 500"]  # fmt: skip
    done = c4_bot("--plays", "needed", "--depth", "2", stdin="\n".join(lines).encode())
    assert (done.stdout, done.returncode) == (b"place_disc 3\n", 1)
    assert [line[:15] for line in done.stderr.decode().splitlines()] == [
        "c4-bot: line 2:", "c4-bot: line 4:"
    ]  # fmt: skip


# Another author's bot under our referee.


def bots_file(folder, dialect, kind="good", **keys):
    """Write a file of bots with the bot of ``tests/bots/settings.py``.

    Returns the path of the file, and the path of the log in which the bot writes what it reads.
    """
    path, log = folder / "bots.toml", folder / "heard.txt"
    command = [sys.executable, "-S", "-E", str(SETTINGS_BOT), kind, str(log)]
    settings = {"command": command, "dialect": dialect, **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    path.write_text("\n".join(["[bots.stranger]", *lines]))
    return str(path), log


def games_in(path):
    """Return the games of a file of events, in the order of their numbers."""
    events = map(json.loads, path.read_bytes().splitlines())
    games = [event for event in events if event["event"] == "game_ended"]
    return sorted(games, key=lambda game: game["game"])


def played(c4_referee, folder, dialect, kind, *arguments):
    """Return the report of two games against a bot of a kind."""
    bots, _ = bots_file(folder, dialect, kind)
    done = c4_referee("match", "stranger", LIGHT, "--bots", bots, "--games", "2", "--json", *FAST,
                      *arguments)  # fmt: skip
    assert done.returncode == 0
    return json.loads(done.stdout)


@BOTH
def test_bot_plays_both_colours_to_the_end(c4_referee, tmp_path, dialect):
    """A bot of either platform plays both colours against a bot that speaks jsonl."""
    report = played(c4_referee, tmp_path, dialect, "good", "--variant", "9x7")
    assert (report["complete"], report["forfeits"]) == (True, {})


@BOTH
def test_bot_hears_what_the_engine_says(c4_referee, tmp_path, dialect):
    """A bot reads the settings of its seat, and then the lines of each turn."""
    bots, log = bots_file(tmp_path, dialect, time_ms=700)
    events = tmp_path / "events.jsonl"
    c4_referee("match", "stranger", LIGHT, "--bots", bots, "--games", "2", *FAST,
               "--events", str(events))  # fmt: skip
    expected = []
    for game in games_in(events):
        player = 1 if game["first"] == "stranger" else 2
        expected += settings_for(dialect, player, Variant(), 700, 700)
        for ply in range(player - 1, len(game["moves"]), 2):
            if dialect == "theaigames" and ply > 1:
                own = position_from_moves(game["moves"][: ply - 1], Variant())
                expected.append(field_update(dialect, own))
            position = position_from_moves(game["moves"][:ply], Variant())
            expected += [round_update(dialect, ply), field_update(dialect, position),
                         "action move 700"]  # fmt: skip
    assert log.read_text(encoding="utf-8").splitlines() == expected


def test_game_clock_is_sent_as_the_time_bank(c4_referee, tmp_path):
    """With a clock for the game, the bank goes down and each move adds the increment."""
    bots, log = bots_file(tmp_path, "riddles")
    c4_referee("match", "stranger", LIGHT, "--bots", bots, "--games", "2", *FAST, "--tc", "60+1")
    heard = log.read_text(encoding="utf-8").splitlines()
    assert heard[:2] == ["settings timebank 60000", "settings time_per_move 1000"]
    banks = [int(line.split()[-1]) for line in heard if line.startswith("action move ")]
    assert banks[0] == 60_000
    assert all(50_000 < bank < 60_000 + 1_000 * 42 for bank in banks)


def test_two_mistakes_in_each_turn_are_forgiven(c4_referee, tmp_path):
    """With three tries for each turn, a bot may make two mistakes before each move."""
    report = played(c4_referee, tmp_path, "theaigames", "clumsy")
    assert (report["complete"], report["forfeits"]) == (True, {})


def test_time_goes_on_while_a_bot_tries_again(c4_referee, tmp_path):
    """All tries of a turn share the time for the move."""
    report = played(c4_referee, tmp_path, "theaigames", "dawdling", "--time-ms", "500")
    assert report["forfeits"] == {"stranger": {"late": 2}}


@pytest.mark.parametrize(
    ("dialect", "kind", "reason"),
    [
        ("theaigames", "passes", "bad line"),
        ("theaigames", "chatty", "more than one line"),
        ("riddles", "clumsy", "illegal move"),
        ("riddles", "comments", "bad line"),
    ],
)
def test_bot_that_misbehaves_forfeits(c4_referee, tmp_path, dialect, kind, reason):
    """A bot forfeits after three mistakes in a turn, or in riddles after one."""
    report = played(c4_referee, tmp_path, dialect, kind)
    assert report["forfeits"] == {"stranger": {reason: 2}}
    assert (report["losses"], report["complete"]) == (2, True)


def test_comment_after_the_column_is_allowed(c4_referee, tmp_path):
    """On theaigames, words may follow the column."""
    assert played(c4_referee, tmp_path, "theaigames", "comments")["forfeits"] == {}


def test_record_shows_the_last_mistake(c4_referee, tmp_path):
    """The record of the fault holds the last line of the bot and says that it was the third."""
    bots, _ = bots_file(tmp_path, "theaigames", "illegal")
    events = tmp_path / "events.jsonl"
    c4_referee("match", "stranger", LIGHT, "--bots", bots, "--games", "2", *FAST,
               "--events", str(events))  # fmt: skip
    for game in games_in(events):
        assert (game["fault"]["bot"], game["fault"]["fault"]) == ("stranger", "illegal move")
        assert game["fault"]["line"] == "place_disc -2"
        assert game["fault"]["detail"].startswith("failure 3 in one turn: column -2 is not on the")


@pytest.mark.parametrize(
    ("dialect", "variant"), [("theaigames", "7x6x5"), ("riddles", "codingame")]
)
def test_other_games_are_refused_before_a_match(c4_referee, tmp_path, dialect, variant):
    """Variants that the dialect cannot describe are refused in one line, before any bot starts."""
    bots, log = bots_file(tmp_path, dialect)
    done = c4_referee("match", NEEDED, "stranger", "--bots", bots, "--variant", variant)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(
        f"c4-referee: bot 'stranger': {dialect} knows only four in a row with gravity, not "
    )
    assert done.stderr.count(b"\n") == 1
    assert not log.exists()
