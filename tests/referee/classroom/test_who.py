"""Everybody keeps the bot: late, again, in a group, and first listed or first handed in."""

from dataclasses import replace

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.students import Students, Version
from c4_referee.classroom.submissions.handed import Download, Handed, Person, person_of
from c4_referee.classroom.who import enlist, read_list
from hypothesis import given
from hypothesis import strategies as st

GROUPS = st.lists(st.integers(0, 3), min_size=6, max_size=6)
"""Number of the group of each of six people. The first group hands in nothing."""
NIGHTS = st.lists(st.tuples(GROUPS, st.sets(st.integers(0, 5)), st.booleans()), max_size=6)
"""Groups of each night, who is listed with a number, and whether there is a list."""


def handed(platform: str, group: list[int]) -> Handed:
    """Return a submission of people with these numbers, as a platform hands it out."""
    if platform != "gradescope":
        columns = {"Full name": f"Student {group[0]}"}
        return Handed(f"{platform}:{group[0] + 70}", columns["Full name"], (), columns=columns)
    members = [
        person_of({"SID": f"00{it}1", "Email": f"{it}@x.org"}, f"gradescope:{it}@x.org", f"S {it}")
        for it in group
    ]
    return Handed("gradescope:" + ",".join(map(str, group)), "", (), members=tuple(members))


def night(roll: Students, download: list[Handed], listed=(), platform="moodle") -> list[str]:
    """Take in a download, in which each submission is a version, and return the lines."""
    rows = [row.model_copy() for row in listed]
    found, lines = enlist(roll, Download(platform, tuple(download)), rows, ())
    for _, bot in found:
        bot.versions.append(Version(digest=str(len(bot.versions)), handed_in=""))
        bot.latest = len(bot.versions)
    return lines


def owners(roll: Students) -> dict[str, set[str]]:
    """Return the names of the people of each bot by its alias."""
    return {alias: {it.shown for it in bot.people} for alias, bot in roll.students.items()}


@given(st.sampled_from(["moodle", "gradescope"]), NIGHTS)
def test_bots_stay_with_their_people(platform, nights):
    """In any order of nights, no two bots share a person, and no alias changes without need.

    A group keeps a bot if it has more of the bot's people than any other group, and more people of
    this bot than of any other one.
    """
    roll, alone = Students(), platform == "moodle"
    for places, numbered, has_list in nights:
        old = {
            alias: {int(it.name[-1]) for it in bot.people}
            for alias, bot in Students.model_validate_json(roll.model_dump_json()).students.items()
            if bot.versions
        }
        rows = [
            Person(number=f"{it}1" * (it in numbered), name=f"{'Student' if alone else 'S'} {it}")
            for it in range(6 * has_list)
        ]
        groups = [[it for it in range(6) if places[it] == number] for number in (1, 2, 3)]
        groups = [[it] for it in range(6) if places[it]] if alone else [*filter(None, groups)]
        roll = Students.model_validate_json(roll.model_dump_json())
        night(roll, [handed(platform, group) for group in groups], rows, platform)
        now = {
            alias: {int(it.name[-1]) for it in bot.people} for alias, bot in roll.students.items()
        }
        people = [person for bot in now.values() for person in bot]
        assert len(people) == len({*people})
        assert not has_list or {*people} == {*range(6)}
        assert all({*group} in now.values() for group in groups)
        handing_in = {it for group in groups for it in group}
        for alias, bot in old.items():
            if not bot & handing_in:
                assert now[alias] == bot
            for group in map(set, groups):
                others = [len(bot & {*it}) for it in groups if {*it} != group]
                others += [len(it & group) for its, it in old.items() if its != alias]
                if len(bot & group) > max(others, default=0):
                    assert now[alias] == group


def test_listed_student_is_joined(tmp_path):
    """A number decides, then an address, then a full name that only one has, in any order."""
    text = """Student number;First name;Last name;E-mail address
#0017;Ada;Lovelace;ada@x.org
18;Wei;Zhang;wei@x.org
19;Wei;Zhang;
"""
    (tmp_path / "students.csv").write_text("\ufeff" + text, encoding="utf-8")
    listed, roll = read_list(tmp_path / "students.csv"), Students()
    assert [it.name for it in listed] == ["Ada Lovelace", "Wei Zhang", "Wei Zhang"]
    lines = night(roll, [], listed)
    aliases = {it.people[0].number: alias for alias, it in roll.students.items()}
    files = [("canvas:5", "lovelaceada"), ("canvas:6", "zhangwei")]
    lines = night(roll, [Handed(*each, ()) for each in files], listed, "canvas")
    assert roll.students[aliases["#0017"]].latest == 1
    assert lines == [
        "zhangwei is not in students.csv: write 6 into the column folder of the student's row"
    ]
    before = next(alias for alias, bot in roll.students.items() if bot.key == "canvas:6")
    listed[2].folder = "6"
    assert night(roll, [Handed(*each, ()) for each in files], listed, "canvas") == []
    assert roll.students[before].people[0].number == "19"
    assert len(roll.students) == 3


def test_group_of_the_list_has_one_bot():
    """Rows with the same folder are of a group. It keeps the bot that it had before the list."""
    roll, one = Students(), Handed("moodle:12", "GROUP 12", (), returned="GROUP_12_x")
    night(roll, [one])
    (alias,) = roll.students
    lines = night(roll, [one], [Person(folder="12", name="Ada"), Person(folder="12", name="Bob")])
    assert owners(roll) == {alias: {"Ada", "Bob"}}
    assert lines == [f"{alias} is the bot of Ada, Bob now, and was that of GROUP 12"]


def test_folder_of_the_list_corrects_a_name():
    """The bot goes to the student whose row has the folder, and stays when the column goes."""
    roll, one = Students(), Handed("moodle:7", "Ada", ())
    night(roll, [one], [Person(name="Ada"), Person(name="Bob")])
    alias = next(alias for alias, bot in roll.students.items() if bot.versions)
    for folder in ("7", ""):
        night(roll, [one], [Person(name="Ada"), Person(name="Bob", folder=folder)])
        assert owners(roll)[alias] == {"Bob"}
        assert len(roll.students) == 2
    other = Handed("moodle:8", "xyz", ())
    assert night(roll, [one, other], [Person(name="Ada", folder="8"), Person(name="Bob")]) == []
    assert sorted(owners(roll).values(), key=str) == [{"Ada"}, {"Bob"}]


def test_namesake_is_another_student():
    """A new number on the same platform is a new student, also if the other one is missing."""
    roll = Students()
    night(roll, [Handed("moodle:5", "Wei Zhang", ())], [Person(name="Wei Zhang")])
    night(roll, [Handed("moodle:6", "Wei Zhang", ())], [Person(name="Wei Zhang")])
    assert sorted(bot.key for bot in roll.students.values()) == ["moodle:5", "moodle:6"]


def test_folder_can_have_a_number_as_its_name():
    """Folders are found by numbers, addresses and user names of the list."""
    roll, files = Students(), [Handed(f"folder:{it}", it, ()) for it in ("0017", "al")]
    night(roll, files, [Person(number="17", name="Ada"), Person(user="AL", name="Bob")], "plain")
    assert sorted(bot.name for bot in roll.students.values() if bot.versions) == ["Ada", "Bob"]
    assert len(roll.students) == 2


def test_smaller_group_keeps_a_shared_bot():
    """It has a greater share in the bot. Of two submissions of a person, the last one counts."""
    roll = Students()
    night(roll, [handed("gradescope", [0, 1])], (), "gradescope")
    (alias,) = roll.students
    first, last = handed("gradescope", [0, 2]), replace(handed("gradescope", [1, 2]), time="2")
    night(roll, [first, last], (), "gradescope")
    assert sorted(owners(roll).values(), key=len) == [{"S 0"}, {"S 1", "S 2"}]
    assert owners(roll)[alias] == {"S 0"}


def test_merge_and_split_are_shown():
    """Lines say which bots have other people, which are new, and which play no more."""
    roll = Students()
    night(roll, [handed("gradescope", [0]), handed("gradescope", [1, 2])], (), "gradescope")
    one, two = sorted(roll.students, key=lambda alias: len(roll.students[alias].people))
    assert sorted(night(roll, [handed("gradescope", [0, 1, 2])], (), "gradescope")) == sorted(
        [
            f"{one} plays no more: S 0 handed in with others",
            f"{two} is the bot of S 0, S 1, S 2 now, and was that of S 1, S 2",
        ]
    )
    assert (owners(roll), roll.retired) == ({two: {"S 0", "S 1", "S 2"}}, [one])
    lines = night(roll, [handed("gradescope", [0]), handed("gradescope", [1, 2])], (), "gradescope")
    new = next(alias for alias in roll.students if alias != two)
    assert f"{new} is the new bot of S 0" in lines


def test_who_has_left_the_list_is_not_missing():
    """A person without a submission who is no longer listed goes. Others stay."""
    roll = Students()
    night(roll, [handed("moodle", [1])], [Person(name="Student 1"), Person(name="Typo")])
    night(roll, [], [Person(name="Ada")])
    assert sorted(bot.name for bot in roll.students.values()) == ["Ada", "Student 1"]


def test_brightspace_needs_the_list():
    """Its file of grades has numbers, which its download has not."""
    roll, one = Students(), Handed("brightspace:1", "Ada Lovelace", ())
    (line,) = night(roll, [one], (), "brightspace")
    assert "write the list of the class" in line
    row = person_of({"OrgDefinedId": "#5", "Username": "#al", "Name": "Ada Lovelace"})
    assert night(roll, [one], [row], "brightspace") == []
    (bot,) = roll.students.values()
    assert (bot.people[0].cells["OrgDefinedId"], bot.people[0].cells["Username"]) == ("#5", "#al")


@pytest.mark.parametrize("text", ["ada,Ada\nbob\n", "Name,Email\n,a@x.org\n,,\n"])
def test_row_without_a_person_is_named(tmp_path, text):
    """An error says which row is wrong, also after a row that has no name."""
    path = tmp_path / "students.csv"
    path.write_text(text, encoding="utf-8")
    if text.startswith("ada"):
        with pytest.raises(UsageError, match=r"students\.csv, row 2"):
            read_list(path)
    else:
        assert [it.shown for it in read_list(path)] == ["a@x.org"]
