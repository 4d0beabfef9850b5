"""No integer has a type that the machine chooses: the package is walked for calls that leave it to the machine."""

import ast

import pytest

from tests.support.repository import PACKAGE

FILES = sorted(PACKAGE.rglob("*.py"))
OWN = PACKAGE / "exact" / "indices.py"


def left_to_the_machine(source):
    """Calls of NumPy whose integers have 32 bits on some machines, or that refuse indices of 64 there, by line."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name, first, names = _of_numpy(node)
        if name == "arange" and "dtype" not in names:
            yield node.lineno, "np.arange without a dtype"
        if name == "bincount":
            yield node.lineno, "np.bincount: take fdpedu.exact.occurrences or sums_at"
        if name in ("take", "repeat", "reduceat") and not _is_cast(first):
            yield node.lineno, f"{name} at what is not as_indices(…)"
        if name == "astype" and isinstance(first, ast.Name) and first.id == "int":
            yield node.lineno, "astype(int)"
        if isinstance(names.get("dtype"), ast.Name) and names["dtype"].id == "int":
            yield node.lineno, "dtype=int"


def _of_numpy(node):
    """The function's name, the argument that says where, and the arguments by name; methods of self are no arrays'."""
    names = {keyword.arg: keyword.value for keyword in node.keywords}
    if not isinstance(node.func, ast.Attribute) or (
        isinstance(node.func.value, ast.Name) and node.func.value.id == "self"
    ):
        return None, None, names
    of_module = isinstance(node.func.value, ast.Name) and node.func.value.id == "np"
    at = 1 if node.func.attr == "reduceat" or (of_module and node.func.attr in ("take", "repeat")) else 0
    return node.func.attr, node.args[at] if len(node.args) > at else None, names


def _is_cast(argument):
    """One number that Python holds, or indices in the machine's type."""
    if isinstance(argument, ast.Call):
        return isinstance(argument.func, ast.Name) and argument.func.id in ("as_indices", "len")
    return isinstance(argument, ast.Constant)


def test_no_integer_of_the_package_has_a_type_that_the_machine_chooses():
    found = {
        str(path.relative_to(PACKAGE)): lines
        for path in FILES
        if path != OWN and (lines := list(left_to_the_machine(path.read_text("utf8"))))
    }
    assert found == {} and len(FILES) > 300


@pytest.mark.parametrize(
    "source",
    [
        "np.arange(3)",
        "np.bincount(x)",
        "x.take(y)",
        "np.take(x, y)",
        "np.repeat(x, counts)",
        "np.add.reduceat(x, starts, axis=1)",
        "x.astype(int)",
        "np.zeros(3, dtype=int)",
    ],
)
def test_a_call_that_leaves_it_to_the_machine_is_found(source):
    assert len(list(left_to_the_machine(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "np.arange(3, dtype=np.int64)",
        "x.take(as_indices(y))",
        "np.add.reduceat(x, as_indices(y))",
        "np.repeat(x, 2, axis=1)",
        "self.take(y)",
        "x.astype(np.int64)",
    ],
)
def test_a_call_that_says_its_type_is_none_of_them(source):
    assert list(left_to_the_machine(source)) == []
