"""The end of a crashed program's output is shown as one line, in every language.

The line names the file, the line number and the message.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from c4_referee.bots.contain.last_words import (
    MAX_LENGTH,
    last_words,
    suggests_arguments,
    suggests_dialect,
)

PROGRAMS = {
    "bot.py": "import sys\n\nprint(sys.argv[2])\n",
    "library.py": "import json\n\ndef f():\n    json.loads('{')\n\nf()\n",
    "cause.py": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n"
    "    raise ValueError('a\\nb') from e\n",
    "syntax.py": "def f(:\n    pass\n",
    "options.py": "import argparse\np = argparse.ArgumentParser()\n"
    "p.add_argument('--player', required=True)\np.parse_args()\n",
    "bot.js": "function f() {\n  return process.argv[9].length;\n}\nf();\n",
    "parse.js": "JSON.parse('{');\n",
    "thrown.js": "throw { a: 1 };\n",
    "syntax.js": "let x = = 3;\n",
    "module.mjs": "await Promise.reject(new Error('no luck'));\n",
    "missing.js": "\nrequire('./nosuch');\n",
    "bot.sh": "nosuchcommand || exit 1\n",
    "unset.sh": 'set -u\necho "$1"\n',
    "bot.pl": 'use strict; my $x;\n$x->foo();\n',
    "Bot.java": "class Bot {\n  public static void main(String[] a) {\n"
    "    try {\n      System.out.println(a[1]);\n    } catch (Exception e) {\n"
    '      throw new RuntimeException("stopped", e);\n    }\n  }\n}\n',
    "bot.c": "#include <assert.h>\nint main(int n, char **v) {\n  assert(n > 5);\n}\n",
    "bot.cpp": "#include <vector>\nint main(int n, char **v) {\n"
    "  return std::vector<int>().at(n);\n}\n",
}  # fmt: skip
RUN = {".py": "python3 {}", ".js": "node {}", ".mjs": "node {}", ".sh": "sh {}", ".pl": "perl {}",
       ".java": "java {}", ".c": "cc {} && ./a.out", ".cpp": "c++ {} && ./a.out"}  # fmt: skip
SAID = {
    "bot.py": "bot.py, line 3: IndexError: list index out of range",
    "library.py": "library.py, line 4: json.decoder.JSONDecodeError: Expecting property name",
    "cause.py": "cause.py, line 4: ValueError: a",
    "syntax.py": "syntax.py, line 1: SyntaxError: ",
    "options.py": "options.py: error: the following arguments are required: --player",
    "bot.js": "bot.js, line 2: TypeError: Cannot read properties of undefined (reading 'length')",
    "parse.js": "parse.js, line 1: SyntaxError: ",
    "thrown.js": "thrown.js, line 1: { a: 1 }",
    "syntax.js": "syntax.js, line 1: SyntaxError: Unexpected token '='",
    "module.mjs": "module.mjs, line 1: Error: no luck",
    "missing.js": "missing.js, line 2: Error: Cannot find module './nosuch'",
    "bot.sh": "bot.sh: 1: nosuchcommand: not found",
    "unset.sh": "unset.sh: 2: 1: parameter not set",
    "bot.pl": 'Can\'t call method "foo" on an undefined value at bot.pl line 2.',
    "Bot.java": "Bot.java, line 4: java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds",
    "bot.c": "a.out: bot.c:3: main: Assertion `n > 5' failed.",
    "bot.cpp": "std::out_of_range: vector::_M_range_check: __n (which is 1) >= this->size()",
}
MISSES_ARGUMENTS = {"bot.py", "options.py", "bot.js", "unset.sh", "Bot.java"}
REPORTED = [
    (
        "\nthread 'main' (13188) panicked at src/main.rs:7:9:\nindex out of bounds: the len is 0\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
        "main.rs, line 7: index out of bounds: the len is 0",
    ),
    (
        "panic: runtime error: index out of range [2] with length 1\n\ngoroutine 1 [running]:\n"
        "main.main()\n\t/home/me/bot.go:6 +0x1d\nexit status 2\n",
        "bot.go, line 6: panic: runtime error: index out of range [2] with length 1",
    ),
    (
        "Unhandled exception. System.IndexOutOfRangeException: Index was outside the bounds.\n"
        "   at Program.Main(String[] args) in /home/me/Program.cs:line 5\n",
        "Program.cs, line 5: System.IndexOutOfRangeException: Index was outside the bounds.",
    ),
    (
        "bot.rb:3:in `<main>': undefined method `+' for nil (NoMethodError)\n"
        "\tfrom bot.rb:9:in `<main>'\n",
        "bot.rb, line 3: undefined method `+' for nil (NoMethodError)",
    ),
    (
        "Execution error (ArithmeticException) at user/eval (bot.clj:3).\nDivide by zero\n\n"
        "Full report at:\n/tmp/clojure-123.edn\n",
        "bot.clj, line 3: Divide by zero",
    ),
]


@pytest.fixture
def crash(tmp_path):
    """Return a function that runs a program to its end and returns its standard error."""

    def run(name: str) -> str:
        path = Path(name)
        (tmp_path / name).write_text(PROGRAMS[name], encoding="utf-8")
        command = RUN[path.suffix].format(name)
        if shutil.which(command.split()[0]) is None:
            pytest.skip(f"{command.split()[0]} is not installed")
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode != 0
        return done.stderr.decode()

    return run


@pytest.mark.parametrize("name", PROGRAMS)
def test_crash_is_shown_with_its_place(crash, name):
    """A real crash is shown with file, line number and message."""
    text = crash(name)
    assert last_words(text).startswith(SAID[name])
    assert suggests_arguments(text) == (name in MISSES_ARGUMENTS)
    assert suggests_arguments(text, at_start=False) == (name in MISSES_ARGUMENTS - {"Bot.java"})


@pytest.mark.parametrize(("text", "line"), REPORTED)
def test_crash_in_other_languages(text, line):
    """A crash in a language that may not be installed is understood from its message."""
    assert last_words(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("\n \n", ""),
        ("loading\nno such model: model.bin\n", "no such model: model.bin"),
        ("out of wisdom\n  detail\n", "out of wisdom"),
        ("  only indented\n", "only indented"),
        ("goodbye\n\nNode.js v20.20.2\n", "goodbye"),
    ],
)
def test_other_texts_end_with_their_last_line(text, line):
    """Without an error, the last line that is not indented and names a cause is shown."""
    assert last_words(text) == line


def test_long_message_is_cut():
    """A long message is cut to the maximum length."""
    assert len(last_words("x" * 5000)) == MAX_LENGTH


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Unhandled exception. x\n" + "\n" * 8000 + "\tat " + " in a:line " * 800, "x"),
        ("Caused by: x\n" + "\n" * 8000 + "\tat " + "(a.a:" * 1600, "x"),
    ],
)
def test_hostile_text_is_searched_to_its_end(text, line):
    """A hostile text is searched in a short time.

    Trying all ways to divide its blank lines and calls would take hours.
    """
    assert last_words(text) == line


@pytest.mark.parametrize(
    ("line", "suggested"),
    [
        ('bot.py, line 1: ValueError: invalid literal for int() with base 10: \'{"grid":[[0', True),
        ('java.lang.NumberFormatException: For input string: "{"grid":[[0,0"', True),
        ("bot.py, line 3: KeyError: 'grid'", False),
        ("", False),
    ],
)
def test_question_in_the_last_words_suggests_another_dialect(line, suggested):
    """A program that could not read the line of JSON quotes it in its error."""
    assert suggests_dialect(line) == suggested
