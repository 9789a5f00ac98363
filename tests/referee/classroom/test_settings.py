"""The settings of a class."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.settings import TEMPLATE, ClassSettings, read_settings


def test_template_has_every_setting_with_its_default(tmp_path):
    """The file of the first run means what the defaults mean, and names all keys."""
    settings = read_settings(tmp_path)
    assert settings == ClassSettings()
    commented = {"rounds", "staff"}
    lines = [line for line in TEMPLATE.splitlines() if " = " in line and not line.startswith("#")]
    assert {line.split(" = ")[0] for line in lines} == {*ClassSettings.model_fields} - commented


def test_file_of_the_instructor_is_read_and_never_overwritten(tmp_path):
    """What an instructor writes counts."""
    path = tmp_path / "class.toml"
    text = 'minutes = 5\nsystem = "swiss"\n[staff]\nmark = "c4-bot --level 3"\n'
    path.write_text(text, encoding="utf-8")
    settings = read_settings(tmp_path)
    assert (settings.minutes, settings.system) == (5, "swiss")
    assert settings.staff == {"mark": "c4-bot --level 3"}
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("minutes = 0", "minutes"),
        ('system = "chess"', "chess"),
        ('minute = "5"', "did you mean minutes"),
        ('on_failure = "drop"', "on_failure"),
        ('variant = "chess"', "variant"),
    ],
)
def test_wrong_setting_is_named(tmp_path, line, words):
    """An error names the file and the key."""
    (tmp_path / "class.toml").write_text(line, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        read_settings(tmp_path)
    assert words in str(error.value)
    assert "class.toml" in str(error.value)
    assert "\n" not in str(error.value)
