"""Our own commands, which are started from this installation.

A bot's command may begin with the bare name of one of our commands, without a path. This means the
command that was installed together with this referee, even if the search path leads to another
program of this name. We start it by the path of its file in the package ``c4_bot``, so it does not
matter where scripts were installed. This file imports the package to which it belongs, even if the
bot's folder or its variables lead Python to another package of this name.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.bots.agents import command_with_runner

COMMAND_FILES = {"c4-bot": "__main__.py", "c4-solve": "c4_solve.py"}
"""Files of our commands in the package ``c4_bot``, by name."""
ADDED_OPTIONS = {"c4-bot": ("--one-variant",), "c4-solve": ()}
"""Options that are appended to our commands, by name. With ``--one-variant``, ``c4-bot`` ends if
its player does not play the variant. Otherwise the referee would wait for an answer in vain."""
USAGE_ERROR_CODE = 2
"""Exit code of our commands for a mistake of the user, such as a wrong option."""
OUR_PACKAGES = ("c4_bot", "c4_protocol", "c4_referee", "orjson")
"""Packages that our commands import when they play and solve."""
WITHOUT_CORE = "without the native core (much slower and weaker)"
"""Text that follows the version of ``c4-bot`` if it played without its native core."""
SITE_FOLDERS = ("site-packages", "dist-packages")
"""Names of folders in which packages are installed."""


def with_own_command(command: Sequence[str], python: str | None = None) -> tuple[str, ...]:
    """Return a command line that starts our own command if ``command`` begins with its bare name.

    An agent (``agents.py``) in another command line gets its runner. With ``python``, the
    environment of a class, nothing is our own command. Raises ``UsageError`` if our command is
    missing.
    """
    program, *arguments = command
    if python or program not in COMMAND_FILES:
        return command_with_runner(command, python)
    return (*start_of(program), *arguments, *ADDED_OPTIONS[program])


def start_of(program: str) -> tuple[str, ...]:
    """Return the words that start our own command. Raises ``UsageError`` if it is missing."""
    folder = package_folder("c4_bot")
    file = folder and folder / COMMAND_FILES[program]
    if not (file and file.is_file()):
        raise UsageError(f"{program} is not in this installation: reinstall c4-arena")
    # Without -P, Python would look for modules in the folder of the file.
    return (sys.executable, "-P", str(file))


@cache
def package_folder(name: str) -> Path | None:
    """Return the folder of a package, or ``None`` if it is not installed.

    The packages of a wheel are beside each other. In an editable installation they are not.
    """
    beside = Path(__file__).parents[2] / name
    if (beside / "__init__.py").is_file():
        return beside
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def package_folders() -> tuple[Path, ...]:
    """Return the folders of all packages that our commands import."""
    return tuple(filter(None, map(package_folder, OUR_PACKAGES)))


@cache
def installed_packages(search_path: str) -> tuple[Path, ...]:
    """Return the files and folders that no submission of a class may see, if they are visible.

    These are our packages and scripts, and all packages that are installed for this Python, for
    Pythons of the system, and beside copies of our scripts on the search path.
    """
    prefixes = {Path("/usr"), Path("/usr/local"), Path(sys.prefix), Path(sys.base_prefix)}
    for folder in map(Path, search_path.split(os.pathsep)):
        if any(os.path.lexists(folder / program) for program in COMMAND_FILES):
            prefixes.add(folder.parent)
    patterns = ("lib*/python3*/*-packages", "bin/c4-*")
    found = chain.from_iterable(prefix.glob(name) for prefix in prefixes for name in patterns)
    ours = (each.parent if each.parent.name in SITE_FOLDERS else each for each in package_folders())
    return tuple({*found, *ours})


def script_of(program: str) -> str | None:
    """Return the path of the script that was installed for our command, or ``None``.

    The script is not started, but fingerprints of bots contain it.
    """
    site = Path(__file__).parents[2]
    folders = (site.parents[2] / "bin",) if site.name in SITE_FOLDERS else ()
    places = map(str, (*folders, site / "bin", Path(sys.executable).parent))
    return shutil.which(program, path=os.pathsep.join(places))


def version_of(program: str, *, without_core: bool = False) -> str | None:
    """Return the version of the program if it is the bare name of our own command, else ``None``.

    ``WITHOUT_CORE`` follows it if the program ran without its native core. Other programs are not
    asked for their versions, because they would run without any limits.
    """
    if program not in COMMAND_FILES:
        return None
    from importlib.metadata import version  # noqa: PLC0415 - slow, and needed only for reports

    return f"{version('c4-arena')} {WITHOUT_CORE}" if without_core else version("c4-arena")
