"""The Python of submissions: an environment with the packages that the class allows, and no others.

It is in the folder of the class, and is made again when its packages or the Python of the referee
change. A copy of the runner for agents is in it. Submissions see nothing else of the referee.
"""

import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from venv import EnvBuilder

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible

from c4_referee.bots.agents import RUNNER_PATH
from c4_referee.classroom.settings import SETTINGS_FILE, ClassSettings
from c4_referee.system.safe_files import read_file, replace_file

ENVIRONMENT = "python"
"""Name of the folder of the environment in that of the class."""
MARK_FILE = "made-for"
"""Name of the file in it with a digest of what decides its content. It is written last."""
PIP_OPTIONS = ("--quiet", "--no-input", "--disable-pip-version-check")


def make_environment(home: Path, settings: ClassSettings, folder: Path) -> str:
    """Make the environment in ``folder`` if it is not there yet, and return its path.

    ``home`` is the folder of the settings. Raises ``UsageError`` if this fails.
    """
    made, runner = folder.resolve() / ENVIRONMENT, read_file(RUNNER_PATH)
    wanted = (settings.packages, settings.wheels, sys.version, sys.base_prefix, runner)
    mark = sha256(repr(wanted).encode()).hexdigest().encode()
    with suppress(OSError):
        if read_file(made / MARK_FILE) == mark:
            return str(made)
    try:
        EnvBuilder(clear=True, symlinks=True).create(made)
        if settings.packages:
            _install(home, settings, made)
        replace_file(made / RUNNER_PATH.name, runner)
        replace_file(made / MARK_FILE, mark)
    except (OSError, ValueError) as error:  # a path with a colon is none for an environment
        raise UsageError(f"cannot make {made}: {error}") from None
    return str(made)


def _install(home: Path, settings: ClassSettings, made: Path) -> None:
    """Install the packages with the pip of the referee, which need not be in the environment."""
    source = ["--no-index", f"--find-links={home / settings.wheels}"] if settings.wheels else []
    pip = [sys.executable, "-P", "-m", "pip", "--python", str(made / "bin" / "python3")]
    command = [*pip, "install", *PIP_OPTIONS, *source, "--", *settings.packages]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        lines = [*filter(None, map(str.strip, done.stderr.splitlines()))]
        errors = [line for line in lines if line.startswith("ERROR")]
        line = visible([*errors, *reversed(lines), "pip failed"][0])
        advice = "correct packages, or put the wheels into the folder that wheels names"
        if "No module named pip" in line:
            advice = f"install it with {sys.executable} -m ensurepip, or as python3-pip"
        reason = line.removeprefix("ERROR: ")
        raise UsageError(f"{home / SETTINGS_FILE}: packages: {reason}: {advice}")
