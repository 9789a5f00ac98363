"""If a bot fails because the sandbox hides a file, this file is found in its error."""

from pathlib import Path

import pytest
from c4_referee.bots.hidden import hidden_path
from c4_referee.bots.mounts import View


@pytest.fixture
def view(tmp_path):
    """A view of a folder in which only bot.py is visible."""
    for name in ("bot.py", "engine.py", "model.bin", "lib/rules.js"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return View(tmp_path, is_writable=False, seen=(tmp_path / "bot.py",), masked=())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ModuleNotFoundError: No module named 'engine'", "engine.py"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'model.bin'", "model.bin"),
        ("Error: Cannot find module './lib/rules'", "lib/rules.js"),
        ("bot: lib/rules.js: cannot open", "lib/rules.js"),
        ("bwrap: execvp engine.py: No such file or directory", "engine.py"),
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
