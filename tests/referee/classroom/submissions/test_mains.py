"""The main program of a submission is found among its sources."""

from contextlib import suppress

import pytest
from c4_referee.bots import languages
from c4_referee.classroom.submissions.mains import main_programs, start_of_main
from c4_referee.classroom.submissions.start import NoStart
from submitted import READS, submission

GUARD = "if __name__ == '__main__':\n    test()\n"
IMPORT = "from helper import move\n"
C_MAIN = "int main(void) { int c; while ((c = getchar()) > 0); }\n"
CXX = "int main() { int c; while (std::cin >> c); }\n"
JAVA = "public class %s { public static void main(String[] a) { %s } }\n"


@pytest.mark.parametrize(
    ("files", "main"),
    [
        ({"odd.py": "x = 1\n"}, "odd.py"),
        ({"four.py": IMPORT + READS, "helper.py": "def move(): ...\n" + GUARD}, "four.py"),
        ({"four.py": IMPORT + READS, "helper.py": READS}, "four.py"),
        ({"four.py": "import a\n" + READS, "a.py": "import b\n", "b.py": READS}, "four.py"),
        ({"four.py": READS, "test_four.py": IMPORT + READS, "tests/x.py": READS}, "four.py"),
        ({"bot.py": READS, "simulate.py": "import bot\n" + GUARD}, "bot.py"),
        ({"src/four.py": READS, "data/book.txt": "1"}, "src/four.py"),
        ({"four.py": READS, "old/four.py": READS}, "four.py"),
        ({"bot.py": "import io\n" + READS, "io.py": "import json\ndef f(): sys.stdin\n"}, "bot.py"),
        ({"four.py": "import sys\n" + GUARD, "five.py": READS}, "five.py"),
        ({"Zürich/бот.py": READS}, "Zürich/бот.py"),
        ({"четыре.py": "import бот\n" + READS, "бот.py": GUARD}, "четыре.py"),
        ({"one.c": '#include "two.h"\n' + C_MAIN, "two.c": "int f;\n", "two.h": ""}, "one.c"),
        ({"A.java": JAVA % ("A", "B.run(System.in)"), "B.java": JAVA % ("B", "")}, "A.java"),
        ({"bot.py": READS, "compile.sh": "gcc x.c\n"}, "bot.py"),
        ({"bot.py": READS, "go.sh": "exec python3 bot.py\n"}, "go.sh"),
        (
            {"Bot.sln": "", "Bot/x.cpp": CXX, "Bot/y.cpp": "int f;\n", "x64/Bot.exe": "MZ"},
            "Bot/x.cpp",
        ),
        ({"x.js": "require('./y')\nprocess.stdin\n", "y.js": "process.stdin\n"}, "x.js"),
        ({"x.rkt": '(require "y.rkt")(read-line)', "y.rkt": "(read-line)"}, "x.rkt"),
        ({"bot.py": "\ufefffor line in open(0):\r\n    pass\r\n", "x.py": GUARD}, "bot.py"),
    ],
)
def test_main_program_is_found(tmp_path, files, main):
    """Helpers, tests, inner folders and files that read nothing come after the main program."""
    assert main_programs(submission(tmp_path, files)) == [main]


@pytest.mark.parametrize(
    "names",
    [["alpha.py", "beta.py"], ["bot.py", "main.py"], ["a/bot.py", "b/bot.py"], ["a.py", "z.pl"]],
)
def test_two_main_programs_are_both_found(tmp_path, names):
    """Two programs that read lines are both found, even if one of them has a usual name."""
    assert main_programs(submission(tmp_path, dict.fromkeys(names, READS + "# STDIN"))) == names


@pytest.mark.parametrize(
    "files", [{"a.py": "def f(): ...\n", "b.py": "x = 1\n"}, {"bot.exe": "MZ"}]
)
def test_files_without_the_marks_are_no_main_programs(tmp_path, files):
    """Several files of which none runs, and files in no language, are no main programs."""
    assert main_programs(submission(tmp_path, files)) == []


def test_sources_are_compiled_without_other_programs(tmp_path):
    """A test program, included sources and tests are not compiled with a program in C."""
    files = {
        "bot.c": '#include "rules.h"\n#include "table.c"\n' + C_MAIN,
        "src/rules.c": "int f;\n",
        "table.c": "int g;\n",
        "try.c": "int main(void) { return 0; }\n",
        "test_rules.c": "int h;\n",
    }
    (command,) = start_of_main(submission(tmp_path, files), "bot.c").compiles
    assert [word for word in command if word.endswith(".c")] == ["bot.c", "src/rules.c"]


def test_programs_that_name_each_other_are_compiled_together(tmp_path):
    """A class with a test of its own in its main function is a part of the program."""
    files = {"A.java": JAVA % ("A", "B.run(System.in)"), "B.java": JAVA % ("B", "new A()")}
    (command,) = start_of_main(submission(tmp_path, files), "A.java").compiles
    assert command[-2:] == ("A.java", "B.java")


def test_class_has_its_package(tmp_path):
    """The main class of Java is named with its package."""
    text = "package org.four;\n// class Other\n" + JAVA % ("Play", "System.in.read();")
    path = "src/org/four/Play.java"
    start = start_of_main(submission(tmp_path, {path: text}), path)
    assert start.command[-1] == "org.four.Play"


def test_name_is_no_option(tmp_path):
    """A file whose name looks like an option or an agent is named by a path."""
    assert start_of_main(submission(tmp_path, {"-c.py": READS}), "-c.py").command[-1] == "./-c.py"


def test_agent_for_kaggle_is_started_by_its_runner(tmp_path):
    """A function for ConnectX that reads nothing is an agent."""
    files = {"four.py": "import numpy\ndef my_agent(observation, configuration):\n    return 1\n"}
    start = start_of_main(submission(tmp_path, files), "four.py")
    assert start.command == ("kaggle:four.py",)


def test_missing_language_is_named(tmp_path, monkeypatch):
    """Without an interpreter, the error names it, the file, the language and its package."""
    monkeypatch.setattr(languages, "search_path", lambda: str(tmp_path))
    with pytest.raises(NoStart) as raised:
        start_of_main(submission(tmp_path, {"bot.rkt": "(read-line)"}), "bot.rkt")
    text = "this machine has no raco, but bot.rkt needs it: install racket"
    assert str(raised.value) == text


@pytest.mark.timeout(300)
@pytest.mark.parametrize("ending", list(languages.BY_ENDING))
def test_patterns_take_short_on_any_source(tmp_path, ending):
    """Sources that are made to be slow to search are searched before the test's own limit."""
    parts = ["\n", " ", "import ", "static ", "input ", "def f(obs\n", "package ", "class ", '"(']
    submission(tmp_path, {f"{i}{ending}": part * 30_000 for i, part in enumerate(parts)})
    main_programs(tmp_path)
    with suppress(NoStart):
        start_of_main(tmp_path, f"0{ending}")
