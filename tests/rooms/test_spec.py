"""Domains as people write them down: what is read, what is written, and that the one is the other."""

import collections
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric

CLASSES = ["ill", "well"]
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(str.strip)
words = st.fixed_dictionaries({"unit": text, "reason": text})
finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e200, max_value=1e200)
members = st.lists(text | st.integers(-9, 9) | st.booleans() | finite, min_size=2, max_size=5, unique=True)


@st.composite
def numerics(draw):
    """Grids of two kinds of numbers, and edges of any."""
    name, said = draw(names), draw(words)
    ends = draw(st.lists(st.integers(-99, 99) | st.fractions(-9, 9) | finite, min_size=2, max_size=2, unique_by=float))
    if draw(st.booleans()):
        return Numeric.grid(name, *sorted(ends), draw(st.integers(2, 256)), **said)
    return Numeric(name, sorted(draw(st.lists(finite, min_size=3, max_size=6, unique=True))), **said)


@st.composite
def categoricals(draw):
    return Categorical(draw(names), draw(members), **draw(words))


@given(st.lists(numerics() | categoricals(), min_size=1, max_size=4, unique_by=lambda f: f.name), members)
def test_what_is_written_is_read_as_the_same_domain(features, classes):
    """From a dictionary, from JSON, and from JSON that a person has laid out; types of categories included."""
    domain = Domain(features, classes)
    for again in (
        Domain.from_spec(domain.to_spec()),
        Domain.from_spec(json.loads(json.dumps(domain.to_spec()))),
        Domain.from_spec(domain.to_json()),
        Domain.from_spec(domain.to_json(indent=2)),
    ):
        assert again == domain and repr(again).replace("-0.0", "0.0") == repr(domain).replace("-0.0", "0.0")


@given(st.integers(-99, 99), st.integers(1, 99), st.integers(2, 64))
def test_a_grid_is_written_as_three_numbers(low, width, bins):
    """And nothing that is not a grid is: one edge moved by the least amount stands there as it is."""
    grid = Numeric.grid("x", low, low + width, bins)
    assert Domain([grid], CLASSES).to_spec() == {"features": {"x": [low, low + width, bins]}, "classes": CLASSES}
    moved = [grid.edges[0], math.nextafter(grid.edges[1], math.inf), *grid.edges[2:]]
    assert Domain([Numeric("x", moved)], CLASSES).to_spec()["features"]["x"] == {"edges": moved}


def test_numbers_are_written_in_their_shorter_form():
    """Whole numbers without a point, as long as they are not longer so."""
    written = Domain([Numeric("x", (-1e300, 0.5, 2.0))], CLASSES).to_json()
    assert '"x": {"edges": [-1e+300, 0.5, 2]}' in written


@pytest.mark.parametrize(
    ("written", "feature"),
    [
        ([0, 100, 10], Numeric.grid("x", 0, 100, 10)),
        ((0, 1.5, 3), Numeric.grid("x", 0, "3/2", 3)),
        (["0", "1/3", 7], Numeric.grid("x", 0, Fraction(1, 3), 7)),
        ([Fraction(1, 3), np.float64(1), np.int64(4)], Numeric.grid("x", Fraction(1, 3), 1, 4)),
        (["A", "B"], Categorical("x", ("A", "B"))),
        (iter(["A", "B"]), Categorical("x", ("A", "B"))),
        (["1", "2", "3"], Categorical("x", ("1", "2", "3"))),
        ([1, 2], Categorical("x", (1, 2))),
        ([1, 2, 3, 4], Categorical("x", (1, 2, 3, 4))),
        ([True, 5, 7], Categorical("x", (True, 5, 7))),
        (np.array(["A", "B", "C"]), Categorical("x", ("A", "B", "C"))),
        ({"categories": [1, 2, 3]}, Categorical("x", (1, 2, 3))),
        ({"categories": ["A", "B"], "reason": "the form"}, Categorical("x", ("A", "B"), reason="the form")),
        ({"low": 0, "high": "1/2", "bins": 2, "unit": "m"}, Numeric.grid("x", 0, "1/2", 2, unit="m")),
        ({"edges": [0, "1/3", 2.5], "reason": "law"}, Numeric("x", (0, "1/3", 2.5), reason="law")),
    ],
)
def test_the_forms_of_a_feature(written, feature):
    assert Domain.from_spec({"features": {"x": written}, "classes": CLASSES}).features == (feature,)


ORDER = "its order must be explicit"
LIST = "their order must be explicit"


def spec(feature=("A", "B"), classes=("ill", "well"), **more):
    return {"features": {"x": feature}, "classes": classes, **more}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (spec({"A", "B"}), f"the feature 'x' must be a list or a dictionary, got set: {ORDER}"),
        (spec(dict.fromkeys("AB").keys()), ORDER),
        (spec(dict(a=1, b=2).values()), ORDER),
        (spec({"categories": frozenset("AB")}), ORDER),
        (spec(classes={"ill", "well"}), f"'classes' must be a list or a dictionary, got set: {ORDER}"),
        (spec(classes="iw"), "'classes' must be a list, got str"),
        (spec("AB"), "the feature 'x' must be a list, got str"),
        (spec([0, 1, 2, 2]), "the categories of 'x' must be 2 to 256 different values"),
        (spec([5, 1, 3]), "low < high and 2 to 256 bins (three numbers are low, high and the number of bins"),
        (spec([0, 10, 2.5]), "bins must be an integer"),
        (spec(["A", math.nan]), "different values"),
        (spec({}), 'must have "low", "high" and "bins", or "edges", or "categories"'),
        (spec({"low": 0, "high": 1}), "must have 'bins'"),
        (spec({"categories": ["A", "B"], "units": "m"}), "must not have 'units'; did you mean 'unit'?"),
        (spec({"edges": [0, 1, 2], "bins": 2}), "must not have 'bins'; it may have 'edges', 'unit', 'reason'"),
        (spec({"edges": [0, 1, 2], "unit": 7}), "the unit of the feature 'x' must be text, got int"),
        (spec(schema="fdpedu-domain/0"), "the schema of the specification must be 'fdpedu-domain/1', got"),
        (spec(clases=CLASSES), "must not have 'clases'; did you mean 'classes'?"),
        ({"features": {"x": ["A", "B"]}}, "the specification must have 'classes'"),
        ({"features": [["A", "B"]], "classes": CLASSES}, "'features' must be a dictionary from names to features"),
        ({"features": {}, "classes": CLASSES}, "features must be a non-empty list"),
        ({"features": {7: ["A", "B"]}, "classes": CLASSES}, "a feature's name must be"),
        (["age"], "a specification must be a dictionary, or a path ending in .json, got list"),
        ("age.csv", "a specification must be a dictionary, or a path ending in .json, got str"),
        ('{"features": {"x": ["A", "B"], "x": ["A", "C"]}, "classes": [1, 2]}', "'x' stands more than once"),
        ('{"features": {"x": ["A", NaN]}, "classes": [1, 2]}', "NaN is no number"),
        ('{"features": {"x": ["A", "B"]}, "classes": [1, 2]', "the specification: it is not JSON: Expecting"),
        ('{"features":' * 100_000, "nested too deeply"),
        ('{"features": {"x": ["A", null, null]}, "classes": [1, 2]}', "different values"),
    ],
)
def test_what_no_specification_is(source, message):
    with pytest.raises(ValueError) as caught:
        Domain.from_spec(source)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [{"A", "B"}, frozenset("AB"), {"A": 1, "B": 2}, {"A": 1, "B": 2}.keys(), {1: "A", 2: "B"}.values()],
    ids=lambda values: type(values).__name__,
)
def test_what_has_no_order_of_its_own_is_no_list_of_categories(values):
    """The same set is another order in another process, and two sites would have two domains."""
    for make in (lambda: Categorical("ward", values), lambda: Domain([Numeric.grid("x", 0, 1)], values)):
        with pytest.raises(ValueError, match=LIST):
            make()
    with pytest.raises(ValueError, match="features must be a non-empty list"):
        Domain({Numeric.grid("x", 0, 1)}, (0, 1))


@pytest.mark.parametrize("values", [("A", math.nan), (np.float64("nan"), 1), ([], "A"), "AB", b"AB", 7])
def test_what_is_no_list_of_different_values(values):
    with pytest.raises(ValueError, match="different values"):
        Categorical("ward", values)


@pytest.mark.parametrize("make", [iter, collections.deque, np.array, list, lambda values: (v for v in values)])
def test_categories_come_in_anything_with_an_order(make):
    assert Categorical("ward", make(["B", "A"])).categories == ("B", "A")
    assert list(map(type, Categorical("ward", make([np.int64(2), np.int64(1)])).categories)) == [int, int]


@pytest.mark.parametrize("value", [None, math.inf, (1, 2), b"A", Fraction(1, 2)])
def test_what_json_cannot_hold_is_not_written(value):
    """A domain may have it; a file cannot."""
    for domain in (Domain([Categorical("ward", ("A", value))], CLASSES), Domain([Numeric.grid("x", 0, 1)], (0, value))):
        with pytest.raises(ValueError, match="must be text, a finite number or a truth value to be written, got"):
            domain.to_spec()


# --- files ------------------------------------------------------------------------------------------------------------

DOMAIN = Domain([Numeric.grid("Größe", 0, 250, 10, unit="cm"), Categorical("ward", (1, 2, 3))], CLASSES)


def test_a_file_is_read_as_it_was_saved(tmp_path):
    path = tmp_path / "clinic.json"
    DOMAIN.save(path)
    kept = path.read_text(encoding="utf-8")
    assert json.loads(kept) == {"schema": "fdpedu-domain/1", **DOMAIN.to_spec()} and "Größe" in kept
    assert (
        Domain.load(path) == Domain.load(str(path)) == Domain.from_spec(path) == Domain.from_spec(str(path)) == DOMAIN
    )


def test_a_file_written_by_hand_needs_no_schema(tmp_path):
    path = tmp_path / "by_hand.txt"
    path.write_bytes(b'\xef\xbb\xbf{"features": {"age": [0, 100, 10]},\n "classes": ["ill", "well"]}')
    assert Domain.load(path) == Domain([Numeric.grid("age", 0, 100, 10)], CLASSES)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b"[1, 2]", "expected an object {…}, got list"),
        (b'{"classes": "\xff"}', "expected text in UTF-8"),
        (b'{"features": {"age": [0, 100, 10], "age": [0, 9, 3]}, "classes": [0, 1]}', "'age' stands more than once"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, content, message):
    (tmp_path / "bad.json").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        Domain.load(tmp_path / "bad.json")


@pytest.mark.parametrize("name", ["nowhere.json", ".", "no\0name.json"])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, name):
    with pytest.raises(ValueError, match=r"cannot read|must be the name of a file"):
        Domain.from_spec(Path(tmp_path) / name)
    with pytest.raises(ValueError, match="cannot write"):
        DOMAIN.save(tmp_path / "nowhere" / "clinic.json")


@pytest.mark.parametrize("written", [[0, 120], [5, 7.5], [3, 1], [0, 0.5]])
def test_a_range_without_its_bins_is_no_pair_of_categories(written):
    with pytest.raises(ValueError, match="has two numbers: a range needs the number of its bins too"):
        Domain.from_spec({"features": {"x": written}, "classes": ["A", "B"]})
    domain = Domain([Categorical("x", written)], ("A", "B"))
    assert Domain.from_spec(domain.to_spec()) == domain
