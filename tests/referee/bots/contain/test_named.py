"""A command shows the files that it names. Links lead nowhere else."""

import os
from pathlib import Path

import pytest
from c4_referee.bots.contain import mounts
from c4_referee.bots.contain.mounts import Sandbox, View, view_of
from c4_referee.bots.contain.named import current_program
from views import needs_sandbox, output_in_sandbox, write

PATH = os.environ["PATH"]


def seen_files(view: View) -> set[str]:
    """Return the files below the current folder that a bot sees."""
    files = (path for path in Path.cwd().rglob("*") if path.is_file())
    return {str(path.relative_to(Path.cwd())) for path in files if view.shows(path)}


@pytest.mark.parametrize("word", ["w.bin", "--net=m/id_ed25519", "m", "in/deep/id_ed25519"])
@pytest.mark.parametrize("has_folder", [True, False])
def test_link_out_of_its_folder_is_not_followed(home, word, has_folder):
    """A named file or folder that is a link, or in a linked folder, shows nothing elsewhere."""
    ssh = home / ".ssh"
    for name, target in {"w.bin": ssh / "id_ed25519", "m": ssh, "in/deep": ssh}.items():
        write(home / "class" / name, "").unlink()
        Path(name).symlink_to(target)
    write(home / "class" / "bot.py", "")
    cwd = str(Path.cwd()) if has_folder else None
    view = view_of(["python3", "bot.py", word], cwd, Sandbox(PATH))
    assert not any(path.is_relative_to(ssh) for path in view.seen)
    assert not any(source.is_relative_to(ssh) for _, source in view.sources)
    assert not view.shows(ssh / "id_ed25519")
    assert all(path.is_relative_to(ssh) for path in view.refused)
    assert view.refused


@needs_sandbox
def test_link_in_the_same_folder_is_followed(home):
    """A named link to a file beside it shows this file, under the name of the link."""
    write(home / "nets" / "v2.bin", "weights")
    (home / "nets" / "best.bin").symlink_to("v2.bin")
    out, error = output_in_sandbox("sh", "-c", 'cat "$0"', f"{home}/nets/best.bin", search_path="")
    assert (out, error) == ("weights", "")
    assert not view_of(["cat", f"{home}/nets/best.bin"], None, Sandbox(PATH)).shows(
        home / "nets" / "v2.bin"
    )


@needs_sandbox
def test_link_that_changes_shows_nothing_new(home, monkeypatch):
    """A link that leads elsewhere since the last start is not followed."""
    monkeypatch.setattr(mounts.RECENT_VIEWS, "share", float("inf"))
    link = home / "class" / "net.bin"
    write(home / "class" / "v1.bin", "weights")
    words = ("sh", "-c", 'cat "$0"', "net.bin")
    found = []
    for target in ("v1.bin", home / "grades"):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        found.append(output_in_sandbox(*words, search_path="")[0])
    assert found == ["weights", ""]


@pytest.fixture
def files(home):
    """The current folder has programs in several languages, and other files."""
    names = (
        *("Bot.class", "bot.jar", "player.py", "index.js", "package.json", "grades.csv"),
        *("com/foo/Bot.class", "com/foo/key.txt", "other/x.py"),
    )
    for name in names:
        write(home / "class" / name, "")
    (home / "class" / "secret.py").symlink_to(home / "grades")


TOP = {"Bot.class", "bot.jar", "player.py", "index.js", "package.json"}


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("java -classpath . Bot", TOP),
        ("java -cp .:lib Bot 3", TOP),
        ("java -cp . com.foo.Bot", {*TOP, "com/foo/Bot.class"}),
        ("node .", TOP),
        ("python3 -m player --depth 3", TOP),
        ("python3 -m http.server", set()),
        ("python3 player.py", {"player.py"}),
    ],
)
def test_programs_of_the_current_folder_are_seen(files, command, seen):
    """A command with ``.`` or with a module of the current folder shows its program files."""
    assert seen_files(view_of(command.split(), None, Sandbox(PATH))) == seen


@pytest.mark.parametrize("other", ["Bot.class", "bob.sh", "."])
def test_current_folder_with_another_bot_is_hidden(files, home, other):
    """If another bot lies in the current folder, or runs a program there, none of it is seen."""
    path = home / "class" / other
    path.touch()
    assert not seen_files(view_of(["java", "-cp", ".", "Bot"], None, Sandbox(PATH, (), [path])))


def test_current_folder_with_stored_games_is_hidden(files, home):
    """If stored games are in the current folder, none of its files is seen."""
    write(home / "class" / "arena.sqlite", "")
    assert not seen_files(view_of(["java", "-cp", ".", "Bot"], None, Sandbox(PATH)))


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("java -Xmx1g -cp . -ea Bot 3", "java -Xmx1g -cp . -ea Bot"),
        ("node . 3", "node ."),
        ("python3 -m player --depth 3", "python3 -m player"),
        ("python3 -um player", "python3 -um player"),
        ("python3 player.py", None),
        ("python3 -m", None),
    ],
)
def test_arguments_are_no_part_of_the_program(files, command, program):
    """The program of the current folder is named by the first words of a command."""
    found = current_program(command.split(), Path.cwd())
    assert found == (program and tuple(program.split()))
