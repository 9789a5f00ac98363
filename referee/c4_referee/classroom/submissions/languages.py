"""The programming languages of submissions: one row for each language, or for each build file.

Another language is another row. Words of a row's command lines may hold these placeholders:

- ``{main}``: path of the main program, from the folder in which the bot runs.
- ``{class}``: name of the main class, with its package or namespace.
- ``{program}``: path of the program that the compiler makes.
- ``{sources}``: paths of the sources. This is a word of its own, and becomes several.
- ``{beside}``: the same, but only of the sources in the folder of the main program.
"""

import shutil
from dataclasses import dataclass

from c4_referee.bots.spec import search_path
from c4_referee.classroom.submissions.start import NoStart

PROGRAM = "c4-program"
"""Name of the program that a compiler makes, in the folder in which the bot runs."""
FUNCTION = r"^[^/*#\n]*\b(?:int|void|auto|Task|fn|func)\s+[mM]ain\s*\("
"""Pattern of the function that a program in a compiled language begins with."""
ANY = r"\S"
"""Pattern of a main program in languages in which every file may be one."""
READS = (
    r"(?i:stdin)|\binput\s*\(|\bfileinput\b|\bopen\(0\b|\b(?:cin|scanf|getchar|gets)\b"
    r"|\bSystem\s*\.\s*(?:in\b|console)|\bConsole\s*\.\s*(?:In\b|Read|OpenStandardInput)"
    r"|\bfmt\.Scan|\bread\s*\(\s*0|readFileSync\s*\(\s*0|\breadline\b"
    r"|\(read(?:-line|-json)?\b|\bin-lines\b|\bcurrent-input-port\b"
)
"""Pattern of programs that read standard input."""
PYTHON_MAIN = (
    r"^(?:if\s+__name__\s*==|(?:while|for)\b|\w[\w.]*\(.*\)[ \t]*(?:#.*)?$)"
    r"|^[^\s#].*\b(?:stdin|input\s*\()"
)
"""Pattern of statements of a program in Python that are in no function."""
SCRIPT = r"\b(?:read|exec)\b"
"""Pattern of scripts of the shell that read lines, or become a program that does."""
IMPORTS = r"\b(?:import|from|require|include|mod|use|do|exec)\b|\.rkt\""
"""Pattern of lines that name other files."""


@dataclass(frozen=True)
class Language:
    """How programs in one language are recognised, compiled and run.

    - ``name`` is for people, and ``endings`` are those of source files.
    - ``install`` has the names of Debian packages with the programs that it needs.
    - ``run`` is the command line of a bot, and ``compiler`` the one that compiles it first. The
      first word "cc|gcc" means the first of these programs that this machine has.
    - ``main`` is the pattern of files that can be the main program, ``reads`` that of files that
      read standard input, and ``imports`` that of lines that name other files. No pattern may take
      long on any text, because authors may be hostile.
    """

    name: str
    endings: tuple[str, ...]
    install: str
    run: str
    compiler: str = ""
    main: str = FUNCTION
    reads: str = READS
    imports: str = IMPORTS

    @property
    def programs(self) -> tuple[str, ...]:
        """Programs that compile and run a bot, such as "cc|gcc", in this order."""
        words = [line.split()[0] for line in (self.compiler, self.run) if line]
        return tuple(word for word in words if word != RUN)


RUN = f"./{PROGRAM}"
LANGUAGES = (
    Language("Python", (".py",), "python3", "python3|python {main}", main=PYTHON_MAIN),
    Language("JavaScript", (".js", ".mjs", ".cjs"), "nodejs", "node|nodejs {main}", main=ANY),
    Language(
        "Java",
        (".java",),
        "default-jdk-headless",
        "java -XX:+UseSerialGC -cp c4-classes:.:*:lib/* {class}",
        "javac -encoding UTF-8 -cp *:lib/* -d c4-classes {sources}",
        imports=ANY,
    ),
    Language(
        "C",
        (".c",),
        "gcc libc6-dev",
        RUN,
        "cc|gcc|clang -O2 -Iinclude -o {program} {sources} -pthread -lm",
    ),
    Language(
        "C++",
        (".cpp", ".cc", ".cxx", ".c++"),
        "g++",
        RUN,
        "c++|g++|clang++ -O2 -std=c++20 -Iinclude -o {program} {sources} -pthread",
    ),
    Language(
        "Rust",
        (".rs",),
        "rustc gcc",
        RUN,
        "rustc -O --edition 2021 --crate-name bot -o {program} {main}",
    ),
    Language("Go", (".go",), "golang-go", RUN, "go build -o {program} {beside}"),
    Language(
        "C#",
        (".cs",),
        "mono-mcs mono-runtime",
        "mono {program}.exe",
        "mcs|csc -out:{program}.exe -main:{class} {sources}",
        imports=ANY,
    ),
    Language("Racket", (".rkt",), "racket", "racket {main}", "raco make {main}", main=ANY),
    Language("Perl", (".pl",), "perl", "perl {main}", main=ANY, reads=r"\bSTDIN\b|<>"),
    Language("shell", (".sh",), "bash", "bash|sh {main}", main=SCRIPT, reads=SCRIPT),
)
"""All languages, in the order in which people are told of them."""

BY_ENDING = {ending: language for language in LANGUAGES for ending in language.endings}

MAKE = Language("", (), "make", RUN, "make -B")
BUILD_FILES = {
    "Makefile": MAKE,
    "makefile": MAKE,
    "GNUmakefile": MAKE,
    "Cargo.toml": Language("Rust", (), "cargo", RUN, "cargo build --release --offline"),
    "go.mod": Language("Go", (), "golang-go", RUN, "go build -o c4-programs/ ./..."),
}
"""How a submission with one of these files is compiled, in the order in which they decide."""


def program_here(names: str) -> str | None:
    """Return the first of several programs, such as "cc|gcc", that this machine has."""
    return next((name for name in names.split("|") if shutil.which(name, path=search_path())), None)


def check_programs(language: Language, by: str) -> None:
    """Raise ``NoStart`` if this machine lacks a program of a language. ``by`` is what needs it."""
    for names in language.programs:
        if not program_here(names):
            name = names.split("|")[0]
            raise NoStart(
                f"this machine has no {name}, but {by} needs it: install {language.install}"
            )
