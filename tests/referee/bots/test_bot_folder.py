"""A bot's folder: its digest, and the copy that is made of it elsewhere."""

import os
from pathlib import Path

import pytest
from c4_protocol.program.errors import ArenaError, UsageError
from c4_referee.bots.bot_folder import (
    MAX_FOLDER_MB,
    PackedFolder,
    folder_digest,
    pack_folder,
    unpack_folder,
)
from c4_referee.bots.contain.ignored import IGNORED_NAMES
from c4_referee.bots.find import find_bots, read_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.records.storage.fingerprint import fingerprint_of_bot
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=8)
FILES = st.dictionaries(
    NAMES.filter(lambda name: name not in {".", "..", *IGNORED_NAMES}),
    st.binary(max_size=50),
    max_size=4,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a program, an inner folder, and a link to a file in it."""
    made = tmp_path / "bot"
    (made / "data").mkdir(parents=True)
    (made / "data" / "weights").write_bytes(b"1,2,3")
    (made / "run").write_text("#!/bin/sh\n", encoding="utf-8")
    (made / "run").chmod(0o755)
    (made / "latest").symlink_to("data/weights")
    return made


@given(files=FILES)
def test_what_is_packed_arrives(tmp_path_factory, files):
    """Any packed files arrive unchanged, with the same digest."""
    folder, shelf = tmp_path_factory.mktemp("bot"), tmp_path_factory.mktemp("shelf")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    parcel = pack_folder(folder)
    copy = unpack_folder(parcel, shelf)
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == files
    assert pack_folder(copy) == parcel
    assert parcel.digest == folder_digest(folder)


def test_program_and_link_arrive(folder, tmp_path):
    """An unpacked program can be executed, and a link leads to its file."""
    copy = unpack_folder(pack_folder(folder), tmp_path / "shelf")
    assert os.access(copy / "run", os.X_OK)
    assert not os.access(copy / "data" / "weights", os.X_OK)
    assert (copy / "latest").readlink() == Path("data/weights")
    assert (copy / "latest").read_bytes() == b"1,2,3"


@pytest.mark.parametrize(
    "edit",
    [
        lambda folder: (folder / "data" / "weights").write_bytes(b"1,2,4"),
        lambda folder: (folder / "run").chmod(0o644),
        lambda folder: (folder / "run").rename(folder / "start"),
        lambda folder: (folder / "empty").mkdir(),
        lambda folder: (folder / "latest").unlink(),
    ],
)
def test_every_edit_shows(folder, edit):
    """Any change of content, permissions, names, folders or links changes the digest."""
    before = folder_digest(folder)
    edit(folder)
    assert folder_digest(folder) != before


def test_playing_leaves_the_digest(folder):
    """Caches of Python, files of git and times of files do not change the digest."""
    before = pack_folder(folder)
    for name in ("__pycache__", ".git"):
        (folder / "data" / name).mkdir()
        (folder / "data" / name / "new").touch()
    os.utime(folder / "run", (0, 0))
    assert pack_folder(folder) == before


@pytest.mark.parametrize("target", ["/etc/passwd", "../other", "data/../../other"])
def test_link_that_leaves_is_refused(folder, target):
    """A link to something outside the folder is refused."""
    (folder / "link").symlink_to(target)
    with pytest.raises(UsageError, match="a link that leaves the folder"):
        pack_folder(folder)


def test_what_cannot_travel_is_refused(folder):
    """A folder is refused if it is too large or holds a pipe."""
    os.truncate(folder / "data" / "weights", (MAX_FOLDER_MB + 1) * 1_000_000)
    with pytest.raises(UsageError, match=f"holds {MAX_FOLDER_MB + 1} MB"):
        pack_folder(folder)
    os.mkfifo(folder / "pipe")
    with pytest.raises(UsageError, match="neither a file nor a folder nor a link"):
        folder_digest(folder)


def test_damaged_parcel_is_refused(folder, tmp_path):
    """A parcel whose content has another digest is not unpacked."""
    with pytest.raises(ArenaError, match="did not arrive whole"):
        unpack_folder(PackedFolder("0" * 64, pack_folder(folder).archive), tmp_path / "shelf")


def test_folder_identifies_a_bot(folder, tmp_path):
    """A bot whose folder is moved is the same bot. With an edited folder it is another bot."""

    def fingerprint() -> str:
        return fingerprint_of_bot(BotSpec(name="bot", command="./run", folder=str(folder)))

    before = fingerprint()
    folder = folder.rename(tmp_path / "elsewhere")
    assert fingerprint() == before
    (folder / "new").touch()
    assert fingerprint() != before


def test_folder_of_a_bot_is_checked(folder, tmp_path):
    """A bot has either ``folder`` or ``cwd``, and its folder must exist on this machine."""
    file = tmp_path / "bots.toml"
    file.write_text(f"[bots.one]\ncommand = './run'\nfolder = '{folder}'\n", encoding="utf-8")
    assert find_bots(["one"], read_bots(str(file)))[0].working_folder == str(folder)
    file.write_text("[bots.one]\ncommand = 'x'\nfolder = 'a'\ncwd = 'b'\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"bots\.one: .*cwd and folder"):
        read_bots(str(file))
    file.write_text("[bots.one]\ncommand = 'x'\nfolder = 'nowhere'\n", encoding="utf-8")
    with pytest.raises(UsageError, match="there is no folder 'nowhere'"):
        find_bots(["one"], read_bots(str(file)), here=False)
