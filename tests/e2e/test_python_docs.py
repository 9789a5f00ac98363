"""The public Python interface, as its page and its docstrings show it."""

import doctest
import io
import pkgutil
import re
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.documented

PAGE = Path(__file__).parent.parent.parent / "docs" / "python.md"
BOX = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
PACKAGES = ("c4_protocol", "c4_bot", "c4_referee")
DOCUMENTED = (*PACKAGES, "c4_protocol.board", "c4_bot.api", "c4_bot.solving", "c4_referee.api")


def test_page_prints_what_it_shows(golden):
    """Every code block of the page, run in order, prints the block below it."""
    names: dict[str, object] = {}

    def run(box: re.Match[str]) -> str:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(box[1], PAGE.name, "exec"), names)
        return f"```python\n{box[1]}```\n\n```text\n{printed.getvalue()}```"

    text = PAGE.read_text(encoding="utf-8")
    assert len(BOX.findall(text)) == text.count("```python") >= 10
    golden(PAGE, BOX.sub(run, text))


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
def test_published_names_are_those_of_the_page(package):
    """``__all__`` and the page's table list the same names, and each name can be imported."""
    text = PAGE.read_text(encoding="utf-8")
    table = text.partition(f"Names in `{package}`:\n")[2].partition("\nNames in ")[0]
    module = import_module(package)
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == sorted(module.__all__)
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is not None


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
