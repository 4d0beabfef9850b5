"""Domains as people write them down: what is read, what is written, and that the one is the other."""

import json
import math
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.columns import composed
from fdpedu.domain.spec import WRITTEN
from fdpedu.printable import one_line

CLASSES = ["ill", "well"]
text = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=6).map(one_line).map(composed)
names = text.filter(str.strip)
words = st.fixed_dictionaries({"unit": text, "reason": text, "missing": st.booleans()})
finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e200, max_value=1e200)
members = st.lists(text | st.integers(-9, 9) | st.booleans() | finite, min_size=2, max_size=5, unique=True)


@st.composite
def numerics(draw):
    """Grids of two kinds of numbers, and edges of any."""
    name, said = draw(names), draw(words)
    ends = draw(st.lists(st.integers(-99, 99) | st.fractions(-9, 9) | finite, min_size=2, max_size=2, unique_by=float))
    assume(abs(float(ends[0]) - float(ends[1])) > 1e-200)  # else there is no room for bins between them
    if draw(st.booleans()):
        return Numeric.grid(name, *sorted(ends), draw(st.integers(2, 255)), **said)
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
        Domain.from_spec({"schema": WRITTEN, **domain.to_spec()}),  # as in a model's file
        Domain.from_spec(domain.to_json()),
        Domain.from_spec(domain.to_json(indent=2)),
    ):
        assert again == domain and repr(again).replace("-0.0", "0.0") == repr(domain).replace("-0.0", "0.0")


@given(st.integers(-99, 99), st.integers(1, 99), st.integers(2, 64))
def test_a_grid_is_written_as_three_numbers(low, width, bins):
    """With their names, where they may be categories. One edge moved by the least amount makes edges of it."""
    grid = Numeric.grid("x", low, low + width, bins)
    spec = Domain([grid], CLASSES).to_spec()["features"]["x"]
    assert list(spec.values() if isinstance(spec, dict) else spec) == [low, low + width, bins]
    moved = [grid.edges[0], math.nextafter(grid.edges[1], math.inf), *grid.edges[2:]]
    assert Domain([Numeric("x", moved)], CLASSES).to_spec()["features"]["x"] == {"edges": moved}


def test_numbers_are_written_in_their_shorter_form():
    """Whole numbers without a point, as long as they are not longer so."""
    written = Domain([Numeric("x", (-1e300, 0.5, 2.0))], CLASSES).to_json()
    assert '"x": {"edges": [-1e+300, 0.5, 2]}' in written


@pytest.mark.parametrize(
    ("edge", "kind"), [(120.0, int), (-7.0, int), (0.5, float), (2.0**53 - 1, int), (2.0**53, float), (2.0**60, float)]
)
def test_a_whole_number_is_written_as_one_where_floats_hold_all_of_them(edge, kind):
    """Up to 2⁵³; from there on not every whole number is a float."""
    written = Domain([Numeric("x", (-100, edge / 2 if edge > 0 else -50, edge))], (0, 1)).to_spec()["features"]["x"]
    last = written[1] if isinstance(written, list) else written["edges"][-1]
    assert type(last) is kind and last == edge


@pytest.mark.parametrize(
    ("written", "feature"),
    [
        ([0, 100, 10], Numeric.grid("x", 0, 100, 10)),
        ((0, 3.5, 3), Numeric.grid("x", 0, "7/2", 3)),
        (["0", "22/3", 7], Numeric.grid("x", 0, Fraction(22, 3), 7)),
        ([Fraction(1, 3), np.float64(4), np.int64(4)], Numeric.grid("x", Fraction(1, 3), 4, 4)),
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


@pytest.mark.parametrize("written", [[0, 120], [5, 7.5], [3, 1], [0, 0.5]])
def test_a_range_without_its_bins_is_no_pair_of_categories(written):
    with pytest.raises(ValueError, match="'x'"):
        Domain.from_spec({"features": {"x": written}, "classes": ["A", "B"]})
    domain = Domain([Categorical("x", written)], ("A", "B"))
    assert Domain.from_spec(domain.to_spec()) == domain


@pytest.mark.parametrize(
    "written",
    [
        *([0, 18, 40, 65], [0.5, 1, 1.5, 2], [-1, 0, 2, 3], np.array([10, 20, 30, 40]), [0, 1, 2, 3, 5]),
        *([0, 100, "10"], [0, "100", "10"], [0, "1"], ["0", 18, 40, 65], [1, "2", 3.5, "1/3"], ["5", 1, 2, 3]),
    ],
)
def test_a_list_that_may_mean_edges_or_a_range_is_refused_and_both_can_be_written(written):
    """Whoever means categories says so; what this package writes, now or before, stays what it was."""
    listed = list(written)
    with pytest.raises(ValueError, match=r"'x'.*\{\"edges\": \[.*\]\}.*\{\"categories\": \[.*\]\}"):
        Domain.from_spec({"features": {"x": written}, "classes": CLASSES})
    domain = Domain([Categorical("x", listed)], CLASSES)
    assert Domain.from_spec({"features": {"x": {"categories": listed}}, "classes": CLASSES}) == domain
    assert Domain.from_spec(domain.to_spec()) == Domain.from_spec(domain.to_json()) == domain
    before = {"schema": "fdpedu-domain/1", "features": {"x": written}, "classes": CLASSES}
    assert Domain.from_spec(before) == domain


@pytest.mark.parametrize(
    ("written", "form"),
    [
        *(([0, 8, None], '{"low": 0, "high": 8, "bins": …}'), ([0, None, 4], '{"low": 0, "high": null, "bins": 4}')),
        *(([0, math.nan, 4], '{"low": 0, "high": null, "bins": 4}'), ([0, None], '{"edges": [0, null]}')),
        (["0", "8", None], '{"low": "0", "high": "8", "bins": …}'),
        ([None, 8, 16, 24], '{"edges": [null, 8, 16, 24]}'),
    ],
)
def test_numbers_of_which_one_was_forgotten_are_no_categories(written, form):
    """The refusal writes out both readings."""
    with pytest.raises(ValueError, match="the feature 'x' has numbers and a value that is missing") as refused:
        Domain.from_spec({"features": {"x": written}, "classes": CLASSES})
    assert form in str(refused.value) and 'or categories: {"categories": [' in str(refused.value)


@pytest.mark.parametrize(
    "written", [[0, 1, 2, 3], [-1, 0, 1, 2], [4, 3, 2, 1], [1, 5, 3, 9], ["0", "18", "40", "65"], [1, "A"], [2, "3+"]]
)
def test_lists_that_are_no_edges_are_categories(written):
    found = Domain.from_spec({"features": {"x": written}, "classes": CLASSES})
    assert found == Domain([Categorical("x", written)], CLASSES)


NUMBERS = st.integers(-9, 9) | st.integers(0, 300) | st.sampled_from([0.5, 1.5, 2.0, np.int64(3), np.float64(4)])
LISTS = (
    st.lists(NUMBERS, min_size=2, max_size=6)
    | st.lists(NUMBERS, min_size=2, max_size=5, unique=True).map(sorted)
    | st.integers(-1, 4).flatmap(lambda a: st.permutations(range(a, a + 3)))
)


def readings(refusal):
    """The longer forms that a refusal writes out."""
    return [json.loads(form) for form in re.findall(r"\{[^{}]*\}", str(refusal)) if "…" not in form]


@pytest.mark.parametrize("of", ["features", "target"])
@given(LISTS)
def test_no_list_means_a_range_or_categories_by_its_length(of, written):
    """Numbers that increase, as one lists categories and edges, are never a range; nor are 1, 2, 3 in any order.

    Where a list is refused, what the refusal writes is read, as the one and as the other; what was read is written so
    that it is read as the same, with a schema and without.
    """
    base = {"features": {"x": [0, 9, 3]}, "classes": [0, 1]}

    def read(form):
        if of == "features":
            return Domain.from_spec({**base, "features": {"x": form}})
        del (spec := dict(base))["classes"]
        return Domain.from_spec({**spec, **(form if "classes" in form else {"target": form})})

    assume(len(set(written)) == len(written))
    increasing = all(a < b for a, b in pairwise(written))
    try:
        domain = read(written)
    except ValueError as refusal:
        found = [read(form) for form in readings(refusal) if not {"range"} & set(form)]
        if len(written) == 3 and written[0] < written[1] and written[2] in range(2, 257) and type(written[2]) is int:
            one, other = found
            assert other.classes == tuple(written) if of == "target" else other.features[0].categories == tuple(written)
            assert (one.target or one.features[0]).edges[:: int(written[2])] == (written[0], written[1])
    else:
        is_range = of == "target" or domain.features[0].ordered
        assert is_range == (len(written) == 3 or of == "target") and not (is_range and sorted(written) == [1, 2, 3])
        assert not (increasing and of == "features" and domain.features[0].ordered)
        assert Domain.from_spec(domain.to_spec()) == Domain.from_spec(domain.to_json()) == domain


@pytest.mark.parametrize("written", [[1, 2, 3], [0, 1, 2], [1, 2, 9], [2, 4, 3]])
def test_what_a_program_wrote_before_is_what_it_was(written):
    """In documents of the schema before, three numbers are a range, whatever they are."""
    before = {"schema": "fdpedu-domain/1", "features": {"x": written}, "classes": CLASSES}
    domain = Domain.from_spec(before)
    assert domain.features == (Numeric.grid("x", *written),)
    assert Domain.from_spec(domain.to_spec()) == Domain.from_spec(domain.to_json()) == domain
    assert (
        Domain.from_spec({**before, "features": {"x": [0, 9, 3]}}).to_json().startswith('{"schema": "fdpedu-domain/2"')
    )


@pytest.mark.parametrize("value", [None, math.inf, (1, 2), b"A", Fraction(1, 2)])
def test_what_json_cannot_hold_is_not_written(value):
    """A domain may have it; a file cannot."""
    for domain in (Domain([Categorical("ward", ("A", value))], CLASSES), Domain([Numeric.grid("x", 0, 1)], (0, value))):
        with pytest.raises(ValueError, match=r"ward|class"):
            domain.to_spec()


DOMAIN = Domain([Numeric.grid("Größe", 0, 250, 10, unit="cm"), Categorical("ward", (1, 2, 3))], CLASSES)


def test_a_file_is_read_as_it_was_saved(tmp_path):
    path = tmp_path / "clinic.json"
    DOMAIN.save(path)
    kept = path.read_text(encoding="utf-8")
    assert json.loads(kept) == {"schema": "fdpedu-domain/2", **DOMAIN.to_spec()} and "Größe" in kept
    assert (
        Domain.load(path) == Domain.load(str(path)) == Domain.from_spec(path) == Domain.from_spec(str(path)) == DOMAIN
    )


def test_a_domain_as_json_on_one_line_or_laid_out(tmp_path):
    domain = Domain([Numeric.grid("größe", 0, 4, bins=2), Categorical("ward", ("A" * 60, "B" * 60))], ("no", "yes"))
    short, laid_out = domain.to_json(), domain.to_json(indent=1)
    assert short == json.dumps({"schema": "fdpedu-domain/2", **domain.to_spec()}, ensure_ascii=False)
    assert "größe" in short and "\n" not in short
    assert laid_out.startswith('{\n "schema": "fdpedu-domain/2",\n "features": {\n  "größe": [0, 4, 2],')
    assert json.loads(laid_out) == json.loads(short)
    domain.save(tmp_path / "domain.json")
    assert (tmp_path / "domain.json").read_text("utf8") == laid_out + "\n"
    assert Domain.from_spec(f"\n  {short}") == Domain.load(tmp_path / "domain.json") == domain


def test_a_file_written_by_hand_needs_no_schema(tmp_path):
    path = tmp_path / "by_hand.txt"
    path.write_bytes(b'\xef\xbb\xbf{"features": {"age": [0, 100, 10]},\n "classes": ["ill", "well"]}')
    assert Domain.load(path) == Domain([Numeric.grid("age", 0, 100, 10)], CLASSES)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[1, 2]",
        b'{"classes": "\xff"}',
        b'{"features": {"age": [0, 100, 10], "age": [0, 9, 3]}, "classes": [0, 1]}',
    ],
)
def test_a_bad_file_is_named(tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    for call in (Domain.load, Domain.from_spec):
        with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: "):
            call(path)


@pytest.mark.parametrize("name", ["nowhere.json", ".", "no\0name.json"])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, name):
    with pytest.raises(ValueError, match=re.escape(str(tmp_path)[:20])):
        Domain.from_spec(Path(tmp_path) / name)
    with pytest.raises(ValueError, match="nowhere"):
        DOMAIN.save(tmp_path / "nowhere" / "clinic.json")
