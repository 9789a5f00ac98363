"""The programming language for which a bot's author gets advice."""

import pytest
from c4_referee.bots.languages import (
    AWK,
    CLOJURE,
    COMPILED,
    CSHARP,
    GO,
    JAVA,
    JAVASCRIPT,
    PERL,
    PYTHON,
    RACKET,
    SHELL,
    lines_for,
)


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("python3 bot.py", PYTHON.lines),
        ("/usr/bin/python3.11 -u -m bot", PYTHON.lines),
        ("uv run bot.py", PYTHON.lines),
        ("node bot.mjs", JAVASCRIPT.lines),
        ("java -jar bot.jar", JAVA.lines),
        ("java Bot", JAVA.lines),
        ("./bot.sh", SHELL.lines),
        ("bash bot", SHELL.lines),
        ("awk -f bot.awk", AWK.lines),
        ("mawk -f bot", AWK.lines),
        ("perl bot", PERL.lines),
        ("go run bot.go", GO.lines),
        ("mono bot.exe", CSHARP.lines),
        ("dotnet run", CSHARP.lines),
        ("racket bot.rkt", RACKET.lines),
        ("clojure -M bot.clj", CLOJURE.lines),
        ("./bot", COMPILED),
        ("./bot.exe --weights 1.5", COMPILED),
        ("", COMPILED),
    ],
)
def test_language_is_guessed_from_the_command(command, lines):
    """The language is guessed from the first file with a known ending, otherwise by the program."""
    assert lines_for(command.split() or [""]) is lines


def test_file_counts_more_than_the_program():
    """A file's ending counts more than the program that starts it."""
    assert lines_for(["sh", "run.sh", "bot.py"]) is SHELL.lines
    assert lines_for(["bash", "-c", "bot.py"]) is PYTHON.lines
