"""A class of 40 in eleven languages, from the download to the site with one command."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from c4_referee.records.storage.contests import read_contests
from classes import SNOOP, canvas_name, make_class, pack_canvas, pack_moodle, plant_secrets
from commands import SCRIPTS
from views import needs_sandbox

pytestmark = [
    pytest.mark.weekly,
    pytest.mark.timeout(1500),
    needs_sandbox,
]

SETTINGS = """\
# SECRET-of-the-instructor
time_ms = 500
minutes = 1
analysis_seconds = 20
"""
FREE = [[0, 0, 0, 0, 0, 1] if x == 6 else [1, 2, 1, 2, 1, 2] for x in range(7)]
"""A board on which only the last column is free."""
TOLD = {
    "does not compile": r"it does not compile: .*error: ';' expected",
    "waits for a person": r"What is your name\?",
    "two mains": r"attack\.py.*defence\.py",
    "endless loop": r"a loop that never ends",
    "zip bomb": r"unpacks to more than",
    "path outside": r"a path outside of its folder",
    "links to secrets": r"a link that leaves its folder",
    "banner": r"standard output is for answers only",
    "counts from 1": r"count columns from 0",
    "nothing but a PDF": r"only report\.pdf",
    "missing module": r"numpy_missing",
    "500 forks": r"processes",
}
"""What the author of each broken submission reads, as patterns."""


def run_class(download: Path, folder: Path) -> dict:
    """Run a class, and return its JSON object."""
    done = subprocess.run(
        [SCRIPTS / "c4-referee", "class", download, "--out", folder, "--json"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def texts_of(folder: Path) -> dict[Path, str]:
    """Return the texts of all files in a folder; archives are left out."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".zip")
    return {path: path.read_text(encoding="utf-8") for path in paths}


def test_snoop_tells_what_it_reads(tmp_path):
    """Without a sandbox it finds all secrets, and writes them wherever somebody may read them."""
    home, download = tmp_path / "home", tmp_path / "class" / "download"
    snoop = make_class(download, home)[-1]
    secrets = plant_secrets(home, download)
    late = [[0, 0, 0, 0, 2, 1]] * 5 + [[0, 0, 0, 0, 0, 1], [0] * 6]
    precepts = {"grid": FREE}, {"grid": late, "player": 2, "time_ms": 1000}
    lines = b"".join(json.dumps(precept).encode() + b"\n" for precept in precepts)
    command, folder = [sys.executable, "bot.py"], download / snoop.folder
    done = subprocess.run(command, cwd=folder, input=lines, capture_output=True, check=False)
    legal, illegal = map(json.loads, done.stdout.splitlines())
    assert legal["move"] == 6
    stored = (folder / "loot.txt").read_text(encoding="utf-8")
    for told in (legal["info"], illegal["move"], done.stderr.decode(), stored):
        assert not [secret for secret in secrets if secret not in told]


@pytest.fixture(params=["moodle", "canvas"])
def run(request, tmp_path):
    """Return secrets, the download of a class, its folder, and the report of its first run."""
    home, root = tmp_path / "home", tmp_path / "class"
    students = make_class(tmp_path / "plain", home)
    archive = tmp_path / f"{request.param}.zip"
    (pack_moodle if request.param == "moodle" else pack_canvas)(students, archive)
    secrets = ["SECRET-of-the-instructor", *plant_secrets(home, archive)]
    root.mkdir()
    (root / "class.toml").write_text(SETTINGS, encoding="utf-8")
    return secrets, archive, root, run_class(archive, root)


def test_class_of_40_is_run(run):
    """The 28 bots that work play, the 12 others are told why, and nothing secret is published."""
    secrets, archive, root, report = run
    students = report["students"]
    waiting = [each for each in students if each["status"] != "ready"]
    assert (len(students), len(waiting)) == (40, 12)
    for kind, pattern in TOLD.items():
        (told,) = (each for each in waiting if re.search(pattern, each["reason"], re.DOTALL))
        page = (folder_of(root, told, students) / "feedback.md").read_text(encoding="utf-8")
        words = pattern.removeprefix("it does not compile: ")
        plain = re.sub(r"\\\\(?=\\W)", "", page)
        assert re.search(words, plain, re.DOTALL | re.IGNORECASE), kind
    assert [each["status"] for each in waiting].count("unclear") == 1
    check_games(root, report)
    check_texts(root, students, secrets)
    check_returned(root, archive)
    assert (root / "similar.txt").read_text(encoding="utf-8").count(" with ") >= 1


def folder_of(root: Path, student: dict, students: list[dict]) -> Path:
    """Return the folder with the feedback to a student."""
    namesakes = [each for each in students if each["name"] == student["name"]]
    name = student["name"] if len(namesakes) == 1 else f"{student['name']} ({student['bot']})"
    return root / "feedback" / name


def check_games(root: Path, report: dict) -> None:
    """Check that nobody but the bot that reads what it can has lost a game by a fault."""
    contest = read_contests(root / "runs" / report["run"])[-1]
    (snoop,) = (each["bot"] for each in report["students"] if is_snoop(each["name"]))
    assert len(contest.games) == report["games"] >= 28 * 2
    assert {game.fault.bot for game in contest.games if game.fault} == {snoop}


def is_snoop(name: str) -> bool:
    """Return whether this is the name of the student whose bot reads what it can."""
    return name in {SNOOP, canvas_name(SNOOP)}


def check_texts(root: Path, students: list[dict], secrets: list[str]) -> None:
    """Check that no file has a secret, a path of the machine or the name of another student."""
    names = {each["name"] for each in students}
    public = texts_of(root / "site")
    assert len(public) > 28 * 2
    for path, text in public.items():
        assert not [secret for secret in (*secrets, "root:x:0") if secret in text], path
        assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)], path
    for student in students:
        for path, text in texts_of(folder_of(root, student, students)).items():
            hidden = [*secrets, str(root.parent)]
            hidden += [] if is_snoop(student["name"]) else ["root:x:0"]
            assert not [each for each in hidden if each in text], path
            others = names - {student["name"]}
            assert not [name for name in others if re.search(rf"\b{re.escape(name)}\b", text)], path


def check_returned(root: Path, archive: Path) -> None:
    """Check that the feedback has the names of the download."""
    with (
        zipfile.ZipFile(archive) as handed,
        zipfile.ZipFile(root / "feedback/feedback.zip") as zipped,
    ):
        given, returned = handed.namelist(), zipped.namelist()
    if archive.stem == "moodle":
        folders = {name.partition("/")[0] for name in given if "onlinetext" not in name}
        assert {name.partition("/")[0] for name in returned} == folders
        assert all(f"{folder}/index.html" in returned for folder in folders)
    else:
        assert {*returned} <= {*given}
        numbers = {re.findall(r"_(\d+)_\d+_", name)[0] for name in given if "_text" not in name}
        assert {re.findall(r"_(\d+)_\d+_", name)[0] for name in returned} == numbers
        assert len(returned) == len(numbers)
