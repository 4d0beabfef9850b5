"""The stored results of the book: complete, made by this code, and the same when a random part is made again."""

import json
import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from benchmarks import experiments as benchmark
from fdpedu.experiments import EPSILONS, METHODS, VARIANTS, Study, settings
from fdpedu.experiments import store as store_module
from fdpedu.experiments.read_off import READ_OFF, deviations
from fdpedu.experiments.store import REPORT, fingerprint
from fdpedu.experiments.stored import Stored, made_again, read_stored, stored_text
from tests.support.reports_settings import BUDGETS, SETTINGS
from tests.support.repository import PACKAGE, ROOT, drawn_by_the_code

FILE = ROOT / "book" / "measured" / "experiments.json"
DESIGN = "default"  # the book's tree, among the corrected curves
STALE = (
    "book/measured/experiments.json is stale: python -m benchmarks.experiments --json book/measured/experiments.json"
)


@pytest.fixture(scope="module")
def stored():
    return read_stored(FILE)


def test_they_were_made_by_this_code(stored):
    """The report's trees by what they rest on, and the book's own trees by that and by all of the engine."""
    assert stored.code == fingerprint(REPORT), STALE
    assert stored.designs == fingerprint(), STALE


@pytest.mark.parametrize(
    ("file", "line", "changed"),
    [
        ("simulation/search.py", "_PLANTED = 1", (False, True)),
        ("simulation/new.py", "_PLANTED = 1", (False, True)),
        ("trees/stopping.py", "_PLANTED = 1", (False, True)),
        ("sources/gubler/faults.py", "_PLANTED = 1", (False, True)),
        ("sources/gubler/growing.py", "_PLANTED = 1", (True, True)),
        ("simulation/search.py", "# a comment", (False, False)),
        ("claims/register.py", "_PLANTED = 1", (False, False)),
    ],
)
def test_a_planted_change_makes_them_stale(file, line, changed, tmp_path, monkeypatch):
    """In a copy of the package: of the engine, the book's own trees; of what both rest on, all; of words, none."""
    before = fingerprint(REPORT), fingerprint()  # they are remembered, so of the package as it is
    copy = tmp_path / "fdpedu"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(store_module, "_PACKAGE", copy)
    with (copy / file).open("a", encoding="utf8") as text:
        text.write(f"\n{line}\n")
    fresh = fingerprint.__wrapped__
    assert (fresh(REPORT) != before[0], fresh() != before[1]) == changed


def test_only_what_is_stale_is_grown_anew():
    """The command takes from the file what its code would make again, and the result is the same either way."""
    study = Study.of(5, "corrected", runs=2, n=40, p=2, max_depth=1, rho=0, epsilons=[1])
    ran = []

    def run(part):
        ran.append(part.methods)
        return part.results()

    whole = benchmark.measured(study, run, None)
    assert ran == [METHODS, (DESIGN,)] and {m for m, _ in whole[0].correct} == {*METHODS, DESIGN}
    now = Stored(fingerprint(REPORT), fingerprint(), study.seed, study.runs, tuple(whole))
    for old, again in ((now, []), (replace(now, designs=""), [(DESIGN,)]), (replace(now, code=""), [METHODS])):
        ran.clear()
        assert benchmark.measured(study, run, old) == whole and ran == again


def test_a_file_of_another_seed_is_not_taken(stored, tmp_path):
    assert benchmark.usable(None, 50, 0) is benchmark.usable(tmp_path / "none.json", 50, 0) is None
    assert benchmark.usable(FILE, stored.runs, stored.seed).code == stored.code
    assert benchmark.usable(FILE, stored.runs, stored.seed + 1) is benchmark.usable(FILE, 49, stored.seed) is None


def test_nothing_is_missing(stored):
    """All settings, figures and variants; ten budgets and four methods, corrected also the book's tree; 50 runs."""
    there = {(found.variant.name, found.setting) for found in stored.results}
    assert there == {(name, setting) for name in VARIANTS for figure in (2, 3, 4, 5) for setting in settings(figure)}
    private = {(method, epsilon) for method in METHODS[:2] for epsilon in EPSILONS}
    for found in stored.results:
        book = {(DESIGN, epsilon) for epsilon in EPSILONS if found.variant.name == "corrected"}
        expected = private | book | {("local", None), ("central", None)}
        if found.setting.figure == 2:
            expected = {(METHODS[found.setting.bounds_share != Fraction(1, 4)], Fraction(5))}
        assert set(found.correct) == expected and {len(counts) for counts in found.correct.values()} == {50}


def test_a_random_part_is_made_again_bit_for_bit(stored):
    """A point of each method, 50 trees, and other points for other code; n·p below 20,000, for the time."""
    draw = drawn_by_the_code()
    small = [found for found in stored.results if found.setting.n * found.setting.p < 20_000]
    for name in (*METHODS, DESIGN):
        points = [(found, *key) for found in small for key in found.correct if key[0] == name]
        found, method, epsilon = draw.choice(points)
        again = made_again(stored, found, method, epsilon)
        assert again == found.correct[method, epsilon], (STALE, found.setting, found.variant.name, method, epsilon)


def test_they_agree_with_the_report_s_figures(stored):
    """All 24 points, baselines too: two-sided, a false alarm in 200 (|z| < 3.7 at each)."""
    z = [
        value
        for found in stored.results
        if found.variant.name == "published" and found.setting in READ_OFF
        for value in deviations(found).values()
    ]
    assert len(z) == 24 and max(map(abs, z)) < 3.7


def test_other_variants_do_not(stored):
    """The test above can fail: as printed, and corrected, the points are not those of the figures."""
    for name in ("printed", "corrected"):
        z = [
            value
            for found in stored.results
            if found.variant.name == name and found.setting in READ_OFF
            for value in deviations(found).values()
        ]
        assert max(map(abs, z)) > 5


def test_files_are_read_as_they_were_written(tmp_path):
    found = Study.of(5, "printed", runs=2, n=20, p=1, max_depth=1, rho=0, epsilons=[1]).results()
    file = tmp_path / "study.json"
    file.write_text(stored_text(found, {"code": "c", "designs": "d", "runs": 2, "seed": 3}), "utf8")
    again = read_stored(file)
    assert (again.code, again.designs, again.runs, again.seed) == ("c", "d", 2, 3)
    assert [r.correct for r in again.results] == [r.correct for r in found]
    assert again.of("printed", 5) == list(again.results) and again.of("printed", 4) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("seed"), "lacks 'seed'"),
        (lambda c: c["settings"][0].pop("rho"), "lacks 'rho'"),
        (lambda c: c["settings"][0].update(variant="other"), "lacks 'other'"),
        (lambda c: c["settings"][0]["correct"][0].__setitem__(2, [1]), "expected 2 numbers of correct test rows"),
        (lambda c: c["settings"][0]["correct"][0].__setitem__(2, [1, 21]), "from 0 to 20"),
    ],
)
def test_what_is_no_such_file_is_refused(change, message, tmp_path):
    found = Study.of(5, "printed", runs=2, n=20, p=1, max_depth=1, rho=0, epsilons=[1]).results()[:1]
    content = json.loads(stored_text(found, {"code": "c", "designs": "d", "runs": 2, "seed": 3}))
    change(content)
    file = tmp_path / "study.json"
    file.write_text(json.dumps(content), "utf8")
    with pytest.raises(ValueError, match=message):
        read_stored(file)


def test_what_is_made_again_has_the_seed_the_runs_and_the_variant_of_its_file(tmp_path, noted):
    """Not those of a new study; results are found by variant and figure."""
    _, noise = noted
    studies = [
        Study(SETTINGS[:2], VARIANTS[name], METHODS[:2], BUDGETS[:2], 12, 7) for name in ("printed", "corrected")
    ]
    found = [result for study in studies for result in study.results()]
    numbers = {(s, v, saving, e): [n for *key, n in noise if key == [s, v, saving, e]] for s, v, saving, e, _ in noise}
    head = {"code": "c", "designs": "d", "seed": 7, "runs": 12}
    file = tmp_path / "stored.json"
    file.write_text(stored_text([replace(result, n_test=10**6) for result in found], head), "utf8")
    stored = read_stored(file)
    assert (stored.seed, stored.runs) == (7, 12)
    for name, setting in product(("printed", "corrected"), SETTINGS[:2]):
        (one,) = stored.of(name, setting.figure)
        assert (one.variant.name, one.setting) == (name, setting)
        for method, epsilon in one.correct:
            noise.clear()
            assert made_again(stored, one, method, epsilon) == one.correct[method, epsilon]
            key = setting, VARIANTS[name], method == "algorithm-6", float(epsilon)
            assert [number for *_, number in noise] == numbers[key] and len(noise) == 2
