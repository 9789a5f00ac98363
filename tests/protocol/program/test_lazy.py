"""Public names of a package are loaded at their first use."""

import sys

import pytest
from c4_protocol.program.lazy import lazy_names


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the name of a package with a module ``home`` that defines ``answer``."""
    name = "package_of_test_lazy"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("from c4_protocol.program.lazy import lazy_names\n")
    (folder / "home.py").write_text("answer = object()\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    for module in [module for module in sys.modules if module.split(".")[0] == name]:
        del sys.modules[module]


def test_name_is_loaded_when_it_is_first_used(package):
    """A name is loaded at its first use, and is then an attribute of the package."""
    module = __import__(package)
    load, _ = lazy_names(package, ["answer"], "home")
    assert f"{package}.home" not in sys.modules
    assert load("answer") is sys.modules[f"{package}.home"].answer
    assert module.answer is load("answer")


def test_unknown_name_is_an_attribute_error(package):
    """An unknown name raises ``AttributeError`` with Python's usual message."""
    load, _ = lazy_names(package, ["answer"], "home")
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'question'"):
        load("question")


def test_names_are_listed_before_they_are_loaded(package):
    """``dir`` lists names that are not loaded yet, sorted with the package's others."""
    __import__(package)
    _, listed = lazy_names(package, ["answer"], "home")
    assert {"answer", "lazy_names", "__name__"} <= set(listed())
    assert listed() == sorted(listed())
