"""Folders of versions before the import packages were renamed."""

from hashlib import sha256
from pathlib import Path

import orjson
import pytest
from c4_referee.bots.spec import BotSpec
from c4_referee.records.storage.fingerprint import fingerprint_of_bot

SCRIPT = """\
#!/home/somebody/.venv/bin/python3
# -*- coding: utf-8 -*-
import re
import sys
from {module} import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""
FORMER = SCRIPT.format(module="bot.cli")
PRESENT = SCRIPT.format(module="c4_bot.cli")


def former_fingerprint(name: str, command: tuple[str, ...], script: str) -> str:
    """Return what versions up to 0.1 stored for a bot whose program is a script."""
    start = {"name": name, "command": command}
    digest = sha256(orjson.dumps(start, option=orjson.OPT_SORT_KEYS))
    digest.update(sha256(script.encode()).digest())
    return digest.hexdigest()


def install(folder: Path, script: str, name: str = "c4-bot") -> None:
    """Write an executable script into a folder."""
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)


@pytest.fixture
def specs(tmp_path, monkeypatch):
    """Return two bots that run our command, whose console script is in a folder of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("c4_referee.bots.bot_files.script_of", lambda name: str(tmp_path / name))
    return (
        BotSpec(name="a", command=("c4-bot", "--level", "1")),
        BotSpec(name="b", command=("c4-bot", "--level", "2")),
    )


@pytest.mark.parametrize("script", [FORMER, PRESENT], ids=["former", "present"])
def test_both_spellings_of_our_script_have_one_fingerprint(tmp_path, specs, script) -> None:
    """Our script has the stored fingerprint in its former and in its present spelling."""
    install(tmp_path, script)
    stored = former_fingerprint("a", specs[0].command, FORMER)
    assert fingerprint_of_bot(specs[0]) == stored


def test_another_change_of_our_script_changes_the_fingerprint(tmp_path, specs) -> None:
    """Any other change of our script changes the fingerprint."""
    install(tmp_path, PRESENT + "# edited\n")
    stored = former_fingerprint("a", specs[0].command, FORMER)
    assert fingerprint_of_bot(specs[0]) != stored


def test_scripts_of_others_are_read_as_they_are(tmp_path, specs) -> None:
    """A user's bot that imports our packages is another bot after its imports are edited."""
    spec = BotSpec(name="a", command=("mine",))
    marks = set()
    for script in (FORMER, PRESENT):
        install(tmp_path, script, "mine")
        marks.add(fingerprint_of_bot(spec))
    assert len(marks) == 2
