"""A home folder for tests of what a bot in the sandbox sees."""

from pathlib import Path

import pytest
from views import SECRETS, write


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder with secrets, which is not the current folder."""
    home = tmp_path / "home" / "teacher"
    for secret in SECRETS:
        write(home / secret, "secret")
    monkeypatch.setenv("HOME", str(home))
    work = home / "class"
    work.mkdir()
    monkeypatch.chdir(work)
    return home
