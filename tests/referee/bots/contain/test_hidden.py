"""If a bot fails because the sandbox hides a file, this file is found in its error."""

from dataclasses import replace
from pathlib import Path

import pytest
from c4_referee.bots.contain.hidden import advice, hidden_path, hint_without_looking
from c4_referee.bots.contain.mounts import View


@pytest.fixture
def view(tmp_path):
    """A view of a folder in which only bot.py is visible."""
    for name in (
        "bot.py",
        "engine.py",
        "model.bin",
        "lib/rules.js",
        "ai/Deep.class",
        "node_modules/mcts/index.js",
        "book.v2.txt",
        "src/bot.go",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.touch()
    bot = tmp_path / "bot.py"
    return View(tmp_path, is_writable=False, seen=(bot,), masked=(), named=(bot,))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ModuleNotFoundError: No module named 'engine'", "engine.py"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'model.bin'", "model.bin"),
        ("Error: Cannot find module './lib/rules'", "lib/rules.js"),
        ("bot: lib/rules.js: cannot open", "lib/rules.js"),
        ("bwrap: execvp engine.py: No such file or directory", "engine.py"),
        ("Error: Could not find or load main class ai.Deep", "ai/Deep.class"),
        ("Caused by: java.lang.ClassNotFoundException: ai.Deep", "ai/Deep.class"),
        ("java.lang.NoClassDefFoundError: ai/Deep", "ai/Deep.class"),
        ("Error: Cannot find module 'mcts'", "node_modules/mcts"),
        ("missing opening book book.v2.txt!", "book.v2.txt"),
        ("could not load weights: open model.bin: no such file or directory", "model.bin"),
        ("cat: \u2018model.bin\u2019: no such file", "model.bin"),
    ],
)
def test_hidden_file_is_found(view, text, name):
    """The file or module that the last error names is found."""
    assert hidden_path(f"warming up\n{text}\n", view) == view.folder / name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "IndexError: list index out of range",
        "No module named 'numpy'",
        "panic: index out of range\n\tsrc/bot.go:12 +0x1d",
        "Assertion failed (book.v2.txt:3)",
        "File 'bot.py', line 3",
        "cannot open '/no/such/file'",
        f"'{'x' * 5000}' '\\0' '{'/' * 200}'",
        "'model.bin'" + "\n" * 30 + "the end",
    ],
)
def test_other_errors_name_nothing(view, text):
    """Visible files, missing files, and earlier lines are no cause."""
    assert hidden_path(text, view) is None


def test_absolute_path_is_found(view):
    """An absolute path is found, too."""
    path = Path(view.folder, "model.bin")
    assert hidden_path(f"cannot read {path}", view) == path


@pytest.mark.parametrize("has_folder", [True, False])
def test_hint_for_records_does_not_look_at_the_machine(view, has_folder):
    """The hint for a file that exists and for one that does not differ only in the bot's words."""
    view = replace(view, has_folder=has_folder)
    hints = []
    for name in ("model.bin", "no.bin"):
        path = str(view.folder / name)
        hints.append(hint_without_looking(f"{path}: No such file", view).replace(path, "PATH"))
    assert hints[0] == hints[1]
    assert ('set visible with visible = ["PATH"]' if has_folder else "set folder") in hints[0]


@pytest.mark.parametrize("text", ["", "IndexError: list index out of range", "a/b/c"])
def test_other_errors_give_no_hint(view, text):
    """An error that is not about a missing file has other causes."""
    refused = replace(view, refused=(Path("/opt/x"),))
    assert [hint_without_looking(text, shown) for shown in (view, refused)] == ["", ""]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/opt/py/bin/python3", "/opt/py"),
        ("/opt/py", "/opt/py"),
        ("/bin/x", "/bin/x"),
        ('/o"\x1b', r"/o\"\\x1b"),
    ],
)
def test_refused_path_is_named_with_the_line_that_shows_it(view, path, shown):
    """The hint has the line of the table, with the whole installation of a program."""
    hint = hint_without_looking("x: not found", replace(view, refused=(Path(path),)))
    assert f'visible = ["{shown}"] in its table' in hint


def test_hint_says_that_other_bots_run_in_the_folder(view):
    """A bot that misses a helper in a shared folder needs another folder, or ``visible``."""
    hint = hint_without_looking("x: not found", replace(view, is_shared=True, has_folder=False))
    assert hint.startswith("other bots run in its folder")


def test_advice_is_a_folder_or_a_visible_file(view):
    """A bot without a folder of its own can get one. With a folder, it only needs visible."""
    assert 'set folder = "DIR"' in advice(view)
    assert advice(replace(view, has_folder=True), "visible = 1").startswith("set visible = 1 under")


def test_file_in_a_folder_of_the_bot_is_found_if_it_is_missing(view):
    """A module may be in a folder that a search path names."""
    module = view.folder / "src" / "search.py"
    module.touch()
    assert hidden_path("No module named 'search'", view) == module
    assert hidden_path("KeyError: 'search'", view) is None
