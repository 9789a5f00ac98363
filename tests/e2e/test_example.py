"""``c4-referee example`` lists the example bots and contests, and writes them so that they run."""

import os
import re
import shlex
import subprocess
import zipfile
from pathlib import Path

import pytest
from c4_referee.bots.examples import COMMAND, example_folder, example_names, files_of_example
from c4_referee.bots.languages import BUILD_FILES, LANGUAGES
from followed import check_no_forfeits

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def written(folder: Path) -> set[str]:
    """Return the paths of all files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def tracked() -> set[str]:
    """Return the paths of all files of the folder that are not made by Python."""
    return {path for path in written(EXAMPLES) if "__pycache__" not in path}


def test_list_has_all_files(c4_referee, tmp_path):
    """The list has every file of the folder, apart from its README, and fits in 80 columns."""
    shown = c4_referee("example", cwd=tmp_path, env=os.environ | {"COLUMNS": "80"})
    assert (shown.returncode, shown.stderr) == (0, b"")
    lines = shown.stdout.decode().splitlines()
    assert tracked() - {"README.md"} <= {line.partition(" ")[0] for line in lines}
    assert max(map(len, lines)) <= 80
    assert written(tmp_path) == set()


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("minimal", "minimal.py"),
        ("examples/look_ahead.c", "look_ahead.c run.sh"),
        ("evening", "evening.toml minimal.py centre.sh"),
        ("gradescope", "gradescope/setup.sh gradescope/run_autograder rubric.toml minimal.py"),
        ("codingame", "dialects/codingame.py dialects/codingame.toml"),
    ],
)
def test_example_has_all_files_that_it_needs(name, files):
    """A name with or without suffix and folder chooses the files, and those that they name."""
    assert set(files_of_example(name)) == set(files.split())


@pytest.mark.parametrize("path", example_names())
def test_files_name_only_examples(path):
    """The files of each example name files that exist, and a command to try is in one of them."""
    texts = files_of_example(path)
    assert all((EXAMPLES / name).is_file() for name in texts)
    if "misbehaving" not in path and "repositories" not in path:
        assert any(map(COMMAND.search, texts.values()))


def test_all_examples_are_written_as_they_are(c4_referee, tmp_path):
    """Without NAME, all files are written, and scripts are executable. A second time works, too."""
    for _ in range(2):
        assert c4_referee("example", "--out", "examples/", cwd=tmp_path).returncode == 0
    for path in written(tmp_path):
        one, other = tmp_path / path, ROOT / path
        assert one.read_bytes() == other.read_bytes()
        assert bool(one.stat().st_mode & 0o100) == one.read_bytes().startswith(b"#!")
    assert len(written(tmp_path)) == len(example_names())


def test_commands_name_another_folder(c4_referee, tmp_path):
    """With ``--out``, the commands in the files and the command to try name this folder."""
    done = c4_referee("example", "class", "--out", tmp_path / "my", cwd=tmp_path)
    assert f"--bots {tmp_path}/my/class.toml" in done.stdout.decode()
    assert f'"{tmp_path}/my/centre.sh"' in (tmp_path / "my" / "class.toml").read_text()


@pytest.mark.documented
@pytest.mark.parametrize("name", ["evening", "class"])
def test_command_to_try_works_in_an_empty_folder(c4_referee, tmp_path, name):
    """The command that is printed runs as it is, in the sandbox if there is one."""
    printed = c4_referee("example", name, cwd=tmp_path).stdout.decode()
    program, *words = shlex.split(printed.splitlines()[-1])
    assert program == "c4-referee"
    report = c4_referee(*words, cwd=tmp_path)
    assert report.returncode == 0
    check_no_forfeits(report.stdout.decode())


@pytest.mark.weekly
def test_wheel_holds_all_examples(wheel, tmp_path):
    """The installed command reads the examples in the wheel, which are those of the checkout."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = f"import {example_folder.__module__} as module; print(module.example_folder())"
    path = {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(["python3", "-c", code], env=os.environ | path, cwd=tmp_path,
                          capture_output=True, check=True, text=True)  # fmt: skip
    folder = Path(done.stdout.strip())
    assert folder == tmp_path / "c4_referee" / "examples"
    for name in tracked():
        assert (folder / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_container_has_what_the_doctor_names():
    """The image installs the packages of all languages, of build files, and the sandbox."""
    machine = (ROOT / "Containerfile").read_text(encoding="utf-8").partition(" AS tools")[0]
    install = re.search(r"--no-install-recommends \\\n(.*?)&&", machine, re.DOTALL)[1]
    wanted = [language.install for language in (*LANGUAGES, *BUILD_FILES.values())]
    known = {"bubblewrap", "ca-certificates", *" ".join(wanted).split()}
    assert set(install.replace("\\", "").split()) == known
