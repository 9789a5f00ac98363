"""Every command with its arguments, its input and its usual result, for tests.

All paths in the arguments are relative to a folder that ``prepare`` fills. It holds 2 of the 4
games of a match, the games of a tournament before a third bot was added, and 1 of the 2 rounds of a
tuning run.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bots import FAST, LIGHT, PATIENT

SCRIPTS = Path(sys.executable).parent
JUDGE = f"{sys.executable} -S -E {Path(__file__).parent.parent / 'bots' / 'judges.py'} lies"
PRECEPT = json.dumps({"grid": [[0] * 6] * 7}).encode() + b"\n"
TUNING = ("--depth", "1", "--population", "6", "--elite", "2")
MATCH = ("match", "one", "two", "--bots", "bots.toml", "--variant", "4x4", *FAST)
STORED = {"match": 4, "tournament": 6, "run": 2}
"""Numbers of games or rounds that are stored in the end, by folder."""


@dataclass(frozen=True)
class Command:
    """A command and what it does if nothing hinders it.

    ``answer`` is found in what it writes to standard output, and ``message`` in what it writes to
    standard error. ``code`` is its exit code. With ``reads``, it reads standard input. ``folder``
    is where it stores games or rounds.
    """

    program: str
    arguments: Sequence[str]
    answer: str = ""
    message: str = ""
    code: int = 0
    stdin: bytes = b""
    folder: str = ""

    @property
    def words(self) -> list[str]:
        """The command line."""
        return [str(SCRIPTS / self.program), *self.arguments]

    @property
    def reads(self) -> bool:
        """True if the command reads standard input."""
        return bool(self.stdin)

    def check(self, done: subprocess.CompletedProcess[bytes], workspace: Path) -> None:
        """Check that the command did everything, with its answer and message in their streams."""
        self.check_answer(done)
        assert self.message in done.stderr.decode()
        assert bool(self.message) == bool(done.stderr)
        self.check_work(workspace)

    def check_answer(self, done: subprocess.CompletedProcess[bytes]) -> None:
        """Check standard output, none of whose lines ends in blanks, and the exit code."""
        text = done.stdout.decode()
        assert not re.search(r" $", text, re.MULTILINE)
        assert re.search(self.answer, text, re.MULTILINE), done.stderr.decode()
        assert (bool(text), done.returncode) == (bool(self.answer), self.code)

    def check_work(self, workspace: Path) -> None:
        """Check that all games or rounds are stored."""
        if self.folder:
            assert self.stored(workspace) == STORED[self.folder]

    def stored(self, workspace: Path) -> int:
        """Return the number of games or rounds that are stored."""
        name = "rounds.jsonl" if self.folder == "run" else "games.jsonl"
        return (workspace / self.folder / name).read_bytes().count(b"\n")


COMMANDS = {
    "bot": Command(
        "c4-bot", ("--plays", "needed", "--depth", "2", "--verbose", "--dialect", "jsonl"),
        r'\{"move":\d\}\n', "line 1: not JSON", 1, b"?\n" + PRECEPT,
    ),
    "play": Command("c4-bot", ("--play", "--level", "1", "--verbose"), "c4-bot plays column",
                    "ply 1: score", 0, b"4\n"),
    "list": Command("c4-bot", ("--list",), "random"),
    "solve": Command("c4-solve", ("--json",), '"score":11,', "line 1: move 1", 1, b"?\n32164625\n"),
    "solve file": Command("c4-solve", ("positions.txt", "--check"), "32164625 11 ", "line 2", 1),
    "match": Command("c4-referee", (*MATCH, "--games", "4", "--out", "match", "--json"),
                     r'^\{"bots":\["one","two"\],"games":4,.*\}\n$',
                     "2 of 4 games were played before", folder="match"),
    "match, judge fails": Command(
        "c4-referee", ("match", "one", "two", "--bots", "bots.toml", "--variant", "4x4",
                       "--concurrency", "1", "--judge", JUDGE), "2 games, ", "no accuracy: ",
    ),
    "tournament": Command("c4-referee", ("tournament", "tournament.toml"), "6 of 6 games",
                          "2 of 6 games were played before", folder="tournament"),
    "rate": Command("c4-referee", ("rate", "-"), "1 game", "-:2: ", 1,
                    b"first,second,result\none,two\none,two,1-0\n"),
    "show": Command("c4-referee", ("show", "match", "1", "--analysis-seconds", "0"), "^Game 1: "),
    "play a bot": Command("c4-referee", ("play", "one", "--bots", "bots.toml"), "one plays column",
                          stdin=b"4\n"),
    "analyse": Command("c4-referee", ("analyse", "-"), "Best line: ", "line 2", 1, b"4444\n?\n"),
    "check": Command("c4-referee", ("check", "one", "--bots", "bots.toml", *PATIENT),
                     "Ready for this referee"),
    "check file": Command("c4-referee", ("check", "--bots", "one.toml", *PATIENT),
                          "Ready for this referee: 1 of 1"),
    "grade": Command("c4-referee", ("grade", "one", "--bots", "bots.toml", "--rubric",
                                    "rubric.toml"), r"^Total: [\d.]+ of 1 points"),
    "evolve": Command("c4-tune", ("evolve", "--rounds", "2", *TUNING, "--out", "run"), "2 rounds",
                      "1 of 2 rounds were played before", folder="run"),
    "experiment": Command("c4-tune", ("experiment", "--runs", "1", *TUNING), "ours"),
    "judge": Command("c4-tune", ("judge", "1,3,6", "--pairs", "2", "--positions", "0"), "Elo"),
    "bot --help": Command("c4-bot", ("--help",), "usage: c4-bot"),
    "match --help": Command("c4-referee", ("match", "--help"), "usage: c4-referee match"),
    "solve --version": Command("c4-solve", ("--version",), r"c4-solve \d"),
    "tune completion": Command("c4-tune", ("--print-completion", "bash"), "evolve"),
    "bot, mistake": Command("c4-bot", ("--plays", "nobody"), message="no player", code=2),
    "solve, mistake": Command("c4-solve", ("nowhere.txt",), message="No such file", code=2),
    "referee, mistake": Command("c4-referee", ("rate", "nowhere"), message="No such file", code=2),
    "tune, mistake": Command("c4-tune", ("evolve", "--rounds", "x"), message="invalid", code=2),
}  # fmt: skip

USUAL = ("bot", "play", "solve", "match", "match, judge fails", "tournament", "rate",
         "check file", "evolve", "judge", "referee, mistake")  # fmt: skip
"""Commands that represent the others."""


def prepare(workspace: Path) -> None:
    """Fill a folder with what the commands continue and read."""
    keys = f'command = {json.dumps(LIGHT)}\nrestart = "never"\n'
    bots = [f"[bots.{name}]\n{keys}" for name in ("one", "two", "three")]
    (workspace / "bots.toml").write_text("".join(bots), encoding="ascii")
    (workspace / "one.toml").write_text(bots[0], encoding="ascii")
    (workspace / "positions.txt").write_bytes(b"32164625 11\n32164625 12\n")
    goal = "[[goal]]\ntype = 'wins'\npoints = 1\nagainst = 'c4-bot --plays random'\ngames = 2\n"
    (workspace / "rubric.toml").write_text(
        f"variant = '4x4'\ntime_ms = 60000\n{goal}wins = 1\n", encoding="ascii"
    )
    tournament = workspace / "tournament.toml"
    head = 'variant = "4x4"\naccuracy = false\nconcurrency = 1\ntime_ms = 60000\n'
    tournament.write_text(head + "".join(bots[:2]), encoding="ascii")
    for command in (
        ("c4-referee", *MATCH, "--games", "2", "--out", "match"),
        ("c4-referee", "tournament", "tournament.toml"),
        ("c4-tune", "evolve", "--rounds", "1", *TUNING, "--out", "run"),
    ):
        subprocess.run([SCRIPTS / command[0], *command[1:]], cwd=workspace, check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
    tournament.write_text(head + "".join(bots), encoding="ascii")


def has_traceback(*texts: bytes) -> bool:
    """Return whether Python has written a traceback."""
    marks = re.compile(rb"Traceback|Exception ignored|Fatal Python error|Error in sys\.excepthook")
    return any(map(marks.search, texts))
