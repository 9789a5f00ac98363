"""A bot that does as it is told: ``python scripted.py SCRIPT``, with the script in JSON.

``c4_referee.testing.players.scripted`` tells what a script holds. Knows nothing of the project, so
that it starts fast.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence


def say(text: str) -> None:
    """Writes to standard output, at once and as it is; lone surrogates are bytes."""
    os.write(1, text.encode(errors="surrogateescape"))


def complain(text: str) -> None:
    """Writes a line to standard error."""
    os.write(2, f"{text}\n".encode())


def move(value: object) -> None:
    """Answers with a move."""
    say(json.dumps({"move": value}) + "\n")


def kill(number: int) -> None:
    """Ends by a signal."""
    os.kill(os.getpid(), number)


ACTS: dict[str, Callable[..., object]] = {
    "move": move,
    "say": say,
    "complain": complain,
    "wait": time.sleep,
    "close": os.close,
    "kill": kill,
    "exit": os._exit,  # not even the end of the interpreter comes between
}


def check(number: int, line: str, expecting: Sequence[str]) -> None:
    """Ends the bot if a question is another than the one expected, should one be."""
    if number < len(expecting) and line.strip() != expecting[number].strip():
        sys.exit(f"question {number + 1} is {line.strip()}, not {expecting[number].strip()}")


def main(text: str) -> None:
    """Answers as the script says; ends with code 1 and a reason where it says nothing."""
    script = json.loads(text)
    say(script["greeting"])
    for number, line in enumerate(sys.stdin):
        check(number, line, script["expecting"])
        if number >= len(script["answers"]):
            sys.exit(f"question {number + 1}, but the script has {number} answers")
        for act, value in script["answers"][number].items():
            ACTS[act](value)


if __name__ == "__main__":
    main(sys.argv[1])
