"""The house: light imports, tiers, one module a chapter, and names that readers rely on."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, toc_pages

PACKAGE = ROOT / "fdpedu"

TIERS = {
    "exact": 0, "domain": 0, "randomness": 0, "sampling": 0,
    "cart": 1, "privacy": 1, "mechanisms": 1, "accounting": 1, "derivation_checker": 1, "secure_sum": 1, "dlpa": 1,
    "federation": 2, "histograms": 3, "trees": 3, "bounds": 3, "datasets": 4, "simulation": 4, "demo": 5,
    "experiments": 5, "audit": 5, "claims": 6, "exercises": 6, "estimators": 6, "cli": 7, "__main__": 7,
}  # fmt: skip
WITHIN = {  # the order of reading where a tier's rooms use each other
    0: ["exact", "randomness", "sampling", "domain"],
    1: ["cart", "privacy", "derivation_checker", "mechanisms", "accounting", "secure_sum", "dlpa"],
    3: ["histograms", "trees", "bounds"],
    6: ["claims", "exercises", "estimators"],
    7: ["cli", "__main__"],
}

# The rooms that are a chapter of the report.
CHAPTERS = {
    "cart", "privacy", "mechanisms", "accounting", "secure_sum", "dlpa", "histograms", "trees", "bounds", "experiments",
    "audit",
}  # fmt: skip

# Modules that the private tree already needs, and whose chapter is still to be written.
AWAITING_CHAPTER = {"secure_sum", "dlpa", "histograms", "trees"}


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path):
    """The rooms of the package that a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield "a relative import"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "fdpedu":
            names = [node.module] if "." in node.module else [f"fdpedu.{alias.name}" for alias in node.names]
            yield from (name.split(".")[1] for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("fdpedu."))


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_follow_the_tiers(path):
    """A room imports rooms of earlier tiers, or earlier rooms of its own; viz imports nothing of the package, any may
    use viz.
    """
    own = room(path)
    for used in set(imports(path)) - {own, "__version__"}:
        if own == "viz":
            pytest.fail(f"viz imports {used}")
        if used == "viz":
            continue
        order = WITHIN.get(TIERS[own], [])
        earlier = used in order and own in order and order.index(used) < order.index(own)
        assert TIERS[used] < TIERS[own] or earlier, f"{own} imports {used}"


def test_every_room_has_a_tier():
    assert {room(path) for path in FILES} - {"viz"} <= set(TIERS)


def test_a_chapter_has_its_module_and_its_tests():
    """book/chapters/NN_<module>.md ↔ fdpedu/<module>.py ↔ tests/test_<module>.py; the rest are named as awaiting their
    chapter.
    """
    chapters = {page.split("/")[-1][3:] for page in toc_pages() if page.startswith("book/chapters/")}
    for module in chapters:
        assert (PACKAGE / f"{module}.py").exists() or (PACKAGE / module / "__init__.py").exists(), module
        assert (ROOT / "tests" / f"test_{module}.py").exists(), module
    assert not chapters & AWAITING_CHAPTER
    rooms = {room(path) for path in FILES}
    assert (rooms & CHAPTERS) - chapters == AWAITING_CHAPTER
    for module in AWAITING_CHAPTER:
        assert (ROOT / "tests" / f"test_{module}.py").exists(), module


def fresh(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_import_is_light():
    """``import fdpedu`` loads NumPy and the standard library only; so do ``domain`` and the checker."""
    code = (
        "import sys, numpy; before = set(sys.modules); "
        "import fdpedu, fdpedu.domain, fdpedu.derivation_checker; print(*set(sys.modules) - before)"
    )
    new = {name.split(".")[0] for name in fresh(code)} - {"fdpedu", "numpy"}
    assert new <= set(sys.stdlib_module_names), new


def test_rooms_open_by_name():
    import fdpedu

    for name in fdpedu._ROOMS:
        assert getattr(fdpedu, name).__name__ == f"fdpedu.{name}" and name in dir(fdpedu)
        assert getattr(fdpedu, name).__doc__
    with pytest.raises(AttributeError):
        _ = fdpedu.no_such_room


PROMISED = {
    "cart": "gini half_gini scaled_half_gini best_split fit_cart",
    "mechanisms": "laplace laplace_logpdf discrete_laplace discrete_laplace_pmf exponential exponential_pmf "
    "permute_and_flip permute_and_flip_pmf",
    "accounting": "Ledger Derivation check_derivation BudgetExceeded compose_optimal pure_to_zcdp zcdp_to_epsilon",
    "secure_sum": "private_sum pairwise_keys encode",
    "dlpa": "polya_shares insider_epsilon",
    "federation": "Party Federation",
    "histograms": "private_histogram impurity_from_counts",
    "trees": "fit_federated_tree Tree",
}


@pytest.mark.parametrize("module", PROMISED)
def test_names_that_readers_rely_on(module):
    import fdpedu

    for name in PROMISED[module].split():
        assert getattr(getattr(fdpedu, module), name).__doc__, name


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_file_outgrows_one_sitting(path):
    assert path.read_text("utf8").count("\n") <= 300, f"{path} is more than one idea"


def test_the_readme_s_example_works_as_pasted():
    """The README's Python block runs in a fresh interpreter and prints what the README says."""
    text = (Path(ROOT) / "README.md").read_text("utf8")
    code = text.split("```python\n")[1].split("```")[0]
    assert 5 <= code.count("\n") <= 14
    out = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        encoding="utf8",
        env={**os.environ, "PYTHONIOENCODING": "utf8"},
    )
    assert out.returncode == 0, out.stderr
    assert "1-differentially private" in out.stdout
