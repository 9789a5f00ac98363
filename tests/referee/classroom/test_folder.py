"""The folder of a class: each student has feedback in a folder of its own."""

from c4_referee.classroom.folder import opened
from c4_referee.classroom.students import Student


def test_no_two_students_share_a_folder_of_feedback(tmp_path):
    """Students choose their names: those of others, of files and of folders of others."""
    names = ["Ada", "ada", "feedback.zip", "Grades.csv", "Ada (a-otter)", "../x", "..\\x", "", "."]
    with opened(tmp_path) as room:
        for name, letter in zip(names, "abcdefghi", strict=True):
            student = Student(key=letter, name=name, alias=f"{letter}-otter")
            room.register.class_of.students[letter] = student
        found = room.folder_names
    assert len(
        {name.casefold() for name in found.values()} - {"feedback.zip", "grades.csv"}
    ) == len(names)
    assert not any(name.startswith(".") or "/" in name for name in found.values())
    assert found["e-otter"] != found["a-otter"] == "Ada (a-otter)"
