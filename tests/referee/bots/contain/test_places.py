"""Folders of this machine, and links between them."""

import pwd
import sys
from pathlib import Path

import pytest
from c4_referee.bots.contain.mounts import Sandbox, view_of
from c4_referee.bots.contain.places import outermost_paths, path_within_folder, user_home


def test_user_may_have_no_home_folder(monkeypatch):
    """Without a home folder, nothing on the way to it is hidden, and no error is raised."""

    def fail(_: int) -> None:
        raise KeyError

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", fail)
    assert user_home() == Path("/")
    assert view_of([sys.executable, "-c", "pass"], None, Sandbox("")).shows(Path(sys.executable))


@pytest.mark.parametrize(
    ("link", "target", "leads"),
    [
        ("a/file", "a/other", True),
        ("a/file", "a/b/../other", True),
        ("a/file", "other", False),
        ("a/b", "a/c", True),
        ("a/b", ".", False),
        ("a", "other", True),
    ],
)
def test_links_are_followed_in_their_folder(tmp_path, link, target, leads):
    """A link may lead to what is in its folder. In a trusted folder it may lead anywhere."""
    for name in ("a/b", "a/c", "other/b"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    path = tmp_path / link
    if path.is_dir():
        path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / target)
    inner = path if link.endswith("file") else path / "inner"
    expected = tmp_path / target if inner == path else tmp_path / target / "inner"
    assert path_within_folder(inner, [tmp_path]) == (expected.resolve() if leads else None)


def test_outermost_paths_are_kept():
    """Paths in other paths and in folders of the system are left out."""
    paths = [Path(name) for name in ("/x/a/b", "/x/a", "/x/ab", "/usr/lib", "/bin/sh")]
    assert {*outermost_paths(paths)} == {Path("/x/a"), Path("/x/ab")}
