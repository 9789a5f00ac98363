"""Public names of a package that are loaded when they are first used (PEP 562).

Every command imports its package when it starts, so the package must not import its whole public
interface at once.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def lazy_names(
    package: str, names: "Sequence[str]", *modules: str
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return ``__getattr__`` and ``__dir__`` for a package with these public names.

    The first use of a name imports the modules of the package in turn, until one has this name.
    """

    def load(name: str) -> object:
        if name in names:
            from importlib import import_module  # a start-up without it is faster

            for home in (import_module(f"{package}.{module}") for module in modules):
                if hasattr(home, name):
                    value: object = getattr(home, name)
                    setattr(sys.modules[package], name, value)  # for the next use
                    return value
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def listed_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *names})

    return load, listed_names
