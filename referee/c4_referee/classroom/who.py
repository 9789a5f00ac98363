"""Who is who: the people of a download and of the list of the class, and the bots they have.

A person of the list is found among those who are known already, and then a person of a submission
among all of these: by the first of ``KINDS`` that both have. A text that two people have finds
nobody. Nobody is guessed: the instructor is asked.

A bot belongs to a set of people, and no two bots share a person. A group keeps the bot of most of
its members. Nobody gets another bot unless a group changes.
"""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from unicodedata import normalize

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.aliases import new_alias
from c4_referee.classroom.students import Student, Students
from c4_referee.classroom.submissions.handed import Download, Handed, Person, person_of
from c4_referee.classroom.submissions.platforms import POSSIBLE
from c4_referee.system.safe_files import read_file

LIST_FILE = "students.csv"
"""Name of the optional file with the people of a class."""
MAX_LIST_BYTES = 16 << 20
IDS = ("number", "email", "user")
"""Kinds of texts that differ for any two people."""
KINDS = ("key", "folder", *IDS, "name")
Groups = list[tuple[Handed, list[Person]]]
"""Submissions, each with its people."""


def read_list(path: Path) -> list[Person]:
    """Return the people in ``students.csv``, if there is one.

    The first row has the headings of the columns (``handed.KINDS``). If two of them are not there,
    each row is a folder and a name.
    """
    if not path.exists():
        return []
    try:
        text = read_file(path, MAX_LIST_BYTES).decode("utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        cells = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        rows = [[cell.strip() for cell in row] for row in cells if any(row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    headings = person_of(dict.fromkeys(rows[0], "x") if rows else {})
    has_headings = headings.name == "x x" or sum(bool(getattr(headings, it)) for it in KINDS) > 1
    titles = rows[0] if has_headings else ["folder", "name"]
    needed = "a name, a number or an address" if has_headings else "a folder, a comma and a name"
    people = []
    for number, row in enumerate(rows[has_headings:], 1 + has_headings):
        person = person_of(dict(zip(titles, row, strict=False)))
        if not (person.shown if has_headings else person.folder and person.name):
            raise UsageError(f"{path}, row {number}: write {needed}")
        if person.name != POSSIBLE.strip():  # a gradebook of Canvas has such a row
            people.append(person)
    return people


def enlist(
    roll: Students, download: Download, listed: Sequence[Person], staff: Collection[str]
) -> tuple[list[tuple[Handed, Student]], list[str]]:
    """Find the bot of each submission, and make bots for new students and groups.

    ``staff`` are names that no bot gets. Returns also lines for the instructor.
    """
    bots = [*roll.students.values()]
    before = {bot.alias: bot.people for bot in bots}
    on_list = _people_on_list(bots, listed)
    known = [*on_list, *_but(on_list, [person for bot in bots for person in bot.people])]
    groups, new = _groups(download, known, on_list)
    found = _bots_of(groups, bots)
    here = [person for _, people in groups for person in people]
    for bot in bots:
        bot.is_here, bot.people = False, _but(here, bot.people)
    kept = [bot for bot in bots if all(bot is not it for it in found.values())]
    owners = [person for bot in kept for person in bot.people]
    absent = [(None, [person]) for person in _but([*here, *owners], on_list)]
    taken = {*staff, *roll.retired, *before}
    handed: list[tuple[Handed, Student]] = []
    for number, (one, people) in enumerate([*groups, *absent]):
        bot = found.get(number) or Student(key="", name="", alias=new_alias(taken), people=[])
        bot.people = people
        if bot.alias not in taken:
            bots.append(bot)
            taken.add(bot.alias)
        if one:
            bot.is_here, bot.key, bot.returned = True, one.key, one.returned
            handed.append((one, bot))
    lines = [*_changes(bots, before), *_questions(download, here, new, _but(here, on_list))]
    on_list_or_known = {*map(id, on_list), *(id(person) for person in known if person.key)}
    for bot in bots:
        bot.name = ", ".join(person.shown for person in bot.people)
        if not (bot.versions or bot.is_here or on_list_or_known & {*map(id, bot.people)}):
            bot.people = []  # nobody who has left the list without a submission is missing
    roll.retired += [bot.alias for bot in bots if bot.versions and not bot.people]
    roll.students = {bot.alias: bot for bot in bots if bot.people}
    roll.platform = download.platform
    return handed, lines


def _but(some: Sequence[Person], people: Sequence[Person]) -> list[Person]:
    """Return the people who are none of ``some``."""
    left_out = set(map(id, some))
    return [person for person in people if id(person) not in left_out]


def _people_on_list(bots: Sequence[Student], listed: Sequence[Person]) -> list[Person]:
    """Return the people of the list: those who are known already, with what the list says now."""
    known = [person for bot in bots for person in bot.people]
    places = {id(bot.people[0]): _places(bot) for bot in bots if len(bot.people) == 1}
    found = _joined(listed, known, places)
    for row in listed:
        if person := found.get(id(row)):
            person.folder = row.folder
            _learn(person, row, (*IDS, "name"))
    return [found.get(id(row), row) for row in listed]


def _places(one: Handed | Student) -> set[str]:
    """Return how the list of the class may call a submission."""
    return {one.key.partition(":")[2], one.returned}


def _learn(person: Person, other: Person, kinds: Sequence[str]) -> None:
    """Take over what is known of the same person."""
    for kind in kinds:
        setattr(person, kind, getattr(other, kind) or getattr(person, kind))


def _groups(
    download: Download, known: Sequence[Person], on_list: Sequence[Person]
) -> tuple[Groups, list[Person]]:
    """Return the people of each submission, and those among them who were not known.

    A submission belongs to all whose rows in the list have its folder.
    """
    own = {id(one): one.people for one in download.handed}
    by_list = {
        id(one): [person for person in on_list if person.folder and person.folder in _places(one)]
        for one in download.handed
        if len(own[id(one)]) == 1
    }
    named = [person for people in by_list.values() for person in people]
    others = [person for key, people in own.items() if not by_list.get(key) for person in people]
    places = {id(own[id(one)][0]): _places(one) for one in download.handed if id(one) in by_list}
    found, listed = _joined(others, _but(named, known), places), {*map(id, on_list)}
    groups, new, taken = Groups(), list[Person](), list[Person]()
    for one in sorted(download.handed, key=lambda one: one.time, reverse=True):  # the last counts
        theirs = own[id(one)]
        people = by_list.get(id(one)) or [found.get(id(person), person) for person in theirs]
        for person, other in zip_longest(people, theirs, fillvalue=theirs[0]):
            person.columns = other.columns
            if len(people) == len(theirs):
                for former in known:
                    former.key = "" if former.key == other.key else former.key
                person.key, is_listed = other.key, id(person) in listed
                kinds = (*IDS, "name")
                _learn(
                    person, other, [it for it in kinds if not (is_listed and getattr(person, it))]
                )
        new += _but(known, people)
        if people := _but(taken, people):
            groups.append((one, people))
            taken += people
    return groups, new


def _joined(
    others: Sequence[Person], known: Sequence[Person], places: Mapping[int, set[str]]
) -> dict[int, Person]:
    """Return the known person who is the same as one of the others, by the id of that object.

    ``places`` are more texts that stand for the folder of a person, by the id of the object.
    """
    found: dict[int, Person] = {}
    for kind in KINDS:
        ours = _by_text(_but([*found.values()], known), kind, places)
        theirs = _by_text([it for it in others if id(it) not in found], kind, places)
        for text, other in theirs.items():
            person, used = ours.get(text), {*map(id, found.values())}
            if person is None or id(person) in used:
                continue
            if kind in {"key", "folder"} or _may_be(person, other, kind):
                found[id(other)] = person
    return found


def _by_text(
    people: Sequence[Person], kind: str, places: Mapping[int, set[str]]
) -> dict[str, Person]:
    """Return people by their texts of a kind, without the texts that several people have."""
    found: dict[str, list[Person]] = {}
    for person in people:
        texts = {_text(person, kind)}
        if kind == "folder":
            texts |= places.get(id(person), set())
        elif kind in IDS and texts == {""} and person.key.startswith("folder:"):
            texts = {person.key.removeprefix("folder:").casefold()}  # a folder can have any name
        for text in texts - {""}:
            found.setdefault(text, []).append(person)
    return {text: people[0] for text, people in found.items() if len(people) == 1}


def _text(person: Person, kind: str) -> str:
    """Return a text of a person in the form in which it is compared."""
    text: str = getattr(person, kind)
    if kind == "name":  # platforms leave out blanks, and change the order of first and last names
        return "".join(sorted(filter(str.isalnum, normalize("NFKC", text).casefold())))
    if kind == "number":  # Brightspace writes a sign before it, and spreadsheets remove zeros
        return text.lstrip("#0").casefold()
    return text.casefold() if kind in IDS else text


def _may_be(person: Person, other: Person, kind: str) -> bool:
    """Return whether nothing says that two people with the same text are not the same person."""
    stronger = IDS if kind == "name" else IDS[: IDS.index(kind)]
    texts = [(_text(person, it), _text(other, it)) for it in stronger]
    if kind == "name" and person.key != other.key:
        keys = person.key.partition(":")[0], other.key.partition(":")[0]
        texts.append((keys[0], "another" if keys[0] == keys[1] else ""))
    return all(one == two or not one or not two for one, two in texts)


def _bots_of(groups: Groups, bots: Sequence[Student]) -> dict[int, Student]:
    """Return the bots of submissions that have one, by the number of the submission.

    A submission gets the bot with most of its people. Of two submissions with people of the same
    bot, the smaller group has a greater share in it.
    """
    choices = []
    for number, (handed, people) in enumerate(groups):
        members = set(map(id, people))
        for bot in bots:
            places = [place for place, person in enumerate(bot.people) if id(person) in members]
            if places or bot.key == handed.key:
                common = len(places) + (bot.key == handed.key) / 2
                rank = (not bot.versions, -common, len(people), *places[:1])
                choices.append((rank, number, bot))
    found: dict[int, Student] = {}
    for _, number, bot in sorted(choices, key=lambda choice: (choice[0], choice[2].alias)):
        if number not in found and all(bot is not it for it in found.values()):
            found[number] = bot
    return found


def _changes(bots: Sequence[Student], before: Mapping[str, Sequence[Person]]) -> Iterator[str]:
    """Generate lines on bots that have other people now."""
    moved = {id(person) for people in before.values() for person in people}
    for bot in sorted(bots, key=lambda bot: bot.alias):
        old, now = before.get(bot.alias, []), bot.people
        names, earlier = (", ".join(person.shown for person in them) for them in (now, old))
        if bot.versions and not now:
            yield f"{bot.alias} plays no more: {earlier} handed in with others"
        elif bot.versions and {*map(id, old)} != {*map(id, now)} and names != earlier:
            yield f"{bot.alias} is the bot of {names} now, and was that of {earlier}"
        elif not old and any(id(person) in moved for person in now):
            yield f"{bot.alias} is the new bot of {names}"


def _questions(
    download: Download, here: Sequence[Person], new: Sequence[Person], missing: Sequence[Person]
) -> Iterator[str]:
    """Generate lines on what the instructor has to write into the list of the class.

    ``new`` are people who are not on it, and ``missing`` those on it who have handed in nothing.
    """
    if any(not person.key for person in missing):
        for person in new:
            text, column = person.key.partition(":")[2], "folder"
            if download.platform == "gradescope":
                column = "email" if person.email else "number"
            row = f"write {text} into the column {column} of the student's row"
            yield f"{person.shown} is not in {LIST_FILE}: {row}"
    if download.platform == "brightspace" and not all(it.number or it.user for it in here):
        yield (
            f"Brightspace needs a number or a user name for each grade: write the list of the "
            f"class, with the columns OrgDefinedId, Username and Name, into {LIST_FILE}"
        )
