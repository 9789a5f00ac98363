"""Mutation tests: find out whether a test fails if the code is wrong.

    python tests/mutate.py [--sample N] [--seed N] [--examples N] MODULE TEST... [PYTEST OPTION...]

The program changes a module in one place at a time: a comparison, an operator, a number, a
condition, a value that is returned, a statement that is left out. It runs the tests for a random
sample of these mutants and prints the mutants that survive. A survivor is equivalent to the module,
or shows that a test is missing. Strings, annotations and messages are not changed.

The module is rewritten in place, so that child processes run the mutant, and restored at the end.
Use a separate work tree. Tests run in forks of this process, which has loaded the libraries. A
mutant that takes much longer than the module is killed.
"""

import argparse
import ast
import copy
import importlib
import os
import random
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

LIBRARIES = "hypothesis networkx numpy orjson pydantic pytest rich"
SWAPS = (
    "Lt:LtE,GtE LtE:Lt,Gt Gt:GtE,LtE GtE:Gt,Lt Eq:NotEq NotEq:Eq In:NotIn NotIn:In Is:IsNot "
    "IsNot:Is And:Or Or:And Add:Sub Sub:Add Mult:Add Div:Mult FloorDiv:Mult Mod:FloorDiv Pow:Mult "
    "LShift:RShift RShift:LShift BitAnd:BitOr BitOr:BitAnd BitXor:BitAnd"
)
OPERATORS = {
    getattr(ast, old): [getattr(ast, new) for new in others.split(",")]
    for old, others in (swap.split(":") for swap in SWAPS.split())
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
DELETED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Delete, ast.Break, ast.Continue)
UNCHANGED = {"annotation", "returns", "decorator_list"}


def with_field(node: ast.AST, name: str, value: object) -> ast.AST:
    """Return a copy of a node with a new value in one field."""
    changed = copy.copy(node)
    setattr(changed, name, value)
    return changed


def changed_expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacements of an expression."""
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand


def changed_operators(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacements of an operation or a comparison."""
    match node:
        case ast.Compare(ops=ops):
            for place, operator in enumerate(ops):
                for other in OPERATORS[type(operator)]:
                    yield with_field(node, "ops", [*ops[:place], other(), *ops[place + 1 :]])
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) | ast.AugAssign(op=operator):
            for other in OPERATORS.get(type(operator), ()):
                yield with_field(node, "op", other())


def changed_statements(node: ast.AST, inside: bool) -> Iterator[ast.AST]:
    """Yield replacements of a statement. ``inside`` is true in the body of a function."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield with_field(node, "test", ast.UnaryOp(ast.Not(), test))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Constant()):
            return
    if inside and isinstance(node, DELETED):
        yield ast.Pass()


def changes(node: ast.AST, inside: bool) -> list[ast.AST]:
    """Return all replacements of a node."""
    return [
        *changed_expressions(node),
        *changed_operators(node),
        *changed_statements(node, inside),
    ]


def mutants(root: ast.AST, parent: ast.AST, inside: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the line and the source of each mutant. Afterwards the tree is unchanged."""
    inside = inside or isinstance(parent, ast.FunctionDef)
    for name, value in ast.iter_fields(parent):
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if name in UNCHANGED or not isinstance(child, ast.AST):
                continue
            for changed in changes(child, inside):
                put(parent, name, place, changed)
                line = getattr(child, "lineno", getattr(parent, "lineno", 0))
                yield line, ast.unparse(ast.fix_missing_locations(root))
                put(parent, name, place, child)
            yield from mutants(root, child, inside)


def put(parent: ast.AST, name: str, place: int, child: ast.AST) -> None:
    """Replace a child of a node."""
    value = getattr(parent, name)
    if isinstance(value, list):
        value[place] = child
    else:
        setattr(parent, name, child)


def survives(arguments: list[str], cpu_seconds: int) -> bool:
    """Run pytest in a fork of this process. Return whether all tests passed."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nothing, descriptor)
        os._exit(importlib.import_module("pytest").main(arguments))
    return os.waitpid(child, 0)[1] == 0


def difference(before: str, after: str) -> str:
    """Return the first line that differs, in both versions."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next((f"{old.strip()}  ->  {new.strip()}" for old, new in pairs if old != new), "")


def prepared(examples: int) -> list[str]:
    """Load the libraries. Return pytest options that set the number of hypothesis examples."""
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    loaded = {name: importlib.import_module(name) for name in LIBRARIES.split()}
    loaded["hypothesis"].settings.register_profile(
        "mutants", max_examples=examples, deadline=None, derandomize=True, database=None
    )
    ignored = "-Wignore:Module already imported:pytest.PytestAssertRewriteWarning"
    return ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutants", ignored]


def main() -> None:
    """Print the survivors and the number of killed mutants."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=15)
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    options, others = parser.parse_known_args()
    arguments = [*prepared(options.examples), *options.tests, *others]
    original = options.module.read_bytes()
    plain, tree = ast.unparse(ast.parse(original)), ast.parse(original)
    found = [pair for pair in mutants(tree, tree) if pair[1] != plain]
    chosen = random.Random(options.seed).sample(found, min(options.sample, len(found)))
    if not survives(arguments, resource.RLIM_INFINITY):
        sys.exit("the tests fail without a mutant")
    cpu_seconds = 5 + 4 * int(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
    survivors = 0
    try:
        for line, text in sorted(chosen):
            options.module.write_text(text, encoding="utf-8")
            if survives(arguments, cpu_seconds):
                survivors += 1
                print(f"{options.module}:{line}: {difference(plain, text)}", flush=True)
    finally:
        options.module.write_bytes(original)
    print(f"{options.module}: {survivors} of {len(chosen)} mutants survived; {len(found)} exist")


if __name__ == "__main__":
    main()
