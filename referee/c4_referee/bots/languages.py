"""The programming languages of bots: one row for each language, or for each build file.

A row says how a bot is recognised, compiled and run, and has the lines of code that its author is
shown. Another language is another row. Words of a row's command lines may hold these placeholders:

- ``{main}``: path of the main program, from the folder in which the bot runs.
- ``{class}``: name of the main class, with its package or namespace.
- ``{stem}``: path of the main program without its ending.
- ``{program}``: path of the program that the compiler makes.
- ``{sources}``: paths of the sources. This is a word of its own, and becomes several.
- ``{beside}``: the same, but only of the sources in the folder of the main program.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

from c4_protocol.dialects import DEFAULT_DIALECT

from c4_referee.bots.agents import agent_files
from c4_referee.bots.spec import search_path

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
    r"|\breadln\b|\breadLine\s*\(|\(read(?:-line|-json)?\b|\bin-lines\b|\bcurrent-input-port\b"
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


class Lines(NamedTuple):
    """Lines of code in one language, as examples for a bot's author.

    ``answer`` writes an answer in JSON whose move is a column, and ``cell_answer`` one whose move
    is a cell. ``plain_answer`` writes the text ``answer``, for other dialects. ``read`` reads line
    by line, and ``text`` prints a text for people. ``prompt`` is advice against a text before the
    answer, or empty if ``text`` is.
    """

    answer: str
    cell_answer: str
    plain_answer: str
    read: str
    text: str
    prompt: str = ""


KAGGLE = Lines(
    "return column",
    "return column",
    "return column",
    "def agent(obs, config): ...",
    "print(...)",
)
"""Lines for an agent, which is a function."""
COMPILED = Lines(
    'printf("{\\"move\\":%d}\\n", column); fflush(stdout); in C++ std::cout << ... << std::endl',
    'printf("{\\"move\\":[%d,%d]}\\n", column, row); fflush(stdout); '
    "in C++ std::cout << ... << std::endl",
    "puts(answer); fflush(stdout); in C++ std::cout << answer << std::endl",
    "fgets(line, size, stdin) in a loop; in C++ while (std::getline(std::cin, line))",
    "fprintf(stderr, ...); in C++ std::cerr << ...",
)
"""Lines for C and C++. They are shown for unknown languages, too."""


@dataclass(frozen=True)
class Language:
    """How programs in one language are recognised, compiled and run.

    - ``name`` is for people, and ``endings`` are those of source files.
    - ``install`` has the names of Debian packages with the programs that it needs.
    - ``run`` is the command line of a bot, and ``compiler`` those that compile it first, with "&&"
      between them. The first word "cc|gcc" means the first of these programs that this machine
      has.
    - ``lines`` are shown to the author of a bot whose command has one of the endings, or one of
      ``marks``: other endings and names of programs.
    - ``main`` is the pattern of files that can be the main program, ``reads`` that of files that
      read standard input, and ``imports`` that of lines that name other files. No pattern may take
      long on any text, because authors may be hostile.
    """

    name: str
    endings: tuple[str, ...]
    install: str
    run: str
    compiler: str = ""
    lines: Lines = COMPILED
    marks: tuple[str, ...] = ()
    main: str = FUNCTION
    reads: str = READS
    imports: str = IMPORTS

    @property
    def programs(self) -> tuple[str, ...]:
        """Programs that compile and run a bot, such as "cc|gcc", in this order."""
        words = [line.split()[0] for line in (*self.compilers, self.run) if line]
        return tuple(dict.fromkeys(word for word in words if word != RUN))

    @property
    def compilers(self) -> list[str]:
        """Command lines that compile a bot, one after another."""
        return self.compiler.split(" && ") if self.compiler else []


RUN = f"./{PROGRAM}"
PYTHON = Language(
    "Python",
    (".py",),
    "python3",
    "python3|python {main}",
    main=PYTHON_MAIN,
    marks=("python", "pypy"),
    lines=Lines(
        'print(json.dumps({"move": column}), flush=True)',
        'print(json.dumps({"move": [column, row]}), flush=True)',
        "print(answer, flush=True)",
        "for line in sys.stdin: ...",
        "print(..., file=sys.stderr)",
        'write nothing before the answer, not even the text of input("..."): call input()',
    ),
)
JAVASCRIPT = Language(
    "JavaScript",
    (".js", ".mjs", ".cjs"),
    "nodejs",
    "node|nodejs {main}",
    main=ANY,
    marks=("node", "nodejs"),
    lines=Lines(
        "console.log(JSON.stringify({ move: column }))",
        "console.log(JSON.stringify({ move: [column, row] }))",
        "console.log(answer)",
        'readline.createInterface({ input: process.stdin }).on("line", (line) => ...)',
        "console.error(...)",
    ),
)
TYPESCRIPT = Language(
    "TypeScript",
    (".ts",),
    "node-typescript nodejs",
    "node|nodejs c4-build/{stem}.js",
    "tsc --outDir c4-build --rootDir . --module node16 --target es2022 --esModuleInterop "
    "--skipLibCheck --allowJs {sources}",
    main=ANY,
    lines=JAVASCRIPT.lines,
)
JAVA = Language(
    "Java",
    (".java",),
    "default-jdk-headless",
    "java -XX:+UseSerialGC -cp c4-classes:.:src:src/main/resources:*:lib/* {class}",
    "javac -encoding UTF-8 -cp *:lib/* -d c4-classes {sources}",
    imports=ANY,
    marks=(".jar", "java"),
    lines=Lines(
        'System.out.println("{\\"move\\":" + column + "}"); System.out.flush();',
        'System.out.println("{\\"move\\":[" + column + "," + row + "]}"); System.out.flush();',
        "System.out.println(answer); System.out.flush();",
        "while ((line = reader.readLine()) != null) ...",
        "System.err.println(...)",
    ),
)
KOTLIN = Language(
    "Kotlin",
    (".kt",),
    "kotlin default-jdk-headless",
    "java -XX:+UseSerialGC -cp {program}.jar:*:lib/* {class}",
    "kotlinc -nowarn -include-runtime -d {program}.jar {sources}",
    imports=ANY,
    marks=("kotlin",),
    lines=JAVA.lines,
)
C = Language(
    "C",
    (".c",),
    "gcc libc6-dev",
    RUN,
    "cc|gcc|clang -O2 -Iinclude -o {program} {sources} -pthread -lm",
)
CXX = Language(
    "C++",
    (".cpp", ".cc", ".cxx", ".c++"),
    "g++",
    RUN,
    "c++|g++|clang++ -O2 -std=c++20 -Iinclude -o {program} {sources} -pthread",
)
RUST = Language(
    "Rust",
    (".rs",),
    "rustc gcc",
    RUN,
    "rustc -O --edition 2021 --crate-name bot -o {program} {main}",
)
GO = Language(
    "Go",
    (".go",),
    "golang-go",
    RUN,
    "go build -o {program} {beside}",
    marks=("go",),
    lines=Lines(
        'fmt.Printf("{\\"move\\":%d}\\n", column)',
        'fmt.Printf("{\\"move\\":[%d,%d]}\\n", column, row)',
        "fmt.Println(answer)",
        "for scanner.Scan() { line := scanner.Text(); ... }",
        "fmt.Fprintln(os.Stderr, ...)",
    ),
)
CSHARP = Language(
    "C#",
    (".cs",),
    "mono-mcs mono-runtime",
    "mono {program}.exe",
    "mcs|csc -out:{program}.exe -main:{class} {sources}",
    imports=ANY,
    marks=(".csproj", "dotnet", "mono"),
    lines=Lines(
        'Console.WriteLine("{\\"move\\":" + column + "}");',
        'Console.WriteLine("{\\"move\\":[" + column + "," + row + "]}");',
        "Console.WriteLine(answer);",
        "while ((line = Console.ReadLine()) != null) ...",
        "Console.Error.WriteLine(...)",
    ),
)
RACKET = Language(
    "Racket",
    (".rkt",),
    "racket",
    "racket {main}",
    "raco make {main}",
    main=ANY,
    marks=("racket",),
    lines=Lines(
        '(printf "{\\"move\\":~a}\\n" column) (flush-output)',
        '(printf "{\\"move\\":[~a,~a]}\\n" column row) (flush-output)',
        "(displayln answer) (flush-output)",
        "(for ([line (in-lines)]) ...)",
        "(eprintf ...)",
    ),
)
PERL = Language(
    "Perl",
    (".pl",),
    "perl",
    "perl {main}",
    main=ANY,
    reads=r"\bSTDIN\b|<>",
    marks=("perl",),
    lines=Lines(
        'print "{\\"move\\":$column}\\n"; STDOUT->flush();',
        'print "{\\"move\\":[$column,$row]}\\n"; STDOUT->flush();',
        'print "$answer\\n"; STDOUT->flush();',
        "while (my $line = <STDIN>) ...",
        "print STDERR ...",
    ),
)
SHELL = Language(
    "shell",
    (".sh",),
    "bash",
    "bash|sh {main}",
    main=SCRIPT,
    reads=SCRIPT,
    marks=("sh", "bash"),
    lines=Lines(
        """printf '{"move":%s}\\n' "$column\"""",
        """printf '{"move":[%s,%s]}\\n' "$column" "$row\"""",
        'echo "$answer"',
        "while read -r line; do ...; done",
        "echo ... >&2",
    ),
)
AWK = Language(
    "AWK",
    (".awk",),
    "",
    "",
    marks=("awk", "mawk", "gawk"),
    lines=Lines(
        'printf "{\\"move\\":%d}\\n", column; fflush()',
        'printf "{\\"move\\":[%d,%d]}\\n", column, row; fflush()',
        "print answer; fflush()",
        "{ ... } for each line (mawk also needs -W interactive)",
        'print ... > "/dev/stderr"',
    ),
)
CLOJURE = Language(
    "Clojure",
    (".clj",),
    "",
    "",
    marks=("clojure", "clj"),
    lines=Lines(
        '(println (str "{\\"move\\":" column "}")) (flush)',
        '(println (str "{\\"move\\":[" column "," row "]}")) (flush)',
        "(println answer) (flush)",
        "(doseq [line (line-seq (java.io.BufferedReader. *in*))] ...)",
        "(binding [*out* *err*] (println ...))",
    ),
)
LANGUAGES = (
    PYTHON, JAVASCRIPT, TYPESCRIPT, JAVA, KOTLIN, C, CXX, RUST, GO, CSHARP, RACKET, PERL, SHELL,
)  # fmt: skip
"""All languages of submissions, in the order in which messages list them."""
BY_ENDING = {ending: language for language in LANGUAGES for ending in language.endings}
LINES_BY_MARK = {
    mark: language.lines
    for language in (*LANGUAGES, AWK, CLOJURE)
    for mark in (*language.endings, *language.marks)
}

MAKE = Language("", (), "make", RUN, "make -B")
BUILD_FILES = {
    "CMakeLists.txt": Language(
        "",
        (),
        "cmake make",
        RUN,
        "cmake -S . -B c4-build -DCMAKE_BUILD_TYPE=Release && cmake --build c4-build",
    ),
    "Makefile": MAKE,
    "makefile": MAKE,
    "GNUmakefile": MAKE,
    "Cargo.toml": Language("Rust", (), "cargo", RUN, "cargo build --release --offline"),
    "go.mod": Language("Go", (), "golang-go", RUN, "go build -o c4-programs/ ./..."),
}
"""How a submission with one of these files is compiled, in the order in which they are tried."""


def program_here(names: str) -> str | None:
    """Return the first of several programs, such as "cc|gcc", that this machine has."""
    return next((name for name in names.split("|") if shutil.which(name, path=search_path())), None)


def lines_for(
    command: Sequence[str], *, gravity: bool = True, dialect: str = DEFAULT_DIALECT
) -> Lines:
    """Return the lines of code for the author of a bot with this command.

    The language is that of the first file ending that is known, or else that of the program.
    ``answer`` of the result writes an answer in the dialect. Without ``gravity``, moves are cells.
    """
    if agent_files(command):
        return KAGGLE
    program = PurePath(command[0]).name.rstrip("0123456789.")
    marks = (*(PurePath(word).suffix for word in command), program)
    lines = next((LINES_BY_MARK[mark] for mark in marks if mark in LINES_BY_MARK), COMPILED)
    if dialect != DEFAULT_DIALECT:
        return lines._replace(answer=lines.plain_answer)
    return lines if gravity else lines._replace(answer=lines.cell_answer)
