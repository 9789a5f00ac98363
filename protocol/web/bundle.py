"""How scripts and style sheets of pages are made: esbuild joins modules, and digests say of which.

The sources of the pages are in ``bot/web`` and ``referee/web``. They share the modules here, as the
packages share ``c4_protocol``. The files that are made are kept in the repository, so that nobody
who installs the project needs esbuild.
"""

import hashlib
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from c4_protocol.program.errors import ArenaError

SHARED = Path(__file__).parent
ROOT = SHARED.parents[1]
ESBUILD = ROOT / "tests/browser/node_modules/.bin/esbuild"
SUFFIXES = {".js", ".css", ".html", ".json", ".py"}
DIGESTS = "built_from.txt"
"""Name of the file with the digests."""


def bundled(entry: Path, *options: str) -> bytes:
    """Return a module or style sheet, with all its imports, as one small file."""
    if not ESBUILD.exists():
        raise ArenaError("esbuild is missing: npm ci --ignore-scripts --prefix tests/browser")
    usual = ("--bundle", "--minify", "--format=iife", "--target=es2023", "--charset=utf8")
    return run(ESBUILD, entry, *usual, *options)


def run(*command: str | Path) -> bytes:
    """Run a command and return its output; raise ``ArenaError`` with its message if it fails."""
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise ArenaError(f"{command[0]} failed:\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def sources(folder: Path) -> Iterator[Path]:
    """Yield the sources in a folder, and those that all pages share."""
    for place in (folder, SHARED):
        yield from (path for path in place.rglob("*") if path.suffix in SUFFIXES)


def digests(paths: Iterable[Path]) -> str:
    """Return the SHA-256 of files, one on each line."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT).as_posix()}\n"
        for path in sorted({*paths})
    )
