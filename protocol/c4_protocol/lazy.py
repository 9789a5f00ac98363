"""Public names of a package that are loaded when they are first used (PEP 562).

Every command imports its package when it starts, so the package must not import its whole public
interface at once.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy_names(
    package: str, names: "Mapping[str, Sequence[str]]"
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return ``__getattr__`` and ``__dir__`` for a package.

    ``names`` maps each module to the public names that it defines.
    """
    homes = {name: module for module, defined in names.items() for name in defined}

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - a start-up without it is faster

        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)  # the next use does not call this function
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return load, listed
