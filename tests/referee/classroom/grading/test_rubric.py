"""Rubrics are read, and mistakes in them are named in one line."""

import json
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.grading.rubric import Goal, Rubric, opponent, read_rubric

EXAMPLE = Path(__file__).parents[4] / "examples" / "rubric.toml"
MISTAKES = Path(__file__).parents[3] / "golden" / "class"
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
        "Scores 50% in 10 games against level-1",
        "Scores 60% in 10 games against level-1, counted from a random player",
        "Accuracy of 70%",
        "Commits no fault",
    ]
    assert rubric.games == {"random": 10, "level-1": 10}


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
    """A bot of ours plays by the seed, unless it names one. Other bots get no argument."""
    assert opponent("level-3", -7).command == ("c4-bot", "--level", "3", "--seed=-7")
    assert opponent("c4-bot --depth 1", 5).command == ("c4-bot", "--depth", "1", "--seed=5")
    for text in ("c4-bot --level 2 --seed 1", "true --depth 1"):
        assert opponent(text, 5).command[1:] == tuple(text.split()[1:])


def test_mistake_names_the_key(rubric, golden):
    """Each mistake of the file of mistakes is one line with the key and what is expected."""
    shown = ""
    for text in json.loads((MISTAKES / "rubrics.json").read_bytes()):
        with pytest.raises(UsageError, match=r"rubric\.toml: ") as raised:
            rubric(text)
        assert "\n" not in str(raised.value)
        shown += str(raised.value).partition("rubric.toml: ")[2] + "\n"
    golden(MISTAKES / "rubrics.txt", shown)
