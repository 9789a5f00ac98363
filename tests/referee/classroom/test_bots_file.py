"""The file bots.toml, which the program and the instructor write."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.find import read_bots
from c4_referee.classroom.bots_file import BotsFile

FOUND = {"command": "python3 player.py", "cwd": "/class/1"}
NEXT = {"command": "python3 main.py", "cwd": "/class/2", "arguments": "course"}


def written(folder, found=FOUND, before=None):
    """Write what was found for a bot, and return the text of the file."""
    bots = BotsFile(folder)
    bots.put("amber-otter", "Ada, version 1", found, before or {})
    bots.save()
    return (folder / "bots.toml").read_text(encoding="utf-8")


def test_file_is_a_file_of_bots(tmp_path):
    """Other commands can read it."""
    written(tmp_path)
    bot = read_bots(str(tmp_path / "bots.toml"))["amber-otter"]
    assert (bot.command, bot.cwd) == (("python3", "player.py"), "/class/1")


def test_what_was_found_replaces_what_was_found_before(tmp_path):
    """Without edits, a new version has its own table."""
    written(tmp_path)
    written(tmp_path, NEXT, FOUND)
    assert BotsFile(tmp_path).table_of("amber-otter") == NEXT


def test_edits_and_comments_are_kept(tmp_path):
    """A key that was changed, added or removed stays so, and so does a comment."""
    text = written(tmp_path).replace('"python3 player.py"', '"pypy3 player.py"  # faster')
    (tmp_path / "bots.toml").write_text(text + "time_ms = 100\n", encoding="utf-8")
    bots = BotsFile(tmp_path)
    assert bots.edited("amber-otter", FOUND) == {"command": "pypy3 player.py", "time_ms": 100}
    text = written(tmp_path, NEXT, FOUND)
    table = BotsFile(tmp_path).table_of("amber-otter")
    assert table == NEXT | {"command": "pypy3 player.py", "time_ms": 100}
    assert "# faster" in text
    removed = "\n".join(line for line in text.splitlines() if "arguments" not in line)
    (tmp_path / "bots.toml").write_text(removed, encoding="utf-8")
    written(tmp_path, NEXT, NEXT)
    assert "arguments" not in BotsFile(tmp_path).table_of("amber-otter")


def test_run_that_was_killed_after_writing_leaves_no_edit(tmp_path):
    """If the table was written but not noted, it does not count as an edit."""
    written(tmp_path)
    written(tmp_path, NEXT, FOUND)
    written(tmp_path, NEXT, FOUND)
    last = {"command": "sh run.sh", "cwd": "/class/3"}
    written(tmp_path, last, NEXT)
    assert BotsFile(tmp_path).table_of("amber-otter") == last


def test_name_with_a_line_break_stays_in_its_comment(tmp_path):
    """A student's name can hold any character."""
    bots = BotsFile(tmp_path)
    bots.put("amber-otter", "Ada\n[bots.x]\ud800", FOUND, {})
    bots.save()
    assert BotsFile(tmp_path).table_of("amber-otter") == FOUND


def test_main_program_is_the_choice_of_the_instructor(tmp_path):
    """The table main names one program of a submission."""
    text = written(tmp_path).replace("\n[main]\n", '\n[main]\namber-otter = "player.py"\n')
    (tmp_path / "bots.toml").write_text(text, encoding="utf-8")
    assert BotsFile(tmp_path).main_of("amber-otter") == "player.py"
    assert BotsFile(tmp_path).main_of("bold-newt") == ""


@pytest.mark.parametrize("text", ["[main", "main = 1", "[main]\nx = 3", "bots = 1", "bots.x = 1"])
def test_wrong_file_is_named(tmp_path, text):
    """An error is one line with the name of the file."""
    (tmp_path / "bots.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        _read_all(tmp_path)
    assert "bots.toml" in str(error.value)
    assert "\n" not in str(error.value)


def _read_all(folder):
    bots = BotsFile(folder)
    bots.main_of("x")
    bots.table_of("x")


def test_key_written_twice_is_told(tmp_path):
    """An instructor can add a key that is there already."""
    (tmp_path / "bots.toml").write_text('[main]\na = "b"\na = "c"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"cannot read .*bots\.toml"):
        BotsFile(tmp_path)
