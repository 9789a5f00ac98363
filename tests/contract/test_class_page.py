"""The guide for instructors shows all languages, and files for cron and systemd that work."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from c4_referee.bots.languages import LANGUAGES, PROGRAM, Language
from c4_referee.cli import parser

PAGE = Path(__file__).parents[2] / "docs" / "class.md"
MARK = " writes this table -->\n"
WORDS = {
    "{main}": "MAIN",
    "{class}": "CLASS",
    "{stem}": "MAIN",
    "{program}": PROGRAM,
    "{sources}": "SOURCES",
    "{beside}": "SOURCES",
}
FILE = re.compile(r"save\s+this\s+as\s+`(class\.\w+)`.*?```\w+\n(.*?)```", re.DOTALL)
FILES = dict(FILE.findall(PAGE.read_text(encoding="utf-8")))
INSTALLED = "/home/arena/c4-arena/.venv/bin"


def row(language: Language) -> str:
    """Return the row of a language."""
    cells = (
        language.name,
        " ".join(f"`{ending}`" for ending in language.endings),
        _command(language.compiler),
        _command(language.run),
    )
    return f"| {' | '.join(cells)} |\n"


def _command(line: str) -> str:
    program, _, words = line.partition(" ")
    text = f"{program.split('|')[0]} {words}".strip()
    for placeholder, shown in WORDS.items():
        text = text.replace(placeholder, shown)
    return text and f"`{text}`"


def test_table_has_every_language(golden):
    """The table at the end of the page is that of ``languages.py``."""
    before, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    table = "| Language | Files | Compiled with | Started with |\n"
    table += f"{'| --- ' * 4}|\n{''.join(map(row, LANGUAGES))}"
    golden(PAGE, f"{before}{mark}{table}")


def check_command(line: str) -> None:
    """Check that a line of bash is correct, and that it runs our command with known options."""
    subprocess.run(["bash", "-n", "-c", line], check=True)
    words = shlex.split(line.partition(">>")[0].rpartition("&&")[2])
    assert words[:2] == ["c4-referee", "class"]
    parser().parse_args(words[1:])


def test_file_for_cron_is_correct():
    """It has a search path with the installed programs, and a time and a command."""
    setting, line = FILES["class.cron"].splitlines()
    assert setting.startswith(f"PATH={INSTALLED}:/usr/local/bin:")
    time, command = line.split(" ", 5)[:5], line.split(" ", 5)[5]
    assert time == ["0", "2", "*", "*", "*"]
    assert "%" not in command  # cron makes a line end of it
    check_command(command)


def test_files_for_systemd_are_correct(tmp_path):
    """The command is correct, and systemd has nothing to say about the files if it is here."""
    service = FILES["class.service"]
    check_command(re.search(r"^ExecStart=.*/(.*)$", service, re.MULTILINE)[1])
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    scripts = Path(sys.executable).parent
    for name in ("class.service", "class.timer"):
        text = FILES[name].replace(f"ExecStart={INSTALLED}", f"ExecStart={scripts}")
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", *sorted(tmp_path.iterdir())],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, re.findall(r".*\bclass\..*", done.stderr)) == (0, [])
