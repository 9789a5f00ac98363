"""Read-only device files for the sandbox of a bot that runs as root.

Bubblewrap shows the machine's own files of devices such as /dev/null. Root owns them. An owner may
change the mode and the times of a file without any capability, and ``chmod 0 /dev/null`` would
break the machine. Bubblewrap cannot help: devices in its read-only mounts cannot be opened.
Therefore the process that becomes bubblewrap first mounts each device read-only, in a mount
namespace of its own. Bubblewrap's mounts of the devices are copies of these, so they are read-only,
too. Programs can still read and write the device itself.
"""

import ctypes
import os

DEVICE_PATHS = tuple(
    f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty")
)
"""Device files that bubblewrap's option --dev takes from the machine."""
NEW_MOUNT_NAMESPACE = 0x20000
"""Flag of unshare(2) for a new mount namespace."""
READ_ONLY, REMOUNT, BIND, RECURSIVE, SLAVE = 1, 32, 4096, 1 << 14, 1 << 19
"""Flags of mount(2)."""
KEPT_MOUNT_FLAGS = 2 | 4 | 8
"""Flags of a mount that stay as they are: nosuid, nodev and noexec. They have the same numbers in
statvfs(3) and mount(2)."""

_libc = ctypes.CDLL(None, use_errno=True)


def seal_devices() -> None:
    """Mount the device files read-only for this process, if it runs as root.

    A child calls this before its program starts. Other processes see no difference. Nothing is done
    for an ordinary user, who does not own these files. Raises ``OSError`` if the kernel refuses.
    """
    if os.geteuid() != 0:
        return
    _raise_if_failed(_libc.unshare(NEW_MOUNT_NAMESPACE))
    _mount(None, "/", SLAVE | RECURSIVE)  # from here on, mounts do not reach other processes
    for path in filter(os.path.exists, DEVICE_PATHS):
        _mount(path, path, BIND)
        _mount(None, path, REMOUNT | BIND | READ_ONLY | os.statvfs(path).f_flag & KEPT_MOUNT_FLAGS)


def _mount(source: str | None, target: str, flags: int) -> None:
    """Call mount(2), or raise ``OSError``."""
    name = None if source is None else source.encode()
    _raise_if_failed(_libc.mount(name, target.encode(), None, ctypes.c_ulong(flags), None))


def _raise_if_failed(result: int) -> None:
    """Raise ``OSError`` if a function of the C library has failed."""
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
