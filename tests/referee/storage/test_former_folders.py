"""Folders of versions before the import packages were renamed."""

from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import orjson
import pytest
from c4_referee.bots.spec import BotSpec
from c4_referee.storage.database import DATABASE_FILE
from c4_referee.storage.fingerprint import fingerprint_of_bot
from c4_referee.storage.store import Entrant, Store
from kept import CONTROLS, KEYS, line, numbers

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


def write_former_folder(folder: Path, specs: tuple[BotSpec, BotSpec]) -> None:
    """Write a folder with one game, as the version before the renaming did."""
    folder.mkdir()
    marks = [former_fingerprint(bot.name, bot.command, FORMER) for bot in specs]
    identity = {
        "bots": [
            {"name": bot.name, "fingerprint": mark} for bot, mark in zip(specs, marks, strict=True)
        ],
        "variant": {  # written out, because these versions did not know the steal
            "width": 7,
            "height": 6,
            "connect": 4,
            "gravity": True,
            "directions": ["horizontal", "vertical", "diagonal"],
        },
        "controls": [asdict(control) for control in CONTROLS],
    }
    settings = orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)
    entrants = [
        Entrant(bot.name, orjson.dumps(bot.command).decode(), mark)
        for bot, mark in zip(specs, marks, strict=True)
    ]
    with Store(folder / DATABASE_FILE) as store:
        event = store.enter(sha256(settings).hexdigest(), settings.decode(), entrants)
        store.issue(event, KEYS[0])
        store.commit(event, KEYS[0], line())


def test_games_of_the_former_console_script_count(tmp_path, specs) -> None:
    """A game that was stored before the renaming is found after it."""
    install(tmp_path, PRESENT)
    write_former_folder(tmp_path / "out", specs)
    assert numbers(tmp_path / "out", specs=specs) == [1]


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
