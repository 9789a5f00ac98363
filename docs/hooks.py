"""Gives the site of the documents the folders of the repository.

MkDocs knows one folder of pages. The documents are in several, beside the code that they describe,
and link to each other and to source files by relative paths. With the same folders in the site,
every link works on both sides as it is written, and MkDocs finds those that do not.
"""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
PUBLISHED = (
    "*.md",
    "LICENSE",
    "bot/**/*.md",
    "docs/**/*.md",
    "docs/images/*",
    "examples/**/*",
    "protocol/**/*.md",
    "protocol/c4_protocol/schemas/*.json",
    "referee/**/*.md",
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of the folder of pages by all that are published, under their own paths."""
    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    for path in sorted({path for pattern in PUBLISHED for path in ROOT.glob(pattern)}):
        if path.is_file() and "__pycache__" not in path.parts:
            name = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files
