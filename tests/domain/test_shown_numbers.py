"""What is shown of a feature tells its codes apart, and is read back into them: whatever its edges and names are."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.boosting.curves import Curve, curves_of
from fdpedu.cart import CodeSplit, Node, fit_cart
from fdpedu.cart import Tree as PlainTree
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.target import of_edges
from fdpedu.gradients import AdditiveModel
from fdpedu.printable import decimals_apart, number_texts
from fdpedu.trees.grid_tree import GridTree

near = st.builds(
    lambda base, steps, scale: sorted({(base + step) * 10.0**scale for step in steps}),
    st.integers(-(10**9), 10**9), st.lists(st.integers(0, 50), min_size=3, max_size=8), st.integers(-12, 6),
)  # fmt: skip
any_edges = near | st.lists(st.floats(-1e12, 1e12), min_size=3, max_size=8, unique=True).map(sorted)
edges = any_edges.filter(lambda found: len(found) > 2 and all(a < b for a, b in pairwise(found)))
NAMES = ["days in hospital", "a ≤ b", "x missing", "to", "1 to 2", "{", "not in {x}"]


def nearest(text, numbers):
    return int(np.argmin(np.abs(np.array(numbers) - float(text))))


@given(edges)
def test_edges_are_told_apart_and_read_back(found):
    """In six digits where these do; else in the fewest that do."""
    texts = number_texts(tuple(found))
    assert len(set(texts)) == len(found) and [nearest(text, found) for text in texts] == list(range(len(found)))
    short = [f"{edge + 0.0:.6g}" for edge in found]  # −0 is 0
    assert (list(texts) == short) == (len(set(map(float, short))) == len(found))
    places = decimals_apart(tuple(found))
    if len({float(f"{edge:.17f}") for edge in found}) == len(found):
        assert len({float(f"{edge:.{places}f}") for edge in found}) == len(found)
        assert places == 2 or len({float(f"{edge:.{places - 1}f}") for edge in found}) < len(found)


@given(edges, st.sampled_from(NAMES), st.booleans())
def test_every_test_of_a_feature_has_words_of_its_own(found, name, missing):
    """Text, HTML, DOT, scikit-learn's text and regions: no two different questions read alike."""
    feature = Numeric(name, tuple(found), missing=missing)
    domain = Domain([feature], ("a", "b"))
    prefixes = [order[:end] for order in feature.orders for end in range(1, len(order))]
    tests = {frozenset(codes): feature.describe_split(codes) for codes in prefixes}
    assert len(set(tests.values())) == len(tests)
    for codes, test in tests.items():
        last, _ = feature.last_bin(codes)
        if "≤" in test.removeprefix(name):
            text = test.removeprefix(f"{name} ≤ ").removesuffix(" or missing")
            assert nearest(text, found) == last + 1
    regions = [domain.describe(domain.everything.restrict(0, codes)) for codes in tests]
    assert len(set(regions)) == len(tests)
    leaves = Node((3, 1)), Node((1, 3))
    for codes, test in tests.items():
        tree = PlainTree(Node((4, 4), CodeSplit(0, codes), *leaves), ("a", "b"), (name,), domain)
        assert tree.to_text().split("\n")[0] == f"{test}?" and tree.to_dict()["feature"] == name
    scikit = [PlainTree(Node((4, 4), CodeSplit(0, c), *leaves), ("a", "b"), (name,), domain) for c in tests]
    if decimals_apart(tuple(found)) < 17:
        assert len({tree.to_sklearn_text() for tree in scikit}) == len(scikit)


@given(edges)
def test_means_have_the_digits_of_their_levels(found):
    """Where the levels of a target differ in the seventh digit, so do the means that are shown."""
    low, high = found[0], found[-1]
    levels = np.linspace(low, high, 4)
    try:
        domain = Domain([Numeric("x", (0, 1, 2))], target=of_edges(levels.tolist()))
    except ValueError:
        return  # the floats between are not evenly spaced
    for one, other in pairwise(range(3)):
        counts = [tuple(int(level == k) for level in range(3)) for k in (one, other)]
        tree = GridTree(
            Node((1, 1, 1), CodeSplit(0, frozenset({0})), *map(Node, counts)), domain.classes, ("x",), domain
        )
        left, right = (
            line.split("yes: ")[-1].split("no:  ")[-1].split(" count")[0] for line in tree.to_text().split("\n")[1:]
        )
        assert left != right, tree.to_text()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("missing", [False, True])
def test_a_curve_is_labelled_by_values(name, missing):
    """Not by a sentence that is cut apart: no label is empty, none is a piece of the name."""
    categories = ("short in bed", "{long}", "a} or missing", "to")
    domain = Domain(
        [Categorical(name, categories, missing=missing), Numeric("n", (1234567, 1234568, 1234569), missing=missing)],
        ("a", "b"),
    )
    found = curves_of(domain, AdditiveModel(), ())
    assert found[0].labels == (*categories, *["missing"] * missing)
    assert found[1].labels == ("1234567 to 1234568", "1234568 to 1234569", *["missing"] * missing)
    assert found[1].to_dict()["edges"] == ("1234567", "1234568", "1234569") and "edges" not in found[0].to_dict()
    assert isinstance(found[0], Curve) and found[0].ends() == ("", "", "not asked")
    asked = replace(found[0], deviations=np.ones(len(found[0].labels)))
    assert all(": " in end for end in asked.ends()[:2])


def test_thresholds_of_raw_rows_are_told_apart():
    """Without a domain there are no edges: the thresholds of one feature in the tree tell themselves apart."""
    tree = fit_cart([[0.1234561], [0.1234565], [0.1234569]], ["a", "b", "c"], min_samples_split=2)
    tests = [line.split("≤ ")[1].split("?")[0] for line in tree.to_text().split("\n") if "≤" in line]
    assert len(set(tests)) == 2 and len({line for line in tree.to_sklearn_text().split("\n") if "<=" in line}) == 2
