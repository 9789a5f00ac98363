"""Downloads of course platforms are recognised by their names, and read student by student."""

import csv
import io
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.submissions.handed import Download, Handed, Part, person_of
from c4_referee.classroom.submissions.platforms import grades_rows, read_download
from c4_referee.classroom.submissions.unpacking import gather

MOODLE = "_assignsubmission_file"
GRADESCOPE = """
submission_11:
  :submitters:
  - :name: Anna Muster
    :sid: '0123'
    :email: anna@example.org
  :created_at: 2026-11-23 18:00:00.000000000 Z
  :results: &1
    :score: 1.0
submission_12:
  :submitters:
  - :name: Bob
    :sid: '2'
    :email: bob@example.org
  - :name: Ada
    :sid: '1'
    :email: ada@example.org
  :results: *1
"""


CREATED = datetime(2026, 11, 23, 18, tzinfo=UTC)
"""Time of the first submission in ``GRADESCOPE``. Pages show it in the local time."""


def made(folder: Path, *paths: str, content: str = "1") -> Path:
    """Return a folder with these files. A path that ends with a slash is an empty folder."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            (folder / path).mkdir(exist_ok=True)
        else:
            (folder / path).write_text(content)
    return folder


def download(folder: Path) -> Download:
    """Return the download in a folder, which must not need anything unpacked."""
    return read_download(folder, folder / "never")


def by_key(read: Download, platform: str) -> dict[str, Handed]:
    """Return the submissions by key. They are sorted, and the platform is this one."""
    assert read.platform == platform
    keys = [one.key for one in read.handed]
    assert keys == sorted(set(keys))
    return {one.key: one for one in read.handed}


@pytest.mark.parametrize("end", ["", "_"])
def test_moodle_gives_each_student_a_folder(tmp_path, end):
    """The number identifies a student, also if the names are equal. Old names end with ``_``."""
    names = [f"Anna de la Cruz_{number}{MOODLE}{end}" for number in (1234567, 1234568)]
    names += [f"Participant_77{MOODLE}{end}", f"GROUP_12{MOODLE}{end}"]
    text = "Anna de la Cruz_1234567_assignsubmission_onlinetext"
    made(tmp_path, *(f"{name}/bot.py" for name in names), f"{text}/onlinetext.html")
    read = download(tmp_path)
    students = by_key(read, "moodle")
    assert [*students] == ["moodle:12", "moodle:1234567", "moodle:1234568", "moodle:77"]
    shown = [one.name for one in students.values()]
    assert shown == ["GROUP 12", "Anna de la Cruz", "Anna de la Cruz", "Participant 77"]
    anna = students["moodle:1234567"]
    assert anna.parts == (Part(tmp_path / names[0]),)
    assert anna.returned == names[0]
    columns = {"Identifier": "Participant 1234567", "Full name": "Anna de la Cruz"}
    assert anna.columns == columns
    assert read.ignored == (f"{text}/ holds no files of a student",)


def test_moodle_gives_flat_files(tmp_path):
    """Files with the beginning of a student are parts of one submission, under their own names."""
    start = f"Zoë O'Hara_42{MOODLE}_"
    made(tmp_path, f"{start}my_bot.py", f"{start}lib/x.py", "Zoë O'Hara_42_assignsubmission_x.html")
    student = by_key(download(tmp_path), "moodle")["moodle:42"]
    assert [part.name for part in student.parts] == ["lib", "my_bot.py"]
    assert student.returned == start


def test_nobody_hands_in_for_another_student(tmp_path):
    """A student's own file name that looks like another student's is only a file name."""
    made(tmp_path / "moodle", f"Eve_1{MOODLE}_Bob_2{MOODLE}_bot.py", f"Bob_2{MOODLE}_bot.py")
    students = by_key(download(tmp_path / "moodle"), "moodle")
    assert students["moodle:1"].parts[0].name == f"Bob_2{MOODLE}_bot.py"
    assert len(students["moodle:2"].parts) == 1
    made(tmp_path / "canvas", "eve_1_5_bob_2_6_bot.py", "bob_2_6_bot.py")
    students = by_key(download(tmp_path / "canvas"), "canvas")
    assert students["canvas:1"].parts[0].name == "bob_2_6_bot.py"


def test_canvas_gives_all_attachments_of_a_student(tmp_path):
    """Numbers identify students. What Canvas added to the names is removed."""
    names = ["musteranna_12345_678902_Main-1.java", "musteranna_12345_678901_my_board.java"]
    late = "ozb_LATE_12346_678903_bot.py"
    texts = ["musteranna_12345_text.html", "ozb_LATE_12346_678909_link.html"]
    read = download(made(tmp_path, *names, late, *texts))
    students = by_key(read, "canvas")
    anna, other = students["canvas:12345"], students["canvas:12346"]
    assert [part.name for part in anna.parts] == ["my_board.java", "Main.java"]
    assert (anna.name, anna.late, other.late) == ("musteranna", False, True)
    assert (anna.returned, other.returned) == (names[1], late)
    assert anna.columns == {"Student": "musteranna", "ID": "12345"}
    assert [line.split()[0] for line in read.ignored] == texts


def test_canvas_keeps_numbers_that_tell_two_files_apart(tmp_path):
    """``bot.py`` and ``bot-1.py`` of one student keep their names."""
    made(tmp_path, "a_1_2_bot.py", "a_1_3_bot-1.py", "a_1_4_level-3.py")
    (student,) = download(tmp_path).handed
    assert {part.name for part in student.parts} == {"bot.py", "bot-1.py", "level.py"}


def test_canvas_without_names(tmp_path):
    """The number, or what is in its place, stands for an anonymous student."""
    made(tmp_path, "anon_12345_678901_bot.py", "anon_LATE_Xy9zQ_678902_bot.py")
    students = by_key(download(tmp_path), "canvas")
    assert [one.name for one in students.values()] == ["anon 12345", "anon Xy9zQ"]
    assert students["canvas:Xy9zQ"].late


def test_gradescope_says_who_handed_in(tmp_path):
    """Students are identified by their addresses, because the number changes."""
    root = made(tmp_path, "submission_11/bot.py", "submission_12/bot.py", "submission_13/x.py")
    (root / "submission_metadata.yml").write_text(GRADESCOPE)
    read = download(root)
    students = by_key(read, "gradescope")
    both = students["gradescope:ada@example.org,bob@example.org"]
    assert (both.name, both.returned) == ("Bob, Ada", "")
    assert both.parts == (Part(root / "submission_12"),)
    bob, ada = both.people
    assert (bob.name, bob.number, bob.email) == ("Bob", "2", "bob@example.org")
    cells = {"Name": "Ada", "SID": "1", "Email": "ada@example.org", "Submission ID": "12"}
    assert cells.items() <= ada.cells.items()
    anna = students["gradescope:anna@example.org"]
    utc = datetime.strptime(f"{anna.time} +0000", "%Y-%m-%d %H:%M %z")
    assert (anna.name, utc - utc.astimezone().utcoffset()) == ("Anna Muster", CREATED)
    assert len(read.ignored) == 1


def test_blackboard_is_read_with_its_texts(tmp_path):
    """Texts say who it is, in any language. Titles and users may hold ``_``. The last counts."""
    start, at = "Bot_1_final_zoë_o_42_attempt", "2026-11-2"
    made(
        tmp_path,
        f"{start}_{at}2-08-05-59.txt",
        content="\ufeffNaam: Zoë (Z) Ört (zoë_o_42)\nx: (y)",
    )
    text, late = "Naam: Zoë (Z) Ört (zoë_o_42)\nx: (y)", "Name: Zoë Ört (zoë_o_42)\n\nIt is late."
    made(tmp_path, f"{start}_{at}2-08-05-59.txt", content=f"\ufeff{text}")
    made(tmp_path, f"{start}_{at}2-08-05-59_my_bot.py", f"{start}_{at}1-09-00-00_old.py")
    made(tmp_path, f"{start}_{at}3-10-00-00.txt", content=late)
    eve = f"Bot_1_final_eve_attempt_{at}2-10-00-00_{start}_{at}9-10-00-00_bot.py"
    read = download(made(tmp_path, eve))
    students = by_key(read, "blackboard")
    zoe = students["blackboard:zoë_o_42"]
    assert (zoe.name, zoe.time, zoe.returned) == ("Zoë Ört", "2026-11-22 08:05", "")
    assert [part.name for part in zoe.parts] == ["my_bot.py"]
    assert students["blackboard:eve"].parts[0].name == f"{start}_{at}9-10-00-00_bot.py"
    assert read.ignored == (f"{start}_{at}1-09-00-00_old.py is of an earlier attempt",)


@pytest.mark.parametrize("end", ["/", " - "])
def test_brightspace_is_read_in_folders_and_flat(tmp_path, end):
    """The last attempt counts, and not that of the last name. Times have no colon."""
    days = ("Nov 9, 2026 112 PM", "Nov 9, 2026 1159 AM", "Nov 10, 2025 100 PM")
    zoe = [f"271836-442356 - Zoë - Anne_O'Hara - {day}{end}my - bot.py" for day in days]
    odd = f"271837-442356 - Bob - 24 november 2026 1526{end}bot.py"
    read = download(made(tmp_path, *zoe, odd, "index.html"))
    students = by_key(read, "brightspace")
    one, bob = students["brightspace:271836"], students["brightspace:271837"]
    assert (one.name, one.time, bob.name) == ("Zoë - Anne_O'Hara", "2026-11-09 13:12", "Bob")
    assert one.returned == zoe[0].partition(end if end == "/" else "my")[0]
    gather(one.parts, tmp_path / "gathered")
    assert (tmp_path / "gathered" / "my - bot.py").exists()
    assert [line.endswith(" is an earlier attempt") for line in read.ignored] == [True, True]


@pytest.mark.parametrize(
    ("names", "is_said"),
    [
        (["Muster_Anna_amuster_123456", "Ott_Bob_bott_123457", "x"], True),
        (["Muster, Anna(am1)", "Ott, Bob(bo1)"], True),
        (["Anna Muster 2310401", "Bob", "carl_2"], False),
        (["only_one_123456"], False),
    ],
)
def test_unknown_platform_is_said(tmp_path, names, is_said):
    """Names that a program seems to have made are read as students, with a remark."""
    read = download(made(tmp_path, *(f"{name}/bot.py" for name in names)))
    assert (read.platform, bool(read.remark)) == ("plain", is_said)


LAUGHS = "a: &a {k: 1}\n" + "".join(
    f"{after}: &{after} {{<<: [{', '.join([f'*{before}'] * 30)}]}}\n"
    for before, after in zip("abcdef", "bcdefg", strict=True)
)


@pytest.mark.parametrize(
    "text",
    ["x: !!python/object/apply:os.system [touch hit]", "[" * 9000, "a: [", LAUGHS, "- 1", ""],
)
def test_hostile_metadata_of_gradescope_is_refused(tmp_path, monkeypatch, text):
    """The file is read as data. It runs nothing, and a small one does not become large."""
    monkeypatch.chdir(tmp_path)
    root = made(tmp_path / "root", "submission_1/bot.py")
    (root / "submission_metadata.yml").write_text(text)
    with pytest.raises(UsageError) as caught:
        download(root)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "hit").exists()


@pytest.mark.parametrize(
    ("folder", "common", "users"),
    [
        ("cs1-four_submissions_2026-11-23", "cs1-four-", "anna-b anna-c"),
        ("cs1-four_submissions_2026-11-23", "cs1-four-", "anna"),
        ("four-submissions", "four-", "anna bob"),
        ("clones", "con-four-", "anna bob-2 bob-3"),
    ],
)
def test_repositories_are_named_by_users(tmp_path, folder, common, users):
    """What all clones have in common is removed from their names, but not from their keys."""
    clones = [f"{common}{user}" for user in users.split()]
    root = made(tmp_path / folder, *(f"{clone}/bot.py" for clone in clones))
    students = by_key(download(root), "repositories")
    assert [one.name for one in students.values()] == users.split()
    assert [*students] == [f"folder:{clone}" for clone in clones]
    assert [one.returned for one in students.values()] == clones
    assert students[f"folder:{clones[0]}"].columns == {"User": users.split()[0]}


def test_key_stays_when_a_folder_is_read_in_another_way(tmp_path):
    """A new student may change what the names have in common. The others keep their keys."""
    made(tmp_path, "four-anna/bot.py", "four-andy/bot.py")
    before = by_key(download(tmp_path), "repositories")
    made(tmp_path, "mary/bot.py")
    assert before.keys() < by_key(download(tmp_path), "plain").keys()


def test_plain_folder_has_one_entry_for_each_student(tmp_path):
    """Folders, archives and files are of the student whose name they have."""
    made(tmp_path, "anna/bot.py", "bob.tar.gz", "Čen.py", "Čen.toml", ".hidden", "Thumbs.db")
    students = by_key(download(tmp_path), "plain")
    assert [*students] == ["folder:anna", "folder:bob", "folder:Čen"]
    assert students["folder:anna"].parts == (Part(tmp_path / "anna"),)
    assert [part.name for part in students["folder:Čen"].parts] == ["Čen.py", "Čen.toml"]
    assert students["folder:bob"].columns == {"Folder": "bob"}


def packed(folder: Path, archive: Path) -> Path:
    """Return a zip archive of a folder."""
    return Path(shutil.make_archive(str(archive.with_suffix("")), "zip", folder))


@pytest.mark.parametrize("outer", ["", "again/", "again/and again/"])
@pytest.mark.parametrize(
    ("platform", "name"),
    [
        ("moodle", f"Anna_1{MOODLE}/bot.py"),
        ("canvas", "anna_1_2_bot.py"),
        ("gradescope", "assignment_1_export/submission_11/bot.py"),
        ("blackboard", "Bot_anna_attempt_2026-11-23-18-00-00_bot.py"),
        ("brightspace", "1-2 - Anna - Nov 23, 2026 600 PM/bot.py"),
        ("repositories", "cs1-four_submissions_1/cs1-four-anna/bot.py"),
    ],
)
def test_download_is_recognised_in_outer_folders(tmp_path, platform, name, outer):
    """An archive is read as it was downloaded, or packed again with folders around it."""
    root = made(tmp_path / "root", f"{outer}{name}")
    if platform == "gradescope":
        metadata = root / outer / "assignment_1_export/submission_metadata.yml"
        metadata.write_text(GRADESCOPE)
    for source in (packed(root, tmp_path / "class.zip"), root):
        read = read_download(source, tmp_path / "scratch")
        assert (read.platform, len(read.handed)) == (platform, 1)
        gather(read.handed[0].parts, tmp_path / "gathered" / source.name)
        assert (tmp_path / "gathered" / source.name / "bot.py").read_text() == "1"


def test_packed_plain_folder_is_not_a_student(tmp_path):
    """The folder that was packed is around the students. In a folder, it would be a student."""
    root = made(tmp_path / "root", "class/anna.py", "class/bob/bot.py")
    read = read_download(packed(root, tmp_path / "class.zip"), tmp_path / "scratch")
    assert [one.name for one in read.handed] == ["anna", "bob"]
    assert [one.name for one in download(root).handed] == ["class"]


def test_note_on_what_was_left_out_of_a_download(tmp_path):
    """One bad entry is named, and the rest of the class goes on."""
    root = made(tmp_path / "root", "anna_1_2_bot.py")
    with zipfile.ZipFile(packed(root, tmp_path / "class.zip"), "a") as archive:
        archive.writestr("../eve_3_4_bot.py", "1")
    read = read_download(tmp_path / "class.zip", tmp_path / "scratch")
    assert [one.key for one in read.handed] == ["canvas:1"]
    assert "outside of its folder: '../eve_3_4_bot.py'" in read.ignored[0]


def test_what_is_no_download_is_an_error(tmp_path):
    """A missing path, an empty folder and another file are mistakes of the user."""
    made(tmp_path, "empty/", "bot.py", "text/A_1_assignsubmission_onlinetext.html")
    for name in ("missing", "empty", "bot.py", "text"):
        with pytest.raises(UsageError, match=name) as caught:
            read_download(tmp_path / name, tmp_path / "scratch")
        assert "\n" not in str(caught.value)


ROWS = [({"Identifier": "Participant 1", "Full name": "=1+1"}, 7.256, "@well"), ({}, None, "")]


def test_moodle_gets_its_grading_worksheet():
    """Cells are in the columns of the worksheet, and none of them is a formula."""
    file = io.StringIO()
    csv.writer(file).writerows(grades_rows("moodle", ROWS, "Four", 10))
    first, second = csv.DictReader(io.StringIO(file.getvalue()))
    assert first["Identifier"] == "Participant 1"
    assert (first["Full name"], first["Feedback comments"]) == ("'=1+1", "'@well")
    assert (first["Grade"], first["Maximum grade"], second["Grade"]) == ("7.26", "10", "")
    assert len(first) == 10


def test_canvas_gets_its_gradebook():
    """The column of the assignment comes last, and the second row has the possible points."""
    rows = grades_rows("canvas", [({"Student": "muster", "ID": "5"}, 3.0, "")], "Four (9)", 10)
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Four (9)"]
    assert rows[0] == header
    assert [rows[1][0].strip(), *rows[1][1:]] == ["Points Possible", "", "", "", "", "10"]
    assert rows[2:] == [["muster", "5", "", "", "", "3"]]


def test_blackboard_and_brightspace_get_their_columns():
    """Each takes the columns back that it knows, with the title of the assignment in its form."""
    ada = person_of({"Username": "al", "Number": "5"}, "x:1", "Ada King Lovelace").cells
    rows = grades_rows("blackboard", [(ada, 3.0, "")], "Bot [Total Pts: 9 Score] |66", 10)
    header = ["Last Name", "First Name", "Username", "Bot [Total Pts: 9 Score] |66"]
    assert rows == [header, ["Lovelace", "Ada King", "al", "3"]]
    rows = grades_rows("brightspace", [(ada, 3.0, "")], "Bot", 10)
    header = ["OrgDefinedId", "Username", "Bot Points Grade", "End-of-Line Indicator"]
    assert rows == [header, ["5", "al", "3", "#"]]


@pytest.mark.parametrize(
    ("platform", "columns"),
    [
        ("gradescope", {"Name": "Ada", "SID": "1", "Email": "a@b.c", "Submission ID": "9"}),
        ("repositories", {"User": "ada"}),
        ("plain", {"Folder": "ada"}),
    ],
)
def test_other_platforms_get_a_simple_table(platform, columns):
    """There is a name, what identifies the student, the grade and the comment."""
    header, row = grades_rows(platform, [(columns, 2, "good")], "Four", 10)
    cells = dict(zip(header, row, strict=True))
    wanted = {"Grade": "2", "Feedback comments": "good", "Name": next(iter(columns.values()))}
    assert {title: cell for title, cell in cells.items() if cell} == wanted | columns
