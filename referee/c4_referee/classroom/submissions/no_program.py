"""Why nothing in a submission can be started, and what its author does next, in one sentence."""

from collections.abc import Sequence
from pathlib import Path

from c4_referee.bots.languages import BY_ENDING
from c4_referee.classroom.submissions.mains import short_list
from c4_referee.system.safe_files import read_start

SOURCES = "hand in the source files of your bot"
WINDOWS, MACOS = (
    f"programs for {name} do not run on Linux: {SOURCES}" for name in ("Windows", "macOS")
)
NO_PROGRAM = "there is no program in it that Linux can start, "
ADVICE = {
    " ".join(BY_ENDING): "none of them is a main program: hand in the one that reads the questions",
    ".exe .dll .msi .com .bat .cmd .ps1 .vbs": WINDOWS,
    ".app .dmg": MACOS,
    ".class .jar .pyc .o .obj .a .so": f"a compiler has made them: {SOURCES}",
    ".ipynb": "no program in Python can be read in the notebook: save it as a file .py",
    ".lnk .url .webloc .gdoc": "this is a link only: hand in the file to which it leads",
    ".pdf .docx .doc .odt .rtf .tex .md .txt .html .png .jpg": f"documents do not play: {SOURCES}",
    ".json": f"package.json names no program that was handed in: {SOURCES}",
    ".zip .rar .7z .gz .xz .tar": "pack the files themselves as one zip, without archives in it",
}
"""Advice for the author, by the endings of files. The first entry that fits decides."""
MACOS_BEGINNINGS = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def why_no_program(home: Path, files: Sequence[str]) -> str:
    """Return why there is nothing to start among the files of a folder, for their author."""
    if not files:
        return f"it is empty: {SOURCES}"
    sources = [home / path for path in files if Path(path).suffix in BY_ENDING]
    if sources and not any(path.stat().st_size for path in sources):
        return f"its sources are empty: {SOURCES}"
    endings = {Path(path).suffix.lower() for path in files} - {""}
    known = (advice for kinds, advice in ADVICE.items() if endings.intersection(kinds.split()))
    advice = next(known, "no known language: write the command that starts it into bot.toml")
    if any(
        not Path(path).suffix and read_start(home / path, 4) in MACOS_BEGINNINGS for path in files
    ):
        advice = MACOS
    return f"{NO_PROGRAM}only {short_list(files)}: {advice}"
