"""The built wheel, alone in an empty environment with its plain dependencies, grows a private tree."""

import ast
import email
import errno
import inspect
import json
import os
import re
import runpy
import subprocess
import sys
import venv
import zipfile

import pytest

from fdpedu.claims import Check, Claim
from fdpedu.claims.checking import Counterexample
from fdpedu.claims.verify import FAILED, NOT_RUN, REFUTED, how_to_install, run_check
from fdpedu.exercises.stored import digest
from tests.support.exercises import EXERCISES
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
    # The checker of derivations is one file on purpose: a reader may take it alone
    assert {name: size for name, size in sizes.items() if size > 50_000 and not name.endswith("RECORD")} == {}
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


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (ModuleNotFoundError(name="scipy"), "pip install"),
        (ModuleNotFoundError(name="sqlite3"), "this Python has no module sqlite3"),
        (OSError(errno.ENOSYS, "Function not implemented"), "this system cannot do what is needed"),
        (ModuleNotFoundError(name="fdpedu.nothing"), None),
        (ModuleNotFoundError(name="no_such_module"), None),
        (OSError(errno.ENOENT, "No such file"), None),
    ],
    ids=str,
)
@pytest.mark.parametrize("status", ["checked", "refuted as stated"])
def test_a_check_that_could_not_run_refutes_nothing(status, error, why):
    """What lacks an extra or a system's function is not run, even where the register expects a counterexample."""

    def law():
        raise error

    check = Check("lacking", "exact", "nothing", law, lambda size: [()])
    claim = Claim("lem-x", status, (), (check,))
    result = run_check(claim, check)
    otherwise = REFUTED if status == "refuted as stated" else FAILED
    assert result.verdict == (NOT_RUN if why else otherwise) and (why or "") in result.counterexample


# --- The wheel of the edition for students ---


@pytest.fixture(scope="module")
def student(wheel, tmp_path_factory):
    """The folder in which pip unpacked it; it finds the wheel in order."""
    folder = tmp_path_factory.mktemp("student")
    made = runpy.run_path(str(ROOT / "tools" / "student.py"))["student_wheel"](wheel, folder)
    unpack = "install --quiet --no-index --no-deps --no-compile --target".split()
    done = run(sys.executable, "-m", "pip", *unpack, folder / "empty", made)
    assert done.returncode == 0, done.stderr
    return folder / "empty"


def parsed(folder):
    return {path: ast.parse(path.read_text("utf8")) for path in folder.rglob("*.py")}


def statements(tree):
    """What each function does, without its docstring, in a form that can be compared."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            yield ast.dump(ast.Module(body, []))


def test_the_students_wheel_holds_no_solution(student):
    """No reference, wrong answer, explanation or word on a misconception, no value that is asked for, and no quiz."""
    modules = parsed(student / "fdpedu" / "exercises")
    said = {node.value for tree in modules.values() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    bodies = {body for tree in modules.values() for body in statements(tree)}
    texts = "\n".join(path.read_text("utf8") for path in student.rglob("*") if path.suffix in (".py", ".json", ".md"))
    of_exercises = "\n".join(path.read_text("utf8") for path in modules)
    assert not list(student.rglob("quiz.json")) and len(modules) > 100
    for exercise in EXERCISES:
        hints = [hint for wrong in exercise.wrong for hint in (wrong.hint, wrong.name)]
        assert not {*hints, *exercise.explanation.splitlines()} & said, exercise.id
        assert not [line for line in exercise.explanation.splitlines() if line in texts], exercise.id
        assert not [wrong.hint for wrong in exercise.wrong if wrong.hint in texts], exercise.id
        assert not [hint for hint in hints if len(hint) > 20 and hint in of_exercises], exercise.id  # one is "rounds"
        if exercise.asks_for_function:
            solution = next(statements(ast.parse(inspect.getsource(exercise.reference))))
            assert solution not in bodies, exercise.id
        elif isinstance(exercise.reference, (list, tuple, str)):
            chapter = student / "fdpedu" / "exercises" / exercise.chapter
            assert not [path for path in chapter.glob("*.py") if repr(exercise.reference) in path.read_text("utf8")]


def test_a_value_that_is_asked_for_is_stored_as_a_digest_only(student):
    """Those that equal it within rounding have the same, and no wrong one has it; a pair to find is not stored."""
    with zipfile.ZipFile(student / "fdpedu" / "exercises" / "stored.zip") as archive:
        stored = {name.removesuffix(".json"): json.loads(archive.read(name)) for name in archive.namelist()}
    assert [*stored] == [exercise.id for exercise in EXERCISES]
    for exercise in EXERCISES:
        kept = set(stored[exercise.id])
        if exercise.asks_for_function:
            assert kept == {"name", "parameters", "cases", "values"}
        else:
            assert kept == (set() if exercise.any_of_many else {"cases", "digest"})
        if "digest" in kept:
            right = exercise.read(exercise.reference)
            floats = (
                [*map(float, right)] if isinstance(right, list) else right if isinstance(right, str) else float(right)
            )
            assert digest(exercise.id, floats) == stored[exercise.id]["digest"] == digest(exercise.id, right)
            assert digest("", right) != stored[exercise.id]["digest"]


def test_check_shows_students_the_same_smallest_counterexample(student, request):
    """To the solution and to every known wrong answer: verdict, input, on how many it was right; in depth of all."""
    each_kind = "privacy-neighbours", "privacy-sensitivity", "privacy-break-threshold", "cart-impurity", "secure-late"
    ids = [exercise.id for exercise in EXERCISES] if request.config.getoption("--deep") else each_kind
    done = run(sys.executable, "-m", "tests.support.both_editions", student, *ids, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("equal: ") and int(done.stdout.split()[1]) >= 3 * len(ids)


def test_every_exercise_of_the_students_wheel_answers(student, tmp_path):
    """A stub is no answer yet, nothing has a solution, and what only teachers can do is refused in a sentence."""
    code = """
from fdpedu.exercises import catalogue, check, hint, solution, stub
from fdpedu.cli import main
for exercise in catalogue():
    assert check(exercise.id, ...).verdict == "NOT ANSWERED YET"
    assert exercise.call if exercise.asks_for_function else check(exercise.id, lambda: 0).verdict == "FAIL"
    assert not solution(exercise.id).code and hint(exercise.id) and stub(exercise.id)
commands = "grade x --set set.toml", "quiz --chapter 2", "sheet --chapter 2"
print(len(catalogue()), *(main(words.split()) for words in commands))
"""
    (tmp_path / "set.toml").write_text('[[exercise]]\nid = "privacy-delta"\npoints = 1', "utf8")
    environment = {**os.environ, "PYTHONPATH": str(student), "COLUMNS": "200"}
    done = run(sys.executable, "-W", "error", "-c", code, cwd=tmp_path, env=environment)
    assert done.returncode == 0 and done.stdout.rstrip().endswith(f"{len(EXERCISES)} 2 2 0"), done.stderr
    needs = "needs the edition for teachers: this is the one for students, without solutions"
    assert done.stderr == f"fdpedu grade: grading {needs}\nfdpedu quiz: a quiz {needs}\n"
