"""The main program of a submission, if nothing but its sources says how it starts.

1. Each file in a known language that has the marks of a main program could be it, such as a
   function ``main``. Tests could not, such as ``test_bot.py`` and files in a folder ``tests``. A
   file that is alone in its submission needs no marks.
2. A file that another one imports, includes or names is a helper. An exception is a file with a
   usual name (``bot``, ``main``, ``player``, ``agent``, ``connect4`` and similar) that reads
   standard input, if the other one has no usual name.
3. Files that read standard input come before others.
4. Files in outer folders come before those in inner ones.
5. If no file reads standard input, one that alone has a usual name comes before others.

If several are left, it is not clear how the submission starts.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from c4_protocol.program.text import visible

from c4_referee.submissions.languages import (
    BY_ENDING,
    Language,
    missing_programs,
    program_here,
)
from c4_referee.submissions.start import NoStart, Start, Unclear

USUAL_NAMES = re.compile(
    r"(?:my|c4|connect[_ -]?(?:4|four))?[_ -]?(?:agent|ai|bot|player)|"
    r"connect[_ -]?(?:4|four)|four[_ -]?in[_ -]?a[_ -]?row|main|program|run|start",
    re.IGNORECASE,
)
"""Pattern of usual names of main programs, without their endings."""
TEST_NAME = re.compile(
    r"(?:^|/)(?:tests?/|tests?[_.-]|conftest\.|setup\.py$)|[_.-]tests?\.\w+$|(?:^|/)Tests?[A-Z]"
    r"[^/]*$|[a-z0-9]Tests?\.\w+$"
)
"""Pattern of the paths of tests."""
LEFT_OUT = frozenset({"__pycache__", "node_modules", "target", "venv"})
"""Names of folders that hold no sources of the author. Hidden folders hold none either."""
MAX_LISTED = 5
"""Maximum number of paths in a message. Of more paths, their number is shown."""
MAX_SOURCE_BYTES = 1 << 20
"""Number of bytes at the beginning of a source that are searched."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
AGENT = re.compile(rb"^def \w+\((?:obs|observation)\b[^,)\n]{0,99},\s*conf", re.MULTILINE)
"""Pattern of an agent for Kaggle's ConnectX."""
WORD = re.compile(rb"[\w\x80-\xff-]+")
CLASS = r"^[^\n/*]*\b(?:class|enum|record|interface|struct)\s+(%s)\b"
PACKAGE = re.compile(r"^[ \t]*(?:package|namespace)\s+([\w.]+)", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A source file. ``path`` starts at the folder in which the bot runs."""

    path: PurePosixPath
    language: Language
    content: bytes

    @cached_property
    def is_main(self) -> bool:
        """True if the file has the marks of a main program."""
        return self._has(self.language.main)

    @cached_property
    def reads(self) -> bool:
        """True if the file reads standard input."""
        return self._has(self.language.reads)

    @property
    def is_usual(self) -> bool:
        """True if the file has a usual name of a main program."""
        return USUAL_NAMES.fullmatch(self.path.stem) is not None

    @property
    def is_agent(self) -> bool:
        """True if the file is an agent for Kaggle, which is a function."""
        return not self.reads and self.path.suffix == ".py" and bool(AGENT.search(self.content))

    @cached_property
    def words(self) -> set[bytes]:
        """All words in references to other files."""
        return {word for text in self._references() for word in WORD.findall(text)}

    @property
    def included_names(self) -> set[bytes]:
        """Names of the files to which references with a path or an ending lead."""
        return {text.rpartition(b"/")[2] for text in self._references()}

    def refers_to(self, other: "Source") -> bool:
        """Return whether this file imports, includes or names another one."""
        is_same = self.language is other.language or self.path.suffix == ".sh"
        return self is not other and is_same and os.fsencode(other.path.stem) in self.words

    def _references(self) -> list[bytes]:
        return re.findall(self.language.refers, self.content, re.MULTILINE)

    def _has(self, pattern: bytes) -> bool:
        return re.search(pattern, self.content, re.MULTILINE) is not None


def start_of_main(folder: Path, path: str = "") -> Start:
    """Return how the main program in a folder starts. ``path`` is its path if it is known.

    Raises ``NoStart`` and ``Unclear``.
    """
    sources = sources_in(folder)
    main = _source_at(folder, path) if path else main_source(sources)
    return start_of_source(main, sources, f"main program {main.path}")


def main_source(sources: Sequence[Source]) -> Source:
    """Return the main program among sources, or raise ``NoStart`` or ``Unclear``."""
    mains = _possible_mains(sources)
    if not mains:
        names = listed([str(source.path) for source in sources])
        raise NoStart(f"no file in it is a main program: {names}")
    if len(mains) > 1:
        paths = [str(source.path) for source in mains]
        raise Unclear(f"several programs could be its main one: {listed(paths)}", paths)
    return mains[0]


def start_of_source(main: Source, sources: Sequence[Source], because: str) -> Start:
    """Return how a main program is compiled and started.

    Raises ``NoStart`` if this machine lacks a program that its language needs.
    """
    language = main.language
    if missing := missing_programs(language):
        name = visible(str(main.path))
        raise NoStart(
            f"this machine has no {missing[0]}, but {name} is in {language.name}: "
            f"install {language.install}"
        )
    if main.is_agent:
        return Start(language.name, (f"kaggle:{main.path}",), because)
    files = [as_word(source.path) for source in _compiled_with(main, sources)]
    compiles = tuple(_filled_in(words, main, files) for words in language.compiles)
    return Start(language.name, _filled_in(language.run, main, files), because, compiles)


def sources_in(folder: Path) -> list[Source]:
    """Return all sources in a folder and in its folders, without tests unless there are no others.

    Outer sources come first.
    """
    found = [_source_at(folder, path) for path in files_in(folder) if _suffix(path) in BY_ENDING]
    found.sort(key=lambda source: (len(source.path.parts), source.path))
    return [source for source in found if not TEST_NAME.search(str(source.path))] or found


def files_in(folder: Path) -> Iterator[str]:
    """Yield the paths of all files in a folder, from there, except hidden ones."""
    for name, folders, files in os.walk(folder):
        folders[:] = sorted({*folders} - LEFT_OUT)
        folders[:] = [inner for inner in folders if not inner.startswith(".")]
        for file in sorted(files):
            if not file.startswith(".") and (Path(name) / file).is_file():
                yield Path(name, file).relative_to(folder).as_posix()


def listed(paths: Sequence[str]) -> str:
    """Return the first of these paths as a text for people, with the number of the others."""
    more = len(paths) - MAX_LISTED
    text = ", ".join(paths[:MAX_LISTED])
    return visible(f"{text} and {more} more" if more > 0 else text)


def as_word(path: PurePosixPath) -> str:
    """Return a path as a word of a command line that is no option and has no prefix."""
    text = str(path)
    return text if (text[0].isalnum() or text[0] in "_.") and ":" not in text else f"./{text}"


def text_of(path: Path) -> bytes:
    """Return the beginning of a source, without a byte order mark, with line ends of Unix."""
    with path.open("rb") as file:
        content = file.read(MAX_SOURCE_BYTES)
    return content.removeprefix(BYTE_ORDER_MARK).replace(b"\r\n", b"\n")


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


def _source_at(folder: Path, path: str) -> Source:
    language = BY_ENDING.get(_suffix(path))
    if language is None:
        endings = " ".join(BY_ENDING)
        raise NoStart(f"{path} is in no known language: its name ends in none of {endings}")
    return Source(PurePosixPath(path), language, text_of(folder / path))


def _possible_mains(sources: Sequence[Source]) -> list[Source]:
    """Return all sources that could be the main program, as the rules above say."""
    marked = [source for source in sources if source.is_main]
    if not marked:
        return [*sources] if len(sources) == 1 else []
    own = [main for main in marked if not any(_is_helper(main, other) for other in sources)]
    mains = own or marked
    mains = [main for main in mains if main.reads] or mains
    depth = min(len(main.path.parts) for main in mains)
    mains = [main for main in mains if len(main.path.parts) == depth]
    usual = [main for main in mains if main.is_usual]
    return usual if len(usual) == 1 and not mains[0].reads else mains


def _is_helper(source: Source, other: Source) -> bool:
    """Return whether a source is a helper of another one."""
    is_module = source.language is other.language  # a script in the shell names what it starts
    is_kept = is_module and source.is_usual and source.reads and not other.is_usual
    return other.refers_to(source) and not source.refers_to(other) and not is_kept


def _compiled_with(main: Source, sources: Sequence[Source]) -> Iterator[Source]:
    """Yield the sources of a program: all in its language that no other source includes."""
    language = main.language
    same = [source for source in sources if source.language is language]
    included = (
        {name for source in same for name in source.included_names} if language.one_main else set()
    )
    for source in same:
        is_other_main = source.path != main.path and source.is_main
        is_elsewhere = source.path.parent != main.path.parent
        if not (
            (language.one_main and is_other_main)
            or (language.one_folder and is_elsewhere)
            or os.fsencode(source.path.name) in included
        ):
            yield source


def _filled_in(words: Sequence[str], main: Source, files: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command line with programs and without placeholders."""
    found: list[str] = []
    for word in words:
        if word == "{sources}":
            found += files
        elif word in main.language.programs:
            found.append(program_here(word) or word)
        else:
            text = word.replace("{class}", _main_class(main)) if "{class}" in word else word
            found.append(as_word(main.path) if text == "{main}" else text)
    return tuple(found)


def _main_class(main: Source) -> str:
    """Return the full name of the class that the main program begins with."""
    text = main.content.decode(errors="replace")
    named = re.search(CLASS % re.escape(main.path.stem), text, re.MULTILINE)
    found = named or re.search(CLASS % r"\w+", text, re.MULTILINE)
    package = PACKAGE.search(text)
    name = found[1] if found else main.path.stem
    return f"{package[1]}.{name}" if package else name
