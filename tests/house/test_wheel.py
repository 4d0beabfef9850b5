"""The built wheel, alone in an empty environment with its plain dependencies, grows a private tree."""

import email
import json
import os
import re
import subprocess
import sys
import venv
import zipfile

import pytest

from fdpedu.claims import Check, Claim
from fdpedu.claims.checking import Counterexample
from fdpedu.claims.verify import FAILED, NOT_RUN, REFUTED, how_to_install, run_check
from tests.support.repository import ROOT

TREE = """
import numpy as np
from fdpedu.accounting import Ledger
from fdpedu.datasets import strong_feature, strong_feature_domain
from fdpedu.federation import Federation, Party, deal
from fdpedu.trees import fit_federated_tree

X, y = strong_feature(1000, np.random.default_rng(0), p=3)
domain = strong_feature_domain(3)
parties = [Party(X[rows], domain, labels=y[rows]) for rows in deal(len(y), 5)]
tree = fit_federated_tree(Federation(parties, domain, Ledger(1)), max_depth=2)
print(tree.derivation.guarantee, tree.predict(X).shape, sep="; ")
"""


def run(*command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, encoding="utf8", **options)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    """Code, types, scripts and styles; no tests, no book, no caches, and no file that is larger than code is."""
    with zipfile.ZipFile(wheel) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    assert {name.split("/")[0] for name in sizes} == {"fdpedu", f"{wheel.name.split('-py3')[0]}.dist-info"}
    shipped = {name for name in sizes if name.startswith("fdpedu/")}
    source = {path.relative_to(ROOT).as_posix() for path in (ROOT / "fdpedu").rglob("*") if path.is_file()}
    assert shipped == {name for name in source if "__pycache__" not in name}
    assert {name.rsplit(".", 1)[1] for name in shipped} <= {"py", "typed", "json", "css", "js"}
    assert {name: size for name, size in sizes.items() if size > 45_000 and not name.endswith("RECORD")} == {}
    assert wheel.stat().st_size < 2_400_000  # claims with broken variants, exercises, quizzes of 17 chapters


def test_what_a_plain_installation_needs(wheel):
    """NumPy and cryptography; all else belongs to an extra."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        needs = email.message_from_bytes(archive.read(name)).get_all("Requires-Dist")
    assert {re.split(r"[<>=]", require)[0] for require in needs if "extra ==" not in require} == {
        "numpy",
        "cryptography",
    }


def installed(wheel, folder):
    """The Python of an environment with what a plain ``pip install`` brings, at the versions of the book."""
    venv.create(folder / "empty")
    python = folder / "empty" / "bin" / "python"
    lock = (ROOT / "locks" / "book.lock").read_text("utf8")
    versions = (
        folder / "versions.txt"
    )  # a wheel that was just built has no line in a lock, so pip cannot ask for hashes
    versions.write_text("\n".join(re.findall(r"^\w[^\\\n]*", lock, re.M)), "utf8")
    pip = (sys.executable, "-m", "pip", "--python", python)  # ours, which saves the making of another
    done = run(*pip, "install", "--quiet", "--no-compile", "--constraint", versions, wheel)
    if done.returncode:
        message = "the wheel's dependencies could not be installed (no registry in reach?): " + done.stderr[-300:]
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    return python


def grows_a_private_tree(plain, tmp_path):
    """From another folder, with warnings as errors, and with none of what an extra brings."""
    grown = run(plain, "-I", "-W", "error", "-c", TREE, cwd=tmp_path)
    assert grown.returncode == 0, grown.stderr
    assert grown.stdout.startswith("1-differentially private") and "(1000,)" in grown.stdout
    absent = "scipy sklearn joblib hypothesis matplotlib ipywidgets z3".split()
    code = f"from importlib.util import find_spec; print([name for name in {absent} if find_spec(name)])"
    assert run(plain, "-I", "-c", code, cwd=tmp_path).stdout.strip() == "[]"


def opens_every_module(plain, tmp_path):
    code = "import fdpedu, fdpedu.cli; print(*(getattr(fdpedu, name).__name__ for name in fdpedu._MODULES))"
    opened = run(plain, "-I", "-c", code, cwd=tmp_path)
    assert opened.returncode == 0 and "fdpedu.trees" in opened.stdout, opened.stderr


def says_which_checks_did_not_run(plain, tmp_path):
    """The checks that need hypothesis or scipy are named, with what to install; the others ran; exit status 0."""
    labels = ("thm-category-order", "asm-random-words", "lem-increment")
    printed = run(plain, "-I", "-m", "fdpedu", "verify", *labels, cwd=tmp_path)
    assert printed.returncode == 0, printed.stdout + printed.stderr
    for name, line in (("hypothesis", "thm-category-order, random tables"), ("scipy", "asm-random-words, bytes")):
        why = f"not run: this needs {name}, which a plain installation leaves out: pip install 'fdpedu[verify]'"
        assert f"{why}\n  {line}\n" in printed.stdout
    assert printed.stdout.rstrip().endswith("; 2 not run.") and "FAILED" not in printed.stdout
    printed = json.loads(run(plain, "-I", "-m", "fdpedu", "verify", *labels, "--json", cwd=tmp_path).stdout)
    assert (printed["ok"], printed["failed"], printed["not_run"]) == (False, 0, 2)


def sets_an_exercise(plain, tmp_path):
    """Its texts are in the wheel, as the pages are not."""
    code = "from fdpedu.exercises import stub, task; print(task('cart-impurity'), stub('cart-impurity'))"
    printed = run(plain, "-I", "-c", code, cwd=tmp_path).stdout
    assert "The empty node has impurity 0." in printed and "def scaled_impurity(a, b):" in printed


def says_what_the_demo_needs(plain, tmp_path):
    """In one line, exit status 2."""
    printed = run(plain, "-I", "-m", "fdpedu", "demo", "--json", cwd=tmp_path)
    needs = "this needs scikit-learn, which a plain installation leaves out: pip install 'fdpedu[data]'"
    assert (printed.returncode, printed.stdout, printed.stderr) == (2, "", f"fdpedu demo: {needs}\n")


def test_the_wheel_alone(wheel, tmp_path):
    """In an environment of its own, which takes longer to make than what is then asked of it."""
    plain = installed(wheel, tmp_path)
    for does in (
        grows_a_private_tree,
        opens_every_module,
        says_which_checks_did_not_run,
        sets_an_exercise,
        says_what_the_demo_needs,
    ):
        (elsewhere := tmp_path / does.__name__).mkdir()
        does(plain, elsewhere)


def test_what_is_missing_for_another_reason_is_an_error():
    """Only what an extra brings is excused, and a counterexample that hides its cause does not count as one."""

    def caused_by(error):
        found = Counterexample(lambda case: None, (1,), error, 1)
        found.__cause__ = error
        return found

    assert "fdpedu[verify]" in how_to_install(caused_by(ModuleNotFoundError(name="scipy.stats")))
    for error in (ModuleNotFoundError(name="fdpedu.scipy"), ImportError(name="scipy"), ValueError("scipy")):
        assert how_to_install(error) == how_to_install(caused_by(error)) == ""


@pytest.mark.parametrize(("missing", "verdict"), [("scipy", NOT_RUN), ("fdpedu.nothing", None)])
@pytest.mark.parametrize("status", ["checked", "refuted as stated"])
def test_a_check_that_could_not_run_refutes_nothing(status, missing, verdict):
    """What lacks an extra is not run, even where a counterexample is what the register expects."""

    def law():
        raise ModuleNotFoundError(name=missing)

    check = Check("lacking", "exact", "nothing", law, lambda size: [()])
    claim = Claim("lem-x", status, (), (check,))
    result = run_check(claim, check)
    assert result.verdict == (verdict or (REFUTED if status == "refuted as stated" else FAILED))
    assert ("pip install" in result.counterexample) == (verdict == NOT_RUN)
