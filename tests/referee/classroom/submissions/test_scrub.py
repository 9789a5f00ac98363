"""Texts for students hold no path of the instructor's machine."""

import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

import pytest
from c4_referee.bots.own import package_folder
from c4_referee.classroom.submissions.scrub import Scrubber
from hypothesis import given
from hypothesis import strategies as st

CLASS = Path("/home/prof/my class")
OWN = CLASS / "submissions" / "bob" / "1"
SCRUB = Scrubber(OWN, CLASS)


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        (f"{OWN}/bot.c:3:5: error: x", "bot.c:3:5: error: x"),
        (f'File "{OWN}/a b/bot.py", line 3', 'File "a b/bot.py", line 3'),
        (f"cd '{OWN}' && python3 bot.py", "python3 bot.py"),
        (f'cd "{OWN}" && python3 bot.py', "python3 bot.py"),
        (f"cd '{OWN}/src' && ./run.sh", "cd 'src' && ./run.sh"),
        (f"at file://{quote(str(OWN))}/bot.js:7", "at bot.js:7"),
        (f"it runs in {OWN}.", "it runs in .."),
        (f"{CLASS}/bots.toml", ".../bots.toml"),
        (f"{CLASS}/submissions/ann/2/bot.py:1", ".../bot.py:1"),
        (f"{OWN}0/bot.py", ".../bot.py"),
        ("see /home/ann/x/y.py, line 2", "see .../y.py, line 2"),
        ("/usr/lib/python3.11/json/x.py", "/usr/lib/python3.11/json/x.py"),
        ("/bin/sh: 1: /tmp/x: not found", "/bin/sh: 1: /tmp/x: not found"),
        ("a/b /dev/null 3/4 https://host.org/home/x src/home/x", None),
        ("", ""),
    ],
)
def test_folders_become_relative_or_dots(text, scrubbed):
    """Paths in the submission become relative, other private ones keep the file, others stay."""
    expected = text if scrubbed is None else scrubbed
    assert SCRUB(text) == expected


def test_folders_of_python_and_of_the_user_are_private():
    """The folders of this Python, of our packages, and the home folder are hidden."""
    folders = [
        Path.home(),
        Path(sys.prefix),
        package_folder("c4_referee"),
        package_folder("c4_bot"),
    ]
    for folder in folders:
        assert SCRUB(f"in {folder}/x.py!") == "in .../x.py!"


def test_traceback_of_a_real_program_names_only_its_file(tmp_path):
    """A traceback of a program that was started by its path holds the name of its file alone."""
    folder = tmp_path / "Åsa's bot"
    folder.mkdir()
    (folder / "bot.py").write_text("import json\nopen(__file__ + 'x')\n", encoding="utf-8")
    words = [sys.executable, str(folder / "bot.py")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert str(folder) in done.stderr
    text = Scrubber(folder, tmp_path)(done.stderr)
    assert 'File "bot.py", line 2' in text
    assert "bot.pyx" in text
    assert tempfile.gettempdir() not in text


@pytest.mark.parametrize("name", ["plain", "a b", "it's", "Åsa", 'x"y', "a#b"])
def test_change_of_folder_disappears(name):
    """``cd`` to the submission is removed, however the shell needs the folder quoted."""
    own = CLASS.with_name("class") / name
    line = f"cd {shlex.quote(str(own))} && python3 bot.py"
    assert Scrubber(own)(line) == "python3 bot.py"
    assert json.loads(Scrubber(own)(json.dumps([line]))) == ["python3 bot.py"]


def test_path_that_remains_is_hidden_too():
    """If the text without one private folder holds another one, this is hidden as well."""
    assert Scrubber(OWN, CLASS, Path("/it's"))(f"{CLASS}/it's/x") == "....../x"
    assert SCRUB(f"/home/{OWN}/prof/my class/x") == ".../x"


def test_links_to_the_submission_are_followed(tmp_path):
    """A folder is found under its real path, too."""
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    scrub = Scrubber(tmp_path / "link", tmp_path)
    assert scrub(f"{real}/bot.py {tmp_path}/link/bot.py") == "bot.py bot.py"


def test_reports_are_scrubbed_in_depth():
    """All texts and keys of a value of JSON are scrubbed, and other values stay."""
    report = {"hints": [{f"{OWN}/a.py": f"{CLASS}/x"}, 3, None, True], "seen": (f"{OWN}/b.py",)}
    expected = {"hints": [{"a.py": ".../x"}, 3, None, True], "seen": ["b.py"]}
    assert SCRUB.json_value(report) == expected


names = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=4)
folders = st.lists(names.filter(lambda name: name not in {".", ".."}), min_size=1, max_size=3).map(
    lambda parts: Path("/", *parts)
)


def _forms(path: Path) -> list[str]:
    """Return a path in the forms in which programs write it."""
    text = str(path)
    return [text, json.dumps(text)[1:-1], repr(text)[1:-1], quote(text), shlex.quote(text)]


@given(st.data(), folders, st.lists(folders, max_size=2))
def test_private_folders_never_occur(data, own, private):
    """No private folder is in a result, whatever is around it and whatever its name is."""
    paths = [own, *private, CLASS, Path.home()]
    parts = [form for path in paths for form in _forms(path)]
    halves = [part[:cut] for part in parts for cut in (1, 2, 3)] + [part[2:] for part in parts]
    pieces = st.sampled_from([*parts, *halves, "/", " ", "'", "cd ", " && ", "x", ".", "\n"])
    text = "".join(data.draw(st.lists(pieces, max_size=12)))
    result = Scrubber(own, *private, CLASS)(text)
    assert [path for path in paths if str(path) in result] == []
    assert [path for path in paths if json.dumps(str(path))[1:-1] in result] == []


@given(st.text())
def test_texts_without_slashes_stay(text):
    """A text without a path is not changed."""
    plain = text.replace("/", "")
    assert SCRUB(plain) == plain
