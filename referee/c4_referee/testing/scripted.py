"""A bot that plays a script. The command is ``python scripted.py SCRIPT``, with JSON as script.

``c4_referee.testing.players.scripted`` describes scripts. The bot imports nothing of the project,
so that it starts fast.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence


def say(text: str) -> None:
    """Write to standard output without a buffer.

    A lone surrogate in the text stands for a byte that is not UTF-8.
    """
    os.write(1, text.encode(errors="surrogateescape"))


def complain(text: str) -> None:
    """Write a line to standard error."""
    os.write(2, f"{text}\n".encode())


def move(value: object) -> None:
    """Answer with a move."""
    say(json.dumps({"move": value}) + "\n")


def kill(number: int) -> None:
    """Send a signal to this process."""
    os.kill(os.getpid(), number)


ACTIONS: dict[str, Callable[..., object]] = {
    "move": move,
    "say": say,
    "complain": complain,
    "wait": time.sleep,
    "close": os.close,
    "kill": kill,
    "exit": os._exit,  # immediately, without the usual end of the interpreter
}


def check_line(number: int, line: str, expecting: Sequence[str]) -> None:
    """End the bot if ``expecting`` has a line with this number and the question is different."""
    if number < len(expecting) and line.strip() != expecting[number].strip():
        sys.exit(f"question {number + 1} is {line.strip()}, not {expecting[number].strip()}")


def main(text: str) -> None:
    """Give the answers of the script. If it has no answer, end with code 1 and a reason."""
    script = json.loads(text)
    say(script["greeting"])
    for number, line in enumerate(sys.stdin):
        check_line(number, line, script["expecting"])
        if number >= len(script["answers"]):
            sys.exit(f"question {number + 1}, but the script has {number} answers")
        for action, value in script["answers"][number].items():
            ACTIONS[action](value)


if __name__ == "__main__":
    main(sys.argv[1])
