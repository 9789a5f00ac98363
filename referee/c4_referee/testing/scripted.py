"""A bot that plays a script. The command is ``python scripted.py SCRIPT``, with JSON as script.

``c4_referee.testing.players.scripted`` describes scripts. The bot imports nothing of the project,
so that it starts fast.
"""

import json
import os
import sys
import time
from collections.abc import Callable


def write_to_stdout(text: str) -> None:
    """Write to standard output without a buffer.

    A lone surrogate in the text stands for a byte that is not UTF-8.
    """
    os.write(1, text.encode(errors="surrogateescape"))


ACTIONS_BY_NAME: dict[str, Callable[..., object]] = {
    "move": lambda value: write_to_stdout(json.dumps({"move": value}) + "\n"),
    "say": write_to_stdout,
    "complain": lambda text: os.write(2, f"{text}\n".encode()),
    "wait": time.sleep,
    "close": os.close,
    "kill": lambda number: os.kill(os.getpid(), number),
    "exit": os._exit,  # immediately, without the usual end of the interpreter
}


def play_script(text: str) -> None:
    """Give the answers of the script.

    If a question is not the expected one or has no answer, end with code 1 and a reason.
    """
    script = json.loads(text)
    write_to_stdout(script["greeting"])
    for number, line in enumerate(sys.stdin):
        expected = [each.strip() for each in script["expecting"][number : number + 1]]
        if expected and line.strip() != expected[0]:
            sys.exit(f"question {number + 1} is {line.strip()}, not {expected[0]}")
        if number >= len(script["answers"]):
            sys.exit(f"question {number + 1}, but the script has {number} answers")
        for action, value in script["answers"][number].items():
            ACTIONS_BY_NAME[action](value)


if __name__ == "__main__":
    play_script(sys.argv[1])
