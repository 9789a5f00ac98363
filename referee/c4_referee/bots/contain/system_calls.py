"""System calls that a bot in the sandbox may not use, as a filter for the kernel (seccomp).

Namespaces alone leave some ways open. Segments and message queues of System V use memory that no
process is charged for. Keyrings are shared by all processes of a user. With user namespaces and
io_uring, bots could reach parts of the kernel that other programs hardly use. The same is true of
rare families of sockets. Some of them even lead out of the sandbox: sockets between virtual
machines (vsock) ignore namespaces. With ptrace and similar calls, a bot could control the first
process of its sandbox, so that the sandbox would not end together with the referee. A program in
the bot's folder with a set-user or set-group bit would stay there after the contest, and outside of
the sandbox everyone could run it as the referee's user. With a lease of a
file that it only reads, a bot could let all other programs wait for this file.

The filter is a program for the kernel's packet filter, as described in seccomp(2) and in
``linux/filter.h``. The numbers of the system calls differ between processors.
"""

import platform
import struct
import sys
from collections.abc import Iterator
from errno import EAFNOSUPPORT, ENOSYS, EPERM
from functools import cache
from typing import NamedTuple

LOAD_WORD, JUMP_IF_EQUAL, JUMP_IF_NOT_LESS, JUMP_IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""Instructions of the packet filter."""
ALLOW_CALL, FAIL_CALL = 0x7FFF0000, 0x00050000
"""Results of a filter. ``FAIL_CALL`` plus an error number makes the system call fail."""
NUMBER_OFFSET, ARCHITECTURE_OFFSET, FIRST_ARGUMENT_OFFSET = 0, 4, 16
"""Offsets in ``struct seccomp_data``, in bytes. Each argument has 8 bytes."""
X32_BIT = 0x40000000
"""Lowest number of the system calls of x32, a second set of numbers on x86-64."""
NEW_USER_NAMESPACE = 0x10000000
"""Flag of clone(2) and unshare(2) for a new user namespace."""
LEASE_COMMANDS = (1024, 1040)
"""Commands of fcntl(2) for a lease: F_SETLEASE, and F_SETDELEG of newer kernels."""
SET_ID_BITS = 0o6000
"""Bits in the mode of a file that make its program run as the file's user or group."""
NEW_FILE_FLAGS = 0o100 | 0o20000000
"""Flags of open(2) that make a file: O_CREAT, and the own bit of O_TMPFILE. Without one of these,
open(2) ignores its argument for the mode, and programs may pass any number there."""


class SystemCalls(NamedTuple):
    """Numbers of system calls on one processor.

    ``denied`` always fail. ``flagged`` have flags as their first argument, and fail if the flags
    ask for a new user namespace. ``sockets`` have a family of sockets as their first argument, and
    fail if it is not one of ``ALLOWED_SOCKET_FAMILIES``. ``modes`` and ``opens`` fail if they give
    a file one of ``SET_ID_BITS``. Each of ``modes`` is followed by the position of the mode among
    its arguments, from 0. In ``opens`` it is that of the flags, and the mode is the next argument.
    ``fcntl`` fails if its second argument is one of ``LEASE_COMMANDS``.
    """

    architecture: int
    denied: tuple[int, ...]
    flagged: tuple[int, ...]
    sockets: tuple[int, ...]
    modes: tuple[tuple[int, int], ...]
    opens: tuple[tuple[int, int], ...]
    fcntl: int


ALLOWED_SOCKET_FAMILIES = (1, 2, 10, 16)
"""Families of sockets that programs without a network use: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK.
Processes of a bot may talk to each other over the sandbox's own loopback device. The C library and
Java look up names and devices with netlink."""
CALLS_THAT_FAIL = (438, 447, 463)
"""pidfd_getfd, memfd_secret and setxattrat, which always fail. They have these numbers on all
processors."""
CALLS_THAT_SEEM_UNKNOWN = (425, 426, 427, 435, 437)
"""System calls of io_uring, clone3 and openat2, with the same number on all processors. They fail
as if the kernel did not know them, so that libraries use others instead. The filter cannot read the
flags of clone3 and the mode of openat2, because they are not arguments but in memory."""
SYSTEM_CALLS = {
    # shmget, semget, msgget, syslog, add_key, request_key, keyctl, perf_event_open, setns, bpf,
    # userfaultfd; to read or control other processes: ptrace, process_vm_readv, process_vm_writev,
    # kcmp; to keep what nobody compares: setxattr, lsetxattr, fsetxattr; then clone and unshare;
    # then socket and socketpair; then chmod, fchmod, fchmodat, fchmodat2, creat, mknod and mknodat;
    # then open and openat; then fcntl. On aarch64, some do not exist.
    "x86_64": SystemCalls(
        0xC000003E,
        (29, 64, 68, 103, 248, 249, 250, 298, 308, 321, 323, 101, 310, 311, 312, 188, 189, 190),
        (56, 272),
        (41, 53),
        ((90, 1), (91, 1), (268, 2), (452, 2), (85, 1), (133, 1), (259, 2)),
        ((2, 1), (257, 2)),
        72,
    ),
    "aarch64": SystemCalls(
        0xC00000B7,
        (194, 190, 186, 116, 217, 218, 219, 241, 268, 280, 282, 117, 270, 271, 272, 5, 6, 7),
        (220, 97),
        (198, 199),
        ((52, 1), (53, 2), (452, 2), (33, 2)),
        ((56, 2),),
        25,
    ),
}


@cache
def filter_program() -> bytes | None:
    """Return the filter for this machine's processor, or ``None`` if there is no filter for it."""
    calls = SYSTEM_CALLS.get(platform.machine())
    if calls is None or sys.byteorder != "little":
        return None
    return b"".join(_instructions(calls))


def _instructions(calls: SystemCalls) -> Iterator[bytes]:
    """Yield the instructions of a filter. A jump skips a number of the next instructions."""
    yield _instruction(LOAD_WORD, ARCHITECTURE_OFFSET)
    yield _instruction(JUMP_IF_EQUAL, calls.architecture, then=1)
    yield _instruction(RETURN, FAIL_CALL + EPERM)  # system calls of 32-bit programs
    yield _instruction(LOAD_WORD, NUMBER_OFFSET)
    yield from _instructions_to_deny(JUMP_IF_NOT_LESS, X32_BIT, ENOSYS)
    for number in (*calls.denied, *CALLS_THAT_FAIL):
        yield from _instructions_to_deny(JUMP_IF_EQUAL, number, EPERM)
    for number in CALLS_THAT_SEEM_UNKNOWN:
        yield from _instructions_to_deny(JUMP_IF_EQUAL, number, ENOSYS)
    for number in calls.flagged:
        yield from _instructions_on_argument(number, 0, JUMP_IF_ANY_BIT, NEW_USER_NAMESPACE)
    for number in calls.sockets:
        yield _instruction(JUMP_IF_EQUAL, number, otherwise=len(ALLOWED_SOCKET_FAMILIES) + 3)
        yield _instruction(LOAD_WORD, FIRST_ARGUMENT_OFFSET)
        for left, family in zip(
            range(len(ALLOWED_SOCKET_FAMILIES), 0, -1), ALLOWED_SOCKET_FAMILIES, strict=True
        ):
            yield _instruction(JUMP_IF_EQUAL, family, then=left)
        yield _instruction(RETURN, FAIL_CALL + EAFNOSUPPORT)
        yield _instruction(RETURN, ALLOW_CALL)
    for number, position in calls.modes:
        yield from _instructions_on_argument(number, position, JUMP_IF_ANY_BIT, SET_ID_BITS)
    yield from _instructions_on_argument(calls.fcntl, 1, JUMP_IF_EQUAL, *LEASE_COMMANDS)
    for number, position in calls.opens:
        yield _instruction(JUMP_IF_EQUAL, number, otherwise=6)
        yield _instruction(LOAD_WORD, FIRST_ARGUMENT_OFFSET + 8 * position)
        yield _instruction(JUMP_IF_ANY_BIT, NEW_FILE_FLAGS, otherwise=3)
        yield _instruction(LOAD_WORD, FIRST_ARGUMENT_OFFSET + 8 * (position + 1))
        yield from _instructions_to_deny(JUMP_IF_ANY_BIT, SET_ID_BITS, EPERM)
        yield _instruction(RETURN, ALLOW_CALL)
    yield _instruction(RETURN, ALLOW_CALL)


def _instructions_on_argument(
    number: int, position: int, jump: int, *values: int
) -> Iterator[bytes]:
    """Yield instructions that make a system call fail if a comparison of its argument is true."""
    yield _instruction(JUMP_IF_EQUAL, number, otherwise=2 * len(values) + 2)
    yield _instruction(LOAD_WORD, FIRST_ARGUMENT_OFFSET + 8 * position)
    for value in values:
        yield from _instructions_to_deny(jump, value, EPERM)
    yield _instruction(RETURN, ALLOW_CALL)


def _instructions_to_deny(jump: int, value: int, error: int) -> Iterator[bytes]:
    """Yield instructions that make the system call fail if a comparison is true."""
    yield _instruction(jump, value, otherwise=1)
    yield _instruction(RETURN, FAIL_CALL + error)


def _instruction(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Return one instruction (``struct sock_filter``)."""
    return struct.pack("<HBBI", code, then, otherwise, value)
