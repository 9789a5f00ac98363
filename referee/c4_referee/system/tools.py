"""The search path, and the programs that the referee itself starts.

An empty or relative entry of the search path means a folder below the current one. Students and
bots may have put programs there, with names such as ``bwrap``. Therefore only absolute entries
count.
"""

import os
import shutil


def absolute_search_path() -> str:
    """Return the absolute entries of the search path."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(filter(os.path.isabs, entries))


def tool_path(name: str) -> str:
    """Return the path of a program that the referee starts.

    Raises ``FileNotFoundError`` if it is not installed.
    """
    if path := shutil.which(name, path=absolute_search_path()):
        return path
    raise FileNotFoundError(f"{name} is not installed")
