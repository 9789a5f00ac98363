"""Links of an open class: one for each student or group, which stays until it is removed."""

import csv
import stat

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.open.links import LINKS_FILE, Links, make_links
from enlisted import enlist
from handed_in import alias_of, open_room

pytestmark = pytest.mark.linux


def links_of(room) -> dict[str, str]:
    """Return the link of each bot, as the instructor reads it."""
    with (room.folder / LINKS_FILE).open(encoding="utf-8-sig", newline="") as file:
        return {row["bot"]: row["link"] for row in csv.DictReader(file)}


def replace_link(room, link: str, other: str) -> None:
    """Change a link in the file as an instructor does."""
    path = room.folder / LINKS_FILE
    path.write_text(path.read_text(encoding="utf-8-sig").replace(link, other), encoding="utf-8")


def test_group_has_one_link(tmp_path):
    """Students with the same folder share a bot and its link. Only the user can read the file."""
    listed = "Name,Folder\nAda,one\nBen,one\nCy,two\nDi,\n"
    with open_room(tmp_path, listed=listed) as room:
        assert make_links(room) == 4  # with that of the instructor
        names = {each.name for each in room.register.students}
        assert names == {"Ada, Ben", "Cy", "Di"}
        assert len({*links_of(room).values()}) == 4
        assert stat.S_IMODE((tmp_path / LINKS_FILE).stat().st_mode) == 0o600
    with open_room(tmp_path) as room:
        before = links_of(room)
        assert (make_links(room), links_of(room)) == (0, before)


@pytest.mark.parametrize("other", ["", "hand-in/short", "of another student"])
def test_removed_link_is_renewed(tmp_path, other):
    """The old one is worth nothing at once. A link that is easy to guess is none."""
    with open_room(tmp_path, "Ada", "Ben") as room:
        make_links(room)
        before, (ada, ben) = links_of(room), (alias_of(room, name) for name in ("Ada", "Ben"))
        links, (_, _, secret) = Links(tmp_path), before[ada].partition("/")
        assert (links.bot_of(secret), links.bot_of("ö" * 22)) == (ada, None)
        replace_link(room, before[ada], before[ben] if "student" in other else other)
        assert links.bot_of(secret) is None
        assert make_links(room) >= 1
        assert before[ada] not in links_of(room).values()
        assert (links_of(room)[ben] == before[ben]) is ("student" not in other)
        assert links.bot_of(links_of(room)[ada].partition("/")[2]) == ada


def test_students_of_downloads_keep_their_versions(tmp_path):
    """A class with downloads can be opened. Who leaves the list before a hand-in is gone."""
    with open_room(tmp_path, "Ada", "Ben") as room:
        enlist(room, {alias_of(room, "Ada"): "0"})
        before = alias_of(room, "Ada")
    (tmp_path / "students.csv").write_text("Name,Email\nCy,c@x.org\n", encoding="utf-8")
    with open_room(tmp_path) as room:
        here = {each.name: (each.is_here, each.playing) for each in room.register.students}
        assert here == {"Ada": (True, 1), "Cy": (False, 0)}
        assert alias_of(room, "Ada") == before


def test_class_without_students_is_a_mistake(tmp_path):
    """The command says which file to write."""
    with (
        pytest.raises(UsageError, match=r"students\.csv"),
        open_room(tmp_path, listed="Name,Email\n"),
    ):
        pass
