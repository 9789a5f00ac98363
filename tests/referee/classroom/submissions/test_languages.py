"""Bots in all languages are found, compiled and started, with and without the sandbox."""

import json
import os
import re

import pytest
from c4_protocol import Board
from c4_referee.bots.languages import LANGUAGES, program_here
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import start_process
from c4_referee.classroom.environment import make_environment
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.submissions.compiling import compile_start, spec_of, working_copy
from c4_referee.classroom.submissions.start_rules import find_starts
from effort import sampled
from submitted import EXAMPLES, READS, RUST, need, submission
from views import needs_sandbox

pytestmark = pytest.mark.slow

CXX = """#include "helper.hpp"
#include <iostream>
int main() {
    for (std::string line; std::getline(std::cin, line);)
        if (line.find("grid") != line.npos) std::cout << answer() << std::endl;
}
"""
GO_HELPER = 'package board\n\nfunc Answer() string { return `{"move":0}` }\n'
GO_MAIN = """package main

import (
	"bufio"
	"fmt"
	"four/board"
	"os"
)

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(board.Answer())
	}
}
"""
JAVA = """import java.util.Scanner;
class Play {
    public static void main(String[] all) {
        String move = new Scanner(Play.class.getResourceAsStream("/line.txt")).nextLine();
        for (Scanner in = new Scanner(System.in); in.hasNextLine();)
            if (in.nextLine().contains("grid")) System.out.println(move);
    }
}
"""
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Bot\n"]},
            {"cell_type": "code", "source": ["%matplotlib inline\n", "import sys"]},
            {"cell_type": "code", "source": "if True:\n    !pip list\n" + READS},
        ]
    }
)
FILES = {
    "Python": {"src/playouts.py": "playouts.py", "data/book.txt": ""},
    "JavaScript": {"bot.js": "one_ahead.js"},
    "Java": {"OpenThrees.java": "OpenThrees.java"},
    "TypeScript": {
        "package.json": '{"type": "module"}',
        "src/main.ts": 'import { move } from "./rules.js";\n'
        'import * as readline from "node:readline";\n'
        'readline.createInterface({ input: process.stdin }).on("line", (line: string) => {\n'
        '    if (line.includes("grid")) console.log(move());\n});\n',
        "src/rules.ts": "export const move = (): string => JSON.stringify({ move: 0 });\n",
    },
    "Kotlin": {
        "src/main/kotlin/bot.kt": "package four\n\nfun main() {\n    while (true) {\n"
        '        if ("grid" in (readLine() ?: break)) println("{\\"move\\":0}")\n    }\n}\n',
    },
    "C": {"look ahead.c": "look_ahead.c"},
    "C++": {
        "main.cpp": CXX,
        "lib/helper.cpp": '#include "../include/helper.hpp"\nstd::string answer() '
        '{ return "{\\"move\\":0}"; }\n',
        "include/helper.hpp": "#include <string>\nstd::string answer();\n",
    },
    "Rust": {"my bot.rs": RUST},
    "Go": {"careful.go": "careful.go"},
    "C#": {"LineSums.cs": "LineSums.cs"},
    "Racket": {"Zürich/бот.rkt": "threats.rkt"},
    "Perl": {"monte_carlo.pl": "monte_carlo.pl"},
    "shell": {"centre.sh": "centre.sh"},
    "Makefile": {"Makefile": "bot: x.c\n\tcc -o bot x.c -lm\n", "x.c": "look_ahead.c"},
    "Cargo.toml": {
        "Cargo.toml": '[package]\nname = "four"\nversion = "1.0.0"\nedition = "2021"\n',
        "src/main.rs": RUST,
    },
    "go.mod": {
        "go.mod": "module four\n",
        "board/board.go": GO_HELPER,
        "cmd/four/main.go": GO_MAIN,
    },
    "CMakeLists.txt": {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(four CXX)\n"
        "add_executable(four src/main.cpp)\n",
        "src/main.cpp": CXX.replace('"helper.hpp"', "<string>").replace(
            "answer()", r'"{\"move\":0}"'
        ),
        "cmake_install.cmake": "",
    },
    "pom.xml": {
        "pom.xml": "<project><mainClass>org.four.Play</mainClass></project>\n",
        "mvnw": "#!/bin/sh\n",
        ".mvn/wrapper/maven-wrapper.jar": "PK",
        "src/main/java/org/four/Play.java": "package org.four;\n" + JAVA,
        "src/main/resources/line.txt": '{"move":0}\n',
        "src/test/java/org/four/PlayTest.java": "import org.junit.Test;\n",
    },
    "package.json": {
        "package.json": '{"main": "bot.js", "dependencies": {"answers": "1"}}',
        "bot.js": 'const { line } = require("answers");\n'
        'require("readline").createInterface({ input: process.stdin }).on("line", line);\n',
        "node_modules/answers/index.js": "exports.line = (text) => "
        'text.includes("grid") && console.log(\'{"move":0}\');\n',
    },
    "notebook": {
        "My bot.ipynb": NOTEBOOK + "\n",
    },
    "without a permission": {
        "bot": "#!/bin/sh\nwhile read -r line; do echo '{\"move\":0}'; done\n"
    },
    "kaggle": {"four.py": "def agent(obs, config):\n    return 0\n"},
}
"""Files of a submission for each language: names of examples or texts."""
PROGRAMS = {
    "Makefile": ("make", "cc"), "Cargo.toml": ("cargo",), "go.mod": ("go",), "kaggle": (),
    "CMakeLists.txt": ("cmake", "c++"), "pom.xml": ("javac",), "package.json": ("node",),
    "notebook": (), "without a permission": (),
}  # fmt: skip
CASES = [
    *(pytest.param(name, True, marks=needs_sandbox) for name in FILES),
    *sampled([(name, False) for name in FILES], [("Python", False), ("C", False)]),
]
"""Languages, and whether their bots run in the sandbox, as those of students do."""
RARE = {"TypeScript", "Kotlin"}
"""Languages that are tried only where their compilers are."""


def text_of(content: str) -> str:
    """Return a text, or the content of the example with this name, with line ends of Windows."""
    path = EXAMPLES / content
    if content and "\n" not in content and path.is_file():
        return "\ufeff" + path.read_text(encoding="utf-8").replace("\n", "\r\n")
    return content


def answer_of(bot: BotSpec) -> str:
    """Return the first line that a bot answers to the empty board."""
    with start_process(bot, bot.command, bot.sandbox_settings()) as process:
        os.write(process.stdin, f"{Board().precept(0.1)}\n".encode())
        os.set_blocking(process.stdout, True)
        with open(process.stdout, closefd=False, encoding="utf-8") as output:
            return output.readline().strip()


@pytest.mark.parametrize(("name", "sandboxed"), CASES)
def test_bot_is_compiled_and_answers(tmp_path, name, sandboxed):
    """A bot in each language answers a line, although it has a byte order mark and CR LF."""
    programs = {language.name: language.programs for language in LANGUAGES} | PROGRAMS
    if name in RARE and not all(map(program_here, programs[name])):
        pytest.skip("its compiler is rare")
    need(*(names.split("|")[0] for names in programs[name]))
    files = {path: text_of(content) for path, content in FILES[name].items()}
    submission(tmp_path / "files", files)
    if name == "without a permission":
        (tmp_path / "files" / "bot").chmod(0o644)
    working_copy(tmp_path / "files", tmp_path / "build")
    start, *_ = find_starts(tmp_path / "build")
    python = make_environment(tmp_path, ClassSettings(), tmp_path)
    compiled = compile_start(start, tmp_path / "build", python, sandboxed=sandboxed, seconds=600)
    assert compiled.passed, compiled.messages
    bot = spec_of(start, name, tmp_path / "build", python, sandboxed=sandboxed)
    assert re.fullmatch(r'\{"move": ?[0-6]\}', answer_of(bot))


def test_every_language_has_a_test():
    """Each row of the table is tested above, and has a name of its own and endings of its own."""
    assert {language.name for language in LANGUAGES} <= FILES.keys()
    endings = [ending for language in LANGUAGES for ending in language.endings]
    assert len(endings) == len(set(endings))
