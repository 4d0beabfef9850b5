"""Mutation testing finds what weak tests miss, and its stored results keep to their limits."""

import json
import sys
from dataclasses import replace

import pytest

from tests.support.repository import ROOT

sys.path.append(str(ROOT / "tools"))

import mutants
from mutant_rooms import Room

TINY = Room(("tiny",), ("tests/test_tiny.py",))
CODE = '''
"""A room of two functions."""


def is_adult(age):
    if age < 0:
        raise ValueError("an age is at least 0")
    return age >= 18


def rounds(n):
    count = 0
    while n > 0:
        n, count = n // 2, count + 1
    return count
'''
WEAK = """
from tiny.ages import is_adult, rounds


def test_ages():
    assert is_adult(30) and not is_adult(0)


def test_rounds():
    assert [rounds(n) for n in (0, 1, 2, 4)] == [0, 1, 2, 3]
"""
STRONG = f"""{WEAK}

def test_the_border():
    assert is_adult(18) and not is_adult(17)
    try:
        is_adult(-1)
    except ValueError as error:
        assert str(error) == "an age is at least 0"
    else:
        raise AssertionError
"""


BORDER = """
from tiny.ages import is_adult


def test_the_border():
    assert is_adult(18) and not is_adult(17)
"""


@pytest.fixture(scope="module", autouse=True)
def one_second():
    """That is enough for tests of milliseconds, and a loop without end then costs no more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mutants, "LEAST", 1)
        yield


@pytest.fixture(scope="module")
def house(tmp_path_factory, one_second):
    """A repository with one small room, and what a run with its weak test finds."""
    root = tmp_path_factory.mktemp("house")
    for name, text in {"tiny/ages.py": CODE, "tests/test_tiny.py": WEAK}.items():
        (root / name).parent.mkdir()
        (root / name).write_text(text, "utf8")
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    return root, mutants.run("tiny", TINY, root)


def test_a_weak_test_leaves_survivors_and_a_strong_one_none(house):
    """The border at 18 and the refusal are untested at first; a loop without end counts as killed."""
    root, weak = house
    changes = {(entry["before"], entry["after"]) for entry in weak["survived"]}
    assert ("return age >= 18", "return age > 18") in changes
    assert all("age" in before for before, _ in changes)
    assert weak["timeout"] >= 1 and weak["killed"] + len(weak["survived"]) == weak["mutants"]
    (root / "tests" / "test_tiny.py").write_text(STRONG, "utf8")
    strong = mutants.run("tiny", TINY, root)
    assert strong["survived"] == [] and strong["killed"] == strong["mutants"] == weak["mutants"]
    assert strong["fingerprint"] != weak["fingerprint"]


def test_a_run_goes_on_from_where_it_stopped(house, capsys):
    """What is judged is not judged again, and a line that was not written to its end does not count."""
    root, _ = house
    found = mutants.run("tiny", TINY, root)
    record = root / "_build" / "mutants" / f"tiny-{mutants.print_of(TINY, root)}"
    record.write_text(record.read_text("utf8")[:-9], "utf8")
    capsys.readouterr()
    again = mutants.run("tiny", TINY, root)
    assert f"{found['mutants'] - 1} of them judged before" in capsys.readouterr().out
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


@pytest.fixture
def grown(house):
    """The same room with a test in a new file, of which the weak test knows nothing."""
    root, weak = house
    (root / "tests" / "test_tiny.py").write_text(WEAK, "utf8")
    (root / "tests" / "test_border.py").write_text(BORDER, "utf8")
    for path in (root / "_build" / "mutants").glob("tiny-*"):
        if path.is_file():
            path.unlink()
    mutants.run("tiny", TINY, root)
    return root, weak, replace(TINY, tests=(*TINY.tests, "tests/test_border.py"))


def test_new_tests_are_tried_only_on_what_survived(grown, capsys):
    """A kill stays one when tests come in new files, and a run of the new files alone makes the result whole."""
    root, weak, room = grown
    capsys.readouterr()
    found = mutants.run("tiny", room, root)
    assert f"{weak['killed']} of them judged before" in capsys.readouterr().out
    callers = json.loads((root / "_build" / "mutants" / "tiny" / "callers.json").read_text("utf8"))
    assert len(callers) == 1  # the new file calls one function
    changes = {(entry["before"], entry["after"]) for entry in found["survived"]}
    assert ("return age >= 18", "return age > 18") not in changes and len(changes) > 0
    assert found["killed"] + len(found["survived"]) == found["mutants"] and found["timeout"] == weak["timeout"]
    (root / mutants.MEASURED / "tiny.json").unlink()
    assert mutants.run("tiny", room, root) == found


def test_a_run_that_was_not_whole_is_finished_by_all_tests(grown, capsys):
    """What was never judged cannot be judged by the new tests alone."""
    root, weak, room = grown
    (record,) = (path for path in (root / "_build" / "mutants").glob("tiny-*") if path.is_file())
    lines = record.read_text("utf8").splitlines(keepends=True)
    record.write_text("".join(lines[:5]), "utf8")
    capsys.readouterr()
    found = mutants.run("tiny", room, root)
    assert " 0 of them judged before" not in capsys.readouterr().out
    assert weak["killed"] < found["killed"] < found["mutants"] and found["timeout"] == weak["timeout"]


@pytest.mark.parametrize("path", ["tiny/ages.py", "tests/test_tiny.py"])
def test_no_kill_outlives_a_change(house, path):
    """Of the code, or of a test that was there."""
    root, _ = house
    text, before = (root / path).read_text("utf8"), mutants.grounds(TINY, root)
    (root / path).write_text(f"{text}\nCHANGED = True\n", "utf8")
    try:
        assert not mutants.still_valid(before, mutants.grounds(TINY, root))
    finally:
        (root / path).write_text(text, "utf8")
    assert mutants.still_valid(before, mutants.grounds(TINY, root))


def test_no_kill_outlives_a_test_that_is_gone_or_left_out(house):
    root, _ = house
    more = replace(TINY, tests=(*TINY.tests, "pyproject.toml"))
    grounds = [mutants.grounds(room, root) for room in (TINY, more, replace(TINY, but=("tests/test_tiny.py::test_x",)))]
    valid = [[mutants.still_valid(before, now) for now in grounds] for before in grounds]
    assert valid == [[True, True, False], [False, True, False], [False, False, True]]


def test_a_sample_fails_on_a_survivor_that_no_result_names(house):
    root, weak = house
    (root / "tests" / "test_tiny.py").write_text(WEAK, "utf8")
    stored = root / mutants.MEASURED / "tiny.json"
    stored.write_text(json.dumps(weak), "utf8")
    assert mutants.sample(60, "seed", root, {"tiny": TINY}) == []
    stored.write_text(json.dumps({**weak, "survived": weak["survived"][1:]}), "utf8")
    (survived,) = mutants.sample(60, "seed", root, {"tiny": TINY})
    assert survived.before == weak["survived"][0]["before"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("return age >= 18", "return age == 18", "there is no such mutant"),
        ("return age >= 18", "return age >= 19", "a test kills such"),
    ],
)
def test_an_entry_for_no_equivalent_mutant_is_an_error(house, before, after, message):
    root, _ = house
    (root / "tests" / "test_tiny.py").write_text(STRONG, "utf8")
    entry = {"file": "tiny/ages.py", "function": "is_adult", "before": before, "after": [after], "reason": "none"}
    lines = [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
    path = root / mutants.EQUIVALENTS
    path.write_text("\n".join(["[[tiny]]", *lines]), "utf8")
    try:
        with pytest.raises(ValueError, match=message):
            mutants.run("tiny", TINY, root)
    finally:
        path.unlink()


CACHED = """
from functools import lru_cache


@lru_cache
def kept(n):
    return half(n)


def half(n):
    return n // 2
"""
AFTER = """
from tiny.kept import kept


def test_it_answers():
    kept(7)


def test_it_answers_right():
    assert kept(7) == 3
"""


def test_an_answer_that_was_kept_hides_no_test(tmp_path):
    """The second test asks for what the first one left in a cache, and kills all the same."""
    for name, text in {"tiny/kept.py": CACHED, "tests/test_kept.py": AFTER}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, "utf8")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    found = mutants.run("tiny", Room(("tiny",), ("tests/test_kept.py",)), tmp_path)
    assert found["mutants"] >= 2 and found["survived"] == []


WARNED = """
import warnings

import pytest
from tiny.kept import half


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_half():
    warnings.warn("its mark allows it", stacklevel=1)
    assert half(7) == 3
"""


def test_a_warning_that_a_mark_allows_fails_no_test(tmp_path):
    """Where warnings are errors."""
    for name, text in {"tiny/kept.py": CACHED, "tests/test_kept.py": WARNED}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, "utf8")
    options = '[tool.pytest.ini_options]\npythonpath = ["."]\nfilterwarnings = ["error"]\n'
    (tmp_path / "pyproject.toml").write_text(options)
    found = mutants.run("tiny", Room(("tiny",), ("tests/test_kept.py",)), tmp_path)
    assert found is not None and found["killed"] == found["mutants"] >= 2


def test_tests_that_fail_without_a_mutant_judge_nothing(house):
    root, _ = house
    (root / "tests" / "test_red.py").write_text("def test_red():\n    assert False\n")
    assert mutants.run("tiny", replace(TINY, tests=("tests/test_red.py",)), root) is None


@pytest.mark.parametrize("name", mutants.stored())
def test_stored_results_keep_to_the_limits(name):
    """At least 95 % killed, at most 5 % equivalent, each with a reason, and no others than those that are listed."""
    found = mutants.stored()[name]
    assert found["killed"] + len(found["survived"]) + len(found["equivalent"]) == found["mutants"] > 0
    assert mutants.score(found) >= mutants.ENOUGH
    assert len(found["equivalent"]) <= mutants.AT_MOST * found["mutants"]
    assert all(entry["reason"].strip() for entry in found["equivalent"])
    keys = ("file", "function", "before", "after")
    assert {tuple(entry[key] for key in keys) for entry in found["equivalent"]} == set(mutants.equivalents(name))


@pytest.mark.parametrize("name", mutants.ROOMS)
def test_a_room_names_files_that_are_there(name):
    room = mutants.ROOMS[name]
    assert all(
        (ROOT / path).exists() for path in (*room.code, *room.tests, *(test.split("::")[0] for test in room.but))
    )
    assert all(
        f"def {test.split('::')[1].split('[')[0]}(" in (ROOT / test.split("::")[0]).read_text("utf8")
        for test in room.but
    )
