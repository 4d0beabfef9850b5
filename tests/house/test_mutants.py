"""Mutation testing tells a change that a test sees from one that no test sees."""

import subprocess
import sys
from collections import Counter

import pytest

from tests.support.repository import ROOT

sys.path.append(str(ROOT / "tools"))

import mutants

CODE = '''
"""A module of three functions."""

from functools import cache


def is_adult(age):
    return age >= 18


def rounds(n):
    count = 0
    while n > 0:
        n, count = n // 2, count + 1
    return count


@cache
def kept(n):
    return half(n)


def half(n):
    return n // 2
'''
TESTS = '''
import inspect
import warnings

import pytest
from fdpedu.ages import half, is_adult, kept, rounds


def test_ages():
    """Not at the border."""
    assert is_adult(30) and not is_adult(0)


def test_rounds():
    """A loop without end is killed."""
    assert [rounds(n) for n in (0, 1, 2, 4)] == [0, 1, 2, 3]


def test_it_answers():
    kept(7)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_it_answers_right():
    """Also where the answer has been kept, and a warning is an error unless a mark allows it."""
    warnings.warn("allowed", stacklevel=1)
    assert kept(7) == 3


def test_the_source():
    """Cannot run on wrapped code, and is left out."""
    assert "mutmut" not in inspect.getsource(inspect.getmodule(half))
'''
CONFIG = '[tool.pytest.ini_options]\npythonpath = ["."]\nfilterwarnings = ["error"]\n'


@pytest.fixture
def house(tmp_path):
    """A repository with one small module and its tests."""
    files = {"fdpedu/ages.py": CODE, "tests/ages/test_ages.py": TESTS, "pyproject.toml": CONFIG}
    files |= {"fdpedu/__init__.py": "", "fdpedu/cli.py": ""}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf8")
    return tmp_path


@pytest.mark.tool("tools/mutants.py", "tools/mutant_trials.py")
def test_a_change_that_no_test_sees_survives(house, monkeypatch, capfd):
    """The border at 18 is not tested, all else is. This is tried again when one of the tools has changed."""
    monkeypatch.setattr(mutants, "LEAST", 1)
    score = mutants.measure("ages", root=house)
    assert [mutant.lines for mutant in score.survived] == [
        ("-    return age >= 18", "+    return age > 18"),
        ("-    return age >= 18", "+    return age >= 19"),
    ]
    assert score.mutants == score.tried == score.killed + 2 > 10
    assert "1 of 5 tests are left out:\n  tests/ages/test_ages.py::test_the_source\n" in capfd.readouterr().err
    drawn = mutants.measure("ages", sample=5, root=house)
    assert (drawn.mutants, drawn.tried) == (score.mutants, 5) and set(drawn.survived) <= set(score.survived)
    (house / "tests" / "ages" / "test_ages.py").write_text("def test_red():\n    assert False\n", "utf8")
    with pytest.raises(SystemExit, match="nothing was measured"):
        mutants.measure("ages", root=house)


def test_what_has_changed_is_measured(house):
    """Since a commit, saved or not, old files and new ones; not what is left out by name."""

    def git(*words):
        names = ("-c", "user.name=A", "-c", "user.email=a@b")
        subprocess.run(["git", *names, *words], cwd=house, check=True, capture_output=True)

    def commit():
        git("add", ".")
        git("commit", "--message", "a step")

    git("init")
    commit()
    (house / "fdpedu" / "cli.py").write_text("x = 1\n", "utf8")
    commit()
    assert mutants.modules(house) == ["ages"] and mutants.changed_files(root=house) == {}
    (house / "fdpedu" / "new.py").write_text("x = 1\n", "utf8")
    (house / "fdpedu" / "ages.py").write_text("x = 1\n", "utf8")
    changed = {"ages": [house / "fdpedu" / "ages.py"], "new": [house / "fdpedu" / "new.py"]}
    assert mutants.changed_files(root=house) == mutants.changed_files("HEAD", house) == changed
    commit()
    assert mutants.changed_files(root=house) == mutants.changed_files("HEAD~1", house) == changed
    assert mutants.changed_files("HEAD", house) == {}


def test_what_is_stored_is_shown(tmp_path):
    (tmp_path / mutants.STORED).parent.mkdir(parents=True)
    one = mutants.Mutant("key", "fdpedu/b.py", "f", ("- 1", "+ 2"))
    mutants.store("b", mutants.Score(40, 10, (one,)), tmp_path)
    mutants.store("a", mutants.Score(8, 8, ()), tmp_path)
    rows = [[cell.strip() for cell in line.split("|")[1:-2]] for line in mutants.table(tmp_path).splitlines()[2:]]
    assert rows == [["`a`", "8", "all", "8", "100.0%"], ["`b`", "40", "10", "9", "90.0%"]]


def test_every_module_is_measured_or_named():
    """What the list leaves out is there."""
    found = {path.stem for path in (ROOT / "fdpedu").iterdir()}
    assert mutants.NOT_MEASURED.keys() <= found and {"exact", "trees", "randomness"} <= set(mutants.modules())
    assert mutants.stored().keys() <= set(mutants.modules())
    measured = Counter(file for module in mutants.modules() for file in mutants.files_of(module))
    assert set(measured.values()) == {1} and {"trees", "trees.designs.votes", "sources.elzein"} <= set(
        mutants.modules()
    )
    for module in mutants.modules():
        tests = mutants.tests_of(module)
        assert tests and all((ROOT / place).exists() for place in tests) and mutants.files_of(module), module
