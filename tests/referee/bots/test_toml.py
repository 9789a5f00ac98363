"""TOML files that users write: what is read, and the one line that says what is wrong."""

import pytest
from c4_protocol.errors import UsageError
from c4_referee.bots.toml import check_no_nul, checked, read_toml
from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Two settings, of which one is required."""

    model_config = ConfigDict(extra="forbid")
    rounds: int
    openings: str = ""


def problem(values: dict[str, object], **options: object) -> str:
    """Return the message about values that are wrong."""
    with pytest.raises(UsageError) as refused:
        checked(Settings, values, "cup.toml", **options)
    return str(refused.value)


def test_file_may_begin_with_a_byte_order_mark(tmp_path):
    """Editors on Windows write one."""
    file = tmp_path / "cup.toml"
    file.write_bytes('\ufeffname = "ä"\n'.encode())
    assert read_toml(file, "the tournament") == {"name": "ä"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name = cup", "Invalid value .*: put a text in quotes"),
        (b'name = "cup', "cannot read the tournament of "),
        (b"\xff\xfe", "cannot read the tournament of .*: "),
        (None, "there is no file "),
    ],
)
def test_file_that_cannot_be_read_is_named(tmp_path, content, reason):
    """The message says what the file is for."""
    file = tmp_path / "cup.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=reason) as refused:
        read_toml(file, "the tournament")
    assert str(file) in str(refused.value)


def test_folder_is_no_file(tmp_path):
    """The system's own words are in the message."""
    with pytest.raises(UsageError, match="Is a directory"):
        read_toml(tmp_path, "the tournament")


def test_values_become_a_model():
    """Those that are not given have their defaults."""
    assert checked(Settings, {"rounds": 3}, "cup.toml") == Settings(rounds=3)


def test_unknown_key_comes_before_other_problems():
    """It is often the reason why another key is missing."""
    assert problem({"runds": 3}) == "cup.toml: runds: no such key: did you mean rounds?"
    assert problem({"rounds": 1, "colour": 3}, root="match") == (
        "cup.toml: match.colour: no such key: the keys are rounds, openings"
    )
    hints = {"games": "say rounds: each has two games"}
    assert problem({"Games": 3}, hints=hints) == (
        "cup.toml: Games: no such key: say rounds: each has two games"
    )


def test_wrong_value_is_named_with_its_place():
    """The key, below the table that it stands in."""
    assert problem({"rounds": "many"}, root="match").startswith("cup.toml: match.rounds: ")


def test_nul_is_refused():
    """The system allows none in a path or an argument."""
    check_no_nul("a", "")
    with pytest.raises(ValueError, match="there is a NUL character in it"):
        check_no_nul("a", "b\0")
