"""Judges with defects: ``python judges.py KIND``.

Most kinds answer with a move and an info. The program imports nothing of the project, as other
people's judges do not.
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
    """Call every position a draw."""
    return answer(precept, info={"score": 0, "exact": True})


def lies(precept):
    """Call every position lost for the player to move, before and after each move."""
    return answer(precept, info={"score": -1, "exact": True})


def unsure(precept):
    """Call every score inexact."""
    return answer(precept, info={"score": 0.5, "exact": False})


def without_info(precept):
    """Play without an info."""
    return answer(precept)


def rubbish(precept):
    """Write a word as the score."""
    return answer(precept, info={"score": "good", "exact": True})


def affirms(precept):
    """Write a truth value as the score."""
    return answer(precept, info={"score": True, "exact": True})


def boasts(precept):
    """Claim a win with more stones than the board has."""
    return answer(precept, info={"score": 1_000_000, "exact": True})


def halves(precept):
    """Call a score exact that no game can end with."""
    return answer(precept, info={"score": 0.5, "exact": True})


def no_line(precept):
    """Write a sentence."""
    return "I think that is a draw"


def full_column(precept):
    """Play an illegal move."""
    return json.dumps({"move": 99, "info": {"score": 0, "exact": True}})


def dies(precept):
    """End with a message on standard error."""
    sys.exit("out of wisdom")


def slow(precept):
    """Never answer."""
    time.sleep(1000)


def one_a_second(precept):
    """Answer after a second."""
    time.sleep(1)
    return draws(precept)


if __name__ == "__main__":
    for line in sys.stdin:
        print(globals()[sys.argv[1]](json.loads(line)), flush=True)
