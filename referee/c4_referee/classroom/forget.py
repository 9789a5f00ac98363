"""The data of a student are removed from a class. Games stay, under the alias of the bot."""

import shutil
from contextlib import suppress

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.folder import FILES_OF_FEEDBACK, Classroom
from c4_referee.classroom.open import inbox
from c4_referee.classroom.open.ladder import LADDER, forget_on_ladder
from c4_referee.classroom.open.links import LINKS_FILE, make_links
from c4_referee.classroom.publish import FEEDBACK, SIMILAR_FILE
from c4_referee.classroom.who import LIST_FILE


def forget(room: Classroom, name: str) -> str:
    """Remove the bot with an alias, or that of the student with a name. Return a line for people.

    The student is removed last, so the same command goes on if this was killed. Raises
    ``UsageError`` unless this is one bot.
    """
    register = room.register
    found = [each for each in register.students if name in {each.alias, each.name}]
    if len(found) != 1:
        number = "several bots are" if found else "no bot is"
        raise UsageError(f"{number} of '{name}': name the bot, as in {room.folder / LINKS_FILE}")
    (student,) = found
    folders = [register.folder / student.alias]
    folders += [room.folder / FEEDBACK / room.folder_names[student.alias]]
    handed_in = room.folder / inbox.INBOX
    folders += handed_in.glob(f"*[0-9]-{student.alias}")
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            raise UsageError(f"cannot remove {folder}: remove it, and try again")
    files = [room.folder / FEEDBACK / each for each in FILES_OF_FEEDBACK]
    for path in (*files, room.folder / SIMILAR_FILE):  # the next run writes them anew
        with suppress(FileNotFoundError):
            path.unlink()
    forget_on_ladder(room.folder / LADDER, student.alias)
    room.bots.remove(student.alias)
    room.bots.save()
    for run in room.runs.all():
        if run.names and run.names.pop(student.alias, None):
            room.runs.save(run)
    del register.class_of.students[student.alias]
    register.class_of.retired.append(student.alias)
    register.save()
    if (room.folder / LINKS_FILE).exists():
        make_links(room)
    return (
        f"{student.alias} is nobody's bot now; remove {student.name} from {LIST_FILE} and from the "
        "download, too, and publish again"
    )
