"""Submissions that are the same but for blanks, comments and names, for the instructor alone.

Each source becomes a list of tokens without comments. The names in it are numbered in the order in
which they first appear, and texts in quotes count as equal, because they may hold names. Sources
with the same list have the same digest. Only digests are compared, so a large class takes little
time.

No pattern here takes long on any text, because authors may be hostile: a comment or a text without
an end reaches to the end of the source or of its line.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import combinations, count
from pathlib import Path
from stat import S_ISREG

from c4_protocol.program.text import visible

from c4_referee.submissions.languages import LANGUAGES

MIN_TOKENS = 30
"""Minimum number of tokens of a source. Shorter ones are equal by chance, and are left out."""
MIN_SHARERS = 3
"""Minimum number of submissions with a source that is a template, which is left out."""
MAX_BYTES = 4 << 20
"""Maximum size of the sources of a submission in bytes. Sources beyond it are left out."""
MAX_SHOWN_FILES = 3
"""Maximum number of equal files that a text names."""

SLASHES = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
TEXTS = r"""(?P<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`[^`]*`?)"""
RUST_TEXTS = r"""(?P<text>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\\n])')"""
LISP_TEXTS = r'(?P<text>"(?:\\.|[^"\\])*"?)'
DOCSTRINGS = r'"""(?:\\.|[^\\])*?(?:"""|\Z)' + r"|'''(?:\\.|[^\\])*?(?:'''|\Z)"
NAMES, LISP_NAMES = r"[^\W\d]\w*", r"[^\W\d][\w!?*<>=/+:-]*"


def _tokens(comments: str, texts: str = TEXTS, names: str = NAMES) -> re.Pattern[str]:
    """Return the pattern of a comment, a text, a name, or another token."""
    return re.compile(rf"{comments}|{texts}|(?P<name>{names})|(?P<other>\d[\w.]*|\S)", re.DOTALL)


OTHERS = _tokens(SLASHES)
"""Pattern of tokens in most languages."""
TOKENS = {
    ".py": _tokens(rf"#[^\n]*|{DOCSTRINGS}"),
    ".rs": _tokens(SLASHES, RUST_TEXTS),
    **dict.fromkeys((".pl", ".pm", ".sh", ".rb"), _tokens(r"#[^\n]*")),
    **dict.fromkeys((".rkt", ".scm"), _tokens(r";[^\n]*|#\|.*?(?:\|#|\Z)", LISP_TEXTS, LISP_NAMES)),
    **dict.fromkeys((".lua", ".hs"), _tokens(r"--[^\n]*|\{-.*?(?:-\}|\Z)")),
    **dict.fromkeys((".h", ".hpp", ".ts", ".kt"), OTHERS),
}
"""Patterns of tokens by the endings of source files. Those of ``LANGUAGES`` may be missing."""
ENDINGS = frozenset(TOKENS).union(*(language.endings for language in LANGUAGES))
LANGUAGE_WORDS = """
False None True and as assert async auto await begin bool boolean break case catch char class
cond const continue def default define del delete do double elif else elsif end enum except
false final finally float fn for foreach from func function global goto if import in int
interface is lambda let long match mut my namespace new nil none not null or package pass
private protected pub public raise return short static struct sub switch then throw throws true
try unless unsigned until use using var void when while with xor yield
"""
"""Words of languages, which are no names."""
WORDS = frozenset(LANGUAGE_WORDS.split())

Files = dict[str, list[str]]
"""Paths of the sources of a submission by digest."""


def similar_pairs(folders: Mapping[str, Path]) -> list[tuple[str, str, str]]:
    """Return pairs of submissions that are the same but for blanks, comments and names.

    ``folders`` are the folders of the submissions by name. All sources of one submission of a pair
    are in the other one. The third text of a pair says which files are the same. Left out are short
    sources and those that more than half of the class has, as a template that was handed out.
    """
    found = {name: _files_by_digest(folder) for name, folder in folders.items()}
    sharers = Counter(digest for files in found.values() for digest in files)
    templates = {one for one, number in sharers.items() if _is_template(number, len(found))}
    own = {name: _without(files, templates) for name, files in found.items()}
    return [
        (one, two, _equal_files(own[one], own[two]))
        for one, two in combinations(own, 2)
        if _is_part(own[one], own[two]) or _is_part(own[two], own[one])
    ]


def _is_template(sharers: int, submissions: int) -> bool:
    return sharers >= MIN_SHARERS and 2 * sharers > submissions


def _without(files: Files, templates: set[str]) -> Files:
    return {digest: paths for digest, paths in files.items() if digest not in templates}


def _files_by_digest(folder: Path) -> Files:
    """Return the paths in a submission of its sources by digest."""
    found: Files = defaultdict(list)
    for path, content in _sources(folder):
        if digest := digest_of(content, path.suffix.lower()):
            found[digest].append(str(path.relative_to(folder)))
    return found


def digest_of(content: bytes, ending: str) -> str | None:
    """Return the digest of a source, or ``None`` for a short or a binary one.

    ``ending`` is that of its file, such as ".py".
    """
    if b"\0" in content:
        return None
    numbers: dict[str, str] = defaultdict(map(str, count()).__next__)
    text = content.decode("utf-8-sig", errors="replace")
    tokens = [*_normalised(text, TOKENS.get(ending, OTHERS), numbers)]
    if len(tokens) < MIN_TOKENS:
        return None
    return sha256("\n".join(tokens).encode()).hexdigest()


def _normalised(text: str, pattern: re.Pattern[str], numbers: dict[str, str]) -> Iterator[str]:
    """Yield tokens without comments. ``numbers`` gives each name a number, as a text."""
    for token in pattern.finditer(text):
        kind, value = token.lastgroup, token[0]
        if kind == "text":
            yield "''"
        elif kind == "name" and value not in WORDS:
            yield f"name {numbers[value]}"
        elif kind is not None:
            yield value


def _sources(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the sources of a submission that can be read, sorted. Links are not followed."""
    left = MAX_BYTES
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS):
        with suppress(OSError):
            status = path.lstat()
            if S_ISREG(status.st_mode) and status.st_size <= left:
                left -= status.st_size
                yield path, path.read_bytes()


def _is_part(files: Files, others: Files) -> bool:
    """Return whether there are files, and all of them are among the others, as often as here."""
    return bool(files) and all(
        len(paths) <= len(others.get(digest, ())) for digest, paths in files.items()
    )


def _equal_files(files: Files, others: Files) -> str:
    """Return a text that names the files of two submissions that are the same."""
    pairs = [
        one if one == two else f"{one} = {two}"
        for digest in files
        for one, two in zip(files[digest], others.get(digest, ()), strict=False)
    ]
    more = [f"{len(pairs) - MAX_SHOWN_FILES} more"] if len(pairs) > MAX_SHOWN_FILES else []
    return visible(", ".join([*pairs[:MAX_SHOWN_FILES], *more]))
