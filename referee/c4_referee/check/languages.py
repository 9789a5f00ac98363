"""Lines of code that are shown to a bot's author, in the language of the bot.

The language is guessed from the command that starts the bot.
"""

from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple


class Language(NamedTuple):
    """Lines of code that ``answer``, ``read`` line by line, and print ``text`` for people."""

    answer: str
    read: str
    text: str


PYTHON = Language(
    'print(json.dumps({"move": column}), flush=True)',
    "for line in sys.stdin: ...",
    "print(..., file=sys.stderr)",
)
JAVASCRIPT = Language(
    "console.log(JSON.stringify({ move: column }))",
    'readline.createInterface({ input: process.stdin }).on("line", (line) => ...)',
    "console.error(...)",
)
SHELL = Language(
    """printf '{"move":%s}\\n' "$column\"""",
    "while read -r line; do ...; done",
    "echo ... >&2",
)
AWK = Language(
    'printf "{\\"move\\":%d}\\n", column; fflush()',
    "{ ... } for each line (mawk also needs -W interactive)",
    'print ... > "/dev/stderr"',
)
JAVA = Language(
    'System.out.println("{\\"move\\":" + column + "}"); System.out.flush();',
    "while ((line = reader.readLine()) != null) ...",
    "System.err.println(...)",
)
PERL = Language(
    'print "{\\"move\\":$column}\\n"; STDOUT->flush();',
    "while (my $line = <STDIN>) ...",
    "print STDERR ...",
)
COMPILED = Language(
    'printf("{\\"move\\":%d}\\n", column); fflush(stdout); in C++ std::cout << ... << std::endl',
    "fgets(line, size, stdin) in a loop; in C++ while (std::getline(std::cin, line))",
    "fprintf(stderr, ...); in C++ std::cerr << ...",
)
"""Lines for C and C++, also shown if the language is not known."""

BY_ENDING = {
    ".py": PYTHON,
    ".js": JAVASCRIPT,
    ".mjs": JAVASCRIPT,
    ".cjs": JAVASCRIPT,
    ".sh": SHELL,
    ".awk": AWK,
    ".java": JAVA,
    ".jar": JAVA,
    ".pl": PERL,
}
BY_PROGRAM = {
    "python": PYTHON,
    "pypy": PYTHON,
    "node": JAVASCRIPT,
    "java": JAVA,
    "perl": PERL,
    "sh": SHELL,
    "bash": SHELL,
    "awk": AWK,
    "mawk": AWK,
    "gawk": AWK,
}


def language_of(command: Sequence[str]) -> Language:
    """Return the language that a file ending in the command shows, else that of the program."""
    endings = (BY_ENDING.get(PurePath(word).suffix) for word in command)
    if found := next(filter(None, endings), None):
        return found
    program = PurePath(command[0]).name.rstrip("0123456789.")
    return BY_PROGRAM.get(program, COMPILED)
