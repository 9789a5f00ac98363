"""``.ci/check_release.py`` and the version, the changelog and the tag of a release."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEW = "## [0.2.0] - 2026-12-01\n\n### Added\n\n- A board.\n\n"
OLD = "## [0.1.0] - 2026-11-22\n\n- A bot.\n"
LINE = "pipx install c4-arena\n"
PAGES = {
    "pyproject.toml": '[project]\nversion = "0.2.0"\n',
    "README.md": f"# c4-arena\n\n{LINE}",
    "docs/front.md": LINE,
    "docs/release.md": "".join(
        f"<!-- lines of {page} -->\n```md\n{LINE}```\n" for page in ("README.md", "docs/front.md")
    ),
}


script = runpy.run_path(str(ROOT / ".ci/check_release.py"))
main, QUOTED = script["main"], script["QUOTED"]


@pytest.fixture
def check(monkeypatch, capsys):
    """Return a function that runs the script, and returns its exit code, output and errors."""

    def check(folder, *tag):
        monkeypatch.chdir(folder)
        monkeypatch.setattr("sys.argv", ["check_release.py", *tag])
        return main(), *capsys.readouterr()

    return check


@pytest.fixture
def project(tmp_path):
    """Return a function that writes a changelog beside a project of version 0.2.0."""
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text)

    def write(changelog):
        (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog}")
        return tmp_path

    return write


def test_this_version_can_become_a_release(check):
    """The version and the changelog of this project agree."""
    assert check(ROOT)[::2] == (0, "")


def test_notes_are_the_section_of_the_version(project, check):
    """If all agree, the text of the section is printed, without its heading."""
    assert check(project(NEW + OLD), "v0.2.0") == (0, "### Added\n\n- A board.\n", "")


def test_section_needs_a_date_only_for_a_tag(project, check):
    """A section may be "Unreleased" until its version gets a tag."""
    folder = project(NEW.replace("2026-12-01", "Unreleased") + OLD)
    assert check(folder)[0] == 0
    assert "0.2.0 needs a date instead of 'Unreleased'" in check(folder, "v0.2.0")[2]


@pytest.mark.parametrize(
    ("page", "old", "new", "problem"),
    [
        ("README.md", LINE, "pipx\n", "README.md lacks a line that docs/release.md quotes: pipx"),
        ("docs/front.md", LINE, "", "docs/front.md lacks a line that docs/release.md quotes: pipx"),
        (
            "docs/release.md",
            "lines of docs/",
            "",
            "docs/release.md quotes no lines of docs/front.md",
        ),
        (
            "pyproject.toml",
            "0.2.0",
            '0.2.0"\nurl = "OWNER/c4-arena',
            "replace OWNER by the account",
        ),
    ],
)
def test_tag_needs_what_a_maintainer_fills_in(project, check, page, old, new, problem):
    """Without a line of the first release, or with a placeholder, only a tag is refused."""
    folder = project(NEW + OLD)
    (folder / page).write_text(PAGES[page].replace(old, new))
    assert check(folder)[0] == 0
    code, _, errors = check(folder, "v0.2.0")
    assert code == 1
    assert problem in errors


def test_this_project_says_what_it_gets():
    """The page about releases quotes lines of the README and of the first page."""
    page = (ROOT / "docs" / "release.md").read_text(encoding="utf-8")
    assert {"README.md", "docs/front.md"} <= {name for name, lines in QUOTED.findall(page) if lines}


@pytest.mark.parametrize(
    ("changelog", "tag", "problem"),
    [
        (NEW + OLD, "v0.3.0", "the tag is v0.3.0, but the version in pyproject.toml is 0.2.0"),
        (OLD, "v0.2.0", "the first section must be '## [0.2.0] - YYYY-MM-DD'"),
        (NEW.replace("12-01", "02-30"), "v0.2.0", "0.2.0 needs a date instead of '2026-02-30'"),
        (
            NEW.replace("- A board.", ""),
            "v0.2.0",
            "the section 0.2.0, or a heading in it, is empty",
        ),
        (NEW + "## Older\n", "v0.2.0", "a heading does not have the form"),
        (NEW + OLD + NEW.replace("2.0", "1.5"), "v0.2.0", "0.1.0 stands before 0.1.5"),
    ],
)
def test_disagreement_is_one_line(project, check, changelog, tag, problem):
    """Each disagreement is one line of standard error, and the exit code is 1."""
    code, output, errors = check(project(changelog), tag)
    assert (code, output, errors.count("\n")) == (1, "", 1)
    assert problem in errors
