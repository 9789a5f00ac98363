"""Texts for students name no folder of the machine."""

from pathlib import Path

import pytest
from c4_referee.grading.paths import without_folders


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('File "/srv/class/a1/bot.py", line 3', 'File "bot.py", line 3'),
        ("/usr/bin/python3: can't open file '/tmp/x/y.py'", "python3: can't open file 'y.py'"),
        ("cannot read /srv/a:/srv/b", "cannot read a:b"),
        ("/opt/My Class/bot.py", "bot.py"),
        ("won 1/2 of 3/4 and ./src/bot.py", "won 1/2 of 3/4 and ./src/bot.py"),
    ],
)
def test_only_the_last_part_of_a_path_is_left(text, shown):
    """Absolute paths lose their folders. Other texts stay."""
    assert without_folders(text, ["/opt/My Class"]) == shown


def test_folders_of_the_user_are_left_out_with_their_blanks(tmp_path, monkeypatch):
    """The current folder and the user's may have blanks in their names."""
    here = tmp_path / "a b" / "c d"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(here.parent))
    text = f"{here / 'one.py'} {Path.home() / 'two.py'}"
    assert without_folders(text) == "one.py two.py"
