"""A bot that plays a script: ``python scripted.py SCRIPT``, with the script in JSON.

``c4_referee.testing.players.scripted`` describes scripts. The bot imports nothing of the project,
so that it starts fast.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence


def say(text: str) -> None:
    """Write to standard output at once; a lone surrogate stands for a byte that is not UTF-8."""
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


ACTS: dict[str, Callable[..., object]] = {
    "move": move,
    "say": say,
    "complain": complain,
    "wait": time.sleep,
    "close": os.close,
    "kill": kill,
    "exit": os._exit,  # at once, without the interpreter's own ending
}


def check_line(number: int, line: str, expecting: Sequence[str]) -> None:
    """End the bot if a line of ``expecting`` belongs to this question and differs from it."""
    if number < len(expecting) and line.strip() != expecting[number].strip():
        sys.exit(f"question {number + 1} is {line.strip()}, not {expecting[number].strip()}")


def main(text: str) -> None:
    """Answer as the script says; if it has no answer, end with code 1 and a reason."""
    script = json.loads(text)
    say(script["greeting"])
    for number, line in enumerate(sys.stdin):
        check_line(number, line, script["expecting"])
        if number >= len(script["answers"]):
            sys.exit(f"question {number + 1}, but the script has {number} answers")
        for act, value in script["answers"][number].items():
            ACTS[act](value)


if __name__ == "__main__":
    main(sys.argv[1])
