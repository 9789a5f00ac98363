"""Hooks that put the site of the documents together; ``mkdocs.yml`` names this file twice.

MkDocs knows one folder of pages. The documents are in several, beside the code that they describe,
and link to each other and to source files by relative paths. ``on_files`` gives the site the same
folders. So every link works in the repository and in the site, and MkDocs finds links that do not.
"""

import re
import subprocess
import sys
from pathlib import Path

from griffe import Extension, Module, Object
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
PUBLISHED = (
    "*.md",
    "LICENSE",
    "bot/**/*.md",
    "docs/**/*.md",
    "docs/images/*",
    "docs/site.css",
    "examples/*.*",
    "examples/dialects/*.*",
    "examples/gradescope/*",
    "examples/misbehaving/*.py",
    "examples/repositories/*.yml",
    "protocol/**/*.md",
    "protocol/c4_protocol/schemas/*.json",
    "protocol/web/tokens.css",
    "referee/**/*.md",
    "tests/bench/*.md",
)
FRONT, START = "docs/front.md", "README.md"
"""The first page of the site, and the page that would otherwise be the first."""
DOCTEST = re.compile(r"(?<!```pycon\n)^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of the folder of pages by all that are published, under their own paths."""
    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    for path in sorted(path for pattern in PUBLISHED for path in ROOT.glob(pattern)):
        name = path.relative_to(ROOT).as_posix()
        file = File.generated(config, name, abs_src_path=str(path))
        if name in {FRONT, START}:
            file.dest_uri = "index.html" if name == FRONT else "start.html"
            file.name = Path(file.dest_uri).stem  # MkDocs knows the first page by this name
        files.append(file)
    return files


def on_post_page(output: str, **_: object) -> str:
    """Name the dialog of the search, which has no name in the theme."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def on_post_build(config: MkDocsConfig) -> None:
    """Put the board for the browser into the site, in the folder ``board``."""
    copy = [sys.executable, "-m", "c4_bot", "--web", f"--out={Path(config.site_dir, 'board')}"]
    subprocess.run(copy, check=True, stdout=subprocess.DEVNULL)


class FencedDoctests(Extension):
    """Shows the examples in docstrings as Markdown shows code."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        """Put a fence around each example of a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = DOCTEST.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)

    def on_package(self, *, pkg: Module, **_: object) -> None:
        """Do the same for a package itself."""
        self.on_object(obj=pkg)
