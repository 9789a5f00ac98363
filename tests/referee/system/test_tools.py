"""The referee starts its own programs from absolute entries of the search path only."""

import re
from pathlib import Path

import pytest
from c4_referee.bots.spec import search_path
from c4_referee.system.tools import tool_path

REFEREE = Path(__file__).parents[3] / "referee" / "c4_referee"
BARE_NAME = re.compile(r"""which\([^,]*?\)(?!, )|subprocess\.\w+\(\s*[\[(]\s*["']""")
"""Pattern of a call that looks for a program on the whole search path."""


@pytest.mark.parametrize("entry", ["", ".", "tools"])
def test_program_of_the_current_folder_is_no_tool(tmp_path, monkeypatch, entry):
    """An empty or relative entry of the search path is left out."""
    monkeypatch.chdir(tmp_path)
    program = tmp_path / entry / "c4-arena-tool"
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/bin/sh")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{entry}:/usr/bin:{entry}")
    assert search_path().startswith("/usr/bin:/")
    with pytest.raises(FileNotFoundError, match="c4-arena-tool is not installed"):
        tool_path("c4-arena-tool")
    monkeypatch.setenv("PATH", f"{entry}:{program.parent}")
    assert tool_path("c4-arena-tool") == str(program)


def test_no_module_starts_a_bare_name():
    """Each program has a path, or is looked for with a search path that is given."""
    texts = [path.read_text("utf-8") for path in REFEREE.rglob("*.py")]
    assert not [text for text in texts if BARE_NAME.search(text)]
    assert all(map(BARE_NAME.search, ("shutil.which('rm')", "subprocess.run(['rm', path])")))
