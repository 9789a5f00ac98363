"""Programs in notebooks of Jupyter: their code cells, in their order, become a file in Python.

Only the JSON is read, so no library is needed, and nothing runs.
"""

import json
import re
from pathlib import Path

from c4_referee.system.safe_files import MAX_WRITTEN_BYTES, read_file

MAGIC = re.compile(r"^([ \t]*)(?:(?:%[A-Za-z]|!).*|\?.*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
"""Pattern of lines that only notebooks understand: commands, programs of the shell, and help."""
KEPT = re.compile(r"%%(?:time|timeit|capture|prun|writefile)\b.*")
"""Pattern of the first line of cells whose other lines are Python all the same."""


def add_programs(folder: Path) -> None:
    """Write the program of each notebook in a folder beside it, unless a file has its name.

    Notebooks that cannot be read, or that are in other languages, are left as they are.
    """
    for path in sorted(folder.rglob("*.ipynb")):
        target = path.with_suffix(".py")
        if path.is_file() and not target.exists() and (text := _program(path)):
            target.write_text(text, encoding="utf-8")


def _program(path: Path) -> str:
    """Return the program of a notebook, or "" if there is none."""
    try:
        notebook = json.loads(read_file(path, MAX_WRITTEN_BYTES).decode("utf-8-sig"))
        language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        texts = ["".join(cell["source"]) for cell in cells]
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return ""
    texts = [KEPT.sub("", text, count=1) if KEPT.match(text) else text for text in texts]
    texts = [MAGIC.sub(r"\1pass", text) for text in texts if not text.startswith("%%")]
    return "\n\n".join(texts) + "\n" if language == "python" and any(texts) else ""
