"""TOML files of users: how they are read, and errors of one line."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.toml import check_system_texts, checked_values, read_toml
from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A required and an optional setting."""

    model_config = ConfigDict(extra="forbid")
    rounds: int
    openings: str = ""


def problem(values: dict[str, object], **options: object) -> str:
    """Return the error message for wrong values."""
    with pytest.raises(UsageError) as refused:
        checked_values(Settings, values, "cup.toml", **options)
    return str(refused.value)


def test_file_may_begin_with_a_byte_order_mark(tmp_path):
    """A file may begin with a byte order mark, as editors on Windows write it."""
    file = tmp_path / "cup.toml"
    file.write_bytes('\ufeffname = "ä"\n'.encode())
    assert read_toml(file, "the tournament") == {"name": "ä"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name = cup", "Invalid value .*: put a text in quotes"),
        (b'name = "cup', "cannot read the tournament of "),
        (b"\xff\xfe", "cannot read the tournament of .*: it is not UTF-8 text: "),
        (b"a = " + b"[" * 3000, "too many nested brackets"),
        (None, "there is no file "),
        ("folder", "Is a directory"),
    ],
)
def test_file_that_cannot_be_read_is_named(tmp_path, content, reason):
    """A file that cannot be read is named in the error, together with its purpose."""
    file = tmp_path / "cup.toml"
    if content == "folder":
        file.mkdir()
    elif content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=reason) as refused:
        read_toml(file, "the tournament")
    assert str(file) in str(refused.value)


def test_unknown_key_comes_before_other_problems():
    """An unknown key is reported before other problems, because it often causes them."""
    assert problem({"runds": 3}) == "cup.toml: runds: no such key: did you mean rounds?"
    assert problem({"rounds": 1, "colour": 3}, root="match") == (
        "cup.toml: match.colour: no such key: the keys are rounds, openings"
    )
    hints = {"games": "say rounds: each has two games"}
    assert problem({"Games": 3}, hints=hints) == (
        "cup.toml: Games: no such key: say rounds: each has two games"
    )


def test_wrong_value_is_named_with_its_place():
    """A wrong value is reported with its table and its key."""
    assert problem({"rounds": "many"}, root="match").startswith("cup.toml: match.rounds: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("b\0", "there is a NUL character in it"),
        ("\ud800", r"this system cannot encode '\\ud800' as utf-8: "),
    ],
)
def test_text_that_the_system_cannot_take_is_refused(text, reason):
    """No path and no argument can have a NUL, or a lone surrogate, which stands for no byte."""
    check_system_texts("a", "")
    with pytest.raises(ValueError, match=reason):
        check_system_texts("a", text)
