"""A class over three nights, each killed in the middle of its steps and continued."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from commands import SCRIPTS
from effort import THOROUGH
from stored import count_results
from views import needs_sandbox

pytestmark = needs_sandbox

BOT = """\
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    free = [column for column, cells in enumerate(grid) if cells[0] == 0]
    print(json.dumps({{"move": free[{place}]}}), flush=True)
"""
BOT_LINK = r'class="bot" href="(runs/[^"]*)"[^>]*>(?:<[^>]*>)?([^<]+)'
"""Link to the page of a bot, with its name."""
ALL = {"Ada": "0", "Grace": "-1", "Alan": "len(free) // 2", "Édouard": "len(free) // 3"}
PLACES = ALL if THOROUGH else {name: ALL[name] for name in ("Ada", "Édouard")}
"""Students whose bots play, and where. The later nights change the other two."""
BOTS = len(PLACES) + 1
"""Number of bots with that of the staff."""
SETTINGS = """\
time_ms = 60000
openings = "random:12"
analysis_seconds = 1
staff = { mark = "c4-bot --plays random" }
"""


def hand_in(download: Path, name: str, text: str) -> None:
    """Hand in a bot in Python."""
    (download / name).mkdir(parents=True, exist_ok=True)
    (download / name / "bot.py").write_text(text, encoding="utf-8")


def first_night(download: Path) -> None:
    """Bots that play, and one that does not."""
    for name, place in PLACES.items():
        hand_in(download, name, BOT.format(place=place))
    hand_in(download, "Linus", "print('hello'")


def second_night(download: Path) -> None:
    """Three changed bots, one of them broken by it; two new ones; one is missing."""
    hand_in(download, "Ada", BOT.format(place="len(free) // 2 - 1"))
    hand_in(download, "Grace", BOT.format(place="'x'"))
    hand_in(download, "Linus", BOT.format(place="0"))
    hand_in(download, "Barbara", BOT.format(place="len(free) // 4"))
    hand_in(download, "Ken", BOT.format(place="len(free)"))
    shutil.rmtree(download / "Alan")


def third_night(download: Path) -> None:
    """Three changed bots, one of them broken by it; two new ones; one is missing."""
    hand_in(download, "Grace", BOT.format(place="-1"))
    hand_in(download, "Barbara", "import nothing_of_this_name")
    hand_in(download, "Ken", BOT.format(place="0"))
    hand_in(download, "Edith", BOT.format(place="-2 % len(free)"))
    (download / "Empty").mkdir()
    shutil.rmtree(download / "Ada")


def command(folder: Path, *options: str) -> list[str]:
    """Return the command that runs the class."""
    return [str(SCRIPTS / "c4-referee"), "class", *options, "--out", str(folder / "class")]


def run_plainly(folder: Path, *options: str) -> dict:
    """Run the class, and return its JSON object."""
    done = subprocess.run(command(folder, *options, "--json"), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def run(folder: Path, *options: str) -> dict:
    """Run the class, and return its JSON object, with the students by name."""
    report = run_plainly(folder, *(options or (str(folder / "download"),)))
    report["students"] = {student["name"]: student for student in report["students"]}
    return report


def kill_when(folder: Path, is_reached) -> None:
    """Run the class, and kill it as soon as something is reached."""
    with subprocess.Popen(
        command(folder, str(folder / "download")),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while not is_reached():
            assert process.poll() is None or is_reached(), "the run has ended before"
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)


def versions(folder: Path) -> list[dict]:
    """Return all versions of all students as they are stored."""
    path = folder / "class" / "submissions" / "students.json"
    students = json.loads(path.read_text(encoding="utf-8"))["students"] if path.exists() else {}
    return [version for student in students.values() for version in student["versions"]]


def pages(folder: Path) -> dict[str, str]:
    """Return the pages of the site and of feedback by their paths."""
    root = folder / "class"
    found = (path for part in ("site", "feedback") for path in (root / part).rglob("*.html"))
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in found}


def test_three_nights_with_kills(tmp_path):
    """Killed in each step and continued, every night ends with the runs and pages it should.

    The later nights are in thorough tests only.
    """
    download, root = tmp_path / "download", tmp_path / "class"
    root.mkdir()
    (root / "class.toml").write_text(SETTINGS, encoding="utf-8")
    first_night(download)
    kill_when(tmp_path, lambda: len(versions(tmp_path)) >= 2)
    kill_when(tmp_path, lambda: any(each["start"] for each in versions(tmp_path)))
    kill_when(tmp_path, lambda: any(each["checked"] for each in versions(tmp_path)))
    kill_when(tmp_path, lambda: sum(map(count_results, root.glob("runs/*"))) >= BOTS - 1)
    report = run(tmp_path)
    students = report["students"]
    assert {name for name in students if students[name]["status"] == "ready"} == {*PLACES}
    assert students["Linus"]["status"] == "not ready"
    assert report["games"] == BOTS * (BOTS - 1)
    assert {students[name]["rank"] for name in PLACES} <= {*range(1, BOTS + 1)}
    aliases = {name: student["bot"] for name, student in students.items()}
    if THOROUGH:
        checked = check_second_night(tmp_path, aliases)
        check_third_night(tmp_path, checked, aliases)


def check_second_night(tmp_path: Path, aliases: dict[str, str]) -> list[object]:
    """Kill the run while it plays, and return which versions are checked after the next run."""
    download, root = tmp_path / "download", tmp_path / "class"
    second_night(download)
    runs = root / "runs"
    kill_when(tmp_path, lambda: sum(count_results(each) for each in runs.iterdir()) >= 20 + 7)
    report = run(tmp_path, "--only", "play")  # its pages are written on the next night
    students = report["students"]
    assert len([*runs.iterdir()]) == 2
    assert report["run"].endswith("-2")
    assert report["games"] == 7 * 6  # Alan plays on although he is missing, Grace as version 1
    assert (students["Alan"]["status"], students["Alan"]["rank"] is None) == ("missing", False)
    assert (students["Grace"]["status"], students["Grace"]["version"]) == ("not ready", 2)
    assert "version 1 plays" in students["Grace"]["reason"]
    assert students["Ken"]["rank"] is None
    assert {name: students[name]["bot"] for name in aliases} == aliases
    return [each["checked"] for each in versions(tmp_path)]


def check_third_night(tmp_path: Path, checked: list[object], aliases: dict[str, str]) -> None:
    """Kill the run while it writes feedback, and check what the next run makes of it."""
    download, root = tmp_path / "download", tmp_path / "class"
    runs = root / "runs"
    third_night(download)
    published = root / "feedback" / "Edith" / "index.html"
    kill_when(tmp_path, published.exists)
    report = run(tmp_path, "--only", "publish")
    students = report["students"]
    assert report["run"].endswith("-3")
    assert students["Grace"]["version"] == 1  # the same as on the first night
    assert "version 1 plays" in students["Barbara"]["reason"]
    assert (students["Ada"]["status"], students["Ken"]["status"]) == ("missing", "ready")
    assert students["Empty"]["status"] == "not ready"
    assert len([each for each in versions(tmp_path) if each["checked"]]) == len(checked) + 3
    found = pages(tmp_path)
    assert all(f"site/runs/{each.name}/index.html" in found for each in runs.iterdir())
    assert all(alias in found["site/history.html"] for alias in aliases.values())
    linked = re.findall(BOT_LINK, found["site/index.html"])
    assert linked
    assert all(f"<title>{bot}</title>" in found[f"site/{page}"] for page, bot in linked)
    assert not any(name in text for path, text in found.items() for name in PLACES)
    assert "Version 2 is not ready. Version 1 plays on." in found["feedback/Barbara/index.html"]
    assert "nothing from you" in found["feedback/Ada/index.html"]


RUBRIC = """\
time_ms = 60000
[[goal]]
type = "check"
points = 4
[[goal]]
type = "wins"
against = "random"
wins = 1
games = 2
points = 6
"""


@pytest.mark.weekly
def test_instructor_decides(tmp_path):
    """A main program is chosen, bots are graded, the site has names, and a game is contested."""
    download, root = tmp_path / "download", tmp_path / "class"
    hand_in(download, "Ada", BOT.format(place="0"))
    hand_in(download, "Grace", BOT.format(place="-1"))
    (download / "Grace" / "other.py").write_text(BOT.format(place="'x'"), encoding="utf-8")
    root.mkdir()
    (root / "class.toml").write_text('rubric = "rubric.toml"\n' + SETTINGS, encoding="utf-8")
    (root / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    report = run(tmp_path)
    assert report["students"]["Grace"]["status"] == "unclear"
    line = report["students"]["Grace"]["reason"].partition("bots.toml: ")[2]
    path = root / "bots.toml"
    chosen = line.replace("other.py", "bot.py")
    text = path.read_text(encoding="utf-8").replace("\n[main]\n", f"\n[main]\n{chosen}  # mine\n")
    path.write_text(text, encoding="utf-8")
    assert len([each for each in versions(tmp_path) if each["checked"]]) == 1
    report = run(tmp_path, str(download), "--real-names")
    assert report["students"]["Grace"]["status"] == "ready"
    assert "# mine" in path.read_text(encoding="utf-8")
    assert len([each for each in versions(tmp_path) if each["checked"]]) == 2
    found = pages(tmp_path)
    assert "Grace" in found["site/index.html"]
    assert "Grace" in found[f"site/runs/{report['run']}/index.html"]
    assert not any("Grace" in text for path, text in found.items() if "feedback/Ada" in path)
    grades = (root / "feedback" / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(grades) == 3
    assert "4<small>/4</small>" in found["feedback/Ada/index.html"]
    again = run_plainly(tmp_path, "--replay", "1")
    assert again["first"]["moves"] == again["again"]["moves"]  # these bots do not vary
    assert count_results(Path(again["folder"])) == 1
    assert run(tmp_path, "--only", "publish")["games"] == report["games"]


def test_second_run_at_once_says_so(tmp_path):
    """While a class is in use, another command is refused and changes nothing."""
    hand_in(tmp_path / "download", "Ada", "import time; time.sleep(600)")
    first = subprocess.Popen(
        command(tmp_path, str(tmp_path / "download")),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not versions(tmp_path):
            time.sleep(0.01)
        second = subprocess.run(
            command(tmp_path, "--only", "publish"), capture_output=True, check=False, text=True
        )
        assert second.returncode == 2
        assert "in use by another run" in second.stderr
    finally:
        os.kill(first.pid, signal.SIGTERM)
        first.wait()
