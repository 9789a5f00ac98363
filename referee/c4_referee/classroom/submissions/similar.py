"""Submissions that are the same but for blanks, comments and names, for the instructor alone.

Each source becomes a list of tokens without comments. The names in it are numbered in the order in
which they first appear, and texts in quotes count as equal, because they may hold names. Sources
with the same list have the same digest. Only digests are compared, so a large class takes little
time.

No pattern here takes long on any text, because authors may be hostile. A comment or a text without
an end reaches to the end of the source or of its line. What has begun one is never read again as
something else: the quantifiers are possessive (``*+``), and what follows them always fits.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from c4_protocol.program.text import visible

from c4_referee.bots.languages import BY_ENDING
from c4_referee.classroom.submissions.mains import short_list
from c4_referee.classroom.submissions.time_limit import Exceeded, limited_time
from c4_referee.system.safe_files import read_file

MIN_TOKENS = 30
"""Minimum number of tokens of a source. Shorter ones are equal by chance, and are left out."""
MIN_SHARERS = 3
"""Minimum number of submissions with a source that is a template, which is left out."""
MAX_BYTES = 1 << 20
"""Maximum size of the sources of a submission in bytes. Sources beyond it are left out, and also
those that are left when the time is over."""
SLASHES = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
DOCSTRINGS = r'"""(?:\\.|(?!""")[^\\])*+(?:"""|\\?)' + r"|'''(?:\\.|(?!''')[^\\])*+(?:'''|\\?)"
COMMENTS = {
    ".py": rf"#[^\n]*|{DOCSTRINGS}",
    ".rkt": r";[^\n]*|#\|.*?(?:\|#|\Z)",
    **dict.fromkeys((".pl", ".sh"), r"#[^\n]*"),
}
"""Patterns of comments by the endings of sources. Those of other endings are ``SLASHES``."""
OUR_NAMES = re.compile(r"(?<![\w-])c4[-_](?:bot|solve|protocol)(?!\w)")
"""Pattern of the names of our bot, and of the packages that it imports."""
START_ENDINGS = frozenset({"", ".mk", ".toml", ".json"})
"""Endings of files besides sources that may start a program, such as Makefile."""
TEXTS = r"""(?P<text>"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?|`[^`]*+`?)"""
ENDINGS = frozenset({*BY_ENDING, ".h", ".hpp"})

Files = dict[str, list[str]]
"""Paths of the sources of a submission by digest."""
Group = tuple[tuple[str, ...], str, bool]
"""Names of submissions that share sources, which ones, and whether one of them has no others."""


def similar_groups(folders: Mapping[str, Path]) -> list[Group]:
    """Return groups of submissions that share sources, the most alike and the largest first.

    ``folders`` are the folders of the submissions by name. Sources are the same if they differ only
    in blanks, comments and names. Left out are short sources and those that more than half of the
    class has, as a template that was handed out.
    """
    found = {name: _files_by_digest(folder) for name, folder in folders.items()}
    owners = defaultdict[str, set[str]](set)
    for name, files in found.items():
        for digest in files:
            owners[digest].add(name)
    for digest in [*owners]:
        if len(owners[digest]) >= MIN_SHARERS and 2 * len(owners[digest]) > len(found):
            for name in owners.pop(digest):
                found[name].pop(digest)
    parts = {frozenset(names) for names in owners.values()}
    wholes = {
        frozenset(set.intersection(*map(owners.__getitem__, files)))
        for files in found.values()
        if files
    }
    sets = [(sorted(names), names in wholes) for names in wholes | parts if len(names) > 1]
    groups = [
        (tuple(names), _shared_files([found[name] for name in names]), is_whole)
        for names, is_whole in sets
    ]
    return sorted(groups, key=lambda group: (not group[2], -len(group[0]), group))


def digest_of(content: bytes, ending: str) -> str | None:
    """Return the digest of a source, or ``None`` for a short or a binary one.

    ``ending`` is that of its file, such as ".py".
    """
    comments, sign = COMMENTS.get(ending, SLASHES), "-" if ending == ".rkt" else ""
    names = rf"(?P<name>[^\W\d][\w{sign}]*)"
    pattern = re.compile(rf"{comments}|{TEXTS}|{names}|(?P<other>\d[\w.]*|\S)", re.DOTALL)
    tokens = [*_normalised(content.decode("utf-8-sig", errors="replace"), pattern)]
    if len(tokens) < MIN_TOKENS or b"\0" in content:
        return None
    return sha256("\n".join(tokens).encode()).hexdigest()


def _normalised(text: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield tokens without comments. Texts are equal, and names are numbered."""
    numbers: dict[str, int] = {}
    for token in pattern.finditer(text):
        if token.lastgroup == "text":
            yield "''"
        elif token.lastgroup == "name":
            yield f"name {numbers.setdefault(token[0], len(numbers))}"
        elif token.lastgroup == "other":
            yield token[0]


def _files_by_digest(folder: Path) -> Files:
    """Return the paths in a submission of its sources by digest."""
    found: Files = defaultdict(list)
    with suppress(Exceeded, OSError), limited_time():
        for path, content in _contents(folder, ENDINGS):
            if digest := digest_of(content, path.suffix.lower()):
                found[digest].append(str(path.relative_to(folder)))
    return found


def file_with_our_name(folder: Path) -> str:
    """Return the path of a file that names our own bot, but not in a comment, or ""."""
    with suppress(Exceeded, OSError), limited_time():
        for path, content in _contents(folder, ENDINGS | START_ENDINGS):
            ending, text = path.suffix.lower(), content.decode(errors="replace")
            usual = COMMENTS[".sh"] if ending in START_ENDINGS else SLASHES
            pattern = rf"{COMMENTS.get(ending, usual)}|{TEXTS}"
            code = re.sub(pattern, lambda found: found["text"] or "", text, flags=re.DOTALL)
            if OUR_NAMES.search(code):
                return visible(str(path.relative_to(folder)))
    return ""


def _contents(folder: Path, endings: Collection[str]) -> Iterator[tuple[Path, bytes]]:
    """Generate the files of a submission with these endings, up to ``MAX_BYTES``."""
    left = MAX_BYTES
    for path in sorted(folder.rglob("*")):
        size = path.stat().st_size if path.is_file() else 0
        if path.suffix.lower() in endings and 0 < size <= left:
            left -= size
            yield path, read_file(path)


def _shared_files(submissions: Sequence[Files]) -> str:
    """Return a text that names the sources that all of these submissions have."""
    first, *others = submissions
    shared = (digest for digest in first if all(digest in each for each in others))
    names = (dict.fromkeys(each[digest][0] for each in submissions) for digest in shared)
    return short_list([" = ".join(paths) for paths in names])
