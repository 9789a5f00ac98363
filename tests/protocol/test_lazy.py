"""Public names of a package that are loaded when they are first used."""

import subprocess
import sys

import pytest
from c4_protocol.lazy import lazy_names


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the name of a package with a module ``home`` that defines ``answer``."""
    name = "package_of_test_lazy"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("from c4_protocol.lazy import lazy_names\n")
    (folder / "home.py").write_text("answer = object()\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    for module in [module for module in sys.modules if module.split(".")[0] == name]:
        del sys.modules[module]


def test_name_is_loaded_when_it_is_first_used(package):
    """It is then an attribute of the package, so that the function is not called again."""
    module = __import__(package)
    load, _ = lazy_names(package, {"home": ("answer",)})
    assert f"{package}.home" not in sys.modules
    assert load("answer") is sys.modules[f"{package}.home"].answer
    assert module.answer is load("answer")


def test_unknown_name_is_an_attribute_error(package):
    """The message is that of Python, so that ``hasattr`` and ``from ... import`` work."""
    load, _ = lazy_names(package, {"home": ("answer",)})
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'question'"):
        load("question")


def test_names_are_listed_before_they_are_loaded(package):
    """Sorted, together with what the package has already."""
    __import__(package)
    _, listed = lazy_names(package, {"home": ("answer",)})
    assert {"answer", "lazy_names", "__name__"} <= set(listed())
    assert listed() == sorted(listed())


@pytest.mark.parametrize("package", ["c4_protocol", "c4_bot", "c4_referee"])
def test_importing_a_package_imports_little(package):
    """No start of a command pays for the public interface of its package."""
    script = f"import sys, {package}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"pydantic", "numpy", "rich"} & set(loaded)
