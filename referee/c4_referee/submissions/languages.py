"""The programming languages of submissions: one row for each language."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """A programming language.

    ``endings`` are those of source files. ``programs`` compile and run a program: "cc|gcc" means
    the first of these that this machine has. ``install`` has the names of Debian packages.
    """

    name: str
    endings: tuple[str, ...]
    programs: tuple[str, ...]
    install: str


CC, CXX = "cc|gcc|clang", "c++|g++|clang++"

LANGUAGES = (
    Language("Python", (".py",), ("python3|python",), "python3"),
    Language("JavaScript", (".js", ".mjs", ".cjs"), ("node|nodejs",), "nodejs"),
    Language("Java", (".java",), ("javac", "java"), "default-jdk-headless"),
    Language("C", (".c",), (CC,), "gcc libc6-dev"),
    Language("C++", (".cpp", ".cc", ".cxx", ".c++"), (CXX,), "g++"),
    Language("Rust", (".rs",), ("rustc", CC), "rustc"),
    Language("Go", (".go",), ("go",), "golang-go"),
    Language("C#", (".cs",), ("mcs|csc", "mono"), "mono-mcs mono-runtime"),
    Language("Racket", (".rkt",), ("racket", "raco"), "racket"),
    Language("Perl", (".pl",), ("perl",), "perl"),
    Language("shell", (".sh",), ("bash|sh",), "bash"),
)
"""All languages, in the order in which people are told of them."""
