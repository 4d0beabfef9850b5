"""What a page's hidden cells hold for the page alone, and a notebook has no use for: numbers for the text, and asserts.

Of a cell that the page hides altogether a notebook keeps the statements whose names a later cell needs, and those that
move a generator which one uses, so that the notebook computes the numbers of the page. Of the rest nothing is kept.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

SETTINGS = {"matplotlib", "os", "plt", "sys", "warnings"}  # a call of theirs may change what later cells do
DRAWS = re.compile(r"rng|source|generator|random", re.I)  # names of what a draw moves
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def without_plumbing(cells: Sequence[tuple[str, bool]]) -> list[str]:
    """The code of each cell, given with whether the page hides it; of a hidden one what is needed later, or nothing."""
    later = set[str]()  # what functions need, which may be called anywhere
    while True:
        kept, inside = _pruned(cells, later)
        if inside <= later:
            return kept
        later |= inside


def _pruned(cells: Sequence[tuple[str, bool]], later: set[str]) -> tuple[list[str], set[str]]:
    """One pass from the last statement to the first; what the functions that stay need themselves."""
    needed, inside, kept = set(later), set[str](), [""] * len(cells)
    for number, (source, hidden) in reversed([*enumerate(cells)]):
        statements = _statements(source)
        if statements is None:  # no plain Python: whatever is named there may be needed
            kept[number], needed = source, needed | {*re.findall(r"\w+", source)}
            continue
        lines, wanted, end = source.split("\n"), list[str](), len(source.split("\n"))
        for k in reversed(range(len(statements))):
            statement, start = statements[k], statements[k - 1].end_lineno or 0 if k else 0
            if not hidden or _is_needed(statement, needed):
                wanted.append("\n".join(lines[start : end if k == len(statements) - 1 else statement.end_lineno]))
                read = _loaded(statement)
                inside |= {name for function in _functions(statement) for name in _loaded(function)} & read
                needed = (needed - (_bound_for_sure(statement) - later)) | read
        kept[number] = "\n".join(reversed(wanted)).strip("\n") if hidden else source
    return kept, inside


def _statements(source: str) -> list[ast.stmt] | None:
    try:
        return ast.parse(source).body
    except SyntaxError:
        return None


def _is_needed(statement: ast.stmt, needed: set[str]) -> bool:
    """Whether it gives a needed name something, changes a setting, or draws."""
    if isinstance(statement, ast.Expr) and _calls(statement.value, "glue"):
        return False
    touched = set(_touched(statement))
    return bool(touched & needed or touched & SETTINGS or any(map(DRAWS.search, _loaded(statement) & needed)))


def _touched(statement: ast.AST) -> Iterator[str]:
    """Names that a statement binds, or whose objects it may change, outside of functions."""
    for node in _outside_functions(statement):
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            yield _base(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _calls(node.value, "glue"):
            call = node.value
            yield _base(call.func)
            yield from (argument.id for argument in call.args if isinstance(argument, ast.Name))


def _bound_for_sure(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.AugAssign):
        return set()
    return {
        *(n.id for n in ast.iter_child_nodes(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)),
        *(_touched(statement) if isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef) else ()),
    }


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Comprehensions are functions, too: what they bind stays inside."""
    yield node
    if not isinstance(node, FUNCTION + COMPREHENSION):
        for child in ast.iter_child_nodes(node):
            yield from _outside_functions(child)


def _functions(statement: ast.AST) -> Iterator[ast.AST]:
    return (node for node in ast.walk(statement) if isinstance(node, FUNCTION))


def _loaded(node: ast.AST) -> set[str]:
    """Names that it reads from around it: not those that its own functions, comprehensions and loops bind."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    read = set[str]().union(*map(_loaded, ast.iter_child_nodes(node)))
    if isinstance(node, FUNCTION):
        arguments = {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}
        return (read - arguments - _stored(node)) | _loaded(node.args)
    if isinstance(node, COMPREHENSION):
        return (read - {name for part in node.generators for name in _stored(part)}) | _loaded(node.generators[0].iter)
    if isinstance(node, ast.For):
        return (read - _stored(node.target)) | _loaded(node.iter)
    return read


def _stored(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _base(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
