"""The data of a student are removed, and nothing else."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.forget import forget
from c4_referee.classroom.open import inbox
from c4_referee.classroom.open.ladder import FAULTS_FILE, PLACED_FILE
from c4_referee.classroom.open.links import make_links
from c4_referee.classroom.runs import Run
from c4_referee.classroom.steps import take_steps
from enlisted import enlist
from handed_in import alias_of, hand_in, open_room

pytestmark = pytest.mark.linux


def test_nothing_of_a_student_is_left(tmp_path):
    """No file has the name or a submission. The same data of another student stay."""
    with open_room(tmp_path, "Ada Lovelace", "Ben Carter") as room:
        ada, ben = (alias_of(room, name) for name in ("Ada Lovelace", "Ben Carter"))
        make_links(room)
        enlist(room, {ada: "print('secret of ada')", ben: "print('secret of ben')"})
        for name, alias in (("Ada Lovelace", ada), ("Ben Carter", ben)):
            hand_in(room, alias, ("bot.py", f"# secret of {name[:3].lower()}".encode()))
            room.bots.put(alias, f"{name}, version 1", {"command": "x"}, {})
        room.bots.save()
        inbox.waiting(tmp_path)[0][0].rename(tmp_path / "inbox" / f".unread-1-{ada}")
        (tmp_path / "ladder").mkdir()
        for file in (PLACED_FILE, FAULTS_FILE):
            (tmp_path / "ladder" / file).write_text(f'{{"{ada}": 1, "{ben}": 1}}', encoding="utf-8")
        room.runs.save(Run(name="2026-11-23", names={ada: "Ada Lovelace", ben: "Ben Carter"}))
        take_steps(room, None, "publish", lambda *_: None)
        with pytest.raises(UsageError, match="no bot is of 'Ada'"):
            forget(room, "Ada")
        assert ada in forget(room, "Ada Lovelace")
        with pytest.raises(UsageError, match="no bot"):
            forget(room, ada)
    texts = {
        path: path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and path.name != "students.csv"
    }
    assert ada not in "".join(path.read_text() for path in (tmp_path / "ladder").iterdir())
    left = [*map(str, texts), *map(str, texts.values())]
    assert not any(word in text for text in left for word in ("Lovelace", "secret of ada"))
    assert any("Ben Carter" in text for text in left)
    assert sum("secret of ben" in text for text in left) == 2
    with open_room(tmp_path) as room:
        assert alias_of(room, "Ada Lovelace") != ada  # the list still has her
        assert room.register.class_of.retired == [ada]
