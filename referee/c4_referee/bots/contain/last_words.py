"""Search in a program's standard error for the reason why it ended.

The result is one line of text with the file, the line number and the message.

Each language writes an uncaught error in its own format. To add a language, add an entry to
``STYLES``.
"""

import re
from pathlib import PurePath
from typing import NamedTuple

MAX_LENGTH = 200
"""Maximum length of the returned text, in characters. A longer text is cut."""

NOISE = (
    r"Node\.js v\d|note: |exit status \d|Aborted|stack backtrace:|[{}()\[\]]+[,;]?$|"
    r"----- Native stack trace -----|\d+: 0x|"  # Node.js, out of memory
    r"goroutine \d|runtime stack:|created by |\S+\([0-9a-fx{}?, .]*\)$"  # Go
)
"""Pattern of lines at the end of standard error that do not name a cause."""
ARGUMENTS = (
    r"\busage\b|\bargv\b|\barguments?\b.*\b(?:required|expected|missing)|"
    r"parameter not set|unbound variable"
)
"""Pattern of messages about a missing argument, in upper or lower case."""
INDEX = (
    r"IndexError|Index\w*OutOf(?:Bounds|Range)|index out of (?:bounds|range)|undefined \(reading"
)
"""Pattern of messages about an index out of range, perhaps that of a missing argument."""
LIBRARIES = r"/(?:lib|lib64|dist)/(?:python|ruby|go|racket)|site-packages|/rustc/|<frozen"
"""Pattern of the paths of a language's own libraries. If an error happens in a library, the line of
the program that called the library is shown."""


class Style(NamedTuple):
    """Format of uncaught errors in a language, as regular expressions (``^`` begins a line).

    - ``message`` finds the error. It has the group ``message`` and may have the group ``kind``. It
      has the groups ``file`` and ``line`` if the language writes these next to the message.
    - ``frame`` finds the calls that led to the error, with the groups ``file`` and ``line``. The
      calls stand above a message that has a ``file``, and below any other message. The deepest
      call stands next to the message.
    - ``is_last`` is true if the last of several messages counts, and false if the first one does.
    """

    message: str
    frame: str | None = None
    is_last: bool = False


# Searching the text of a hostile program must not take long. Therefore a part that matches any
# number of line breaks, such as \s+, may not stand before another part of any length.
STYLES = (
    Style(  # Python: the calls, then the error
        (
            r'^  File "(?P<file>[^"]+)", line (?P<line>\d+).*\n'
            r"(?:[ \t].*\n|\n)*"
            r"(?P<message>\S.*)"
        ),
        r'^  File "(?P<file>[^"]+)", line (?P<line>\d+)',
        is_last=True,
    ),
    Style(  # Node.js, with a call in a file of the program
        (
            r"^(?:Uncaught )?(?P<message>[\w.$]*(?:Error|Exception)\b.*)\n"
            r"(?=(?:.*\n)*? +at (?:.*\()?(?:file://)?/)"
        ),
        r"^ +at (?:.*\()?(?:file://)?(?P<file>/[^():]+):(?P<line>\d+):\d+\)?",
    ),
    Style(  # Node.js: a file that cannot be parsed, or a thrown value that is not an error
        r"^(?:file://)?(?P<file>/.+):(?P<line>\d+)\n.*\n *\^+\n+"
        r"(?P<message>\S.*)\n(?:.*\n)*?Node\.js v"
    ),
    Style(  # Java and its relatives: the original cause stands last
        r'^(?:Exception in thread ".*?" |Caused by: )(?P<message>.*)',
        r"^[ \t]+at (?!java|jdk|sun|clojure).*\((?P<file>[\w$]+\.\w+):(?P<line>\d+)\)",
        is_last=True,
    ),
    Style(  # Clojure
        r"^(?:Execution|Syntax) error .*\((?P<file>[^():]+):(?P<line>\d+)(?::\d+)?\)\.\n"
        r"(?P<message>.*)"
    ),
    Style(  # C#
        r"^Unhandled [Ee]xception[.:]\s*(?P<message>.*)",
        r"^[ \t]+at .* in (?P<file>.+):line (?P<line>\d+)",
    ),
    Style(  # Rust
        r"panicked at (?P<file>[^':\n]+):(?P<line>\d+):\d+:\n(?P<message>.*)",
    ),
    Style(  # Go
        r"^(?P<message>(?:panic|fatal error): .*)",
        r"^\t(?P<file>\S+\.go):(?P<line>\d+)",
    ),
    Style(  # Ruby
        r"^(?P<file>\S+):(?P<line>\d+):in .*?: (?P<message>.*)",
    ),
    Style(  # C++
        r"^terminate called .* instance of '(?P<kind>.*)'(?:\n  what\(\):  (?P<message>.*))?",
    ),
)


def last_words(text: str) -> str:
    """Return one line that says why a program ended, from the text of its standard error.

    If the text holds an uncaught error, the result has its file, line number and message. Otherwise
    the result is the last line that is not indented, or "" for an empty text.
    """
    errors = filter(None, (_error(style, text) for style in STYLES))
    line = next(errors, None) or last_line(text)
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 3] + "..."


def suggests_arguments(text: str, *, at_start: bool = True) -> bool:
    """Return whether a program may have ended because its command line lacked arguments.

    An index out of range counts only if ``at_start`` is true. Later, it may be an index of any
    list.
    """
    patterns = f"{ARGUMENTS}|{INDEX}" if at_start else ARGUMENTS
    return re.search(patterns, text, re.IGNORECASE) is not None


def suggests_dialect(line: str) -> bool:
    """Return whether a program's last words quote a precept, which it could not read."""
    return re.search(r'\{\\?"grid\\?":', line) is not None


def _error(style: Style, text: str) -> str | None:
    """Return the error message in a text if the text has this style, otherwise ``None``."""
    matches = list(re.finditer(style.message, text, re.MULTILINE))
    if not matches:
        return None
    match = matches[-1 if style.is_last else 0]
    groups = match.groupdict()
    message = ": ".join(filter(None, (groups.get("kind"), groups.get("message"))))
    frames = [frame for frame in (*_frames(style, text, match), groups) if frame.get("file")]
    own = (frame for frame in frames if not re.search(LIBRARIES, frame["file"]))
    # The deepest call outside of the language's libraries says where the program failed.
    if max_depth := next(own, frames[0] if frames else None):
        return f"{PurePath(max_depth['file']).name}, line {max_depth['line']}: {message}"
    return message


def _frames(style: Style, text: str, match: re.Match[str]) -> list[dict[str, str]]:
    """Return the calls that led to an error, the deepest first."""
    if style.frame is None:
        return []
    is_above = "file" in match.groupdict()  # the calls stand above the message
    begin = text.rfind("\n\n", 0, match.start()) + 1
    part = text[begin : match.end()] if is_above else text[match.end() :]
    calls = [call.groupdict() for call in re.finditer(style.frame, part, re.MULTILINE)]
    return calls[::-1] if is_above else calls


def last_line(text: str) -> str:
    """Return the last line that names a cause, if possible one that is not indented.

    If an error ended the program, this line belongs to its message. An error that did not end the
    program stands further above.
    """
    lines = [line for line in text.split("\n") if line.strip() and not re.match(NOISE, line)]
    margin = (line for line in reversed(lines) if not line[0].isspace())
    return next(margin, lines[-1] if lines else "").strip()
