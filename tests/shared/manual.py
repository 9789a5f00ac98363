"""Manual pages of the commands, written from their parsers.

argparse-manpage describes the options. The text at the end of ``--help`` is laid out by lines. This
module turns its examples, tables and paragraphs into those of a manual page.
"""

import re
from argparse import ArgumentParser
from collections.abc import Iterator

import c4_bot.commands.bot
import c4_bot.commands.solve
import c4_referee.cli
import c4_referee.tuning.cli
from argparse_manpage.manpage import Manpage

COMMANDS = {
    "c4-bot": (c4_bot.commands.bot.parser, "play Connect Four, as a program or against a person"),
    "c4-solve": (c4_bot.commands.solve.parser, "solve Connect Four positions exactly"),
    "c4-referee": (c4_referee.cli.parser, "run Connect Four bots against each other"),
    "c4-tune": (c4_referee.tuning.cli.parser, "find good weights for a Connect Four player"),
}
EXAMPLES = ("examples", "more examples")
EXIT_CODE = "Exit code: "
ROW = re.compile(r"(\S+): {2,}(.*)")
"""The first line of a row in a table: its name and its text."""


def page(command: str) -> str:
    """Return the manual page of a command, without the date and for any terminal."""
    make, summary = COMMANDS[command]
    parser = make()
    epilog, parser.epilog = parser.epilog, None
    made = Manpage(parser, format="single-commands-section")
    made.date, made.source, made.manual = "", "c4-arena", "User Commands"
    made.description = summary
    made.synopsis = [made.synopsis[0], *map(escaped, made.synopsis[1:])]
    for title, text in _sections(f"{epilog}\n{parser.details}"):
        made.add_section(title, ">", text)
    for name, own in subcommands(parser).items():
        if own.epilog != epilog:
            own_text = f"{own.epilog}\n{own.details}"
            made.add_section(f"examples of {name}", ">", _in_one_section(own_text))
    return _tidy(str(made))


def subcommands(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """Return the parsers of a program's subcommands, or an empty dictionary."""
    found = (action.choices for action in parser._actions if action.nargs == "A...")
    return dict(next(found, {}))


def _sections(epilog: str) -> Iterator[tuple[str, str]]:
    """Yield the title and the groff text of each paragraph of an epilog."""
    for paragraph in re.split(r"\n{2,}|\n(?=Exit code: )", epilog.strip()):
        title, _, rest = paragraph.partition(":\n")
        if title in EXAMPLES:
            yield title, _examples(rest)
        elif paragraph.startswith(EXIT_CODE):
            yield "exit status", _filled(paragraph.removeprefix(EXIT_CODE).splitlines())
        else:
            yield "notes", "".join(_notes(paragraph.splitlines())) + ".PP\n"


def _in_one_section(epilog: str) -> str:
    """Return the paragraphs of a command's epilog without titles."""
    sections = _sections(epilog)
    marked = (
        f"Exit status: {text}" if title == "exit status" else text for title, text in sections
    )
    return ".PP\n".join(marked)


def _examples(text: str) -> str:
    """Return lines of ``command comment`` as a list. A comment may be missing."""
    pairs = (re.split(r" {2,}", line.strip(), maxsplit=1) for line in text.splitlines())
    return "".join(
        f".TP\n\\fB{escaped(' '.join(pair[:1]))}\\fR\n{_filled(pair[1:])}" for pair in pairs
    )


def _notes(lines: list[str]) -> Iterator[str]:
    """Yield rows of a table as entries of a list, and other indented lines unchanged."""
    in_table = False
    for line in lines:
        if row := ROW.fullmatch(line):
            in_table = True
            yield f".TP\n\\fB{escaped(row[1])}\\fR\n{_filled([row[2]])}"
        elif line.startswith("  ") and not in_table:
            yield f".nf\n{escaped(line)}\n.fi\n"
        else:
            yield _filled([line])


def _filled(lines: list[str]) -> str:
    """Return the lines as text that groff fills."""
    return "".join(f"{escaped(line.strip())}\n" for line in lines)


def escaped(text: str) -> str:
    """Return a text without special meaning for groff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _tidy(text: str) -> str:
    """Put each usage on one line, and name the section of subcommands COMMANDS."""
    usages = re.sub(r"^usage: .*(?:\n {8,}.*)*", _on_one_line, text, flags=re.MULTILINE)
    named = usages.replace(".SH\nPOSITIONAL ARGUMENTS\n.SS", ".SH COMMANDS\n.SS")
    return re.sub(r"\n{2,}", "\n", named.replace("\n\n", "\n.PP\n"))


def _on_one_line(usage: re.Match[str]) -> str:
    return " ".join(usage[0].split())
