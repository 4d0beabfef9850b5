"""The package: light imports, modules by name, names that readers rely on, and the README's example."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repository import ROOT

PACKAGE = ROOT / "fdpedu"


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

    for name in fdpedu._MODULES:
        assert getattr(fdpedu, name).__name__ == f"fdpedu.{name}" and name in dir(fdpedu)
        assert getattr(fdpedu, name).__doc__
    with pytest.raises(AttributeError):
        _ = fdpedu.no_such_module


def test_an_import_from_the_package_says_in_which_module_a_name_is():
    """Otherwise an attribute that is missing is missing, and says it too."""
    import fdpedu

    with pytest.raises(ImportError, match=r"^cannot import name 'Ledger' from 'fdpedu': it is in fdpedu\.accounting$"):
        from fdpedu import Ledger  # noqa: F401
    with pytest.raises(ImportError, match=r"it is in fdpedu\.cart and fdpedu\.trees$"):
        from fdpedu import Tree  # noqa: F401
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        from fdpedu import nothing  # noqa: F401
    with pytest.raises(AttributeError, match=r"^module 'fdpedu' has no attribute 'Ledger': it is in .*accounting$"):
        fdpedu.Ledger  # noqa: B018
    with pytest.raises(AttributeError, match=r"^module 'fdpedu' has no attribute '_where_to'$"):
        fdpedu._where_to  # noqa: B018
    assert not any(hasattr(fdpedu, name) for name in ("Ledger", "Tree", "nothing"))
    from fdpedu import cli, derivation_checker

    assert cli.__name__ == "fdpedu.cli" and derivation_checker.SCHEMA


PROMISED = {
    "cart": "gini half_gini scaled_half_gini best_split fit_cart",
    "mechanisms": "laplace laplace_logpdf discrete_laplace discrete_laplace_pmf exponential exponential_pmf "
    "permute_and_flip permute_and_flip_pmf",
    "accounting": "Ledger Derivation check_derivation BudgetExceeded compose_optimal pure_to_zcdp zcdp_to_epsilon",
    "secure_sum": "private_sum pairwise_keys encode share reconstruct",
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


IMPORTED_FIRST = """
import sys
from pathlib import Path
from _pytest.pathlib import import_path
path, mode, namespaces = sys.argv[1:]
module = import_path(path, mode=mode, root=Path.cwd(), consider_namespace_packages=namespaces == "True")
from fdpedu.federation.queries import closed_set
print(module is sys.modules[module.__name__], module.DesignedSplit in closed_set.CLOSED_SET)
"""


def test_whatever_test_comes_first_no_module_is_imported_twice(pytestconfig):
    """A module whose doctests are looked for before its package was imported is the one that the package has."""
    given = pytestconfig.getoption("importmode"), str(pytestconfig.getini("consider_namespace_packages"))
    path = ROOT / "fdpedu/federation/queries/choices.py"
    out = subprocess.check_output([sys.executable, "-c", IMPORTED_FIRST, str(path), *given], text=True, cwd=ROOT)
    assert out.split() == ["True", "True"]
