"""The rules that find how a submission starts, in their order."""

import pytest
from c4_referee.bots import languages
from c4_referee.classroom.submissions import time_limit
from c4_referee.classroom.submissions.start import NoStart
from c4_referee.classroom.submissions.start_rules import find_starts
from submitted import READS, need, submission

GO = "package main\nfunc main() {}\n"
CRATE = '[package]\nname = "four"\nversion = "1.0.0"\n'
ALL = {
    "bot.toml": 'command = "python3 bot.py"\n',
    "run.sh": "exec python3 bot.py\n",
    "CMakeLists.txt": "project(four)\n",
    "Makefile": "bot:\n",
    "Cargo.toml": CRATE,
    "go.mod": "module four\n",
    "package.json": '{"main": "bot.js"}',
    "bot.js": "process.stdin\n",
    "bot.py": READS,
    "main.go": GO,
    "play": "#!/bin/sh\n",
}
"""A submission that all rules fit, in their order."""


def find_start(folder, main=""):
    """Return the likeliest start of a submission."""
    return find_starts(folder, main)[0]


def test_rules_find_candidates_in_their_order(tmp_path):
    """The rules find starts in the order in which they are documented, sources before programs."""
    need("cmake", "make", "cargo", "go", "node")
    submission(tmp_path, ALL)
    decided = []
    for name in [name for name in ALL if not name.startswith("bot.j")][:7]:
        decided.append(find_start(tmp_path).because)
        (tmp_path / name).unlink()
    assert decided == list(ALL)[:7]
    for name in ("bot.js", "main.go"):
        (tmp_path / name).unlink()
    found = [start.because for start in find_starts(tmp_path)]
    assert found == ["main program bot.py", "executable file play"]


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


def test_executables_come_after_sources_and_wrappers_never(tmp_path):
    """Libraries, sources, wrappers and other files are no executables, and there may be several."""
    files = {"bot.py": "#!/usr/bin/python3\n" + READS, "lib.so": "#!x", "data": "1"}
    submission(tmp_path, files | {"gradlew": "#!x", "mvnw": "#!x"})
    (tmp_path / "data").chmod(0o755)
    assert [start.because for start in find_starts(tmp_path)] == ["main program bot.py"]
    submission(tmp_path, dict.fromkeys(("a", "b", "c", "d"), "#!x"))
    commands = [start.command[-1] for start in find_starts(tmp_path)]
    assert commands == ["bot.py", "./a", "./b"]
    (tmp_path / "bot.py").unlink()
    assert find_start(tmp_path).command == ("./a",)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "it is empty: hand in the source files of your bot"),
        ({"bot.py": ""}, "its sources are empty: hand in the source files of your bot"),
        ({"report.pdf": ""}, "that Linux can start, only report.pdf: documents do not play: hand"),
        ({"a/report.pdf": "", "a/\x1bx.doc": "", "bot.zip": ""}, r"only \x1bx.doc, report.pdf"),
        ({f"{number}.hs": "" for number in range(7)}, "2.hs, 3.hs, 4.hs and 2 more: no known"),
        ({"bot.exe": "MZ", "report.pdf": ""}, "programs for Windows do not run on Linux"),
        ({"play.bat": "", "Bot.class": ""}, "programs for Windows do not run on Linux"),
        ({"Bot.jar": "PK", "notes.md": ""}, "only Bot.jar, notes.md: a compiler has made them"),
        ({"bot.ipynb": "{", "a.png": ""}, "no program in Python can be read in the notebook"),
        ({"bot.url": ""}, "only bot.url: this is a link only"),
        ({"in/deep.rar": "", "b.7z": ""}, "pack the files themselves as one zip"),
        ({"a.py": "x = 1\n", "b.py": "x = 1\n"}, "none of them is a main program"),
    ],
)
def test_nothing_to_start_says_what_is_there_and_what_to_do(tmp_path, files, reason):
    """Without a program, the reason names the files that are there, and the next step."""
    with pytest.raises(NoStart) as raised:
        find_starts(submission(tmp_path, files))
    assert reason in str(raised.value)


def test_program_for_macos_is_told(tmp_path):
    """A program that was compiled on macOS is named as such."""
    (tmp_path / "bot").write_bytes(b"\xcf\xfa\xed\xfe\x07")
    with pytest.raises(NoStart, match="only bot: programs for macOS do not run on Linux"):
        find_starts(tmp_path)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pom.xml", "<build><mainClass>org.four.Play</mainClass></build>"),
        ("build.gradle", "application {\n    mainClass = 'org.four.Play'\n}"),
        ("build.gradle.kts", 'application { mainClass.set("org.four.Play") }'),
        ("src/META-INF/MANIFEST.MF", "Main-Class: org.four.Play\n"),
    ],
)
def test_build_files_of_java_name_the_main_class(tmp_path, path, text):
    """Of several main programs, the one is started that a build file names."""
    need("java")
    java = "package org.four;\nclass %s { public static void main(String[] a) { %s.in.read(); } }"
    names = {"Guess": "Play", "Play": "System", "Other": "System", "PlayTest": "System"}
    files = {f"src/main/java/org/four/{key}.java": java % (key, names[key]) for key in names}
    more = {path: text, "gradlew": "#!x", "module-info.java": "module x {}"}
    (start,) = find_starts(submission(tmp_path, files | more))
    assert start.command[-1] == "org.four.Play"
    assert [word[-10:] for word in start.compiles[0] if word.endswith(".java")] == ["/Play.java"]


def test_package_that_was_not_handed_in_is_named(tmp_path):
    """A program that needs a package starts if node_modules was handed in, or else says so."""
    need("node")
    package = '{"dependencies": {"lodash": "4", "unused": "1"}}'
    files = {"package.json": package, "index.js": 'require("lodash"); process.stdin'}
    with pytest.raises(NoStart, match=r"index\.js needs the package lodash, and nothing is"):
        find_starts(submission(tmp_path, files))
    submission(tmp_path, {"node_modules/lodash/index.js": "process.stdin"})
    assert [start.command[-1] for start in find_starts(tmp_path)] == ["index.js"]


@pytest.mark.parametrize("main", ["x" * 300, "x\\u0000y", "../bot.js"])
def test_package_names_no_odd_path(tmp_path, main):
    """A path that is too long, holds a zero or leads outside is as good as none."""
    need("node")
    files = {"in/package.json": f'{{"main": "{main}"}}', "in/a.js": "process.stdin", "bot.js": "1"}
    assert find_start(submission(tmp_path, files) / "in").because == "main program a.js"


def test_language_without_its_compiler_leaves_the_others(tmp_path, monkeypatch):
    """A program beside its source in TypeScript is started if this machine has no compiler."""
    need("node")
    monkeypatch.setattr(languages, "program_here", lambda names: None if names == "tsc" else names)
    monkeypatch.setattr(
        "c4_referee.classroom.submissions.start.program_here", languages.program_here
    )
    files = {"four.ts": "process.stdin", "four.js": "process.stdin"}
    assert [start.main for start in find_starts(submission(tmp_path, files))] == ["four.js"]


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


# The signal may come in a callback of the garbage collector, where Python ignores exceptions.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.timeout(300)
def test_search_for_the_main_program_has_a_limit_of_time(tmp_path, monkeypatch):
    """Sources that have to be compared with each other are too many when the time is over."""
    need("cc")
    monkeypatch.setattr(time_limit, "STEP_SECONDS", 0.1)
    text = "int main(void) {}\n" + '#include "x.h"\n' * 3_000
    submission(tmp_path, {"a.c": text + "getchar"} | {f"b{n}.c": text[18:] for n in range(300)})
    with pytest.raises(NoStart, match=r"^it takes more than 0\.1 s to read"):
        find_start(tmp_path)
