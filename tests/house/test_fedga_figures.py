"""The stored runs behind FedGA-Tree's figures on real rows: complete, the same when made again, as captions say."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from benchmarks import fedga_figures, stamp
from benchmarks.fedga_figures import DEPTHS, LUCKY, MAIN, MEASURES, NURSERY, RUNS, SETTINGS, TUNED_ON, WHOLE, Task
from benchmarks.fedga_sets import CLASSES, LICENCES, MOST, NAMES, NUMBERS, rows_of
from tests.support.repository import ROOT, drawn_by_the_code

pytestmark = pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")  # of public rows

KEPT = json.loads((ROOT / "book/measured/fedga_figures.json").read_text("utf8"))
STALE = "book/measured/fedga_figures.json is stale: make measure NAME=fedga_figures"
ROWS = {(row["data"], row["parties"], row["share"]): row for row in KEPT["runs"]}
IBM = {"IBM"}


def test_nothing_is_missing():
    """Each set in each setting, with its runs; other depths and the tree of all rows where twenty are there."""
    assert ROWS.keys() == {(data, n, str(share)) for data in NAMES for n, share in SETTINGS}
    assert LICENCES.keys() == {*NUMBERS}  # of the others, public_set says it
    assert len(CLASSES) >= 8 and len(NUMBERS) >= 2 and {n for n, _ in SETTINGS} == {5, 10, 15, 20, 25}
    for (data, n, share), row in ROWS.items():
        main = (n, share) == (MAIN, "1")
        ibm = (IBM | {"IBM, median", "IBM, half"} if main else IBM) if data in CLASSES else set()
        assert row["models"].keys() == {"local", "FedGA-Tree"} | ibm | ({"central"} if main else set())
        runs = row["runs"]
        assert runs == fedga_figures.runs_of(RUNS, n, Fraction(share)) >= 2
        for name, model in row["models"].items():
            assert model.keys() == ({"score", "nodes"} if name == "local" else set(MEASURES))
            assert all(len(values) == runs for values in model.values())
    assert {name: len(gains) for name, gains in KEPT["luck"]["gains"].items()} == {"FedGA-Tree": LUCKY, "IBM": LUCKY}
    assert all(len(scores) == MAIN for scores in KEPT["luck"]["scores"].values())


def test_it_says_where_it_was_measured():
    assert {"sources/fedga/server.py", "sources/fedga/splits.py", "cart/structures.py"} < KEPT["measured"].keys()
    assert KEPT["date"] in stamp.since(KEPT)


def test_a_random_part_is_made_again():
    """One run of classes and one of numbers, others for other code; the best depth follows from what is kept."""
    draw = drawn_by_the_code()
    for sets in (tuple(CLASSES), NUMBERS):
        data, (n, share) = draw.choice(sets), draw.choice(SETTINGS)
        seed = draw.randrange(fedga_figures.runs_of(RUNS, n, share))
        row, found = ROWS[data, n, str(share)], Task(data, n, share, seed, KEPT["tuned"]).measured()
        for name, model in row["models"].items():
            again = fedga_figures.measures_of(found, name, data in CLASSES)
            for what, values in model.items():
                assert values[seed] == pytest.approx(again[what], abs=1.1e-5), (STALE, data, n, share, name, what)
        for kind, values in row["distances"].items():
            assert values[seed] == pytest.approx(found["distances"][kind], abs=1.1e-5), (STALE, data, kind)


def test_the_depth_is_that_of_the_best_mean_on_three_sets():
    """One of the kept scores is made again."""
    draw = drawn_by_the_code()
    assert KEPT["depths"].keys() == {str(depth) for depth in DEPTHS}
    assert fedga_figures.best_depth(KEPT["depths"]) == KEPT["tuned"]
    depth, k = draw.choice(DEPTHS[:2]), draw.randrange(len(TUNED_ON))
    found = [fedga_figures.at_depth((TUNED_ON[k], seed, depth)) for seed in range(fedga_figures.TUNING_RUNS)]
    assert np.mean(found) == pytest.approx(KEPT["depths"][str(depth)][k], abs=1.1e-5), STALE


def test_other_coins_are_another_run_on_the_same_rows():
    """The parties' own trees are the same, for each draw; the gains are those of the kept draws."""
    coins = drawn_by_the_code().randrange(LUCKY)
    found = Task(NURSERY, MAIN, WHOLE, 0, KEPT["tuned"], coins + 1).measured()
    assert found["scores"]["local"] == pytest.approx(KEPT["luck"]["scores"]["local"], abs=1e-5), STALE
    for name, gains in KEPT["luck"]["gains"].items():
        again = fedga_figures.measures_of(found, name, True)["gain"]
        assert gains[coins] == pytest.approx(again, abs=1.1e-5), STALE
        assert len(set(gains)) > 1


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_divided_once_and_anew_for_each_seed(name):
    """At most 2,000 to learn from and as many others to test on; all within the public ranges, or clipped."""
    rows = rows_of(name)
    split, again, other = rows.split(3), rows.split(3), rows.split(4)
    assert len(split.y_train) == min(MOST, int(0.7 * len(rows.y))) and 100 < len(split.y_test) <= MOST
    assert np.array_equal(split.X_train, again.X_train) and not np.array_equal(split.X_train, other.X_train)
    numbered = replace(rows, X=np.arange(len(rows.y), dtype=np.float64)[:, None]).split(3)
    assert not {*numbered.X_train.ravel()} & {*numbered.X_test.ravel()}
    assert len(rows.y) == len(rows.X) and rows.X.shape[1] == rows.domain.n_features
    assert (rows.task == "regression") == (name in NUMBERS)
    if name in CLASSES:  # positions in public lists: each is the middle of its own bin
        codes = rows.domain.encode(rows.domain.columns(rows.X, name), name)
        assert np.array_equal(codes, rows.X)
    else:
        edges = rows.domain.target.edges
        assert edges[0] <= rows.y.min() and rows.y.max() <= edges[-1]


def test_captions_and_the_paragraph_say_what_was_found():
    """Gains, who is ahead and better off, sizes, depths and distances: of means over runs, on each set or on all."""

    def means(what, name, n=MAIN, share="1", sets=CLASSES):
        return np.array([np.mean(ROWS[data, n, share]["models"][name][what]) for data in sets])

    assert (means("gain", "FedGA-Tree") > 0).all() and (means("gain", "IBM") < 0).mean() > 0.5
    for n, _ in SETTINGS[:5]:
        assert (means("score", "FedGA-Tree", n) > means("score", "IBM", n)).all()
    assert [data for data, few in zip(CLASSES, means("better", "FedGA-Tree") < 0.5, strict=True) if few] == [
        "breast cancer"
    ]
    away = [np.mean(means("score", name, share="1/5") - means("score", name)) for name in ("FedGA-Tree", "IBM")]
    assert -0.03 < away[0] and away[1] < 3 * away[0]
    assert 0.9 < np.mean(means("nodes", "FedGA-Tree") / means("nodes", "local")) < 1.1
    assert means("score", "IBM, half").mean() > means("score", "IBM").mean() > means("score", "IBM, median").mean()
    changes = means("gain", "FedGA-Tree", sets=NUMBERS)
    assert changes.mean() + 2 * np.std(changes, ddof=1) / len(changes) ** 0.5 > 0
    for data in NAMES:
        far = ROWS[data, MAIN, "1"]["distances"]
        assert np.mean(far["random"]) > np.mean(far["FedGA-Tree"])
    assert all(words in fedga_figures.report(KEPT) for words in ("nursery", "law school", "FedGA-Tree", "±"))
