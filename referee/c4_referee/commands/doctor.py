"""``c4-referee doctor``: what works on this machine, and what to install for the rest."""

import argparse
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json
from c4_protocol.program.parser import add_json

if TYPE_CHECKING:
    from c4_referee.classroom.machine import Machine

EPILOG = """\
A class needs the core, which is the fast part of c4-bot, the sandbox, and the
languages of its bots. Control groups limit bots more exactly. With --json,
install has the names of Debian packages.

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


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.classroom.machine import NEEDED, look_at_machine

    with prepared_command():
        machine = look_at_machine()
    lacking = [part.name for part in machine.parts if not part.works]
    needed = [name for name in lacking if name in NEEDED]
    install = " ".join(dict.fromkeys(" ".join(part.install for part in machine.parts).split()))
    if options.json:
        print_json({"ready": not needed, "install": install.split(), **asdict(machine)})
    else:
        _print_screen(machine, needed, install)
    return 1 if needed else 0


def _print_screen(machine: "Machine", needed: list[str], install: str) -> None:
    """Print a row for each part. The mark is red if a class needs what does not work."""
    from c4_protocol.terminal.console import SafeConsole
    from rich.table import Table
    from rich.text import Text

    from c4_referee.report.texts import counted

    found = f"{counted(machine.processors, 'processor')}, {machine.free_disk_mb >> 10} GB of disk"
    table = Table.grid(padding=(0, 2))
    table.add_row(Text("ok", "green"), "machine", Text(f"{found} free"))
    for part in machine.parts:
        mark = "ok" if part.works else "missing" if part.install else "off"
        style = "green" if part.works else "bold red" if part.name in needed else "yellow"
        found = f"{part.found}: apt install {part.install}" if part.install else part.found
        table.add_row(Text(mark, style), part.name, Text(found, overflow="fold"))
    console = SafeConsole(highlight=False)
    head = "c4-arena {c4-arena}, Python {Python}, {system}".format_map(machine.versions)
    console.print(Text(head, "bold"), "", table, "", sep="\n")
    text, style = "Ready for a class with bots in the languages that are ok.", "bold green"
    if needed:
        text = f"Not ready for a class: it needs the {' and the '.join(needed)}."
        style = "bold red"
    console.print(Text(text, style))
    if install:
        sudo = "sudo " if os.geteuid() else ""
        console.print("To install all that is missing, on Debian and Ubuntu:")
        console.print(Text(f"  {sudo}apt install {install}"), soft_wrap=True)
