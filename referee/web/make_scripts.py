"""Make the scripts and style sheets of reports and of the server.

``python referee/web/make_scripts.py`` writes them to ``c4_referee/report/site/static/``. It needs
the packages of ``tests/browser/package.json``.
"""

import sys
from pathlib import Path

from c4_protocol.program.exit_codes import exit_code

SOURCE = Path(__file__).parent
sys.path.insert(0, str(SOURCE.parents[1] / "protocol/web"))

from bundle import DIGESTS, bundled, digests, sources  # noqa: E402 - found only now

STATIC = SOURCE.parent / "c4_referee/report/site/static"
ENTRIES = {
    "replay.js": "replay/main.js",
    **{name: name for name in ("tables.js", "live.js", "play.js")},
    **{name: name for name in ("style.css", "live.css", "play.css")},
}
"""The module or style sheet from which each file is made."""


def main() -> int:
    """Write the files; return the exit code. Raises ``ArenaError`` if something is missing."""
    for name, content in made_files().items():
        (STATIC / name).write_bytes(content)
        sys.stderr.write(f"{name}: {len(content):,} bytes\n")
    return 0


def made_files() -> dict[str, bytes]:
    """Return the content of each file."""
    files = {name: bundled(SOURCE / entry) for name, entry in ENTRIES.items()}
    return {**files, DIGESTS: made_from().encode()}


def made_from() -> str:
    """Return the digests of the sources."""
    return digests(sources(SOURCE))


if __name__ == "__main__":
    sys.exit(exit_code("make_scripts", main))
