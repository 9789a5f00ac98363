"""The process of a bot that is a function: passes each line to the function's process and back.

It is run as a script, with the path of a socket as its argument, and imports nothing of this
package. An answer that is not a JSON object is an error: then the process ends with exit code 1.
"""

import socket
import sys


def main() -> int:
    """Relay lines until the input ends or the function fails. Return the exit code."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(sys.argv[1])
        answers = link.makefile("rb")
        for question in sys.stdin.buffer:
            link.sendall(question)
            answer = answers.readline()
            if not answer.startswith(b"{"):
                sys.stderr.buffer.write(answer + answers.read())
                return 1
            sys.stdout.buffer.write(answer)
            sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
