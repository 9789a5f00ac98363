"""``c4-referee doctor``: what works on this machine, and what to install for the rest."""

import argparse
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json
from c4_protocol.program.parser import add_json

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from c4_referee.classroom.machine import Machine

EPILOG = """\
A class needs the core and the sandbox. The core is the fast part of c4-bot and
c4-solve; it is tried with a question. The sandbox is tried with a program.
Control groups limit bots more exactly, and are optional. Of the languages, a
class needs those of its bots. Install what is missing with the last line, on
Debian and Ubuntu.

With --json, install has the names of Debian packages, and sizes are in MiB.

Exit code: 0 if the core and the sandbox work; 1 if not.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    doctor = commands.add_parser(
        "doctor",
        help="show what works on this machine, and what to install",
        description="Show what works on this machine, and what to install for the rest.",
        epilog=EPILOG,
    )
    add_json(doctor)
    doctor.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from c4_referee.classroom.machine import look_at_machine

    machine = look_at_machine()
    if options.json:
        print_json(machine)
    else:
        _print_screen(machine)
    return 1 if machine.needed else 0


def _print_screen(machine: "Machine") -> None:
    import os

    from rich.text import Text

    from c4_referee.report.console import SafeConsole

    console = SafeConsole(highlight=False)
    head = "c4-arena {c4-arena}, Python {Python}, {system}".format_map(machine.versions)
    for part in (Text(head, "bold"), "", _table(machine), "", _summary(machine)):
        console.print(part)
    if machine.packages:
        sudo = "sudo " if os.geteuid() else ""
        command = f"  {sudo}apt install {' '.join(machine.packages)}"
        console.print("To install all that is missing, on Debian and Ubuntu:")
        console.print(Text(command), soft_wrap=True)


def _table(machine: "Machine") -> "Table":
    """Return a row for everything: its mark, its name, and what was found or what to do.

    The mark is red if a class needs what does not work.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for name, found in _rows(machine):
        mark, text = Text("ok", "green"), found
        if problem := next((one for one in machine.problems if one.about == name), None):
            style = "bold red" if name in machine.needed else "yellow"
            mark = Text("missing" if problem.install else "off", style)
            install = f": apt install {problem.install}" if problem.install else ""
            text = problem.reason + install
        table.add_row(mark, name, Text(text, overflow="fold"))
    return table


def _rows(machine: "Machine") -> "list[tuple[str, str]]":
    """Return the names of all rows, and what is there if all is well."""
    from c4_referee.classroom.machine import CORE, GROUPS, SANDBOX
    from c4_referee.report.texts import counted

    sizes = f"{machine.memory_mb / 1024:.1f} GB of memory, {machine.free_disk_mb / 1024:.1f} GB"
    rows = [
        ("machine", f"{counted(machine.processors, 'processor')}, {sizes} of disk free"),
        (CORE, "c4-bot answers, with its native core"),
        (SANDBOX, "bubblewrap works"),
        (GROUPS, f"limits for {', '.join(machine.control_groups)}"),
    ]
    for language in machine.languages:
        found = (f"{one.name} {one.version or ''}".strip() for one in language.programs)
        rows.append((language.name, ", ".join(found)))
    return rows


def _summary(machine: "Machine") -> "Text":
    from rich.text import Text

    if machine.needed:
        needed = " and the ".join(machine.needed)
        return Text(f"Not ready for a class: it needs the {needed}.", "bold red")
    lacking = ", ".join(language.name for language in machine.languages if not language.works)
    without = f" without bots in {lacking}" if lacking else ""
    return Text(f"Ready for a class{without}.", "bold green")
