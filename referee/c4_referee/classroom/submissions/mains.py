"""The main program of a submission, if nothing but its sources says how it starts.

A main program has the marks of one, such as a function ``main``. A file that is alone in its
submission needs no marks. Tests, such as ``test_bot.py`` and files in a folder ``tests``, are no
main programs. If there are several, these rules choose among them, one after another:

1. That of the class that ``pom.xml``, ``build.gradle`` or a manifest names as the main one.
2. Those that read standard input.
3. Those that no other file imports, includes or names.
4. Those in the outermost folders.

A rule that no program fits is left out. If several programs are left, each is tried (``choice``).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from c4_protocol.program.text import visible

from c4_referee.bots.languages import BY_ENDING, KOTLIN, PROGRAM, Language, program_here
from c4_referee.classroom.submissions.start import NoStart, Start, check_programs
from c4_referee.system.safe_files import read_start

TEST_NAME = re.compile(r"(?:^|[/_.-])(?i:tests?)[/_.-]|[a-z0-9]Tests?\.")
"""Pattern of the paths of tests."""
LEFT_OUT = frozenset({"__pycache__", "node_modules", "target", "venv", "obj", "module-info.java"})
"""Names of files and folders that hold no sources to compile. Hidden ones hold none either."""
MAIN_CLASS_FILES = frozenset({"pom.xml", "build.gradle", "build.gradle.kts", "MANIFEST.MF"})
MAIN_CLASS = re.compile(
    r"(?i:main-?class)(?:Name)?\W{1,20}(?:(?:set|to)\W{1,20})?([A-Za-z_][\w.]*)"
)
"""Pattern of the names of main classes in these files."""
MAX_LISTED = 5
"""Maximum number of paths in a message. Of more paths, their number is shown."""
MAX_SOURCE_BYTES = 1 << 20
"""Number of bytes at the beginning of a source that are searched."""
AGENT = re.compile(r"^def \w+\((?:obs|observation)\b[^,)\n]{0,99},\s*conf", re.MULTILINE)
"""Pattern of an agent for Kaggle's ConnectX, which is a function in Python."""
CLASS = re.compile(r"^[^\n/*]*\b(?:class|enum|record|interface|struct)\s+(\w+)", re.MULTILINE)
PACKAGE = re.compile(r"^[ \t]*(?:package|namespace)\s+([\w.]+)", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A source file. ``path`` starts at the folder in which the bot runs."""

    path: PurePosixPath
    language: Language
    text: str

    @cached_property
    def is_agent(self) -> bool:
        """True if the file is an agent for Kaggle."""
        return self.path.suffix == ".py" and not self.reads and bool(AGENT.search(self.text))

    @cached_property
    def is_main(self) -> bool:
        """True if the file has the marks of a main program."""
        return self.is_agent or bool(re.search(self.language.main, self.text, re.MULTILINE))

    @cached_property
    def reads(self) -> bool:
        """True if the file reads standard input."""
        return bool(re.search(self.language.reads, self.text))

    @cached_property
    def imports(self) -> str:
        """Lines that name other files."""
        return "\n".join(re.findall(rf"^.*(?:{self.language.imports}).*", self.text, re.MULTILINE))

    @cached_property
    def words(self) -> set[str]:
        """All words in these lines."""
        return set(re.findall(r"[\w-]+", self.imports))

    def is_named_in(self, others: Sequence["Source"]) -> bool:
        """Return whether another source names this one, which does not name it."""
        stem = self.path.stem
        return any(stem in one.words and one.path.stem not in self.words for one in others)


def start_of_main(folder: Path, path: str, because: str = "") -> Start:
    """Return how the main program at a path in a folder starts.

    Raises ``NoStart``, also if this machine lacks a program that it needs.
    """
    main, sources = _source_at(folder, path), sources_in(folder)
    language, because = main.language, because or f"main program {main.path}"
    check_programs(language, visible(path))
    if main.is_agent:
        return Start(language.name, (f"kaggle:{path}",), because, main=path)
    files = [main, *(source for source in sources if _is_compiled_with(source, main, sources))]
    compiles = tuple(_filled_in(line, files) for line in language.compilers)
    return Start(language.name, _filled_in(language.run, files), because, compiles, main=path)


def main_programs(folder: Path) -> list[str]:
    """Return the paths of the main programs in a folder: several if no rule decides."""
    sources = sources_in(folder)
    mains = [
        source for source in sources if source.is_main or ([source] == sources and source.text)
    ]
    named = _named_classes(folder)
    mains = [main for main in mains if named and _main_class(main) in named] or mains
    mains = [main for main in mains if main.reads] or mains
    mains = [main for main in mains if not main.is_named_in(sources)] or mains
    depth = min((len(main.path.parts) for main in mains), default=0)
    return [str(main.path) for main in mains if len(main.path.parts) == depth]


def sources_in(folder: Path) -> list[Source]:
    """Return all sources in a folder and in its folders, without tests unless there are no others.

    Outer sources come first.
    """
    paths = [path for path in files_in(folder) if Path(path).suffix.lower() in BY_ENDING]
    paths = [path for path in paths if not TEST_NAME.search(path)] or paths
    return [_source_at(folder, path) for path in sorted(paths, key=lambda path: path.count("/"))]


def short_list(paths: Sequence[str]) -> str:
    """Return the first of these paths as a text for people, with the number of the others."""
    more = len(paths) - MAX_LISTED
    text = ", ".join(paths[:MAX_LISTED])
    return visible(f"{text} and {more} more" if more > 0 else text)


def files_in(folder: Path) -> list[str]:
    """Return the paths of all files in a folder, from there, except hidden ones."""
    paths = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    shown = [path for path in paths if LEFT_OUT.isdisjoint(path.parts)]
    return [path.as_posix() for path in shown if not re.search(r"(?:^|/)\.", path.as_posix())]


def _source_at(folder: Path, path: str) -> Source:
    language = BY_ENDING.get(Path(path).suffix.lower())
    if language is None:
        endings = " ".join(BY_ENDING)
        raise NoStart(f"{path} is in no known language: its name ends in none of {endings}")
    text = read_start(folder / path, MAX_SOURCE_BYTES).decode("utf-8-sig", errors="replace")
    return Source(PurePosixPath(path), language, text.replace("\r\n", "\n"))


def _named_classes(folder: Path) -> set[str]:
    """Return the names of classes that build files of Java and Kotlin name as the main one."""
    paths = [folder / path for path in files_in(folder) if Path(path).name in MAIN_CLASS_FILES]
    texts = (read_start(path, MAX_SOURCE_BYTES).decode(errors="replace") for path in paths)
    return {name for text in texts for name in MAIN_CLASS.findall(text)}


def _filled_in(line: str, files: Sequence[Source]) -> tuple[str, ...]:
    """Return the words of a command line without placeholders. The main program comes first."""
    main, folder = files[0], files[0].path.parent
    several = {
        "{main}": [_as_word(main)],
        "{sources}": [_as_word(source) for source in files],
        "{beside}": [_as_word(source) for source in files if source.path.parent == folder],
    }
    line = line.replace("{program}", PROGRAM).replace("{class}", _main_class(main))
    words = [word.replace("{stem}", str(main.path.with_suffix(""))) for word in line.split()]
    found = (several.get(word, [program_here(word) or word]) for word in words)
    return tuple(word for words in found for word in words)


def _is_compiled_with(source: Source, main: Source, sources: Sequence[Source]) -> bool:
    """Return whether a source is a part of a program, which no other source includes."""
    is_used = any(source.path.stem in one.words for one in sources if one is not source)
    is_other_main = source.is_main and not is_used
    is_included = any(f'{source.path.name}"' in other.imports for other in sources)
    is_same = source.path == main.path or source.language is not main.language
    return not (is_same or is_other_main or is_included)


def _as_word(source: Source) -> str:
    """Return a path as a word of a command line that is no option and has no prefix."""
    path = str(source.path)
    return path if re.match(r"[\w.][^:]*$", path) else f"./{path}"


def _main_class(main: Source) -> str:
    """Return the full name of the class that the main program begins with."""
    names = CLASS.findall(main.text)
    name = main.path.stem if main.path.stem in names or not names else names[0]
    if main.language is KOTLIN:  # functions outside of classes are in a class with this name
        name = re.sub(r"\W", "_", main.path.stem[:1].upper() + main.path.stem[1:]) + "Kt"
    package = PACKAGE.search(main.text)
    return f"{package[1]}.{name}" if package else name
