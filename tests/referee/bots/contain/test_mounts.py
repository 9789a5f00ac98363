"""A bot in the sandbox sees its interpreter and its own files, and nothing of other people."""

import os
import sys
import venv
from pathlib import Path

import pytest
from c4_referee.bots.contain.mounts import Sandbox, view_of
from c4_referee.bots.contain.named import paths_hidden_from_others
from views import SECRETS, install, needs_sandbox, output_in_sandbox, write


def secrets_seen(home: Path, search_path: str, *command: str) -> list[Path]:
    """Return the secrets that a bot with this command sees."""
    view = view_of(command, None, Sandbox(search_path))
    return [home / secret for secret in SECRETS if view.shows(home / secret)]


@needs_sandbox
@pytest.mark.parametrize(
    ("prefix", "folder"),
    [
        (".nvm/versions/node/v22.1.0", None),
        ("miniconda3/envs/bots", None),
        (".rbenv/versions/3.3.0", None),
        (".sdkman/candidates/java/21-tem", ".sdkman/candidates/java/current"),
        (".local", None),
    ],
)
def test_program_in_a_home_folder_starts(home, prefix, folder):
    """A program on the search path runs with its installation, perhaps through a linked folder."""
    install(home / prefix, "interpreter")
    if folder is not None:
        (home / folder).symlink_to(home / prefix)
    search_path = str(home / (folder or prefix) / "bin")
    out, error = output_in_sandbox("interpreter", search_path=search_path)
    assert (out, error) == ("interpreter", "")
    assert secrets_seen(home, search_path, "interpreter") == []


@needs_sandbox
def test_shim_starts_the_version_that_it_chooses(home):
    """A shim of pyenv is a script that starts a program elsewhere in the same folder."""
    install(home / ".pyenv" / "versions" / "3.12", "python9")
    shim = '#!/bin/sh\nexec "$(dirname "$0")/../versions/3.12/bin/python9"\n'
    write(home / ".pyenv" / "shims" / "python9", shim, 0o755)
    search_path = str(home / ".pyenv" / "shims")
    assert output_in_sandbox("python9", search_path=search_path) == ("python9", "")


@needs_sandbox
def test_cargo_starts_through_rustup(home):
    """Commands of Rust are links to rustup, which finds the compiler in another folder."""
    write(home / ".rustup" / "toolchain", "stable")
    proxy = write(home / ".cargo" / "bin" / "rustup", '#!/bin/sh\ncat "$HOME/.rustup/toolchain"\n')
    proxy.chmod(0o755)
    (home / ".cargo" / "bin" / "cargo").symlink_to("rustup")
    search_path = str(home / ".cargo" / "bin")
    assert output_in_sandbox("cargo", "run", search_path=search_path) == ("stable", "")
    assert secrets_seen(home, search_path, "cargo", "run") == []


@needs_sandbox
def test_virtual_environment_starts(home):
    """The Python of a virtual environment runs, with the installation that it is based on."""
    venv.create(home / "class" / ".venv", symlinks=True)
    out, error = output_in_sandbox(
        ".venv/bin/python", "-c", "import json, sys; print(sys.prefix)", search_path=""
    )
    assert (out, error) == (f"{home}/class/.venv\n", "")
    assert secrets_seen(home, "", ".venv/bin/python", "bot.py") == []


@needs_sandbox
def test_program_of_another_program_is_found(home):
    """A program may be started by another one, such as nice."""
    install(home / "tools" / "x", "interpreter")
    search_path = str(home / "tools" / "x" / "bin")
    assert output_in_sandbox("nice", "-n", "1", "interpreter", search_path=search_path) == (
        "interpreter",
        "",
    )


@needs_sandbox
def test_visible_files_are_seen(home):
    """A table may make more files and folders visible, for reading only."""
    model = write(home / "models" / "net.bin", "weights")
    program = f"cat {model}; echo x > {model}"
    out, error = output_in_sandbox("sh", "-c", program, search_path="", visible=(str(model),))
    assert out == "weights"
    assert "Read-only file system" in error
    assert output_in_sandbox("sh", "-c", f"cat {model}", search_path="")[0] == ""


def seen_by(command: str, others: list[str], cwd: str | None = None) -> set[str]:
    """Return the files in the current folder that a bot sees, if other bots have these commands."""
    paths = [path for other in others for path in paths_hidden_from_others(other.split(), None)]
    view = view_of(command.split(), cwd, Sandbox(os.environ["PATH"], (), paths))
    files = (path for path in Path.cwd().rglob("*") if path.is_file())
    return {str(path.relative_to(Path.cwd())) for path in files if view.shows(path)}


@pytest.fixture
def classroom(home):
    """Files of three bots: two with folders of their own, and two in a common folder."""
    for name in ("ann/bot.py", "ann/engine.py", "ben/bot.py", "all/cy.py", "all/di.py", "grades"):
        write(home / "class" / name, "")


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("python3 ann/bot.py", {"ann/bot.py"}),
        ("python3 all/cy.py", {"all/cy.py"}),
        ("python3 grades", {"grades"}),
        ("python3 -m ann", {"ann/bot.py", "ann/engine.py"}),
        ("python3 --model=ann/engine.py", {"ann/engine.py"}),
        ("java -cp all:ann Bot", {"ann/bot.py", "ann/engine.py", "all/cy.py"}),
        ("sh -c .", set()),
        ("sh ..", set()),
    ],
)
def test_files_of_other_bots_are_hidden(classroom, command, seen):
    """A bot sees the files and folders that its command names, without those of other bots."""
    others = ["python3 ben/bot.py", "python3 all/di.py"]
    assert seen_by(command, others) == seen


def test_common_folder_is_read_only(classroom, home):
    """A folder that several bots have as their own is read-only, and others' files are hidden."""
    folder = str(home / "class" / "all")
    others = paths_hidden_from_others(["python3", "di.py"], folder)
    view = view_of(["python3", "cy.py"], folder, Sandbox(os.environ["PATH"], (), others))
    assert not view.is_writable
    assert view.shows(home / "class" / "all" / "cy.py")
    assert not view.shows(home / "class" / "all" / "di.py")
    alone = view_of(["python3", "cy.py"], folder, Sandbox(os.environ["PATH"]))
    assert alone.is_writable


@needs_sandbox
def test_files_of_others_in_a_visible_folder_are_masked(classroom, home):
    """The files of other bots in a visible folder cannot be read, and their folders are empty."""
    write(home / "class" / "all" / "eve" / "bot.py", "secret")
    os.chdir(home / "class")
    others = (home / "class" / "all" / "di.py", home / "class" / "all" / "eve")
    program = "cat all/di.py; ls all/eve; ls all"
    settings = {"search_path": "", "visible": ("all",), "others": others}
    out, error = output_in_sandbox("sh", "-c", program, **settings)
    assert (out.split(), error) == (
        ["cy.py", "di.py", "eve"],
        "cat: all/di.py: Permission denied\n",
    )


def test_interpreter_that_bots_share_is_not_hidden():
    """The interpreter of one bot is not a file that others must not see."""
    assert paths_hidden_from_others([sys.executable, "-c", "pass"], None) == []
