"""Lines of code that are shown to a bot's author, in the language of the bot.

The language is guessed from the command that starts the bot.
"""

from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from c4_protocol.dialects import DEFAULT_DIALECT

from c4_referee.bots.agents import agent_files


class Language(NamedTuple):
    """Lines of code in one language, as examples for a bot's author.

    ``answer`` writes an answer in JSON whose move is a column, and ``cell_answer`` one whose move
    is a cell. ``plain_answer`` writes the text ``answer``, for other dialects. ``read`` reads line
    by line, and ``text`` prints a text for people. ``marks`` are file endings and program names: a
    command with one of them is in this language.
    """

    answer: str
    cell_answer: str
    plain_answer: str
    read: str
    text: str
    marks: tuple[str, ...] = ()


PYTHON = Language(
    'print(json.dumps({"move": column}), flush=True)',
    'print(json.dumps({"move": [column, row]}), flush=True)',
    "print(answer, flush=True)",
    "for line in sys.stdin: ...",
    "print(..., file=sys.stderr)",
    (".py", "python", "pypy"),
)
JAVASCRIPT = Language(
    "console.log(JSON.stringify({ move: column }))",
    "console.log(JSON.stringify({ move: [column, row] }))",
    "console.log(answer)",
    'readline.createInterface({ input: process.stdin }).on("line", (line) => ...)',
    "console.error(...)",
    (".js", ".mjs", ".cjs", "node"),
)
SHELL = Language(
    """printf '{"move":%s}\\n' "$column\"""",
    """printf '{"move":[%s,%s]}\\n' "$column" "$row\"""",
    'echo "$answer"',
    "while read -r line; do ...; done",
    "echo ... >&2",
    (".sh", "sh", "bash"),
)
AWK = Language(
    'printf "{\\"move\\":%d}\\n", column; fflush()',
    'printf "{\\"move\\":[%d,%d]}\\n", column, row; fflush()',
    "print answer; fflush()",
    "{ ... } for each line (mawk also needs -W interactive)",
    'print ... > "/dev/stderr"',
    (".awk", "awk", "mawk", "gawk"),
)
JAVA = Language(
    'System.out.println("{\\"move\\":" + column + "}"); System.out.flush();',
    'System.out.println("{\\"move\\":[" + column + "," + row + "]}"); System.out.flush();',
    "System.out.println(answer); System.out.flush();",
    "while ((line = reader.readLine()) != null) ...",
    "System.err.println(...)",
    (".java", ".jar", "java"),
)
PERL = Language(
    'print "{\\"move\\":$column}\\n"; STDOUT->flush();',
    'print "{\\"move\\":[$column,$row]}\\n"; STDOUT->flush();',
    'print "$answer\\n"; STDOUT->flush();',
    "while (my $line = <STDIN>) ...",
    "print STDERR ...",
    (".pl", "perl"),
)
GO = Language(
    'fmt.Printf("{\\"move\\":%d}\\n", column)',
    'fmt.Printf("{\\"move\\":[%d,%d]}\\n", column, row)',
    "fmt.Println(answer)",
    "for scanner.Scan() { line := scanner.Text(); ... }",
    "fmt.Fprintln(os.Stderr, ...)",
    (".go", "go"),
)
CSHARP = Language(
    'Console.WriteLine("{\\"move\\":" + column + "}");',
    'Console.WriteLine("{\\"move\\":[" + column + "," + row + "]}");',
    "Console.WriteLine(answer);",
    "while ((line = Console.ReadLine()) != null) ...",
    "Console.Error.WriteLine(...)",
    (".cs", ".csproj", "dotnet", "mono"),
)
RACKET = Language(
    '(printf "{\\"move\\":~a}\\n" column) (flush-output)',
    '(printf "{\\"move\\":[~a,~a]}\\n" column row) (flush-output)',
    "(displayln answer) (flush-output)",
    "(for ([line (in-lines)]) ...)",
    "(eprintf ...)",
    (".rkt", "racket"),
)
CLOJURE = Language(
    '(println (str "{\\"move\\":" column "}")) (flush)',
    '(println (str "{\\"move\\":[" column "," row "]}")) (flush)',
    "(println answer) (flush)",
    "(doseq [line (line-seq (java.io.BufferedReader. *in*))] ...)",
    "(binding [*out* *err*] (println ...))",
    (".clj", "clojure", "clj"),
)
KAGGLE = Language(
    "return column",
    "return column",
    "return column",
    "def agent(obs, config): ...",
    "print(...)",
)
"""Lines for an agent, which is a function."""
COMPILED = Language(
    'printf("{\\"move\\":%d}\\n", column); fflush(stdout); in C++ std::cout << ... << std::endl',
    'printf("{\\"move\\":[%d,%d]}\\n", column, row); fflush(stdout); '
    "in C++ std::cout << ... << std::endl",
    "puts(answer); fflush(stdout); in C++ std::cout << answer << std::endl",
    "fgets(line, size, stdin) in a loop; in C++ while (std::getline(std::cin, line))",
    "fprintf(stderr, ...); in C++ std::cerr << ...",
)
"""Lines for C and C++. They are shown for unknown languages, too."""

LANGUAGES = (PYTHON, JAVASCRIPT, SHELL, AWK, JAVA, PERL, GO, CSHARP, RACKET, CLOJURE)
BY_MARK = {mark: language for language in LANGUAGES for mark in language.marks}


def language_of(
    command: Sequence[str], *, gravity: bool = True, dialect: str = DEFAULT_DIALECT
) -> Language:
    """Return the language of a command, from a file ending in it or else from its program.

    ``answer`` of the result writes an answer in the dialect. Without ``gravity``, moves are cells.
    """
    language = _language_of(command)
    if dialect != DEFAULT_DIALECT:
        return language._replace(answer=language.plain_answer)
    return language if gravity else language._replace(answer=language.cell_answer)


def _language_of(command: Sequence[str]) -> Language:
    if agent_files(command):
        return KAGGLE
    endings = (BY_MARK.get(PurePath(word).suffix) for word in command)
    if ending := next(filter(None, endings), None):
        return ending
    program = PurePath(command[0]).name.rstrip("0123456789.")
    return BY_MARK.get(program, COMPILED)
