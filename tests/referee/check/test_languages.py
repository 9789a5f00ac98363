"""The programming language for which a bot's author gets advice."""

import pytest
from c4_referee.check.languages import (
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
    language_of,
)


@pytest.mark.parametrize(
    ("command", "language"),
    [
        ("python3 bot.py", PYTHON),
        ("/usr/bin/python3.11 -u -m bot", PYTHON),
        ("uv run bot.py", PYTHON),
        ("node bot.mjs", JAVASCRIPT),
        ("java -jar bot.jar", JAVA),
        ("java Bot", JAVA),
        ("./bot.sh", SHELL),
        ("bash bot", SHELL),
        ("awk -f bot.awk", AWK),
        ("mawk -f bot", AWK),
        ("perl bot", PERL),
        ("go run bot.go", GO),
        ("mono bot.exe", CSHARP),
        ("dotnet run", CSHARP),
        ("racket bot.rkt", RACKET),
        ("clojure -M bot.clj", CLOJURE),
        ("./bot", COMPILED),
        ("./bot.exe --weights 1.5", COMPILED),
        ("", COMPILED),
    ],
)
def test_language_is_guessed_from_the_command(command, language):
    """The language is guessed from the first file with a known ending, otherwise by the program."""
    assert language_of(command.split() or [""]) is language


def test_file_counts_more_than_the_program():
    """A file's ending counts more than the program that starts it."""
    assert language_of(["sh", "run.sh", "bot.py"]) is SHELL
    assert language_of(["bash", "-c", "bot.py"]) is PYTHON
