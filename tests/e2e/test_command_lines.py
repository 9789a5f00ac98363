"""Mistakes and completion in all four commands, and arguments of drivers in ``c4-bot``."""

import json
import os
import shutil
import subprocess

import pexpect
import pytest
from commands import SCRIPTS

COMMANDS = ("c4-bot", "c4-solve", "c4-referee", "c4-tune")
PRECEPT = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'
WON = b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,2,2],[0,0,0,0,0,0],[0,0,1,1,1,1],[0,0,0,0,0,2],' + (
    b"[0,0,0,0,0,2],[0,0,0,0,0,0]]}\n"
)
"""A precept in which player 1 has four in a row, but the board is not full."""


def run(command: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end."""
    return subprocess.run(
        [SCRIPTS / command, *arguments], input=stdin, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("--info --plays needed",),
        ("--plays needed --info --depth 3",),
        ("  --depth 3   --plays needed --info ",),
        ("--plays=needed --depth=3 --info",),
        ("--plays needed --player 1 --width 7 --height 6 --info",),
        ("--depth", "3", "--plays needed", "--info"),
        ("'--plays' \"needed\" --info",),
    ],
)
def test_one_argument_with_blanks_is_split(run_command, arguments):
    """An argument that holds several flags is split. The info shows that its player answered."""
    done = run_command("c4-bot", *arguments, stdin=PRECEPT)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert "needs" in json.loads(done.stdout)["info"]["sees"]


@pytest.mark.parametrize(
    "argument", ["5", "", " ", "1 1 7 7 6 6", "--depth 2 1 1 7 7 6 6", "my bot"]
)
def test_one_bare_argument_is_ignored(run_command, argument):
    """A single argument that is no flag is ignored, with or without blanks."""
    done = run_command("c4-bot", argument, stdin=PRECEPT)
    assert json.loads(done.stdout)["move"] in range(4)
    assert (done.stderr, done.returncode) == (b"", 0)


def test_value_with_a_blank_stays_whole(run_command, tmp_path):
    """A value with a blank, such as the name of a file, is not split."""
    own = tmp_path / "my evaluator.py"
    own.write_text("class Own:\n    unit = 1\n    evaluate = lambda *_: 0\n")
    done = run_command("c4-bot", "--depth", "1", "--evaluator", f"{own}:Own", stdin=PRECEPT)
    assert (done.stderr, done.returncode) == (b"", 0)


@pytest.mark.parametrize("goal", [("--connect", "5"), ()])
def test_connect_sets_the_goal(run_command, goal):
    """--connect sets the goal. A fourth stone wins without it, but not with a goal of five."""
    grid = b"[[0,0,0,1,1,1],[0,0,0,2,2,2],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]]"
    stdin = b'{"grid":%b,"player":1}\n' % grid
    info = json.loads(run_command("c4-bot", "--info", *goal, stdin=stdin).stdout)["info"]
    assert ("completes 4 in a row" in info["reason"]) == (not goal)


def test_won_board_with_room_is_answered_and_told_once(run_command):
    """A won board with room is answered. One line for the whole session says for which goal."""
    done = run_command("c4-bot", "--depth", "4", stdin=WON * 3)
    assert [json.loads(line)["move"] in range(7) for line in done.stdout.splitlines()] == [True] * 3
    assert done.stderr.count(b"\n") == 1
    assert b"already holds 4 in a row" in done.stderr
    assert b"playing for 5 in a row; --connect N sets the goal" in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("more", "count", "naming"),
    [
        (b"", 2, b"(columns counting from 1)"),
        (b',"gravity":false', 1, b"(cells: row letter from the top; column counting from 1)"),
    ],
)
def test_lines_for_people_say_how_columns_count(run_command, more, count, naming):
    """Each line of --verbose that names moves says how columns count."""
    stdin = PRECEPT.replace(b"}", more + b"}")
    # The limit is high for slow machines: the player answers as soon as it has proven the result.
    done = run_command("c4-bot", "--time-ms", "60000", "--verbose", stdin=stdin)
    said = [
        line for line in done.stderr.splitlines() if b"expecting" in line or b"moves and" in line
    ]
    assert len(said) == count
    assert all(naming in line for line in said)


@pytest.mark.parametrize(
    ("arguments", "moves", "reason"),
    [
        ((), b"8", b"move 1 ('8'): the last column is 7, counting from 1"),
        (("--variant", "line8"), b"a9", b"move 1 ('a9'): no such cell: cells are a1 to h8"),
        (("--variant", "line8"), b"d4d4", b"move 2 ('d4'): the cell is taken"),
    ],
)
def test_solver_names_columns_as_its_input_does(run_command, arguments, moves, reason):
    """The solver's errors name columns from 1, and cells by their names."""
    done = run_command("c4-solve", *arguments, stdin=moves)
    assert reason in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_script_is_understood_by_its_shell(run_command, command, shell, tmp_path):
    """The shell accepts the completion script. The script names the command."""
    done = run_command(command, "--print-completion", shell)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert command.encode() in done.stdout
    script = tmp_path / "script"
    script.write_bytes(done.stdout)
    if program := shutil.which(shell):
        check = [program, "-n", script] if shell != "tcsh" else [program, "-f", script]
        checked = subprocess.run(check, capture_output=True, check=True)
        assert checked.stderr == b""


@pytest.fixture(scope="module")
def bash(tmp_path_factory):
    """Return a function from the words of a command line to bash's completions of the last one."""
    home = tmp_path_factory.mktemp("bash")
    (home / "games").mkdir()
    (home / "class.toml").touch()
    for command in COMMANDS:
        (home / command).write_bytes(run(command, "--print-completion", "bash").stdout)

    def offers(*words: str) -> set[str]:
        line = " ".join(words)
        program = (
            f"source {home / words[0]}; cd {home}; COMP_WORDS=({line}); "
            f"[[ '{line}' == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); "
            f'complete -p {words[0]} >/dev/null; $(complete -p {words[0]} | sed "s/.*-F \\([^ ]*\\)'
            ' .*/\\1/"); printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(["bash", "-c", program], capture_output=True, check=True, text=True)
        return set(done.stdout.split())

    return offers


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("c4-bot", "--plays", "n"), ["needed"]),
        (("c4-bot", "--plays", "level-1"), ["level-1", "level-10"]),
        (("c4-bot", "--dialect", "co"), ["codingame", "console"]),
        (("c4-bot", "--pla"), ["--plays", "--player", "--play"]),
        (("c4-bot", "ex"), ["export"]),
        (("c4-bot", "--evaluator", "cl"), ["class.toml"]),
        (("c4-solve", "cl"), ["class.toml"]),
        (("c4-solve", "--variant", "l"), ["line8"]),
        (("c4-referee", "t"), ["tournament"]),
        (("c4-referee", "tournament", "cl"), ["class.toml"]),
        (("c4-referee", "show", "cl"), ["class.toml"]),
        (("c4-referee", "report", "g"), ["games"]),
        (("c4-referee", "match", "--out", "g"), ["games"]),
        (("c4-referee", "match", "--variant", "s"), ["standard"]),
        (("c4-referee", "example", "ev"), ["evening"]),
        (("c4-tune", "ev"), ["evolve"]),
        (("c4-tune", "evolve", "--method", "s"), ["spsa"]),
        (("c4-tune", "evolve", "--out", "g"), ["games"]),
    ],
    ids=" ".join,
)
def test_bash_completes(bash, words, offered):
    """Bash completes players, dialects, files, commands and folders."""
    assert bash(*words) == set(offered)


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_completes_players(run_command, tmp_path):
    """Zsh completes players in a real terminal."""
    (tmp_path / "_c4-bot").write_bytes(run_command("c4-bot", "--print-completion", "zsh").stdout)
    environment = {**os.environ, "TERM": "dumb", "HOME": str(tmp_path)}
    child = pexpect.spawn("zsh", ["-f"], encoding="utf-8", env=environment, timeout=20)
    child.sendline(f"fpath=({tmp_path} $fpath); autoload -U compinit; compinit -u -D; echo O''K")
    child.expect("OK")
    child.send("c4-bot --plays need\t")
    child.expect("needed")
    child.close(force=True)


@pytest.mark.parametrize("command", ["c4-bot", "c4-solve"])
def test_threads_of_one_search_have_one_name(run_command, command):
    """The option for threads is --threads in both commands."""
    shown = run_command(command, "--help-all").stdout.decode()
    assert "--threads N" in shown
    for other in ("--cores", "--concurrency", "--workers", "--processes"):
        assert other not in shown
