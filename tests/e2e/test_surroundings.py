"""Every command in odd surroundings: encodings, variables, folders and users.

A command either does its work as usual, or it says in one line what it lacks.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from bots import LIGHT
from commands import COMMANDS, MATCH, USUAL, Command
from effort import one_in, pairs, sampled
from users import ordinary_user

ODD = "a b ö 棋\n手"
"""Name of a folder with blanks, letters that are not Latin, and a line break."""
NAMES = ("größe", "棋手")
"""Names of bots."""
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""Variables with which ASCII is the encoding of terminals and of the names of files."""
ENCODINGS = {
    "ascii": (ASCII, (rb"gr\xf6\xdfe", rb"\u68cb\u624b")),
    "latin-1": ({"PYTHONIOENCODING": "latin-1"}, (b"gr\xf6\xdfe", rb"\u68cb\u624b")),
    "utf-8": ({"LC_ALL": "C", "PYTHONUTF8": "1"}, tuple(name.encode() for name in NAMES)),
}
"""Variables that set an encoding, and how ``NAMES`` are then shown."""
FOLDERLESS = ("bot", "play", "list", "export", "solve", "bot --help", "match --help",
              "solve --version", "tune completion", "bot, mistake", "tune, mistake")  # fmt: skip
"""Commands that need no current folder."""


def check_fails(done: subprocess.CompletedProcess[bytes], reason: str) -> None:
    """Check that a command failed with exit code 2 and one line that states the reason."""
    assert reason in done.stderr.decode()
    assert (done.stderr.count(b"\n"), done.stdout, done.returncode) == (1, b"", 2)


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """Return a folder with the file and the games of a tournament of bots with foreign names."""
    folder = tmp_path_factory.mktemp("named")
    keys = f"command = {json.dumps(LIGHT)}\n"
    text = "".join(f'[bots."{name}"]\n{keys}' for name in NAMES)
    (folder / "class.toml").write_text(
        f'variant = "4x4"\naccuracy = false\ntime_ms = 60000\n{text}', "utf-8"
    )
    command = Command("c4-referee", ("tournament", "class.toml"))
    subprocess.run(command.words, cwd=folder, check=True, capture_output=True)
    return folder


SHOWING = ("tournament class.toml", "rate class", "rate class --csv")


@pytest.mark.parametrize(("words", "encoding"), pairs(SHOWING, [*ENCODINGS]))
def test_names_are_escaped_for_the_terminal(run_cleanly, mark, named, words, encoding):
    """A command that shows foreign names ends as usual, in any encoding."""
    variables, shown = ENCODINGS[encoding]
    words = Command("c4-referee", words.split()).words
    done = run_cleanly(words, cwd=named, env=mark.environment | variables)
    assert done.returncode == 0
    assert all(name in done.stdout for name in shown)


@pytest.mark.parametrize(
    "text",
    ['[bots.one]\ncommand = "true ö"\n', '[bots.one]\ncommand = "true"\nenv = {A = "ö"}\n',
     '[bots.one]\ncommand = "true"\ncwd = "ö"\n', 'out = "ö"\n[bots.one]\ncommand = "true"\n'],
)  # fmt: skip
def test_text_that_the_system_cannot_encode_is_refused(run_cleanly, mark, tmp_path, text):
    """Commands and paths that cannot be passed to the system are a mistake in the file."""
    path = tmp_path / "class.toml"
    path.write_text(f'{text}[bots.two]\ncommand = "true"\n', "utf-8")
    words = Command("c4-referee", ("tournament", "class.toml")).words
    done = run_cleanly(words, cwd=tmp_path, env=mark.environment | ASCII)
    check_fails(done, "as ascii: set PYTHONUTF8=1")


@pytest.mark.parametrize("name", sampled(USUAL, ("play", "solve", "tournament", "judge")))
def test_odd_folder_without_variables(run_cleanly, mark, workspace, name):
    """A command works without HOME, PATH and a locale, in a folder with an odd name."""
    odd, command = workspace.rename(workspace.with_name(ODD)), COMMANDS[name]
    bare = {"MARK": mark.environment["MARK"], "C4_ARENA_SANDBOX": "no"}
    command.check(run_cleanly(command.words, input=command.stdin, cwd=odd, env=bare), odd)


@pytest.mark.weekly
def test_sandbox_needs_no_variable_of_the_environment(run_cleanly, mark, workspace):
    """Without HOME and PATH, other people's bots play, in the sandbox if there is one."""
    bare = {"MARK": mark.environment["MARK"]}
    assert run_cleanly(COMMANDS["match"].words, cwd=workspace, env=bare).returncode == 0
    COMMANDS["match"].check_work(workspace)


@pytest.fixture
def foreign_workspace(workspace):
    """Yield a folder that everybody may read, and that an ordinary user may not change."""
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        folder = Path(shutil.move(workspace, parent))
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield folder
        for path in [folder, *filter(Path.is_dir, folder.rglob("*"))]:
            path.chmod(0o755)


@pytest.mark.parametrize(
    "name", one_in(2, ["bot", "match", "tournament", "check", "evolve", "judge"])
)
def test_ordinary_user_in_a_folder_of_somebody_else(run_cleanly, foreign_workspace, name):
    """Where nothing can be stored, a command says so. Other commands do their work."""
    command = COMMANDS[name]
    done = run_cleanly(command.words, input=command.stdin, cwd=foreign_workspace, **ordinary_user())
    if command.folder:
        check_fails(done, "Permission denied")
    else:
        command.check(done, foreign_workspace)


@pytest.mark.weekly
def test_ordinary_user_stores_elsewhere(run_cleanly, foreign_workspace):
    """From a folder of somebody else, an ordinary user stores games in another one."""
    own = foreign_workspace.with_name("own")
    own.mkdir()
    settings = ordinary_user()
    if "user" in settings:
        shutil.chown(own, settings["user"], settings["group"])
    command = Command("c4-referee", (*MATCH, "--out", str(own / "out")), "2 games, ")
    command.check(run_cleanly(command.words, cwd=foreign_workspace, **settings), own)
    assert (own / "out" / "games.jsonl").read_bytes().count(b"\n") == 2


def run_in_deleted(run_cleanly, workspace: Path, command: Command):
    """Run a command in a folder that is deleted before it starts."""
    script = 'rm -r "$PWD"; exec "$@"'
    words = ["sh", "-c", script, "sh", *command.words]
    return run_cleanly(words, input=command.stdin, cwd=workspace)


@pytest.mark.parametrize("name", sampled(COMMANDS, USUAL))
def test_deleted_current_folder_causes_one_line(run_cleanly, workspace, name):
    """A command that needs the current folder says that it was deleted. Others do their work."""
    command = COMMANDS[name]
    done = run_in_deleted(run_cleanly, workspace, command)
    if name in FOLDERLESS:
        command.check(done, workspace)
    else:
        reason = f"{command.program}: the current folder was deleted: change to another folder"
        check_fails(done, reason)


@pytest.mark.parametrize("arguments", [("--evaluator", "own.py:Own"), ("--evaluator", "own:Own")])
def test_own_evaluator_is_not_found_in_a_deleted_folder(run_cleanly, workspace, arguments):
    """An evaluator in a deleted folder cannot be loaded. The line says why."""
    done = run_in_deleted(run_cleanly, workspace, Command("c4-bot", arguments))
    check_fails(done, "c4-bot: the current folder was deleted: change to another folder")
