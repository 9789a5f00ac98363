"""Who is who: the people of a download and of the list of the class, and the bots they have.

A person of the list is found among those who are known already, and then a person of a submission
among all of these: by the first of ``KINDS`` that both have. A text that two people have finds
nobody. Nobody is guessed: the instructor is asked.

A bot belongs to a set of people, and no two bots share a person. A group keeps the bot of most of
its members. Nobody gets another bot unless a group changes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from unicodedata import normalize

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.aliases import new_alias
from c4_referee.classroom.csv_files import read_csv
from c4_referee.classroom.students import Student, Students
from c4_referee.classroom.submissions.handed import Download, Handed, Person, person_of
from c4_referee.classroom.submissions.platforms import POSSIBLE

LIST_FILE = "students.csv"
"""Name of the optional file with the people of a class."""
IDS = ("number", "email", "user")
"""Kinds of texts that differ for any two people."""
KINDS = ("key", *IDS, "name")
Groups = list[tuple[Handed | None, list[Person]]]
"""Submissions, each with its people. ``None`` stands for no submission."""


def read_list(path: Path) -> list[Person]:
    """Return the people in ``students.csv``, if there is one.

    The first row has the headings of the columns (``handed.KINDS``). If two of them are not there,
    each row is a folder and a name.
    """
    if not path.exists():
        return []
    rows = [[cell.strip() for cell in row] for row in read_csv(path)[0]]
    headings = person_of(dict.fromkeys(rows[0], "x") if rows else {})
    kinds = [kind for kind in ("folder", *IDS, "name") if getattr(headings, kind)]
    has_headings = len(kinds) > 1 or headings.name == "x x"
    titles, people = rows[0] if has_headings else ["folder", "name"], []
    for number, row in enumerate(rows[has_headings:], 1 + has_headings):
        person = person_of(dict(zip(titles, row, strict=False)))
        if not (has_headings or person.name):
            raise UsageError(f"{path}, row {number}: write a folder, a comma and a name")
        if person.shown and person.name != POSSIBLE.strip():  # Canvas has a row of this name
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
    known = list(dict.fromkeys([*on_list, *(person for bot in bots for person in bot.people)]))
    groups = _groups(download, known, on_list)
    found = _bots_of(groups, bots)
    here = {person: one for one, people in groups for person in people}
    for bot in bots:
        bot.is_here, bot.people = False, [it for it in bot.people if it not in here]
    kept = [bot.people for bot in bots if all(bot is not it for it in found.values())]
    busy = here.keys() | {person for people in kept for person in people}
    taken = {*staff, *roll.retired, *before}
    handed: list[tuple[Handed, Student]] = []
    groups += [(None, [person]) for person in on_list if person not in busy]
    for number, (one, people) in enumerate(groups):
        bot = found.get(number) or Student(key="", name="", alias=new_alias(taken))
        bot.people = people
        if bot.alias not in taken:
            bots.append(bot)
            taken.add(bot.alias)
        if one:
            bot.is_here, bot.key, bot.returned = True, one.key, one.returned
            handed.append((one, bot))
    new = [person for person in here if person not in known]
    missing = [person for person in on_list if person not in here]
    lines = [*_changes(bots, before), *_questions(download, [*here], new, missing)]
    for bot in bots:
        bot.name = ", ".join(person.shown for person in bot.people)
    roll.retired += [bot.alias for bot in bots if bot.versions and not bot.people]
    roll.students = {  # without those who have left the list, and have handed in nothing
        bot.alias: bot
        for bot in bots
        if bot.people and (bot.versions or any(it.key or it in on_list for it in bot.people))
    }
    roll.platform = download.platform
    return handed, lines


def _people_on_list(bots: Sequence[Student], listed: Sequence[Person]) -> list[Person]:
    """Return the people of the list: those who are known already, with what the list says now."""
    alone = [bot for bot in bots if len(bot.people) == 1]
    places = {it: bot.people[0] for bot in alone for it in (bot.people[0].folder, *_places(bot))}
    counts = Counter(row.folder for row in listed)
    rows = [row for row in listed if row.folder and counts[row.folder] == 1]
    found = {row: places[row.folder] for row in rows if row.folder in places}
    known = [person for bot in bots for person in bot.people]
    found |= _joined(
        [row for row in listed if row not in found],
        [person for person in known if person not in found.values()],
    )
    for row, person in found.items():
        person.folder = row.folder
        _learn(person, row, is_right=True)
    return list(dict.fromkeys(found.get(row, row) for row in listed))


def _places(one: Handed | Student) -> set[str]:
    """Return how the list of the class may call a submission."""
    return {one.key.partition(":")[2], one.returned}


def _learn(person: Person, other: Person, *, is_right: bool) -> None:
    """Take over what is known of the same person. ``is_right`` says which of two texts stays."""
    for kind in (*IDS, "name"):
        texts = getattr(person, kind), getattr(other, kind)
        setattr(person, kind, (texts[is_right] or texts[not is_right]))


def _groups(download: Download, known: Sequence[Person], on_list: Sequence[Person]) -> Groups:
    """Return the people of each submission.

    A submission belongs to all whose rows in the list have its folder.
    """
    order = sorted(download.handed, key=lambda one: one.time, reverse=True)
    same: dict[str, Person] = {}
    own = [
        (one, [same.setdefault(it.key, it) for it in one.people], _named(one, on_list))
        for one in order
    ]
    named = {person for _, _, listed in own for person in listed}
    others = {person for _, people, listed in own if not listed for person in people}
    found, groups = _joined(others, [it for it in known if it not in named]), Groups()
    used = set[Person]()
    for one, theirs, listed in own:  # of two submissions of a person, the last one counts
        people = listed or [found.get(person, person) for person in theirs]
        for person, other in zip_longest(people, theirs, fillvalue=theirs[0]):
            person.columns = other.columns
            if len(people) == len(theirs):
                person.key = other.key
                _learn(person, other, is_right=person not in on_list)
        if people := [person for person in people if person not in used]:
            groups.append((one, people))
            used |= {*people}
    return groups


def _named(one: Handed, on_list: Sequence[Person]) -> list[Person]:
    """Return the people whose rows in the list have the folder of a submission."""
    return [it for it in on_list if it.folder in _places(one) - {""} and not one.members]


def _joined(others: Iterable[Person], known: Iterable[Person]) -> dict[Person, Person]:
    """Return the known person who is the same as one of the others, by that other object."""
    found: dict[Person, Person] = {}
    for kind in KINDS:
        ours = _by_text([it for it in known if it not in found.values()], kind)
        theirs = _by_text([it for it in others if it not in found], kind)
        for text in ours.keys() & theirs.keys():
            if _may_be(ours[text], theirs[text], kind):
                found[theirs[text]] = ours[text]
    return found


def _by_text(people: Iterable[Person], kind: str) -> dict[str, Person]:
    """Return people by their texts of a kind, without the texts that several people have."""
    texts = [(_text(person, kind), person) for person in people]
    counts = Counter(text for text, _ in texts)
    return {text: person for text, person in texts if text and counts[text] == 1}


def _text(person: Person, kind: str) -> str:
    """Return a text of a person in the form in which it is compared."""
    text: str = getattr(person, kind)
    if kind == "key":
        return text
    if kind == "name":  # platforms leave out blanks, and change the order of first and last names
        return "".join(sorted(filter(str.isalnum, normalize("NFKC", text).casefold())))
    if not text and person.key.startswith("folder:"):  # it may have any of these as its name
        text = person.key.removeprefix("folder:")
    return text.lstrip("#0" if kind == "number" else "#").casefold()  # as in Brightspace and Excel


def _may_be(person: Person, other: Person, kind: str) -> bool:
    """Return whether nothing says that two people with the same text are not the same person."""
    platforms = {it.key.partition(":")[0] for it in (person, other)}
    if kind == "name" and len(platforms) == 1 and platforms != {""}:
        return False
    pairs = [(getattr(person, it), getattr(other, it), it) for it in KINDS[1 : KINDS.index(kind)]]
    return all(not (one and two) or _text(person, it) == _text(other, it) for one, two, it in pairs)


def _bots_of(groups: Groups, bots: Sequence[Student]) -> dict[int, Student]:
    """Return the bots of submissions that have one, by the number of the submission.

    A submission gets the bot with most of its people. Of two submissions with people of the same
    bot, the smaller group has a greater share in it.
    """
    choices = []
    for number, (handed, people) in enumerate(groups):
        for bot in bots:
            places = [place for place, person in enumerate(bot.people) if person in people]
            if places or (handed and bot.key == handed.key):
                rank = (not bot.versions, -len(places), len(people), *places[:1])
                choices.append((rank, number, bot))
    found: dict[int, Student] = {}
    for _, number, bot in sorted(choices, key=lambda choice: (choice[0], choice[2].alias)):
        if number not in found and all(bot is not it for it in found.values()):
            found[number] = bot
    return found


def _changes(bots: Sequence[Student], before: Mapping[str, Sequence[Person]]) -> Iterator[str]:
    """Generate lines on bots that have other people now."""
    moved = {person for people in before.values() for person in people}
    for bot in sorted(bots, key=lambda bot: bot.alias):
        old, now = before.get(bot.alias, []), bot.people
        names, earlier = (", ".join(person.shown for person in them) for them in (now, old))
        if bot.versions and not now:
            yield f"{bot.alias} plays no more: {earlier} handed in with others"
        elif bot.versions and {*old} != {*now} and names != earlier:
            yield f"{bot.alias} is the bot of {names} now, and was that of {earlier}"
        elif not old and moved.intersection(now):
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
