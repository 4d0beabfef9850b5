"""Missing values that the domain declares: a code of their own, from every kind of table, and in every sentence."""

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.boosting.marginals import Marginals
from fdpedu.cart import CodeSplit, Node, Tree
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.csv_files import read_csv
from fdpedu.federation import JointEdges, Party
from fdpedu.histograms import quantile_domain
from fdpedu.trees.designs.privatree.edges import kept_borders

AGE = Numeric.grid("age", 0, 90, bins=3, unit="years", missing=True)
WARD = Categorical("ward", ("A", "B"), missing=True)
DOMAIN = Domain([AGE, WARD], ("well", "ill"))
CODES = [[0, 2], [3, 0], [3, 2], [2, 1]]
VALUES = {"age": [20, None, None, 99], "ward": [None, "A", None, "B"]}


def frame(**columns):
    return pd.DataFrame({**VALUES, **columns})


TABLES = {
    "a dictionary": VALUES,
    "rows": list(zip(*VALUES.values(), strict=True)),
    "rows with names": [dict(zip(VALUES, row, strict=True)) for row in zip(*VALUES.values(), strict=True)],
    "a frame": frame(),
    "a frame of nullable types": frame().astype({"age": "Int64", "ward": "string"}),
    "a frame of categories": frame().astype({"ward": "category"}),
    "floats and NaN": {**VALUES, "age": np.array([20, math.nan, math.nan, 99])},
    "a masked array": {**VALUES, "age": np.ma.array([20, 1, 2, 99], mask=[0, 1, 1, 0])},
    "decimals": {**VALUES, "age": [Decimal(20), Decimal("nan"), pd.NA, Decimal(99)]},
}


@pytest.mark.claim("lem-missing-code")
@pytest.mark.parametrize("kind", TABLES)
def test_a_missing_value_has_the_last_code_whatever_it_comes_in(kind):
    assert DOMAIN.encode(TABLES[kind]).tolist() == CODES


@pytest.mark.parametrize("nothing", ["", "NA", "n/a", "NaN", "null", "None"])
def test_a_file_says_nothing_in_many_ways(tmp_path, nothing):
    file = tmp_path / "north.csv"
    file.write_text(f"id,age,ward\n1,20,{nothing}\n2,{nothing},A\n3,{nothing},{nothing}\n4,99,B\n")
    assert DOMAIN.encode(read_csv(file, DOMAIN)).tolist() == CODES


def test_a_category_of_the_name_of_nothing_is_a_category(tmp_path):
    file = tmp_path / "north.csv"
    file.write_text("blood\nNA\nn/a\nnone\n")
    domain = Domain([Categorical("blood", ("A", "NA"), missing=True)], ("well", "ill"))
    assert domain.encode(read_csv(file, domain)).ravel().tolist() == [1, 2, 2]


@pytest.mark.parametrize("odd", [math.inf, -math.inf, 10**400, Decimal("inf"), "20", True, "", [None]])
def test_what_is_not_missing_but_no_number_is_refused_as_ever(odd):
    """An infinite number is no gap, and neither is text."""
    with pytest.raises(ValueError, match="row 1, column 'age': expected a"):
        DOMAIN.encode([[20, "A"], [odd, "A"]])


@pytest.mark.parametrize("odd", ["C", 1, True, "", math.inf])
def test_what_is_not_missing_but_no_category_is_refused_as_ever(odd):
    with pytest.raises(ValueError, match="row 1, column 'ward': expected one of"):
        DOMAIN.encode([[20, "A"], [20, odd]])


def test_nothing_in_a_column_of_categories_is_missing_and_so_the_refusal_names_the_option(tmp_path):
    """Whatever a program has written for it; a word that stands for something else does not."""
    plain, file = Domain([Categorical("ward", ("A", "B"))], ("well", "ill")), tmp_path / "north.csv"
    for word, named in (("NA", True), ("null", True), ("nothing", False)):
        file.write_text(f"id,ward\n1,A\n2,{word}\n")
        with pytest.raises(ValueError, match="line 3, column 'ward'") as refusal:
            plain.encode(read_csv(file, plain))
        assert ('"missing": true' in str(refusal.value)) == named


def test_a_label_is_never_missing():
    with pytest.raises(ValueError, match=r"row 1, the class: .* must be filled in or its row left out beforehand$"):
        DOMAIN.encode_labels(["well", None])


def test_without_it_the_refusal_names_the_option():
    plain = Domain([Numeric.grid("age", 0, 90, 3), Categorical("ward", ("A", "B"))], ("well", "ill"))
    for row in ([None, "A"], [20, None]):
        with pytest.raises(ValueError, match='"missing": true'):
            plain.encode([row])


def test_a_report_counts_gaps_and_does_not_refuse_them():
    """A column of which values are missing is fit; an infinite number in it is not."""
    report = DOMAIN.check({**VALUES, "age": [20, None, math.inf, 99]})
    age, ward = report.columns
    assert (age.missing, age.unfit, age.above, age.ok) == (1, 1, 1, False)
    assert (ward.missing, ward.unfit, ward.outcome) == (2, 0, "ok") and not report.ok
    assert DOMAIN.check(VALUES).ok


FEATURES = {"range": [0, 90], "bins": 3}, {"low": 0, "high": 90, "bins": 3}, {"edges": [0, 30, 60, 90]}


@pytest.mark.parametrize("written", FEATURES)
def test_the_option_is_written_beside_any_form_of_a_feature(written):
    """And a range may be written as such."""
    both = [
        Domain.from_spec({"features": {"age": form}, "classes": [0, 1]})
        for form in (written, {**written, "missing": True})
    ]
    assert [domain.features[0].n_codes for domain in both] == [3, 4]
    assert both[0].features[0] == Numeric.grid("age", 0, 90, 3)
    assert both[1] == Domain.from_spec(both[1].to_json()) != both[0]


def test_the_option_is_true_or_false():
    for odd in (1, 0, "true", None, []):
        for form in ({"range": [0, 90], "bins": 3}, {"categories": ["A", "B"]}):
            with pytest.raises(ValueError, match=r"'missing' of the feature 'x' must be true or false"):
                Domain.from_spec({"features": {"x": {**form, "missing": odd}}, "classes": [0, 1]})
        with pytest.raises(ValueError, match="must be True or False"):
            Numeric("x", (0, 1, 2), missing=odd)
        with pytest.raises(ValueError, match="must be True or False"):
            Categorical("x", ("A", "B"), missing=odd)


def test_the_code_of_missing_values_is_one_of_the_256():
    assert Numeric.grid("x", 0, 1, 255, missing=True).n_codes == 256
    assert Categorical("x", tuple(range(255)), missing=True).n_codes == 256
    for make in (
        lambda: Numeric.grid("x", 0, 1, 256, missing=True),
        lambda: Numeric("x", tuple(range(257)), missing=True),
        lambda: Categorical("x", tuple(range(256)), missing=True),
        lambda: Categorical("x", (None, "A"), missing=True),
    ):
        with pytest.raises(ValueError, match="'x'"):
            make()


# --- in words ---


def splits(feature):
    """All left sides that a tree may have."""
    if feature.ordered:
        return {frozenset(order[:k]) for order in feature.orders for k in range(1, feature.n_codes)}
    n = feature.n_codes
    return {frozenset(c for c in range(n) if bits >> c & 1) for bits in range(1, 2**n - 1)}


def test_the_words_of_splits():
    said = {left: AGE.describe_split(left) for left in splits(AGE)}
    assert said == {
        frozenset({0}): "age ≤ 30 years",
        frozenset({0, 1}): "age ≤ 60 years",
        frozenset({0, 1, 2}): "age not missing",
        frozenset({3}): "age missing",
        frozenset({0, 3}): "age ≤ 30 years or missing",
        frozenset({0, 1, 3}): "age ≤ 60 years or missing",
    }
    assert {left: WARD.describe_split(left) for left in splits(WARD)} == {
        frozenset({0}): "ward in {A}",
        frozenset({1}): "ward in {B}",
        frozenset({0, 1}): "ward not missing",
        frozenset({2}): "ward missing",
        frozenset({0, 2}): "ward in {A} or missing",
        frozenset({1, 2}): "ward in {B} or missing",
    }


@given(st.sets(st.integers(0, 3), min_size=1), st.sets(st.integers(0, 2), min_size=1))
def test_no_two_regions_of_a_tree_have_the_same_words(ages, wards):
    """Bins of a region stand side by side; any of the others would have been said otherwise."""
    bins = sorted(ages - {3})
    if bins != list(range(min(bins, default=0), min(bins, default=0) + len(bins))):
        return
    region = DOMAIN.everything.restrict(0, ages).restrict(1, wards)
    words = DOMAIN.describe(region)
    others = (
        DOMAIN.everything.restrict(0, [*range(a, b), *gap]).restrict(1, [c for c in range(3) if kinds >> c & 1])
        for a in range(4)
        for b in range(a, 4)
        for gap in ([], [3])
        if a < b or gap
        for kinds in range(1, 8)
    )
    assert {other for other in others if DOMAIN.describe(other) == words} == {region}


SIGNS = {"≤": "__le__", "<=": "__le__", ">": "__gt__"}


def read_back(words, age, ward):
    """Whether a row passes a test, by its words alone; what is missing is None."""
    name, rest = words.split(" ", 1)
    value = age if name == "age" else ward
    if rest in ("missing", "not missing"):
        return (value is None) == (rest == "missing")
    rest, _, gap = rest.replace(" and not missing", " or present").partition(" or ")
    if value is None:
        return gap == "missing" or (rest.startswith("not in") and not gap)
    if name == "age":
        sign, edge = rest.split()[:2]
        return getattr(float(value), SIGNS[sign])(float(edge))
    return (value in rest.partition("{")[2].rstrip("}").split(", ")) == rest.startswith("in")


@pytest.mark.parametrize("j", [0, 1])
def test_the_words_of_a_split_are_read_back_into_its_codes(j):
    """In what a feature says of itself, and in the two sides of a tree as scikit-learn writes them."""
    feature = DOMAIN.features[j]
    rows = [(age, ward) for age in (10, 40, 80, None) for ward in ("A", "B", None)]
    codes = DOMAIN.encode(rows)[:, j].tolist()
    for left in splits(feature):
        leaves = [Node((2, 1)), Node((1, 2))]
        tree = Tree(Node((3, 3), CodeSplit(j, left), *leaves), DOMAIN.classes, ("age", "ward"), DOMAIN)
        yes, no = (
            line.split("- ", 1)[1].strip() for line in tree.to_sklearn_text().splitlines() if "class" not in line
        )
        for (age, ward), code in zip(rows, codes, strict=True):
            goes_left = code in left
            assert read_back(feature.describe_split(left), age, ward) is goes_left, (left, age, ward)
            assert (read_back(yes, age, ward), read_back(no, age, ward)) == (goes_left, not goes_left), (yes, no)


# --- what is missing has no place among the bins ---


def by_quantiles(domain, table, rows):
    return quantile_domain(table, domain, 3).features[0].edges


def by_kept_borders(domain, table, rows):
    return kept_borders(domain, "histogram", 3, [table]).kept


def by_joint_edges(domain, table, rows):
    records = Party(rows, domain).records()
    return JointEdges(domain.everything, 1, 0, 3).tally(records, np.arange(len(rows)), domain).tolist()


def by_marginals(domain, table, rows):
    return Marginals(domain, np.sum(table, axis=1)).cuts(0, 3)


@pytest.mark.parametrize("cut", [by_quantiles, by_kept_borders, by_joint_edges, by_marginals])
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=6, max_size=6).filter(
        lambda t: any(map(any, t))
    ),
    st.tuples(st.integers(0, 40), st.integers(0, 40)),
)
def test_mass_on_the_code_of_missing_values_moves_no_cut(cut, cells, mass):
    """Borders are between bins, wherever they are chosen; what is missing has no place among these."""
    gaps, plain = (Domain([Numeric.grid("x", 0, 6, 6, missing=m)], ("a", "b")) for m in (True, False))
    rows = [
        [k + 0.5, label] for k, cell in enumerate(cells) for label, n in zip("ab", cell, strict=True) for _ in range(n)
    ]
    more = [[None, label] for label, n in zip("ab", mass, strict=True) for _ in range(n)]
    assert cut(gaps, np.array([*cells, mass]), rows + more) == cut(plain, np.array(cells), rows)


def test_a_domain_says_so_in_its_table():
    text = DOMAIN.to_text()
    assert "0 to 90 years, or missing" in text and "A, B, or missing" in text
