"""Lines of code in all languages, and what makes code long.

Lines are counted without comments, docstrings and blank lines. In Python, each text that stands
alone is a docstring. Private functions and their callers are counted module by module.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from _shared import show

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "referee", "protocol")
PARTS = {**{name: name for name in (*PACKAGES, "tests")}, "benchmarks": "tests/bench"}
"""Folder of each part."""
LEFT_OUT = {"build", "node_modules", "golden", "__pycache__"}
LANGUAGES = {
    ".py": "Python",
    ".c": "C++",
    ".cpp": "C++",
    ".hpp": "C++",
    ".js": "JavaScript",
    ".css": "CSS",
    ".jinja": "templates",
}
TEXT = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
"""A string, which may contain what looks like a comment."""
COMMENTS = {
    "C++": rf"({TEXT})|//[^\n]*|/\*.*?\*/",
    "JavaScript": rf"({TEXT})|//[^\n]*|/\*.*?\*/",
    "CSS": r"()/\*.*?\*/",
    "templates": r"()\{#.*?#\}|<!--.*?-->",
}
LAYOUT = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"}
"""Kinds of tokens that are not code."""
LONG = 400
"""Maximum lines of a module, with comments and blank lines."""
SHORT = 3
"""Maximum lines of a body that can stand where it is called."""
FINDINGS = (
    f"modules above {LONG} lines",
    "private functions",
    "... with one caller",
    f"... and at most {SHORT} lines",
    "docstrings longer than the body",
    "imports in functions",
    "noqa",
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Size:
    """Counts of a part of the project."""

    counts: Counter[str] = field(default_factory=Counter)
    """Lines of each language, and ``FINDINGS``."""
    modules: Counter[str] = field(default_factory=Counter)
    """Number of modules with each name."""
    names: Counter[str] = field(default_factory=Counter)
    """Number of modules that define each function or class."""

    def add(self, other: "Size") -> None:
        """Add the counts of another part."""
        self.counts.update(other.counts)
        self.modules.update(other.modules)
        self.names.update(other.names)

    def rows(self) -> dict[str, int]:
        """Return all counts by their titles."""
        lines = {name: self.counts[name] for name in dict.fromkeys(LANGUAGES.values())}
        return {
            "lines": sum(lines.values()),
            **{f"... {name}": count for name, count in lines.items()},
            "modules": self.modules.total(),
            **{title: self.counts[title] for title in FINDINGS},
            "module names used twice": sum(
                count > 1 and not name.startswith("__") for name, count in self.modules.items()
            ),
            "names defined twice": sum(count > 1 for count in self.names.values()),
        }


def is_docstring(node: ast.AST) -> bool:
    """Return true if a node is a text that stands alone."""
    value = getattr(node, "value", None)
    return (
        isinstance(node, ast.Expr)
        and isinstance(value, ast.Constant)
        and isinstance(value.value, str)
    )


def lines_of(node: ast.AST) -> set[int]:
    """Return the numbers of the lines of a node."""
    return {*range(node.lineno, node.end_lineno + 1)}


def code_lines(source: str, tree: ast.Module) -> set[int]:
    """Return the numbers of the lines that contain code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if tokenize.tok_name[token.type] not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines.difference(*(lines_of(node) for node in ast.walk(tree) if is_docstring(node)))


def findings_in_functions(tree: ast.Module, code: set[int]) -> Iterator[str]:
    """Yield one of ``FINDINGS`` for each that is found in the functions of a module."""
    uses = Counter(getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(tree))
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    inside = {node for function in functions for node in ast.walk(function)}
    for _ in filter(lambda node: isinstance(node, (ast.Import, ast.ImportFrom)), inside):
        yield "imports in functions"
    for function in functions:
        if not function.name.startswith("_") or function.name.endswith("__"):
            continue
        yield "private functions"
        body = set().union(*map(lines_of, function.body)) & code
        if is_docstring(function.body[0]) and len(lines_of(function.body[0])) > len(body):
            yield "docstrings longer than the body"
        if uses[function.name] == 1:
            yield "... with one caller"
            if len(body) <= SHORT:
                yield f"... and at most {SHORT} lines"


def size_of_python(path: Path) -> Size:
    """Return the counts of a Python file."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    code = code_lines(source, tree)
    counts = Counter(findings_in_functions(tree, code))
    counts["Python"] = len(code)
    counts[f"modules above {LONG} lines"] = source.count("\n") > LONG
    counts["noqa"] = len(re.findall(r"# noqa\b", source))
    names = {node.name for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
    return Size(counts, Counter([path.stem]), Counter(names))


def files_of(root: Path, part: str) -> list[Path]:
    """Return the files of a part of a checkout that are counted, without those of other parts."""
    folder = root / PARTS[part]
    others = {root / other for other in PARTS.values()} - {folder}
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in LANGUAGES
        and not LEFT_OUT & {*path.relative_to(root).parts}
        and not any(other in path.parents for other in others if folder in other.parents)
    ]


def size_of_part(root: Path, part: str) -> Size:
    """Return the counts of a part of a checkout."""
    size = Size()
    for path in files_of(root, part):
        language = LANGUAGES[path.suffix]
        if language == "Python":
            size.add(size_of_python(path))
        else:
            text = path.read_text(encoding="utf-8")
            code = re.sub(COMMENTS[language], lambda match: match[1] or "", text, flags=re.DOTALL)
            size.counts[language] += sum(bool(line.strip()) for line in code.splitlines())
    return size


def sizes(root: Path) -> dict[str, dict[str, int]]:
    """Return the counts of each part of a checkout, and of the packages together."""
    parts = {part: size_of_part(root, part) for part in PARTS}
    parts["product"] = Size()
    for package in PACKAGES:
        parts["product"].add(parts[package])
    return {part: size.rows() for part, size in parts.items()}


def main(*folders: str) -> None:
    """Count this checkout or another one, or compare two: the older one first."""
    measured = [sizes(Path(folder)) for folder in folders or (ROOT,)]
    versions = ["", " after"] if len(measured) > 1 else [""]
    for parts in (PACKAGES, ("product", "tests", "benchmarks")):
        columns = {f"{part}{version}": ",d" for part in parts for version in versions}
        rows = [
            (title, *(version[part][title] for part in parts for version in measured))
            for title in measured[0]["product"]
        ]
        show("without comments, docstrings and blank lines", {"count": "", **columns}, rows)
