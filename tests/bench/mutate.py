"""Do the tests notice when the code is wrong? A mutation test of one module.

    python tests/bench/mutate.py [--sample N] [--seed N] [--examples N] MODULE TEST... [PYTEST OPTION...]

Makes small changes ("mutants") to a module, one at a time: another comparison, another operator, a
constant that is one more, a condition that is negated, a ``return`` of nothing, a statement that is
left out. Runs the tests for each of a random sample of them, and prints those that no test noticed.
A mutant is killed if a test fails or does not end. A survivor is either equivalent, which means
that it does what the module did, or it shows that a test is missing.

The module is rewritten in place, so that child processes run the mutant too, and restored at the
end: run this in a work tree of its own. Strings, annotations and what is outside of functions are
not changed, except numbers and conditions.
"""

import argparse
import ast
import contextlib
import copy
import importlib
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

LIBRARIES = (
    "hypothesis numpy scipy.stats scipy.optimize scipy.special networkx orjson pydantic pytest rich"
)
OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd,),
}
FIRST_SECONDS = 600.0
"""Maximum time of the tests without a mutant."""
LEAST_SECONDS, PATIENCE = 5.0, 4.0
"""Maximum time of the tests with a mutant: these seconds, and this many times what they take without."""
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
DELETED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Delete, ast.Break, ast.Continue)


def changes(node: ast.AST, *, inside: bool) -> Iterator[ast.AST]:
    """Yield what may replace a node; ``inside`` says whether it is in the body of a function."""
    match node:
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int() | float()):
            yield ast.Constant(node.value + 1)
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.If() | ast.IfExp() | ast.While():
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                for other in OPERATORS[type(operator)]:
                    ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    yield _with(node, ops=ops)
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign():
            for other in OPERATORS.get(type(node.op), ()):
                yield _with(node, op=other())
    if inside and isinstance(node, DELETED) and not _is_docstring(node):
        yield ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def mutants(tree: ast.AST, *, inside: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the line and a source text for each mutant; ``tree`` is changed in the meantime."""
    yield from _mutants(tree, tree, inside)


def _mutants(root: ast.AST, parent: ast.AST, inside: bool) -> Iterator[tuple[int, str]]:
    within = inside or isinstance(parent, ast.FunctionDef)
    for name, value in ast.iter_fields(parent):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if not isinstance(child, ast.AST):
                continue
            for changed in changes(child, inside=within):
                _put(parent, name, value, place, changed)
                line = getattr(child, "lineno", getattr(parent, "lineno", 0))
                yield line, ast.unparse(ast.fix_missing_locations(root))
                _put(parent, name, value, place, child)
            yield from _mutants(root, child, within)


def _put(parent: ast.AST, name: str, value: object, place: int, child: ast.AST) -> None:
    if isinstance(value, list):
        value[place] = child
    else:
        setattr(parent, name, child)


def difference(before: str, after: str) -> str:
    """Return the first lines in which two sources differ, as ``before -> after``."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next((f"{old.strip()}  ->  {new.strip()}" for old, new in pairs if old != new), "")


def outcome(arguments: list[str], seconds: float) -> str:
    """Run pytest in a fork of this process; return ``killed``, ``timeout`` or ``survived``."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        with open(os.devnull, "r+b") as nothing:  # noqa: PTH123
            for descriptor in range(3):
                os.dup2(nothing.fileno(), descriptor)
        import pytest

        os._exit(pytest.main(arguments))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return "killed" if status else "survived"
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def main() -> None:
    """Print the survivors of a sample, and how many mutants were killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=15)
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    options, pytest_options = parser.parse_known_args()
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for name in LIBRARIES.split():
        importlib.import_module(name)
    from hypothesis import settings

    settings.register_profile(
        "mutants", max_examples=options.examples, deadline=None, derandomize=True, database=None
    )
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
    arguments += ["-Wignore:Module already imported:pytest.PytestAssertRewriteWarning"]
    arguments += options.tests + pytest_options
    original = options.module.read_bytes()
    plain = ast.unparse(ast.parse(original))
    found = [pair for pair in mutants(ast.parse(original)) if pair[1] != plain]
    chosen = random.Random(options.seed).sample(found, min(options.sample, len(found)))
    counts = dict.fromkeys(("killed", "timeout", "survived"), 0)
    start = time.monotonic()
    if outcome(arguments, FIRST_SECONDS) != "survived":
        sys.exit("the tests fail without a mutant")
    seconds = LEAST_SECONDS + PATIENCE * (time.monotonic() - start)
    try:
        for line, text in sorted(chosen):
            options.module.write_text(text, encoding="utf-8")
            result = outcome(arguments, seconds)
            counts[result] += 1
            if result != "killed":
                print(f"  {result}: {options.module}:{line}: {difference(plain, text)}", flush=True)
    finally:
        options.module.write_bytes(original)
    print(f"{options.module}: {len(chosen)} of {len(found)} mutants, {counts}", flush=True)


if __name__ == "__main__":
    main()
