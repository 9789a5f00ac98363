"""Real bots get points by a rubric."""

import shutil
import sys
from pathlib import Path

import pytest
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.grading.grade import failed_grade, grade
from c4_referee.classroom.grading.rubric import Goal, Rubric

pytestmark = pytest.mark.slow

BOTS = Path(__file__).parents[3] / "bots"
GAMES = Rubric(
    (
        Goal(type="check", points=10, name="rules"),
        Goal(type="wins", points=6, name="wins", against="random", games=2),
        Goal(type="accuracy", points=3, name="accuracy", share=0.1),
        Goal(type="no-fault", points=1, name="faults", partial=False),
    ),
    time_ms=60_000,
)


def bot(kind: str, **settings: object) -> BotSpec:
    """Return a bot of this kind of ``misbehaving.py``."""
    command = (sys.executable, "-S", "-E", str(BOTS / "misbehaving.py"), kind)
    return BotSpec(f"python {BOTS / 'bot.py'}", command, **settings)


def test_good_bot_gets_its_points():
    """A bot that follows the rules gets points for them and for its games, in their order."""
    steps: list[str] = []
    result = grade(bot("good", cwd=str(BOTS)), GAMES, 3, steps.append)
    assert steps == ["the check", "2 games against random", "the accuracy of its moves"]
    assert [line.name for line in result.lines] == ["rules", "wins", "accuracy", "faults"]
    rules, _, accuracy, faults = result.lines
    assert (rules.points, accuracy.points, faults.points) == (10, 3, 1)
    assert accuracy.reason.endswith("10.0% are wanted.")
    assert (result.max_points, result.seed, result.bot) == (20, 3, "python bot.py")
    assert result.seconds > 0


def test_bot_that_cannot_start_gets_no_points_and_the_reason_of_the_check():
    """The first line says why, without folders of the machine, and no game is played."""
    steps: list[str] = []
    command = (sys.executable, str(BOTS / "no such bot"))
    result = grade(BotSpec("bot", command, folder=str(BOTS)), GAMES, on_step=steps.append)
    assert steps == ["the check"]
    assert result.points == 0
    first, *others = [line.reason for line in result.lines]
    assert first.startswith("It cannot play: it ended with exit code 2; its last words: ")
    assert "no such bot" in first
    assert str(BOTS.parent) not in first
    assert set(others) == {"It cannot play: see the first line."}


def test_partial_points_can_be_turned_off():
    """With partial = false, a bot that reaches a part of a goal gets nothing."""
    goals = [Goal(type="check", points=9, partial=partial) for partial in (True, False)]
    result = grade(bot("exits_later"), Rubric(tuple(goals)))
    some, nothing = result.lines
    assert 0 < some.points < 9
    assert some.points == round(some.points, 2)
    assert nothing.points == 0
    assert [line.passed for line in result.lines] == [False, False]


@pytest.mark.parametrize(
    "kind", ["needs_flags", pytest.param("first_only", marks=pytest.mark.weekly)]
)
def test_bot_is_started_with_the_arguments_that_it_needs(kind):
    """A bot that needs the arguments of the course's driver plays with them."""
    games = Goal(type="score", points=1, against="random", games=2)
    rubric = Rubric((games, Goal(type="no-fault", points=1)), time_ms=60_000)
    command = (sys.executable, str(BOTS / "habits" / f"{kind}.py"))
    result = grade(BotSpec("bot", command), rubric)
    assert result.lines[1].passed, result.lines[1].reason


@pytest.mark.parametrize(
    ("dialect", "variant", "reason"),
    [
        ("uci", "8x7", "uci knows only the variant standard"),
        ("moves", "standard", "in moves, each game begins on the empty board"),
    ],
)
def test_bot_that_cannot_play_the_games_gets_the_reason(dialect, variant, reason):
    """A bot whose dialect has another board, or no openings, gets no points."""
    goal = Goal(type="wins", points=1, against="random", games=2)
    result = grade(bot("good", dialect=dialect), Rubric((goal,), variant=variant))
    assert result.points == 0
    assert reason in result.lines[0].reason


@pytest.mark.skipif(not shutil.which("perl"), reason="perl is not installed")
def test_openings_do_not_matter_without_games():
    """A bot whose games begin on the empty board is checked by a rubric without games."""
    rubric = Rubric((Goal(type="check", points=1),))
    command = ("perl", str(BOTS.parents[1] / "examples" / "dialects" / "moves.pl"))
    assert grade(BotSpec("bot", command, dialect="moves"), rubric).points == 1


def test_reason_of_a_failed_grade_is_harmless_and_bounded():
    """A reason keeps its lines. Control characters are escaped, and a long text is cut."""
    reason = "/tmp/x y/a.c:3: error\n\x1b[31m" + 9000 * "x"
    (line, *_) = failed_grade("a", GAMES, reason, Path("/tmp/x y")).lines
    assert line.reason.startswith("a.c:3: error\n\\x1b[31mxxx")
    assert len(line.reason) == 4000
