"""A judge with a defect: ``python judges.py KIND``; most kinds answer with a move and an info.

It imports nothing of the project, like other people's judges.
"""

import json
import sys
import time


def leftmost(precept):
    """Return the leftmost column with room."""
    return next(x for x, column in enumerate(precept["grid"]) if column[0] == 0)


def answer(precept, **info):
    """Return a line with a legal move."""
    return json.dumps({"move": leftmost(precept), **info})


def draws(precept):
    """Calls every position a draw."""
    return answer(precept, info={"score": 0, "exact": True})


def lies(precept):
    """Calls every position lost for the player to move, before and after each move."""
    return answer(precept, info={"score": -1, "exact": True})


def unsure(precept):
    """Never has an exact score."""
    return answer(precept, info={"score": 0.5, "exact": False})


def without_info(precept):
    """Plays without an info."""
    return answer(precept)


def rubbish(precept):
    """Has a word for a score."""
    return answer(precept, info={"score": "good", "exact": True})


def boasts(precept):
    """Claims a win with more stones than there are."""
    return answer(precept, info={"score": 1_000_000, "exact": True})


def halves(precept):
    """Calls a score exact with which no game ends."""
    return answer(precept, info={"score": 0.5, "exact": True})


def no_line(precept):
    """Writes a sentence."""
    return "I think that is a draw"


def full_column(precept):
    """Plays an illegal move."""
    return json.dumps({"move": 99, "info": {"score": 0, "exact": True}})


def dies(precept):
    """Ends with a message on standard error."""
    sys.exit("out of wisdom")


def slow(precept):
    """Never answers."""
    time.sleep(1000)


def one_a_second(precept):
    """Answers after a second."""
    time.sleep(1)
    return draws(precept)


if __name__ == "__main__":
    for line in sys.stdin:
        print(globals()[sys.argv[1]](json.loads(line)), flush=True)
