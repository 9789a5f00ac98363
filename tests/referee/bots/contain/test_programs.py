"""What a bot's own files name is not visible, and what the search path finds is."""

import os
import sys
import venv
from pathlib import Path

import pytest
from c4_referee.bots.contain.mounts import Sandbox, View, view_of
from views import install, needs_sandbox, output_in_sandbox, write

SECRET = ".ssh/bin/id_ed25519"


@pytest.fixture
def bot(home):
    """A bot's own folder, with a script."""
    write(home / SECRET, "secret")
    return write(home / "class" / "bot" / "bot.py", "", 0o755).parent


def links_to_a_program(bot: Path, target: Path) -> str:
    """A link to a program, as in an environment."""
    (bot / "bot").symlink_to(target / "python3")
    return "./bot bot.py"


def is_in_a_linked_folder(bot: Path, target: Path) -> str:
    """A program in a folder that is a link."""
    (bot / "bin").symlink_to(target)
    return "bin/python3 bot.py"


def names_a_home(bot: Path, target: Path) -> str:
    """The settings of an environment, which say where its Python is."""
    write(bot / "pyvenv.cfg", f"home = {target}\n")
    write(bot / "bin" / "bot", "", 0o755)
    (bot / "bot").symlink_to("bin/bot")
    return "./bot"


def names_an_interpreter(bot: Path, target: Path) -> str:
    """The first line of a script, which Python takes for a comment."""
    write(bot / "bot.py", f"#!/usr/bin/env {target}/python3\n", 0o755)
    return "python3 ./bot.py"


ARMS = (links_to_a_program, is_in_a_linked_folder, names_a_home, names_an_interpreter)


def shown(bot: Path, command: str, cwd: str | None) -> View:
    """Return the view of a bot that is started in its folder."""
    os.chdir(bot)
    return view_of(command.split(), cwd, Sandbox(os.environ["PATH"]))


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("has_folder", [True, False])
def test_path_in_a_file_of_the_bot_adds_nothing(home, bot, arm, has_folder):
    """The secret is hidden, also if it has been named since the last start, and is refused."""
    write(home / ".ssh" / "bin" / "python3", "#!/bin/sh\n", 0o755)
    cwd = str(bot) if has_folder else None
    shown(bot, "./bot bot.py", cwd)
    view = shown(bot, arm(bot, home / ".ssh" / "bin"), cwd)
    assert not view.shows(home / SECRET)
    in_home = [path for path in view.seen if path.is_relative_to(home)]
    assert all(path.is_relative_to(bot) for path in in_home)
    if has_folder:
        assert any(path.is_relative_to(home / ".ssh") for path in view.refused)


def test_refusal_does_not_look_at_the_machine(home, bot):
    """What is refused does not say whether a file exists."""
    found = []
    for name in ("id_ed25519", "missing"):
        (bot / "net.bin").unlink(missing_ok=True)
        (bot / "net.bin").symlink_to(home / ".ssh" / "bin" / name)
        view = shown(bot, "python3 bot.py net.bin", str(bot))
        found.append([path.name for path in view.refused])
    assert found == [["id_ed25519"], ["missing"]]


@needs_sandbox
@pytest.mark.parametrize("has_folder", [True, False])
def test_environment_of_the_bot_starts_with_the_python_of_the_referee(home, bot, has_folder):
    """A virtual environment in the bot's folder needs the Python with which it was made."""
    venv.create(bot / ".venv", symlinks=True)
    os.chdir(bot)
    cwd = str(bot) if has_folder else None
    words = (".venv/bin/python", "-c", "import json, sys; print(sys.prefix)")
    out, error = output_in_sandbox(*words, cwd=cwd, search_path=str(Path(sys.executable).parent))
    assert (out, error) == (f"{bot}/.venv\n", "")


@needs_sandbox
def test_interpreter_of_an_own_script_is_found_by_its_name(home, bot):
    """The first line of a script may name a program of the search path, without a path."""
    install(home / ".nvm" / "versions" / "node" / "v22", "nodex")
    write(bot / "bot.js", "#!/usr/bin/env nodex\n", 0o755)
    search_path = str(home / ".nvm" / "versions" / "node" / "v22" / "bin")
    assert output_in_sandbox("./bot.js", cwd=str(bot), search_path=search_path) == ("nodex", "")


@needs_sandbox
@pytest.mark.parametrize("folder", ["jdk-21", "jdk"])
def test_program_that_the_command_names_by_its_path_starts(home, bot, folder):
    """An installation outside of the bot's folder is visible if the command names its program."""
    program = install(home / "opt" / "jdk-21", "interpreter")
    (home / "opt" / "jdk").symlink_to("jdk-21")
    program = str(home / "opt" / folder / "bin" / "interpreter")
    for cwd in (str(bot), None):
        assert output_in_sandbox(program, cwd=cwd, search_path="") == ("interpreter", "")


def test_program_by_its_path_does_not_show_its_neighbours(home):
    """A folder with a folder ``bin`` is shown only if it is an installation without other bots."""
    course = home / "course"
    alice, bob = (write(course / "bin" / name, "#!/bin/sh\n", 0o755) for name in ("alice", "bob"))
    write(course / "grades", "secret")
    view = view_of([str(alice)], None, Sandbox(os.environ["PATH"]))
    assert (view.shows(alice), view.shows(bob), view.shows(course / "grades")) == (
        True,
        *[False] * 2,
    )
    write(course / "lib" / "x.py", "")
    view = view_of([str(alice)], None, Sandbox(os.environ["PATH"], (), [course / "bob.py"]))
    assert (view.shows(alice), view.shows(course / "grades")) == (True, False)


def test_home_of_a_named_environment_must_be_a_python(home):
    """An environment outside of the bot's folder adds its Python, and nothing else."""
    env, secret = home / "envs" / "x", home / ".ssh"
    write(env / "bin" / "python", "", 0o755)
    write(env / "pyvenv.cfg", f"home = {secret}/bin\n")
    write(secret / "bin" / "python3", "", 0o755)
    view = view_of([str(env / "bin" / "python")], None, Sandbox(""))
    assert not view.shows(secret / "bin" / "python3")
    assert view.refused == (secret,)
    write(secret / "lib" / "python3.12" / "os.py", "")
    view = view_of([str(env / "bin" / "python")], None, Sandbox(""))
    assert view.shows(secret / "lib" / "python3.12" / "os.py")
    assert not view.shows(secret / "id")
