"""Solvers with defects: ``python solvers.py KIND [options]``, started in place of ``c4-solve``."""

import json
import os
import signal
import sys
import time


def answer(moves, **fields):
    """Return the answer of a solver that calls every position of 4x4 a draw."""
    full = [moves.count(column) == 4 for column in "1234"]
    scores = [None if is_full else 0 for is_full in full]
    return json.dumps({"moves": moves, "score": 0, "best": [1], "scores": scores, **fields})


def silent(moves):
    """Never answer."""
    time.sleep(1000)


def dies(moves):
    """End with a message."""
    sys.exit("out of wisdom")


def leaves(moves):
    """End without a message."""
    sys.exit()


def is_killed(moves):
    """End by a signal."""
    os.kill(os.getpid(), signal.SIGKILL)


def rubbish(moves):
    """Write a sentence."""
    return "a draw, I think"


def endless(moves):
    """Write a line that never ends."""
    while True:
        sys.stdout.write("0" * 65536)


def another(moves):
    """Answer about another position."""
    return answer(moves + "1")


def boasts(moves):
    """Claim more than a game can end with."""
    return answer(moves, score=99, scores=[99] * 4)


def halves(moves):
    """Give a score that is no integer."""
    return answer(moves, score=0.5)


def twice(moves):
    """Answer twice."""
    return answer(moves) + "\n" + answer(moves)


def refuses(moves):
    """Say that the position is too hard."""
    return json.dumps({"moves": moves, "error": "16 cells are free"})


def knows_the_end(moves):
    """Call positions with at least 8 stones a draw, and refuse others."""
    return answer(moves) if len(moves) >= 8 else refuses(moves)


def draws(moves):
    """Call every position a draw."""
    return answer(moves)


def explains(line, **changed):
    """Call every position a draw. If a question names a move, explain it; column 4 loses."""
    if not line.startswith("{"):
        return answer(line, explanation={"move": 1, "text": "Column 1 draws."})
    asked = json.loads(line)
    text = f"Column {asked['move']} gives away\x1b a draw."
    explanation = {"move": asked["move"], "text": text, "better": {"move": 3}} | changed
    return answer(asked["moves"], scores=[0, 0, 0, -3], explanation=explanation)


def explains_another(line):
    """Explain another move than the one of the question."""
    return explains(line, move=2)


def rambles(line):
    """Explain with too many words."""
    return explains(line, text="because " * 1000)


def praises(line):
    """Explain a mistake as a good move."""
    return explains(line, better=None)


def mumbles(line):
    """Explain without words."""
    return explains(line, text=None)


def shrugs(line):
    """Have no explanation."""
    return answer(json.loads(line)["moves"] if line.startswith("{") else line, explanation=None)


def hesitates(line):
    """Refuse to explain moves."""
    return refuses(json.loads(line)["moves"]) if line.startswith("{") else answer(line)


if __name__ == "__main__":
    for line in sys.stdin:
        print(globals()[sys.argv[1]](line.strip()), flush=True)
