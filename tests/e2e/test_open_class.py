"""An open class with real processes, which are killed while students hand in."""

import csv
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from c4_referee.classroom.folder import opened
from c4_referee.records.storage.contests import read_contests
from commands import SCRIPTS
from handed_in import BOT, FORM, form
from served import ask
from waiting import wait_for

pytestmark = pytest.mark.linux
NAMES = ("Ada", "Ben", "Cy")


@contextmanager
def open_class(folder: Path) -> Iterator[tuple[int, subprocess.Popen]]:
    """Start the command, and yield the port and the process."""
    command = [SCRIPTS / "c4-referee", "class", "--open", "--out", folder, "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([*command, "--no-sandbox"], **pipes) as process:
        try:
            lines = iter(process.stdout.readline, "")
            yield (
                int(next(found[1] for it in lines if (found := re.search(r":(\d+)/", it)))),
                process,
            )
        finally:
            process.kill()


def links_of(folder: Path) -> dict[str, str]:
    """Return the links of the students by their names."""
    with (folder / "links.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["name"]: f"/{row['link']}" for row in csv.DictReader(file)}


def test_killed_class_loses_nothing(tmp_path):
    """Two students hand in at once. A kill before, in and after take-in loses neither.

    What is broken gets its feedback, and the final is played. The command ends at Ctrl-C, and the
    server ends with it.
    """
    (tmp_path / "students.csv").write_text("\n".join(["Name,Email", *(f"{n},{n}" for n in NAMES)]))
    (tmp_path / "class.toml").write_text('openings = "random:6"\ntime_ms = 60000\n')
    with open_class(tmp_path) as (port, process):
        links = links_of(tmp_path)
        process.send_signal(signal.SIGSTOP)  # the server goes on
        bots = (("bot.py", BOT % 0), ("bot.py", BOT % -1), ("report.pdf", "%PDF-1.4\n"))
        for name, (path, text) in zip(NAMES, bots, strict=True):
            body = form((path, text.encode()))
            assert ask(port, links[name], "POST", body, **FORM).status == 303
        assert "in progress" in ask(port, links["Ada"]).text
    assert len([*(tmp_path / "inbox").iterdir()]) == 3
    with open_class(tmp_path):
        wait_for(lambda: len([*(tmp_path / "inbox").iterdir()]) < 3)
    with open_class(tmp_path) as (port, process):
        assert links_of(tmp_path) == links
        assert wait_for(lambda: "http-equiv" not in ask(port, links["Ada"]).text)
        assert wait_for(lambda: "Version 1 is ready and plays." in ask(port, links["Ben"]).text)
        assert wait_for(lambda: "Version 1 is not ready." in ask(port, links["Cy"]).text)
        assert wait_for(lambda: " of 2</b>" in ask(port, links["Ada"]).text)  # the rank
        instructor = links.pop("the instructor: the page of the class")
        assert all(name in ask(port, instructor).text for name in NAMES)
        first = wait_for(lambda: ask(port, "/").headers["location"])
        assert ask(port, f"/{first}").status == 200
        assert ask(port, instructor, "POST", form(final="1"), **FORM).status == 303
        assert wait_for(lambda: "site/ and feedback/ are" in ask(port, instructor).text)
        assert "Ada" in ask(port, f"{instructor}/grades.csv").text
        assert "In the last run" in ask(port, f"{links['Ada']}/").text
        assert ask(port, f"{links['Ada']}/grades.csv").status == 404
        assert ask(port, "/").headers["location"].startswith("class/")  # the ladder pauses
        process.send_signal(signal.SIGINT)
        assert process.wait() == 1
        assert wait_for(lambda: not_reached(port))
    with opened(tmp_path) as room:
        assert [len(each.versions) for each in room.register.students] == [1, 1, 1]
    (contest,) = read_contests(tmp_path / "ladder")
    assert len(contest.bots) == 2
    assert not any(name in repr(contest) for name in NAMES)


def not_reached(port: int) -> bool:
    """Return whether nobody listens on a port."""
    try:
        ask(port, "/")
    except ConnectionError:
        return True
    return False
