"""The public Python interface: examples in its docstrings, and its names."""

import doctest
import pkgutil
from importlib import import_module

import pytest

PACKAGES = ("c4_protocol", "c4_bot", "c4_referee")
DOCUMENTED = (
    *PACKAGES,
    "c4_protocol.board",
    "c4_bot.api",
    "c4_bot.solve.public_solver",
    "c4_referee.api",
)


@pytest.mark.parametrize("module", DOCUMENTED)
def test_docstrings_print_what_they_show(module):
    """Examples in the docstrings of public modules print what they show."""
    results = doctest.testmod(import_module(module))
    assert results.failed == 0


def test_docstrings_have_examples():
    """The packages and the two larger modules have examples in their docstrings."""
    finder = doctest.DocTestFinder()
    for module in (*PACKAGES, "c4_protocol.board", "c4_bot.api"):
        assert any(test.examples for test in finder.find(import_module(module))), module


@pytest.mark.parametrize("package", PACKAGES)
def test_published_names_are_no_modules(package):
    """No public name is also a module of the package, as an import would replace the name."""
    module = import_module(package)
    modules = {found.name for found in pkgutil.iter_modules(module.__path__)}
    assert not modules & set(module.__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_unknown_name_is_an_attribute_error(package):
    """An unknown name raises ``AttributeError``, as for any module."""
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        import_module(package).nothing  # noqa: B018
