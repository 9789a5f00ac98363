"""Archives of strangers are unpacked within limits, and nothing of them gets outside."""

import gzip
import io
import os
import shutil
import stat
import subprocess
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from c4_referee.classroom.submissions import time_limit
from c4_referee.classroom.submissions.handed import Part
from c4_referee.classroom.submissions.tree import Bounds, Refused
from c4_referee.classroom.submissions.unpacking import gather, unpack
from hypothesis import given
from hypothesis import strategies as st

SECRET = "the key of the exam"


def zipped(path: Path, files: dict[str, str | bytes], mode: int = 0o644) -> Path:
    """Return a zip archive with these files. All of them have the same mode."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def tarred(path: Path, *members: tarfile.TarInfo | str) -> Path:
    """Return a tar archive with these members, compressed as its ending says. A text is a file."""
    with tarfile.open(path, {".gz": "w:gz", ".xz": "w:xz"}.get(path.suffix, "w")) as archive:
        for member in members:
            info = tarfile.TarInfo(member) if isinstance(member, str) else member
            info.size = info.size or (len(SECRET) if info.isreg() else 0)
            archive.addfile(info, io.BytesIO(b"x" * info.size))
    return path


def member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """Return a member of a tar archive that is no file."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def files_in(folder: Path) -> dict[str, str]:
    """Return the content of all files in a folder, by path."""
    paths = (path for path in sorted(folder.rglob("*")) if not path.is_dir())
    return {str(path.relative_to(folder)): path.read_text(errors="replace") for path in paths}


def refusal(archive: Path, limits: Bounds | None = None) -> str:
    """Return why an archive is refused, and check that nothing is left of it."""
    before = sorted(archive.parent.iterdir())
    with pytest.raises(Refused) as caught:
        unpack(archive, archive.parent / "target", limits or Bounds())
    assert sorted(archive.parent.iterdir()) == before
    text = str(caught.value)
    assert text.startswith(archive.name)
    assert "\n" not in text
    assert str(archive.parent) not in text
    return text


OUTSIDE = ["../../x", "/etc/x", "..\\x", "a\\..\\..\\x", "C:\\x", "c:x", "\\x", "a/../../x"]
SYMLINK, HARD_LINK = tarfile.SYMTYPE, tarfile.LNKTYPE


@pytest.mark.parametrize("name", OUTSIDE)
def test_path_outside_is_refused(tmp_path, name):
    """A path that leads out of the folder is refused, in both kinds of archives."""
    text = refusal(zipped(tmp_path / "bot.zip", {"bot.py": "", name: SECRET}))
    assert text == f"bot.zip holds a path outside of its folder: {name!r}"
    text = refusal(tarred(tmp_path / "bot.tar", "bot.py", name))
    assert text == f"bot.tar holds a path outside of its folder: {name!r}"


@pytest.mark.parametrize("target", ["/etc/passwd", "../secret", "a/../../secret", "..\\secret"])
def test_link_that_leaves_the_folder_is_refused(tmp_path, target):
    """A link is refused if its target is outside, also if a file comes through it."""
    (tmp_path / "secret").write_text(SECRET)
    link = zipped(tmp_path / "bot.zip", {"data": target}, stat.S_IFLNK | 0o777)
    assert "holds a link that leaves its folder: 'data -> " in refusal(link)
    for kind in (SYMLINK, HARD_LINK):
        packed = tarred(tmp_path / "bot.tar", member("data", kind, target), "data/x")
        assert "holds a link that leaves its folder" in refusal(packed)


def test_link_inside_becomes_a_copy(tmp_path):
    """A link to a file of the archive becomes a copy of it. Other links are left out."""
    links = [member("a/link", SYMLINK, "../main"), member("hard", HARD_LINK, "main")]
    links += [member("around", SYMLINK, "."), member("nothing", SYMLINK, "missing")]
    unpack(tarred(tmp_path / "bot.tar", *links, "main"), tmp_path / "target")
    assert files_in(tmp_path / "target") == dict.fromkeys(["a/link", "hard", "main"], "x" * 19)
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_file_through_a_link_stays_inside(tmp_path):
    """A file whose folder is a link in the archive is written into a real folder."""
    links = [member("up", SYMLINK, "deep/.."), member("up/up", SYMLINK, "..")]
    unpack(tarred(tmp_path / "bot.tar", *links, "up/up/x"), tmp_path / "target")
    assert files_in(tmp_path).keys() == {"bot.tar", "target/up/up/x"}


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_device_is_refused(tmp_path, kind):
    """Devices and pipes are refused."""
    assert "a device, a pipe or a socket" in refusal(tarred(tmp_path / "b.tar", member("x", kind)))
    packed = zipped(tmp_path / "b.zip", {"x": ""}, stat.S_IFIFO | 0o644)
    assert "a device, a pipe or a socket" in refusal(packed)


class _Zeros(io.RawIOBase):
    """So many zeros, which need no memory."""

    def __init__(self, size: int) -> None:
        self._left = size

    def read(self, size: int = -1) -> bytes:
        size = min(size, self._left)
        self._left -= size
        return bytes(size)


@pytest.mark.slow
def test_archive_that_unpacks_to_too_much_is_refused(tmp_path):
    """The bytes that are written are counted, in a zip in a zip and in a compressed tar archive."""
    packed = zipped(tmp_path / "bomb.zip", {"zeros": bytes(120 << 20)}).read_bytes()
    bomb = zipped(tmp_path / "bomb.zip", {"inner.zip": packed})
    with pytest.raises(
        Refused, match=r"inner\.zip unpacks to more than 100 MB, or 200 times what was handed"
    ):
        gather([Part(bomb)], tmp_path / "target")
    (tmp_path / "bomb.zip").write_bytes(packed)
    assert "bomb.zip unpacks to more than" in refusal(bomb)
    assert "unpacks to more than 9 MB" in refusal(bomb, Bounds(megabytes=9))
    info = tarfile.TarInfo("node_modules/zeros")
    info.size = 400 << 20
    with tarfile.open(tmp_path / "bomb.tar.xz", "w:xz", preset=0) as archive:
        archive.addfile(info, _Zeros(info.size))
    assert "unpacks to more than" in refusal(tmp_path / "bomb.tar.xz")


def test_false_size_in_a_zip_does_not_help(tmp_path):
    """An entry with more content than its header says is not written beyond its size."""
    bomb = zipped(tmp_path / "bomb.zip", {"zeros": bytes(40 << 20)})
    content = bomb.read_bytes()
    bomb.write_bytes(content.replace((40 << 20).to_bytes(4, "little"), (9).to_bytes(4, "little")))
    assert "bomb.zip cannot be unpacked: it is damaged" in refusal(bomb)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ([f"{number}.py" for number in range(2001)], "holds more than 2000 files and folders"),
        (["/".join("a" * 13)], "holds a path of more than 12 names"),
        (["ü" * 140], "holds a file that cannot be written (File name too long)"),
        (["a", "a/b"], "holds a file that cannot be written"),
        (["a", "./a"], "holds a file that cannot be written (File exists)"),
    ],
)
def test_unreasonable_names_are_refused(tmp_path, names, reason):
    """Names that are too many, too deep or too long are refused, and those that exclude another."""
    assert reason in refusal(zipped(tmp_path / "bot.zip", dict.fromkeys(names, "")))
    assert reason in refusal(tarred(tmp_path / "bot.tar.gz", *names))


def test_zip_with_a_huge_directory_is_refused_before_it_is_read(tmp_path):
    """Entries of a directory are counted before Python reads them into memory."""
    names = [f"venv/{number}" for number in range(600)]
    packed = zipped(tmp_path / "bot.zip", dict.fromkeys(names, ""))
    assert "more than 500 files" in refusal(packed, Bounds(entries=10))
    unpack(packed, tmp_path / "target", Bounds(entries=20))


def test_encrypted_zip_is_refused(tmp_path):
    """A zip with a password is refused, and the text says what to do.

    Only deflate is decompressed, because Python limits the memory for nothing else.
    """
    packed = zipped(tmp_path / "bot.zip", {"bot.py": "1"})
    content = bytearray(packed.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    packed.write_bytes(content)
    reason = "bot.zip has a password or a rare compression: pack it as a common zip"
    assert refusal(packed) == reason
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("bot.py", "1")
    assert refusal(packed) == reason


@pytest.mark.parametrize("ending", ["zip", "tar", "tar.gz", "tar.xz", "rar"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_damaged_archive_is_refused(tmp_path, ending, share):
    """An archive that ends too early is refused."""
    path, noise = tmp_path / f"bot.{ending}", os.urandom(40_000)
    if ending == "zip":
        zipped(path, {"bot.py": noise})
    else:
        with tarfile.open(path, {"gz": "w:gz", "xz": "w:xz"}.get(ending[-2:], "w")) as archive:
            info = tarfile.TarInfo("bot.py")
            info.size = len(noise)
            archive.addfile(info, io.BytesIO(noise))
    os.truncate(path, int(len(noise) * share))
    assert "damaged" in refusal(path)


def test_tar_is_refused_where_python_cannot_filter_it(tmp_path, monkeypatch):
    """Before Python 3.11.4, tar archives are refused in one line."""
    monkeypatch.delattr(tarfile, "data_filter")
    assert "which needs Python 3.11.4: pack it as zip" in refusal(tarred(tmp_path / "b.tar", "x"))


def test_what_programs_make_is_left_out(tmp_path):
    """Folders of tools are left out at any depth. Only the mode for execution is kept."""
    names = ["a/bot", "a/.git/config", "__MACOSX/._bot", "x/node_modules/y/z.js", "target/debug/b"]
    packed = zipped(tmp_path / "bot.zip", dict.fromkeys(names, "1"), stat.S_ISUID | 0o777)
    unpack(packed, tmp_path / "target")
    assert files_in(tmp_path / "target") == {"a/bot": "1"}
    mode = (tmp_path / "target/a/bot").stat().st_mode
    assert mode & 0o111
    assert not mode & (stat.S_ISUID | 0o022)


def test_environments_and_builds_are_left_out_of_a_submission(tmp_path):
    """An environment of any name is left out, and a folder "build" beside a build file."""
    made = ["env/pyvenv.cfg", "env/lib/python3/site-packages/x/y.py", "c/build/x", "env/bin/pip"]
    kept = ["bot.py", "build/book.py", "c/CMakeLists.txt", "me/bot.py", "me/pyvenv.cfg"]
    link = member("env/bin/python3.11", tarfile.SYMTYPE, "/usr/bin/python3.11")
    gather([Part(tarred(tmp_path / "a.tar", *made, *kept, link))], tmp_path / "target")
    assert [*files_in(tmp_path / "target" / "a")] == kept


@pytest.mark.parametrize("number", [3, 20])
def test_packages_of_node_are_left_out_if_there_are_too_many(tmp_path, number):
    """They are a part of the submission, but never a reason to refuse it."""
    names = [f"node_modules/a/{each}.js" for each in range(number)] + ["z.js"]
    packed = zipped(tmp_path / "bot.zip", dict.fromkeys(names, ""))
    gather([Part(packed)], tmp_path / "target", Bounds(entries=10))
    assert [*files_in(tmp_path / "target" / "bot")] == (names if number == 3 else ["z.js"])


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("Müller größer.py", "cp437"), ("Ёлка 机器人.py", "utf-8")],
)
def test_letters_of_any_alphabet_survive(tmp_path, name, encoding):
    """Names are read in UTF-8 without the flag for it, or in an old code page."""
    stand_in = "".join(chr(byte) if byte < 0x80 else "#" for byte in name.encode(encoding))
    packed = zipped(tmp_path / "bot.zip", {stand_in: "1"})
    content = packed.read_bytes().replace(stand_in.encode(), name.encode(encoding))
    packed.write_bytes(content)
    unpack(packed, tmp_path / "target")
    assert files_in(tmp_path / "target") == {name: "1"}


def test_killed_unpacking_leaves_no_target(tmp_path):
    """What a killed process has left beside the target is removed by the next one."""
    unfinished = tmp_path / ".target.unfinished"
    unfinished.mkdir()
    (unfinished / "old").touch()
    unpack(zipped(tmp_path / "bot.zip", {"bot.py": "1"}), tmp_path / "target")
    assert files_in(tmp_path).keys() == {"bot.zip", "target/bot.py"}


NAMES = st.text(st.sampled_from("a./\\.:C\0é\n~ -"), min_size=1, max_size=9)
KINDS = st.sampled_from([stat.S_IFREG, stat.S_IFLNK, 0, stat.S_IFDIR, stat.S_IFIFO])
TAR_KINDS = st.sampled_from([tarfile.REGTYPE, SYMLINK, HARD_LINK, tarfile.DIRTYPE])


@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(st.lists(st.tuples(NAMES, NAMES, KINDS, TAR_KINDS), max_size=6))
def test_nothing_appears_outside_of_the_target(entries):
    """Whatever names an archive has, it is refused or unpacked, and nothing else changes."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with zipfile.ZipFile(folder / "bot.zip", "w") as archive:
            for path, target, kind, _ in entries:
                info = zipfile.ZipInfo("x")
                info.filename, info.external_attr = path, kind << 16
                archive.writestr(info, target)
        members = [member(path, kind, target) for path, target, _, kind in entries]
        tarred(folder / "bot.tar", *members)
        for ending in ("zip", "tar"):
            try:
                unpack(folder / f"bot.{ending}", folder / "inner" / ending)
            except Refused:
                continue
            assert not any(path.is_symlink() for path in folder.rglob("*"))
        assert {*folder.iterdir()} <= {folder / part for part in ("bot.zip", "bot.tar", "inner")}
        assert {*folder.glob("inner/*")} <= {folder / "inner/zip", folder / "inner/tar"}


def test_archives_in_archives_are_unpacked_once(tmp_path):
    """Archives are unpacked beside themselves, also those in them; deeper ones stay files."""
    third = zipped(tmp_path / "third.zip", {"c": "3"}).read_bytes()
    second = zipped(tmp_path / "second.zip", {"second/b": "2", "third.zip": third}).read_bytes()
    first = zipped(tmp_path / "first.zip", {"a": "1", "x/second.zip": second})
    (tmp_path / ".x.zip").touch()
    (tmp_path / "readme.txt").touch()
    parts = [first, tmp_path / ".x.zip", tmp_path / "readme.txt"]
    gather([Part(path) for path in parts], tmp_path / "target")
    inner = ["a", "x/second.zip", "x/second/second/b", "x/second/third.zip"]
    found = sorted(files_in(tmp_path / "target"))
    assert found == [".x.zip", "first.zip", *(f"first/{name}" for name in inner), "readme.txt"]


def test_parts_get_the_names_of_the_student(tmp_path):
    """Files and folders are copied under the names that the student gave them."""
    (tmp_path / "s_1_2_lib" / "inner").mkdir(parents=True)
    (tmp_path / "s_1_2_lib" / "inner" / "x.py").write_text("1")
    (tmp_path / "s_1_3_bot.py").write_text("2")
    (tmp_path / "s_1_3_bot.py").chmod(0o700)
    parts = [Part(tmp_path / "s_1_2_lib", "lib"), Part(tmp_path / "s_1_3_bot.py", "bot.py")]
    gather(parts, tmp_path / "target")
    assert files_in(tmp_path / "target") == {"bot.py": "2", "lib/inner/x.py": "1"}
    assert (tmp_path / "target" / "bot.py").stat().st_mode & 0o111


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("../secret", "clone holds a link that leaves its folder: 'x -> ../secret'"),
        ("/etc/passwd", "clone holds a link that leaves its folder: 'x -> /etc/passwd'"),
        (None, "clone holds a device, a pipe or a socket: 'x'"),
    ],
)
def test_clone_with_a_way_out_is_refused(tmp_path, target, reason):
    """Nothing outside of a folder is copied with it, and nobody waits for a pipe."""
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "clone").mkdir()
    path = tmp_path / "clone" / "x"
    path.symlink_to(target) if target else os.mkfifo(path)
    with pytest.raises(Refused) as caught:
        gather([Part(tmp_path / "clone")], tmp_path / "target")
    assert str(caught.value) == reason
    assert not (tmp_path / "target").exists()


def test_link_into_the_folder_of_git_brings_nothing(tmp_path):
    """The settings of a clone may hold a token of the instructor. A link to them is left out."""
    (tmp_path / "clone").mkdir()
    subprocess.run(["git", "init", "-q", tmp_path / "clone"], check=True)
    (tmp_path / "clone" / ".git" / "config").write_text(SECRET)
    (tmp_path / "clone" / "data").symlink_to(".git/config")
    (tmp_path / "clone" / "bot.py").write_text("1")
    (tmp_path / "clone" / "main.py").symlink_to("bot.py")
    gather([Part(tmp_path / "clone")], tmp_path / "target")
    assert files_in(tmp_path / "target") == {"bot.py": "1", "main.py": "1"}


@pytest.mark.parametrize("name", ["secret.zip", "secrets"])
def test_part_that_is_a_link_is_not_followed(tmp_path, name):
    """Neither an archive nor a folder comes into a submission through a link."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    root.mkdir()
    (outside / "secrets").mkdir()
    zipped(outside / "secret.zip", {"key": SECRET})
    zipped(outside / "secrets" / "secret.zip", {"key": SECRET})
    (root / name).symlink_to(outside / name)
    for parts in ([Part(root / name)], [Part(root)], [Part(root / name, "data")]):
        with pytest.raises(Refused, match="holds a link that leaves its folder"):
            gather(parts, tmp_path / "target")


def test_limits_hold_for_all_parts_together(tmp_path):
    """Parts and the archives in them share the limits of a submission."""
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(700_000))
    parts = [Part(tmp_path / name) for name in "abc"]
    gather(parts[:2], tmp_path / "two", Bounds(megabytes=2))
    with pytest.raises(Refused, match=r"^c unpacks to more than 2 MB"):
        gather(parts, tmp_path / "three", Bounds(megabytes=2))


def test_one_entry_does_not_stop_the_download_of_a_class(tmp_path):
    """With notes, an entry that is refused is left out, and the rest is unpacked."""
    notes: list[str] = []
    packed = zipped(tmp_path / "class.zip", {"anna/bot.py": "1", "eve/../../x": SECRET})
    unpack(packed, tmp_path / "target", notes=notes)
    assert files_in(tmp_path / "target") == {"anna/bot.py": "1"}
    note = "class.zip holds a path outside of its folder: 'eve/../../x' (left out)"
    assert notes == [note]


@pytest.mark.parametrize("outer", ["", "a/b/"])
@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_limits_hold_for_each_part_of_a_download(tmp_path, outer, ending):
    """A part with too many or too large files is refused later, and the others are whole."""
    bounds, notes, path = Bounds(entries=20, megabytes=1), list[str](), tmp_path / f"all.{ending}"
    files = {f"{outer}{name}/{i}": "x" * 19 for name in ("eve", "ada", "bob") for i in range(15)}
    files |= {f"{outer}eve/x/{number}": "" for number in range(99)} | {"__MACOSX/x": ""}
    if ending == "zip":
        files |= {f"{outer}mia/{number}": bytes(2 << 20) for number in range(3)}
    packed = zipped(path, files) if ending == "zip" else tarred(path, *files)
    unpack(packed, tmp_path / "target", bounds, notes)
    for part in (tmp_path / "target" / outer).iterdir():
        if part.name in {"ada", "bob"}:
            gather([Part(part)], tmp_path / part.name, bounds)
            assert len(files_in(tmp_path / part.name)) == 15
            continue
        with pytest.raises(Refused, match=r"^(eve holds more than 20|mia unpacks to more than 1 )"):
            gather([Part(part)], tmp_path / part.name, bounds)
        assert len(files_in(part)) <= 21
    assert notes == []


def test_download_may_fill_half_of_the_disk(tmp_path, monkeypatch):
    """Nothing else limits a download as a whole. What it needs is said."""
    packed = zipped(tmp_path / "class.zip", {f"{number}/x": bytes(1 << 20) for number in range(3)})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4 << 20))
    with pytest.raises(Refused, match=r"class\.zip needs more than 2 MB, half of the free disk"):
        unpack(packed, tmp_path / "target", notes=[])


def skipped(number: int, size: int) -> bytes:
    """Return a tar.gz archive with so many large files below ``.git``, and nothing else."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for index in range(number):
            info = tarfile.TarInfo(f".git/{index}")
            info.size = size
            archive.addfile(info, _Zeros(size))
    return packed.getvalue()


def test_bytes_that_are_left_out_count_for_all_archives_together(tmp_path):
    """A small archive of archives, of which all is left out, does not take minutes."""
    inner = skipped(1, 40 << 20)
    bomb = zipped(tmp_path / "bomb.zip", {f"{number}.tgz": inner for number in range(3)})
    with pytest.raises(Refused, match=r"tgz unpacks to more than 64 MB"):
        gather([Part(bomb)], tmp_path / "target")
    bomb = zipped(tmp_path / "bomb.zip", {"0.tgz": inner})
    gather([Part(bomb)], tmp_path / "alone")


@pytest.mark.parametrize("ending", ["zip", "tgz"])
def test_entries_that_are_left_out_count_for_all_archives_together(tmp_path, ending):
    """Many archives with many entries below ``.git`` are refused, and one of them is not."""
    names = dict.fromkeys((f".git/{number}" for number in range(300)), b"")
    inner = zipped(tmp_path / "i", names).read_bytes() if ending == "zip" else skipped(300, 0)
    two = {f"{number}.{ending}": inner for number in range(2)}
    with pytest.raises(Refused, match=rf"1\.{ending} holds more than 500 files and folders"):
        gather([Part(zipped(tmp_path / "b.zip", two))], tmp_path / "target", Bounds(entries=10))
    (tmp_path / f"alone.{ending}").write_bytes(inner)
    gather([Part(tmp_path / f"alone.{ending}")], tmp_path / "alone", Bounds(entries=10))


def test_ratio_is_that_of_the_submission(tmp_path):
    """Archives in archives share what the bytes that were handed in may unpack to."""
    inner = zipped(tmp_path / "i", {"zeros": bytes(9 << 20)}).read_bytes()
    bomb = zipped(tmp_path / "b.zip", {f"{number}.zip": inner for number in range(2)})
    with pytest.raises(Refused, match=r"1\.zip unpacks to more than .* what was handed in"):
        gather([Part(bomb)], tmp_path / "target")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_long_header_of_a_tar_archive_is_refused(tmp_path, kind):
    """Python would search the digits of such a header in quadratic time."""
    info = member("header", kind)
    info.size = 1 << 20
    with tarfile.open(tmp_path / "bot.tar", "w", format=tarfile.GNU_FORMAT) as archive:
        archive.addfile(info, io.BytesIO(b"1" * info.size))
    assert refusal(tmp_path / "bot.tar").startswith("bot.tar has long headers or sparse files")


@pytest.mark.timeout(300)
def test_unpacking_has_a_limit_of_time(tmp_path, monkeypatch):
    """An archive of many empty parts, which count as no byte, is refused when the time is over."""
    monkeypatch.setattr(time_limit, "STEP_SECONDS", 0.1)
    (tmp_path / "bot.tgz").write_bytes(gzip.compress(b"") * 1_000_000)
    with pytest.raises(Refused, match=r"^(bot\.tgz|it) takes more than 0\.1 s to read"):
        gather([Part(tmp_path / "bot.tgz")], tmp_path / "target")
    assert not (tmp_path / "target").exists()
