"""A judge as it should not be: ``python judges.py KIND``; answers with a legal move and an info.

Knows nothing of the project, as other people's judges do not.
"""

import json
import sys
import time


def leftmost(precept):
    """The leftmost column with room."""
    return next(x for x, column in enumerate(precept["grid"]) if column[0] == 0)


def answer(precept, **info):
    """A line with a legal move."""
    return json.dumps({"move": leftmost(precept), **info})


def draws(precept):
    """Whatever it sees is a draw."""
    return answer(precept, info={"score": 0, "exact": True})


def lies(precept):
    """Whoever is to move loses: before a move, and after it."""
    return answer(precept, info={"score": -1, "exact": True})


def unsure(precept):
    """It never knows."""
    return answer(precept, info={"score": 0.5, "exact": False})


def without_info(precept):
    """It plays, and tells nothing."""
    return answer(precept)


def rubbish(precept):
    """Its score is a word."""
    return answer(precept, info={"score": "good", "exact": True})


def boasts(precept):
    """It wins with more stones than there are."""
    return answer(precept, info={"score": 1_000_000, "exact": True})


def halves(precept):
    """It calls exact what no game ends with."""
    return answer(precept, info={"score": 0.5, "exact": True})


def no_line(precept):
    """It talks."""
    return "I think that is a draw"


def full_column(precept):
    """It plays where nobody can."""
    return json.dumps({"move": 99, "info": {"score": 0, "exact": True}})


def dies(precept):
    """It ends without a word for anybody but the user."""
    sys.exit("out of wisdom")


def slow(precept):
    """It thinks for ever."""
    time.sleep(1000)


def one_a_second(precept):
    """It answers, but takes its time."""
    time.sleep(1)
    return draws(precept)


if __name__ == "__main__":
    for line in sys.stdin:
        print(globals()[sys.argv[1]](json.loads(line)), flush=True)
