"""The manual pages of the commands are up to date and readable."""

import shutil
import subprocess
from pathlib import Path

import manual
import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "man"


@pytest.mark.parametrize("command", manual.COMMANDS)
def test_page_is_what_the_parser_says(command, golden):
    """A manual page is what the parser says. ``pytest --refresh-golden`` rewrites it."""
    golden(FOLDER / f"{command}.1", manual.page(command))


@pytest.mark.parametrize("command", manual.COMMANDS)
def test_page_does_not_depend_on_terminal_or_date(command, monkeypatch):
    """A manual page depends neither on the width of the terminal nor on the date."""
    first = manual.page(command)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert manual.page(command) == first


@pytest.mark.parametrize("command", manual.COMMANDS)
@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_page_is_set_without_a_warning(command):
    """Groff sets a page without a warning, and the page has all usual sections."""
    shown = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-P-c", "-P-b", "-P-u", FOLDER / f"{command}.1"],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert shown.stderr == ""
    for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS"):
        assert f"\n{title}\n" in shown.stdout
    assert "POSITIONAL ARGUMENTS\n   " not in shown.stdout


def test_every_installed_command_has_a_page():
    """Every installed command has a manual page."""
    from importlib.metadata import distribution

    scripts = {
        point.name
        for point in distribution("c4-arena").entry_points
        if point.group == "console_scripts"
    }
    assert {path.stem for path in FOLDER.iterdir()} == scripts == set(manual.COMMANDS)


def test_text_means_nothing_to_groff():
    """Backslashes, hyphens, and leading dots and quotes are escaped for groff."""
    assert manual.escaped(r".a\b-c") == r"\&.a\eb\-c"
    assert manual.escaped("'quoted'") == r"\&'quoted'"
