"""The programming languages of submissions: one row for each language.

Another language is another row. Words of a row's command lines may hold these placeholders:

- ``{main}``: path of the main program, from the folder in which the bot runs.
- ``{class}``: name of the main class, with its package or namespace.
- ``{sources}``: paths of the sources. This is a word of its own, and becomes several.

A word of a command line that is an entry of ``programs`` becomes the program that this machine has.
"""

import shutil
from dataclasses import dataclass

from c4_referee.bots.spec import search_path

PROGRAM = "c4-program"
"""Name of the program that a compiler makes, in the folder in which the bot runs."""
CLASSES = "c4-classes"
"""Name of the folder with compiled classes."""
ANY_CONTENT = rb"\S"
"""Pattern of a main program in languages in which every file may be one."""
ANY_WORD = rb"(.+)"
"""Pattern of references in languages in which each word may be the name of another file."""


@dataclass(frozen=True)
class Language:
    """How programs in one language are recognised, compiled and run.

    - ``name`` is for people, and ``endings`` are those of source files.
    - ``programs`` compile and run a program, in this order. "cc|gcc" means the first of these that
      this machine has. ``install`` has the names of Debian packages with them.
    - ``run`` is the command line of a bot, and ``compiles`` are those that compile it first.
    - ``main`` is the pattern of files that are main programs (multiline, bytes), and ``reads`` that
      of programs that read standard input.
    - ``refers`` is the pattern of references to other files. Its group holds their names, among
      other words. No pattern may take long on any text, because authors may be hostile.
    - ``one_folder`` is true if all sources are in the folder of the main program. Otherwise, they
      are anywhere in the submission.
    - ``one_main`` is true if a program with two main functions cannot be compiled.
    """

    name: str
    endings: tuple[str, ...]
    programs: tuple[str, ...]
    install: str
    run: tuple[str, ...]
    main: bytes
    reads: bytes
    refers: bytes
    compiles: tuple[tuple[str, ...], ...] = ()
    one_folder: bool = False
    one_main: bool = False


C_MAIN = rb"^[ \t]*(?:(?:static|extern|signed)\s+)?(?:int|void|auto)\s+main\s*\("
C_INCLUDE = rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"'
CC, CXX = "cc|gcc|clang", "c++|g++|clang++"

LANGUAGES = (
    Language(
        "Python",
        endings=(".py",),
        programs=("python3|python",),
        install="python3",
        run=("python3|python", "{main}"),
        main=rb"^(?:if\s+__name__\s*==|(?:while|for)\b|\w[\w.]*\(.*\)[ \t]*(?:#.*)?$)"
        rb"|^[^\s#].*\b(?:stdin|input\s*\()"
        rb"|^def \w+\((?:obs|observation)\b[^,)\n]{0,99},\s*conf",
        reads=rb"\bstdin\b|\binput\s*\(|\bfileinput\b|\bopen\(0\b",
        refers=rb"^[ \t]*(?:from|import)[ \t]+(.+)",
    ),
    Language(
        "JavaScript",
        endings=(".js", ".mjs", ".cjs"),
        programs=("node|nodejs",),
        install="nodejs",
        run=("node|nodejs", "{main}"),
        main=ANY_CONTENT,
        reads=rb"\bstdin\b|readFileSync\s*\(\s*0|\breadline\b",
        refers=rb"""(?:\brequire\s*\(|\bimport\b|\bfrom)[^'"\n]{0,99}['"]([^'"\n]+)""",
    ),
    Language(
        "Java",
        endings=(".java",),
        programs=("javac", "java"),
        install="default-jdk-headless",
        compiles=(("javac", "-encoding", "UTF-8", "-cp", "*:lib/*", "-d", CLASSES, "{sources}"),),
        run=("java", "-XX:+UseSerialGC", "-cp", f"{CLASSES}:.:*:lib/*", "{class}"),
        main=rb"\bstatic\s+(?:final\s+)?(?:public\s+)?void\s+main\s*\(",
        reads=rb"\bSystem\s*\.\s*(?:in\b|console)",
        refers=ANY_WORD,
    ),
    Language(
        "C",
        endings=(".c",),
        programs=(CC,),
        install="gcc libc6-dev",
        compiles=((CC, "-O2", "-Iinclude", "-o", PROGRAM, "{sources}", "-pthread", "-lm"),),
        run=(f"./{PROGRAM}",),
        main=C_MAIN,
        reads=rb"\bstdin\b|\bscanf\b|\bgetchar\b|\bgets\b|\bread\s*\(\s*(?:0|STDIN_FILENO)\b",
        refers=C_INCLUDE,
        one_main=True,
    ),
    Language(
        "C++",
        endings=(".cpp", ".cc", ".cxx", ".c++"),
        programs=(CXX,),
        install="g++",
        compiles=((CXX, "-O2", "-std=c++20", "-Iinclude", "-o", PROGRAM, "{sources}", "-pthread"),),
        run=(f"./{PROGRAM}",),
        main=C_MAIN,
        reads=rb"\bcin\b|\bstdin\b|\bscanf\b|\bgetchar\b",
        refers=C_INCLUDE,
        one_main=True,
    ),
    Language(
        "Rust",
        endings=(".rs",),
        programs=("rustc", CC),
        install="rustc",
        compiles=(
            ("rustc", "-O", "--edition", "2021", "--crate-name", "bot", "-o", PROGRAM, "{main}"),
        ),
        run=(f"./{PROGRAM}",),
        main=rb"^[ \t]*(?:pub\s+)?fn\s+main\s*\(",
        reads=rb"\bstdin\b",
        refers=rb"^[ \t]*(?:pub\s+)?mod\s+(\w+)",
    ),
    Language(
        "Go",
        endings=(".go",),
        programs=("go",),
        install="golang-go",
        compiles=(("go", "build", "-o", PROGRAM, "{sources}"),),
        run=(f"./{PROGRAM}",),
        main=rb"^func\s+main\s*\(",
        reads=rb"\bos\.Stdin\b|\bfmt\.Scan",
        refers=rb"(?!)",
        one_folder=True,
        one_main=True,
    ),
    Language(
        "C#",
        endings=(".cs",),
        programs=("mcs|csc", "mono"),
        install="mono-mcs mono-runtime",
        compiles=(("mcs|csc", f"-out:{PROGRAM}.exe", "-main:{class}", "{sources}"),),
        run=("mono", f"{PROGRAM}.exe"),
        main=rb"\bstatic\s+(?:public\s+|private\s+)?(?:void|int)\s+Main\s*\(",
        reads=rb"\bConsole\s*\.\s*(?:In\b|Read|OpenStandardInput)",
        refers=ANY_WORD,
    ),
    Language(
        "Racket",
        endings=(".rkt",),
        programs=("racket", "raco"),
        install="racket",
        compiles=(("raco", "make", "{main}"),),
        run=("racket", "{main}"),
        main=ANY_CONTENT,
        reads=rb"\(read(?:-line|-json)?\b|\bin-lines\b|\bcurrent-input-port\b",
        refers=rb'"([^"\n]+\.rkt)"',
    ),
    Language(
        "Perl",
        endings=(".pl",),
        programs=("perl",),
        install="perl",
        run=("perl", "{main}"),
        main=ANY_CONTENT,
        reads=rb"\bSTDIN\b|<>",
        refers=rb"\b(?:require|do)\b(.+)",
    ),
    Language(
        "shell",
        endings=(".sh",),
        programs=("bash|sh",),
        install="bash",
        run=("bash|sh", "{main}"),
        main=rb"\bread\b|\bexec\b",
        reads=rb"\bread\b|\bexec\b",
        refers=rb"\bexec\b(.+)",
    ),
)
"""All languages, in the order in which people are told of them."""

BY_ENDING = {ending: language for language in LANGUAGES for ending in language.endings}


def language_named(name: str) -> Language | None:
    """Return the language with a name, or ``None``."""
    return next((language for language in LANGUAGES if language.name == name), None)


def program_here(names: str) -> str | None:
    """Return the first of several programs, such as "cc|gcc", that this machine has."""
    return next((name for name in names.split("|") if shutil.which(name, path=search_path())), None)


def missing_programs(language: Language) -> list[str]:
    """Return the programs of a language that this machine lacks, by their first names."""
    return [names.split("|")[0] for names in language.programs if program_here(names) is None]
