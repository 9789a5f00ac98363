"""Only regular files with one name are opened, and nothing is waited for."""

import fcntl
import os
import signal
import socket
import subprocess
import sys

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.system.safe_files import (
    check_regular,
    open_file,
    open_regular,
    read_file,
    read_start,
    replace_file,
)
from odd_files import ODD, make_odd

FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT


def test_regular_file_is_opened_and_created(tmp_path):
    """A file is created, and opened again with what it holds."""
    for text in (b"one", b"two"):
        descriptor = open_regular(tmp_path / "file", FLAGS)
        os.write(descriptor, text)
        os.close(descriptor)
    assert (tmp_path / "file").read_bytes() == b"onetwo"


def test_folders_on_the_way_may_be_links(tmp_path):
    """A link is followed if it leads to the folder of the file."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    os.close(open_regular(tmp_path / "link" / "file", FLAGS))
    assert (tmp_path / "folder" / "file").exists()


@pytest.mark.parametrize("kind", ODD)
def test_odd_file_is_refused(tmp_path, kind):
    """A link, a pipe, a folder and a file with two names are refused with their path."""
    make_odd(tmp_path / "file", kind)
    with pytest.raises(UsageError, match=f"cannot use {tmp_path}/file: .*{ODD[kind]}"):
        open_regular(tmp_path / "file", FLAGS)


def test_link_to_nothing_is_refused(tmp_path):
    """A link is refused if its target does not exist, and the target is not created."""
    (tmp_path / "file").symlink_to("nothing")
    with pytest.raises(UsageError, match="it is a link"):
        open_regular(tmp_path / "file", FLAGS)
    assert not (tmp_path / "nothing").exists()


def test_socket_and_device_are_refused(tmp_path, monkeypatch):
    """A socket and a device are refused."""
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for path in (tmp_path / "socket", tmp_path.__class__("/dev/null")):
            with pytest.raises(UsageError, match="not a regular file"):
                check_regular(path)


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("flags", [FLAGS, os.O_RDONLY])
def test_exchange_after_the_check_is_noticed(tmp_path, monkeypatch, kind, flags):
    """A file that is exchanged after the first check is refused, too, without waiting."""
    monkeypatch.setattr("c4_referee.system.safe_files.check_regular", lambda _: None)
    make_odd(tmp_path / "file", kind)
    with pytest.raises((UsageError, OSError)):
        open_regular(tmp_path / "file", flags)


@pytest.mark.linux
@pytest.mark.timeout(300)
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/tty", "/proc/self/mem", "/dev", "pipe"])
def test_link_to_no_regular_file_is_not_read(tmp_path, target):
    """Nothing is read of devices, folders, pipes and files of the kernel, and nobody waits."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(target)
    for read in (read_file, lambda path: read_start(path, 99)):
        try:
            assert read(tmp_path / "link") == b""
        except OSError:
            assert target != "/proc/self/mem"


@pytest.mark.linux
@pytest.mark.timeout(300)
def test_lease_lets_nobody_wait(tmp_path):
    """A process that has a lease of a file could let others wait for it for 45 seconds."""
    path = tmp_path / "file"
    path.write_bytes(b"text")
    with path.open("rb+") as file:
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        with pytest.raises(BlockingIOError):
            open_file(path)


@pytest.mark.linux
def test_device_is_not_opened(monkeypatch):
    """A terminal in place of a file would become the one of the referee."""
    opened, really_open, (one, other) = [], os.open, os.openpty()
    monkeypatch.setattr(
        os, "open", lambda path, flags: (opened.append(flags), really_open(path, flags))[1]
    )
    with pytest.raises(OSError, match="not a regular file"):
        read_start(os.ttyname(other), 100)
    assert [flags & os.O_PATH for flags in opened] == [os.O_PATH]
    os.closerange(one, other + 1)


def test_file_is_read_without_o_path(tmp_path, monkeypatch):
    """A system such as macOS has no descriptors that only stand for a file."""
    monkeypatch.delattr(os, "O_PATH", raising=False)
    (tmp_path / "file").write_bytes(b"text")
    assert read_file(tmp_path / "file") == b"text"


@pytest.mark.parametrize("is_sparse", [True, False])
def test_large_file_is_not_read(tmp_path, is_sparse):
    """A file above the limit is refused, and a part of it can be read."""
    path = tmp_path / "file"
    path.write_bytes(b"" if is_sparse else bytes(3000))
    os.truncate(path, 20 << 30 if is_sparse else 3000)
    with pytest.raises(OSError, match="it is larger than 2 KiB"):
        read_file(path, 2048)
    assert read_start(path, 2048) == bytes(2048)


def test_file_is_replaced_as_a_whole(tmp_path):
    """A file and a link in its place are replaced, and the file behind the link stays."""
    precious = make_odd(tmp_path / "file", "link")
    content = precious.read_bytes()
    for data in (b"one", b"two"):
        replace_file(tmp_path / "file", data)
        assert (tmp_path / "file").read_bytes() == data
    assert precious.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_failed_replacement_leaves_nothing(tmp_path):
    """If a file cannot be replaced, no unfinished file is left."""
    (tmp_path / "file" / "full").mkdir(parents=True)
    with pytest.raises(OSError, match="file"):
        replace_file(tmp_path / "file", b"new")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


@pytest.mark.linux
def test_full_disk_is_reported_with_the_file(tmp_path):
    """If there is no room for a file, the earlier one stays, and the error names it."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    program = (
        "import sys; from pathlib import Path\n"
        "from c4_referee.system.safe_files import replace_file\n"
        "replace_file(Path(sys.argv[1]), bytes(4096))"
    )
    limited = ["prlimit", "--fsize=1024", sys.executable, "-c", program, path]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert done.stderr.endswith(f"File too large: '{path}'\n")
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]
