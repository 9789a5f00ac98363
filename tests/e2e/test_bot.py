"""``c4-bot`` as real drivers use it."""

import json
import subprocess

import pytest
from commands import SCRIPTS
from effort import pairs, sampled

GOOD = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'
EMPTY = b'{"grid":[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]}\n'
FAST = ("--time-ms", "50")
ARGUMENT_STYLES = [
    (),
    ("--player", "1", "--width", "7", "--height", "6"),
    ("--height", "6", "--player", "1", "--width", "7"),
    ("5",),
    ("",),
    ("1", "1", "7", "7", "6", "6"),
]
BROKEN = {
    "not JSON": b"hello",
    "number out of range": b'{"grid":[[0,0],[0,99999999999999999999999]]}',
    "board too large": b'{"grid":[' + b",".join([b"[0]"] * 65) + b"]}",
    "10 MB": b'{"grid":[[' + b"0," * 5_000_000 + b"0]]}",
    "10 MB without sense": b"9" * 10_000_000,
    "invalid UTF-8": b'{"grid":[[0,0],[0,0]],"note":"\xff\xfe"}',
    "nested too deep": b'{"grid":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "no gravity for needed": b'{"grid":[[0,0],[0,0]],"gravity":false}',
}
"""Lines that no transcript can show. ``tests/dialects/transcripts`` has the others."""


def moves(stdout: bytes) -> list[object]:
    """Return the moves of an output, which must consist of ``{"move":N}`` lines."""
    answers = [json.loads(line) for line in stdout.splitlines()]
    assert all(list(answer) == ["move"] for answer in answers)
    assert stdout == b"".join(b'{"move":%d}\n' % answer["move"] for answer in answers)
    return [answer["move"] for answer in answers]


@pytest.mark.parametrize(
    ("arguments", "plays"), pairs(ARGUMENT_STYLES, ["perfect", "strong", "needed", "random"])
)
def test_whatever_drivers_append(c4_bot, course_precept, arguments, plays):
    """Every player accepts all argument styles of real drivers."""
    done = c4_bot("--plays", plays, *FAST, *arguments, stdin=course_precept)
    assert len(moves(done.stdout)) == 1
    assert (done.stderr, done.returncode) == (b"", 0)


@pytest.mark.parametrize("plays", ["perfect", "strong", "needed"])
def test_player_flag_tells_who_moves(c4_bot, plays):
    """If a grid does not say who moves, the driver's flag does.

    In the test's position, player 1 wins in column 0 and player 2 in column 6.
    """
    grid = b'{"grid":[[0,1,1,1],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,2,2,2]]}\n'
    (one,) = moves(c4_bot("--plays", plays, *FAST, "--player", "1", stdin=grid).stdout)
    (two,) = moves(c4_bot("--plays", plays, *FAST, "--player", "2", stdin=grid).stdout)
    assert (one, two) == (0, 6)


def test_flag_of_an_earlier_game_is_ignored(c4_bot):
    """If the stones say who moves, a flag that names the other player is ignored."""
    grid = b'{"grid":[[0,1,1,1],[0,0,0,0],[0,0,0,1],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,2,2,2]]}\n'
    assert moves(c4_bot("--player", "1", stdin=grid).stdout) == [6]


def test_player_who_cannot_be_to_move_is_refused(c4_bot):
    """A precept whose player has more stones than the opponent is refused, with the reason."""
    done = c4_bot(stdin=b'{"grid":[[0,1],[0,1],[0,2]],"player":1}\n' + GOOD)
    reason = b"it cannot be player 1's turn: player 1 has 2 stones and player 2 has 1"
    assert done.stderr == b"c4-bot: line 1: " + reason + b"\n"
    assert len(moves(done.stdout)) == 1


def test_broken_lines_are_refused_and_the_next_is_answered(c4_bot):
    """Each broken line gets one line on standard error, and the next line is answered."""
    stdin = b"".join(line + b"\n" + GOOD for line in BROKEN.values())
    done = c4_bot("--plays", "needed", "--depth", "2", stdin=stdin)
    reasons = done.stderr.decode().splitlines()
    assert len(moves(done.stdout)) == len(BROKEN)
    assert len(reasons) == len(BROKEN)
    assert done.returncode == 1
    for number, reason in enumerate(reasons):
        assert reason.startswith(f"c4-bot: line {2 * number + 1}: ")
        assert len(reason) < 350


@pytest.mark.parametrize("name", sampled(BROKEN, ["not JSON", "10 MB"]))
def test_broken_line_by_itself(c4_bot, name):
    """A broken line alone, without a line ending, gets a reason, no answer and exit code 1."""
    done = c4_bot("--plays", "needed", "--depth", "2", stdin=BROKEN[name])
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    "stdin",
    [
        GOOD.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + GOOD,
        b"\n\r\n   \n" + GOOD + b"\n\n",
        GOOD.rstrip(b"\n"),
        GOOD + b":exit\n" + GOOD,
        GOOD + b":exit",
    ],
    ids=["CRLF", "byte order mark", "blank lines", "no line ending", "exit", "exit at the end"],
)
def test_line_habits_of_real_drivers(c4_bot, stdin):
    """Line endings, blank lines and a byte order mark of real drivers are accepted."""
    done = c4_bot("--depth", "2", stdin=stdin)
    assert len(moves(done.stdout)) == 1
    assert (done.stderr, done.returncode) == (b"", 0)


def test_answers_come_before_the_input_ends(course_precept):
    """Each answer is flushed, so that a driver gets it before it sends the next line."""
    command = [SCRIPTS / "c4-bot", "--depth", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        for _ in range(3):
            bot.stdin.write(course_precept)
            bot.stdin.flush()
            assert json.loads(bot.stdout.readline())["move"] in range(7)
        bot.stdin.close()
        assert bot.wait() == 0


@pytest.mark.parametrize("budget", ['"time_ms":30', '"clock":{"remaining_ms":300}'])
@pytest.mark.parametrize("plays", ["strong", "needed"])
def test_a_budget_ends_a_hopeless_search(c4_bot, plays, budget):
    """A time limit in a precept ends a search that would take for ever."""
    precept = b'{"grid":%s,%s}\n' % (json.dumps([[0] * 8] * 8).encode(), budget.encode())
    arguments = ("--plays", plays, "--depth", "60", "--set", "centre_first=false")
    done = c4_bot(*arguments, stdin=precept, timeout=60)
    assert len(moves(done.stdout)) == 1


def test_player_2_may_open(c4_bot):
    """Player 2 may open a game, as with the real driver."""
    empty = b'{"grid":[[0,0,0],[0,0,0],[0,0,0]],"player":2}\n'
    ahead = b'{"grid":[[0,0,2],[0,0,0],[0,0,0]],"player":1}\n'
    done = c4_bot("--depth", "3", stdin=empty + ahead)
    assert len(moves(done.stdout)) == 2
    assert done.returncode == 0


def test_free_placement_is_answered_with_a_cell(c4_bot):
    """Without gravity, a move is a pair of column and row, and a win in one move is taken."""
    grid = [[0] * 8 for _ in range(8)]
    grid[2][5] = grid[3][5] = grid[4][5] = 1
    grid[0][0] = grid[0][7] = grid[1][5] = 2
    precept = {"grid": grid, "gravity": False, "directions": ["horizontal", "vertical"]}
    done = c4_bot(*FAST, "--player", "1", stdin=json.dumps(precept).encode())
    assert json.loads(done.stdout) == {"move": [5, 5]}


def test_player_of_free_games_refuses_others(c4_bot):
    """A player for games without gravity refuses a line with gravity, and answers the next line."""
    free = b'{"grid":%s,"gravity":false,"time_ms":50}\n' % json.dumps([[0] * 8] * 8).encode()
    done = c4_bot("--plays", "blocker", stdin=GOOD + free)
    assert len(json.loads(done.stdout)["move"]) == 2
    assert b"line 1: player 'blocker' plays only games without gravity" in done.stderr
    assert done.returncode == 1


def test_only_variant_must_be_one_that_the_player_plays(c4_bot):
    """With --one-variant, a line of another variant ends the bot, but no line with a mistake."""
    done = c4_bot("--plays", "needed", *FAST, "--one-variant", stdin=b"{}\n" + GOOD)
    assert (done.returncode, done.stdout.count(b"\n")) == (1, 1)
    done = c4_bot("--plays", "blocker", "--one-variant", stdin=GOOD + GOOD)
    assert done.stderr == b"c4-bot: player 'blocker' plays only games without gravity\n"
    assert (done.returncode, done.stdout) == (2, b"")


def test_info_tells_what_was_seen(c4_bot):
    """With --info, the answer shows a proven win, its score and the scores of all moves.

    The score is 22 minus the four stones of the winner.
    """
    precept = b'{"grid":[[0,0,0,0,0,1],[0,0,0,0,0,1],[0,0,0,0,0,1],[0,0,0,0,0,0],'
    precept += b"[0,0,0,0,2,2],[0,0,0,0,0,2],[0,0,0,0,0,0]]}\n"
    answer = json.loads(c4_bot("--info", stdin=precept).stdout)
    assert answer["move"] == 3
    assert (answer["info"]["score"], answer["info"]["exact"]) == (18, True)
    assert answer["info"]["reason"] == "Column 4 completes 4 in a row."
    assert answer["info"]["scores"][0] == [3, 18]
    assert len(answer["info"]["scores"]) == 7
    assert "with 3: 1 own, 0 of the opponent" in answer["info"]["sees"]
    known = {"score", "exact", "depth", "nodes", "ms", "pv", "reason", "scores", "sees"}
    assert set(answer["info"]) == known


def test_verbose_tells_people(c4_bot, course_precept):
    """With --verbose, lines on standard error show the score, the moves and the evaluation."""
    done = c4_bot("--plays", "needed", "--verbose", "--depth", "3", stdin=course_precept)
    assert len(moves(done.stdout)) == 1
    seen, scores, counted = done.stderr.splitlines()
    assert seen.startswith(b"c4-bot: player 1 at ply 4: score ")
    assert scores.startswith(b"c4-bot: moves and their scores: ")
    assert scores.count(b",") == 6
    assert counted.startswith(b"c4-bot: sees needs ")


@pytest.mark.weekly
def test_time_is_used_where_it_is_given(c4_bot):
    """A time limit above the player's own second is used. Without a limit, the second is."""
    precept = b'{"grid":%s%s}\n'
    empty = json.dumps([[0] * 9] * 9).encode()
    stdin = precept % (empty, b"") + precept % (empty, b',"time_ms":1600')
    answers = c4_bot("--info", stdin=stdin).stdout.splitlines()
    own, given = (json.loads(answer)["info"]["ms"] for answer in answers)
    assert own > 500  # a busy machine makes both times longer, but never shorter
    assert given > 1000


def test_players_are_listed(c4_bot):
    """--list names every player. With --json it also has the data that scripts need."""
    names = [line.split()[0] for line in c4_bot("--list").stdout.decode().splitlines()]
    players = json.loads(c4_bot("--list", "--json").stdout)
    assert {"random", "needed", "strong", "perfect"} <= set(names)
    assert [player["name"] for player in players] == names
    keys = {"name", "summary", "source", "variants", "search", "evaluation", "parameters"}
    assert all(keys <= set(player) for player in players)


def test_own_evaluator_is_used(c4_bot, tmp_path):
    """A user's evaluator, loaded from a file, chooses the moves."""
    own = tmp_path / "own.py"
    own.write_text(
        "class Left:\n"
        "    unit = 1\n"
        "    def evaluate(self, position, player):\n"
        "        return (position.stones[player - 1] & position.variant.columns[0]).bit_count()\n"
    )
    done = c4_bot("--plays", "needed", "--depth", "1", "--evaluator", f"{own}:Left",
                  "--set", "centre_first=false", stdin=EMPTY)  # fmt: skip
    assert moves(done.stdout) == [0]
    assert done.stderr == b""


def test_own_evaluator_may_print(c4_bot, tmp_path):
    """Only answers are on standard output. What a user's evaluator prints is on standard error."""
    own = tmp_path / "own.py"
    own.write_text(
        "print('loaded')\n"
        "class Own:\n"
        "    unit = 1\n"
        "    def evaluate(self, *_):\n"
        "        print('asked')\n"
        "        return 0\n"
    )
    done = c4_bot("--depth", "1", "--evaluator", f"{own}:Own", stdin=GOOD + GOOD)
    assert len(moves(done.stdout)) == 2
    assert {*done.stderr.splitlines()} == {b"loaded", b"asked"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "or no unit"),
        ("unit = 1; evaluate = lambda *_: 1 // 0", "fails: ZeroDivisionError"),
        ("unit = 1; evaluate = lambda *_: float('nan')", "gives nan"),
    ],
)
def test_mistakes_of_an_own_evaluator_are_told_in_one_line(c4_bot, tmp_path, body, reason):
    """A mistake in a user's evaluator causes one line that names it, and exit code 2."""
    own = tmp_path / "own.py"
    own.write_text(f"class Own:\n    evaluate = print\n    {body or 'pass'}\n")
    done = c4_bot("--depth", "1", "--evaluator", f"{own}:Own", stdin=EMPTY)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert reason in done.stderr.decode()


def test_lists_are_set_with_or_without_brackets(c4_bot):
    """Lists on the command line are accepted as JSON and as numbers with commas."""
    for setting in ((), ("--set", "weights=[1,3,6]"), ("--set", "weights=1,3,6")):
        assert c4_bot("--plays", "sequences", "--depth", "2", *setting, stdin=EMPTY).returncode == 0


def test_as_many_threads_as_there_are_processors(c4_bot):
    """More threads than processors are not started, so that answers stay in time."""
    arguments = ("--plays", "strong", "--threads", "1000000000", "--time-ms", "300")
    assert len(moves(c4_bot(*arguments, stdin=GOOD).stdout)) == 1


@pytest.mark.linux  # only Linux limits memory in this way
def test_too_little_memory_is_told_in_one_line():
    """Too little memory causes one line on standard error, no answer, and exit code 1."""
    script = f"ulimit -d 60000; exec {SCRIPTS}/c4-bot --time-ms 300"
    done = subprocess.run(["sh", "-c", script], input=GOOD, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"c4-bot: there is not enough memory to play\n"


def test_help_shows_examples_that_work(c4_bot):
    """The precept in --help is answered."""
    text = c4_bot("--help").stdout.decode()
    precept = text.partition("echo '")[2].partition("'")[0]
    assert len(moves(c4_bot("--depth", "3", stdin=precept.encode()).stdout)) == 1


OVER = b'{"grid":[[0,1],[2,1],[2,1],[2,1]]}'


@pytest.mark.parametrize(
    ("line", "options", "answer"),
    [
        (b'{"grid":[[0,0],[0,0],[0,0],[0,0]]}', (), "move"),
        (b"", (), "error"),
        (b"foo", (), "error"),
        (b":exit", (), "error"),
        (b'{"grid":3}', (), "error"),
        (b"1" * (1 << 21), (), "error"),
        (OVER, (), "error"),
        (OVER, ("--connect", "5"), "move"),
        (OVER[:-1] + b',"connect":5}', (), "move"),
    ],
)
def test_serve_answers_every_line(c4_bot, line, options, answer):
    """With --serve, each line has an answer, also a bad one and one after the end of a game."""
    done = c4_bot("--serve", "--plays", "random", *options, stdin=line + b"\n" + GOOD)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [[*each] for each in answers[:2]] == [[answer], ["move"]]
    assert (done.returncode, done.stderr) == (int(answer == "error"), b"")
