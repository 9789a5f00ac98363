"""Names that a package publishes and loads when they are first used (PEP 562).

``import c4_bot`` is part of the start of every command, so a package may not import its public
interface by itself.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy_names(
    package: str, names: "Mapping[str, Sequence[str]]"
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return ``__getattr__`` and ``__dir__`` for a package.

    ``names`` lists the public names by the module that defines them.
    """
    homes = {name: module for module, defined in names.items() for name in defined}

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - a start-up without it is faster

        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)  # the next use does not come here
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return load, listed
