"""Each line that docs/PROTOCOL.md shows for a language sends its answer at once.

The tests put every line into a program of its language and run it as a child process, whose input
stays open. A language whose tools are not installed is skipped.
"""

import json
import os
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from effort import one_in

PAGE = (Path(__file__).parent.parent.parent / "docs" / "PROTOCOL.md").read_text(encoding="utf-8")
SECTION = re.search(r"\n## Flushing\n(.*?)\n## ", PAGE, re.DOTALL)[1]
SHOWN = dict(re.findall(r"^\| ([^|]+) \| `(.+)` \|$", SECTION, re.MULTILINE))
PATIENCE = 60
"""Maximum seconds to wait for an answer that should come."""
IMPATIENCE = 2
"""Seconds to wait for an answer that should not come."""


class Language(NamedTuple):
    """How to build and start a program. ``@`` marks the place of the shown line.

    The first word of each command is the tool that it needs.
    """

    file: str
    program: str
    run: list[str]
    build: list[str] | None = None

    @property
    def tools(self) -> list[str]:
        """The programs that have to be installed."""
        return [words[0] for words in (self.build, self.run) if words and "/" not in words[0]]


JAVA = """\
import java.util.*;
class Bot {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) { input.nextLine(); int column = 3; @ }
    }
}
"""
C = """\
#include <stdio.h>
int main(void) {
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) { int column = 3; @ }
}
"""
CPP = """\
#include <iostream>
#include <string>
int main() {
    for (std::string line; std::getline(std::cin, line);) { int column = 3; @ }
}
"""
C_SHARP = """\
using System;
class Bot {
    static void Main() {
        while (Console.ReadLine() != null) { int column = 3; @ }
    }
}
"""
RUST = """\
use std::io::{BufRead, Write};
fn main() {
    for _ in std::io::stdin().lock().lines() { let column = 3; @ }
}
"""
GO = """\
package main
import ("bufio"; "fmt"; "os")
func main() {
    for input := bufio.NewScanner(os.Stdin); input.Scan(); { column := 3; @ }
}
"""
NODE = """\
const readline = require("node:readline");
readline.createInterface({ input: process.stdin }).on("line", () => { const column = 3; @ });
"""

LANGUAGES = {
    "Python": Language(
        "bot.py", "import json, sys\nfor line in sys.stdin:\n    column = 3\n    @\n",
        [sys.executable, "bot.py"],
    ),
    "JavaScript (Node)": Language("bot.js", NODE, ["node", "bot.js"]),
    "Java": Language("Bot.java", JAVA, ["java", "-cp", ".", "Bot"], ["javac", "Bot.java"]),
    "C": Language("bot.c", C, ["./bot"], ["gcc", "-o", "bot", "bot.c"]),
    "C++": Language("bot.cpp", CPP, ["./bot"], ["g++", "-o", "bot", "bot.cpp"]),
    "C#": Language("bot.cs", C_SHARP, ["mono", "bot.exe"], ["mcs", "bot.cs"]),
    "Rust": Language("bot.rs", RUST, ["./bot"], ["rustc", "bot.rs"]),
    "Go": Language("bot.go", GO, ["./bot"], ["go", "build", "-o", "bot", "bot.go"]),
    "Perl": Language("bot.pl", "while (<STDIN>) { my $column = 3; @ }", ["perl", "bot.pl"]),
    "Shell": Language(
        "bot.sh", "while IFS= read -r line; do column=3; @; done", ["sh", "bot.sh"]
    ),
    "awk": Language("bot.awk", "{ column = 3; @ }", ["awk", "-f", "bot.awk"]),
}  # fmt: skip
WITHOUT_FLUSH = {"Python": ", flush=True", "C": " fflush(stdout);", "Perl": " STDOUT->flush();"}
"""Text to remove from a line so that its answer stays in a buffer."""


@contextmanager
def bot(name: str, line: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Build and start a program that answers each line of its input with the given code."""
    language = LANGUAGES[name]
    for tool in language.tools:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    (folder / language.file).write_text(language.program.replace("@", line), encoding="utf-8")
    if language.build:
        built = subprocess.run(language.build, cwd=folder, capture_output=True, check=False)
        assert built.returncode == 0, built.stderr.decode()
    command = language.run
    if name == "awk" and is_mawk():
        command = ["mawk", "-W", "interactive", *command[1:]]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, cwd=folder, env=buffered, **pipes) as child:
        try:
            yield child
        finally:
            child.stdin.close()
            if child.poll() is None:
                child.wait(PATIENCE)


def is_mawk() -> bool:
    """Return whether awk is mawk, which also buffers its input."""
    return "mawk" in Path(shutil.which("awk") or "").resolve().name


def answer(child: subprocess.Popen[bytes], seconds: float) -> object:
    """Send a precept, leave the input open, and return the answer, or ``None`` if none comes."""
    child.stdin.write(b'{"grid":[[0,0],[0,0]]}\n')
    child.stdin.flush()
    ready, _, _ = select.select([child.stdout], [], [], seconds)
    return json.loads(child.stdout.readline()) if ready else None


def test_every_language_of_the_page_is_tested():
    """The page shows a line for exactly the languages that are tested."""
    assert set(SHOWN) == set(LANGUAGES)


@pytest.mark.parametrize("name", one_in(3, SHOWN))
def test_shown_line_sends_its_answer_at_once(name, tmp_path):
    """Two answers in a row arrive while the input of the program stays open."""
    with bot(name, SHOWN[name], tmp_path) as child:
        assert [answer(child, PATIENCE) for _ in range(2)] == [{"move": 3}] * 2


@pytest.mark.parametrize("name", one_in(3, WITHOUT_FLUSH))
def test_answer_without_flush_does_not_arrive(name, tmp_path):
    """A line without its flush sends no answer, so that the test above can fail."""
    assert WITHOUT_FLUSH[name] in SHOWN[name]
    with bot(name, SHOWN[name].replace(WITHOUT_FLUSH[name], ""), tmp_path) as child:
        assert answer(child, IMPATIENCE) is None
