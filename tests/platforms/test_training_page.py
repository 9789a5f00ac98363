"""The examples of docs/training.md work, in an empty folder."""

import re
from pathlib import Path

import pytest
from followed import follow

pytestmark = pytest.mark.documented

PAGE = Path(__file__).parents[2] / "docs" / "training.md"


def test_examples_print_what_the_page_shows(tmp_path):
    """Every example whose library is installed runs, and prints exactly what the page shows."""
    count = follow(PAGE, tmp_path)
    assert count <= PAGE.read_text(encoding="utf-8").count("```sh")
    assert {path.name for path in tmp_path.glob("*.py")} == {
        "agent.py", "play.py", "spiel.py", "zoo.py",
    }  # fmt: skip


def test_every_adapter_is_on_the_page():
    """The table names the modules and the extras that exist."""
    root = PAGE.parents[1]
    folder = root / "bot" / "c4_bot" / "adapters"
    named = re.findall(r"\| `(\w+)` \| `c4_bot\.adapters\.(\w+)` \|", PAGE.read_text("utf-8"))
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "column_player", "planes"}
    assert dict(named) == {name: name for name in modules}
    extras = (root / "pyproject.toml").read_text("utf-8")
    assert all(re.search(rf"^{name} = \[", extras, re.MULTILINE) for name in (*modules, "kaggle"))
