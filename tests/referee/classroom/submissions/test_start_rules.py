"""The rules that find how a submission starts, in their order."""

import pytest
from c4_referee.bots import languages
from c4_referee.classroom.submissions import time_limit
from c4_referee.classroom.submissions.start import NoStart
from c4_referee.classroom.submissions.start_rules import find_start
from submitted import READS, need, submission

GO = "package main\nfunc main() {}\n"
CRATE = '[package]\nname = "four"\nversion = "1.0.0"\n'
ALL = {
    "bot.toml": 'command = "python3 bot.py"\n',
    "run.sh": "exec python3 bot.py\n",
    "play": "#!/bin/sh\n",
    "Makefile": "bot:\n",
    "Cargo.toml": CRATE,
    "go.mod": "module four\n",
    "package.json": '{"main": "bot.js"}',
    "bot.js": "process.stdin\n",
    "bot.py": READS,
    "main.go": GO,
}
"""A submission that all rules fit, in their order."""


def test_first_rule_that_fits_decides(tmp_path):
    """The rules decide in the order in which they are documented."""
    need("make", "cargo", "go", "node")
    submission(tmp_path, ALL)
    decided = []
    for name in [name for name in ALL if not name.startswith("bot.j")][:7]:
        decided.append(find_start(tmp_path).because.removeprefix("executable file "))
        (tmp_path / name).unlink()
    assert decided == list(ALL)[:7]
    for name in ("bot.js", "main.go"):
        (tmp_path / name).unlink()
    assert find_start(tmp_path).because == "main program bot.py"


def test_table_sets_the_keys_of_a_bot(tmp_path):
    """The file bot.toml decides command, dialect, arguments and restart."""
    text = '\ufeffcommand = ["python3", "my bot.py"]\r\narguments = "course"\r\n'
    start = find_start(submission(tmp_path, {"bot.toml": text, "my bot.py": READS}))
    assert start.command == ("python3", "my bot.py")
    assert (start.arguments, start.dialect) == ("course", "jsonl")


def test_table_without_command_adds_to_what_is_found(tmp_path):
    """Without a command in bot.toml, the next rules find it."""
    files = {"bot.toml": 'restart = "never"', "bot.py": READS}
    start = find_start(submission(tmp_path, files))
    assert (start.because, start.restart) == ("main program bot.py", "never")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('command = "python3 ../bot.py"', "../bot.py is a path that leaves the submission"),
        ('command = "python3 --book=/etc/passwd"', "leaves the submission"),
        ('command = "cat ~/.ssh/id"', "leaves the submission"),
        ('command = "kaggle:../x.py"', "leaves the submission"),
        ('visible = ["/etc"]', "bot.toml: visible: it can hold only command, dialect"),
        ('restart = "often"', "bot.toml: restart"),
        ('dialect = "telepathy"', "bot.toml: dialect"),
        ("command = [1", "bot.toml cannot be read"),
        (f"command = {['python3'] + ['x'] * 200}", "command: it has more than 200 words"),
        ("#" * (16 << 10) + "\n", "bot.toml cannot be read: it is larger than 16 KiB"),
    ],
)
def test_table_is_refused_in_one_line(tmp_path, text, reason):
    """Other keys, paths outside, wrong values and missing programs are refused."""
    with pytest.raises(NoStart) as raised:
        find_start(submission(tmp_path, {"bot.toml": text, "bot.py": READS}))
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


@pytest.mark.parametrize(
    "package", ['{"scripts": {"start": "node src/x.js"}}', '{"main": "./src/x.js"}']
)
def test_package_names_its_program(tmp_path, package):
    """A package's start script or main file is started."""
    need("node")
    files = {"package.json": package, "src/x.js": "", "bot.js": "process.stdin"}
    start = find_start(submission(tmp_path, files))
    assert (start.command[-1], start.because) == ("src/x.js", "package.json")


@pytest.mark.parametrize(
    "package",
    ['{"main": "a\\u0000b"}', '{"main": "\\ud800.js"}', f'{{"main": "{"a" * 5000}"}}',
     f'{{"scripts": {{"start": "node {"a/" * 3000}"}}}}', '{"main": [1]}'],
)  # fmt: skip
def test_package_that_names_no_file_decides_nothing(tmp_path, package):
    """A text that cannot be a path is no main file, and the next rule decides."""
    need("node")
    files = {"package.json": package, "bot.js": "process.stdin"}
    assert find_start(submission(tmp_path, files)).command[-1] == "bot.js"


def test_single_folder_is_entered(tmp_path):
    """A folder that is alone but for documents is where the bot runs, at any depth."""
    files = {"report.pdf": "", "a b/README.txt": "", "a b/ж/бот.py": READS, "a b/ж/book": ""}
    start = find_start(submission(tmp_path, files))
    assert (start.folder, start.command[-1]) == ("a b/ж", "бот.py")


def test_executables_that_are_no_program_do_not_decide(tmp_path):
    """Several executables, libraries, sources and other files do not decide."""
    files = {"bot.py": "#!/usr/bin/python3\n" + READS, "lib.so": "#!x", "data": "1"}
    submission(tmp_path, files)
    (tmp_path / "data").chmod(0o755)
    assert find_start(tmp_path).because == "main program bot.py"
    submission(tmp_path, {"play": "#!x"})
    assert find_start(tmp_path).command == ("./play",)
    submission(tmp_path, {"other": "#!x"})
    assert find_start(tmp_path).because == "main program bot.py"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"report.pdf": ""}, "there is no program in it that Linux can start, only report.pdf"),
        ({"a/report.pdf": "", "a/\x1bx.doc": "", "bot.zip": ""}, r"only \x1bx.doc, report.pdf"),
        ({f"{number}.hs": "" for number in range(7)}, "only 0.hs, 1.hs, 2.hs, 3.hs, 4.hs and 2"),
        ({"bot.exe": "MZ"}, "only bot.exe"),
        ({}, "only no file"),
    ],
)
def test_nothing_to_start_says_what_is_there(tmp_path, files, reason):
    """Without a program, the reason names the files that are there."""
    with pytest.raises(NoStart) as raised:
        find_start(submission(tmp_path, files))
    assert reason in str(raised.value)


def test_named_main_decides(tmp_path):
    """The path of a main program decides, also beside other rules, and with a folder around."""
    files = {"top/run.sh": "x", "top/alpha.py": READS, "top/beta.py": READS}
    start = find_start(submission(tmp_path, files), "top/beta.py")
    assert (start.folder, start.command[-1]) == ("top", "beta.py")


@pytest.mark.parametrize(
    ("main", "reason"),
    [("gamma.py", "there is no file gamma.py"), ("../x.py", "there is"), ("a.txt", "no known")],
)
def test_named_main_must_be_a_program_of_the_submission(tmp_path, main, reason):
    """A named main program that is missing, outside or in no known language is refused."""
    submission(tmp_path, {"x.py": READS, "in/a.txt": "", "in/bot.py": READS})
    with pytest.raises(NoStart, match=reason):
        find_start(tmp_path / "in", main)


def test_missing_make_is_named(tmp_path, monkeypatch):
    """Without make, the error says that the Makefile needs it."""
    monkeypatch.setattr(languages, "search_path", lambda: str(tmp_path))
    with pytest.raises(NoStart, match=r"this machine has no make, but Makefile needs it"):
        find_start(submission(tmp_path, {"Makefile": "bot:\n"}))


@pytest.mark.timeout(60)
def test_search_for_the_main_program_has_a_limit_of_time(tmp_path, monkeypatch):
    """Sources that have to be compared with each other are too many when the time is over."""
    need("cc")
    monkeypatch.setattr(time_limit, "STEP_SECONDS", 0.1)
    text = "int main(void) {}\n" + '#include "x.h"\n' * 3_000
    submission(tmp_path, {"a.c": text + "getchar"} | {f"b{n}.c": text[18:] for n in range(300)})
    with pytest.raises(NoStart, match=r"^it takes more than 0\.1 s to read"):
        find_start(tmp_path)
