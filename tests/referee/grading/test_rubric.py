"""Rubrics are read, and mistakes in them are named in one line."""

import re
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.grading.rubric import Goal, Rubric, opponent, read_rubric

EXAMPLE = Path(__file__).parents[3] / "examples" / "rubric.toml"
WINS = '[[goal]]\ntype = "wins"\npoints = 3\nagainst = "random"\nwins = 2\n'
CHECK = '[[goal]]\ntype = "check"\npoints = 1\n'


@pytest.fixture
def rubric(tmp_path):
    """Return a function that reads a rubric with this text."""

    def read(text: str):
        (tmp_path / "rubric.toml").write_text(text)
        return read_rubric(tmp_path / "rubric.toml")

    return read


def test_example_has_100_points_and_all_types():
    """The example has a goal of each type, with names in words, and 100 points."""
    rubric = read_rubric(EXAMPLE)
    assert sum(goal.points for goal in rubric.goals) == 100
    assert [goal.name for goal in rubric.goals] == [
        "Follows the rules",
        "Beats random in 9 of 10 games",
        "Scores 50% in 10 games against level-2",
        "Accuracy of 70%",
        "Commits no fault",
    ]
    assert rubric.games == {"random": 10, "level-2": 10}


def test_short_rubric_has_defaults(rubric):
    """Settings and keys that are missing have their defaults."""
    read = rubric(WINS + CHECK)
    name = "Beats random in 2 of 10 games"
    wins = Goal(type="wins", points=3, name=name, against="random", games=10, wins=2)
    assert read == Rubric((wins, Goal(type="check", points=1, name="Follows the rules")))


def test_goals_have_different_names(rubric):
    """Goals with equal names are numbered."""
    named = CHECK + 'name = "Rules (2)"\n'
    read = rubric(named + 2 * (CHECK + 'name = "Rules"\n'))
    assert [goal.name for goal in read.goals] == ["Rules (2)", "Rules", "Rules (3)"]


def test_games_against_one_opponent_are_shared(rubric):
    """Goals with the same opponent need as many games as the one that needs most."""
    read = rubric("".join(f"{WINS}games = {games}\n" for games in (4, 8, 2)))
    assert read.games == {"random": 8}


def test_our_opponents_get_the_seed_and_others_do_not():
    """An opponent of ours plays by the seed. Other opponents are command lines."""
    assert opponent("level-3", -7).command == ("c4-bot", "--level", "3", "--seed=-7")
    assert opponent("c4-bot --depth 1", 5).command == ("c4-bot", "--depth", "1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no goal: write a table [[goal]] for each"),
        ("goal = 3", "there is no goal: write a table [[goal]] for each"),
        ("goal = [3]", "there is no goal: write a table [[goal]] for each"),
        ("[[goal]]", "goal 1.type: say check, wins, score, accuracy or no-fault"),
        (f'{CHECK}[[goal]]\ntype = "wins"', "goal 2.points: field required"),
        (f"{CHECK}point = 2", "goal 1.point: no such key: did you mean points?"),
        (CHECK.replace("1", "-1"), "goal 1.points: input should be greater than or equal to 0"),
        (CHECK.replace("1", "true"), "goal 1.points: input should be a valid number"),
        (f'{CHECK}partial = "no"', "goal 1.partial: input should be a valid boolean"),
        (WINS.replace("wins = 2", ""), "goal 1.wins: field required"),
        (f"{CHECK}share = 0.5", "goal 1.share: type check has no such key"),
        (f"{WINS}games = 3", "goal 1.games: input should be a multiple of 2"),
        (WINS.replace("wins = 2", "wins = 11"), "goal 1: nobody wins 11 of 10 games"),
        (WINS.replace("random", "nobody"), "goal 1.against: bot 'nobody': there is no program"),
        (
            WINS.replace("random", "level-11"),
            "goal 1.against: bot 'level-11': there is no program 'level-11'; did you mean level-1?",
        ),
        (f"time = 5\n{CHECK}", "time: no such key: did you mean time_ms?"),
        (f"time_ms = 0\n{CHECK}", "time_ms: input should be greater than 0"),
        (f'variant = "round"\n{CHECK}', "variant: no variant 'round'"),
        ('[[goal]]\ntype = "no-fault"\npoints = 1', "no goal plays games: add one with type"),
        (
            f'variant = "8x7"\n{WINS}[[goal]]\ntype = "accuracy"\npoints = 1\nshare = 0.5',
            "accuracy is known only for the variant standard",
        ),
    ],
)
def test_mistake_names_the_key(rubric, text, message):
    """A mistake is one line with the file, the key and what is expected."""
    with pytest.raises(UsageError, match=f"rubric.toml: {re.escape(message)}") as raised:
        rubric(text)
    assert "\n" not in str(raised.value)
